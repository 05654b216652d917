//! The listing: one page of what was asked for, with its facets, in one pass over what the text finds. The same pass leads to the tenders that
//! an alert matches.

use super::{
    collector::{Collected, Collector, TextMatcher, TextMatchers},
    cursor::{PinnedListing, PinnedStatistics},
    entitlement::ListingItem,
    facet_counts::{FacetCounts, TimedAnswer},
    facets::Facets,
    filter::CompiledFilter,
    order::{Order, RankedTender, SortKey, TopTenders},
    ranker::Ranker,
    request::{ListingRequest, TenderFilter},
    snapshot::Snapshot,
    snippet::Snippet,
    stats::Stats,
};
use crate::{
    document::to_tender,
    error::IndexError,
    query::{AlertFilters, DidYouMean, QueryPlan, Scope, SearchContext, UserQuery, alert_query},
    schema::Fields,
};
use std::borrow::Cow;
use tantivy::{
    DocAddress, Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{EnableScoring, TermQuery},
    schema::IndexRecordOption,
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// The most tenders on a page.
const LARGEST_PAGE: usize = 100;
/// How many of the newest tenders are kept at hand.
const FRONT: usize = 1024;

/// One page of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// How many tenders there are in all, locked ones included.
    pub total: usize,
    /// This page's, locked ones in their place.
    pub tenders: Vec<ListingItem>,
    /// This page, from 1.
    pub page: usize,
    /// Tenders a page.
    pub limit: usize,
    /// How many pages there are.
    pub pages: usize,
    /// For [`ListingRequest::as_of`] of the other pages of this listing.
    pub as_of: String,
    /// For [`ListingRequest::after`] of the next page, if there is one.
    pub next: Option<String>,
    /// The facets, where asked for.
    pub facets: Option<Facets>,
    /// What to show of each of `tenders`: none where there was no text, and for a locked one.
    pub snippets: Vec<Option<Snippet>>,
    /// What was looked for in the place of words that stand nowhere.
    pub did_you_mean: Option<DidYouMean>,
    /// No tender has all the words: these have most of them.
    pub has_most_words: bool,
}

/// The tenders that an alert matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertMatches {
    /// How many there are in all.
    pub total: usize,
    /// The newest of them.
    pub ids: Vec<Uuid>,
}

/// One page of what was asked for.
pub(crate) fn listing(
    view: &Snapshot,
    fields: &Fields,
    request: &ListingRequest,
    now: Moment,
) -> Result<Listing, IndexError> {
    let (begun, after) = begun(request)?;
    let at = match &begun {
        Some(as_of) => as_of.moment().ok_or(IndexError::Cursor)?,
        None => now,
    };
    let typed = request.text.as_deref().map(UserQuery::read).unwrap_or_default();
    let context = SearchContext { searcher: &view.searcher, fields, now: at, rates: &request.rates };
    let at_least = begun.as_ref().map(|as_of| as_of.at_least);
    let asked = if typed.is_empty() { None } else { Some(QueryPlan::new(&typed, at_least, &context)?) };
    let dictionary = &*view.dictionary;
    let newest = begun.as_ref().map(|as_of| as_of.newest).filter(|newest| view.newest > *newest);
    let sieve = CompiledFilter::new(request, dictionary, at, newest);
    let order = Order::new(request, asked.is_some(), dictionary);
    let weighing = PinnedStatistics::new(&view.searcher, begun.as_ref().map(|as_of| &as_of.weights));
    let (page, limit) = (request.page.max(1), request.limit.clamp(1, LARGEST_PAGE));
    let skip = if after.is_some() { 0 } else { (page - 1).saturating_mul(limit) };
    // One more, to know whether there is a next page.
    let keep = skip.saturating_add(limit).saturating_add(1);
    let everything = asked.is_none() && newest.is_none() && request.filter == TenderFilter::default();
    let front = everything && matches!(order, Order::Newest) && after.is_none() && keep <= FRONT;
    let counts = request.facets.is_some() && !everything;
    let counts = counts.then(|| FacetCounts::new(dictionary, &request.rates, at));
    let texts = match &asked {
        Some(asked) => {
            let found = |scope| found(asked, scope, &context, &weighing, &order);
            let stub = if sieve.locks { Some(found(Scope::Stub)?) } else { None };
            Some(TextMatchers { everything: found(Scope::Everything)?, stub })
        }
        None => None,
    };
    let (total, found, counts) = if front {
        let found = match view.front.get() {
            Some(found) => found,
            None => {
                let found = front_of(view, &sieve)?;
                view.front.get_or_init(|| found)
            }
        };
        (view.count(), Cow::Borrowed(found.as_slice()), None)
    } else {
        let pass = Collector { view, sieve: &sieve, order: &order, texts, keep, after, counts };
        let Collected { total, best, counts } = pass.run()?;
        (total, Cow::Owned(best), counts)
    };
    let facets = match (request.facets, counts) {
        (Some(most), Some(counts)) => Some(counts.facets(dictionary, most)),
        (Some(most), None) => {
            let counted = view.unfiltered.get_or(&request.rates, at, || count_all(view, &request.rates, at));
            Some(counted.facets(dictionary, most))
        }
        (None, _) => None,
    };
    let here = found.get(skip..).unwrap_or_default();
    let more = here.len() > limit;
    let here = here.get(..limit).unwrap_or(here);
    let tenders = here
        .iter()
        .map(|found| listed(view, fields, &sieve, found.address))
        .collect::<Result<Vec<_>, _>>()?;
    let sought = asked.as_ref().map(QueryPlan::sought);
    let snippet = |listed: &ListingItem| match (listed, &sought) {
        (ListingItem::Open(tender), Some(sought)) => Some(Snippet::of(tender, sought)),
        _ => None,
    };
    let snippets = tenders.iter().map(snippet).collect();
    let weights = weighing.into_weights();
    let at_least = asked.as_ref().map_or(0, QueryPlan::at_least);
    let as_of = begun.unwrap_or(PinnedListing { now: now.second(), newest: view.newest, at_least, weights });
    Ok(Listing {
        total,
        tenders,
        snippets,
        page,
        limit,
        pages: total.div_ceil(limit),
        next: here.last().filter(|_| more).map(|last| as_of.write_after(last.key, request)),
        as_of: as_of.write(request),
        facets,
        has_most_words: asked.as_ref().is_some_and(QueryPlan::is_relaxed),
        did_you_mean: asked.and_then(|asked| asked.did_you_mean),
    })
}

