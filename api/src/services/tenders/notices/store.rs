//! Stores a notice, its current and its previous tender, and their changes, in one transaction.

use super::relation::{NoticeOutcome, decide_outcome, to_tender_notices};
use crate::{
    app::context::Context,
    domain::{
        error::ServiceError,
        notice::{Notice, NoticeStanding},
        review::{NoticeState, ReviewReason},
        tender::CurrentTender,
    },
    storage::{
        changes::{self, NewRevision},
        notices, review_decisions, review_queue, tenders,
    },
};
use jiff::Timestamp;
use sqlx::{PgConnection, Postgres, Transaction};
use tender_model::{
    deduplication::{Candidate, Decision, Doubt, Role, compose, correct, decide, merge_print},
    publish_receipt::{Outcome, Receipt},
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// A tender is compared with at most this many waiting corrigenda when one of its notices is
/// stored.
const MAX_WAITING_CORRIGENDA: i64 = 200;

pub(super) const fn receipt(standing: &NoticeStanding, outcome: Outcome) -> Receipt {
    let outcome = match standing {
        NoticeStanding::Review { .. } => Outcome::Review,
        NoticeStanding::Joined { .. } | NoticeStanding::Rejected => outcome,
    };
    Receipt { id: standing.tender_id(), outcome }
}

/// A stored notice, whose transaction has not ended yet.
pub(super) struct StoredNotice {
    /// The answer to the sender.
    pub(super) receipt: Receipt,
    /// The notice as it was stored.
    pub(super) notice: Notice,
    /// The tender that the notice created.
    pub(super) created: Option<Uuid>,
    /// The changed tenders.
    revisions: Vec<NewRevision>,
}

impl StoredNotice {
    /// Gives a tender an earlier text back, in the same transaction.
    pub(super) async fn revert(
        &mut self,
        tx: &mut PgConnection,
        earlier: &Tender,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        self.revisions.extend(tenders::revise(tx, earlier, now).await?);
        Ok(())
    }

    /// Ends the transaction, and adds the changes to the log.
    pub(super) async fn commit(
        self,
        context: &Context,
        tx: Transaction<'static, Postgres>,
    ) -> Result<Receipt, ServiceError> {
        if self.revisions.is_empty() {
            tx.commit().await?;
        } else {
            changes::commit(tx, &self.revisions, &context.clock, &context.random).await?;
        }
        Ok(self.receipt)
    }
}

/// Stores a notice, and updates its current tender, its previous tender and the review queue.
pub(super) async fn store_notice(
    context: &Context,
    tx: &mut PgConnection,
    mut notice: Notice,
    before: Option<&Notice>,
    decision: NoticeOutcome,
) -> Result<StoredNotice, ServiceError> {
    let now = context.clock.now();
    let mut revisions = Vec::new();
    let (mut created, mut is_restored) = (None, false);
    notice.standing = match decision {
        NoticeOutcome::As(standing) => standing,
        NoticeOutcome::Restored(standing) => {
            is_restored = true;
            restored_standing(tx, standing).await?
        }
        NoticeOutcome::New => {
            let (tender_id, revision) = create_tender(context, tx, &notice).await?;
            revisions.extend(revision);
            created = Some(tender_id);
            NoticeStanding::Joined { tender_id, role: Role::Original }
        }
    };
    let was = before.map(|before| &before.standing);
    let joins_same_tender = |one: &NoticeStanding, other: &NoticeStanding| match (one, other) {
        (
            NoticeStanding::Joined { tender_id: a, role: b },
            NoticeStanding::Joined { tender_id: c, role: d },
        ) => (a, b) == (c, d),
        _ => false,
    };
    let stayed = was.is_some_and(|was| joins_same_tender(was, &notice.standing));
    if let Some(before) = before.filter(|_| stayed) {
        notice.decided_at = before.decided_at;
    }
    let (left, joined) = (was.and_then(NoticeStanding::tender_id), notice.standing.tender_id());
    let left = left.filter(|_| left != joined);
    // The tender that the notice comes back to may have got another original in the meantime.
    if let (true, NoticeStanding::Joined { tender_id, role: Role::Original }) =
        (is_restored, &notice.standing)
    {
        notices::demote_original(&mut *tx, *tender_id).await?;
    }
    notices::store(&mut *tx, &notice).await?;
    if let NoticeStanding::Joined { tender_id, role } = notice.standing {
        let is_restored = is_restored && role == Role::Original;
        if is_restored {
            rejoin_corrigenda(tx, tender_id).await?;
        }
        revisions.extend(recompose(tx, tender_id, is_restored, now).await?);
        revisions.extend(apply_waiting_corrigenda(context, tx, tender_id).await?);
    }
    if let Some(tender_id) = left {
        revisions.extend(leave(context, tx, tender_id).await?);
    }
    queue_notice(context, tx, &notice).await?;
    for tender_id in joined.into_iter().chain(left) {
        for other in
            notices::of_tender(&mut *tx, tender_id).await?.iter().filter(|other| other.key != notice.key)
        {
            queue_notice(context, tx, other).await?;
        }
    }
    let outcome = match (&notice.standing, revisions.is_empty()) {
        _ if created.is_some() => Outcome::Created,
        (_, true) if stayed => Outcome::Unchanged,
        (_, false) if stayed => Outcome::Updated,
        (NoticeStanding::Joined { role: Role::Correction, .. }, _) => Outcome::Corrected,
        (NoticeStanding::Joined { .. }, _) => Outcome::Merged,
        _ => Outcome::Updated,
    };
    Ok(StoredNotice { receipt: receipt(&notice.standing, outcome), notice, created, revisions })
}

/// Rejects notices of one tender, or one notice that has no tender, and updates the tender once.
/// Returns the tender's new revision.
pub(super) async fn reject_notices(
    context: &Context,
    tx: &mut PgConnection,
    tender_id: Option<Uuid>,
    notices: Vec<Notice>,
) -> Result<Option<NewRevision>, ServiceError> {
    let now = context.clock.now();
    for notice in notices {
        review_queue::remove(tx, &notice.key).await?;
        let rejected =
            Notice { standing: NoticeStanding::Rejected, by_operator: true, decided_at: now, ..notice };
        notices::store(tx, &rejected).await?;
    }
    let Some(tender_id) = tender_id else { return Ok(None) };
    let revision = leave(context, tx, tender_id).await?;
    for other in notices::of_tender(&mut *tx, tender_id).await? {
        queue_notice(context, tx, &other).await?;
    }
    Ok(revision)
}

/// Gives rejected notices of one tender, or one notice without a tender, their earlier states back,
/// and updates the tender once. With `publishes`, the tender is published again. Returns the tender's
/// new revisions.
pub(super) async fn restore_notices(
    context: &Context,
    tx: &mut PgConnection,
    tender_id: Option<Uuid>,
    mut notices: Vec<(Notice, NoticeState)>,
    publishes: bool,
) -> Result<Vec<NewRevision>, ServiceError> {
    let now = context.clock.now();
    if let Some(tender_id) = tender_id {
        tenders::lock(&mut *tx, tender_id).await?;
    }
    // The original comes first, so that the other prints and the corrigenda find their tender.
    notices.sort_by_key(|(_, before)| match before.standing {
        NoticeStanding::Joined { role: Role::Original, .. } => 0,
        NoticeStanding::Joined { role: Role::Source, .. } => 1,
        _ => 2,
    });
    let mut restored = Vec::with_capacity(notices.len());
    for (notice, before) in notices {
        let standing = restored_standing(tx, before.standing).await?;
        if let NoticeStanding::Joined { tender_id, role: Role::Original } = standing {
            notices::demote_original(&mut *tx, tender_id).await?;
        }
        // The fields stay, because the notice may have been read again in the meantime.
        let notice = Notice {
            standing,
            by_operator: before.by_operator,
            reviewed_at: before.reviewed_at,
            decided_at: before.decided_at,
            ..notice
        };
        notices::store(tx, &notice).await?;
        restored.push(notice);
    }
    let mut revisions = Vec::new();
    if let Some(tender_id) = tender_id {
        if publishes {
            rejoin_corrigenda(tx, tender_id).await?;
        }
        revisions.extend(recompose(tx, tender_id, publishes, now).await?);
        revisions.extend(apply_waiting_corrigenda(context, tx, tender_id).await?);
        restored.extend(notices::of_tender(&mut *tx, tender_id).await?);
    }
    for notice in &restored {
        queue_notice(context, tx, notice).await?;
    }
    Ok(revisions)
}

/// Creates the tender of a notice. If a decision that created a tender for the notice was undone,
/// that tender is published again, so that nobody is told of it twice.
async fn create_tender(
    context: &Context,
    tx: &mut PgConnection,
    notice: &Notice,
) -> Result<(Uuid, Option<NewRevision>), ServiceError> {
    let now = context.clock.now();
    let tender = Tender {
        id: context.random.id(&context.clock),
        status: TenderStatus::Published,
        published_at: Some(context.clock.moment()),
        ..notice.record.clone()
    };
    let Some(id) = review_decisions::withdrawn_tender(&mut *tx, &notice.key).await? else {
        return Ok((tender.id, Some(tenders::insert(tx, &tender, None, now).await?)));
    };
    let current = tenders::current(&mut *tx, id).await?;
    let published_at = current.and_then(|current| current.tender.published_at).or(tender.published_at);
    Ok((id, tenders::revise(tx, &Tender { id, published_at, ..tender }, now).await?))
}

/// The standing of a notice whose decision is undone. The other notices of its tender may have left
/// meanwhile: a print then becomes the original, and a corrigendum waits for its tender.
async fn restored_standing(
    tx: &mut PgConnection,
    standing: NoticeStanding,
) -> Result<NoticeStanding, ServiceError> {
    let NoticeStanding::Joined { tender_id, role: role @ (Role::Source | Role::Correction) } = standing
    else {
        return Ok(standing);
    };
    let current = tenders::current(&mut *tx, tender_id).await?.ok_or(ServiceError::NotFound("Tender"))?;
    let has_original = notices::of_tender(&mut *tx, tender_id)
        .await?
        .iter()
        .any(|other| matches!(other.standing, NoticeStanding::Joined { role: Role::Original, .. }));
    Ok(match role {
        _ if has_original || current.owner_id.is_some() => standing,
        Role::Correction => NoticeStanding::Review { doubt: Doubt::NoTender, candidates: Vec::new() },
        Role::Original | Role::Source => NoticeStanding::Joined { tender_id, role: Role::Original },
    })
}

/// Gives a tender that comes back the corrigenda that a person assigned to it. They wait since it was
/// withdrawn.
async fn rejoin_corrigenda(tx: &mut PgConnection, tender_id: Uuid) -> Result<(), ServiceError> {
    for waiting in notices::corrigenda_assigned_to(&mut *tx, tender_id).await? {
        let standing = NoticeStanding::Joined { tender_id, role: Role::Correction };
        notices::store(&mut *tx, &Notice { standing, ..waiting }).await?;
    }
    Ok(())
}

/// Updates a tender that a notice has left. If it was the original, the earliest other print
/// becomes the original. If there is no other print, the tender is withdrawn, and its corrigenda
/// wait for review. Those that a person assigned join it again if it comes back.
async fn leave(
    context: &Context,
    tx: &mut PgConnection,
    tender_id: Uuid,
) -> Result<Option<NewRevision>, ServiceError> {
    let now = context.clock.now();
    tenders::lock(&mut *tx, tender_id).await?;
    let current = tenders::current(&mut *tx, tender_id).await?.ok_or(ServiceError::NotFound("Tender"))?;
    let others = notices::of_tender(&mut *tx, tender_id).await?;
    let has_role = |other: &Notice, wanted: Role| matches!(other.standing, NoticeStanding::Joined { role, .. } if role == wanted);
    if current.owner_id.is_some() || others.iter().any(|other| has_role(other, Role::Original)) {
        return recompose(tx, tender_id, false, now).await;
    }
    if let Some(print) = others.iter().find(|other| has_role(other, Role::Source)) {
        let standing = NoticeStanding::Joined { tender_id, role: Role::Original };
        notices::store(&mut *tx, &Notice { standing, ..print.clone() }).await?;
        return recompose(tx, tender_id, false, now).await;
    }
    for corrigendum in others {
        let former = Candidate { tender: tender_id, title: current.tender.title.clone(), likeness: 1.0 };
        let candidates = if corrigendum.by_operator { vec![former] } else { Vec::new() };
        let standing = NoticeStanding::Review { doubt: Doubt::NoTender, candidates };
        let waiting = Notice { standing, decided_at: now, ..corrigendum };
        notices::store(&mut *tx, &waiting).await?;
        queue_notice(context, tx, &waiting).await?;
    }
    if !current.tender.status.is_public() {
        return Ok(None);
    }
    let withdrawn = Tender { status: TenderStatus::Withdrawn, ..current.tender };
    Ok(tenders::revise(tx, &withdrawn, now).await?)
}

/// Adds a notice to the review queue if it needs a reviewer or is chosen for a random check,
/// otherwise removes it.
async fn queue_notice(context: &Context, tx: &mut PgConnection, notice: &Notice) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let reason = match &notice.standing {
        NoticeStanding::Review { doubt, .. } => Some(ReviewReason::from(*doubt)),
        NoticeStanding::Rejected | NoticeStanding::Joined { role: Role::Correction, .. } => None,
        NoticeStanding::Joined { tender_id, .. } => {
            let is_doubtful = notice.reviewed_at.is_none() && notice.record.needs_review;
            let current = if is_doubtful { tenders::current(&mut *tx, *tender_id).await? } else { None };
            // Another print of the tender may be certain about the doubtful fields.
            let needs_review = |tender: &Tender| tender.needs_review && tender.status.is_public();
            let is_sample =
                notice.reviewed_at.is_none() && is_sampled(&notice.key, context.config.review_sample);
            let sample = is_sample.then_some(ReviewReason::Sample);
            current.filter(|current| needs_review(&current.tender)).map(|_| ReviewReason::Fields).or(sample)
        }
    };
    let closing = notice.record.dates.closing.map(Moment::timestamp);
    match reason {
        Some(reason) => review_queue::put(tx, &notice.key, reason, closing, now).await?,
        None => review_queue::remove_unless_mistake(tx, &notice.key).await?,
    }
    Ok(())
}

/// Whether a notice belongs to the random share of notices. It depends on the key only, so that the
/// answer stays the same.
fn is_sampled(key: &str, share: f64) -> bool {
    const CHECKED_DIGITS: usize = 8;
    let number = key.get(..CHECKED_DIGITS).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| f64::from(number) < share * f64::from(u32::MAX))
}

/// Rebuilds a tender from its notices. A revision is stored only if a field other than `confidence`
/// differs. A tender that is restored is published again if it was withdrawn.
async fn recompose(
    tx: &mut PgConnection,
    tender_id: Uuid,
    is_restored: bool,
    now: Timestamp,
) -> Result<Option<NewRevision>, ServiceError> {
    tenders::lock(tx, tender_id).await?;
    let stored = tenders::current(&mut *tx, tender_id).await?.ok_or(ServiceError::NotFound("Tender"))?.tender;
    let mut current = stored.clone();
    if is_restored && current.status == TenderStatus::Withdrawn {
        current.status = TenderStatus::Published;
    }
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
    if seen(&tender) == seen(&stored) {
        return Ok(None);
    }
    Ok(tenders::revise(tx, &tender, now).await?)
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
    if applied { recompose(tx, tender_id, false, now).await } else { Ok(None) }
}
