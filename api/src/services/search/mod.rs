//! Search of tenders, and the query string of the listing.

pub(crate) mod bidder_listing;
pub(crate) mod highlights;
pub(crate) mod list_query;
pub(crate) mod recency;

use crate::{
    app::{context::Context, metrics::portal::SearchKind},
    base::trace::trace_span,
    domain::error::ServiceError,
};
use anyhow::Context as _;
use index::{IndexError, SearchEngine};
use std::{sync::Arc, time::Instant};
use tender_model::vocabulary::Moment;
use tracing::Instrument;

/// Runs a query of the index on a blocking thread, because the index reads files. As many queries run
/// at the same time as there are turns.
pub async fn search<T: Send + 'static>(
    context: &Context,
    kind: SearchKind,
    query: impl FnOnce(&dyn SearchEngine, Moment) -> Result<T, IndexError> + Send + 'static,
) -> Result<T, ServiceError> {
    let span = trace_span!("search", kind = <&'static str>::from(kind));
    let (search_engine, now) = (context.search_engine.clone(), context.clock.moment());
    let metrics = context.metrics.clone();
    let answer = async {
        let turn = Arc::clone(&context.search_turns).acquire_owned().await.context("waiting for a turn")?;
        let running = tokio::task::spawn_blocking(move || {
            // A query cannot be stopped, so it keeps its turn if its request is cancelled.
            let _turn = turn;
            let began = Instant::now();
            let found = query(&*search_engine, now);
            metrics.portal.record_search(kind, began.elapsed());
            found
        });
        running.await.context("searching")?.map_err(ServiceError::from)
    };
    answer.instrument(span).await
}
