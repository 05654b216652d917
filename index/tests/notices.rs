//! One tender, several notices: the rules by a table of cases, and that a tender comes out the same however its notices come in.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use index::{
    notices::{Decision, Doubt, OWNER, Part, Role, compose, decide, reference_key},
    tender::{FieldChange, Organization, Source, Tender},
    vocabulary::{Amount, Kind, Language, Moment, TenderStatus},
};
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

const KNOWN: Uuid = Uuid::from_u128(1);

fn moment(text: &str) -> Moment {
    format!("{text}+05:30").parse().unwrap()
}

/// A notice as it is printed on 20 November 2026.
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

fn known() -> Tender {
    Tender { id: KNOWN, status: TenderStatus::Published, ..notice() }
}

/// Another notice, printed on another day.
fn printed(day: &str, change: impl FnOnce(&mut Tender)) -> Tender {
    let mut other = notice();
    other.sources[0].date = day.parse().ok();
    other.sources[0].publication = "Weekly Lanka".into();
    change(&mut other);
    other
}

fn reference(notice: &mut Tender, reference: &str) {
    notice.reference_no = (!reference.is_empty()).then(|| reference.to_owned());
}

fn closing(notice: &mut Tender, at: &str) {
    notice.dates.closing = (!at.is_empty()).then(|| moment(at));
}

#[derive(Debug, PartialEq)]
enum Is {
    New,
    Source,
    Correction,
    Review(Doubt),
}

