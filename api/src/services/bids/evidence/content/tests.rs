use super::*;
use crate::domain::coverage::{Holiday, HolidayKind};
use serde_json::json;

fn tender() -> Tender {
    serde_json::from_value(json!({
        "title": "Roof repairs", "organization": {"name": "Ports Authority"},
        "dates": {"closing": "2026-12-10T14:00:00+05:30"}, "documentFee": {"amount": 1_250_000.5},
        "publishedAt": "2026-11-20T09:00:00+05:30", "sourcePage": "7",
        "evidence": {"dates.closing": {"text": "10th December"}, "documentFee.amount": {"text": " "}},
        "fieldStates": {"dates.closing": "doubtful"},
        "sources": [{"publication": "Daily Lanka", "date": "2026-11-19", "file": "p7.jpg", "page": 1, "box": [0, 0, 1, 1]}],
        "changes": [{"at": "2026-11-25T09:00:00+05:30", "field": "dates.closing", "from": "2026-12-03", "to": null, "source": "owner"}],
    }))
    .unwrap()
}

#[test]
fn what_is_asked_of_the_envelope_and_hours_beside_days_are_told() {
    let mut tender = tender();
    let record = json!({"dates": {"closing": "2026-12-10T14:00:00+05:30", "opening": "2026-12-10T14:00:00+05:30"},
        "documentFee": {"saleUntil": "2026-12-09"},
        "evidence": {"dates.opening": {"text": "opened soon"}, "documentFee.saleUntil": {"text": "09/12/2026"}},
        "fullTextMarkdown": "Forms are issued till 3.00 p.m. on 09/12/2026.\n\nTenders marked \"Roof\" are accepted.\n\n\
            Secretary,\\\nNo. 4, Lake Road, Galle."});
    let other: Tender = serde_json::from_value(record).unwrap();
    (tender.dates, tender.document_fee) = (other.dates, other.document_fee);
    (tender.evidence, tender.full_text_markdown) = (other.evidence, other.full_text_markdown);
    let language = (Language::English, "https://tenders.example");
    let texts = EvidenceTexts::of(Language::English);
    let blocks = blocks(&tender, Vec::new(), texts, language, &OfficeDays::default());
    let facts: Vec<(String, String)> = blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Facts(facts) => Some(facts),
            _ => None,
        })
        .flatten()
        .collect();
    let fact = |name: &str| facts.iter().find(|(known, _)| known == name).unwrap().1.clone();
    assert_eq!(
        fact("Opening"),
        "Thu 10 Dec 2026, 2.00 p.m.\nPrinted: “opened soon” (no hour is printed for it; it is the hour of the closing)"
    );
    assert_eq!(
        fact("Sale of documents until"),
        "Wed 9 Dec 2026, 3.00 p.m.\nPrinted: “Forms are issued till 3.00 p.m. on 09/12/2026.”"
    );
    assert_eq!(fact("Words on the envelope"), "Printed: “Roof”");
    assert_eq!(fact("Address under the notice"), "Printed: “Secretary, No. 4, Lake Road, Galle.”");
}

