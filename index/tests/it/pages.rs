//! Pages and orders: each order compared with a naive one, and pages that cover everything exactly
//! once while tenders are added.

use crate::{
    engine::new_engine,
    support::{
        Engine, EngineGuard,
        naive_listing::{self, OwnedTender},
        now, rates,
    },
};
use index::{IndexError, IndexWriter, Listing, ListingRequest, LogPosition, Sort};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::cmp::Reverse;
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

const SORTS: [Sort; 4] = [Sort::Best, Sort::Newest, Sort::Closing, Sort::Value];

struct GrowingIndex {
    _guard: EngineGuard,
    store: Engine,
    writer: Box<dyn IndexWriter>,
    position: i64,
}

impl GrowingIndex {
    fn new() -> Self {
        let (guard, store) = new_engine();
        let writer = store.writer().unwrap();
        Self { _guard: guard, store, writer, position: 0 }
    }

    fn add<'t>(&mut self, tenders: impl IntoIterator<Item = &'t Tender>) {
        self.position += 1;
        tenders.into_iter().for_each(|tender| self.writer.put(tender, None, self.position).unwrap());
        self.writer.commit(LogPosition { position: self.position, change_id: Uuid::nil() }).unwrap();
    }

    fn list(&self, request: &ListingRequest) -> Listing {
        self.store.listing(request, now()).unwrap()
    }
}

/// Tenders with ids from `first`. If `later`, all are published after every other tender.
fn numbered(tenders: Vec<OwnedTender>, first: u128, later: bool) -> Vec<Tender> {
    let numbered = (first..).zip(tenders).map(|(number, (tender, _))| {
        let newer = Moment::new(jiff::Timestamp::from_second(now().second() + 900 * 86_400).unwrap());
        let published_at = if later { Some(newer) } else { tender.published_at };
        Tender { id: Uuid::from_u128(number), published_at, ..tender }
    });
    numbered.collect()
}

fn ids(listing: &Listing) -> Vec<u128> {
    listing.tenders.iter().map(|listed| listed.id().as_u128()).collect()
}

/// A time at which some tenders that are open now are closed.
fn later() -> Moment {
    Moment::new(jiff::Timestamp::from_second(now().second() + 20 * 86_400).unwrap())
}

/// The naive sort key of an order.
fn naive_sort_key(sort: Sort, open_first: bool, tender: &Tender, at: Moment) -> impl Ord + std::fmt::Debug {
    let newest = Reverse(tender.published_at);
    let open = tender.effective_status(at) == TenderStatus::Published;
    let key = match sort {
        Sort::Best | Sort::Newest => (0, 0),
        Sort::Closing => match (open, tender.dates.closing) {
            (true, Some(closing)) => (0, closing.second()),
            (true, None) => (1, 0),
            (false, Some(closing)) => (2, -closing.second()),
            (false, None) => (2, -tender.live_until().map_or(i64::MAX, Moment::second)),
        },
        Sort::Value => {
            let value = tender.financials.estimated_value;
            let rupees =
                value.and_then(|value| rates().convert(value.amount, value.currency, "LKR".parse().unwrap()));
            rupees.map_or((1, 0), |rupees| (0, -rupees.minor()))
        }
    };
    (open_first && !open, key, newest, Reverse(tender.id))
}

/// The ids with those of open tenders first, otherwise in the same order.
fn partitioned(tenders: &[Tender], ids: &[u128]) -> Vec<u128> {
    let is_open = |id: &&u128| {
        let tender = tenders.iter().find(|tender| tender.id.as_u128() == **id).unwrap();
        tender.effective_status(now()) == TenderStatus::Published
    };
    let (open, others): (Vec<u128>, Vec<u128>) = ids.iter().partition(is_open);
    [open, others].concat()
}

