//! Similar tenders and duplicates. Every notice of the fixtures is printed again with OCR errors,
//! without a reference, or with a title in another language. Nearly all must be found. No two
//! different notices may count as duplicates.

use crate::{
    engine::FIXTURES,
    support::{Engine, EngineGuard, index_of},
};
use serde_json::Value;
use std::{fs, path::Path, sync::LazyLock};
use tender_model::{
    likeness::{LIKELY_DUPLICATE, ReferenceLikeness, likeness},
    tender::{Organization, Tender},
    vocabulary::{Category, Kind, Moment, TenderStatus},
};
use uuid::Uuid;

/// The notices on three pages of the fixtures, with the fields that the ground truth states.
static TENDERS: LazyLock<Vec<Tender>> = LazyLock::new(|| {
    let truth = Path::new(FIXTURES).join("truth/newspapers/daily-lanka");
    let mut tenders = Vec::new();
    for page in ["2024-05-07/p2", "2026-11-20/p1", "2026-11-20/p2"] {
        let text = fs::read_to_string(truth.join(format!("{page}.gt.json"))).unwrap();
        let page: Value = serde_json::from_str(&text).unwrap();
        let fields = page["notices"].as_array().unwrap().iter().map(|notice| &notice["fields"]);
        for fields in fields.filter(|fields| !fields.is_null()) {
            let word = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
            let mut tender = Tender {
                id: Uuid::from_u128(tenders.len() as u128 + 1),
                title: word("title"),
                reference_no: fields["reference_no"].as_str().map(str::to_owned),
                organization: Organization { name: word("organisation"), ..Organization::default() },
                status: TenderStatus::Published,
                ..Tender::default()
            };
            tender.dates.closing = Moment::end_of(word("closing_date").parse().unwrap());
            tenders.push(tender);
        }
    }
    assert_eq!(tenders.len(), 54);
    tenders
});

static INDEX: LazyLock<(EngineGuard, Engine)> = LazyLock::new(|| index_of(&TENDERS, TENDERS.len()));

/// A deterministic random number generator (Knuth's MMIX constants).
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Simulates OCR errors: at most about `rate` percent of the letters are confused, lost or
/// followed by a space.
fn misread(text: &str, rate: u64, numbers: &mut RandomNumbers) -> String {
    let mut read = String::new();
    for c in text.chars() {
        // The extractor reads digits again by its own rules, so only letters are affected.
        if c.is_ascii_digit() || numbers.below(100) >= rate {
            read.push(c);
            continue;
        }
        match (numbers.below(4), c) {
            (0, _) => {}
            (1, _) if c.is_ascii_alphabetic() => read.extend([c, ' ']),
            (_, 'l' | 'I') => read.push('1'),
            (_, 'o' | 'O') => read.push('0'),
            (_, 'e') => read.push('c'),
            (_, 'm') => read.push_str("rn"),
            (_, 'i') => read.push('l'),
            (_, 'a') => read.push('n'),
            (_, 't') => read.push('f'),
            (_, other) => read.push(other),
        }
    }
    read
}

/// The number of copies whose first result is their original, as a likely duplicate.
fn count_found(copy: impl Fn(&Tender) -> Tender) -> usize {
    let finds = |tender: &&Tender| {
        let copy = Tender { id: Uuid::from_u128(1 << 64), ..copy(tender) };
        let found = INDEX.1.duplicates(&copy, 3).unwrap();
        found.first().is_some_and(|first| first.id == tender.id && first.likeness >= LIKELY_DUPLICATE)
    };
    TENDERS.iter().filter(finds).count()
}

#[test]
fn the_same_tender_is_found_again() {
    assert_eq!(count_found(Tender::clone), 54);
}

#[test]
fn few_duplicates_are_missed_because_of_ocr_errors() {
    for (rate, least) in [(3, 54), (6, 52), (12, 49)] {
        let found = count_found(|tender| {
            let mut numbers = RandomNumbers(tender.id.as_u128() as u64);
            Tender {
                title: misread(&tender.title, rate, &mut numbers),
                reference_no: tender.reference_no.as_deref().map(|text| misread(text, rate, &mut numbers)),
                organization: Organization {
                    name: misread(&tender.organization.name, rate, &mut numbers),
                    ..Organization::default()
                },
                ..tender.clone()
            }
        });
        assert!(found >= least, "{found} of 54 with {rate} in 100 letters misread");
    }
}

#[test]
fn duplicates_are_found_without_a_reference_and_in_another_language() {
    let without = count_found(|tender| Tender { reference_no: None, ..tender.clone() });
    assert!(without >= 53, "{without}");
    let other_language = count_found(|tender| Tender {
        title: "கிராமிய வேலைகள்".to_owned(),
        organization: Organization::default(),
        reference_no: tender.reference_no.as_deref().map(|reference| reference.replace(['/', '-'], " ")),
        ..tender.clone()
    });
    assert_eq!(other_language, 54);
}

#[test]
fn different_tenders_are_not_likely_duplicates() {
    for one in TENDERS.iter() {
        for other in TENDERS.iter().filter(|other| other.id != one.id) {
            let (alike, grounds) = likeness(one, other);
            assert!(alike < LIKELY_DUPLICATE, "{alike}: {} / {}: {grounds:?}", one.title, other.title);
            // Likeness is symmetric.
            assert!((alike - likeness(other, one).0).abs() < 1e-9);
        }
    }
}

