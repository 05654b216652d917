//! What is sold, what the caller holds of it, and what is used.

pub mod current;
pub mod plans;
pub mod usage;

use crate::{
    auth::CurrentUser,
    db::{subscriptions as stored, users::HeldPlan},
    error::ApiError,
    plans as periods,
    state::AppState,
};
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;

/// What the caller has used in the running period.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Usage)]
struct UsageView {
    /// When the period began.
    current_period_start: Moment,
    /// When the next begins, and all counts with it.
    current_period_end: Moment,
    /// Details opened.
    tender_views: i64,
    /// Tenders published.
    tender_uploads: i64,
    /// Documents fetched.
    documents_downloaded: i64,
    /// Calls of the API with a key.
    api_calls: i64,
}

async fn used(state: &AppState, caller: &CurrentUser) -> Result<UsageView, ApiError> {
    let HeldPlan { since, .. } = caller.plan;
    let start = periods::period_start(since, state.clock.now());
    let used = stored::usage(&state.db, caller.id, start).await?;
    Ok(UsageView {
        current_period_start: Moment::new(start),
        current_period_end: Moment::new(periods::period_end(since, start)),
        tender_views: used.tender_views,
        tender_uploads: used.tender_uploads,
        documents_downloaded: used.documents_downloaded,
        api_calls: used.api_calls,
    })
}
