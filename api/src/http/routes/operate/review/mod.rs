//! Routes for reviewing notices. A reviewer claims notices, so that nobody else decides about them
//! at the same time.

pub(crate) mod accuracy;
pub(crate) mod claim;
pub(crate) mod decide;
pub(crate) mod list;
pub(crate) mod skip;
pub(crate) mod truth;
pub(crate) mod undo;

use crate::{
    app::state::AppState,
    clients::clip_image,
    domain::{
        error::ServiceError,
        notice::NoticeStanding,
        review::{ReportedMistake, ReviewReason},
    },
    services::tenders::notices::review::claims::NoticeForReview,
};
use serde::Serialize;
use tender_model::{
    deduplication::{Candidate, Doubt},
    notice_words::NoticeWords,
    tender::Tender,
    vocabulary::Moment,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A notice with everything that a reviewer needs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewNotice {
    /// The notice's key.
    key: String,
    /// The version of the notice. A decision repeats it.
    version: String,
    /// Why the notice is in the queue.
    reason: ReviewReason,
    /// Why it is not published. `null`: it is published.
    #[schema(required)]
    doubt: Option<Doubt>,
    /// The tenders that the notice may belong to, most likely first.
    candidates: Vec<Candidate>,
    /// The tender that the notice belongs to.
    #[schema(required)]
    tender: Option<Uuid>,
    /// The number of active alerts that match.
    alerts: i32,
    /// When the notice entered the queue.
    entered_at: Moment,
    /// Until when the caller holds the notice.
    #[schema(required)]
    claimed_until: Option<Moment>,
    /// A signed URL of the clip.
    #[schema(required)]
    clip_url: Option<String>,
    /// The notice's fields, with confidence, evidence and other readings.
    notice: Tender,
    /// The words of the notice with their places on the page.
    words: NoticeWords,
    /// Mistakes that readers reported.
    mistakes: Vec<MistakeView>,
}

/// A mistake that a reader reported.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportedMistake)]
pub struct MistakeView {
    /// What the reader wrote.
    message: String,
    /// When.
    at: Moment,
}

impl From<ReportedMistake> for MistakeView {
    fn from(mistake: ReportedMistake) -> Self {
        Self { message: mistake.message, at: Moment::new(mistake.at) }
    }
}

impl ReviewNotice {
    fn new(state: &AppState, found: NoticeForReview) -> Self {
        let version = found.version();
        let NoticeForReview { item, notice, words, mistakes } = found;
        let (doubt, candidates) = match &notice.standing {
            NoticeStanding::Review { doubt, candidates } => (Some(*doubt), candidates.clone()),
            NoticeStanding::Joined { .. } | NoticeStanding::Rejected => (None, Vec::new()),
        };
        Self {
            key: item.key,
            version,
            reason: item.reason,
            doubt,
            candidates,
            tender: notice.standing.tender_id(),
            alerts: item.alerts,
            entered_at: Moment::new(item.entered_at),
            claimed_until: item.claimed_until.map(Moment::new),
            clip_url: clip_image::signed_url(&state.signing_key, &notice.clip_hash, state.clock.moment()),
            notice: notice.record,
            words,
            mistakes: mistakes.into_iter().map(MistakeView::from).collect(),
        }
    }
}

/// One notice for review.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneReviewNotice {
    /// The notice.
    notice: ReviewNotice,
}

/// Checks the key of a notice: 32 lower-case hex digits.
fn check_key(key: &str) -> Result<(), ServiceError> {
    let is_key = key.len() == 32 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_key { Ok(()) } else { Err(ServiceError::NotFound("Notice")) }
}
