//! Round trips of notices through files, and malformed files.

use super::*;
use crate::{
    tender::{Bond, Cida, DocumentFee, EstimatedValue, Evidence, FieldChange, Lot, PreBid, Submission},
    vocabulary::{Amount, Category, Currency, Day, District, Kind, Language, Moment, SubmissionMethod},
};
use proptest::{collection::vec, option, prelude::*, sample::select};

fn tender() -> Tender {
    let mut tender = Tender {
        title: "Supply of: tyres & \"tubes\" #1".into(),
        reference_no: Some("2024/05/06".into()),
        category: Some(Category::Vehicles),
        kind: Kind::Purchase,
        full_text_markdown: "# Title\n\n---\n\ntext".into(),
        sources: vec![Source {
            publication: "Daily Lanka".into(),
            file: "p1.jpg".into(),
            page: 1,
            area: [0.1, 0.25, 0.3, 0.125],
            ..Source::default()
        }],
        lots: vec![Lot {
            number: Some("01".into()),
            title: "no".into(),
            bid_bond: Some(Bond {
                required: true,
                amount: Some(Amount::from_minor(12_345)),
                ..Bond::default()
            }),
        }],
        ..Tender::default()
    };
    tender.location.district = Some(District::NuwaraEliya);
    tender.dates.closing = "2027-05-03T10:00:00+05:30".parse().ok();
    tender.confidence.insert("dates.closing".into(), 0.93);
    tender.evidence.insert(
        "dates.closing".into(),
        Evidence { text: "on 03/05/2027\nat: 10".into(), area: Some([0.1, 0.2, 0.3, 0.4]) },
    );
    tender
}

#[test]
fn a_notice_survives_a_round_trip_through_its_file() {
    let tender = tender();
    let file = write(&tender, Some("openai gpt: 4")).unwrap();
    assert!(file.starts_with("---\ntitle: "), "{file}");
    assert!(file.contains("\nsource:\n  publication: Daily Lanka\n"), "{file}");
    let extractor = file.lines().find(|line| line.starts_with("extractor: ")).unwrap();
    assert!(extractor.contains("openai gpt: 4"), "{extractor}");
    assert!(
        !file.contains("fullTextMarkdown") && file.ends_with("---\n\n# Title\n\n---\n\ntext\n"),
        "{file}"
    );
    assert_eq!(read(&file).unwrap(), tender);
    assert_eq!(read(&file.replace('\n', "\r\n")).unwrap().title, tender.title);
    assert_eq!(read(&format!("\u{FEFF}{file}")).unwrap(), tender);
}

/// Text that YAML would misread or must quote.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        select(
            [
                "",
                "~",
                "null",
                "yes",
                "NO",
                "0x1F",
                "1e3",
                ".inf",
                ".NaN",
                "-.5",
                "1_000",
                "0o7",
                "2027-05-03",
                "12:30:45",
                "=",
                "<<",
                "- a",
                "? a",
                "a: b",
                "a #b",
                "#a",
                "&a",
                "*a",
                "!!str a",
                "|",
                ">",
                "%a",
                "@a",
                "`a",
                "---",
                "...",
                "\u{FEFF}a",
                "a\r\nb",
                "a\rb",
                "a\n\n\nb\n",
                " a ",
                "\ta",
                "a\u{0}b",
                "a\u{85}b",
                "a\u{2028}b",
                "\u{1B}[2J",
                "ලංසු\u{200D}ව",
                "'",
                "\"",
                "\\n",
                "{a: b}",
                "[a]",
                "\u{10FFFF}\u{FFFE}",
            ]
            .map(str::to_owned)
            .to_vec()
        ),
        any::<String>(),
        "[-:#|>!&*%@`'\"a-z0-9 ,\\[\\]{}\\n\\t]{0,24}",
    ]
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(1e-7), 0.0..1.0_f64]
}

fn area() -> impl Strategy<Value = [f64; 4]> {
    [share(), share(), share(), share()]
}

fn amount() -> impl Strategy<Value = Amount> {
    (0..10_000_000_000_000_i64).prop_map(Amount::from_minor)
}

fn day() -> impl Strategy<Value = Day> {
    (1990..2099_i16, 1..=12_i8, 1..=28_i8).prop_map(|(year, month, day)| Day::constant(year, month, day))
}

fn moment() -> impl Strategy<Value = Moment> {
    (day(), 0..24_i8, 0..60_i8, 0..60_i8)
        .prop_map(|(day, hour, minute, second)| Moment::in_colombo(day.at(hour, minute, second, 0)).unwrap())
}

fn source() -> impl Strategy<Value = Source> {
    (text(), option::of(day()), text(), any::<u32>(), area()).prop_map(
        |(publication, date, file, page, area)| Source {
            publication,
            date,
            file,
            page,
            area,
            clip_url: None,
        },
    )
}

prop_compose! {
    fn tender_with_texts()(
        title in text(), description in text(), subcategory in option::of(text()), reference_no in option::of(text()),
        full_text_markdown in text(), tags in vec(text(), 0..3), name in text(), email in option::of(text()),
        criteria in vec(text(), 0..3), method in option::of(text()), city in option::of(text()), page in option::of(text()),
    ) -> Tender {
        let mut tender = Tender {
            title, description, subcategory, reference_no, full_text_markdown, tags, method, source_page: page,
            category: Some(Category::MedicalEquipment), language: Some(Language::Tamil), ..Tender::default()
        };
        tender.organization.name = name;
        tender.organization.contact_person.email = email;
        tender.eligibility.criteria = criteria;
        tender.location.city = city;
        tender
    }
}

