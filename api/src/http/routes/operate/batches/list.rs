//! GET /operate/batches: lists the withdrawals of batches.

use super::WithdrawalView;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    storage::batches,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested withdrawals.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WithdrawalsQuery {
    /// Only withdrawals after the withdrawal with this id.
    after: Option<Uuid>,
}

/// A part of the list of withdrawals.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedWithdrawals {
    /// The withdrawals, latest first.
    withdrawals: Vec<WithdrawalView>,
    /// Send this id as `after` to read the next part. `null`: there are no more withdrawals.
    #[schema(required)]
    next: Option<Uuid>,
}

/// The number of withdrawals in a response.
const PAGE_SIZE: usize = 20;

/// List the withdrawals of batches
#[utoipa::path(get, path = "/operate/batches", tag = "operate", operation_id = "batchWithdrawals",
params(WithdrawalsQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ListedWithdrawals>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_withdrawals(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<WithdrawalsQuery>,
) -> ApiResult<ListedWithdrawals> {
    let mut found = batches::page(&state.db, query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let withdrawals = found.into_iter().map(WithdrawalView::from).collect();
    Ok(Envelope::of(ListedWithdrawals { withdrawals, next }))
}
