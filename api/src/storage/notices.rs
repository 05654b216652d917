//! Newspaper notices by the key of their place on the page: what each says and what it is to which tender.

use index::{
    notices::{Candidate, Doubt, Role, reference_key},
    tender::Tender,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

/// A notice that was sent before.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Names its place on its page.
    pub key: String,
    /// What became of it.
    pub standing: Standing,
    /// What it says, by itself.
    pub record: Tender,
    /// Of what was sent.
    pub content_hash: Vec<u8>,
    /// The clip it was read from.
    pub clip_hash: String,
    /// When it was sent last.
    pub received_at: Timestamp,
    /// Since when it stands so.
    pub decided_at: Timestamp,
    /// A person said so.
    pub by_operator: bool,
}

/// What became of a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// It belongs to a tender.
    Joined {
        /// The tender.
        tender_id: Uuid,
        /// What the notice is to it.
        role: Role,
    },
    /// It waits for a person's word.
    Review {
        /// Why.
        doubt: Doubt,
        /// The tenders that come into question.
        candidates: Vec<Candidate>,
    },
    /// A person said that it is nothing for readers.
    Rejected,
}

impl Standing {
    /// The tender it belongs to.
    #[must_use]
    pub const fn tender_id(&self) -> Option<Uuid> {
        match self {
            Self::Joined { tender_id, .. } => Some(*tender_id),
            Self::Review { .. } | Self::Rejected => None,
        }
    }

    const fn word(&self) -> &'static str {
        match self {
            Self::Joined { role, .. } => role.as_str(),
            Self::Review { .. } => "review",
            Self::Rejected => "rejected",
        }
    }
}

struct Row {
    key: String,
    tender_id: Option<Uuid>,
    role: String,
    record: Json<Tender>,
    content_hash: Vec<u8>,
    clip_hash: String,
    received_at: SqlTimestamp,
    decided_at: SqlTimestamp,
    by_operator: bool,
    doubt: Option<String>,
    candidates: Option<Json<Vec<Candidate>>>,
}

impl From<Row> for Notice {
    fn from(row: Row) -> Self {
        // The table's checks admit no other words, and no tender without a role.
        let standing = match (row.tender_id, row.role.parse().ok(), row.doubt) {
            (Some(tender_id), Some(role), _) => Standing::Joined { tender_id, role },
            (_, _, Some(doubt)) => Standing::Review {
                doubt: doubt.parse().unwrap_or(Doubt::Alike),
                candidates: row.candidates.map(|candidates| candidates.0).unwrap_or_default(),
            },
            _ => Standing::Rejected,
        };
        Self {
            key: row.key,
            standing,
            record: row.record.0,
            content_hash: row.content_hash,
            clip_hash: row.clip_hash,
            received_at: row.received_at.to_jiff(),
            decided_at: row.decided_at.to_jiff(),
            by_operator: row.by_operator,
        }
    }
}

/// Lets one transaction at a time decide what a notice is, until it ends. Two prints of one tender may agree in nothing that
/// a key could be made of, so that there is one lock for all.
///
/// # Errors
/// Whatever the database answers.
pub async fn lock(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended('notices', 0))"#
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// A notice by its key.
///
/// # Errors
/// Whatever the database answers.
pub async fn get(db: impl PgExecutor<'_>, key: &str) -> Result<Option<Notice>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>"
        from notice where key = $1"#,
        key,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Notice::from))
}

/// The notices of a tender.
///
/// # Errors
/// Whatever the database answers.
pub async fn of_tender(db: impl PgExecutor<'_>, tender_id: Uuid) -> Result<Vec<Notice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>"
        from notice where tender_id = $1 order by decided_at, key"#,
        tender_id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Notice::from).collect())
}

/// A page of the notices that wait for a person's word, those sent last first; and how many there are.
///
/// # Errors
/// Whatever the database answers.
pub async fn waiting(
    db: impl PgExecutor<'_> + Copy,
    skip: i64,
    limit: i64,
) -> Result<(Vec<Notice>, i64), sqlx::Error> {
    let count = sqlx::query_scalar!(r#"select count(*) as "count!" from notice where role = 'review'"#)
        .fetch_one(db)
        .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>"
        from notice where role = 'review' order by received_at desc, key offset $1 limit $2"#,
        skip,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok((rows.into_iter().map(Notice::from).collect(), count))
}

/// Corrigenda that wait, those sent last first.
///
/// # Errors
/// Whatever the database answers.
pub async fn waiting_corrigenda(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<Notice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>"
        from notice where role = 'review' and record ->> 'kind' = 'corrigendum'
        order by received_at desc, key limit $1"#,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Notice::from).collect())
}

/// Stores a notice, or what it says and is now.
///
/// # Errors
/// Whatever the database answers.
pub async fn store(tx: &mut PgConnection, notice: &Notice) -> Result<(), sqlx::Error> {
    let (doubt, candidates) = match &notice.standing {
        Standing::Review { doubt, candidates } => (Some(doubt.as_str()), Some(Json(candidates))),
        Standing::Joined { .. } | Standing::Rejected => (None, None),
    };
    sqlx::query!(
        "insert into notice (key, tender_id, role, record, reference_key, content_hash, clip_hash, received_at,
            decided_at, by_operator, doubt, candidates)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        on conflict (key) do update set tender_id = $2, role = $3, record = $4, reference_key = $5, content_hash = $6,
            clip_hash = $7, received_at = $8, decided_at = $9, by_operator = $10, doubt = $11, candidates = $12",
        notice.key,
        notice.standing.tender_id(),
        notice.standing.word(),
        Json(&notice.record) as _,
        reference_key(notice.record.reference_no.as_deref()),
        notice.content_hash,
        notice.clip_hash,
        notice.received_at.to_sqlx() as SqlTimestamp,
        notice.decided_at.to_sqlx() as SqlTimestamp,
        notice.by_operator,
        doubt,
        candidates as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Tenders that a notice may have to do with: the newest with its reference, and the newest that an index which has come to
/// `position` does not hold yet.
///
/// # Errors
/// Whatever the database answers.
pub async fn candidates(
    tx: &mut PgConnection,
    reference_key: Option<&str>,
    position: i64,
    limit: i64,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"(select tender_id as "id!" from notice where reference_key = $1 and tender_id is not null
            order by received_at desc limit $3)
        union
        (select subject_id from change where position > $2 and subject = 'tender' order by position desc limit $3)"#,
        reference_key,
        position,
        limit,
    )
    .fetch_all(tx)
    .await
}
