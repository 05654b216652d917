//! Revisions of tenders and alerts, loaded in bulk for the jobs that follow the change log.

use super::changes::{Change, Subject};
use futures::{Stream, TryStreamExt};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::{alert::AlertQuery, tender::Tender};
use uuid::Uuid;

/// A revision of a tender, with the tender's owner.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnedTender {
    /// The record at this revision.
    pub tender: Tender,
    /// The owner. `None`: the tender was read from a newspaper, or the owner's account is deleted.
    pub owner: Option<Uuid>,
}

/// The tender revisions of some changes, by id and revision. Revisions of a deleted draft are
/// absent.
pub async fn tenders(
    db: impl PgExecutor<'_>,
    changes: &[Change],
) -> Result<HashMap<(Uuid, i64), OwnedTender>, sqlx::Error> {
    let (ids, revisions) = subject_revisions(changes, Subject::Tender);
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision, r.record as "record: Json<Tender>", t.owner_id
        from unnest($1::uuid[], $2::bigint[]) as wanted (id, revision)
        join tender_revision r on r.tender_id = wanted.id and r.revision = wanted.revision
        join tender t on t.id = wanted.id"#,
        &ids,
        &revisions,
    )
    .fetch_all(db)
    .await?;
    let owned = rows.into_iter().map(|row| {
        ((row.tender_id, row.revision), OwnedTender { tender: row.record.0, owner: row.owner_id })
    });
    Ok(owned.collect())
}

/// The queries of the alert revisions of some changes, by id and revision. Revisions that
/// deactivate or delete an alert are absent.
pub async fn alerts(
    db: impl PgExecutor<'_>,
    changes: &[Change],
) -> Result<HashMap<(Uuid, i64), AlertQuery>, sqlx::Error> {
    let (ids, revisions) = subject_revisions(changes, Subject::Alert);
    let rows = sqlx::query!(
        r#"select r.alert_id, r.revision, r.query as "query!: Json<AlertQuery>"
        from unnest($1::uuid[], $2::bigint[]) as wanted (id, revision)
        join alert_revision r on r.alert_id = wanted.id and r.revision = wanted.revision
        where r.query is not null"#,
        &ids,
        &revisions,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| ((row.alert_id, row.revision), row.query.0)).collect())
}

/// Streams the current revision of every tender that is neither a draft nor withdrawn, in no
/// particular order.
pub fn all_listed<'a>(
    db: impl PgExecutor<'a> + 'a,
) -> impl Stream<Item = Result<OwnedTender, sqlx::Error>> + Send + 'a {
    sqlx::query!(
        r#"select r.record as "record: Json<Tender>", t.owner_id
        from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.status not in ('draft', 'withdrawn')"#
    )
    .fetch(db)
    .map_ok(|row| OwnedTender { tender: row.record.0, owner: row.owner_id })
}

/// The tender revisions among these changes that users are notified of. They change the closing,
/// cancel or withdraw the tender, or revoke a cancellation or withdrawal. Changes of drafts are
/// left out.
pub async fn needing_notification(
    db: impl PgExecutor<'_>,
    changes: &[Change],
) -> Result<Vec<(Uuid, i64)>, sqlx::Error> {
    let (ids, revisions) = subject_revisions(changes, Subject::Tender);
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision
        from unnest($1::uuid[], $2::bigint[]) as wanted (id, revision)
        join tender_revision r on r.tender_id = wanted.id and r.revision = wanted.revision
        join tender_revision before on before.tender_id = wanted.id and before.revision = wanted.revision - 1
        where before.record ->> 'status' <> 'draft' and (
            (r.record #>> '{dates,closing}') is distinct from (before.record #>> '{dates,closing}')
            or (r.record ->> 'status' = 'cancelled') <> (before.record ->> 'status' = 'cancelled')
            or (r.record ->> 'status' = 'withdrawn') <> (before.record ->> 'status' = 'withdrawn'))
        order by r.tender_id, r.revision"#,
        &ids,
        &revisions,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.tender_id, row.revision)).collect())
}

/// The current revisions of published tenders that close within a span of time, both ends included.
pub async fn closing_within(
    db: impl PgExecutor<'_>,
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<(i64, Tender)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.revision, r.record as "record: Json<Tender>"
        from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.status = 'published' and t.closing_at between $1 and $2 order by t.id"#,
        from.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.revision, row.record.0)).collect())
}

fn subject_revisions(changes: &[Change], subject: Subject) -> (Vec<Uuid>, Vec<i64>) {
    changes
        .iter()
        .filter(|change| change.of.subject == subject)
        .map(|change| (change.of.id, change.of.revision))
        .unzip()
}
