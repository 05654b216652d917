//! Sending of sealed messages. A process leases a message and tries to send it. It then marks the
//! message as sent, schedules a retry, or gives the message up.

use crate::{
    base::mail_send_rate::{DomainAllowance, SendRate},
    domain::delivery::{DeadDelivery, DeadFilter},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, PgPool};
use std::collections::HashSet;
use uuid::Uuid;

/// A sealed message that this process may send until its lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedMessage {
    /// The delivery.
    pub id: Uuid,
    /// The recipient's address.
    pub address: String,
    /// The whole message.
    pub content: Vec<u8>,
    /// The number of this attempt, from 1. It identifies the lease.
    pub attempt: i32,
}

/// Leases up to `limit` due mails: sealed ones, retries, and those left by a process that died.
/// With a `rate`, no domain gets more mails than its allowance. The leases end at `until`.
pub async fn lease_mails(
    db: &PgPool,
    rate: Option<SendRate>,
    (now, until): (Timestamp, Timestamp),
    limit: usize,
) -> Result<Vec<LeasedMessage>, sqlx::Error> {
    let Some(rate) = rate else { return lease_unlimited(db, (now, until), limit).await };
    let waiting = waiting_domains(db, now).await?;
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let mut tx = crate::storage::begin(db).await?;
    let allotments = allot_domains(&mut tx, &waiting, rate, now, limit).await?;
    let leased = lease_allotted(&mut tx, &allotments, (now, until)).await?;
    tx.commit().await?;
    Ok(leased)
}

async fn lease_unlimited(
    db: impl PgExecutor<'_>,
    (now, until): (Timestamp, Timestamp),
    limit: usize,
) -> Result<Vec<LeasedMessage>, sqlx::Error> {
    sqlx::query_as!(
        LeasedMessage,
        r#"update delivery set state = 'leased', attempts = attempts + 1, try_at = $2
        where id in (
            select id from delivery where channel = 'email' and state in ('sealed', 'retry', 'leased') and try_at <= $1
            order by try_at limit $3 for update skip locked
        )
        returning id, address, content as "content!", attempts as attempt"#,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
        i64::try_from(limit).unwrap_or(i64::MAX),
    )
    .fetch_all(db)
    .await
}

/// The domains with a due mail. The query reads a few index entries per domain, whatever the number
/// of mails that were not sent yet.
async fn waiting_domains(db: impl PgExecutor<'_>, now: Timestamp) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with recursive waiting (domain) as (
            select min(domain) from delivery where channel = 'email' and state in ('sealed', 'leased', 'retry')
            union all
            select (select min(d.domain) from delivery d
                where d.channel = 'email' and d.state in ('sealed', 'leased', 'retry') and d.domain > waiting.domain)
            from waiting where waiting.domain is not null
        )
        select domain as "domain!" from waiting
        where domain is not null and exists (select from delivery d
            where d.channel = 'email' and d.state in ('sealed', 'leased', 'retry') and d.domain = waiting.domain and d.try_at <= $1)"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await
}

