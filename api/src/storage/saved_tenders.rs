//! Saved tenders.

use super::digest_queue::SavedItem;
use crate::domain::{
    digest::DigestReason,
    tender::{ClosingReminder, CurrentTender},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashSet;
use tender_model::{tender::Tender, vocabulary::Moment};
use uuid::Uuid;

/// Saves a tender. A tender that is already saved keeps its time.
pub async fn add(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    tender_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into favourite (user_id, tender_id, at) values ($1, $2, $3) on conflict do nothing",
        user_id,
        tender_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Removes a saved tender.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid, tender_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from favourite where user_id = $1 and tender_id = $2", user_id, tender_id)
        .execute(db)
        .await?;
    Ok(())
}

/// The tenders among these that a user has saved.
pub async fn among(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    tenders: &[Uuid],
) -> Result<HashSet<Uuid>, sqlx::Error> {
    let kept = sqlx::query_scalar!(
        "select tender_id from favourite where user_id = $1 and tender_id = any($2)",
        user_id,
        tenders,
    )
    .fetch_all(db)
    .await?;
    Ok(kept.into_iter().collect())
}

/// The order of saved tenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedOrder {
    /// The last saved first.
    LastSaved,
    /// Those that are open at this time first, the next closing first. Then the others, the last closed
    /// first.
    Closing(Timestamp),
}

/// A page of the saved tenders of a user in an order, and their total number. Drafts and withdrawn
/// tenders are left out.
pub async fn of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    order: SavedOrder,
    (skip, limit): (i64, i64),
) -> Result<(Vec<CurrentTender>, u64), sqlx::Error> {
    let now = match order {
        SavedOrder::LastSaved => None,
        SavedOrder::Closing(now) => Some(now.to_sqlx() as SqlTimestamp),
    };
    // Without `now`, the first two columns of the order are null.
    let rows = sqlx::query!(
        r#"with kept as (
            select t.id, t.owner_id, t.revision, f.at, least(t.closing_at, t.earlier_closing_at) as closing,
                t.status <> 'published' or coalesce(least(t.closing_at, t.earlier_closing_at) <= $4, false) as is_over
            from favourite f join tender t on t.id = f.tender_id
            where f.user_id = $1 and t.status not in ('draft', 'withdrawn')
        ), ordered as (
            select *, row_number() over (order by
                case when $4::timestamptz is not null then is_over end,
                case when is_over then $4 - closing else closing - $4 end nulls last,
                at desc, id desc) as nth
            from kept
        ), page as (
            select * from ordered order by nth offset $2 limit $3
        )
        select (select count(*) from kept) as "count!", p.owner_id as "owner_id?", p.revision as "revision?",
            r.record as "record?: Json<Tender>"
        from (select 1) as one left join page p on true
        left join tender_revision r on r.tender_id = p.id and r.revision = p.revision
        order by p.nth"#,
        user_id,
        skip,
        limit,
        now as Option<SqlTimestamp>,
    )
    .fetch_all(db)
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let found = rows.into_iter().filter_map(|row| {
        Some(CurrentTender { tender: row.record?.0, owner_id: row.owner_id, revision: row.revision? })
    });
    Ok((found.collect(), u64::try_from(count).unwrap_or(0)))
}

/// Items for the revisions that [`super::revisions::needing_notification`] returns. There is one
/// for each user who saved the tender before the revision, wants these mails, has a confirmed
/// address and is an admin or has at least the Professional plan. A user who gets the change in an
/// immediate alert message to the same address is left out.
pub async fn change_items(
    tx: &mut PgConnection,
    revisions: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<Vec<SavedItem>, sqlx::Error> {
    let (tenders, numbers): (Vec<Uuid>, Vec<i64>) = revisions.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select u.id, u.email, c.tender_id as "tender_id!", c.revision as "revision!"
        from unnest($1::uuid[], $2::bigint[]) as c (tender_id, revision)
        join tender_revision r on r.tender_id = c.tender_id and r.revision = c.revision
        join favourite f on f.tender_id = c.tender_id and f.at < r.at
        join users u on u.id = f.user_id and u.saved_mails
        join address on address.user_id = u.id and lower(address.email) = lower(u.email)
            and address.verified_at is not null
        left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $3 and s.holds_until > $3
        left join plan p on p.name = s.plan
        where (u.role = 'admin' or p.rank >= (select rank from plan where name = 'professional'))
            and not exists (
                select from delivery_item i
                join delivery d on d.id = i.delivery_id and d.state <> 'dead' and d.frequency = 'immediate'
                where d.user_id = u.id and i.tender_id = c.tender_id and i.alert_id is not null
                    and i.tender_revision >= c.revision and lower(i.address) = lower(u.email)
            )
        order by u.id, c.tender_id, c.revision"#,
        &tenders,
        &numbers,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().map(|row| SavedItem {
        user_id: row.id,
        address: row.email,
        tender_id: row.tender_id,
        tender_revision: row.revision,
        reason: DigestReason::Change(row.revision),
    });
    Ok(items.collect())
}

/// Items for saved tenders that are open at `now` and close on the day of a reminder. If two
/// closings were read, the earlier one counts. If several reminders apply to a tender, the last one
/// in the list is used. The users meet the same conditions as in [`change_items`].
pub async fn reminder_items(
    tx: &mut PgConnection,
    reminders: &[ClosingReminder],
    now: Timestamp,
) -> Result<Vec<SavedItem>, sqlx::Error> {
    let bound = |moment: Option<Moment>| moment.map(|moment| moment.timestamp().to_sqlx());
    let from: Vec<Option<SqlTimestamp>> =
        reminders.iter().map(|r| bound(Moment::start_of(r.closes))).collect();
    let until: Vec<Option<SqlTimestamp>> =
        reminders.iter().map(|r| bound(Moment::end_of(r.closes))).collect();
    let nths: Vec<i32> = (0..).take(reminders.len()).collect();
    let rows = sqlx::query!(
        r#"select distinct on (u.id, t.id) u.id, u.email, t.id as tender_id, t.revision, d.nth as "nth!"
        from unnest($1::timestamptz[], $2::timestamptz[], $3::int[]) as d (from_at, until_at, nth)
        join tender t on t.status = 'published' and (
            (t.earlier_closing_at is null and t.closing_at between d.from_at and d.until_at and t.closing_at > $4)
            or (t.earlier_closing_at between d.from_at and d.until_at and t.earlier_closing_at > $4))
        join favourite f on f.tender_id = t.id
        join users u on u.id = f.user_id and u.saved_mails
        join address on address.user_id = u.id and lower(address.email) = lower(u.email)
            and address.verified_at is not null
        left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $4 and s.holds_until > $4
        left join plan p on p.name = s.plan
        where u.role = 'admin' or p.rank >= (select rank from plan where name = 'professional')
        order by u.id, t.id, d.nth desc"#,
        &from as &[Option<SqlTimestamp>],
        &until as &[Option<SqlTimestamp>],
        &nths,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().filter_map(|row| {
        let reminder = reminders.get(usize::try_from(row.nth).ok()?)?;
        Some(SavedItem {
            user_id: row.id,
            address: row.email,
            tender_id: row.tender_id,
            tender_revision: row.revision,
            reason: DigestReason::Closes(reminder.closes, reminder.before),
        })
    });
    Ok(items.collect())
}
