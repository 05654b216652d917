//! The listing, typed search and statistics on a small index.

use crate::support::{Engine, EngineGuard, index_of, now, tenders_from};
use index::{Listing, ListingRequest, Sort, StatusCard, TenderFilter};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;
use std::{collections::BTreeSet, sync::LazyLock};
use tender_model::{
    tender::Tender,
    vocabulary::{Category, Sector, Topic},
};

// The index has several segments, and no order follows them.
static INDEX: LazyLock<(EngineGuard, Engine)> = LazyLock::new(|| index_of(&tenders(), 3));

fn tenders() -> Vec<Tender> {
    let tenders = [
        json!({"title": "Repairing of bridges", "category": "Construction", "publishedAt": "2026-11-20T00:00:00+05:30",
            "dates": {"closing": "2026-12-01T10:00:00+05:30"}, "organization": {"name": "Road Development Authority"}}),
        json!({"title": "Supply of computers", "category": "Computer & IT", "publishedAt": "2026-11-19T23:59:59+05:30",
            "dates": {"closing": "2026-12-01T10:00:00+05:30"}, "referenceNo": "DSO.MT.2021/11/PRO/05"}),
        json!({"title": "Registration of suppliers", "kind": "registration", "category": "Furniture",
            "publishedAt": "2026-11-20T08:00:00+05:30", "description": "One bridge too far"}),
        json!({"title": "Old road works", "category": "Construction", "publishedAt": "2026-10-01T08:00:00+05:30",
            "dates": {"closing": "2026-11-20T08:59:59+05:30"}, "fullTextMarkdown": "# The **bridge** of the river\n\nroad | works"}),
        json!({"title": "ශ්\u{200D}රී ලංකා පාලම", "category": "Engineering Services", "status": "cancelled",
            "publishedAt": "2026-11-18T08:00:00+05:30"}),
        json!({"title": "Long forgotten", "publishedAt": "2026-01-01T08:00:00+05:30", "tags": ["C5 grade"]}),
        json!({"title": "A secret bridge", "status": "draft"}),
        json!({"title": "A withdrawn bridge", "status": "withdrawn", "publishedAt": "2026-11-20T08:00:00+05:30"}),
        json!({"title": "At the same second", "publishedAt": "2026-11-20T08:00:00+05:30", "category": "Other",
            "dates": {"closing": "2026-12-01"}}),
    ];
    tenders_from(tenders)
}

fn list(request: ListingRequest) -> Listing {
    INDEX.1.listing(&ListingRequest { limit: 100, ..request }, now()).unwrap()
}

fn ids(listing: &Listing) -> Vec<u128> {
    listing.tenders.iter().map(|listed| listed.id().as_u128()).collect()
}

#[test]
fn the_listing_is_newest_first_without_hidden_tenders() {
    let listing = list(ListingRequest::default());
    assert_eq!(ids(&listing), [9, 3, 1, 2, 5, 4, 6]);
    assert_eq!((listing.total, listing.page, listing.pages), (7, 1, 1));
    assert_eq!(listing.tenders[1].clone().into_tender().as_ref(), Some(&tenders()[2]));
}

#[rstest]
#[case("bridge", &[1, 3, 4])]
#[case("BRIDGES", &[1, 3, 4])]
#[case("\"bridges\"", &[1])]
#[case("repair bridge", &[1])]
#[case("bridge -river", &[1, 3])]
#[case("-bridge road", &[])]
#[case("\"road works\"", &[4])]
#[case("\"works road\"", &[])]
#[case("dso/mt/2021-11", &[2])]
#[case("DSO MT 2021 11 PRO 05", &[2])]
#[case("mt/dso", &[2])]
#[case("C5", &[6])]
#[case("road development", &[1])]
#[case("ශ්රී ලංකා", &[5])]
#[case("secret", &[])]
#[case("bridge AND (", &[1, 3, 4])]
#[case("zzz", &[])]
fn typed_text_finds_the_expected_tenders(#[case] text: &str, #[case] expected: &[u128]) {
    let listing = list(ListingRequest { text: Some(text.to_owned()), ..ListingRequest::default() });
    let found: BTreeSet<u128> = ids(&listing).into_iter().collect();
    assert_eq!(found, expected.iter().copied().collect());
    assert_eq!(listing.total, expected.len());
}

#[test]
fn a_text_without_words_lists_everything() {
    for text in ["", "  ", "--", "\"\""] {
        assert_eq!(
            list(ListingRequest { text: Some(text.to_owned()), ..ListingRequest::default() }).total,
            7
        );
    }
}

