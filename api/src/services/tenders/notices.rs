//! Publishing of notices: a notice becomes a new tender, another source or a correction of an
//! existing tender, or a case for review. `tender_model::deduplication` contains the rules. This
//! module finds the tenders that a notice may belong to. It stores the notice, the tender and the
//! change in one transaction.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::ServiceError,
        notice::{Notice, NoticeStanding},
        tender::CurrentTender,
    },
    storage::{
        audit_log,
        changes::{self, NewRevision},
        clips::{self, Clip},
        moderation, notices, tenders,
    },
};
use anyhow::Context as _;
use serde_json::{Value, json};
use sqlx::{PgConnection, Postgres, Transaction};
use std::collections::BTreeSet;
use tender_model::publish_receipt::{Outcome, Receipt};
use tender_model::{
    deduplication::{
        Candidate, Decision, Doubt, Role, TenderNotice, compose, correct, decide, is_taken_down, merge_print,
        reference_key,
    },
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// A notice as `ingest` sent it.
pub struct SentNotice {
    /// The key, which identifies the page and the notice's place on it.
    pub key: String,
    /// The tender record read from the notice. Its id is nil.
    pub record: Tender,
    /// The clip from which the record was read. The clip's file is already stored.
    pub clip: Clip,
    /// The hash of the sent content.
    pub content_hash: Vec<u8>,
}

/// The decision of an operator about a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewDecision {
    /// The notice becomes a new tender.
    Tender,
    /// The notice joins this tender in this role.
    Joins(Uuid, Role),
    /// The notice is not published.
    Reject,
}

impl ReviewDecision {
    fn to_audit_value(self) -> Value {
        match self {
            Self::Tender => json!({"decision": "tender"}),
            Self::Joins(tender, role) => json!({"decision": role, "tender": tender}),
            Self::Reject => json!({"decision": "reject"}),
        }
    }
}

/// The maximum number of candidates with the same reference, and of candidates that changed since
/// the index was updated.
const MAX_DATABASE_CANDIDATES: i64 = 300;
/// The maximum number of similar tenders that the index returns as candidates.
const MAX_INDEX_CANDIDATES: usize = 20;
/// A tender is compared with at most this many waiting corrigenda when one of its notices is
/// stored.
const MAX_WAITING_CORRIGENDA: i64 = 200;
/// A notice is compared with at most this many tenders that were taken down, the latest first. The
/// index lacks these tenders.
const MAX_TAKEN_DOWN_CANDIDATES: i64 = 300;

/// Publishes a notice. Sending the same content again changes nothing. If a known notice is sent
/// with new content, the rules decide again how the notice relates to tenders. The standing is kept
/// if an operator decided it, or if the tender was created from this notice.
///
/// # Errors
/// On an error, nothing has changed.
pub async fn publish(context: &Context, actor: &Actor, sent: SentNotice) -> Result<Receipt, ServiceError> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
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
        known.by_operator || is_original
    });
    let decision = match stays {
        Some(known) => NoticeOutcome::As(known.standing.clone()),
        None => decide_outcome(context, &mut tx, &sent.key, &sent.record, known.as_ref(), None).await?,
    };
    let notice = Notice {
        key: sent.key,
        // A placeholder: `store_notice` sets the decided standing.
        standing: NoticeStanding::Rejected,
        record: sent.record,
        content_hash: sent.content_hash,
        clip_hash: sent.clip.hash,
        received_at: now,
        decided_at: now,
        by_operator: stays.is_some_and(|known| known.by_operator),
    };
    store_notice(context, tx, notice, known, decision).await
}

/// Records the first upload by an operator token on a day in Colombo. One entry for each of 100,000
/// notices would hide the other entries. The notices themselves record when they were received.
async fn record_upload(
    tx: &mut PgConnection,
    actor: &Actor,
    key: &str,
    now: jiff::Timestamp,
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

/// Applies an operator's decision to a notice that waits for review.
///
/// # Errors
/// 404 if the notice or tender does not exist, 409 if the notice is not waiting for review.
pub async fn apply_review(
    context: &Context,
    actor: &Actor,
    key: &str,
    decision: ReviewDecision,
) -> Result<Receipt, ServiceError> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    notices::lock(&mut tx).await?;
    let known = notices::get(&mut *tx, key).await?.ok_or(ServiceError::NotFound("Notice"))?;
    if !matches!(known.standing, NoticeStanding::Review { .. }) {
        return Err(ServiceError::Conflict(
            "This notice is not waiting for review: it has been decided already".into(),
        ));
    }
    let entry = NewAuditEntry {
        actor,
        action: AuditAction::DecideReview,
        subject: AuditSubject::Notice,
        subject_id: key,
        before: None,
        after: Some(decision.to_audit_value()),
    };
    audit_log::insert(&mut *tx, &entry, now).await?;
    let decision = match decision {
        ReviewDecision::Tender => NoticeOutcome::New,
        ReviewDecision::Reject => NoticeOutcome::As(NoticeStanding::Rejected),
        ReviewDecision::Joins(tender_id, role) => {
            let tender = tenders::current(&mut *tx, tender_id).await?;
            tender
                .filter(|current| current.tender.status.is_public())
                .ok_or(ServiceError::NotFound("Tender"))?;
            NoticeOutcome::As(NoticeStanding::Joined { tender_id, role })
        }
    };
    let notice = Notice { by_operator: true, decided_at: now, ..known.clone() };
    store_notice(context, tx, notice, Some(known), decision).await
}

