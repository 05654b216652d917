//! Alerts: their owners, delivery settings, and the query of each revision.

use super::changes::{NewRevision, Subject};
use crate::{
    domain::{
        alert::{DailyMatches, EmailSettings, NewAlert, StoredAlert},
        alert_shard::AlertShard,
        channel::DirectChannel,
    },
    storage::enum_column::decode,
};
use futures::{Stream, TryStreamExt};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::{alert::AlertQuery, vocabulary::Day};
use uuid::Uuid;

fn decode_channels(column: &'static str, values: &[String]) -> Result<Vec<DirectChannel>, sqlx::Error> {
    values.iter().map(|value| decode(column, value)).collect()
}

fn encode_channels(channels: &[DirectChannel]) -> Vec<String> {
    channels.iter().map(|channel| channel.as_str().to_owned()).collect()
}

/// Stores a new, active alert. The caller must end the transaction with
/// [`super::changes::commit`] and pass it the returned revision.
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
            custom_email, daily_summary_time, created_at, updated_at, query, channels)
        values ($1, $2, 1, $3, $4, true, $5, $6, $7, $8, $9, $9, $10, $11)",
        id,
        user_id,
        alert.name,
        alert.description,
        alert.email.enabled,
        alert.email.frequency.as_str(),
        alert.email.custom_email,
        time as jiff_sqlx::Time,
        at.to_sqlx() as SqlTimestamp,
        Json(&alert.query) as Json<&AlertQuery>,
        &encode_channels(&alert.channels),
    )
    .execute(&mut *tx)
    .await?;
    add_revision(tx, id, 1, Some(&alert.query), at).await?;
    Ok(NewRevision { subject: Subject::Alert, id, revision: 1 })
}

/// Records which form submission created an alert, and the digest of the form.
///
/// # Errors
/// A second alert of a user from the same submission fails with a unique violation.
pub async fn record_submission(
    tx: &mut PgConnection,
    id: Uuid,
    submission: Uuid,
    digest: &[u8; 32],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update alert set submission = $2, submitted_digest = $3 where id = $1",
        id,
        submission,
        digest.as_slice(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The alert that a submission of a user created, and whether its form had this digest.
pub async fn of_submission(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    submission: Uuid,
    digest: &[u8; 32],
) -> Result<Option<(Uuid, bool)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select id, submitted_digest = $3 as "is_same!" from alert where user_id = $1 and submission = $2"#,
        user_id,
        submission,
        digest.as_slice(),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.is_same)))
}

/// Replaces an alert of a user or of the user's team. An inactive alert stays inactive. The caller
/// must end the transaction with [`super::changes::commit`] and pass it the returned revision.
/// `None`: there is no such alert.
pub async fn rewrite(
    tx: &mut PgConnection,
    user_id: Uuid,
    id: Uuid,
    alert: &NewAlert,
    at: Timestamp,
) -> Result<Option<NewRevision>, sqlx::Error> {
    let time = alert.email.daily_summary_time.to_sqlx();
    let row = sqlx::query!(
        "update alert set revision = revision + 1, name = $3, description = $4, email_enabled = $5, frequency = $6,
            custom_email = $7, daily_summary_time = $8, updated_at = $9, query = $10, channels = $11
        where id = $2 and user_id in (select mate_id from teammate where teammate.user_id = $1) and deleted_at is null returning revision, is_active",
        user_id,
        id,
        alert.name,
        alert.description,
        alert.email.enabled,
        alert.email.frequency.as_str(),
        alert.email.custom_email,
        time as jiff_sqlx::Time,
        at.to_sqlx() as SqlTimestamp,
        Json(&alert.query) as Json<&AlertQuery>,
        &encode_channels(&alert.channels),
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    add_revision(tx, id, row.revision, row.is_active.then_some(&alert.query), at).await?;
    Ok(Some(NewRevision { subject: Subject::Alert, id, revision: row.revision }))
}

/// Switches an alert of a user or of the user's team on or off. Returns the new revision and
/// whether the alert is on. The caller must end the transaction with [`super::changes::commit`] and
/// pass it the revision. `None`: there is no such alert.
pub async fn toggle(
    tx: &mut PgConnection,
    user_id: Uuid,
    id: Uuid,
    at: Timestamp,
) -> Result<Option<(NewRevision, bool)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"update alert set revision = revision + 1, is_active = not is_active, updated_at = $3
        where id = $2 and user_id in (select mate_id from teammate where teammate.user_id = $1) and deleted_at is null
        returning revision, is_active, query as "query: Json<AlertQuery>""#,
        user_id,
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    add_revision(tx, id, row.revision, row.is_active.then_some(&row.query.0), at).await?;
    Ok(Some((NewRevision { subject: Subject::Alert, id, revision: row.revision }, row.is_active)))
}

