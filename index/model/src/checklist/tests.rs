use super::*;
use crate::{
    notice_file,
    tender::{Submission, Tender},
    text::Words,
    vocabulary::SubmissionMethod,
};
use serde_json::{Value, json};
use std::{collections::HashSet, fs, path::Path};

fn rows(tender: Value) -> Vec<ChecklistRow> {
    checklist(&serde_json::from_value::<Tender>(tender).unwrap(), None)
}

fn row(rows: &[ChecklistRow], kind: RowKind) -> &ChecklistRow {
    rows.iter().find(|row| row.kind == kind).unwrap_or_else(|| panic!("no {kind} in {rows:#?}"))
}

const ADDRESS: &str =
    "Zonal Director / Chairman,\\\nZonal Education Office,\\\nNo. 448, Lake Road, Lahugala.";

#[test]
fn bids_go_to_the_office_that_signs_unless_the_notice_names_another_place() {
    let address = Some("Zonal Director / Chairman, Zonal Education Office, No. 448, Lake Road, Lahugala.");
    for (words, signed) in [
        ("Tenders under registered cover are accepted up to 10 a.m.", address),
        ("Bids shall reach this office before 2 p.m.", address),
        ("Bids shall reach the Shroff, room 4, before 2 p.m.", None),
    ] {
        let notice = format!("{words}\n\n{ADDRESS}");
        let found =
            rows(json!({"fullTextMarkdown": notice, "dates": {"closing": "2026-12-07T10:00:00+05:30"}}));
        for kind in [RowKind::Deliver, RowKind::EnvelopeMarked] {
            assert_eq!(row(&found, kind).signed.as_deref(), signed, "{words}");
        }
    }
}

#[test]
fn a_price_above_the_limit_of_the_law_asks_for_the_registration() {
    let has_row = |kind: &str, price: f64, sources: Value| {
        let tender = json!({"organization": {"name": "Mills", "type": kind}, "sources": sources});
        let tender = serde_json::from_value::<Tender>(tender).unwrap();
        checklist(&tender, Amount::new(price).ok()).iter().any(|row| row.kind == RowKind::ContractsAct)
    };
    assert!(has_row("government", 5_000_001.0, json!([])));
    assert!(!has_row("government", 5_000_000.0, json!([])));
    assert!(!has_row("private", 6_000_000.0, json!([])), "a private company is not bound");
    let printed = json!([{"publication": "Daily Lanka"}]);
    assert!(has_row("private", 6_000_000.0, printed), "a company of the state may look private");
}

#[test]
fn what_the_notice_states_is_quoted() {
    let found = rows(json!({
        "organization": {"name": "Ports Authority"}, "referenceNo": "SLPA/1",
        "dates": {"closing": "2026-12-10T10:00:00+05:30"},
        "documentFee": {"amount": 5000, "saleUntil": "2026-12-09", "place": "Accounts Branch"},
        "financials": {"bidBond": {"required": true, "amount": 100000}},
        "cida": [{"grade": "C5"}],
        "evidence": {
            "documentFee.amount": {"text": "Rs. 5,000/="}, "financials.bidBond.amount": {"text": "Rs 100,000"},
            "dates.closing": {"text": "10.00 a.m. on 10th December"}, "cida": {"text": "C5 or above"},
        },
        "fullTextMarkdown": "The bid security shall be valid until 9th April 2027. Tenders should be placed in a \
            sealed cover\nmarked \"SLPA/1\" on the top left hand corner and sent by registered post or deposited \
            in the tender box.",
    }));
    let documents = row(&found, RowKind::BuyDocuments);
    assert_eq!(
        (documents.amount.map(Amount::number), documents.printed.as_deref()),
        (Some(5000.0), Some("Rs. 5,000/="))
    );
    assert_eq!(documents.day.unwrap().to_string(), "2026-12-09");
    let security = row(&found, RowKind::BidSecurity);
    assert_eq!(security.validity.as_deref(), Some("The bid security shall be valid until 9th April 2027."));
    assert_eq!(row(&found, RowKind::Cida).text.as_deref(), Some("C5"));
    let envelope = row(&found, RowKind::EnvelopeMarked);
    assert_eq!((envelope.basis, envelope.text.as_deref()), (RowBasis::Notice, Some("SLPA/1")));
    let delivery = row(&found, RowKind::Deliver);
    assert_eq!(
        delivery.methods,
        [SubmissionMethod::SealedEnvelope, SubmissionMethod::Post, SubmissionMethod::TenderBox]
    );
    assert_eq!(delivery.printed.as_deref(), Some("10.00 a.m. on 10th December"));
    assert_eq!(row(&found, RowKind::Vat).basis, RowBasis::UsualPractice);
    assert!(!found.iter().any(|row| row.kind == RowKind::TwoEnvelopes));
}