/// The decided outcome of a notice.
enum NoticeOutcome {
    /// The notice becomes a new tender.
    New,
    /// The notice gets this standing.
    As(NoticeStanding),
}

const fn receipt(standing: &NoticeStanding, outcome: Outcome) -> Receipt {
    let outcome = match standing {
        NoticeStanding::Review { .. } => Outcome::Review,
        NoticeStanding::Joined { .. } | NoticeStanding::Rejected => outcome,
    };
    Receipt { id: standing.tender_id(), outcome }
}

/// Stores a notice, updates its current and its previous tender, and commits.
async fn store_notice(
    context: &Context,
    mut tx: Transaction<'static, Postgres>,
    mut notice: Notice,
    before: Option<Notice>,
    decision: NoticeOutcome,
) -> Result<Receipt, ServiceError> {
    let now = context.clock.now();
    let mut revisions = Vec::new();
    let is_new = matches!(decision, NoticeOutcome::New);
    notice.standing = match decision {
        NoticeOutcome::As(standing) => standing,
        NoticeOutcome::New => {
            let tender = Tender {
                id: context.random.id(&context.clock),
                status: TenderStatus::Published,
                published_at: Some(context.clock.moment()),
                ..notice.record.clone()
            };
            revisions.push(tenders::insert(&mut tx, &tender, None, now).await?);
            NoticeStanding::Joined { tender_id: tender.id, role: Role::Original }
        }
    };
    let was = before.as_ref().map(|before| &before.standing);
    let joins_same_tender = |one: &NoticeStanding, other: &NoticeStanding| match (one, other) {
        (
            NoticeStanding::Joined { tender_id: a, role: b },
            NoticeStanding::Joined { tender_id: c, role: d },
        ) => (a, b) == (c, d),
        _ => false,
    };
    let stayed = was.is_some_and(|was| joins_same_tender(was, &notice.standing));
    if let Some(before) = before.as_ref().filter(|_| stayed) {
        notice.decided_at = before.decided_at;
    }
    notices::store(&mut tx, &notice).await?;
    let (left, joined) = (was.and_then(NoticeStanding::tender_id), notice.standing.tender_id());
    if let Some(tender_id) = joined {
        revisions.extend(recompose(&mut tx, tender_id, now).await?);
        revisions.extend(apply_waiting_corrigenda(context, &mut tx, tender_id).await?);
    }
    if let Some(tender_id) = left.filter(|_| left != joined) {
        revisions.extend(recompose(&mut tx, tender_id, now).await?);
    }
    let outcome = match (&notice.standing, revisions.is_empty()) {
        _ if is_new => Outcome::Created,
        (_, true) if stayed => Outcome::Unchanged,
        (_, false) if stayed => Outcome::Updated,
        (NoticeStanding::Joined { role: Role::Correction, .. }, _) => Outcome::Corrected,
        (NoticeStanding::Joined { .. }, _) => Outcome::Merged,
        _ => Outcome::Updated,
    };
    if revisions.is_empty() {
        tx.commit().await?;
    } else {
        changes::commit(tx, &revisions, &context.clock, &context.random).await?;
    }
    Ok(receipt(&notice.standing, outcome))
}

/// Decides the outcome of a notice by the rules. `fresh` is a tender that this transaction has just
/// stored. It replaces an older version among the candidates.
async fn decide_outcome(
    context: &Context,
    tx: &mut PgConnection,
    key: &str,
    record: &Tender,
    known: Option<&Notice>,
    fresh: Option<&Tender>,
) -> Result<NoticeOutcome, ServiceError> {
    let mut candidates = find_candidates(context, tx, record).await?;
    // A notice must not match its own tender by what it contributed to that tender. The tender is
    // therefore composed from its other notices.
    let own = known.and_then(|known| known.standing.tender_id());
    for current in candidates.iter_mut().filter(|current| Some(current.tender.id) == own) {
        let others = notices::of_tender(&mut *tx, current.tender.id).await?;
        let parts = to_tender_notices(others.into_iter().filter(|other| other.key != key));
        current.tender = compose(&current.tender, &parts).unwrap_or_else(|| current.tender.clone());
    }
    let mut compared_tenders: Vec<Tender> =
        candidates.iter().map(|current| as_compared(&current.tender)).collect();
    if let Some(fresh) = fresh {
        compared_tenders.retain(|tender| tender.id != fresh.id);
        compared_tenders.push(fresh.clone());
    }
    let joined = |tender_id: Uuid, role: Role| {
        let current = candidates.iter().find(|current| current.tender.id == tender_id);
        match current.filter(|current| current.owner_id.is_some()) {
            Some(CurrentTender { tender, .. }) => NoticeStanding::Review {
                doubt: Doubt::Owned,
                candidates: vec![Candidate { tender: tender_id, title: tender.title.clone(), likeness: 1.0 }],
            },
            None => NoticeStanding::Joined { tender_id, role },
        }
    };
    Ok(match decide(record, &compared_tenders) {
        Decision::New => NoticeOutcome::New,
        Decision::Source(tender_id) => NoticeOutcome::As(joined(tender_id, Role::Source)),
        Decision::Correction(tender_id) => NoticeOutcome::As(joined(tender_id, Role::Correction)),
        Decision::Review(doubt, candidates) => {
            NoticeOutcome::As(NoticeStanding::Review { doubt, candidates })
        }
    })
}