/// Deletes an alert of a user or of the user's team, and the alert's open messages. Its matches
/// stay but are not shown. The caller must end the transaction with [`super::changes::commit`] and
/// pass it the returned revision. `None`: there is no such alert.
pub async fn remove(
    tx: &mut PgConnection,
    user_id: Uuid,
    id: Uuid,
    at: Timestamp,
) -> Result<Option<NewRevision>, sqlx::Error> {
    let revision = sqlx::query_scalar!(
        "update alert set revision = revision + 1, is_active = false, updated_at = $3, deleted_at = $3
        where id = $2 and user_id in (select mate_id from teammate where teammate.user_id = $1) and deleted_at is null returning revision",
        user_id,
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(revision) = revision else { return Ok(None) };
    add_revision(tx, id, revision, None, at).await?;
    sqlx::query!("delete from delivery where alert_id = $1 and state = 'open'", id).execute(&mut *tx).await?;
    Ok(Some(NewRevision { subject: Subject::Alert, id, revision }))
}

/// The number of alerts of a user and the user's team.
pub async fn count(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from alert where user_id in (select mate_id from teammate where teammate.user_id = $1) and deleted_at is null"#,
        user_id
    )
    .fetch_one(db)
    .await
}

/// The alerts of a user and the user's team, newest first, or only the alert with the given id.
pub async fn of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Option<Uuid>,
) -> Result<Vec<StoredAlert>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select a.id, a.name, a.description, a.is_active,
            case when a.user_id <> $1 then maker.first_name end as made_by, a.query as "query: Json<AlertQuery>", a.email_enabled, a.frequency,
            a.custom_email, a.daily_summary_time as "daily_summary_time: jiff_sqlx::Time",
            a.created_at as "created_at: SqlTimestamp", a.updated_at as "updated_at: SqlTimestamp",
            met.matches as "matches!", met.at as "matched_at: SqlTimestamp", told.mails as "mails!",
            exists (
                select from address join users u on u.id = address.user_id
                where u.id = a.user_id and address.verified_at is not null
                    and lower(address.email) = lower(coalesce(a.custom_email, u.email))
            ) as "has_confirmed_address!", a.channels,
            array(
                select c.channel from unnest(a.channels) as c (channel) where a.is_active and not exists (
                    select from alert_address r where r.alert_id = a.id and r.channel = c.channel
                )
            ) as "silent!"
        from alert a
        join users maker on maker.id = a.user_id
        cross join lateral (select count(*) as matches, max(at) as at from match m where m.alert_id = a.id) as met
        cross join lateral (
            select count(distinct d.id) as mails
            from delivery_item i join delivery d on d.id = i.delivery_id and d.state = 'sent' and d.channel = 'email'
            where i.alert_id = a.id
        ) as told
        where a.user_id in (select mate_id from teammate where teammate.user_id = $1) and a.deleted_at is null and ($2::uuid is null or a.id = $2)
        order by a.created_at desc, a.id desc"#,
        user_id,
        id,
    )
    .fetch_all(db)
    .await?;
    let stored = rows.into_iter().map(|row| {
        Ok(StoredAlert {
            id: row.id,
            alert: NewAlert {
                name: row.name,
                description: row.description,
                query: row.query.0,
                email: EmailSettings {
                    enabled: row.email_enabled,
                    frequency: decode("alert.frequency", &row.frequency)?,
                    custom_email: row.custom_email,
                    daily_summary_time: row.daily_summary_time.to_jiff(),
                },
                channels: decode_channels("alert.channels", &row.channels)?,
            },
            made_by: row.made_by,
            is_active: row.is_active,
            has_confirmed_address: row.has_confirmed_address,
            silent: decode_channels("alert.channels", &row.silent)?,
            matches: row.matches,
            mails: row.mails,
            matched_at: row.matched_at.map(SqlTimestamp::to_jiff),
            created_at: row.created_at.to_jiff(),
            updated_at: row.updated_at.to_jiff(),
        })
    });
    stored.collect()
}

