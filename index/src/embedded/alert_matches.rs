//! Finds the newest tenders that match an alert. Percolation is the reverse: it finds the alerts
//! that match a tender.

use super::{alert_query::alert_query, order::TopTenders, schema::Fields, snapshot::Snapshot};
use crate::{error::IndexError, query::AlertFilters, search::AlertMatches};
use tantivy::query::EnableScoring;
use tender_model::{
    alert::AlertQuery,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// Finds the newest tenders that match an alert.
pub(crate) fn matching(
    snapshot: &Snapshot,
    fields: &Fields,
    alert: &AlertQuery,
    (now, rates): (Moment, &Rates),
    limit: usize,
) -> Result<AlertMatches, IndexError> {
    let filters = AlertFilters::of(alert);
    let weight =
        alert_query(alert, fields)?.weight(EnableScoring::disabled_from_searcher(&snapshot.searcher))?;
    let (mut total, mut best) = (0, TopTenders::new(limit, None));
    for (segment, (reader, columns)) in (0..).zip(snapshot.segments()) {
        let alive = reader.alive_bitset();
        weight.for_each_no_score(reader, &mut |documents| {
            for document in documents {
                let row = columns.row(*document);
                let values = row.filter_values(&snapshot.dictionary);
                let body = || snapshot.dictionary.organizations.hash(row.cold.organization);
                let passes = || {
                    !values.is_hidden()
                        && filters.admit(&values.at(now), now, rates)
                        && filters.admit_body(body)
                };
                if alive.is_none_or(|alive| alive.is_alive(*document)) && passes() {
                    total += 1;
                    best.add((row.published_key(), 0), columns, segment, *document);
                }
            }
        })?;
    }
    let ids = best.into_sorted().into_iter().map(|found| Uuid::from_u128(found.key.id));
    Ok(AlertMatches { total, ids: ids.collect() })
}
