//! What became of the notices of a withdrawal and of their tenders.

use crate::domain::{
    batch::{WithdrawnNotice, WithdrawnTender},
    review::NoticeState,
};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashSet;
use uuid::Uuid;

/// The next notices to reject: at least `limit`, with all pending notices of their tenders.
pub async fn pending(
    tx: &mut PgConnection,
    id: Uuid,
    limit: i64,
) -> Result<Vec<(String, Option<Uuid>)>, sqlx::Error> {
    let rows = sqlx::query!(
        "with next as (
            select b.notice_key, n.tender_id from batch_withdrawal_notice b join notice n on n.key = b.notice_key
            where b.withdrawal_id = $1 and b.state = 'pending' order by b.notice_key limit $2
        )
        select b.notice_key, n.tender_id from batch_withdrawal_notice b join notice n on n.key = b.notice_key
        where b.withdrawal_id = $1 and b.state = 'pending'
            and (b.notice_key in (select notice_key from next) or n.tender_id in (select tender_id from next))
        order by n.tender_id, b.notice_key",
        id,
        limit
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.notice_key, row.tender_id)).collect())
}

/// The next notices to restore: at least `limit`, with all notices that left the same tenders.
pub async fn withdrawn(
    tx: &mut PgConnection,
    id: Uuid,
    limit: i64,
) -> Result<Vec<WithdrawnNotice>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with next as (
            select notice_key, tender_id from batch_withdrawal_notice
            where withdrawal_id = $1 and state = 'withdrawn' order by notice_key limit $2
        )
        select b.notice_key, b.tender_id, b.before as "before!: Json<NoticeState>" from batch_withdrawal_notice b
        where b.withdrawal_id = $1 and b.state = 'withdrawn'
            and (b.notice_key in (select notice_key from next) or b.tender_id in (select tender_id from next))
        order by b.tender_id, b.notice_key"#,
        id,
        limit
    )
    .fetch_all(tx)
    .await?;
    let notice = rows.into_iter().map(|row| WithdrawnNotice {
        key: row.notice_key,
        before: row.before.0,
        tender_id: row.tender_id,
    });
    Ok(notice.collect())
}

/// Records that a notice was rejected, and what it was before.
pub async fn record_withdrawn(
    tx: &mut PgConnection,
    id: Uuid,
    notice: &WithdrawnNotice,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_notice set state = 'withdrawn', before = $3, tender_id = $4
        where withdrawal_id = $1 and notice_key = $2",
        id,
        notice.key,
        Json(&notice.before) as _,
        notice.tender_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that a notice was skipped or restored.
pub async fn record_notice(
    tx: &mut PgConnection,
    id: Uuid,
    key: &str,
    is_restored: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_notice set state = case when $3 then 'restored' else 'skipped' end
        where withdrawal_id = $1 and notice_key = $2",
        id,
        key,
        is_restored,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records the revision that withdraws a tender.
pub async fn record_tender(
    tx: &mut PgConnection,
    id: Uuid,
    tender: WithdrawnTender,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into batch_withdrawal_tender (withdrawal_id, tender_id, revision) values ($1, $2, $3)",
        id,
        tender.id,
        tender.revision
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether a withdrawal has withdrawn a tender.
pub async fn has_withdrawn(db: impl PgExecutor<'_>, id: Uuid, tender_id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from batch_withdrawal_tender
            where withdrawal_id = $1 and tender_id = $2 and restored_revision is null) as "found!""#,
        id,
        tender_id
    )
    .fetch_one(db)
    .await
}

/// Records the revision that publishes a tender again.
pub async fn record_restored(
    tx: &mut PgConnection,
    id: Uuid,
    tender: WithdrawnTender,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_tender set restored_revision = $3 where withdrawal_id = $1 and tender_id = $2",
        id,
        tender.id,
        tender.revision
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Those of the revisions that withdrawals of batches, or their undos, have made. Their readers are
/// mailed once for the whole batch.
pub async fn revisions_of_batches(
    db: impl PgExecutor<'_>,
    revisions: &[(Uuid, i64)],
) -> Result<HashSet<(Uuid, i64)>, sqlx::Error> {
    let (tenders, numbers): (Vec<Uuid>, Vec<i64>) = revisions.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select c.tender_id as "tender_id!", c.revision as "revision!"
        from unnest($1::uuid[], $2::bigint[]) as c (tender_id, revision)
        join batch_withdrawal_tender b on b.tender_id = c.tender_id
            and (b.revision = c.revision or b.restored_revision = c.revision)"#,
        &tenders,
        &numbers,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.tender_id, row.revision)).collect())
}

/// Whether the matcher has reached all revisions of a withdrawal. Before, a message about one of its
/// tenders may still be opened or sealed.
pub async fn is_matched(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select not exists (
            select from batch_withdrawal_tender b
            join change c on c.subject = 'tender' and c.subject_id = b.tender_id
                and c.revision in (b.revision, b.restored_revision)
            where b.withdrawal_id = $1 and c.position > (select min(position) from matcher_shard)
        ) as "matched!""#,
        id
    )
    .fetch_one(db)
    .await
}

/// The tenders of a withdrawal that are still withdrawn.
pub async fn withdrawn_tenders(
    db: impl PgExecutor<'_>,
    id: Uuid,
) -> Result<Vec<WithdrawnTender>, sqlx::Error> {
    sqlx::query_as!(
        WithdrawnTender,
        "select b.tender_id as id, b.revision
        from batch_withdrawal_tender b join tender t on t.id = b.tender_id and t.status = 'withdrawn'
        where b.withdrawal_id = $1",
        id
    )
    .fetch_all(db)
    .await
}