/// The numbers of matches of the alerts of a user and the user's team, by Colombo day and alert,
/// from the given day on. Days without a match are absent.
pub async fn matches_by_day(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    from: Day,
) -> Result<Vec<DailyMatches>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select (m.at at time zone 'Asia/Colombo')::date as "day!: jiff_sqlx::Date", m.alert_id, count(*) as "matches!"
        from match m join alert a on a.id = m.alert_id
        where a.user_id in (select mate_id from teammate where teammate.user_id = $1) and a.deleted_at is null
            and m.at >= $2::date::timestamp at time zone 'Asia/Colombo'
        group by 1, m.alert_id order by 1, m.alert_id"#,
        user_id,
        from.to_sqlx() as jiff_sqlx::Date,
    )
    .fetch_all(db)
    .await?;
    let days = rows.into_iter().map(|row| DailyMatches {
        day: row.day.to_jiff(),
        alert_id: row.alert_id,
        matches: row.matches,
    });
    Ok(days.collect())
}

/// The numbers of mails about the alerts of a user and the user's team, by week in Colombo, from
/// the given Monday on. A mail about several alerts counts once. Weeks without a mail are absent.
pub async fn mails_by_week(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    from: Day,
) -> Result<Vec<(Day, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select date_trunc('week', d.sent_at at time zone 'Asia/Colombo')::date as "week!: jiff_sqlx::Date",
            count(distinct d.id) as "mails!"
        from delivery d join delivery_item i on i.delivery_id = d.id join alert a on a.id = i.alert_id
        where a.user_id in (select mate_id from teammate where teammate.user_id = $1) and a.deleted_at is null
            and d.state = 'sent' and d.channel = 'email'
            and d.sent_at >= $2::date::timestamp at time zone 'Asia/Colombo'
        group by 1 order by 1"#,
        user_id,
        from.to_sqlx() as jiff_sqlx::Date,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.week.to_jiff(), row.mails)).collect())
}

/// The user who owns an alert.
pub async fn owner(db: impl PgExecutor<'_>, id: Uuid) -> Result<Uuid, sqlx::Error> {
    sqlx::query_scalar!("select user_id from alert where id = $1", id).fetch_one(db).await
}

/// Deletes a user's alerts with their matches and with messages about a single alert. The caller
/// must end the transaction with [`super::changes::commit`] and pass it the returned revisions, so
/// that followers of the log drop the alerts.
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

/// Streams the alerts of a shard that were active at a position of the log, in the order of their ids.
/// Each comes with its query at that position, as JSON.
pub fn active_at<'a>(
    db: impl PgExecutor<'a> + 'a,
    shard: AlertShard,
    position: i64,
) -> impl Stream<Item = Result<(Uuid, String), sqlx::Error>> + Send + 'a {
    sqlx::query!(
        r#"select r.alert_id, r.query::text as "query!"
        from (
            select distinct on (subject_id) subject_id, revision
            from change where subject = 'alert' and position <= $1 and matcher_shard_of(subject_id, $3) = $2
            order by subject_id, position desc
        ) as latest
        join alert_revision r on r.alert_id = latest.subject_id and r.revision = latest.revision
        where r.query is not null
        order by r.alert_id"#,
        position,
        shard.number,
        shard.count,
    )
    .fetch(db)
    .map_ok(|row| (row.alert_id, row.query))
}

/// The alerts of a shard that were active at a position of the log and had a maximum number of days until
/// closing.
pub async fn with_max_days_until_closing(
    db: impl PgExecutor<'_>,
    shard: AlertShard,
    position: i64,
) -> Result<Vec<(Uuid, AlertQuery)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select r.alert_id, r.query as "query!: Json<AlertQuery>"
        from (
            select distinct on (subject_id) subject_id, revision
            from change where subject = 'alert' and position <= $1 and matcher_shard_of(subject_id, $3) = $2
            order by subject_id, position desc
        ) as latest
        join alert_revision r on r.alert_id = latest.subject_id and r.revision = latest.revision
        where r.query #>> '{advancedFilters,maxDaysUntilClosing}' is not null
        order by r.alert_id"#,
        position,
        shard.number,
        shard.count,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.alert_id, row.query.0)).collect())
}

/// Switches the mails of all alerts in a delivery on or off. Returns the names of the alerts.
pub async fn switch_mails_of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
    on: bool,
    at: Timestamp,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with switched as (
            update alert set email_enabled = $3, updated_at = $2
            where deleted_at is null and id in (select alert_id from delivery_item where delivery_id = $1) returning name
        )
        select name as "name!" from switched order by name"#,
        delivery_id,
        at.to_sqlx() as SqlTimestamp,
        on,
    )
    .fetch_all(db)
    .await
}

/// The names of the alerts in a delivery.
pub async fn names_of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select name from alert where deleted_at is null and id in (select alert_id from delivery_item where delivery_id = $1) order by name",
        delivery_id,
    )
    .fetch_all(db)
    .await
}
