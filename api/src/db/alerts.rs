//! Alerts: who owns one, how it is mailed, and what it asks at each revision.

use super::changes::{NewRevision, Subject};
use crate::schedule::Frequency;
use index::alert::AlertQuery;
use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

/// An alert as its owner saves it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAlert {
    /// 1 to 100 characters.
    pub name: String,
    /// At most 500 characters.
    pub description: Option<String>,
    /// What it asks.
    pub query: AlertQuery,
    /// How its matches are mailed.
    pub email: EmailSettings,
}

/// How an alert's matches are mailed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSettings {
    /// False: matches are recorded, and nothing is sent.
    pub enabled: bool,
    /// How often.
    pub frequency: Frequency,
    /// Another address than its owner's; mail goes there only once it is verified.
    pub custom_email: Option<String>,
    /// When the daily mail leaves, in Colombo.
    pub daily_summary_time: civil::Time,
}

impl Default for EmailSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            frequency: Frequency::Immediate,
            custom_email: None,
            daily_summary_time: civil::time(9, 0, 0, 0),
        }
    }
}

/// Stores a new, active alert. End the transaction with [`super::changes::commit`] and the revision returned.
///
/// # Errors
/// Whatever the database answers.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    alert: &NewAlert,
    at: Timestamp,
) -> Result<NewRevision, sqlx::Error> {
    let time = alert.email.daily_summary_time.to_sqlx();
    sqlx::query!(
        "insert into alert (id, user_id, revision, name, description, is_active, email_enabled, frequency,
            custom_email, daily_summary_time, created_at, updated_at)
        values ($1, $2, 1, $3, $4, true, $5, $6, $7, $8, $9, $9)",
        id,
        user_id,
        alert.name,
        alert.description,
        alert.email.enabled,
        alert.email.frequency.as_str(),
        alert.email.custom_email,
        time as jiff_sqlx::Time,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    add_revision(tx, id, 1, Some(&alert.query), at).await?;
    Ok(NewRevision { subject: Subject::Alert, id, revision: 1 })
}

/// Lets an alert ask something else, or nothing (inactive or deleted) with `None`. `None` when there is no such alert.
///
/// # Errors
/// Whatever the database answers.
pub async fn revise(
    tx: &mut PgConnection,
    id: Uuid,
    query: Option<&AlertQuery>,
    at: Timestamp,
) -> Result<Option<NewRevision>, sqlx::Error> {
    let revision = sqlx::query_scalar!(
        "update alert set revision = revision + 1, is_active = $2, updated_at = $3
        where id = $1 and deleted_at is null returning revision",
        id,
        query.is_some(),
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(revision) = revision else { return Ok(None) };
    add_revision(tx, id, revision, query, at).await?;
    Ok(Some(NewRevision { subject: Subject::Alert, id, revision }))
}

/// Deletes a user's alerts with all that matched and was mailed for them. End the transaction with [`super::changes::commit`] and
/// the revisions returned, which are none any more: whoever follows the log lets go of them.
///
/// # Errors
/// Whatever the database answers.
pub async fn delete_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<Vec<NewRevision>, sqlx::Error> {
    let rows = sqlx::query!("delete from alert where user_id = $1 returning id, revision", user_id)
        .fetch_all(tx)
        .await?;
    let gone = rows.into_iter().map(|row| NewRevision {
        subject: Subject::Alert,
        id: row.id,
        revision: row.revision + 1,
    });
    Ok(gone.collect())
}

async fn add_revision(
    tx: &mut PgConnection,
    id: Uuid,
    revision: i64,
    query: Option<&AlertQuery>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into alert_revision (alert_id, revision, query, at) values ($1, $2, $3, $4)",
        id,
        revision,
        query.map(Json) as Option<Json<&AlertQuery>>,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Every alert that asks something at a position of the log, as it stood there.
///
/// # Errors
/// Whatever the database answers.
pub async fn asking_at(
    db: impl PgExecutor<'_>,
    position: i64,
) -> Result<Vec<(Uuid, AlertQuery)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select r.alert_id, r.query as "query!: Json<AlertQuery>"
        from (
            select distinct on (subject_id) subject_id, revision
            from change where subject = 'alert' and position <= $1
            order by subject_id, position desc
        ) as latest
        join alert_revision r on r.alert_id = latest.subject_id and r.revision = latest.revision
        where r.query is not null
        order by r.alert_id"#,
        position,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.alert_id, row.query.0)).collect())
}

/// Switches off the mails of the alerts whose items a delivery carries. Answers their names.
///
/// # Errors
/// Whatever the database answers.
pub async fn silence_of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
    at: Timestamp,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "update alert set email_enabled = false, updated_at = $2
        where id in (select alert_id from delivery_item where delivery_id = $1) returning name",
        delivery_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await
}

/// The names of the alerts whose items a delivery carries.
///
/// # Errors
/// Whatever the database answers.
pub async fn names_of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select name from alert where id in (select alert_id from delivery_item where delivery_id = $1) order by name",
        delivery_id,
    )
    .fetch_all(db)
    .await
}
