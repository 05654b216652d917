//! POST /alerts/{id}/test: how many of the newest tenders an alert matches.

use super::find;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id, Query},
    },
};
use anyhow::Context;
use axum::extract::State;
use index::{ListingRequest, Viewer, percolate::Percolator, search::Sort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

const MOST: usize = 100;

/// How many tenders to hold the alert against.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TestSize {
    /// The newest so many, 1 to 100; by default 10.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// What the test found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertTest {
    /// Tenders that match.
    match_count: usize,
    /// Tenders held against it.
    total_tested: usize,
}

/// Hold an alert against the newest tenders
///
/// Nothing is recorded or mailed.
#[utoipa::path(post, path = "/alerts/{id}/test", tag = "alerts", operation_id = "testAlert",
params(("id" = Uuid, Path, description = "`_id` of the alert"), TestSize), security(("session" = [])), responses(
    (status = 200, description = "What was found", body = Envelope<AlertTest>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is no UUID, or the limit does not fit", body = FailureBody),
))]
pub async fn test_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    Id(id): Id,
    Query(size): Query<TestSize>,
) -> Answer<AlertTest> {
    let limit = size.limit.unwrap_or(10);
    if !(1..=MOST).contains(&limit) {
        return Err(ServiceError::Invalid(vec![FieldError::new(
            "limit",
            "limit: must be a number from 1 to 100",
        )]));
    }
    let query = find(&state, &caller, id).await?.alert.query;
    let (catalogue, rates, now) =
        (state.catalogue.clone(), state.config.rates_lkr.clone(), state.clock.moment());
    let test = tokio::task::spawn_blocking(move || {
        let percolator = Percolator::new();
        percolator.put(id, &query)?;
        let request = ListingRequest {
            reader: Viewer::Unlimited,
            sort: Sort::Newest,
            limit,
            ..ListingRequest::default()
        };
        let newest = catalogue.listing(&request, now)?.tenders;
        let tested: Vec<_> = newest.into_iter().filter_map(index::ListingItem::into_tender).collect();
        let matches =
            |tender: &&index::tender::Tender| !percolator.percolate(tender, now, &rates).hits.is_empty();
        let match_count = tested.iter().filter(matches).count();
        anyhow::Ok(AlertTest { match_count, total_tested: tested.len() })
    });
    let test = test.await.context("testing an alert")??;
    let message = format!("Found {} matching tenders out of {} tested.", test.match_count, test.total_tested);
    Ok(Envelope::saying(message, test))
}
