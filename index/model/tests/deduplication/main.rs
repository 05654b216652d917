//! Tests of the rules that decide which notices belong to one tender.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod compose;
mod decide;
mod gather;

use tender_model::{
    tender::{Organization, Source, Tender},
    vocabulary::{Amount, Kind, Language, Moment, TenderStatus},
};
use uuid::Uuid;

const KNOWN_ID: Uuid = Uuid::from_u128(1);

fn moment(text: &str) -> Moment {
    format!("{text}+05:30").parse().unwrap()
}

/// A notice printed on 20 November 2026.
fn notice() -> Tender {
    let mut notice = Tender {
        title: "Rehabilitation of the Canal Road at Elpitiya, Lot 1".into(),
        reference_no: Some("RDA/SP/2026/117".into()),
        organization: Organization { name: "Road Development Authority".into(), ..Organization::default() },
        language: Some(Language::English),
        full_text_markdown: "Sealed bids are invited for the rehabilitation of the canal road.".into(),
        sources: vec![Source {
            publication: "Daily Lanka".into(),
            date: "2026-11-20".parse().ok(),
            file: "p1.jpg".into(),
            page: 1,
            area: [0.1, 0.1, 0.2, 0.2],
            ..Source::default()
        }],
        ..Tender::default()
    };
    notice.dates.closing = Some(moment("2026-12-15T14:00:00"));
    notice.financials.bid_bond.required = true;
    notice.financials.bid_bond.amount = Some(Amount::from_minor(25_000_000));
    notice
}

/// The published tender of [`notice`].
fn known() -> Tender {
    Tender { id: KNOWN_ID, status: TenderStatus::Published, ..notice() }
}

/// The same notice printed on another day, with changes.
fn printed(day: &str, change: impl FnOnce(&mut Tender)) -> Tender {
    let mut other = notice();
    other.sources[0].date = day.parse().ok();
    other.sources[0].publication = "Weekly Lanka".into();
    change(&mut other);
    other
}

fn set_reference(notice: &mut Tender, reference: &str) {
    notice.reference_no = (!reference.is_empty()).then(|| reference.to_owned());
}

fn set_closing(notice: &mut Tender, at: &str) {
    notice.dates.closing = (!at.is_empty()).then(|| moment(at));
}

fn corrigendum(day: &str, change: impl FnOnce(&mut Tender)) -> Tender {
    printed(day, |n| {
        n.kind = Kind::Corrigendum;
        n.full_text_markdown = "The closing date is extended.".into();
        n.financials = Default::default();
        set_closing(n, "2026-12-29T14:00:00");
        change(n);
    })
}