prop_compose! {
    fn any_tender()(
        tender in tender_with_texts(), sources in vec(source(), 0..3), closing in option::of(moment()), opening in option::of(moment()),
        bond in option::of(amount()), percentage in option::of(share()), value in option::of(amount()),
        fee in option::of((amount(), option::of(day()), option::of(text()))), grades in vec((text(), option::of(text())), 0..3),
        lots in vec((option::of(text()), text()), 0..3), pre_bid in option::of((option::of(moment()), option::of(text()))),
        submitted in option::of((vec(select(SubmissionMethod::ALL), 0..3), option::of(text()))),
    ) -> Tender {
        let mut tender = Tender { sources, ..tender };
        (tender.dates.closing, tender.dates.opening) = (closing, opening);
        tender.financials.bid_bond = Bond { required: bond.is_some(), percentage, amount: bond, currency: None };
        tender.financials.estimated_value =
            value.map(|amount| EstimatedValue { amount: amount.into(), currency: Currency::LKR });
        tender.document_fee = fee.map(|(amount, sale_until, place)| DocumentFee {
            amount: Some(amount), sale_until, place, ..DocumentFee::default()
        });
        tender.cida = grades.into_iter().map(|(grade, field)| Cida { grade, field, also_admits: None }).collect();
        tender.lots = lots.into_iter().map(|(number, title)| Lot { number, title, bid_bond: None }).collect();
        tender.pre_bid = pre_bid.map(|(at, place)| PreBid { at, place });
        tender.submission = submitted.map(|(methods, place)| Submission { methods, place });
        tender
    }
}

prop_compose! {
    fn any_extracted_tender()(
        tender in any_tender(), confidence in proptest::collection::btree_map(text(), share(), 0..3),
        evidence in proptest::collection::btree_map(text(), (text(), option::of(area())), 0..3),
        changes in vec((moment(), text(), text(), text()), 0..2), extractor in option::of(text()),
    ) -> (Tender, Option<String>) {
        let evidence = evidence.into_iter().map(|(path, (text, area))| (path, Evidence { text, area })).collect();
        let changes = changes.into_iter().map(|(at, field, to, source)| {
            FieldChange { at, field, from: serde_json::Value::Null, to: to.into(), source }
        });
        (Tender { confidence, evidence, changes: changes.collect(), ..tender }, extractor)
    }
}

proptest! {
    #[test]
    fn round_trips_lose_nothing((tender, extractor) in any_extracted_tender()) {
        let file = write(&tender, extractor.as_deref()).unwrap();
        prop_assert_eq!(read(&file).unwrap(), tender);
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = read(&text);
        let _ = read(&format!("---\n{text}\n---\n\nbody\n"));
    }

    /// Fragments with a meaning in YAML, in any order.
    #[test]
    fn broken_front_matter_never_panics(pieces in vec(select(YAML_FRAGMENTS.to_vec()), 0..24)) {
        let file = format!("---\n{}\n---\n\nbody\n", pieces.concat());
        if let Ok(tender) = read(&file) {
            prop_assert_eq!(read(&write(&tender, None).unwrap()).unwrap(), tender);
        }
    }
}

const YAML_FRAGMENTS: [&str; 24] = [
    "title: ",
    "x\n",
    "\n",
    "  ",
    "- ",
    "&a ",
    "*a",
    "!!binary ",
    "{",
    "}",
    "[",
    "]",
    "? ",
    ": ",
    "|\n ",
    ">-\n ",
    "\"",
    "'",
    "#",
    "sources:\n",
    "confidence:\n  title: ",
    "0.5\n",
    ".nan\n",
    "\t",
];

#[test]
fn hostile_front_matter_is_rejected() {
    let with = |yaml: &str| read(&format!("---\n{yaml}\n---\n\nbody\n")).unwrap_err().to_string();
    assert!(with("a: &a [x,x]\nb: &b [*a,*a]\ntitle: *b").contains("not valid YAML"));
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
        let deep = format!("title: {}{}", open.repeat(5_000), close.repeat(5_000));
        assert!(with(&deep).contains("not valid YAML"), "{open}");
    }
    let key = "k".repeat(200_000);
    let message = with(&format!("{key}: 1"));
    assert!(message.len() < 400, "{}", message.len());
    assert!(with(&"? x\n".repeat(30_000)).contains("not valid YAML"));
    assert!(with(&format!("tags: [{}]", "a,".repeat(30_000))).contains("not valid YAML"));
    assert!(with("title: a\ntitle: b").contains("not valid YAML"), "a repeated field is ambiguous");
    assert!(with("title: [1, 2]").contains("not a notice"), "{}", with("title: [1, 2]"));
    assert!(with("category: Rockets").contains("Rockets"));
    assert!(with("refrenceNo: A/1").contains("no field `refrenceNo`"));
    assert!(with("- a").contains("mapping"));
    assert!(with("title: !!python/object:os.system x").contains("not valid YAML"));
    assert!(with("extractor: 5").contains("extractor"));
    assert_eq!(read("title: x"), Err(NoticeFileError::NoFrontMatter));
    assert_eq!(read("---\ntitle: x\n"), Err(NoticeFileError::NoFrontMatter));
    assert_eq!(read(&"x".repeat(MAX_BYTES + 1)), Err(NoticeFileError::TooLarge(MAX_BYTES + 1)));
}

#[test]
fn an_error_contains_no_terminal_escapes() {
    let message = read("---\n\"\\e[2J\\0\": 1\n---\n").unwrap_err().to_string();
    assert!(message.contains("no field") && !message.contains(char::is_control), "{message:?}");
}
