//! The change log of tenders and alerts. Every transaction that adds a revision ends with
//! [`commit`]. It locks the head of the log, gives each change the next position, and holds the
//! lock until the commit. Positions are therefore in commit order, and no follower can skip a
//! change.

use crate::base::{clock::Clock, random::Random};
use index::LogPosition;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgExecutor, Postgres, Transaction};
use uuid::Uuid;

/// The Postgres notification channel for followers of the log.
pub const CHANNEL: &str = "change";

/// What a revision belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A tender.
    Tender,
    /// An alert.
    Alert,
}

impl Subject {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Tender => "tender",
            Self::Alert => "alert",
        }
    }
}

/// A new revision that has no position in the log yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRevision {
    /// What the revision belongs to.
    pub subject: Subject,
    /// The id of the tender or alert.
    pub id: Uuid,
    /// The revision written in the same transaction.
    pub revision: i64,
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its position.
    pub at: LogPosition,
    /// The new revision.
    pub of: NewRevision,
}

/// Appends the revisions to the log in the given order, notifies the followers and commits. Returns
/// the position of the last revision.
///
/// # Errors
/// On an error, the transaction is rolled back.
pub async fn commit(
    mut tx: Transaction<'_, Postgres>,
    revisions: &[NewRevision],
    clock: &Clock,
    random: &Random,
) -> Result<LogPosition, sqlx::Error> {
    let ids: Vec<Uuid> = revisions.iter().map(|_| random.id(clock)).collect();
    let subjects: Vec<String> = revisions.iter().map(|r| r.subject.as_str().to_owned()).collect();
    let subject_ids: Vec<Uuid> = revisions.iter().map(|r| r.id).collect();
    let numbers: Vec<i64> = revisions.iter().map(|r| r.revision).collect();
    // This statement is the only one that locks the head, so writers wait only for commits.
    let position = sqlx::query_scalar!(
        r#"
        with added as (
            select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[])
                with ordinality as a (change_id, subject, subject_id, revision, nth)
        ), head as (
            update change_head
            set position = position + cardinality($1::uuid[]), change_id = coalesce(($1::uuid[])[cardinality($1::uuid[])], change_id)
            returning position
        ), logged as (
            insert into change (position, change_id, subject, subject_id, revision, at)
            select head.position - cardinality($1::uuid[]) + nth, change_id, subject, subject_id, revision, $5
            from added, head
            returning position
        )
        select head.position as "position!" from head, (select pg_notify('change', count(*)::text) from logged) as woken
        "#,
        &ids,
        &subjects,
        &subject_ids,
        &numbers,
        clock.now().to_sqlx() as SqlTimestamp,
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(LogPosition { position, change_id: ids.last().copied().unwrap_or_default() })
}

/// The last position of the log that `db` sees.
pub async fn head(db: impl PgExecutor<'_>) -> Result<LogPosition, sqlx::Error> {
    let row = sqlx::query!("select position, change_id from change_head").fetch_one(db).await?;
    Ok(LogPosition { position: row.position, change_id: row.change_id })
}

/// Whether the log has the given change at the given position. It lacks the change if the database
/// was replaced or restored. Position 0, before the first change, is always accepted.
pub async fn contains(db: impl PgExecutor<'_>, at: LogPosition) -> Result<bool, sqlx::Error> {
    if at.position == 0 {
        return Ok(true);
    }
    let found = sqlx::query_scalar!("select change_id from change where position = $1", at.position)
        .fetch_optional(db)
        .await?;
    Ok(found == Some(at.change_id))
}

/// Up to `limit` changes after a position, in order.
pub async fn after(db: impl PgExecutor<'_>, position: i64, limit: i64) -> Result<Vec<Change>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select position, change_id, subject = 'tender' as "is_tender!", subject_id, revision
        from change where position > $1 order by position limit $2"#,
        position,
        limit,
    )
    .fetch_all(db)
    .await?;
    let change = rows.into_iter().map(|row| Change {
        at: LogPosition { position: row.position, change_id: row.change_id },
        of: NewRevision {
            subject: if row.is_tender { Subject::Tender } else { Subject::Alert },
            id: row.subject_id,
            revision: row.revision,
        },
    });
    Ok(change.collect())
}
