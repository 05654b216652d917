//! Tests of composing a tender from its notices.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use tender_model::{
    deduplication::{OWNER, PORTAL, Role, TenderNotice, compose, is_taken_down},
    tender::{FieldChange, FieldState, FieldStates},
};

fn part(role: Role, notice: Tender, at: &str) -> TenderNotice {
    TenderNotice { role, notice, at: moment(at) }
}

fn original() -> TenderNotice {
    part(Role::Original, notice(), "2026-11-20T08:00:00")
}

#[test]
fn another_print_adds_its_source_and_missing_fields() {
    let mut first = notice();
    first.dates.opening = None;
    first.confidence.insert("title".into(), 0.9);
    first.confidence.insert("dates.closing".into(), 0.5);
    first.needs_review = true;
    let second = printed("2026-11-19", |n| {
        n.title = "Rehabilitation of the Canal R0ad".into();
        n.dates.opening = Some(moment("2026-12-15T14:30:00"));
        set_closing(n, "2026-12-16T14:00:00");
        n.organization.name = "R.D.A.".into();
        n.confidence.insert("title".into(), 0.7);
        n.confidence.insert("dates.closing".into(), 0.9);
        n.confidence.insert("dates.opening".into(), 0.9);
    });
    let current = Tender { published_at: Some(moment("2026-11-20T08:00:00")), ..known() };
    let parts = [
        part(Role::Original, first.clone(), "2026-11-20T08:00:00"),
        part(Role::Source, second, "2026-11-21T08:00:00"),
    ];
    let tender = compose(&current, &parts).unwrap();
    assert_eq!((tender.id, tender.published_at), (KNOWN_ID, current.published_at));
    let papers: Vec<&str> = tender.sources.iter().map(|source| source.publication.as_str()).collect();
    assert_eq!(papers, ["Weekly Lanka", "Daily Lanka"]);
    assert_eq!(tender.dates.opening, Some(moment("2026-12-15T14:30:00")));
    // A doubtful field is taken from the more certain print; a certain field stays.
    assert_eq!(tender.dates.closing, Some(moment("2026-12-16T14:00:00")));
    assert_eq!((&tender.organization.name, &tender.title), (&first.organization.name, &first.title));
    assert!(!tender.needs_review && tender.changes.is_empty());
    assert_eq!(tender.confidence["dates.opening"], 0.9);
}

#[test]
fn the_text_with_higher_confidence_in_one_language_is_kept() {
    let sure = |sure: f64, title: &str, language| {
        printed("2026-11-21", |n| {
            n.title = title.into();
            n.language = Some(language);
            n.confidence.insert("title".into(), sure);
        })
    };
    let title = |other: Tender| {
        let first = part(Role::Original, sure(0.6, "Canal R0ad", Language::English), "2026-11-20T08:00:00");
        compose(&known(), &[first, part(Role::Source, other, "2026-11-21T08:00:00")]).unwrap().title
    };
    assert_eq!(title(sure(0.9, "Canal Road", Language::English)), "Canal Road");
    assert_eq!(title(sure(0.5, "Cana1 Road", Language::English)), "Canal R0ad");
    assert_eq!(title(sure(0.9, "ඇළ පාර", Language::Sinhala)), "Canal R0ad");
}