#[test]
fn the_evidence_is_reported() {
    let again = Tender { id: Uuid::nil(), ..TENDERS[0].clone() };
    let found = INDEX.1.duplicates(&again, 1).unwrap();
    assert_eq!(found[0].id, TENDERS[0].id);
    assert_eq!(found[0].grounds.reference, ReferenceLikeness::Same);
    assert_eq!((found[0].grounds.same_organization, found[0].grounds.same_closing), (Some(true), Some(true)));
    assert!(INDEX.1.duplicates(&Tender::default(), 5).unwrap().is_empty());
}

#[test]
fn similar_tenders_are_of_the_same_sector() {
    let categories = [
        Some(Category::Furniture),
        Some(Category::OfficeSupplies),
        Some(Category::Construction),
        Some(Category::Other),
        None,
    ];
    let tenders: Vec<Tender> = (1..)
        .zip(categories)
        .map(|(nth, category)| Tender {
            id: Uuid::from_u128(nth),
            title: format!("Polished wooden benches {nth}"),
            status: TenderStatus::Published,
            category,
            ..Tender::default()
        })
        .collect();
    let (_guard, engine) = index_of(&tenders, 2);
    let now = Moment::start_of("2026-05-01".parse().unwrap()).unwrap();
    let similar = |nth: usize| {
        let found = engine.similar(&tenders[nth], now, 5).unwrap();
        let mut ids: Vec<u128> = found.into_iter().map(|other| other.id.as_u128()).collect();
        ids.sort_unstable();
        ids
    };
    // Furniture and office supplies are of one sector. Without a category, only the words decide.
    assert_eq!(similar(0), [2]);
    assert_eq!(similar(3), [5], "what is of no sector is not like what is of one");
    assert_eq!(similar(4), [1, 2, 3, 4]);
}

#[test]
fn similar_tenders_are_of_the_same_kind_and_share_a_word_of_the_title() {
    let tender = |id: u128, title: &str, organization: &str, kind: Kind| Tender {
        id: Uuid::from_u128(id),
        title: title.to_owned(),
        status: TenderStatus::Published,
        organization: Organization { name: organization.to_owned(), ..Organization::default() },
        kind,
        ..Tender::default()
    };
    let tenders = [
        Tender {
            description: "Loading trays for gravel drains".to_owned(),
            ..tender(1, "Universal testing machine", "Wayamba University", Kind::Purchase)
        },
        tender(2, "Gravel drains of Wayamba loading bay", "Roads Authority", Kind::Purchase),
        tender(3, "Sale of a testing machine", "Roads Authority", Kind::Sale),
        tender(4, "Registration of suppliers", "Wayamba University", Kind::Registration),
        tender(5, "Registration of suppliers", "Uva University", Kind::Registration),
        tender(6, "Registration of suppliers", "Uva University", Kind::Registration),
    ];
    let (_guard, engine) = index_of(&tenders, 2);
    let now = Moment::start_of("2026-05-01".parse().unwrap()).unwrap();
    let similar = |nth: usize| {
        let found = engine.similar(&tenders[nth], now, 5).unwrap();
        found.into_iter().map(|other| other.organization).collect::<Vec<_>>()
    };
    assert!(similar(0).is_empty(), "a description and an organisation do not make titles similar");
    assert_eq!(similar(3), ["Uva University"], "the same title of another organisation, once");
}

#[test]
fn similar_tenders_share_rare_words() {
    let day = |day: &str| Moment::start_of(day.parse().unwrap()).unwrap();
    let before_all = day("2024-05-01");
    let gates = TENDERS.iter().find(|tender| tender.title.contains("Spillway Gates for Deniyaya")).unwrap();
    let similar = INDEX.1.similar(gates, before_all, 2).unwrap();
    assert_eq!(similar.len(), 2);
    for other in &similar {
        assert!(other.id != gates.id && other.title.contains("Spillway Gates"), "{}", other.title);
        assert_eq!(other.organization, "Department of Irrigation");
    }
    // Tenders with the same rare words come first.
    let road = Tender { title: "Improvement of a canal road".to_owned(), ..Tender::default() };
    let titles: Vec<String> =
        INDEX.1.similar(&road, before_all, 10).unwrap().into_iter().map(|similar| similar.title).collect();
    assert!(titles[..2].iter().all(|title| title.contains("Canal Road")), "{titles:?}");
    assert!(INDEX.1.similar(&Tender::default(), before_all, 5).unwrap().is_empty());
    assert!(INDEX.1.similar(gates, before_all, 0).unwrap().is_empty());
    // Tenders of 2024 have closed by 2026. They follow all that are open.
    let later = INDEX.1.similar(&road, day("2026-11-20"), 10).unwrap();
    let open = later.iter().filter(|other| other.status == TenderStatus::Published).count();
    assert!((1..later.len()).contains(&open), "{later:?}");
    assert!(later[..open].iter().all(|other| other.closing > Some(day("2026-11-20"))), "{later:?}");
    assert!(later[open..].iter().all(|other| other.status == TenderStatus::Closed), "{later:?}");
}