/// What finds what was asked, by so much of a tender, and what ranks it.
fn found(
    asked: &QueryPlan,
    scope: Scope,
    context: &SearchContext<'_>,
    weighing: &PinnedStatistics<'_>,
    order: &Order,
) -> tantivy::Result<TextMatcher> {
    let plain = EnableScoring::disabled_from_searcher(context.searcher);
    let finder = asked.query(context, scope).weight(plain)?;
    let ranker = if matches!(order, Order::Relevance) {
        let scoring = EnableScoring::enabled_from_statistics_provider(weighing, context.searcher);
        Some(Ranker::new(asked.merits(context, scope), scoring, weighing)?)
    } else {
        None
    };
    Ok(TextMatcher { finder, ranker })
}

/// The listing that the request goes on with, and behind which key.
fn begun(request: &ListingRequest) -> Result<(Option<PinnedListing>, Option<SortKey>), IndexError> {
    match (&request.after, &request.as_of) {
        (Some(word), _) => {
            let (as_of, key) = PinnedListing::read_after(word, request).ok_or(IndexError::Cursor)?;
            Ok((Some(as_of), Some(key)))
        }
        (None, Some(word)) => Ok((Some(PinnedListing::read(word, request).ok_or(IndexError::Cursor)?), None)),
        (None, None) => Ok((None, None)),
    }
}

/// The newest of all.
fn front_of(view: &Snapshot, sieve: &CompiledFilter) -> tantivy::Result<Vec<RankedTender>> {
    let order = &Order::Newest;
    let pass = Collector { view, sieve, order, texts: None, keep: FRONT, after: None, counts: None };
    Ok(pass.run()?.best)
}

/// The counters of everything.
pub(crate) fn stats(view: &Snapshot, now: Moment) -> Stats {
    let rates = Rates::default();
    let stats = view.stats.get_or(&(), now, || {
        let TimedAnswer { answer, from, until } = count_all(view, &rates, now);
        TimedAnswer { answer: Stats::of(&answer, &view.dictionary), from, until }
    });
    Stats::clone(&stats)
}

/// Counts every tender.
fn count_all(view: &Snapshot, rates: &Rates, now: Moment) -> TimedAnswer<FacetCounts> {
    let mut counts = FacetCounts::new(&view.dictionary, rates, now);
    for (reader, table) in view.segments() {
        for document in 0..reader.max_doc() {
            if reader.alive_bitset().is_none_or(|alive| alive.is_alive(document)) {
                counts.count(&table.row(document), 0);
            }
        }
    }
    counts.lasting()
}

/// The newest tenders that an alert matches.
pub(crate) fn matching(
    view: &Snapshot,
    fields: &Fields,
    alert: &AlertQuery,
    (now, rates): (Moment, &Rates),
    limit: usize,
) -> Result<AlertMatches, IndexError> {
    let filters = AlertFilters::of(alert);
    let weight = alert_query(alert, fields)?.weight(EnableScoring::disabled_from_searcher(&view.searcher))?;
    let (mut total, mut best) = (0, TopTenders::new(limit, None));
    for (segment, (reader, table)) in (0..).zip(view.segments()) {
        let alive = reader.alive_bitset();
        weight.for_each_no_score(reader, &mut |documents| {
            for document in documents {
                let row = table.row(*document);
                let passes = || filters.admit(&row.facts(&view.dictionary).at(now), now, rates);
                if alive.is_none_or(|alive| alive.is_alive(*document)) && passes() {
                    total += 1;
                    best.see((row.published_key(), 0), table, segment, *document);
                }
            }
        })?;
    }
    let ids = best.into_sorted().into_iter().map(|found| Uuid::from_u128(found.key.id));
    Ok(AlertMatches { total, ids: ids.collect() })
}

/// One tender.
pub(crate) fn get(searcher: &Searcher, fields: &Fields, id: Uuid) -> Result<Option<Tender>, IndexError> {
    let term = Term::from_field_text(fields.id, &id.to_string());
    let query = TermQuery::new(term, IndexRecordOption::Basic);
    let found = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
    found.first().map(|(_, address)| tender_at(searcher, fields, *address)).transpose()
}

fn tender_at(searcher: &Searcher, fields: &Fields, address: DocAddress) -> Result<Tender, IndexError> {
    let document: TantivyDocument = searcher.doc(address)?;
    Ok(to_tender(&document, fields)?)
}

/// A tender as the reader may see it.
fn listed(
    view: &Snapshot,
    fields: &Fields,
    sieve: &CompiledFilter,
    address: DocAddress,
) -> Result<ListingItem, IndexError> {
    let DocAddress { segment_ord, doc_id } = address;
    let table = &view.tables[segment_ord as usize];
    let lock = sieve.lock(table, doc_id, &table.row(doc_id), sieve.account_in(table)?);
    Ok(ListingItem::new(tender_at(&view.searcher, fields, address)?, lock))
}