#[test]
fn a_certain_print_replaces_doubtful_fields() {
    let states = |states: &[(&str, FieldState)]| -> Option<FieldStates> {
        Some(states.iter().map(|(path, state)| ((*path).to_owned(), *state)).collect())
    };
    let mut first = notice();
    first.confidence.extend([("title".to_owned(), 0.75), ("dates.closing".to_owned(), 0.7)]);
    first.field_states = states(&[
        ("title", FieldState::Doubtful),
        ("dates.closing", FieldState::Doubtful),
        ("location.district", FieldState::Doubtful),
    ]);
    first.needs_review = true;
    let alone = compose(&known(), &[part(Role::Original, first.clone(), "2026-11-20T08:00:00")]).unwrap();
    assert!(alone.needs_review && alone.is_uncertain("dates.closing"));
    let second = printed("2026-11-21", |n| {
        n.title = "Rehabilitation of the Canal Road".into();
        set_closing(n, "2026-12-16T14:00:00");
        n.confidence.extend([("title".to_owned(), 0.78), ("dates.closing".to_owned(), 0.9)]);
        n.field_states = states(&[]);
    });
    let parts = [
        part(Role::Original, first.clone(), "2026-11-20T08:00:00"),
        part(Role::Source, second.clone(), "2026-11-21T08:00:00"),
    ];
    let tender = compose(&known(), &parts).unwrap();
    assert_eq!(tender.title, "Rehabilitation of the Canal Road");
    assert_eq!(tender.dates.closing, Some(moment("2026-12-16T14:00:00")));
    assert_eq!(tender.field_states, states(&[("location.district", FieldState::Doubtful)]));
    assert!(!tender.needs_review, "a district is not a key field");
    // A missing closing date is taken from the print that has it.
    set_closing(&mut first, "");
    first.confidence.remove("dates.closing");
    first.field_states = states(&[("dates.closing", FieldState::NotRead)]);
    let parts = [
        part(Role::Original, first, "2026-11-20T08:00:00"),
        part(Role::Source, second, "2026-11-21T08:00:00"),
    ];
    let tender = compose(&known(), &parts).unwrap();
    assert_eq!(
        (tender.dates.closing, tender.field_states),
        (Some(moment("2026-12-16T14:00:00")), states(&[]))
    );
}

#[test]
fn corrigenda_are_applied_in_print_order_and_recorded_by_time_of_addition() {
    let first = corrigendum("2026-12-01", |n| set_closing(n, "2026-12-22T14:00:00"));
    let second = corrigendum("2026-12-10", |_| {});
    let cancels = corrigendum("2026-12-20", |n| {
        set_closing(n, "");
        n.full_text_markdown = "NOTICE OF CANCELLATION".into();
    });
    let parts = [
        original(),
        part(Role::Correction, second, "2026-12-10T08:00:00"),
        part(Role::Correction, cancels, "2026-12-20T08:00:00"),
        // Found in an old newspaper after the other notices.
        part(Role::Correction, first, "2026-12-25T08:00:00"),
    ];
    let tender = compose(&known(), &parts).unwrap();
    assert_eq!((tender.status, tender.sources.len()), (TenderStatus::Cancelled, 4));
    assert_eq!(tender.dates.closing, Some(moment("2026-12-29T14:00:00")));
    let recorded: Vec<_> = tender
        .changes
        .iter()
        .map(|change| (change.field.as_str(), &change.from, &change.to, change.source.as_str()))
        .collect();
    let day = |day: &str| json!(format!("2026-12-{day}T14:00:00+05:30"));
    assert_eq!(
        recorded,
        [
            ("dates.closing", &day("22"), &day("29"), "Weekly Lanka, 2026-12-10, page 1"),
            ("status", &json!("published"), &json!("cancelled"), "Weekly Lanka, 2026-12-20, page 1"),
            ("dates.closing", &day("15"), &day("22"), "Weekly Lanka, 2026-12-01, page 1"),
        ]
    );
    // Removing a corrigendum removes its changes.
    let without = compose(&tender, &parts[..1]).unwrap();
    assert_eq!((without.status, without.changes.len()), (TenderStatus::Published, 0));
    assert_eq!(without.dates.closing, notice().dates.closing);
}

#[test]
fn edits_by_the_owner_are_kept() {
    let change = FieldChange {
        at: moment("2026-11-25T08:00:00"),
        field: "title".into(),
        from: json!("x"),
        to: json!("Canal Road, corrected by hand"),
        source: OWNER.into(),
    };
    let current = Tender { changes: vec![change.clone()], status: TenderStatus::Awarded, ..known() };
    let tender = compose(&current, &[original()]).unwrap();
    assert_eq!(
        (tender.title.as_str(), tender.status),
        ("Canal Road, corrected by hand", TenderStatus::Awarded)
    );
    assert_eq!(tender.changes, [change]);
    assert_eq!(compose(&current, &[]), None);
}