#[test]
fn title_matches_rank_first_unless_sorted_by_date() {
    let request = ListingRequest { text: Some("bridge".to_owned()), ..ListingRequest::default() };
    let newest = list(ListingRequest { sort: Sort::Newest, ..request.clone() });
    assert_eq!(ids(&newest), [3, 1, 4]);
    let best = list(ListingRequest { text: Some("road".to_owned()), ..request });
    assert_eq!(ids(&best), [4, 1]);
}

#[rstest]
#[case(Some(Topic::Sector(Sector::Construction)), None, &[1, 5, 4])]
#[case(Some(Topic::Category(Category::Construction)), None, &[1, 4])]
#[case(Some(Topic::Sector(Sector::Registration)), None, &[3])]
#[case(Some(Topic::Sector(Sector::Supply)), None, &[])]
#[case(Some(Topic::Category(Category::Furniture)), None, &[3])]
#[case(None, Some(StatusCard::Today), &[9, 3, 1])]
#[case(None, Some(StatusCard::Live), &[9, 3, 1, 2])]
#[case(None, Some(StatusCard::Closed), &[5, 4, 6])]
#[case(Some(Topic::Sector(Sector::Construction)), Some(StatusCard::Closed), &[5, 4])]
fn filters_reduce_the_listing(
    #[case] topic: Option<Topic>,
    #[case] only: Option<StatusCard>,
    #[case] expected: &[u128],
) {
    assert_eq!(ids(&list(narrowed(topic, only))), expected);
}

fn narrowed(topic: Option<Topic>, only: Option<StatusCard>) -> ListingRequest {
    let filter = topic.map(TenderFilter::about).unwrap_or_default();
    let filter = TenderFilter { statuses: only.into_iter().collect(), ..filter };
    ListingRequest { filter, ..ListingRequest::default() }
}

#[test]
fn statistics_agree_with_the_filters() {
    let stats = INDEX.1.stats(now()).unwrap();
    assert_eq!((stats.total, stats.today, stats.live, stats.closed), (7, 3, 4, 3));
    for (only, count) in
        [(StatusCard::Today, stats.today), (StatusCard::Live, stats.live), (StatusCard::Closed, stats.closed)]
    {
        assert_eq!(list(narrowed(None, Some(only))).total, count);
    }
    for (sector, count) in stats.sectors {
        assert_eq!(list(narrowed(Some(Topic::Sector(sector)), None)).total, count, "{sector}");
    }
    for (category, count) in stats.categories {
        assert_eq!(list(narrowed(Some(Topic::Category(category)), None)).total, count, "{category}");
    }
}

#[rstest]
#[case(Some("bridge"), None)]
#[case(None, Some(Topic::Sector(Sector::Construction)))]
#[case(Some("road"), Some(Topic::Category(Category::Construction)))]
#[case(Some("zebra"), None)]
#[case(None, None)]
fn statistics_within_a_search_agree_with_its_filters(
    #[case] text: Option<&str>,
    #[case] topic: Option<Topic>,
) {
    let request = |only| ListingRequest { text: text.map(str::to_owned), ..narrowed(topic, only) };
    let stats = INDEX.1.stats_within(&request(None), now()).unwrap();
    assert_eq!(stats.total, list(request(None)).total);
    for (only, count) in
        [(StatusCard::Today, stats.today), (StatusCard::Live, stats.live), (StatusCard::Closed, stats.closed)]
    {
        assert_eq!(list(request(Some(only))).total, count, "{only:?}");
        let of_status = INDEX.1.stats_within(&request(Some(only)), now()).unwrap();
        assert_eq!(of_status.total, stats.total, "a status does not narrow its own counters");
        let in_categories: usize = of_status.categories.iter().map(|(_, count)| count).sum();
        assert!(in_categories <= count || topic.is_some(), "other counters are narrowed by the status");
    }
}

proptest! {
    #[test]
    fn pages_cover_everything_once(limit in 0usize..9, text in prop::option::of(Just("bridge".to_owned()))) {
        let request = |page| ListingRequest { text: text.clone(), page, limit, ..ListingRequest::default() };
        let first = INDEX.1.listing(&request(0), now()).unwrap();
        let mut seen = Vec::new();
        for page in 1..=first.pages {
            seen.extend(ids(&INDEX.1.listing(&request(page), now()).unwrap()));
        }
        prop_assert_eq!(seen.len(), first.total);
        prop_assert_eq!(seen, ids(&list(ListingRequest { text: text.clone(), ..ListingRequest::default() })));
        let beyond = INDEX.1.listing(&request(usize::MAX), now()).unwrap();
        prop_assert!(beyond.tenders.is_empty());
    }

    #[test]
    fn any_text_is_accepted(text in "\\PC{0,80}|[-\"()*:A-Z ]{0,40}") {
        let request = ListingRequest { text: Some(text), ..ListingRequest::default() };
        prop_assert!(INDEX.1.listing(&request, now()).is_ok());
    }
}
