//! Finds the tender that a notice belongs to.

use crate::{
    app::context::Context,
    domain::{
        error::ServiceError,
        notice::{Notice, NoticeStanding},
        tender::CurrentTender,
    },
    services::search::recency,
    storage::{moderation, notices, tenders},
};
use anyhow::Context as _;
use sqlx::PgConnection;
use std::collections::BTreeSet;
use tender_model::{
    deduplication::{
        Candidate, Decision, Doubt, Role, TenderNotice, compose, decide, is_taken_down, reference_key,
    },
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// The maximum number of candidates with the same reference, and of candidates that changed since
/// the index was updated.
const MAX_DATABASE_CANDIDATES: i64 = recency::MAX_MISSING_CHANGES;
/// The maximum number of similar tenders that the index returns as candidates.
const MAX_INDEX_CANDIDATES: usize = 20;
/// A notice is compared with at most this many tenders that were taken down, the latest first. The
/// index lacks these tenders.
const MAX_TAKEN_DOWN_CANDIDATES: i64 = 300;
/// The decided outcome of a notice.
pub(super) enum NoticeOutcome {
    /// The notice becomes a new tender.
    New,
    /// The notice gets this standing.
    As(NoticeStanding),
    /// A decision is undone: the notice gets back this standing, and its tender is published again.
    Restored(NoticeStanding),
}

/// Decides the outcome of a notice by the rules. `fresh` is a tender that this transaction has just
/// stored. It replaces an older version among the candidates.
pub(super) async fn decide_outcome(
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
///
/// # Errors
///
/// 503 if the index lacks too many changes. A further print of an older tender would otherwise become a
/// second tender.
async fn find_candidates(
    context: &Context,
    tx: &mut PgConnection,
    record: &Tender,
) -> Result<Vec<CurrentTender>, ServiceError> {
    // The position is read before the search. A tender that is indexed meanwhile is then found
    // twice instead of never.
    const INDEX_IS_BUILT: ServiceError =
        ServiceError::Busy("The portal is building its search index. Please try again in a moment.");
    let position = recency::recent_position(context, &mut *tx).await?.ok_or(INDEX_IS_BUILT)?;
    let (search_engine, wanted) = (context.search_engine.clone(), record.clone());
    let found = tokio::task::spawn_blocking(move || search_engine.duplicates(&wanted, MAX_INDEX_CANDIDATES));
    let found = found.await.context("comparing tenders")??;
    let key = reference_key(record.reference_no.as_deref());
    let mut ids: BTreeSet<Uuid> = notices::candidates(tx, key.as_deref(), position, MAX_DATABASE_CANDIDATES)
        .await?
        .into_iter()
        .collect();
    ids.extend(found.into_iter().map(|duplicate| duplicate.id));
    ids.extend(moderation::taken_down(&mut *tx, MAX_TAKEN_DOWN_CANDIDATES).await?);
    Ok(tenders::by_ids(tx, &ids.into_iter().collect::<Vec<_>>()).await?)
}

/// The notices of a tender as the rules for composing need them.
pub(super) fn to_tender_notices(notices: impl IntoIterator<Item = Notice>) -> Vec<TenderNotice> {
    let part = |notice: Notice| {
        let NoticeStanding::Joined { role, .. } = notice.standing else { return None };
        Some(TenderNotice { role, notice: notice.record, at: Moment::new(notice.decided_at) })
    };
    notices.into_iter().filter_map(part).collect()
}