/// Distributes `limit` mails over the domains by their allowances. A domain whose row another
/// transaction has locked gets nothing.
async fn allot_domains(
    tx: &mut PgConnection,
    domains: &[String],
    rate: SendRate,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<(String, DomainAllowance)>, sqlx::Error> {
    sqlx::query!(
        "insert into mail_domain (domain, used_up_at) select domain, $2 from unnest($1::text[]) as d (domain)
        on conflict do nothing",
        domains,
        rate.full_if_used_up_by(now).to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    let rows = sqlx::query!(
        r#"select domain, used_up_at as "used_up_at: SqlTimestamp" from mail_domain
        where domain = any($1) and (used_up_at <= $2 or used_up_at > $3) order by used_up_at for update skip locked"#,
        domains,
        rate.one_if_used_up_by(now).to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    let used_up: Vec<(String, Timestamp)> =
        rows.into_iter().map(|row| (row.domain, row.used_up_at.to_jiff())).collect();
    Ok(rate.distribute(used_up, now, limit))
}

async fn lease_allotted(
    tx: &mut PgConnection,
    allotments: &[(String, DomainAllowance)],
    (now, until): (Timestamp, Timestamp),
) -> Result<Vec<LeasedMessage>, sqlx::Error> {
    let domains: Vec<String> = allotments.iter().map(|(domain, _)| domain.clone()).collect();
    let counts: Vec<i64> = allotments.iter().map(|(_, allotment)| allotment.count).collect();
    let used_up: Vec<SqlTimestamp> =
        allotments.iter().map(|(_, allotment)| allotment.used_up_at.to_sqlx()).collect();
    let leased = sqlx::query_as!(
        LeasedMessage,
        r#"update delivery set state = 'leased', attempts = attempts + 1, try_at = $2
        where id in (
            select due.id from unnest($3::text[], $4::bigint[]) as allotted (domain, count)
            cross join lateral (
                select id from delivery d
                where d.channel = 'email' and d.state in ('sealed', 'leased', 'retry') and d.domain = allotted.domain
                    and d.try_at <= $1
                order by d.try_at limit allotted.count for update skip locked
            ) as due
        )
        returning id, address, content as "content!", attempts as attempt"#,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
        &domains,
        &counts,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "update mail_domain set used_up_at = a.used_up_at
        from unnest($1::text[], $2::timestamptz[]) as a (domain, used_up_at) where mail_domain.domain = a.domain",
        &domains,
        &used_up as &[SqlTimestamp],
    )
    .execute(tx)
    .await?;
    Ok(leased)
}

/// Leases up to `limit` due messages of these channels, and of each address only the one that has
/// been due for longest. An address with an unexpired lease is skipped. A slow address therefore
/// does not delay others. The query reads a few index entries per address, whatever the number of
/// messages that were not sent yet.
pub async fn lease_one_per_address(
    db: &PgPool,
    channels: &[&str],
    (now, until): (Timestamp, Timestamp),
    limit: usize,
) -> Result<Vec<LeasedMessage>, sqlx::Error> {
    let channels: Vec<String> = channels.iter().map(|&channel| channel.to_owned()).collect();
    sqlx::query_as!(
        LeasedMessage,
        r#"update delivery set state = 'leased', attempts = attempts + 1, try_at = $2
        where id in (
            with recursive waiting (address) as (
                select min(address) from delivery where channel <> 'email' and state in ('sealed', 'leased', 'retry')
                union all
                select (select min(d.address) from delivery d
                    where d.channel <> 'email' and d.state in ('sealed', 'leased', 'retry') and d.address > waiting.address)
                from waiting where waiting.address is not null
            ), due (id) as (
                select first.id from waiting
                cross join lateral (
                    select d.id, d.channel, d.try_at from delivery d
                    where d.address = waiting.address and d.channel <> 'email'
                        and d.state in ('sealed', 'leased', 'retry') and d.try_at <= $1
                    order by d.try_at, d.id limit 1
                ) as first
                where first.channel = any($3) and not exists (
                    select from delivery other where other.address = waiting.address and other.channel <> 'email'
                        and other.state = 'leased' and other.try_at > $1
                )
                order by first.try_at limit $4
            )
            select id from delivery where id in (select id from due)
                and state in ('sealed', 'retry', 'leased') and try_at <= $1
            for update skip locked
        )
        returning id, address, content as "content!", attempts as attempt"#,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
        &channels,
        i64::try_from(limit).unwrap_or(i64::MAX),
    )
    .fetch_all(db)
    .await
}

/// Marks messages as sent, or deletes those that are not kept. A message whose lease has passed to
/// another process is not changed.
pub async fn mark_sent(
    db: &mut PgConnection,
    leases: &[LeasedMessage],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let done: HashSet<Uuid> = mark_unlocked_sent(&mut *db, leases, now).await?.into_iter().collect();
    for lease in leases.iter().filter(|lease| !done.contains(&lease.id)) {
        mark_one_sent(&mut *db, lease, now).await?;
    }
    Ok(())
}

/// Marks messages as sent, or deletes those that are not kept. Returns their ids. Rows that another
/// transaction has locked are skipped, because waiting for several rows could deadlock.
async fn mark_unlocked_sent(
    db: &mut PgConnection,
    leases: &[LeasedMessage],
    now: Timestamp,
) -> Result<Vec<Uuid>, sqlx::Error> {
    let ids: Vec<Uuid> = leases.iter().map(|lease| lease.id).collect();
    let attempts: Vec<i32> = leases.iter().map(|lease| lease.attempt).collect();
    sqlx::query_scalar!(
        r#"with ours as (
            select d.id, d.is_passing from unnest($1::uuid[], $2::integer[]) as lease (id, attempt)
            join delivery d on d.id = lease.id and d.attempts = lease.attempt and d.state = 'leased'
            for update of d skip locked
        ), gone as (
            delete from delivery d using ours where d.id = ours.id and ours.is_passing returning d.id
        ), kept as (
            update delivery d set state = 'sent', sent_at = $3, last_error = null,
                content = case when d.kind = 'letter' then message_head(d.channel, d.content) else d.content end,
                emptied_at = case when d.kind = 'letter' then $3::timestamptz end
            from ours where d.id = ours.id and not ours.is_passing returning d.id
        )
        select id as "id!" from gone union all select id from kept"#,
        &ids,
        &attempts,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await
}

/// Marks a message as sent, or deletes it if it is not kept. If another transaction has locked the
/// row, the call waits.
async fn mark_one_sent(
    db: &mut PgConnection,
    lease: &LeasedMessage,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if !delete_unkept(&mut *db, lease).await? {
        sqlx::query!(
            "update delivery set state = 'sent', sent_at = $3, last_error = null,
                content = case when kind = 'letter' then message_head(channel, content) else content end,
                emptied_at = case when kind = 'letter' then $3::timestamptz end
            where id = $1 and state = 'leased' and attempts = $2",
            lease.id,
            lease.attempt,
            now.to_sqlx() as SqlTimestamp,
        )
        .execute(db)
        .await?;
    }
    Ok(())
}

/// Records a failed attempt. The message is retried at `again`, or given up if `again` is `None`. `false`:
/// the message is not leased any more, or its lease has passed to another process.
pub async fn record_failure(
    db: &mut PgConnection,
    lease: &LeasedMessage,
    error: &str,
    again: Option<Timestamp>,
) -> Result<bool, sqlx::Error> {
    if again.is_none() && delete_unkept(&mut *db, lease).await? {
        return Ok(true);
    }
    let state = if again.is_some() { "retry" } else { "dead" };
    let changed = sqlx::query!(
        "update delivery set state = $3, try_at = $4, last_error = $5
        where id = $1 and state = 'leased' and attempts = $2",
        lease.id,
        lease.attempt,
        state,
        again.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        error,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Ends the lease of a message that was not tried, because no server was available. The attempt
/// does not count, and the message is retried at `again`. `false`: the message is not leased any more, or
/// its lease has passed to another process.
pub async fn return_untried(
    db: &mut PgConnection,
    lease: &LeasedMessage,
    error: &str,
    again: Timestamp,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "update delivery set state = 'retry', attempts = attempts - 1, try_at = $3, last_error = $4
        where id = $1 and state = 'leased' and attempts = $2",
        lease.id,
        lease.attempt,
        again.to_sqlx() as SqlTimestamp,
        error,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Deletes a message that is not kept once it was sent or given up. `false`: the message is kept,
/// or its lease has passed to another process.
async fn delete_unkept(db: &mut PgConnection, lease: &LeasedMessage) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "delete from delivery where id = $1 and state = 'leased' and attempts = $2 and is_passing",
        lease.id,
        lease.attempt,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The number of bytes of a message that contain its headers.
const BEGINNING: i32 = 16 * 1024;

/// At most `limit` messages that were given up, after the message `after`, latest opened first.
pub async fn page_of_dead(
    db: impl PgExecutor<'_>,
    filter: &DeadFilter,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<DeadDelivery>, sqlx::Error> {
    // Ids are UUIDv7, so they are in the order in which the messages were opened.
    let rows = sqlx::query!(
        r#"select id, channel, address, attempts, coalesce(last_error, '') as "last_error!",
            coalesce(sealed_at, opened_at) as "at!: SqlTimestamp", substring(content from 1 for $6) as beginning,
            exists (select from suppression s where s.address = lower(delivery.address)) as "is_suppressed!"
        from delivery
        where state = 'dead' and ($1::uuid is null or id = $1)
            and ($2::text is null or strpos(lower(address), lower($2)) > 0)
            and ($3::text is null or strpos(lower(coalesce(last_error, '')), lower($3)) > 0)
            and ($4::uuid is null or id < $4)
        order by id desc limit $5"#,
        filter.id,
        filter.address,
        filter.reason,
        after,
        limit,
        BEGINNING,
    )
    .fetch_all(db)
    .await?;
    let dead = rows.into_iter().map(|row| {
        Ok(DeadDelivery {
            id: row.id,
            channel: decode("delivery.channel", &row.channel)?,
            address: row.address,
            attempts: row.attempts,
            last_error: row.last_error,
            at: row.at.to_jiff(),
            beginning: row.beginning,
            is_suppressed: row.is_suppressed,
        })
    });
    dead.collect()
}

/// The number of dead messages that [`retry_dead`] would make due again.
pub async fn count_retriable(db: impl PgExecutor<'_>, filter: &DeadFilter) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery
        where state = 'dead' and content is not null and ($1::uuid is null or id = $1)
            and ($2::text is null or strpos(lower(address), lower($2)) > 0)
            and ($3::text is null or strpos(lower(coalesce(last_error, '')), lower($3)) > 0)
            and not exists (select from suppression s where s.address = lower(delivery.address))"#,
        filter.id,
        filter.address,
        filter.reason,
    )
    .fetch_one(db)
    .await
}

/// Makes messages due again that were given up. Messages to suppressed addresses and messages
/// without content are skipped. Returns the number of messages that are due again.
pub async fn retry_dead(
    db: impl PgExecutor<'_>,
    filter: &DeadFilter,
    now: Timestamp,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update delivery set state = 'sealed', attempts = 0, try_at = $4
        where state = 'dead' and content is not null and ($1::uuid is null or id = $1)
            and ($2::text is null or strpos(lower(address), lower($2)) > 0)
            and ($3::text is null or strpos(lower(coalesce(last_error, '')), lower($3)) > 0)
            and not exists (select from suppression s where s.address = lower(delivery.address))",
        filter.id,
        filter.address,
        filter.reason,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(done.execute(db).await?.rows_affected())
}
