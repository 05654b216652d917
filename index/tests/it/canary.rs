//! The canary can be loaded by its id, but no search finds or counts it.

use crate::support::{Engine, index_of, now};
use index::{ListingItem, ListingRequest, StatusCard, TenderFilter, Viewer};
use rstest::rstest;
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::{CANARY_ID, Organization, Tender},
    vocabulary::{Category, District, MatchType, Moment, Rates, TenderStatus, Visibility},
};
use uuid::Uuid;

const OTHER: Uuid = Uuid::from_u128(1);

/// A tender with this id. All of them have the same words and values.
fn tender(id: Uuid) -> Tender {
    let mut tender = Tender {
        id,
        title: "Construction of a bridge".to_owned(),
        reference_no: Some("RDA/2026/17".to_owned()),
        organization: Organization {
            name: "Road Development Authority".to_owned(),
            ..Organization::default()
        },
        status: TenderStatus::Published,
        visibility: Visibility::Premium,
        category: Some(Category::Construction),
        published_at: Moment::start_of("2026-11-01".parse().unwrap()),
        ..Tender::default()
    };
    tender.location.district = Some(District::Matara);
    tender
}

/// Everything that searches tell, as text.
fn everything(store: &Engine) -> Vec<String> {
    let limited = Viewer::Limited { visibility: Visibility::Public, since: None, account: None };
    let filters = [
        TenderFilter::default(),
        TenderFilter { categories: vec![Category::Construction], ..TenderFilter::default() },
        TenderFilter { categories: vec![Category::Vehicles], ..TenderFilter::default() },
        TenderFilter { statuses: vec![StatusCard::Live], ..TenderFilter::default() },
        TenderFilter { districts: vec![District::Matara], ..TenderFilter::default() },
        TenderFilter {
            organizations: vec!["Road Development Authority".to_owned()],
            ..TenderFilter::default()
        },
    ];
    let mut told = Vec::new();
    for filter in filters {
        for viewer in [Viewer::Unlimited, limited] {
            for text in [None, Some("bridge".to_owned()), Some("RDA/2026/17".to_owned())] {
                let request = ListingRequest {
                    text,
                    filter: filter.clone(),
                    viewer,
                    limit: 10,
                    facets: Some(10),
                    ..ListingRequest::default()
                };
                let found = store.listing(&request, now()).unwrap();
                let ids: Vec<Uuid> = found.tenders.iter().map(ListingItem::id).collect();
                told.push(format!("{} {ids:?} {} {:?}", found.total, found.pages, found.facets));
            }
        }
    }
    let keyword = Keyword { term: "bridge".to_owned(), match_type: MatchType::Contains };
    let alert = AlertQuery { keywords: vec![keyword], ..AlertQuery::default() };
    told.push(format!("{:?}", store.matching(&alert, now(), &Rates::default(), 10).unwrap()));
    told.push(format!("{:?}", store.stats(now())));
    told.push(format!("{:?}", ["const", "road", "br"].map(|text| store.suggest(text).unwrap())));
    let asked = tender(Uuid::from_u128(2));
    told.push(format!("{:?}", store.similar(&asked, now(), 10).unwrap()));
    told.push(format!("{:?}", store.duplicates(&asked, 10).unwrap()));
    told
}

#[rstest]
#[case::in_a_segment_of_its_own(1)]
#[case::beside_another_tender(2)]
fn searches_tell_the_same_with_and_without_the_canary(#[case] segment: usize) {
    let (_without, without) = index_of(&[tender(OTHER)], segment);
    let (_with, with) = index_of(&[tender(CANARY_ID), tender(OTHER)], segment);
    assert_eq!(with.get(CANARY_ID).unwrap(), Some(tender(CANARY_ID)));
    let (with, without) = (everything(&with), everything(&without));
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(with, without);
    }
    let ids = without.iter().filter(|told| told.contains(&OTHER.to_string()));
    assert!(ids.count() > 20);
}
