//! Publishes the notices that `ingest` sends.

use super::{
    relation::{NoticeOutcome, decide_outcome},
    store::{receipt, store_notice},
};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::ServiceError,
        notice::{Notice, NoticeStanding},
    },
    storage::{
        self, audit_log,
        clips::{self, Clip},
        notices,
    },
};
use jiff::Timestamp;
use serde_json::json;
use sqlx::PgConnection;
use tender_model::{
    deduplication::{Doubt, Role},
    notice_words::NoticeWords,
    publish_receipt::{Outcome, Receipt},
    tender::{IS_NOTICE, Tender},
    vocabulary::Moment,
};

/// A notice as `ingest` sent it.
pub struct SentNotice {
    /// The key, which identifies the page and the notice's place on it.
    pub key: String,
    /// The tender record read from the notice. Its id is nil.
    pub record: Tender,
    /// The clip from which the record was read. The clip's file is already stored.
    pub clip: Clip,
    /// The words with their places.
    pub words: Option<NoticeWords>,
    /// Whether the sender's rule holds the notice for review.
    pub is_held: bool,
    /// The hash of the sent content.
    pub content_hash: Vec<u8>,
}

/// Publishes a notice. Sending the same content again changes nothing. If a known notice is sent
/// with new content, the rules decide again how the notice relates to tenders. The standing is kept
/// if an operator decided it, or if the tender was created from this notice. The fields that a person
/// has checked are kept, too.
///
/// # Errors
/// On an error, nothing has changed.
pub async fn publish(context: &Context, actor: &Actor, sent: SentNotice) -> Result<Receipt, ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let unchanged = |known: &Option<Notice>| {
        let known = known.as_ref().filter(|known| known.content_hash == sent.content_hash)?;
        Some(receipt(&known.standing, Outcome::Unchanged))
    };
    if let Some(published) = unchanged(&notices::get(&mut *tx, &sent.key).await?) {
        return Ok(published);
    }
    notices::lock(&mut tx).await?;
    let known = notices::get(&mut *tx, &sent.key).await?;
    if let Some(published) = unchanged(&known) {
        return Ok(published);
    }
    record_upload(&mut tx, actor, &sent.key, now).await?;
    clips::store(&mut tx, &sent.clip, now).await?;
    let stays = known.as_ref().filter(|known| {
        let is_original = matches!(known.standing, NoticeStanding::Joined { role: Role::Original, .. });
        let is_accepted =
            known.reviewed_at.is_some() && matches!(known.standing, NoticeStanding::Joined { .. });
        known.by_operator || is_original || is_accepted
    });
    let record = match known.as_ref().filter(|known| known.reviewed_at.is_some()) {
        Some(known) => with_checked_fields(sent.record, &known.record),
        None => sent.record,
    };
    let decision = match stays {
        Some(known) => NoticeOutcome::As(known.standing.clone()),
        None if sent.is_held => NoticeOutcome::As(held(&record)),
        None => decide_outcome(context, &mut tx, &sent.key, &record, known.as_ref(), None).await?,
    };
    let notice = Notice {
        key: sent.key,
        // A placeholder: `store_notice` sets the decided standing.
        standing: NoticeStanding::Rejected,
        record,
        content_hash: sent.content_hash,
        clip_hash: sent.clip.hash,
        received_at: now,
        decided_at: now,
        by_operator: stays.is_some_and(|known| known.by_operator),
        reviewed_at: known.as_ref().and_then(|known| known.reviewed_at),
    };
    let stored = store_notice(context, &mut tx, notice, known.as_ref(), decision).await?;
    if let ActorIdentity::Token(token) = actor.identity {
        notices::store_sender(&mut tx, &stored.notice.key, token).await?;
    }
    if let Some(words) = &sent.words {
        notices::store_words(&mut tx, &stored.notice.key, words).await?;
    }
    stored.commit(context, tx).await
}

/// Records the first upload by an operator token on a day in Colombo. One entry for each of 100,000
/// notices would hide the other entries. The notices themselves record when they were received.
async fn record_upload(
    tx: &mut PgConnection,
    actor: &Actor,
    key: &str,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let ActorIdentity::Token(token) = actor.identity else { return Ok(()) };
    let day = Moment::new(now).day();
    if notices::is_first_upload(&mut *tx, token, day).await? {
        let entry = NewAuditEntry {
            actor,
            action: AuditAction::UploadNotices,
            subject: AuditSubject::Notice,
            subject_id: key,
            before: None,
            after: Some(json!({"day": day})),
        };
        audit_log::insert(&mut *tx, &entry, now).await?;
    }
    Ok(())
}

/// A new reading of a notice with the fields that a person checked in an earlier reading.
fn with_checked_fields(read: Tender, checked: &Tender) -> Tender {
    Tender { sources: read.sources, full_text_markdown: read.full_text_markdown, ..checked.clone() }
}

/// The standing of a notice that the sender's rule holds for review.
fn held(record: &Tender) -> NoticeStanding {
    let is_doubted = record.is_uncertain(IS_NOTICE);
    let doubt = if is_doubted { Doubt::PossiblyNoNotice } else { Doubt::DoubtfulFields };
    NoticeStanding::Review { doubt, candidates: Vec::new() }
}