fn decided(notice: &Tender, known: &[Tender]) -> Is {
    match decide(notice, known) {
        Decision::New => Is::New,
        Decision::Source(KNOWN) => Is::Source,
        Decision::Correction(KNOWN) => Is::Correction,
        Decision::Review(doubt, candidates) => {
            assert!(candidates.iter().all(|candidate| known.iter().any(|one| one.id == candidate.tender)));
            Is::Review(doubt)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn prints_of_one_tender_are_told_from_other_tenders() {
    type Change = fn(&mut Tender);
    let cases: [(&str, Change, Is); 24] = [
        ("the same again", |_| {}, Is::Source),
        ("other separators", |n| reference(n, "RDA-SP 2026.117"), Is::Source),
        ("signs that recognition confuses", |n| reference(n, "RDA/SP/2O26/1l7"), Is::Source),
        ("a letter lost", |n| reference(n, "RA/SP/2026/117"), Is::Source),
        (
            "a title misread",
            |n| n.title = "Rehabi1itation of the Cana1 Road at E1pitiya, Lot 1".into(),
            Is::Source,
        ),
        ("no reference read", |n| reference(n, ""), Is::Source),
        ("no closing read", |n| closing(n, ""), Is::Source),
        ("no body read", |n| n.organization.name.clear(), Is::Source),
        (
            "a closing in doubt",
            |n| {
                closing(n, "2026-12-16T14:00:00");
                n.confidence.insert("dates.closing".into(), 0.5);
            },
            Is::Source,
        ),
        ("the next number", |n| reference(n, "RDA/SP/2026/118"), Is::Review(Doubt::Alike)),
        ("another number", |n| reference(n, "RDA/NP/2025/904"), Is::New),
        ("another lot under one reference", |n| n.title = n.title.replace("Lot 1", "Lot 2"), Is::New),
        (
            "another lot and number",
            |n| {
                n.title = n.title.replace("Lot 1", "Lot 2");
                reference(n, "RDA/SP/2026/118");
            },
            Is::New,
        ),
        ("a lot's number lost", |n| n.title = n.title.replace(", Lot 1", ""), Is::Source),
        (
            "another work under one reference",
            |n| n.title = "Supply of tyres".into(),
            Is::Review(Doubt::Alike),
        ),
        (
            "another closing, the first still open",
            |n| closing(n, "2026-12-22T14:00:00"),
            Is::Review(Doubt::Alike),
        ),
        (
            "another body with the same reference",
            |n| n.organization.name = "Ceylon Electricity Board".into(),
            Is::Review(Doubt::Alike),
        ),
        (
            "another body and work",
            |n| {
                n.organization.name = "Ceylon Electricity Board".into();
                n.title = "Supply of tyres".into();
            },
            Is::New,
        ),
        (
            "the same thing again without a reference, later",
            |n| {
                reference(n, "");
                closing(n, "2027-03-15T14:00:00");
            },
            Is::New,
        ),
        ("an award", |n| n.kind = Kind::Award, Is::New),
        ("another kind", |n| n.kind = Kind::Registration, Is::Review(Doubt::Alike)),
        (
            "another language, the body known by both names",
            |n| {
                n.language = Some(Language::Sinhala);
                n.title = "ඇල්පිටිය ඇළ පාර ප්‍රතිසංස්කරණය".into();
                n.organization.name = "මාර්ග සංවර්ධන අධිකාරිය".into();
            },
            Is::Source,
        ),
        (
            "another language, the body unknown, the sums the same",
            |n| {
                n.language = Some(Language::Tamil);
                n.title = "எல்பிட்டிய வீதி புனரமைப்பு".into();
                n.organization.name = "எல்பிட்டிய சபை".into();
            },
            Is::Source,
        ),
        (
            "another language, the body unknown, other sums",
            |n| {
                n.language = Some(Language::Tamil);
                n.title = "எல்பிட்டிய வீதி புனரமைப்பு".into();
                n.organization.name = "எல்பிட்டிய சபை".into();
                n.financials.bid_bond.amount = Some(Amount::from_minor(1_000));
            },
            Is::Review(Doubt::Alike),
        ),
    ];
    for (what, change, expected) in cases {
        assert_eq!(decided(&printed("2026-11-21", change), &[known()]), expected, "{what}");
    }
}

#[test]
fn a_repeated_invitation_is_a_new_tender_once_the_first_has_ended() {
    let again = |day| printed(day, |n| closing(n, "2027-04-15T14:00:00"));
    assert_eq!(decided(&again("2027-03-15"), &[known()]), Is::New);
    let cancelled = Tender { status: TenderStatus::Cancelled, ..known() };
    assert_eq!(decided(&again("2026-11-30"), &[cancelled]), Is::New);
    // While the first still takes bids, it may as well be an extension or a misprint.
    assert_eq!(decided(&again("2026-11-30"), &[known()]), Is::Review(Doubt::Alike));
    // The second invitation's own second print.
    let second = Tender { id: KNOWN, status: TenderStatus::Published, ..again("2027-03-15") };
    let first = Tender { id: Uuid::from_u128(2), ..known() };
    assert_eq!(decided(&again("2027-03-16"), &[first, second]), Is::Source);
}

#[test]
fn withdrawn_tenders_and_drafts_are_not_joined() {
    for status in [TenderStatus::Withdrawn, TenderStatus::Draft] {
        assert_eq!(decided(&notice(), &[Tender { status, ..known() }]), Is::New);
    }
    assert_eq!(decided(&notice(), &[]), Is::New);
    assert_eq!(decided(&Tender::default(), &[Tender { id: KNOWN, ..Tender::default() }]), Is::New);
}

fn corrigendum(day: &str, change: impl FnOnce(&mut Tender)) -> Tender {
    printed(day, |n| {
        n.kind = Kind::Corrigendum;
        n.full_text_markdown = "The closing date is extended.".into();
        n.financials = Default::default();
        closing(n, "2026-12-29T14:00:00");
        change(n);
    })
}

#[test]
fn a_corrigendum_finds_its_tender_or_waits() {
    type Change = fn(&mut Tender);
    let cases: [(&str, Change, Is); 11] = [
        ("by its reference", |_| {}, Is::Correction),
        ("by its reference, without a title", |n| n.title = "Amendment".into(), Is::Correction),
        ("by likeness", |n| reference(n, ""), Is::Correction),
        (
            "by what its text names",
            |n| {
                reference(n, "");
                n.title = "Extension of closing date".into();
                n.full_text_markdown = "Bid No. RDA / SP / 2026 / 117: the closing date is extended.".into();
            },
            Is::Correction,
        ),
        (
            "another body's",
            |n| {
                n.organization.name = "Ceylon Electricity Board".into();
                n.title = "Amendment".into();
            },
            Is::Review(Doubt::NoTender),
        ),
        ("another reference", |n| reference(n, "RDA/NP/2025/904"), Is::Review(Doubt::NoTender)),
        ("nothing new", |n| closing(n, "2026-12-15T14:00:00"), Is::Review(Doubt::NothingPlain)),
        ("an earlier closing", |n| closing(n, "2026-12-01T14:00:00"), Is::Review(Doubt::NothingPlain)),
        (
            "a closing in doubt",
            |n| {
                n.confidence.insert("dates.closing".into(), 0.5);
            },
            Is::Review(Doubt::NothingPlain),
        ),
        (
            "cancelled",
            |n| {
                closing(n, "");
                n.full_text_markdown = "The above tender is hereby cancelled.".into();
            },
            Is::Correction,
        ),
        (
            "cancelled and extended",
            |n| n.full_text_markdown = "It is cancelled.".into(),
            Is::Review(Doubt::NothingPlain),
        ),
    ];
    for (what, change, expected) in cases {
        assert_eq!(decided(&corrigendum("2026-12-10", change), &[known()]), expected, "{what}");
    }
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &[]), Is::Review(Doubt::NoTender));
    // A year later, it means another tender that is not here.
    let late = corrigendum("2027-12-10", |n| closing(n, "2027-12-29T14:00:00"));
    assert_eq!(decided(&late, &[known()]), Is::Review(Doubt::NoTender));
}

#[test]
fn a_corrigendum_of_one_of_several_is_told_by_title_and_day_or_waits() {
    let lot = |number: u128| Tender {
        id: Uuid::from_u128(number),
        title: known().title.replace("Lot 1", &format!("Lot {number}")),
        ..known()
    };
    let lots = [lot(1), lot(2), lot(3)];
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &lots), Is::Correction);
    let unclear = corrigendum("2026-12-10", |n| n.title = "Amendment".into());
    assert_eq!(decided(&unclear, &lots), Is::Review(Doubt::Ambiguous));
    let mut first = Tender { id: Uuid::from_u128(2), ..known() };
    closing(&mut first, "2026-08-15T14:00:00");
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &[first, known()]), Is::Correction);
}

