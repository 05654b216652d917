//! Messages on their way: open while they collect items, sealed with fixed content, leased by whoever sends, and at
//! last sent or dead. Each function moves one step, and only from the state it names.

pub mod sending;

use super::{matches::NewMatch, users};
use crate::schedule::Frequency;
use index::{percolate::Why, tender::Tender, vocabulary::Language};
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

/// Adds a match to the open message of its alert and address, opening one with `id` if there is none. An immediate
/// message is sealed at `seal_at` or, if that comes first, `limit` after it was opened.
///
/// # Errors
/// Whatever the database answers.
pub async fn collect(
    tx: &mut PgConnection,
    id: Uuid,
    item: &NewMatch,
    now: Timestamp,
    seal_at: Timestamp,
    limit: SignedDuration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with stream as (
            insert into delivery (id, user_id, alert_id, kind, channel, frequency, address, state, opened_at, seal_at)
            values ($1, $2, $3, 'alerts', 'email', $4, $5, 'open', $6, $7)
            on conflict (alert_id) where state = 'open' do update
            set seal_at = case when excluded.frequency = 'immediate'
                then least(excluded.seal_at, delivery.opened_at + make_interval(secs => $8)) else delivery.seal_at end
            returning id
        )
        insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select $3, $9, $10, 'new', $5, stream.id, $6 from stream
        on conflict do nothing",
        id,
        item.user_id,
        item.alert_id,
        item.frequency.as_str(),
        item.address,
        now.to_sqlx() as SqlTimestamp,
        seal_at.to_sqlx() as SqlTimestamp,
        limit.as_secs_f64(),
        item.tender_id,
        item.tender_revision,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sends what is still open for a user to another address.
///
/// # Errors
/// Whatever the database answers.
pub async fn readdress(
    tx: &mut PgConnection,
    user_id: Uuid,
    (from, to): (&str, &str),
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set address = $3 from alert
        where delivery.user_id = $1 and delivery.state = 'open' and lower(delivery.address) = lower($2)
            and alert.id = delivery.alert_id and alert.custom_email is null",
        user_id,
        from,
        to,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// How many letters were sealed for a user since a moment.
///
/// # Errors
/// Whatever the database answers.
pub async fn letters_since(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery
        where user_id = $1 and sealed_at > $2 and kind = 'letter'"#,
        user_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Whom a message went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressee {
    /// The message.
    pub delivery_id: Uuid,
    /// What its reader reads.
    pub language: Language,
}

/// Whom a message went to. `None`: there is no such message, or it is nobody's any more.
///
/// # Errors
/// Whatever the database answers.
pub async fn addressee(db: impl PgExecutor<'_>, delivery_id: Uuid) -> Result<Option<Addressee>, sqlx::Error> {
    let language = sqlx::query_scalar!(
        "select u.language from delivery d join users u on u.id = d.user_id where d.id = $1",
        delivery_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(language.map(|language| Addressee { delivery_id, language: users::language(&language) }))
}

/// An open message whose time has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// Its id, from which the Message-ID is made.
    pub id: Uuid,
    /// Where it goes.
    pub address: String,
    /// How often this stream sends.
    pub frequency: Frequency,
    /// Its reader's first name.
    pub first_name: String,
    /// What its reader reads.
    pub language: Language,
}

/// What one message says of one match.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The alert that matched.
    pub alert_id: Uuid,
    /// The alert's name.
    pub alert_name: String,
    /// The tender as it matched.
    pub tender: Tender,
    /// The keyword and its place.
    pub why: Why,
}

/// Takes one open message that is due for the rest of the transaction. `None` when there is none.
///
/// # Errors
/// Whatever the database answers.
pub async fn take_due(tx: &mut PgConnection, now: Timestamp) -> Result<Option<Due>, sqlx::Error> {
    let row = sqlx::query!(
        "select d.id, d.address, d.frequency, u.first_name, u.language
        from delivery d join users u on u.id = d.user_id
        where d.state = 'open' and d.seal_at <= $1
        order by d.seal_at limit 1 for update of d skip locked",
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| Due {
        id: row.id,
        address: row.address,
        frequency: Frequency::from_word(&row.frequency).unwrap_or_default(),
        first_name: row.first_name,
        language: users::language(&row.language),
    }))
}

/// The items of a message, in the order of their alerts' names and of their closing.
///
/// # Errors
/// Whatever the database answers.
pub async fn items(tx: &mut PgConnection, delivery_id: Uuid) -> Result<Vec<Item>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select a.id as alert_id, a.name, r.record as "record: Json<Tender>", m.why as "why: Json<Why>"
        from delivery_item i
        join alert a on a.id = i.alert_id
        join match m on m.alert_id = i.alert_id and m.tender_id = i.tender_id
        join tender_revision r on r.tender_id = i.tender_id and r.revision = i.tender_revision
        where i.delivery_id = $1
        order by a.name, a.id, r.record #>> '{dates,closing}', i.tender_id"#,
        delivery_id,
    )
    .fetch_all(tx)
    .await?;
    let item = rows.into_iter().map(|row| Item {
        alert_id: row.alert_id,
        alert_name: row.name,
        tender: row.record.0,
        why: row.why.0,
    });
    Ok(item.collect())
}

/// Fixes a message's identity and content; from here on it is sent as it is, or not at all.
///
/// # Errors
/// Whatever the database answers.
pub async fn seal(
    tx: &mut PgConnection,
    id: Uuid,
    message_id: &str,
    content: &[u8],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set state = 'sealed', message_id = $2, content = $3, sealed_at = $4, try_at = $4
        where id = $1 and state = 'open'",
        id,
        message_id,
        content,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A message that is sealed from its beginning.
#[derive(Debug, Clone, Copy)]
pub struct Sealed<'a> {
    /// Its id.
    pub id: Uuid,
    /// Whose it is; `None`: the operator's, or nobody's any more. Then it is deleted once it has been sent or given up.
    pub user_id: Option<Uuid>,
    /// Where it goes, confirmed or not: it is what confirms an address.
    pub address: &'a str,
}

/// Stores a message that is to be sent at once, whole.
///
/// # Errors
/// Whatever the database answers.
pub async fn insert_sealed(
    tx: &mut PgConnection,
    message: &Sealed<'_>,
    message_id: &str,
    content: &[u8],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, try_at, is_passing)
        values ($1, $2, 'letter', 'email', 'immediate', $3, 'sealed', $6, $6, $4, $5, $6, $6, $2::uuid is null)",
        message.id,
        message.user_id,
        message.address,
        message_id,
        content,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Drops an open message that has nothing to say.
///
/// # Errors
/// Whatever the database answers.
pub async fn drop_empty(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from delivery where id = $1 and state = 'open'", id).execute(tx).await?;
    Ok(())
}

/// Gives up an open message that can't be put together.
///
/// # Errors
/// Whatever the database answers.
pub async fn abandon(tx: &mut PgConnection, id: Uuid, error: &str) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set state = 'dead', last_error = $2 where id = $1 and state = 'open'",
        id,
        error
    )
    .execute(tx)
    .await?;
    Ok(())
}
