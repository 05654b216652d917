//! GET /operate/review: lists the review queue.

use crate::{
    app::state::AppState,
    clients::clip_image,
    domain::{
        error::{FieldError, ServiceError},
        review::ReviewReason,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    storage::review_queue::{self, ListedReview, QueuePosition},
};
use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tender_model::{
    deduplication::Doubt,
    vocabulary::{Day, Moment},
};
use utoipa::{IntoParams, ToSchema};

/// The requested part of the queue.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReviewQueueQuery {
    /// Only notices that are in the queue for this reason.
    reason: Option<ReviewReason>,
    /// Continue after this position, which the previous part contained as `next`.
    after: Option<String>,
}

/// A notice in the queue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QueuedNotice)]
pub struct QueuedNoticeView {
    /// The notice's key.
    key: String,
    /// Why the notice is in the queue.
    reason: ReviewReason,
    /// Why the notice is not published. `null`: it is published.
    #[schema(required)]
    doubt: Option<Doubt>,
    /// The title, as far as it was read.
    title: String,
    /// The newspaper.
    publication: String,
    /// The date of the issue.
    #[schema(required, value_type = Option<String>, format = Date)]
    issue: Option<Day>,
    /// When bids close.
    #[schema(required)]
    closing: Option<Moment>,
    /// The number of active alerts that match.
    alerts: i32,
    /// When the notice entered the queue.
    entered_at: Moment,
    /// Whether a reviewer holds it now.
    is_claimed: bool,
    /// The fields that are doubtful or were not read.
    doubtful: Vec<String>,
    /// A signed URL of the clip.
    #[schema(required)]
    clip_url: Option<String>,
}

/// A part of the review queue.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewQueue {
    /// The notices, in the order in which they are reviewed.
    notices: Vec<QueuedNoticeView>,
    /// The number of all notices in the queue.
    total: i64,
    /// The number of notices that are not published.
    waiting: i64,
    /// The number of notices that a reviewer holds now.
    claimed: i64,
    /// Send this as `after` to read the next part. `null`: there are no more notices.
    #[schema(required)]
    next: Option<String>,
}

/// The number of notices in a response.
const PAGE_SIZE: usize = 50;

/// List the review queue
#[utoipa::path(get, path = "/operate/review", tag = "review", operation_id = "reviewQueue",
params(ReviewQueueQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "A part of the queue", body = Envelope<ReviewQueue>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_review_queue(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<ReviewQueueQuery>,
) -> ApiResult<ReviewQueue> {
    let invalid =
        || ServiceError::Invalid(vec![FieldError::new("after", "This is not a position in the queue")]);
    let after = query.after.as_deref().map(|text| parse_position(text).ok_or_else(invalid)).transpose()?;
    let now = state.clock.now();
    let mut found = review_queue::page(&state.db, query.reason, after.as_ref(), PAGE_SIZE as i64 + 1).await?;
    let counts = review_queue::counts(&state.db, now).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| format_position(&last.position));
    let notices = found.into_iter().map(|listed| to_view(&state, listed, now)).collect();
    Ok(Envelope::of(ReviewQueue {
        notices,
        total: counts.total,
        waiting: counts.waiting,
        claimed: counts.claimed,
        next,
    }))
}

fn to_view(state: &AppState, listed: ListedReview, now: Timestamp) -> QueuedNoticeView {
    let ListedReview { item, doubt, record, .. } = listed;
    let source = record.sources.first();
    let hash = source.and_then(|source| source.clip_url.as_deref()).and_then(clip_image::hash_of);
    QueuedNoticeView {
        reason: item.reason,
        doubt,
        publication: source.map(|source| source.publication.clone()).unwrap_or_default(),
        issue: source.and_then(|source| source.date),
        closing: record.dates.closing,
        alerts: item.alerts,
        entered_at: Moment::new(item.entered_at),
        is_claimed: item.is_held_from(None, now),
        doubtful: record.uncertain_fields().into_keys().collect(),
        clip_url: hash.and_then(|hash| clip_image::signed_url(&state.signing_key, hash, Moment::new(now))),
        title: record.title,
        key: item.key,
    }
}

/// Writes a position: priority, alerts, closing, entry and key, separated by `~`.
fn format_position(position: &QueuePosition) -> String {
    let closing = position.closing_at.map(|at| at.as_microsecond().to_string()).unwrap_or_default();
    let QueuePosition { priority, alerts, entered_at, key, .. } = position;
    format!("{priority}~{alerts}~{closing}~{}~{key}", entered_at.as_microsecond())
}

fn parse_position(text: &str) -> Option<QueuePosition> {
    let parts: Vec<&str> = text.split('~').collect();
    let [priority, alerts, closing, entered, key] = parts.as_slice() else { return None };
    let moment = |text: &str| Timestamp::from_microsecond(text.parse().ok()?).ok();
    // Postgres reaches less far into the future than jiff.
    let is_storable = |at: &Timestamp| (0..i64::MAX / 1_000_000).contains(&at.as_second());
    Some(QueuePosition {
        priority: priority.parse().ok()?,
        alerts: alerts.parse().ok().filter(|alerts| *alerts >= 0)?,
        closing_at: if closing.is_empty() { None } else { Some(moment(closing).filter(is_storable)?) },
        entered_at: moment(entered).filter(is_storable)?,
        key: super::check_key(key).is_ok().then(|| (*key).to_owned())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_a_round_trip() {
        let key = "0a".repeat(16);
        let position = QueuePosition {
            priority: 1,
            alerts: 7,
            closing_at: None,
            entered_at: Timestamp::from_microsecond(1_700_000_000_123_456).unwrap(),
            key: key.clone(),
        };
        assert_eq!(parse_position(&format_position(&position)), Some(position.clone()));
        let closing = QueuePosition { closing_at: Timestamp::from_second(1_800_000_000).ok(), ..position };
        assert_eq!(parse_position(&format_position(&closing)), Some(closing));
        for wrong in ["", "0~0", &format!("0~-1~~0~{key}"), "0~0~~0~x", &format!("x~0~~0~{key}")] {
            assert_eq!(parse_position(wrong), None, "{wrong}");
        }
    }
}
