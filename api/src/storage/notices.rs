//! Newspaper notices with their records, tenders and roles. The key of a notice identifies the
//! newspaper page and the notice's place on it.

use crate::{
    domain::notice::{Notice, NoticeStanding},
    storage::enum_column::require_known,
};
use jiff::civil;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::{
    deduplication::{Candidate, reference_key},
    notice_words::NoticeWords,
    tender::Tender,
};
use uuid::Uuid;

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
    reviewed_at: Option<SqlTimestamp>,
}

impl TryFrom<Row> for Notice {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let standing = match (row.tender_id, row.doubt, row.role.as_str()) {
            (Some(tender_id), ..) => NoticeStanding::Joined {
                tender_id,
                role: require_known("notice.role", &row.role, row.role.parse().ok())?,
            },
            (None, Some(doubt), _) => NoticeStanding::Review {
                doubt: require_known("notice.doubt", &doubt, doubt.parse().ok())?,
                candidates: row.candidates.map(|candidates| candidates.0).unwrap_or_default(),
            },
            (None, None, word) if word == NoticeStanding::Rejected.as_str() => NoticeStanding::Rejected,
            (None, None, word) => return require_known("notice.role", word, None),
        };
        Ok(Self {
            key: row.key,
            standing,
            record: row.record.0,
            content_hash: row.content_hash,
            clip_hash: row.clip_hash,
            received_at: row.received_at.to_jiff(),
            decided_at: row.decided_at.to_jiff(),
            by_operator: row.by_operator,
            reviewed_at: row.reviewed_at.map(SqlTimestamp::to_jiff),
        })
    }
}

/// Takes the lock for decisions about notices until the transaction ends. There is one lock for all
/// notices, because two notices of the same tender may have nothing in common that could be locked.
pub async fn lock(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended('notices', 0))"#
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// Records that a token uploads notices on a day. Returns whether this is its first upload on that
/// day.
pub async fn is_first_upload(
    tx: &mut PgConnection,
    token: Uuid,
    day: civil::Date,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into token_upload (token_id, day) values ($1, $2) on conflict do nothing",
        token,
        day.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// A notice by its key.
pub async fn get(db: impl PgExecutor<'_>, key: &str) -> Result<Option<Notice>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>", reviewed_at as "reviewed_at: SqlTimestamp"
        from notice where key = $1"#,
        key,
    )
    .fetch_optional(db)
    .await?;
    row.map(Notice::try_from).transpose()
}

/// The notices of a tender.
pub async fn of_tender(db: impl PgExecutor<'_>, tender_id: Uuid) -> Result<Vec<Notice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>", reviewed_at as "reviewed_at: SqlTimestamp"
        from notice where tender_id = $1 order by decided_at, key"#,
        tender_id,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Notice::try_from).collect()
}

/// Corrigenda whose tender a person must decide, last uploaded first.
pub async fn corrigenda_needing_review(
    db: impl PgExecutor<'_>,
    limit: i64,
) -> Result<Vec<Notice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>", reviewed_at as "reviewed_at: SqlTimestamp"
        from notice where role = 'review' and record ->> 'kind' = 'corrigendum'
            and doubt not in ('possibly-no-notice', 'doubtful-fields', 'part')
        order by received_at desc, key limit $1"#,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Notice::try_from).collect()
}

/// The corrigenda that a person assigned to a tender and that wait because the tender was withdrawn.
pub async fn corrigenda_assigned_to(
    db: impl PgExecutor<'_>,
    tender_id: Uuid,
) -> Result<Vec<Notice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select key, tender_id, role, record as "record: Json<Tender>", content_hash, clip_hash,
            received_at as "received_at: SqlTimestamp", decided_at as "decided_at: SqlTimestamp", by_operator, doubt,
            candidates as "candidates: Json<Vec<Candidate>>", reviewed_at as "reviewed_at: SqlTimestamp"
        from notice where doubt = 'no-tender' and by_operator
            and candidates @> jsonb_build_array(jsonb_build_object('tender', $1::uuid))
        order by decided_at, key"#,
        tender_id,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Notice::try_from).collect()
}

/// Inserts or updates a notice.
pub async fn store(tx: &mut PgConnection, notice: &Notice) -> Result<(), sqlx::Error> {
    let (doubt, candidates) = match &notice.standing {
        NoticeStanding::Review { doubt, candidates } => (Some(doubt.as_str()), Some(Json(candidates))),
        NoticeStanding::Joined { .. } | NoticeStanding::Rejected => (None, None),
    };
    sqlx::query!(
        "insert into notice (key, tender_id, role, record, reference_key, content_hash, clip_hash, received_at,
            decided_at, by_operator, doubt, candidates, reviewed_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        on conflict (key) do update set tender_id = $2, role = $3, record = $4, reference_key = $5, content_hash = $6,
            clip_hash = $7, received_at = $8, decided_at = $9, by_operator = $10, doubt = $11, candidates = $12,
            reviewed_at = $13",
        notice.key,
        notice.standing.tender_id(),
        notice.standing.as_str(),
        Json(&notice.record) as _,
        reference_key(notice.record.reference_no.as_deref()),
        notice.content_hash,
        notice.clip_hash,
        notice.received_at.to_sqlx() as SqlTimestamp,
        notice.decided_at.to_sqlx() as SqlTimestamp,
        notice.by_operator,
        doubt,
        candidates as _,
        notice.reviewed_at.map(|at| at.to_sqlx()) as Option<SqlTimestamp>,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Makes the original notice of a tender another print of it.
pub async fn demote_original(tx: &mut PgConnection, tender_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update notice set role = 'source' where tender_id = $1 and role = 'original'", tender_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Records the operator token that sent a notice.
pub async fn store_sender(tx: &mut PgConnection, key: &str, token: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update notice set sent_by = $2 where key = $1", key, token).execute(tx).await?;
    Ok(())
}

/// Stores the words of a notice.
pub async fn store_words(tx: &mut PgConnection, key: &str, words: &NoticeWords) -> Result<(), sqlx::Error> {
    sqlx::query!("update notice set words = $2 where key = $1", key, Json(words) as _).execute(tx).await?;
    Ok(())
}

/// The words of a notice. `None`: the notice was sent without them, or does not exist.
pub async fn words(db: impl PgExecutor<'_>, key: &str) -> Result<Option<NoticeWords>, sqlx::Error> {
    let words = sqlx::query_scalar!(
        r#"select words as "words!: Json<NoticeWords>" from notice where key = $1 and words is not null"#,
        key
    );
    Ok(words.fetch_optional(db).await?.map(|Json(words)| words))
}

/// Records that a notice was cut out of a larger one.
pub async fn store_part_of(tx: &mut PgConnection, key: &str, whole: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("update notice set part_of = $2 where key = $1", key, whole).execute(tx).await?;
    Ok(())
}

/// The keys of the notices that were cut out of a notice.
pub async fn parts_of(db: impl PgExecutor<'_>, whole: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!("select key from notice where part_of = $1 order by key", whole).fetch_all(db).await
}

/// Deletes a notice that waits for review. Returns whether it did.
pub async fn delete_waiting(tx: &mut PgConnection, key: &str) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from notice where key = $1 and role = 'review'", key).execute(tx).await?;
    Ok(done.rows_affected() > 0)
}

/// Tenders to which a notice may belong: those whose notices with the same reference were uploaded
/// last, and those that changed last after `position`. An index at that position lacks these
/// changes.
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
