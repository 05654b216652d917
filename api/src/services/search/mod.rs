//! Search of tenders, and the query string of the listing.

pub(crate) mod list_query;

use crate::{
    app::{context::Context, metrics::portal::SearchKind},
    base::trace::trace_span,
    domain::error::ServiceError,
};
use anyhow::Context as _;
use index::{IndexError, IndexStore};
use std::time::Instant;
use tender_model::vocabulary::Moment;
use tracing::Instrument;

/// Runs a query of the index on a blocking thread, because the index reads files.
pub async fn search<T: Send + 'static>(
    context: &Context,
    kind: SearchKind,
    query: impl FnOnce(&IndexStore, Moment) -> Result<T, IndexError> + Send + 'static,
) -> Result<T, ServiceError> {
    let (index_store, now) = (context.index_store.clone(), context.clock.moment());
    let metrics = context.metrics.clone();
    let answer = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        let found = query(&index_store, now);
        metrics.portal.record_search(kind, began.elapsed());
        found
    });
    let answer = answer.instrument(trace_span!("search", kind = <&'static str>::from(kind)));
    Ok(answer.await.context("searching")?.context("searching")?)
}
