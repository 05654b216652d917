//! Filters, facets, locks and statistics of the listing, compared with a naive implementation on
//! generated tenders and requests.

use crate::{
    engine::new_engine,
    support::{
        Engine, EngineGuard,
        naive_listing::{self, OwnedTender},
        now, rates,
    },
};
use index::{Facets, IndexWriter, ListingItem, ListingRequest, LogPosition, StatusCard};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::collections::BTreeMap;
use tender_model::{
    text::normalise,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// An index of tenders with ids from 1 in several segments. Some tenders are added twice.
fn index_of(tenders: &mut [OwnedTender]) -> (EngineGuard, Engine) {
    let (guard, engine) = new_engine();
    let mut writer = engine.writer().unwrap();
    let mut position = 0;
    let commit = |writer: &mut dyn IndexWriter, position: i64| {
        writer.commit(LogPosition { position, change_id: Uuid::nil() }).unwrap();
    };
    for (number, (tender, _)) in (1..).zip(tenders.iter_mut()) {
        tender.id = Uuid::from_u128(number);
    }
    for (index, (tender, owner)) in tenders.iter().enumerate() {
        if index % 25 == 0 {
            let other = &tenders[tenders.len() - 1].0;
            position += 1;
            let earlier = tender_model::tender::Tender { id: tender.id, ..other.clone() };
            writer.put(&earlier, None, position).unwrap();
            commit(&mut *writer, position);
        }
        position += 1;
        writer.put(tender, *owner, position).unwrap();
        if index % 30 == 7 {
            commit(&mut *writer, position);
        }
    }
    commit(&mut *writer, position);
    (guard, engine)
}

/// Normalises and sorts names, because different spellings are the same choice.
fn normalise_names(mut facets: Facets) -> Facets {
    for names in [&mut facets.cities, &mut facets.organizations, &mut facets.publications] {
        assert!(names.is_sorted_by(|a, b| a.1 > b.1 || (a.1 == b.1 && a.0 <= b.0)), "{names:?}");
        names.iter_mut().for_each(|(name, _)| *name = normalise(name));
        names.sort();
    }
    facets
}

fn request() -> impl Strategy<Value = ListingRequest> {
    let text = option::of(select(&["bridge", "vehicle"][..]));
    (text, naive_listing::filter(), naive_listing::viewer()).prop_map(|(text, filter, viewer)| {
        ListingRequest {
            text: text.map(str::to_owned),
            filter,
            viewer,
            facets: Some(100),
            limit: 100,
            rates: rates(),
            ..ListingRequest::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn listing_and_facets_agree_with_a_naive_implementation(
        mut tenders in vec(naive_listing::tender(), 1..60),
        requests in vec(request(), 16),
    ) {
        let (_directory, store) = index_of(&mut tenders);
        let unfiltered = ListingRequest { facets: Some(100), limit: 100, rates: rates(), ..Default::default() };
        for request in requests.iter().chain([&unfiltered]) {
            let listing = store.listing(request, now()).unwrap();
            let found: Vec<&OwnedTender> = tenders
                .iter()
                .filter(|owned| owned.0.status.is_public() && naive_listing::is_found(request, owned))
                .collect();
            let passing: BTreeMap<Uuid, &OwnedTender> = found
                .iter()
                .filter(|owned| naive_listing::failed_filters(&request.filter, &owned.0).is_empty())
                .map(|owned| (owned.0.id, *owned))
                .collect();
            let listed: BTreeMap<Uuid, &ListingItem> = listing.tenders.iter().map(|listed| (listed.id(), listed)).collect();
            prop_assert_eq!(listing.total, passing.len(), "{:?}", request);
            prop_assert_eq!(listed.keys().collect::<Vec<_>>(), passing.keys().collect::<Vec<_>>());
            for (id, listed) in listed {
                prop_assert_eq!(listed.lock(), naive_listing::lock(&request.viewer, passing[&id]));
                if let ListingItem::Open(tender) = listed {
                    prop_assert_eq!(&**tender, &passing[&id].0);
                }
            }
            let tenders: Vec<_> = found.iter().map(|owned| &owned.0).collect();
            let expected = naive_listing::facets(&request.filter, &tenders);
            let stats = store.stats_within(request, now()).unwrap();
            let statuses = [StatusCard::Today, StatusCard::Live, StatusCard::Closed];
            prop_assert_eq!(
                statuses.into_iter().zip([stats.today, stats.live, stats.closed]).collect::<Vec<_>>(),
                expected.statuses.clone()
            );
            prop_assert_eq!(stats.total, stats.live + stats.closed);
            prop_assert_eq!((&stats.categories, &stats.sectors), (&expected.categories, &expected.sectors));
            prop_assert_eq!(normalise_names(listing.facets.unwrap()), expected, "{:?}", request);
        }
    }

    #[test]
    fn statistics_agree_with_a_naive_implementation(
        mut tenders in vec(naive_listing::tender(), 1..60),
        seconds in vec(-90_000i64..90_000, 6),
    ) {
        let (_directory, store) = index_of(&mut tenders);
        // The times go forwards and backwards, so that a stale cached answer would be noticed.
        for second in seconds {
            let at = Moment::new(jiff::Timestamp::from_second(now().second() + second).unwrap());
            let stats = store.stats(at).unwrap();
            let listed = || tenders.iter().map(|(tender, _)| tender).filter(|tender| tender.status.is_public());
            let live = listed().filter(|tender| tender.effective_status(at) == TenderStatus::Published).count();
            let today = listed().filter(|tender| tender.published_at.is_some_and(|published| published.day() == at.day()));
            prop_assert_eq!(stats.total, listed().count());
            prop_assert_eq!((stats.live, stats.closed), (live, stats.total - live));
            prop_assert_eq!(stats.today, today.count());
            for (category, count) in stats.categories {
                prop_assert_eq!(count, listed().filter(|tender| tender.category == Some(category)).count());
            }
            for (sector, count) in stats.sectors {
                prop_assert_eq!(count, listed().filter(|tender| tender.sector() == Some(sector)).count());
            }
        }
    }
}
