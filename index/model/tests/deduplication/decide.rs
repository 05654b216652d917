//! Tests `decide`, which relates a notice to the known tenders.

use super::*;
use proptest::prelude::*;
use tender_model::deduplication::{
    Decision, Doubt, Role, TenderNotice, compose, decide, gather, reference_key,
};

#[derive(Debug, PartialEq)]
enum Decided {
    New,
    Source,
    Correction,
    Review(Doubt),
}

fn decided(notice: &Tender, known: &[Tender]) -> Decided {
    match decide(notice, known) {
        Decision::New => Decided::New,
        Decision::Source(KNOWN_ID) => Decided::Source,
        Decision::Correction(KNOWN_ID) => Decided::Correction,
        Decision::Review(doubt, candidates) => {
            assert!(candidates.iter().all(|candidate| known.iter().any(|one| one.id == candidate.tender)));
            Decided::Review(doubt)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reprint_is_distinguished_from_another_tender() {
    type Change = fn(&mut Tender);
    let cases: [(&str, Change, Decided); 24] = [
        ("the same again", |_| {}, Decided::Source),
        ("other separators", |n| set_reference(n, "RDA-SP 2026.117"), Decided::Source),
        ("characters that OCR confuses", |n| set_reference(n, "RDA/SP/2O26/1l7"), Decided::Source),
        ("a letter lost", |n| set_reference(n, "RA/SP/2026/117"), Decided::Source),
        (
            "a title misread",
            |n| n.title = "Rehabi1itation of the Cana1 Road at E1pitiya, Lot 1".into(),
            Decided::Source,
        ),
        ("no reference read", |n| set_reference(n, ""), Decided::Source),
        ("no closing read", |n| set_closing(n, ""), Decided::Source),
        ("no organisation read", |n| n.organization.name.clear(), Decided::Source),
        (
            "a closing in doubt",
            |n| {
                set_closing(n, "2026-12-16T14:00:00");
                n.confidence.insert("dates.closing".into(), 0.5);
            },
            Decided::Source,
        ),
        ("the next number", |n| set_reference(n, "RDA/SP/2026/118"), Decided::Review(Doubt::PossiblePrint)),
        ("another number", |n| set_reference(n, "RDA/NP/2025/904"), Decided::New),
        ("another lot under one reference", |n| n.title = n.title.replace("Lot 1", "Lot 2"), Decided::New),
        (
            "another lot and number",
            |n| {
                n.title = n.title.replace("Lot 1", "Lot 2");
                set_reference(n, "RDA/SP/2026/118");
            },
            Decided::New,
        ),
        ("a lot's number lost", |n| n.title = n.title.replace(", Lot 1", ""), Decided::Source),
        (
            "another work under one reference",
            |n| n.title = "Supply of tyres".into(),
            Decided::Review(Doubt::PossiblePrint),
        ),
        (
            "another closing, the first still open",
            |n| set_closing(n, "2026-12-22T14:00:00"),
            Decided::Review(Doubt::PossiblePrint),
        ),
        (
            "another organisation with the same reference",
            |n| n.organization.name = "Ceylon Electricity Board".into(),
            Decided::Review(Doubt::PossiblePrint),
        ),
        (
            "another organisation and work",
            |n| {
                n.organization.name = "Ceylon Electricity Board".into();
                n.title = "Supply of tyres".into();
            },
            Decided::New,
        ),
        (
            "a repeated purchase without a reference, closing later",
            |n| {
                set_reference(n, "");
                set_closing(n, "2027-03-15T14:00:00");
            },
            Decided::New,
        ),
        ("an award", |n| n.kind = Kind::Award, Decided::New),
        ("another kind", |n| n.kind = Kind::Registration, Decided::Review(Doubt::PossiblePrint)),
        (
            "another language, the organisation known by both names",
            |n| {
                n.language = Some(Language::Sinhala);
                n.title = "ඇල්පිටිය ඇළ පාර ප්‍රතිසංස්කරණය".into();
                n.organization.name = "මාර්ග සංවර්ධන අධිකාරිය".into();
            },
            Decided::Source,
        ),
        (
            "another language, the organisation unknown, the sums the same",
            |n| {
                n.language = Some(Language::Tamil);
                n.title = "எல்பிட்டிய வீதி புனரமைப்பு".into();
                n.organization.name = "எல்பிட்டிய சபை".into();
            },
            Decided::Source,
        ),
        (
            "another language, the organisation unknown, other sums",
            |n| {
                n.language = Some(Language::Tamil);
                n.title = "எல்பிட்டிய வீதி புனரமைப்பு".into();
                n.organization.name = "எல்பிட்டிய சபை".into();
                n.financials.bid_bond.amount = Some(Amount::from_minor(1_000));
            },
            Decided::Review(Doubt::PossiblePrint),
        ),
    ];
    for (what, change, expected) in cases {
        assert_eq!(decided(&printed("2026-11-21", change), &[known()]), expected, "{what}");
    }
}

#[test]
fn a_repeated_invitation_is_a_new_tender_once_the_first_has_ended() {
    let again = |day| printed(day, |n| set_closing(n, "2027-04-15T14:00:00"));
    assert_eq!(decided(&again("2027-03-15"), &[known()]), Decided::New);
    let cancelled = Tender { status: TenderStatus::Cancelled, ..known() };
    assert_eq!(decided(&again("2026-11-30"), &[cancelled]), Decided::New);
    // While the first is open, the notice may be an extension or a misprint.
    assert_eq!(decided(&again("2026-11-30"), &[known()]), Decided::Review(Doubt::PossiblePrint));
    // A second print of the second invitation.
    let second = Tender { id: KNOWN_ID, status: TenderStatus::Published, ..again("2027-03-15") };
    let first = Tender { id: Uuid::from_u128(2), ..known() };
    assert_eq!(decided(&again("2027-03-16"), &[first, second]), Decided::Source);
}

#[test]
fn withdrawn_tenders_and_drafts_are_not_joined() {
    for status in [TenderStatus::Withdrawn, TenderStatus::Draft] {
        assert_eq!(decided(&notice(), &[Tender { status, ..known() }]), Decided::New);
    }
    assert_eq!(decided(&notice(), &[]), Decided::New);
    assert_eq!(decided(&Tender::default(), &[Tender { id: KNOWN_ID, ..Tender::default() }]), Decided::New);
}

#[test]
fn a_corrigendum_finds_its_tender_or_needs_review() {
    type Change = fn(&mut Tender);
    let cases: [(&str, Change, Decided); 11] = [
        ("by its reference", |_| {}, Decided::Correction),
        ("by its reference, with a generic title", |n| n.title = "Amendment".into(), Decided::Correction),
        ("by title and organisation", |n| set_reference(n, ""), Decided::Correction),
        (
            "by the reference in its text",
            |n| {
                set_reference(n, "");
                n.title = "Extension of closing date".into();
                n.full_text_markdown = "Bid No. RDA / SP / 2026 / 117: the closing date is extended.".into();
            },
            Decided::Correction,
        ),
        (
            "of another organisation",
            |n| {
                n.organization.name = "Ceylon Electricity Board".into();
                n.title = "Amendment".into();
            },
            Decided::Review(Doubt::NoTender),
        ),
        ("another reference", |n| set_reference(n, "RDA/NP/2025/904"), Decided::Review(Doubt::NoTender)),
        ("nothing new", |n| set_closing(n, "2026-12-15T14:00:00"), Decided::Review(Doubt::NoClearChange)),
        (
            "an earlier closing",
            |n| set_closing(n, "2026-12-01T14:00:00"),
            Decided::Review(Doubt::NoClearChange),
        ),
        (
            "a closing in doubt",
            |n| {
                n.confidence.insert("dates.closing".into(), 0.5);
            },
            Decided::Review(Doubt::NoClearChange),
        ),
        (
            "cancelled",
            |n| {
                set_closing(n, "");
                n.full_text_markdown = "The above tender is hereby cancelled.".into();
            },
            Decided::Correction,
        ),
        (
            "cancelled and extended",
            |n| n.full_text_markdown = "It is cancelled.".into(),
            Decided::Review(Doubt::NoClearChange),
        ),
    ];
    for (what, change, expected) in cases {
        assert_eq!(decided(&corrigendum("2026-12-10", change), &[known()]), expected, "{what}");
    }
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &[]), Decided::Review(Doubt::NoTender));
    // A year later, the corrigendum refers to another tender, which is not known.
    let late = corrigendum("2027-12-10", |n| set_closing(n, "2027-12-29T14:00:00"));
    assert_eq!(decided(&late, &[known()]), Decided::Review(Doubt::NoTender));
}

#[test]
fn title_and_day_select_the_tender_of_a_corrigendum() {
    let lot = |number: u128| Tender {
        id: Uuid::from_u128(number),
        title: known().title.replace("Lot 1", &format!("Lot {number}")),
        ..known()
    };
    let lots = [lot(1), lot(2), lot(3)];
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &lots), Decided::Correction);
    let unclear = corrigendum("2026-12-10", |n| n.title = "Amendment".into());
    assert_eq!(decided(&unclear, &lots), Decided::Review(Doubt::Ambiguous));
    let mut first = Tender { id: Uuid::from_u128(2), ..known() };
    set_closing(&mut first, "2026-08-15T14:00:00");
    assert_eq!(decided(&corrigendum("2026-12-10", |_| {}), &[first, known()]), Decided::Correction);
}

