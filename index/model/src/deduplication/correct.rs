//! Applies corrigenda. A corrigendum changes the fields that corrigenda usually change, if their
//! new values are read with high confidence. It may also cancel the tender.

use super::readings::printed_day;
use crate::{
    fields,
    tender::{FieldChange, Source, Tender},
    text::Words,
    vocabulary::{Kind, Moment, TenderStatus},
};
use serde_json::Value;

/// The fields that corrigenda change, with the required confidence. Places need a higher
/// confidence, because a corrigendum often names the organisation's own address.
const CHANGEABLE_FIELDS: [(&str, f64); 9] = [
    ("dates.closing", MIN_CONFIDENCE),
    ("dates.opening", MIN_CONFIDENCE),
    ("preBid.at", MIN_CONFIDENCE),
    ("financials.estimatedValue", MIN_CONFIDENCE),
    ("financials.bidBond", MIN_CONFIDENCE),
    ("documentFee.amount", MIN_CONFIDENCE),
    ("documentFee.saleUntil", MIN_CONFIDENCE),
    ("location.district", 0.9),
    ("location.city", 0.9),
];
const MIN_CONFIDENCE: f64 = 0.7;

/// Phrases that cancel a tender. They are compared as normalised words. The last word may have an
/// ending.
const CANCELLATION_PHRASES: [&str; 14] = [
    "notice of cancellation",
    "cancellation notice",
    "cancellation of",
    "is cancelled",
    "are cancelled",
    "been cancelled",
    "hereby cancelled",
    "is canceled",
    "are canceled",
    "been canceled",
    "stands cancelled",
    "අවලංගු කර",
    "අවලංගු කිරීම",
    "இரத்து செய்ய",
];

/// The changes that a corrigendum makes: field, old value, new value.
#[must_use]
pub fn corrections(tender: &Tender, notice: &Tender) -> Vec<(&'static str, Value, Value)> {
    if notice.kind != Kind::Corrigendum {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for (field, least) in CHANGEABLE_FIELDS {
        let (from, to) = (fields::value_at(tender, field), fields::value_at(notice, field));
        let is_read = notice
            .confidence
            .iter()
            .filter(|(path, _)| fields::is_within(path, field))
            .all(|(_, sure)| *sure >= least);
        if is_read && !fields::is_empty(&to) && from != to && is_plausible(tender, notice, field) {
            changes.push((field, from, to));
        }
    }
    changes.extend(opening_of_moved_closing(tender, notice, &changes));
    let extends = changes.iter().any(|(field, ..)| *field == "dates.closing");
    let is_open = matches!(tender.status, TenderStatus::Published | TenderStatus::Closed);
    // A notice that both extends and cancels a tender is contradictory, so it changes nothing.
    if is_cancellation(notice) && is_open {
        if extends {
            return Vec::new();
        }
        let word = |status: TenderStatus| Value::from(status.as_str());
        changes.push(("status", word(tender.status), word(TenderStatus::Cancelled)));
    }
    changes
}

/// Bids are never opened before they close. If the closing moves past the opening and the notice names no new
/// opening, bids that are opened at the closing still are, and otherwise the opening is not known any more.
fn opening_of_moved_closing(
    tender: &Tender,
    notice: &Tender,
    changes: &[(&'static str, Value, Value)],
) -> Option<(&'static str, Value, Value)> {
    let field = "dates.opening";
    let (closing, opening) = (notice.dates.closing?, tender.dates.opening?);
    let moves = |field: &str| changes.iter().any(|(changed, ..)| *changed == field);
    if !moves("dates.closing") || moves(field) || opening >= closing {
        return None;
    }
    let is_at_closing = tender.dates.closing == Some(opening);
    let to = if is_at_closing { fields::value_at(notice, "dates.closing") } else { Value::Null };
    Some((field, fields::value_at(tender, field), to))
}

/// Whether a new value is plausible. Closing, opening and the end of sale only move to a later
/// time. Closing, opening and pre-bid meeting are not before the day of print.
fn is_plausible(tender: &Tender, notice: &Tender, field: &str) -> bool {
    let later = |from: Option<Moment>, to: Option<Moment>| {
        let is_ahead = to.zip(printed_day(notice)).is_none_or(|(to, printed)| to.day() >= printed);
        is_ahead && from.is_none_or(|from| to.is_some_and(|to| to > from))
    };
    match field {
        "dates.closing" => later(tender.dates.closing, notice.dates.closing),
        "dates.opening" => later(tender.dates.opening, notice.dates.opening),
        "preBid.at" => later(None, notice.pre_bid.as_ref().and_then(|pre_bid| pre_bid.at)),
        "documentFee.saleUntil" => {
            let until = |tender: &Tender| tender.document_fee.as_ref().and_then(|fee| fee.sale_until);
            until(notice) > until(tender)
        }
        _ => true,
    }
}

fn is_cancellation(notice: &Tender) -> bool {
    let says = |text: &str| {
        let words = format!(" {} ", Words::of(text).iter().collect::<Vec<_>>().join(" "));
        CANCELLATION_PHRASES.iter().any(|cancels| {
            let cancels = Words::of(cancels).iter().collect::<Vec<_>>().join(" ");
            words.contains(&format!(" {cancels}"))
        })
    };
    says(&notice.title) || says(&notice.full_text_markdown)
}

/// Applies a corrigendum to a tender and records each change with `at` and its source.
pub fn correct(tender: &mut Tender, notice: &Tender, at: Moment) {
    if notice.field_states.is_some() {
        tender.list_field_states();
    }
    let source = notice.sources.first().map(describe_source).unwrap_or_default();
    for (field, from, to) in corrections(tender, notice) {
        let Some(mut changed) = fields::with_value(tender, field, to.clone()) else { continue };
        if field == "location.district" {
            changed.location.province = changed.location.district.map(crate::vocabulary::District::province);
        }
        changed.changes.push(FieldChange { at, field: field.to_owned(), from, to, source: source.clone() });
        for path in notice.confidence.keys().filter(|path| fields::is_within(path, field)) {
            super::readings::take_reading(&mut changed, notice, path);
        }
        *tender = changed;
    }
}

/// Describes a source: `Daily Lanka, 2026-11-25, page 3`.
fn describe_source(source: &Source) -> String {
    let date = source.date.map(|date| date.to_string());
    let page = (source.page > 0).then(|| format!("page {}", source.page));
    let publication = (!source.publication.is_empty()).then(|| source.publication.clone());
    [publication, date, page].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
