//! Results for the listing without text and filters. The snapshot caches them.

use super::{
    cached::TimedAnswer,
    collector::{Collected, Collector},
    compiled_filter::CompiledFilter,
    facet_counts::FacetCounts,
    order::Order,
    snapshot::{NewestTenders, Snapshot},
};
use crate::search::Stats;
use std::sync::Arc;
use tender_model::vocabulary::{Moment, Rates};

/// The first [`CACHED_NEWEST`] tenders in an order by publication, searched again only when the cached
/// ones have become invalid.
pub(super) fn find_newest(
    snapshot: &Snapshot,
    filter: &CompiledFilter,
    order: &Order,
    now: Moment,
) -> tantivy::Result<Arc<NewestTenders>> {
    let is_open_first = order.is_open_first();
    let cached = if is_open_first { &snapshot.newest_open_first } else { &snapshot.newest_tenders };
    cached.get_or_try_compute(&(), now, || {
        let keep = CACHED_NEWEST;
        let pass = Collector { snapshot, filter, order, texts: None, keep, after: None, counts: None };
        let Collected { total, best, .. } = pass.run()?;
        let answer = NewestTenders { total, tenders: best };
        let (from, until) =
            if is_open_first { unchanged_groups(snapshot, now) } else { (i64::MIN, i64::MAX) };
        Ok(TimedAnswer { answer, from, until })
    })
}

/// The period around `now` in which no tender expires, as its first and last second.
fn unchanged_groups(snapshot: &Snapshot, now: Moment) -> (i64, i64) {
    let now = now.second();
    let ends = snapshot.all_columns.iter().flat_map(|columns| columns.ends());
    ends.fold((i64::MIN, i64::MAX), |(from, until), end| {
        if end < now { (from.max(end + 1), until) } else { (from, until.min(end)) }
    })
}

/// The statistics, computed again only when the cached ones have become invalid.
pub(crate) fn stats(snapshot: &Snapshot, now: Moment) -> Stats {
    let rates = Rates::default();
    let stats = snapshot.stats.get_or_compute(&(), now, || {
        let TimedAnswer { answer, from, until } = count_all(snapshot, &rates, now);
        TimedAnswer { answer: Stats::of_facets(answer.facets(&snapshot.dictionary, 0)), from, until }
    });
    Stats::clone(&stats)
}

/// Counts every tender in all facets.
pub(super) fn count_all(snapshot: &Snapshot, rates: &Rates, now: Moment) -> TimedAnswer<FacetCounts> {
    let mut counts = FacetCounts::new(&snapshot.dictionary, rates, now);
    let hidden: Vec<bool> =
        snapshot.dictionary.other_trait_values().iter().map(|value| value.is_hidden).collect();
    for (reader, columns) in snapshot.segments() {
        for document in 0..reader.max_doc() {
            let row = columns.row(document);
            let is_alive = reader.alive_bitset().is_none_or(|alive| alive.is_alive(document));
            if is_alive && !hidden[row.hot.other_traits as usize] {
                counts.count(&row, 0);
            }
        }
    }
    counts.into_timed()
}

/// How many of the newest tenders are cached.
pub(super) const CACHED_NEWEST: usize = 1024;