fn part(role: Role, notice: Tender, at: &str) -> Part {
    Part { role, notice, at: moment(at) }
}

fn original() -> Part {
    part(Role::Original, notice(), "2026-11-20T08:00:00")
}

#[test]
fn another_print_adds_its_source_and_what_was_not_said() {
    let mut first = notice();
    first.dates.opening = None;
    first.confidence.insert("title".into(), 0.9);
    first.confidence.insert("dates.closing".into(), 0.5);
    first.needs_review = true;
    let second = printed("2026-11-19", |n| {
        n.title = "Rehabilitation of the Canal R0ad".into();
        n.dates.opening = Some(moment("2026-12-15T14:30:00"));
        closing(n, "2026-12-16T14:00:00");
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
    assert_eq!((tender.id, tender.published_at), (KNOWN, current.published_at));
    let papers: Vec<&str> = tender.sources.iter().map(|source| source.publication.as_str()).collect();
    assert_eq!(papers, ["Weekly Lanka", "Daily Lanka"]);
    assert_eq!(tender.dates.opening, Some(moment("2026-12-15T14:30:00")));
    // What was read in doubt is taken from the surer print; what was read stays.
    assert_eq!(tender.dates.closing, Some(moment("2026-12-16T14:00:00")));
    assert_eq!((&tender.organization.name, &tender.title), (&first.organization.name, &first.title));
    assert!(!tender.needs_review && tender.changes.is_empty());
    assert_eq!(tender.confidence["dates.opening"], 0.9);
}

#[test]
fn the_surer_text_of_one_language_is_kept() {
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
fn corrigenda_are_applied_in_the_order_of_print_and_told() {
    let first = corrigendum("2026-12-01", |n| closing(n, "2026-12-22T14:00:00"));
    let second = corrigendum("2026-12-10", |_| {});
    let cancels = corrigendum("2026-12-20", |n| {
        closing(n, "");
        n.full_text_markdown = "NOTICE OF CANCELLATION".into();
    });
    let parts = [
        original(),
        part(Role::Correction, second, "2026-12-10T08:00:00"),
        part(Role::Correction, cancels, "2026-12-20T08:00:00"),
        // Found in an old paper, after the others.
        part(Role::Correction, first, "2026-12-25T08:00:00"),
    ];
    let tender = compose(&known(), &parts).unwrap();
    assert_eq!((tender.status, tender.sources.len()), (TenderStatus::Cancelled, 4));
    assert_eq!(tender.dates.closing, Some(moment("2026-12-29T14:00:00")));
    let told: Vec<_> = tender
        .changes
        .iter()
        .map(|change| (change.field.as_str(), &change.from, &change.to, change.source.as_str()))
        .collect();
    let day = |day: &str| json!(format!("2026-12-{day}T14:00:00+05:30"));
    assert_eq!(
        told,
        [
            ("dates.closing", &day("22"), &day("29"), "Weekly Lanka, 2026-12-10, page 1"),
            ("status", &json!("published"), &json!("cancelled"), "Weekly Lanka, 2026-12-20, page 1"),
            ("dates.closing", &day("15"), &day("22"), "Weekly Lanka, 2026-12-01, page 1"),
        ]
    );
    // A corrigendum that is gone takes its changes along.
    let without = compose(&tender, &parts[..1]).unwrap();
    assert_eq!((without.status, without.changes.len()), (TenderStatus::Published, 0));
    assert_eq!(without.dates.closing, notice().dates.closing);
}

#[test]
fn what_the_owner_changed_stays() {
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

#[test]
fn a_reference_is_found_again_whatever_separates_it() {
    let key = |reference| reference_key(Some(reference));
    assert_eq!(key("RDA/SP/2026/117"), key("rda - sp 2O26.1l7"));
    assert_ne!(key("RDA/SP/2026/117"), key("RDA/SP/2026/118"));
    assert_eq!((reference_key(None), key(" / - ")), (None, None));
}

proptest! {
    /// Papers are read in any order, and any of them again.
    #[test]
    fn a_tender_is_the_same_however_its_notices_come(order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(), again in 0usize..4) {
        let parts = [
            original(),
            part(Role::Source, printed("2026-11-22", |n| n.dates.opening = Some(moment("2026-12-15T15:00:00"))), "2026-11-22T08:00:00"),
            part(Role::Correction, corrigendum("2026-12-01", |n| closing(n, "2026-12-22T14:00:00")), "2026-12-01T08:00:00"),
            part(Role::Correction, corrigendum("2026-12-10", |_| {}), "2026-12-10T08:00:00"),
        ];
        let straight = compose(&known(), &parts).unwrap();
        let mut shuffled: Vec<Part> = order.iter().map(|nth| parts[*nth].clone()).collect();
        prop_assert_eq!(&compose(&known(), &shuffled).unwrap(), &straight);
        // On what it came to before, and with one notice twice.
        shuffled.push(parts[again].clone());
        let twice = compose(&straight, &shuffled).unwrap();
        prop_assert_eq!(&twice, &straight);
    }

    #[test]
    fn any_two_records_are_compared_without_harm(title in any::<String>(), reference in any::<Option<String>>(), text in any::<String>()) {
        let mut odd = Tender { id: KNOWN, title, reference_no: reference, full_text_markdown: text, ..Tender::default() };
        for kind in [Kind::Purchase, Kind::Corrigendum] {
            odd.kind = kind;
            let _ = decide(&notice(), std::slice::from_ref(&odd));
            let _ = decide(&Tender { id: Uuid::nil(), ..odd.clone() }, &[known()]);
            let _ = compose(&odd, &[original(), part(Role::Correction, odd.clone(), "2026-12-10T08:00:00")]);
        }
    }
}