#[test]
fn a_pack_has_words_dates_and_history() {
    let tender = tender();
    let texts = EvidenceTexts::of(Language::English);
    let clips = vec![Clip { source: tender.sources[0].clone(), bytes: None }];
    let blocks =
        blocks(&tender, clips, texts, (Language::English, "https://portal.example"), &OfficeDays::default());
    let text = format!("{blocks:?}");
    for expected in [
        "Daily Lanka, ",
        ", page 7",
        "Printed: “10th December”",
        "read with doubt",
        "LKR 1,250,000.50",
        "without printed words",
        "Published on the portal",
        "to nothing (by the publisher)",
        "The image of the clip is missing",
        "https://portal.example/tenders/",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
}

#[test]
fn a_pack_has_each_clip_with_its_checksum_and_the_text_of_the_notice() {
    let mut tender = tender();
    tender.full_text_markdown =
        "## ROOF\n\n1\\. Bids are\ninvited.\\\nFile: A/1\n\n| | |\n| --- | --- |\n| Fee | Rs 500 |\n".into();
    let clips = vec![Clip { source: tender.sources[0].clone(), bytes: Some(b"abc".to_vec()) }];
    let texts = EvidenceTexts::of(Language::English);
    let place = (Language::English, "https://portal.example");
    let blocks = blocks(&tender, clips, texts, place, &OfficeDays::default());
    let captions: Vec<&String> = blocks
        .iter()
        .filter_map(|block| if let Block::Image { caption, .. } = block { Some(caption) } else { None })
        .collect();
    let checksum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(captions.len() == 1 && captions[0].ends_with(checksum), "{captions:?}");
    let end: Vec<&Block> = blocks.iter().rev().take(4).rev().collect();
    let expected =
        ["ROOF", "1. Bids are invited.", "File: A/1", "Fee: Rs 500"].map(|line| Block::Text(line.into()));
    assert_eq!(end, expected.iter().collect::<Vec<_>>());
}

fn rows(tender: &Tender, language: Language) -> String {
    format!(
        "{:?}",
        blocks(
            tender,
            Vec::new(),
            EvidenceTexts::of(language),
            (language, "https://portal.example"),
            &OfficeDays::default()
        )
    )
}

#[test]
fn a_pack_warns_of_holidays_and_shows_titles_in_title_form() {
    let mut tender = tender();
    tender.title = "SUPPLY OF OFFICE CHAIRS AND TABLES".into();
    tender.organization.name = "MAHAWELI AUTHORITY OF SRI LANKA".into();
    let holiday = |day: &str, kind| Holiday { day: day.parse().unwrap(), name: "H".into(), kind };
    let offices = OfficeDays::new(vec![
        holiday("2026-12-09", HolidayKind::Public),
        holiday("2026-12-10", HolidayKind::Poya),
    ]);
    let texts = EvidenceTexts::of(Language::English);
    let place = (Language::English, "https://portal.example");
    let blocks = format!("{:?}", blocks(&tender, Vec::new(), texts, place, &offices));
    for expected in [
        "Thu 10 Dec 2026, 2.00 p.m. (read with doubt)\\nPrinted: “10th December”\\nOffices are closed on this day (Poya day). Offices are closed on the day before",
        "(public holiday); the last open day before it is Tue 8 Dec 2026.",
        "Title(\"Supply of Office Chairs and Tables\")",
        "Text(\"Mahaweli Authority of Sri Lanka\")",
    ] {
        assert!(blocks.contains(expected), "{expected:?} is not in {blocks}");
    }
    let frame = frame(&tender, texts, Language::English, "2026-12-01T09:00:00+05:30".parse().unwrap());
    assert_eq!(frame.title, "Evidence of a tender notice: Supply of Office Chairs and Tables");
}

#[test]
fn terms_and_amounts_are_in_words() {
    let mut tender = tender();
    let more = json!({
        "method": "shopping", "kind": "expression-of-interest", "language": "ta",
        "organization": {"name": "Ports Authority", "type": "semi-government"},
        "financials": {"estimatedValue": {"amount": 2.5, "currency": "USD"},
            "bidBond": {"required": true, "amount": 75000}},
        "eligibility": {"turnover": {"minimum": 5_000_000, "currency": "LKR"}},
        "cida": [{"grade": "C5", "alsoAdmits": "higher"}],
        "changes": [{"at": "2026-11-25T09:00:00+05:30", "field": "status", "from": "published", "to": "cancelled", "source": "owner"}],
    });
    let mut record = serde_json::to_value(&tender).unwrap();
    for (field, value) in more.as_object().unwrap() {
        record[field] = value.clone();
    }
    for path in [
        "method",
        "kind",
        "language",
        "organization.type",
        "financials.estimatedValue.amount",
        "financials.bidBond.amount",
        "financials.bidBond.required",
        "eligibility.turnover",
        "cida",
    ] {
        record["evidence"][path] = json!({"text": "words"});
    }
    tender = serde_json::from_value(record).unwrap();
    let english = rows(&tender, Language::English);
    for expected in [
        "Shopping",
        "Expression of interest",
        "Tamil",
        "Semi-government",
        "USD 2.50",
        "LKR 75,000",
        "LKR 5,000,000",
        "or a higher grade",
        "\"yes",
        "from Live to Cancelled",
    ] {
        assert!(english.contains(expected), "{expected:?} is not in {english}");
    }
    for language in Language::ALL.iter().copied() {
        let text = rows(&tender, language);
        for raw in [
            "\"shopping",
            "expression-of-interest",
            "semi-government",
            "higher\"",
            "true\\n",
            "published",
            "cancelled",
        ] {
            assert!(!text.contains(raw), "{raw} is in {text}");
        }
    }
}

#[test]
fn numbers_are_grouped() {
    for (number, text) in [(0.0, "0"), (999.0, "999"), (1000.0, "1,000"), (1_234_567.5, "1,234,567.50")] {
        assert_eq!(grouped(number), text);
    }
}