#[test]
fn what_the_notice_does_not_state_is_not_stated() {
    let found = rows(json!({}));
    for kind in [RowKind::BuyDocuments, RowKind::BidSecurity, RowKind::Deliver] {
        assert_eq!(row(&found, kind).basis, RowBasis::NotStated, "{kind}");
    }
    assert!(found.iter().all(|row| row.printed.is_none() && row.basis != RowBasis::Notice), "{found:#?}");
    assert_eq!(rows(json!({"kind": "sale"})), [], "nobody bids for a sale");
    assert!(!rows(json!({"kind": "registration"})).iter().any(|row| row.kind == RowKind::BidSecurity));
}

#[test]
fn the_law_asks_for_a_registration_above_five_million_rupees() {
    let asked = |tender: Value| rows(tender).into_iter().find(|row| row.kind == RowKind::ContractsAct);
    let value = |millions: f64| json!({"financials": {"estimatedValue": {"amount": millions}}});
    assert_eq!(asked(value(5.0)), None);
    let row = asked(value(5.01)).unwrap();
    assert_eq!((row.basis, row.printed), (RowBasis::Law, None));
    let sentence = "Bidders shall meet the requirements of Public Contract Act No. 3 of 1987.";
    let stated = json!({"fullTextMarkdown": sentence, "eligibility": {"criteria": [sentence]}});
    let row = asked(stated.clone()).unwrap();
    assert_eq!((row.basis, row.printed.as_deref()), (RowBasis::Notice, Some(sentence)));
    assert!(!rows(stated).iter().any(|row| row.kind == RowKind::Criterion), "the sentence has one row");
}

#[test]
fn the_method_of_submission_decides_about_the_envelopes() {
    let text = |words: &str| json!({"fullTextMarkdown": words, "referenceNo": "R/1"});
    let two = rows(text("Bids follow the two envelope system."));
    assert_eq!(row(&two, RowKind::TwoEnvelopes).basis, RowBasis::Notice);
    let electronic = rows(text("Bids must be submitted online at www.promise.lk."));
    assert_eq!(row(&electronic, RowKind::ElectronicAccount).basis, RowBasis::Notice);
    assert!(
        !electronic.iter().any(|row| row.kind == RowKind::EnvelopeMarked),
        "nothing is put into an envelope"
    );
    let read = |words: &str| submission(&serde_json::from_value(text(words)).unwrap());
    assert_eq!(read("Bids submitted by e-mail will not be accepted."), Submission::default());
    assert_eq!(read("Bids are invited."), Submission::default());
    let sent = read("Bids are invited. They shall be placed in the tender box at No. 7, Galle.");
    assert_eq!(sent.methods, [SubmissionMethod::TenderBox]);
    assert_eq!(sent.place.as_deref(), Some("They shall be placed in the tender box at No. 7, Galle."));
}