#[test]
fn reference_keys_ignore_separators_and_ocr_confusions() {
    let key = |reference| reference_key(Some(reference));
    assert_eq!(key("RDA/SP/2026/117"), key("rda - sp 2O26.1l7"));
    assert_ne!(key("RDA/SP/2026/117"), key("RDA/SP/2026/118"));
    assert_eq!((reference_key(None), key(" / - ")), (None, None));
}

proptest! {
    #[test]
    fn comparing_with_an_arbitrary_record_never_panics(title in any::<String>(), reference in any::<Option<String>>(), text in any::<String>()) {
        let mut odd = Tender { id: KNOWN_ID, title, reference_no: reference, full_text_markdown: text, ..Tender::default() };
        for kind in [Kind::Purchase, Kind::Corrigendum] {
            odd.kind = kind;
            let _ = decide(&notice(), std::slice::from_ref(&odd));
            let _ = decide(&Tender { id: Uuid::nil(), ..odd.clone() }, &[known()]);
            let part = |role, notice: &Tender| TenderNotice { role, notice: notice.clone(), at: moment("2026-12-10T08:00:00") };
            let _ = compose(&odd, &[part(Role::Original, &notice()), part(Role::Correction, &odd)]);
            let _ = gather(&[notice(), odd.clone()], moment("2026-12-10T08:00:00"));
        }
    }
}
