//! The listing: one page of results with facets.

use crate::{
    cluster::Cluster,
    facets::{aggregations, read_facets},
    filters::{Filter, all, any, listed, not, not_newer, readable},
    order::Order,
    terms::{Terms, tender_of},
    text_query::{Conditions, scored, to_query},
};
use index::{
    IndexError, Listing, ListingItem, ListingRequest, Snippet,
    query::{FieldTerm, QueryPlan, Scope, ScoredMatch, ScoringClause, SearchField, TermIndex, UserQuery},
    search::{MAX_PAGE_SIZE, PinnedListing},
};
use serde_json::{Value, json};
use std::collections::HashMap;
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The cluster refuses pages beyond this many tenders. Readers reach them by cursors.
pub(crate) const MAX_WINDOW: usize = 100_000;

/// Computes one page.
pub(crate) fn listing(
    cluster: &Cluster,
    index: &str,
    request: &ListingRequest,
    now: Moment,
) -> Result<Listing, IndexError> {
    let (pinned, after) = PinnedListing::of(request)?;
    let at = PinnedListing::time(pinned.as_ref(), now)?;
    let conditions = Conditions { now: at, rates: &request.rates };
    let readable = readable(&request.viewer);
    let statistics = pinned.as_ref().map(|pinned| &pinned.statistics);
    let terms = Terms::new(cluster, index, conditions, readable.clone(), statistics);
    let typed = request.text.as_deref().map(UserQuery::read).unwrap_or_default();
    let at_least = pinned.as_ref().map(|pinned| pinned.at_least);
    let plan = if typed.is_empty() { None } else { Some(QueryPlan::new(&typed, at_least, &terms)?) };
    let newest = match &pinned {
        Some(pinned) => pinned.newest,
        None => terms.state()?.newest,
    };
    let order = Order::new(request, plan.is_some());
    let mut conditions_of_all = vec![listed(), not_newer(newest)];
    let query = match &plan {
        None => all(&conditions_of_all),
        Some(plan) => {
            let text = |scope| text_query(plan, &terms, conditions, scope, order);
            let everything = text(Scope::Everything)?;
            let text = match &readable {
                None => everything,
                Some(readable) => {
                    let open = within(&everything, readable.clone());
                    any(vec![open, within(&text(Scope::Stub)?, not(readable))])
                }
            };
            json!({"bool": {"filter": std::mem::take(&mut conditions_of_all), "must": [text]}})
        }
    };
    let filters: Vec<(Filter, Value)> =
        Filter::ALL.into_iter().filter_map(|filter| Some((filter, filter.query(request, at)?))).collect();
    let every: Vec<Value> = filters.iter().map(|(_, query)| query.clone()).collect();
    let (page, limit) = (request.page.max(1), request.limit.clamp(1, MAX_PAGE_SIZE));
    let skip = if after.is_some() { 0 } else { (page - 1).saturating_mul(limit) };
    // One more tender shows whether there is a next page.
    let size = (limit + 1).min(MAX_WINDOW.saturating_sub(skip));
    let mut body = json!({
        "from": if size == 0 { 0 } else { skip }, "size": size, "track_total_hits": true,
        "_source": ["json", "owner"], "sort": order.clauses(request, at),
    });
    match request.facets {
        Some(most) => {
            body["aggs"] = aggregations(request, &filters, most, at);
            body["query"] = query;
            body["post_filter"] = all(&every);
        }
        None => body["query"] = json!({"bool": {"must": [query], "filter": every}}),
    }
    if let Some(key) = after {
        body["search_after"] = order.after(key);
    }
    // The same copy of each shard answers all pages of a listing.
    let preference = format!("{}-{}", newest.0, newest.1.simple());
    let answer = cluster.search_one_copy(index, &preference, &body)?;
    let hits = answer["hits"]["hits"].as_array().map_or(&[][..], Vec::as_slice);
    let (here, more) = (hits.get(..limit).unwrap_or(hits), hits.len() > limit);
    let tenders = here.iter().map(|hit| item(hit, request)).collect::<Result<Vec<_>, _>>()?;
    let highlights = plan.as_ref().map(QueryPlan::highlights);
    let snippet = |listed: &ListingItem| match (listed, &highlights) {
        (ListingItem::Open(tender), Some(highlights)) => Some(Snippet::of(tender, highlights)),
        _ => None,
    };
    let snippets = tenders.iter().map(snippet).collect();
    let at_least = plan.as_ref().map_or(0, QueryPlan::at_least);
    let as_of = pinned.clone().unwrap_or_else(|| PinnedListing {
        now: now.second(),
        newest,
        at_least,
        statistics: terms.statistics(),
    });
    let last = here.last().filter(|_| more).and_then(|hit| order.key(&hit["sort"]));
    let total = answer["hits"]["total"]["value"].as_u64().unwrap_or_default() as usize;
    Ok(Listing {
        total,
        tenders,
        snippets,
        page,
        limit,
        pages: total.div_ceil(limit),
        next: last.map(|key| as_of.write_after(key, request)),
        as_of: as_of.write(request),
        facets: request.facets.map(|_| read_facets(&answer["aggregations"])),
        has_most_words: plan.as_ref().is_some_and(QueryPlan::is_relaxed),
        did_you_mean: plan.and_then(|plan| plan.did_you_mean),
    })
}

/// The query for a text in a scope, with scores if the order is by relevance.
fn text_query(
    plan: &QueryPlan,
    terms: &Terms<'_>,
    conditions: Conditions<'_>,
    scope: Scope,
    order: Order,
) -> Result<Value, IndexError> {
    let found = to_query(&plan.query, conditions, scope);
    if !order.is_by_relevance() {
        return Ok(all(&[found]));
    }
    let clauses = plan.scoring_clauses(terms, scope)?;
    let idfs = idfs(&clauses, terms)?;
    let idf =
        |field: SearchField, term: &str| idfs.get(&FieldTerm::new(field, term)).copied().unwrap_or_default();
    let scored: Vec<Value> = clauses.iter().map(|clause| scored(clause, &idf)).collect();
    Ok(json!({"bool": {"filter": [found], "should": scored}}))
}

/// The inverse document frequencies of all scored words.
fn idfs(clauses: &[ScoringClause], terms: &Terms<'_>) -> Result<HashMap<FieldTerm, f64>, IndexError> {
    let words = clauses.iter().filter_map(|clause| match &clause.matches {
        ScoredMatch::Words { field, words, .. } => {
            Some(words.iter().map(|word| FieldTerm::new(*field, word)))
        }
        ScoredMatch::Name { .. } | ScoredMatch::References(_) => None,
    });
    let words: Vec<FieldTerm> = words.flatten().collect();
    terms.prefetch(&words)?;
    words.into_iter().map(|word| Ok((word.clone(), terms.idf(word.field, &word.term)?))).collect()
}

/// A scored query, restricted to the tenders of a filter.
fn within(query: &Value, filter: Value) -> Value {
    json!({"bool": {"must": [query], "filter": [filter]}})
}

/// The tender of a hit, as the viewer may see it.
fn item(hit: &Value, request: &ListingRequest) -> Result<ListingItem, IndexError> {
    let tender = tender_of(&hit["_source"])?;
    let owner = hit["_source"]["owner"].as_str().and_then(|owner| owner.parse::<Uuid>().ok());
    let lock = request.viewer.lock(&tender, owner);
    Ok(ListingItem::new(tender, lock))
}
