//! What reviewers decided about notices.

use super::enum_column::decode;
use crate::domain::review::{NoticeState, ReviewDecision, ReviewDecisionKind, RevisionChange};
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

/// Stores a decision, and how long the reviewer worked on the notice, if that is known.
pub async fn insert(
    tx: &mut PgConnection,
    decision: &ReviewDecision,
    work: Option<SignedDuration>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into review_decision (id, notice_key, at, actor_id, decision, reject_reason, created_tender_id, before, after,
            revision_before, revision_after, is_sample, is_no_notice, seconds)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        decision.id,
        decision.key,
        decision.at.to_sqlx() as SqlTimestamp,
        decision.actor_id,
        <&str>::from(decision.kind),
        decision.reject_reason,
        decision.created_tender,
        Json(&decision.before) as _,
        Json(&decision.after) as _,
        decision.owned_tender.map(|change| change.before),
        decision.owned_tender.map(|change| change.after),
        decision.is_sample,
        decision.is_no_notice.then_some(true),
        work.and_then(|work| i32::try_from(work.as_secs()).ok()),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// When a user or token made the last decision that was not undone.
pub async fn last_at(tx: &mut PgConnection, actor_id: Uuid) -> Result<Option<Timestamp>, sqlx::Error> {
    let at = sqlx::query_scalar!(
        r#"select max(at) as "at: SqlTimestamp" from review_decision where actor_id = $1 and undone_at is null"#,
        actor_id,
    )
    .fetch_one(tx)
    .await?;
    Ok(at.map(SqlTimestamp::to_jiff))
}

/// Locks and returns the last decision of a user or token that was made at or after a time and was
/// not undone.
pub async fn lock_last(
    tx: &mut PgConnection,
    actor_id: Uuid,
    since: Timestamp,
) -> Result<Option<ReviewDecision>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select id, notice_key, at as "at: SqlTimestamp", actor_id, decision, reject_reason, created_tender_id,
            before as "before: Json<NoticeState>", after as "after: Json<NoticeState>",
            revision_before, revision_after, is_sample, is_no_notice
        from review_decision where actor_id = $1 and undone_at is null and at >= $2
        order by at desc, id desc limit 1 for update"#,
        actor_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        Ok(ReviewDecision {
            id: row.id,
            key: row.notice_key,
            at: row.at.to_jiff(),
            actor_id: row.actor_id,
            kind: decode::<ReviewDecisionKind>("review_decision.decision", &row.decision)?,
            reject_reason: row.reject_reason,
            created_tender: row.created_tender_id,
            is_sample: row.is_sample,
            is_no_notice: row.is_no_notice == Some(true),
            owned_tender: row
                .revision_before
                .zip(row.revision_after)
                .map(|(before, after)| RevisionChange { before, after }),
            before: row.before.0,
            after: row.after.0,
        })
    })
    .transpose()
}

/// Marks a decision as undone.
pub async fn mark_undone(tx: &mut PgConnection, id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update review_decision set undone_at = $2 where id = $1",
        id,
        now.to_sqlx() as SqlTimestamp
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The tender that an undone decision created for a notice, if the tender is still withdrawn and
/// has no notice.
pub async fn withdrawn_tender(tx: &mut PgConnection, key: &str) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select t.id from review_decision d join tender t on t.id = d.created_tender_id
        where d.notice_key = $1 and d.undone_at is not null and t.status = 'withdrawn' and t.taken_down_at is null
            and not exists (select from notice n where n.tender_id = t.id)
        order by d.at desc limit 1",
        key,
    )
    .fetch_optional(tx)
    .await
}
