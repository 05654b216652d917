//! Suggestions while typing, and snippets of results.

use crate::support::{Engine, EngineGuard, index_of, now};
use index::{ListingRequest, Suggestion, Viewer};
use rstest::rstest;
use std::sync::LazyLock;
use tender_model::{
    tender::{Organization, Tender},
    vocabulary::{Moment, TenderStatus, Visibility},
};
use uuid::Uuid;

// The index has one segment for each tender.
static INDEX: LazyLock<(EngineGuard, Engine)> = LazyLock::new(|| {
    let tenders = [
        ("Construction of a bridge", "Road Development Authority", "2026-11-01"),
        ("Construction of a culvert", "Road Development Authority", "2026-11-03"),
        ("Supply of computers", "Department of Roads", "2026-11-02"),
        ("CONSTRUCTION OF A CULVERT", "Ceylon Electricity Board", "2026-11-04"),
        ("ගාල්ල පාලම", "", "2026-11-05"),
    ];
    let tender = |(number, (title, organization, day)): (u128, (&str, &str, &str))| Tender {
        id: Uuid::from_u128(number),
        title: title.to_owned(),
        description: "A hidden bridge over the river".to_owned(),
        organization: Organization { name: organization.to_owned(), ..Organization::default() },
        status: TenderStatus::Published,
        visibility: if number == 1 { Visibility::Premium } else { Visibility::Public },
        published_at: Moment::start_of(day.parse().unwrap()),
        ..Tender::default()
    };
    let tenders: Vec<Tender> = (1..).zip(tenders).map(tender).collect();
    index_of(&tenders, 1)
});

fn shown(text: &str) -> Vec<String> {
    let show = |suggestion| match suggestion {
        Suggestion::Category(category) => format!("category {category}"),
        Suggestion::Place(district, name) => format!("place {district} {name}"),
        Suggestion::Organization(name) => format!("organisation {name}"),
        Suggestion::Title(id, title) => format!("{} {title}", id.as_u128()),
    };
    INDEX.1.suggest(text).unwrap().into_iter().map(show).collect()
}

#[rstest]
#[case("", &[])]
#[case(" - ", &[])]
// One letter suggests no titles, because too many titles contain a word that starts with it.
#[case("r", &["category Upkeep/Repair", "place Ratnapura Ratnapura", "organisation Road Development Authority", "organisation Department of Roads"])]
#[case("road dev", &["organisation Road Development Authority"])]
#[case("ROADS", &["organisation Department of Roads"])]
// The newest first, and each title once.
#[case("const", &["category Construction", "4 CONSTRUCTION OF A CULVERT", "1 Construction of a bridge"])]
#[case("construction of b", &["1 Construction of a bridge"])]
#[case("construction of c", &["4 CONSTRUCTION OF A CULVERT", "1 Construction of a bridge"])]
#[case("constr ", &["category Construction"])]
#[case("comp", &["category Computers & Laptops", "category Computer & IT", "3 Supply of computers"])]
#[case("mata", &["place Matale Matale", "place Matara Matara"])]
#[case("ගාල්", &["place Galle ගාල්ල", "5 ගාල්ල පාලම"])]
// Text outside titles is never suggested.
#[case("hidden", &[])]
#[case("river", &[])]
fn typed_text_is_completed(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(shown(text), expected);
}

#[test]
fn long_and_odd_texts_are_accepted() {
    for text in ["c ".repeat(5000), "\u{0}\"(*".to_owned(), "ක".repeat(3000)] {
        assert!(INDEX.1.suggest(&text).unwrap().len() <= 12);
    }
}

#[test]
fn a_locked_tender_has_no_snippet() {
    let viewer = Viewer::Limited { visibility: Visibility::Public, since: None, account: None };
    let request =
        ListingRequest { text: Some("bridge".to_owned()), limit: 10, viewer, ..ListingRequest::default() };
    let listing = INDEX.1.listing(&request, now()).unwrap();
    assert_eq!(listing.snippets.len(), listing.tenders.len());
    for (listed, snippet) in listing.tenders.iter().zip(&listing.snippets) {
        let text = snippet.as_ref().map(|snippet| snippet.text.as_str());
        let hidden = listed.id().as_u128() == 1;
        assert_eq!(text, (!hidden).then_some("A hidden bridge over the river"));
    }
    let listing = INDEX.1.listing(&ListingRequest { limit: 10, ..ListingRequest::default() }, now()).unwrap();
    assert_eq!(listing.snippets, vec![None; 5]);
}
