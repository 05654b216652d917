//! POST /alerts/{id}/test: counts how many of the newest tenders an alert matches.

use super::find;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId, Query},
    },
};
use anyhow::Context;
use axum::extract::State;
use index::{ListingRequest, Viewer, percolate::Percolator, search::Sort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The maximum number of tenders to test.
const MAX_TESTED: usize = 100;

/// The query of the route.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TestSize {
    /// The number of newest tenders to test, 1 to 100; 10 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// The result of the test.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertTest {
    /// The number of matching tenders.
    match_count: usize,
    /// The number of tested tenders.
    total_tested: usize,
}

/// Test an alert against the newest tenders
///
/// Nothing is recorded or mailed.
#[utoipa::path(post, path = "/alerts/{id}/test", tag = "alerts", operation_id = "testAlert",
params(("id" = Uuid, Path, description = "`_id` of the alert"), TestSize), security(("session" = [])), responses(
    (status = 200, description = "The result", body = Envelope<AlertTest>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or the limit is invalid", body = FailureBody),
))]
pub async fn test_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Query(size): Query<TestSize>,
) -> ApiResult<AlertTest> {
    let limit = size.limit.unwrap_or(10);
    if !(1..=MAX_TESTED).contains(&limit) {
        return Err(ServiceError::Invalid(vec![FieldError::new(
            "limit",
            "limit: must be a number from 1 to 100",
        )]));
    }
    let query = find(&state, &caller, id).await?.alert.query;
    let (search_engine, rates, now) =
        (state.search_engine.clone(), state.config.rates_lkr.clone(), state.clock.moment());
    let test = tokio::task::spawn_blocking(move || {
        let percolator = Percolator::new();
        percolator.put(id, &query)?;
        let request = ListingRequest {
            viewer: Viewer::Unlimited,
            sort: Sort::Newest,
            limit,
            ..ListingRequest::default()
        };
        let newest = search_engine.listing(&request, now)?.tenders;
        let tested: Vec<_> = newest.into_iter().filter_map(index::ListingItem::into_tender).collect();
        let matches = |tender: &&tender_model::tender::Tender| {
            !percolator.percolate(tender, now, &rates).hits.is_empty()
        };
        let match_count = tested.iter().filter(matches).count();
        anyhow::Ok(AlertTest { match_count, total_tested: tested.len() })
    });
    let test = test.await.context("testing an alert")??;
    let message = format!("Found {} matching tenders out of {} tested.", test.match_count, test.total_tested);
    Ok(Envelope::with_message(message, test))
}