/// The tender that a notice is compared with. A tender that was taken down is compared as a published
/// one. Otherwise, another print of it would become a new tender.
fn as_compared(tender: &Tender) -> Tender {
    let status = if is_taken_down(tender) { TenderStatus::Published } else { tender.status };
    Tender { status, ..tender.clone() }
}

/// Finds the tenders that a notice may belong to: similar ones in the index, those with the same
/// reference, changed ones that the index may lack, and those that were taken down.
async fn find_candidates(
    context: &Context,
    tx: &mut PgConnection,
    record: &Tender,
) -> Result<Vec<CurrentTender>, ServiceError> {
    // The position is read before the search. A tender that is indexed meanwhile is then found
    // twice instead of never.
    let position = context.index_store.position().map_or(0, |at| at.position);
    let (index_store, wanted) = (context.index_store.clone(), record.clone());
    let found = tokio::task::spawn_blocking(move || index_store.duplicates(&wanted, MAX_INDEX_CANDIDATES));
    let found = found.await.context("comparing tenders")?.context("comparing tenders")?;
    let key = reference_key(record.reference_no.as_deref());
    let mut ids: BTreeSet<Uuid> = notices::candidates(tx, key.as_deref(), position, MAX_DATABASE_CANDIDATES)
        .await?
        .into_iter()
        .collect();
    ids.extend(found.into_iter().map(|duplicate| duplicate.id));
    ids.extend(moderation::taken_down(&mut *tx, MAX_TAKEN_DOWN_CANDIDATES).await?);
    Ok(tenders::by_ids(tx, &ids.into_iter().collect::<Vec<_>>()).await?)
}

/// Rebuilds a tender from its notices. A revision is stored only if a field other than `confidence`
/// differs.
async fn recompose(
    tx: &mut PgConnection,
    tender_id: Uuid,
    now: jiff::Timestamp,
) -> Result<Option<NewRevision>, ServiceError> {
    tenders::lock(tx, tender_id).await?;
    let current =
        tenders::current(&mut *tx, tender_id).await?.ok_or(ServiceError::NotFound("Tender"))?.tender;
    let parts = to_tender_notices(notices::of_tender(&mut *tx, tender_id).await?);
    let tender = compose(&current, &parts).unwrap_or_else(|| {
        // A supplier's tender has no original notice. Its notices are added to the owner's text.
        let mut tender = current.clone();
        for part in &parts {
            merge_print(&mut tender, &part.notice);
            correct(&mut tender, &part.notice, part.at);
        }
        tender
    });
    let seen = |tender: &Tender| Tender { confidence: Default::default(), ..tender.clone() };
    if seen(&tender) == seen(&current) {
        return Ok(None);
    }
    Ok(tenders::revise(tx, &tender, now).await?)
}

fn to_tender_notices(notices: impl IntoIterator<Item = Notice>) -> Vec<TenderNotice> {
    let part = |notice: Notice| {
        let NoticeStanding::Joined { role, .. } = notice.standing else { return None };
        Some(TenderNotice { role, notice: notice.record, at: Moment::new(notice.decided_at) })
    };
    notices.into_iter().filter_map(part).collect()
}

/// Applies the corrigenda in review that turn out to correct this tender. A corrigendum may be in
/// review because it was sent before its tender.
async fn apply_waiting_corrigenda(
    context: &Context,
    tx: &mut PgConnection,
    tender_id: Uuid,
) -> Result<Option<NewRevision>, ServiceError> {
    let now = context.clock.now();
    let Some(CurrentTender { tender, .. }) = tenders::current(&mut *tx, tender_id).await? else {
        return Ok(None);
    };
    let mut applied = false;
    for waiting in notices::corrigenda_needing_review(&mut *tx, MAX_WAITING_CORRIGENDA).await? {
        if decide(&waiting.record, std::slice::from_ref(&tender)) != Decision::Correction(tender_id) {
            continue;
        }
        // The corrigendum fits this tender, but it may also fit another one.
        let decision =
            decide_outcome(context, &mut *tx, &waiting.key, &waiting.record, Some(&waiting), Some(&tender))
                .await?;
        if let NoticeOutcome::As(standing @ NoticeStanding::Joined { .. }) = decision
            && standing.tender_id() == Some(tender_id)
        {
            notices::store(tx, &Notice { standing, decided_at: now, ..waiting }).await?;
            applied = true;
        }
    }
    if applied { recompose(tx, tender_id, now).await } else { Ok(None) }
}