/// The first page is found without scoring every tender, so there are more than fit into its buffer.
#[test]
fn first_page_by_relevance_begins_with_the_best_open_tenders() {
    let far = |days: i64| Moment::new(jiff::Timestamp::from_second(now().second() + days * 86_400).unwrap());
    let tenders: Vec<Tender> = (1..=900u128)
        .map(|number| {
            // Few tenders are open, and they are neither the best nor the first ones.
            let is_open = number % 97 == 0;
            let words = ["bridge"; 7][..1 + (number * 31 % 7) as usize].join(" ");
            let mut tender = Tender {
                id: Uuid::from_u128(number),
                title: format!("Works {words} {}", "and other works ".repeat((number % 5) as usize)),
                status: TenderStatus::Published,
                published_at: Some(far(-60)),
                ..Tender::default()
            };
            tender.dates.closing = Some(far(if is_open { 20 } else { -20 }));
            tender
        })
        .collect();
    let mut growing = GrowingIndex::new();
    growing.add(&tenders);
    let request = ListingRequest { text: Some("bridge".to_owned()), limit: 100, ..ListingRequest::default() };
    let mut all = Vec::new();
    for page in 1..=9 {
        all.extend(ids(&growing.list(&ListingRequest { page, ..request.clone() })));
    }
    let expected = partitioned(&tenders, &all);
    for (page, limit) in [(1, 5), (2, 5), (3, 7)] {
        let found = growing.list(&ListingRequest { open_first: true, page, limit, ..request.clone() });
        assert_eq!(ids(&found), expected[(page - 1) * limit..page * limit], "page {page}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_order_agrees_with_a_naive_sort(tenders in vec(naive_listing::tender(), 1..60)) {
        let tenders = numbered(tenders, 1, false);
        let mut growing = GrowingIndex::new();
        let (some, others) = tenders.split_at(tenders.len() / 3);
        growing.add(others);
        growing.add(some);
        let listed: Vec<&Tender> = tenders.iter().filter(|tender| tender.status.is_public()).collect();
        for (sort, open_first) in SORTS.iter().flat_map(|sort| [(*sort, false), (*sort, true)]) {
            let request = ListingRequest { sort, open_first, limit: 100, rates: rates(), ..ListingRequest::default() };
            // The order by publication is cached. The second time comes from the cache, and between them
            // lies a time at which other tenders are open.
            for at in [now(), later(), now()] {
                let mut expected = listed.clone();
                expected.sort_by_key(|tender| naive_sort_key(sort, open_first, tender, at));
                let expected: Vec<u128> = expected.iter().map(|tender| tender.id.as_u128()).collect();
                let found = growing.store.listing(&request, at).unwrap();
                prop_assert_eq!(ids(&found), expected, "{:?} {}", sort, open_first);
            }
        }
    }

    #[test]
    fn open_tenders_stand_before_all_others_in_the_order_by_relevance(
        tenders in vec(naive_listing::tender(), 1..60),
        text in select(&["bridge", "repair of bridge", "vehicle"][..]),
    ) {
        let tenders = numbered(tenders, 1, false);
        let mut growing = GrowingIndex::new();
        growing.add(&tenders);
        let plain = ListingRequest { text: Some(text.to_owned()), limit: 100, ..ListingRequest::default() };
        let expected = partitioned(&tenders, &ids(&growing.list(&plain)));
        prop_assert_eq!(ids(&growing.list(&ListingRequest { open_first: true, ..plain })), expected);
    }

    #[test]
    fn pages_cover_everything_once_while_tenders_are_added(
        tenders in vec(naive_listing::tender(), 0..40),
        added in vec(vec(naive_listing::tender(), 1..6), 1..6),
        texts in vec(option::of(select(&["bridge", "repair of bridge", "vehicle"][..])), 2),
        limit in 1usize..9,
    ) {
        let mut growing = GrowingIndex::new();
        growing.add(&numbered(tenders, 1, false));
        let requests: Vec<ListingRequest> = SORTS.iter().flat_map(|sort| texts.iter().map(move |text| (sort, text))).zip([true, false, false].into_iter().cycle()).map(|((sort, text), open_first)| {
            ListingRequest { sort: *sort, open_first, text: text.map(str::to_owned), limit, rates: rates(), facets: Some(3), ..ListingRequest::default() }
        }).collect();
        let whole: Vec<Listing> = requests.iter().map(|request| growing.list(&ListingRequest { limit: 100, ..request.clone() })).collect();
        let first: Vec<Listing> = requests.iter().map(|request| growing.list(request)).collect();
        // Further pages are requested by cursor and by page number. New tenders are committed
        // before each page.
        let mut by_cursor: Vec<Vec<u128>> = first.iter().map(ids).collect();
        let mut by_number = by_cursor.clone();
        let mut cursors: Vec<Option<String>> = first.iter().map(|listing| listing.next.clone()).collect();
        let mut added = added.into_iter();
        let mut number = 1000;
        for page in 2.. {
            if let Some(tenders) = added.next() {
                let tenders = numbered(tenders, number, true);
                number += tenders.len() as u128;
                growing.add(&tenders);
            }
            let mut more = false;
            for (index, request) in requests.iter().enumerate() {
                if let Some(after) = cursors[index].take() {
                    let listing = growing.list(&ListingRequest { after: Some(after), ..request.clone() });
                    prop_assert_eq!(listing.total, first[index].total);
                    prop_assert_eq!(&listing.facets, &first[index].facets);
                    by_cursor[index].extend(ids(&listing));
                    cursors[index] = listing.next;
                }
                let as_of = Some(first[index].as_of.clone());
                let listing = growing.list(&ListingRequest { page, as_of, ..request.clone() });
                prop_assert_eq!((listing.total, listing.pages), (first[index].total, first[index].pages));
                by_number[index].extend(ids(&listing));
                more |= cursors[index].is_some() || page < listing.pages;
            }
            if !more {
                break;
            }
        }
        for (index, request) in requests.iter().enumerate() {
            let expected = ids(&whole[index]);
            prop_assert_eq!(&by_cursor[index], &expected, "{:?}", request);
            prop_assert_eq!(&by_number[index], &expected, "{:?}", request);
        }
    }

    #[test]
    fn invalid_tokens_are_rejected(word in "[A-Za-z0-9_-]{0,40}|\\PC{0,10}") {
        let growing = GrowingIndex::new();
        let after = ListingRequest { after: Some(word.clone()), ..ListingRequest::default() };
        prop_assert!(matches!(growing.store.listing(&after, now()), Err(IndexError::Cursor)));
        let as_of = ListingRequest { as_of: Some(word), ..ListingRequest::default() };
        prop_assert!(matches!(growing.store.listing(&as_of, now()), Err(IndexError::Cursor)));
    }
}

#[test]
fn a_token_of_one_listing_is_invalid_in_another() {
    let growing = GrowingIndex::new();
    let as_of = Some(growing.list(&ListingRequest::default()).as_of);
    let same = ListingRequest { as_of: as_of.clone(), ..ListingRequest::default() };
    assert!(growing.store.listing(&same, now()).is_ok());
    for other in [
        ListingRequest { as_of: as_of.clone(), sort: Sort::Value, ..ListingRequest::default() },
        ListingRequest { as_of, text: Some("bridge".to_owned()), ..ListingRequest::default() },
    ] {
        assert!(matches!(growing.store.listing(&other, now()), Err(IndexError::Cursor)));
    }
}
