//! The listing: one page of results with facets, computed in one pass over the matching tenders.

use super::{
    collector::{Collected, Collector, TextMatcher, TextMatchers},
    compiled_filter::CompiledFilter,
    facet_counts::FacetCounts,
    lookup::tender_at,
    order::Order,
    ranker::Ranker,
    schema::Fields,
    search_context::{ReadableTenders, SearchContext},
    snapshot::Snapshot,
    statistics::PinnedStatistics,
    text_query,
    unfiltered::{CACHED_NEWEST, count_all, find_newest},
};
use crate::{
    error::IndexError,
    query::{QueryPlan, Scope, UserQuery},
    search::{Listing, ListingItem, ListingRequest, MAX_PAGE_SIZE, PinnedListing, Snippet, TenderFilter},
};
use std::borrow::Cow;
use tantivy::{DocAddress, DocId, SegmentOrdinal, query::EnableScoring};
use tender_model::vocabulary::Moment;

/// Computes one page.
pub(crate) fn listing(
    snapshot: &Snapshot,
    fields: &Fields,
    request: &ListingRequest,
    now: Moment,
) -> Result<Listing, IndexError> {
    let (pinned, after) = PinnedListing::of(request)?;
    let at = PinnedListing::time(pinned.as_ref(), now)?;
    let typed = request.text.as_deref().map(UserQuery::read).unwrap_or_default();
    let dictionary = &*snapshot.dictionary;
    let newest = pinned.as_ref().map(|as_of| as_of.newest).filter(|newest| snapshot.newest > *newest);
    let filter = CompiledFilter::new(request, dictionary, at, newest);
    let accounts: Vec<Option<u64>> =
        snapshot.all_columns.iter().map(|columns| filter.account_in(columns)).collect::<Result<_, _>>()?;
    let is_readable = |segment: SegmentOrdinal, document: DocId| {
        let columns = &snapshot.all_columns[segment as usize];
        filter.lock(columns, document, &columns.row(document), accounts[segment as usize]).is_none()
    };
    let readable = ReadableTenders::new(&is_readable);
    let context = SearchContext {
        searcher: &snapshot.searcher,
        fields,
        now: at,
        rates: &request.rates,
        readable: filter.has_locks.then_some(&readable),
    };
    let at_least = pinned.as_ref().map(|as_of| as_of.at_least);
    let plan = if typed.is_empty() { None } else { Some(QueryPlan::new(&typed, at_least, &context)?) };
    let order = Order::new(request, plan.is_some(), dictionary);
    let statistics =
        PinnedStatistics::new(&snapshot.searcher, pinned.as_ref().map(|as_of| &as_of.statistics));
    let (page, limit) = (request.page.max(1), request.limit.clamp(1, MAX_PAGE_SIZE));
    let skip = if after.is_some() { 0 } else { (page - 1).saturating_mul(limit) };
    // One more tender shows whether there is a next page.
    let keep = skip.saturating_add(limit).saturating_add(1);
    let everything = plan.is_none() && newest.is_none() && request.filter == TenderFilter::default();
    let is_cached = everything && order.is_by_publication() && after.is_none() && keep <= CACHED_NEWEST;
    let counts = request.facets.is_some() && !everything;
    let counts = counts.then(|| FacetCounts::new(dictionary, &request.rates, at));
    let texts = match &plan {
        Some(plan) => {
            let matcher = |scope| text_matcher(plan, scope, &context, &statistics, &order);
            let stub = if filter.has_locks { Some(matcher(Scope::Stub)?) } else { None };
            Some(TextMatchers { everything: matcher(Scope::Everything)?, stub })
        }
        None => None,
    };
    let cached = if is_cached { Some(find_newest(snapshot, &filter, &order, at)?) } else { None };
    let (total, found, counts) = match &cached {
        Some(cached) => (cached.total, Cow::Borrowed(cached.tenders.as_slice()), None),
        None => {
            let pass = Collector { snapshot, filter: &filter, order: &order, texts, keep, after, counts };
            let Collected { total, best, counts } = pass.run()?;
            (total, Cow::Owned(best), counts)
        }
    };
    let facets = match (request.facets, counts) {
        (Some(most), Some(counts)) => Some(counts.facets(dictionary, most)),
        (Some(most), None) => {
            let counted = snapshot
                .unfiltered_counts
                .get_or_compute(&request.rates, at, || count_all(snapshot, &request.rates, at));
            Some(counted.facets(dictionary, most))
        }
        (None, _) => None,
    };
    let here = found.get(skip..).unwrap_or_default();
    let more = here.len() > limit;
    let here = here.get(..limit).unwrap_or(here);
    let tenders = here
        .iter()
        .map(|found| load_item(snapshot, fields, &filter, found.address))
        .collect::<Result<Vec<_>, _>>()?;
    let highlights = plan.as_ref().map(QueryPlan::highlights);
    let snippet = |listed: &ListingItem| match (listed, &highlights) {
        (ListingItem::Open(tender), Some(highlights)) => Some(Snippet::of(tender, highlights)),
        _ => None,
    };
    let snippets = tenders.iter().map(snippet).collect();
    let statistics = statistics.into_statistics();
    let at_least = plan.as_ref().map_or(0, QueryPlan::at_least);
    let as_of =
        pinned.unwrap_or(PinnedListing { now: now.second(), newest: snapshot.newest, at_least, statistics });
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
        has_most_words: plan.as_ref().is_some_and(QueryPlan::is_relaxed),
        did_you_mean: plan.and_then(|plan| plan.did_you_mean),
    })
}

/// The matcher for a text in a given scope, with a ranker if the order is by relevance.
fn text_matcher(
    plan: &QueryPlan,
    scope: Scope,
    context: &SearchContext<'_>,
    statistics: &PinnedStatistics<'_>,
    order: &Order,
) -> Result<TextMatcher, IndexError> {
    let plain = EnableScoring::disabled_from_searcher(context.searcher);
    let finder = text_query::to_query(&plan.query, context, scope).weight(plain)?;
    let ranker = if order.is_by_relevance() {
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, context.searcher);
        let clauses = plan.scoring_clauses(context, scope)?;
        Some(Ranker::new(clauses, context, scoring, statistics)?)
    } else {
        None
    };
    Ok(TextMatcher { finder, ranker })
}

/// Loads a tender as the viewer may see it.
fn load_item(
    snapshot: &Snapshot,
    fields: &Fields,
    filter: &CompiledFilter,
    address: DocAddress,
) -> Result<ListingItem, IndexError> {
    let DocAddress { segment_ord, doc_id } = address;
    let columns = &snapshot.all_columns[segment_ord as usize];
    let lock = filter.lock(columns, doc_id, &columns.row(doc_id), filter.account_in(columns)?);
    Ok(ListingItem::new(tender_at(&snapshot.searcher, fields, address)?, lock))
}
