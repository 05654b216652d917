//! POST and DELETE /operate/review/claims, POST /operate/review/{key}/claim: give notices to a
//! reviewer, and back.

use super::{OneReviewNotice, ReviewNotice, check_key};
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, PathName, Reviewer},
    },
    services::tenders::notices::review::claims,
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The maximum number of notices that a call claims.
const MAX_CLAIMED: u32 = 5;

/// How many notices the caller wants to hold.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimForm {
    /// From 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    count: u32,
}

/// The notices that the caller holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimedNotices {
    /// The notices, in the order of the queue.
    notices: Vec<ReviewNotice>,
}

/// Claim the next notices
///
/// Renews the caller's claims for ten minutes, and adds the next free notices until the caller
/// holds `count`.
#[utoipa::path(post, path = "/operate/review/claims", tag = "review", operation_id = "claimReviews",
request_body = ClaimForm, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The notices that the caller holds", body = Envelope<ClaimedNotices>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The number is invalid", body = FailureBody),
))]
pub async fn claim_reviews(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    Body(form): Body<ClaimForm>,
) -> ApiResult<ClaimedNotices> {
    if !(1..=MAX_CLAIMED).contains(&form.count) {
        return Err(ServiceError::Invalid(vec![FieldError::new(
            "count",
            "count: must be a number from 1 to 5",
        )]));
    }
    let claimed = claims::claim_next(&state, &actor, form.count).await?;
    let notices = claimed.into_iter().map(|found| ReviewNotice::new(&state, found)).collect();
    Ok(Envelope::of(ClaimedNotices { notices }))
}

/// Give back all claimed notices
#[utoipa::path(delete, path = "/operate/review/claims", tag = "review", operation_id = "releaseReviews",
security(("operator" = []), ("session" = [])), responses(
    (status = 204, description = "The caller holds no notice"),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
))]
pub async fn release_reviews(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
) -> Result<StatusCode, ServiceError> {
    claims::release(&state, &actor, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Claim a notice
#[utoipa::path(post, path = "/operate/review/{key}/claim", tag = "review", operation_id = "claimReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The notice", body = Envelope<OneReviewNotice>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "The notice is not in the queue", body = FailureBody),
    (status = 409, description = "Another reviewer holds the notice", body = FailureBody),
))]
pub async fn claim_review(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathName(key): PathName,
) -> ApiResult<OneReviewNotice> {
    check_key(&key)?;
    let found = claims::claim(&state, &actor, &key).await?;
    Ok(Envelope::of(OneReviewNotice { notice: ReviewNotice::new(&state, found) }))
}
