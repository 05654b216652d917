//! The claims of reviewers: a reviewer claims notices of the queue, so that nobody else decides them
//! meanwhile.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity},
        error::ServiceError,
        notice::Notice,
        review::{CLAIM_DURATION, ReportedMistake, ReviewItem},
    },
    storage::{self, notices, review_queue},
};
use jiff::Timestamp;
use sqlx::PgConnection;
use tender_model::notice_words::NoticeWords;
use uuid::Uuid;

/// A notice with everything that a reviewer needs.
#[derive(Debug, Clone, PartialEq)]
pub struct NoticeForReview {
    /// The entry in the queue.
    pub item: ReviewItem,
    /// The notice.
    pub notice: Notice,
    /// Its words.
    pub words: NoticeWords,
    /// What readers reported.
    pub mistakes: Vec<ReportedMistake>,
}

impl NoticeForReview {
    /// The version of the notice, which a decision repeats.
    #[must_use]
    pub fn version(&self) -> String {
        version(&self.notice, &self.mistakes)
    }
}

/// A version of a notice: it differs if the notice was sent again with other content, or decided, or
/// if another reader has reported a mistake.
pub(super) fn version(notice: &Notice, mistakes: &[ReportedMistake]) -> String {
    let content: String = notice.content_hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let reported_at = mistakes.first().map_or(0, |latest| latest.at.as_millisecond());
    format!("{content}-{}-{reported_at}", notice.decided_at.as_millisecond())
}

/// The user or token that holds claims. The command line cannot hold any.
pub(super) const fn holder(actor: &Actor) -> Option<Uuid> {
    match actor.identity {
        ActorIdentity::User(id) | ActorIdentity::Token(id) => Some(id),
        ActorIdentity::CommandLine(_) => None,
    }
}

/// Like [`holder`], but refuses the command line.
pub(super) fn required_holder(actor: &Actor) -> Result<Uuid, ServiceError> {
    holder(actor).ok_or(ServiceError::Forbidden("Only a reviewer or an administrator may do this"))
}

/// When a claim that begins now ends.
pub(super) fn claim_end(now: Timestamp) -> Timestamp {
    now.checked_add(CLAIM_DURATION).unwrap_or(Timestamp::MAX)
}

const HELD: &str = "Another reviewer has this notice open";

/// Renews the claims of a reviewer, and claims the next notices until the reviewer holds `count`.
/// Returns them in the order of the queue.
pub async fn claim_next(
    context: &Context,
    actor: &Actor,
    count: u32,
) -> Result<Vec<NoticeForReview>, ServiceError> {
    let (holder, now) = (required_holder(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    let items = review_queue::claim_next(&mut tx, holder, i64::from(count), now, claim_end(now)).await?;
    let mut claimed = Vec::with_capacity(items.len());
    for item in items {
        claimed.extend(load(&mut tx, item).await?);
    }
    tx.commit().await?;
    Ok(claimed)
}

/// Claims a notice.
///
/// # Errors
/// 404 if the notice is not in the queue, 409 if another reviewer holds it.
pub async fn claim(context: &Context, actor: &Actor, key: &str) -> Result<NoticeForReview, ServiceError> {
    let (holder, now) = (required_holder(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    let item = lock_item(&mut tx, key, Some(holder), now).await?.ok_or(ServiceError::NotFound("Notice"))?;
    let until = claim_end(now);
    review_queue::claim_one(&mut tx, key, holder, now, until).await?;
    let item = ReviewItem { claimed_by: Some(holder), claimed_until: Some(until), ..item };
    let found = load(&mut tx, item).await?.ok_or(ServiceError::NotFound("Notice"))?;
    tx.commit().await?;
    Ok(found)
}

/// Moves a notice to the end of the queue.
///
/// # Errors
/// 404 if the notice is not in the queue, 409 if another reviewer holds it.
pub async fn skip(context: &Context, actor: &Actor, key: &str) -> Result<(), ServiceError> {
    let (holder, now) = (required_holder(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    lock_item(&mut tx, key, Some(holder), now).await?.ok_or(ServiceError::NotFound("Notice"))?;
    review_queue::skip(&mut *tx, key, holder, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends the claims of a reviewer: all, or that of one notice.
pub async fn release(context: &Context, actor: &Actor, key: Option<&str>) -> Result<(), ServiceError> {
    review_queue::release(&context.db, required_holder(actor)?, key).await?;
    Ok(())
}

/// Locks the queue entry of a notice that nobody else holds. `None`: it is not in the queue.
pub(super) async fn lock_item(
    tx: &mut PgConnection,
    key: &str,
    holder: Option<Uuid>,
    now: Timestamp,
) -> Result<Option<ReviewItem>, ServiceError> {
    let item = review_queue::lock(tx, key).await?;
    if item.as_ref().is_some_and(|item| item.is_held_from(holder, now)) {
        return Err(ServiceError::Conflict(HELD.into()));
    }
    Ok(item)
}

/// Reads the notice of a queue entry. `None`: there is no such notice.
pub(super) async fn load(
    tx: &mut PgConnection,
    item: ReviewItem,
) -> Result<Option<NoticeForReview>, ServiceError> {
    let Some(notice) = notices::get(&mut *tx, &item.key).await? else { return Ok(None) };
    let words = notices::words(&mut *tx, &item.key).await?.unwrap_or_default();
    let mistakes = review_queue::mistakes(&mut *tx, &item.key).await?;
    Ok(Some(NoticeForReview { item, notice, words, mistakes }))
}
