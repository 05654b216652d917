//! Messages of the contact form.

use super::enum_column::decode;
use crate::domain::contact::{
    ContactMessage, MessageCursor, MessageFilter, NewContactMessage, ReportedTender,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores a message.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    message: &NewContactMessage<'_>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into contact_message (id, user_id, name, email, message, is_priority, at, tender_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        message.user_id,
        message.name,
        message.email,
        message.message,
        message.is_priority,
        at.to_sqlx() as SqlTimestamp,
        message.tender_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the messages of a user: those sent while signed in, and those of no account that name a
/// confirmed address of the user.
pub async fn delete_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from contact_message where user_id = $1 or (user_id is null and lower(email) in (
            select lower(email) from address where user_id = $1 and verified_at is not null))",
        user_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    at: SqlTimestamp,
    user_id: Option<Uuid>,
    name: String,
    email: String,
    message: String,
    is_priority: bool,
    tender_id: Option<Uuid>,
    tender_title: Option<String>,
    tender_status: Option<String>,
    answered_at: Option<SqlTimestamp>,
    answered_by: Option<String>,
    note: Option<String>,
}

impl TryFrom<Row> for ContactMessage {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let tender = match (row.tender_id, row.tender_title, row.tender_status) {
            (Some(id), Some(title), Some(status)) => {
                Some(ReportedTender { id, title, status: decode("tender.status", &status)? })
            }
            _ => None,
        };
        Ok(Self {
            id: row.id,
            at: row.at.to_jiff(),
            user_id: row.user_id,
            name: row.name,
            email: row.email,
            message: row.message,
            is_priority: row.is_priority,
            tender,
            answered_at: row.answered_at.map(SqlTimestamp::to_jiff),
            answered_by: row.answered_by,
            note: row.note,
        })
    }
}

/// At most `limit` messages after a position. Open messages with priority come first, and then the
/// oldest. Of the answered messages, the latest comes first.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &MessageFilter,
    after: Option<MessageCursor>,
    limit: i64,
) -> Result<Vec<ContactMessage>, sqlx::Error> {
    if filter.is_answered {
        page_of_answered(db, filter, after, limit).await
    } else {
        page_of_open(db, filter, after, limit).await
    }
}

async fn page_of_open(
    db: impl PgExecutor<'_>,
    filter: &MessageFilter,
    after: Option<MessageCursor>,
    limit: i64,
) -> Result<Vec<ContactMessage>, sqlx::Error> {
    // Ids are UUIDv7, so they are in the order of arrival.
    let rows = sqlx::query_as!(
        Row,
        r#"select m.id, m.at as "at: SqlTimestamp", m.user_id, m.name, m.email, m.message, m.is_priority, m.tender_id,
            r.record ->> 'title' as tender_title, t.status as "tender_status?", m.answered_at as "answered_at: SqlTimestamp",
            null::text as answered_by, m.note
        from contact_message m
        left join tender t on t.id = m.tender_id
        left join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where m.answered_at is null
            and ($1::text is null or strpos(lower(m.name || ' ' || m.email || ' ' || m.message), lower($1)) > 0)
            and ($2::boolean is null or (m.is_priority = $2 and m.id > $3) or (not m.is_priority and $2))
        order by m.is_priority desc, m.id limit $4"#,
        filter.search,
        after.map(|after| after.is_priority),
        after.map(|after| after.id),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(ContactMessage::try_from).collect()
}

async fn page_of_answered(
    db: impl PgExecutor<'_>,
    filter: &MessageFilter,
    after: Option<MessageCursor>,
    limit: i64,
) -> Result<Vec<ContactMessage>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select m.id, m.at as "at: SqlTimestamp", m.user_id, m.name, m.email, m.message, m.is_priority, m.tender_id,
            r.record ->> 'title' as tender_title, t.status as "tender_status?", m.answered_at as "answered_at: SqlTimestamp",
            u.email as "answered_by?", m.note
        from contact_message m
        left join tender t on t.id = m.tender_id
        left join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        left join users u on u.id = m.answered_by
        where m.answered_at is not null
            and ($1::text is null or strpos(lower(m.name || ' ' || m.email || ' ' || m.message), lower($1)) > 0)
            and ($2::uuid is null or m.id < $2)
        order by m.id desc limit $3"#,
        filter.search,
        after.map(|after| after.id),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(ContactMessage::try_from).collect()
}

/// Holds a message until the transaction ends. Returns whether it is answered, and its note.
pub async fn hold(tx: &mut PgConnection, id: Uuid) -> Result<Option<(bool, Option<String>)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select answered_at is not null as "is_answered!", note from contact_message where id = $1 for update"#,
        id
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| (row.is_answered, row.note)))
}

/// Sets the note of a message, and marks it as answered or open. `answered`: by whom and when.
pub async fn set_answered(
    tx: &mut PgConnection,
    id: Uuid,
    answered: Option<(Option<Uuid>, Timestamp)>,
    note: Option<&str>,
) -> Result<(), sqlx::Error> {
    let (by, at) = answered.unzip();
    sqlx::query!(
        "update contact_message set answered_at = $2, answered_by = $3, note = $4 where id = $1",
        id,
        at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        by.flatten(),
        note,
    )
    .execute(tx)
    .await?;
    Ok(())
}