/// A tender that the portal has taken down stays withdrawn, whatever its notices say.
#[test]
fn tender_that_was_taken_down_stays_withdrawn() {
    let change = FieldChange {
        at: moment("2026-11-25T08:00:00"),
        field: "status".into(),
        from: json!("published"),
        to: json!("withdrawn"),
        source: PORTAL.into(),
    };
    let current = Tender { changes: vec![change.clone()], status: TenderStatus::Withdrawn, ..known() };
    assert!(is_taken_down(&current));
    let tender = compose(&current, &[original()]).unwrap();
    assert_eq!((tender.status, &tender.changes[..]), (TenderStatus::Withdrawn, &[change][..]));
    let cancelling = corrigendum("2026-12-01", |notice| {
        notice.full_text_markdown = "The tender is cancelled.".into();
        notice.dates.closing = None;
    });
    let parts = [original(), part(Role::Correction, cancelling, "2026-12-01T08:00:00")];
    let tender = compose(&tender, &parts).unwrap();
    assert!(is_taken_down(&tender), "{:?} {:?}", tender.status, tender.changes);
    let again = compose(&tender, &parts).unwrap();
    assert_eq!(again, tender);
    let withdrawn = Tender { status: TenderStatus::Withdrawn, ..known() };
    assert!(!is_taken_down(&withdrawn), "withdrawn by its owner");
}

proptest! {
    /// Newspapers are processed in any order, and any notice may be processed again.
    #[test]
    fn a_tender_does_not_depend_on_the_order_of_its_notices(order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(), again in 0usize..4) {
        let parts = [
            original(),
            part(Role::Source, printed("2026-11-22", |n| n.dates.opening = Some(moment("2026-12-15T15:00:00"))), "2026-11-22T08:00:00"),
            part(Role::Correction, corrigendum("2026-12-01", |n| set_closing(n, "2026-12-22T14:00:00")), "2026-12-01T08:00:00"),
            part(Role::Correction, corrigendum("2026-12-10", |_| {}), "2026-12-10T08:00:00"),
        ];
        let straight = compose(&known(), &parts).unwrap();
        let mut shuffled: Vec<TenderNotice> = order.iter().map(|nth| parts[*nth].clone()).collect();
        prop_assert_eq!(&compose(&known(), &shuffled).unwrap(), &straight);
        // Compose on the previous result, with one notice twice.
        shuffled.push(parts[again].clone());
        let twice = compose(&straight, &shuffled).unwrap();
        prop_assert_eq!(&twice, &straight);
    }
}

#[test]
fn bids_are_never_opened_before_a_moved_closing() {
    let extension = printed("2026-11-25", |n| {
        n.kind = Kind::Corrigendum;
        set_closing(n, "2026-12-30T14:00:00");
        n.dates.opening = None;
        n.confidence.insert("dates.closing".into(), 0.9);
    });
    let opening_after = |opening: Option<&str>| {
        let mut first = notice();
        first.dates.opening = opening.map(moment);
        let known = known();
        let parts = [
            part(Role::Original, first, "2026-11-20T08:00:00"),
            part(Role::Correction, extension.clone(), "2026-11-25T08:00:00"),
        ];
        let tender = compose(&known, &parts).unwrap();
        assert_eq!(tender.dates.closing, Some(moment("2026-12-30T14:00:00")));
        let is_told = tender.changes.iter().any(|change| change.field == "dates.opening");
        (tender.dates.opening, is_told)
    };
    let closing = notice().dates.closing.unwrap();
    let at_closing = closing.civil().to_string();
    assert_eq!(opening_after(Some(&at_closing)), (Some(moment("2026-12-30T14:00:00")), true));
    let later = closing.civil().checked_add(jiff::SignedDuration::from_mins(30)).unwrap().to_string();
    assert_eq!(opening_after(Some(&later)), (None, true), "the notice names no new opening");
    assert!(!opening_after(Some("2027-01-05T10:00:00")).1);
    assert_eq!(opening_after(None), (None, false));
}
