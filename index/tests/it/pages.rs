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

/// The naive sort key of an order.
fn naive_sort_key(sort: Sort, tender: &Tender) -> impl Ord + std::fmt::Debug {
    let newest = Reverse(tender.published_at);
    let open = tender.effective_status(now()) == TenderStatus::Published;
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
    (key, newest, Reverse(tender.id))
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
        for sort in SORTS {
            let request = ListingRequest { sort, limit: 100, rates: rates(), ..ListingRequest::default() };
            let mut expected: Vec<&Tender> = tenders.iter().filter(|tender| tender.status.is_public()).collect();
            expected.sort_by_key(|tender| naive_sort_key(sort, tender));
            let expected: Vec<u128> = expected.iter().map(|tender| tender.id.as_u128()).collect();
            prop_assert_eq!(ids(&growing.list(&request)), expected, "{:?}", sort);
        }
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
        let requests: Vec<ListingRequest> = SORTS.iter().flat_map(|sort| texts.iter().map(move |text| (sort, text))).map(|(sort, text)| {
            ListingRequest { sort: *sort, text: text.map(str::to_owned), limit, rates: rates(), facets: Some(3), ..ListingRequest::default() }
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