#[test]
fn what_the_publisher_states_about_the_submission_counts_before_the_words() {
    let tender = |stated: Value| {
        json!({
            "description": "Bids shall be placed in the tender box at No. 7, Galle. Two copies are needed.",
            "dates": {"closing": "2026-12-10T10:00:00+05:30"}, "submission": stated,
        })
    };
    let stated = rows(tender(json!({"methods": ["two-envelopes", "post"], "place": "No. 9, Matara"})));
    let delivery = row(&stated, RowKind::Deliver);
    assert_eq!(delivery.methods, [SubmissionMethod::TwoEnvelopes, SubmissionMethod::Post]);
    assert_eq!(delivery.place.as_deref(), Some("No. 9, Matara"));
    assert_eq!(row(&stated, RowKind::TwoEnvelopes).basis, RowBasis::Notice);
    assert_eq!(row(&stated, RowKind::Copies).printed.as_deref(), Some("Two copies are needed."));
    let by_mail = rows(tender(json!({"methods": ["electronic"]})));
    assert!(
        !by_mail.iter().any(|row| row.kind == RowKind::EnvelopeMarked),
        "nothing is put into an envelope"
    );
    assert_eq!(
        row(&by_mail, RowKind::Deliver).place.as_deref(),
        Some("Bids shall be placed in the tender box at No. 7, Galle."),
        "the description is read where the publisher states nothing"
    );
    assert_eq!(row(&rows(tender(json!(null))), RowKind::Deliver).methods, [SubmissionMethod::TenderBox]);
}

#[test]
fn a_value_changes_the_fingerprint_and_not_the_key() {
    let at = |closing: &str, printed: &str| {
        let found =
            rows(json!({"dates": {"closing": closing}, "evidence": {"dates.closing": {"text": printed}}}));
        let row = row(&found, RowKind::Deliver).clone();
        (row.key.clone(), row.fingerprint())
    };
    let first = at("2026-12-10T10:00:00+05:30", "10th December");
    assert_eq!(first, at("2026-12-10T10:00:00+05:30", "10 December"), "the same value in other words");
    let moved = at("2026-12-17T10:00:00+05:30", "17th December");
    assert_eq!(first.0, moved.0);
    assert_ne!(first.1, moved.1);
}

#[test]
fn doubt_about_a_field_is_told() {
    let found = rows(json!({
        "dates": {"closing": "2026-12-10"}, "documentFee": {"amount": 500},
        "fieldStates": {"documentFee.amount": "doubtful"},
    }));
    assert!(row(&found, RowKind::BuyDocuments).is_doubtful && !row(&found, RowKind::Deliver).is_doubtful);
}

/// All notice files below a folder.
fn notices(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { notices(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// The letters and digits of a text, so that line breaks, tables and Markdown do not count.
fn letters(text: &str) -> String {
    Words::of(text).as_str().replace(' ', "")
}

#[test]
fn printed_words_stand_in_the_notice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/notices");
    let mut quoted = 0;
    for path in notices(&folder) {
        let tender = notice_file::read(&fs::read_to_string(&path).unwrap()).unwrap();
        let text = letters(&tender.full_text_markdown);
        let found = checklist(&tender, None);
        let keys: HashSet<&str> = found.iter().map(|row| row.key.as_str()).collect();
        assert_eq!(keys.len(), found.len(), "{}", path.display());
        for row in &found {
            let quotes = [&row.printed, &row.validity].into_iter().flatten();
            for quote in quotes {
                quoted += 1;
                assert!(text.contains(&letters(quote)), "{}: {} quotes {quote:?}", path.display(), row.kind);
            }
            let needs_quote = row.basis == RowBasis::Notice;
            assert!(!needs_quote || row.printed.is_some(), "{}: {} quotes nothing", path.display(), row.kind);
            let is_own = row.basis == RowBasis::UsualPractice || row.basis == RowBasis::NotStated;
            assert!(!is_own || row.printed.is_none(), "{}: {}", path.display(), row.kind);
        }
    }
    assert!(quoted > 150, "quotes: {quoted}");
}
