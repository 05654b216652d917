//! GET /ingest/review: lists notices in review.

use crate::{
    app::state::AppState,
    base::paging::{self, Pagination},
    domain::notice::{Notice, NoticeStanding},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    storage::notices,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::{
    deduplication::{Candidate, Doubt},
    tender::Tender,
    vocabulary::Moment,
};
use utoipa::{IntoParams, ToSchema};

/// The requested page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReviewQuery {
    /// The page number, from 1.
    #[serde(default = "paging::default_page", deserialize_with = "paging::deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of notices per page.
    #[serde(default = "paging::default_page_size", deserialize_with = "paging::deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
}

/// A notice in review.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingNotice {
    /// The notice's key, which `decideReview` needs.
    key: String,
    /// Why the notice is in review.
    doubt: Doubt,
    /// The tenders that the notice may belong to, most likely first.
    candidates: Vec<Candidate>,
    /// When the notice was last uploaded.
    received_at: Moment,
    /// The notice's content.
    notice: Tender,
}

/// Notices in review.
#[derive(Debug, Serialize, ToSchema)]
pub struct Review {
    /// One page of notices, the latest upload first.
    notices: Vec<WaitingNotice>,
    /// The position of the page.
    pagination: Pagination,
}

/// List notices in review
#[utoipa::path(get, path = "/ingest/review", tag = "ingest", operation_id = "listReview",
params(ReviewQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "One page of notices", body = Envelope<Review>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_review(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<ReviewQuery>,
) -> ApiResult<Review> {
    let skip = i64::from(query.page - 1) * i64::from(query.limit);
    let (found, count) = notices::needing_review(&state.db, skip, i64::from(query.limit)).await?;
    let pagination = Pagination::new(query.page, query.limit, u64::try_from(count).unwrap_or(0));
    Ok(Envelope::of(Review {
        notices: found.into_iter().filter_map(to_waiting_notice).collect(),
        pagination,
    }))
}

fn to_waiting_notice(notice: Notice) -> Option<WaitingNotice> {
    let NoticeStanding::Review { doubt, candidates } = notice.standing else { return None };
    let received_at = Moment::new(notice.received_at);
    Some(WaitingNotice { key: notice.key, doubt, candidates, received_at, notice: notice.record })
}
