//! Batches of notices that an administrator withdraws: their notices, what became of them, and the
//! readers who are mailed about them.

use super::enum_column::decode;
use crate::domain::{
    batch::{
        Batch, BatchReader, BatchWithdrawal, NewWithdrawal, UntoldReader, WithdrawalCounts, WithdrawalState,
        WithdrawnNotice, WithdrawnTender,
    },
    review::NoticeState,
};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashSet;
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// At most `limit` keys of the notices of a batch that are not rejected and that no other withdrawal
/// is about to reject. The parts of a notice that was split belong to it.
pub async fn notices(tx: &mut PgConnection, batch: &Batch, limit: i64) -> Result<Vec<String>, sqlx::Error> {
    let printed = match batch {
        Batch::File(id) => of_file(&mut *tx, *id).await?,
        Batch::Issue { publication, date } => of_issue(&mut *tx, publication, *date).await?,
        Batch::Sent { token, from, until } => of_token(&mut *tx, *token, *from, *until).await?,
    };
    sqlx::query_scalar!(
        r#"with recursive chosen as (
            select unnest($1::text[]) as key
            union
            select n.key from chosen c join notice n on n.part_of = c.key
        )
        select n.key from chosen c join notice n on n.key = c.key
        where n.role <> 'rejected' and not exists (
            select from batch_withdrawal_notice b where b.notice_key = n.key and b.state = 'pending')
        order by n.key limit $2"#,
        &printed,
        limit,
    )
    .fetch_all(tx)
    .await
}

/// The notices that were last read on the pages of a file. Notices of an earlier reading are
/// recognised by the name of the file, the newspaper and the date, if no other file has that name.
async fn of_file(db: impl PgExecutor<'_>, id: Uuid) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select b.notice_key as "key!" from page p join page_block b on b.page_id = p.id
        where p.file_id = $1 and b.notice_key is not null
        union
        select n.key from page_file f join page p on p.file_id = f.id
        join notice n on n.record #>> '{sources,0,date}' = p.issue_date::text
            and lower(n.record #>> '{sources,0,publication}') = lower(p.publication)
            and n.record #>> '{sources,0,file}' = f.name
        where f.id = $1
            and not exists (select from page_file other where other.name = f.name and other.id <> f.id)"#,
        id
    )
    .fetch_all(db)
    .await
}

async fn of_issue(db: impl PgExecutor<'_>, publication: &str, date: Day) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select key from notice
        where record #>> '{sources,0,date}' = $1 and lower(record #>> '{sources,0,publication}') = lower($2)",
        date.to_string(),
        publication
    )
    .fetch_all(db)
    .await
}

async fn of_token(
    db: impl PgExecutor<'_>,
    token: Uuid,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select key from notice where sent_by = $1 and received_at >= $2 and received_at < $3",
        token,
        from.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await
}

/// The name of a file of pages.
pub async fn file_name(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("select name from page_file where id = $1", id).fetch_optional(db).await
}

/// What the withdrawal of notices would do to their tenders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TenderEffects {
    /// The notices that wait for review.
    pub waiting: i64,
    /// The published tenders that would be withdrawn.
    pub withdrawn: Vec<WithdrawnTender>,
    /// The published tenders that stay, because another notice prints them.
    pub printed_elsewhere: i64,
    /// The published tenders that stay, because a supplier owns them.
    pub owned: i64,
}

/// What the withdrawal of these notices would do.
pub async fn effects(tx: &mut PgConnection, keys: &[String]) -> Result<TenderEffects, sqlx::Error> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "count!" from notice where key = any($1) and role = 'review'"#,
        keys
    )
    .fetch_one(&mut *tx)
    .await?;
    let rows = sqlx::query!(
        r#"with chosen as (select key, tender_id from notice where key = any($1))
        select t.id, t.revision, t.owner_id is not null as "is_owned!", exists (
            select from notice o where o.tender_id = t.id and o.role in ('original', 'source')
                and not exists (select from chosen c where c.key = o.key)) as "is_printed!"
        from tender t
        where t.id in (select tender_id from chosen) and t.status not in ('draft', 'withdrawn')"#,
        keys
    )
    .fetch_all(tx)
    .await?;
    let mut effects = TenderEffects { waiting, ..TenderEffects::default() };
    for row in rows {
        match (row.is_owned, row.is_printed) {
            (true, _) => effects.owned += 1,
            (false, true) => effects.printed_elsewhere += 1,
            (false, false) => {
                effects.withdrawn.push(WithdrawnTender { id: row.id, revision: row.revision + 1 });
            }
        }
    }
    Ok(effects)
}

/// Stores a new withdrawal with the keys of its notices.
pub async fn insert(
    tx: &mut PgConnection,
    new: &NewWithdrawal<'_>,
    keys: &[String],
) -> Result<(), sqlx::Error> {
    let (mut file, mut issue, mut sent) = (None, (None, None), (None, None, None));
    match new.batch {
        Batch::File(id) => file = Some(*id),
        Batch::Issue { publication, date } => issue = (Some(publication.as_str()), Some(date.to_sqlx())),
        Batch::Sent { token, from, until } => {
            sent = (Some(*token), Some(from.to_sqlx()), Some(until.to_sqlx()));
        }
    }
    sqlx::query!(
        "insert into batch_withdrawal (id, file_id, file_name, publication, issue_date, token_id, sent_from, sent_until,
            reason, state, started_at, started_by, notices)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'withdrawing', $10, $11, cardinality($12::text[]))",
        new.id,
        file,
        new.file_name,
        issue.0,
        issue.1 as Option<SqlDate>,
        sent.0,
        sent.1 as Option<SqlTimestamp>,
        sent.2 as Option<SqlTimestamp>,
        new.reason,
        new.at.to_sqlx() as SqlTimestamp,
        new.by,
        keys,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into batch_withdrawal_notice (withdrawal_id, notice_key, state)
        select $1, unnest($2::text[]), 'pending'",
        new.id,
        keys
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    file_id: Option<Uuid>,
    name: Option<String>,
    publication: Option<String>,
    issue_date: Option<SqlDate>,
    token_id: Option<Uuid>,
    sent_from: Option<SqlTimestamp>,
    sent_until: Option<SqlTimestamp>,
    reason: String,
    state: String,
    readers_listed: bool,
    started_at: SqlTimestamp,
    started_by: Option<String>,
    finished_at: Option<SqlTimestamp>,
    undone_at: Option<SqlTimestamp>,
    undone_by: Option<String>,
    notices: i32,
    withdrawn_notices: i32,
    skipped_notices: i32,
    restored_notices: i32,
    withdrawn_tenders: i32,
    kept_tenders: i32,
    restored_tenders: i32,
    mailed: i64,
    mailed_undo: i64,
}

impl TryFrom<Row> for BatchWithdrawal {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let issue = row.publication.zip(row.issue_date);
        let sent = row.token_id.zip(row.sent_from.zip(row.sent_until));
        let batch = match (row.file_id, issue, sent) {
            (Some(id), None, None) => Batch::File(id),
            (None, Some((publication, date)), None) => Batch::Issue { publication, date: date.to_jiff() },
            (None, None, Some((token, (from, until)))) => {
                Batch::Sent { token, from: from.to_jiff(), until: until.to_jiff() }
            }
            _ => return Err(sqlx::Error::Decode("a withdrawal is not of one batch".into())),
        };
        Ok(Self {
            id: row.id,
            batch,
            name: row.name,
            reason: row.reason,
            state: decode("batch_withdrawal.state", &row.state)?,
            readers_listed: row.readers_listed,
            started_at: row.started_at.to_jiff(),
            started_by: row.started_by,
            finished_at: row.finished_at.map(SqlTimestamp::to_jiff),
            undone_at: row.undone_at.map(SqlTimestamp::to_jiff),
            undone_by: row.undone_by,
            counts: WithdrawalCounts {
                notices: row.notices,
                withdrawn_notices: row.withdrawn_notices,
                skipped_notices: row.skipped_notices,
                restored_notices: row.restored_notices,
                withdrawn_tenders: row.withdrawn_tenders,
                kept_tenders: row.kept_tenders,
                restored_tenders: row.restored_tenders,
            },
            mailed: row.mailed,
            mailed_undo: row.mailed_undo,
        })
    }
}

/// At most `limit` withdrawals before the withdrawal `after`, latest first.
pub async fn page(
    db: impl PgExecutor<'_>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<BatchWithdrawal>, sqlx::Error> {
    select(db, None, after, limit).await
}

/// A withdrawal.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<BatchWithdrawal>, sqlx::Error> {
    Ok(select(db, Some(id), None, 1).await?.pop())
}

async fn select(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<BatchWithdrawal>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select w.id, w.file_id, coalesce(w.file_name, t.name) as name, w.publication,
            w.issue_date as "issue_date: SqlDate", w.token_id, w.sent_from as "sent_from: SqlTimestamp",
            w.sent_until as "sent_until: SqlTimestamp", w.reason, w.state, w.readers_listed,
            w.started_at as "started_at: SqlTimestamp", starter.email as "started_by?",
            w.finished_at as "finished_at: SqlTimestamp", w.undone_at as "undone_at: SqlTimestamp",
            undoer.email as "undone_by?", w.notices, w.withdrawn_notices, w.skipped_notices, w.restored_notices,
            w.withdrawn_tenders, w.kept_tenders, w.restored_tenders,
            (select count(*) from batch_withdrawal_reader r
                where r.withdrawal_id = w.id and not r.is_undo and r.delivery_id is not null) as "mailed!",
            (select count(*) from batch_withdrawal_reader r
                where r.withdrawal_id = w.id and r.is_undo and r.delivery_id is not null) as "mailed_undo!"
        from batch_withdrawal w
        left join operator_token t on t.id = w.token_id
        left join users starter on starter.id = w.started_by
        left join users undoer on undoer.id = w.undone_by
        where ($1::uuid is null or w.id = $1) and ($2::uuid is null or w.id < $2)
        order by w.id desc limit $3"#,
        id,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(BatchWithdrawal::try_from).collect()
}

/// The withdrawals that are not finished, oldest first.
pub async fn active(db: impl PgExecutor<'_>) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from batch_withdrawal where state not in ('done', 'undone') order by id")
        .fetch_all(db)
        .await
}

/// Locks a withdrawal until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<BatchWithdrawal>, sqlx::Error> {
    let locked = sqlx::query_scalar!("select id from batch_withdrawal where id = $1 for update", id)
        .fetch_optional(&mut *tx)
        .await?;
    if locked.is_none() {
        return Ok(None);
    }
    find(tx, id).await
}

/// Sets how far a withdrawal is. With `finished_at`, everything is done.
pub async fn set_state(
    tx: &mut PgConnection,
    id: Uuid,
    state: WithdrawalState,
    finished_at: Option<Timestamp>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set state = $2, finished_at = $3, readers_listed = false where id = $1",
        id,
        <&str>::from(state),
        finished_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Starts the undo of a withdrawal. The notices that were not yet rejected stay as they are.
pub async fn start_undo(tx: &mut PgConnection, id: Uuid, by: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set state = 'undoing', undone_at = $2, undone_by = $3, finished_at = null,
            readers_listed = false
        where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
        by,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update batch_withdrawal_notice set state = 'skipped' where withdrawal_id = $1 and state = 'pending'",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores the numbers of a withdrawal.
pub async fn set_counts(
    tx: &mut PgConnection,
    id: Uuid,
    counts: WithdrawalCounts,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set withdrawn_notices = $2, skipped_notices = $3, restored_notices = $4,
            withdrawn_tenders = $5, kept_tenders = $6, restored_tenders = $7
        where id = $1",
        id,
        counts.withdrawn_notices,
        counts.skipped_notices,
        counts.restored_notices,
        counts.withdrawn_tenders,
        counts.kept_tenders,
        counts.restored_tenders,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The next notices to reject: at least `limit`, with all pending notices of their tenders.
pub async fn pending(
    tx: &mut PgConnection,
    id: Uuid,
    limit: i64,
) -> Result<Vec<(String, Option<Uuid>)>, sqlx::Error> {
    let rows = sqlx::query!(
        "with next as (
            select b.notice_key, n.tender_id from batch_withdrawal_notice b join notice n on n.key = b.notice_key
            where b.withdrawal_id = $1 and b.state = 'pending' order by b.notice_key limit $2
        )
        select b.notice_key, n.tender_id from batch_withdrawal_notice b join notice n on n.key = b.notice_key
        where b.withdrawal_id = $1 and b.state = 'pending'
            and (b.notice_key in (select notice_key from next) or n.tender_id in (select tender_id from next))
        order by n.tender_id, b.notice_key",
        id,
        limit
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.notice_key, row.tender_id)).collect())
}

/// The next notices to restore: at least `limit`, with all notices that left the same tenders.
pub async fn withdrawn(
    tx: &mut PgConnection,
    id: Uuid,
    limit: i64,
) -> Result<Vec<WithdrawnNotice>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with next as (
            select notice_key, tender_id from batch_withdrawal_notice
            where withdrawal_id = $1 and state = 'withdrawn' order by notice_key limit $2
        )
        select b.notice_key, b.tender_id, b.before as "before!: Json<NoticeState>" from batch_withdrawal_notice b
        where b.withdrawal_id = $1 and b.state = 'withdrawn'
            and (b.notice_key in (select notice_key from next) or b.tender_id in (select tender_id from next))
        order by b.tender_id, b.notice_key"#,
        id,
        limit
    )
    .fetch_all(tx)
    .await?;
    let notice = rows.into_iter().map(|row| WithdrawnNotice {
        key: row.notice_key,
        before: row.before.0,
        tender_id: row.tender_id,
    });
    Ok(notice.collect())
}

/// Records that a notice was rejected, and what it was before.
pub async fn record_withdrawn(
    tx: &mut PgConnection,
    id: Uuid,
    notice: &WithdrawnNotice,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_notice set state = 'withdrawn', before = $3, tender_id = $4
        where withdrawal_id = $1 and notice_key = $2",
        id,
        notice.key,
        Json(&notice.before) as _,
        notice.tender_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that a notice was skipped or restored.
pub async fn record_notice(
    tx: &mut PgConnection,
    id: Uuid,
    key: &str,
    is_restored: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_notice set state = case when $3 then 'restored' else 'skipped' end
        where withdrawal_id = $1 and notice_key = $2",
        id,
        key,
        is_restored,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records the revision that withdraws a tender.
pub async fn record_tender(
    tx: &mut PgConnection,
    id: Uuid,
    tender: WithdrawnTender,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into batch_withdrawal_tender (withdrawal_id, tender_id, revision) values ($1, $2, $3)",
        id,
        tender.id,
        tender.revision
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether a withdrawal has withdrawn a tender.
pub async fn has_withdrawn(db: impl PgExecutor<'_>, id: Uuid, tender_id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from batch_withdrawal_tender
            where withdrawal_id = $1 and tender_id = $2 and restored_revision is null) as "found!""#,
        id,
        tender_id
    )
    .fetch_one(db)
    .await
}

/// Records the revision that publishes a tender again.
pub async fn record_restored(
    tx: &mut PgConnection,
    id: Uuid,
    tender: WithdrawnTender,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_tender set restored_revision = $3 where withdrawal_id = $1 and tender_id = $2",
        id,
        tender.id,
        tender.revision
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Those of the revisions that withdrawals of batches, or their undos, have made. Their readers are
/// mailed once for the whole batch.
pub async fn revisions_of_batches(
    db: impl PgExecutor<'_>,
    revisions: &[(Uuid, i64)],
) -> Result<HashSet<(Uuid, i64)>, sqlx::Error> {
    let (tenders, numbers): (Vec<Uuid>, Vec<i64>) = revisions.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select c.tender_id as "tender_id!", c.revision as "revision!"
        from unnest($1::uuid[], $2::bigint[]) as c (tender_id, revision)
        join batch_withdrawal_tender b on b.tender_id = c.tender_id
            and (b.revision = c.revision or b.restored_revision = c.revision)"#,
        &tenders,
        &numbers,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.tender_id, row.revision)).collect())
}

/// Whether the matcher has reached all revisions of a withdrawal. Before, a message about one of its
/// tenders may still be opened or sealed.
pub async fn is_matched(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select not exists (
            select from batch_withdrawal_tender b
            join change c on c.subject = 'tender' and c.subject_id = b.tender_id
                and c.revision in (b.revision, b.restored_revision)
            where b.withdrawal_id = $1 and c.position > (select position from matcher_position)
        ) as "matched!""#,
        id
    )
    .fetch_one(db)
    .await
}

/// The tenders of a withdrawal that are still withdrawn.
pub async fn withdrawn_tenders(
    db: impl PgExecutor<'_>,
    id: Uuid,
) -> Result<Vec<WithdrawnTender>, sqlx::Error> {
    sqlx::query_as!(
        WithdrawnTender,
        "select b.tender_id as id, b.revision
        from batch_withdrawal_tender b join tender t on t.id = b.tender_id and t.status = 'withdrawn'
        where b.withdrawal_id = $1",
        id
    )
    .fetch_all(db)
    .await
}

/// The readers who are told that these tenders are withdrawn: those who were mailed about a tender
/// when it matched their alert, and those who saved it. They want mails, have a confirmed address and
/// a plan with such mails at `now`. `reader` selects one user.
pub async fn readers(
    tx: &mut PgConnection,
    tenders: &[WithdrawnTender],
    reader: Option<Uuid>,
    now: Timestamp,
) -> Result<Vec<BatchReader>, sqlx::Error> {
    let (ids, revisions): (Vec<Uuid>, Vec<i64>) =
        tenders.iter().map(|tender| (tender.id, tender.revision)).unzip();
    let rows = sqlx::query_as!(
        ReaderRow,
        r#"with withdrawn as (
            select * from unnest($1::uuid[], $2::bigint[]) as w (tender_id, revision)
        ), told as (
            select a.user_id, r.address, a.id as alert_id, w.tender_id, w.revision
            from withdrawn w
            join match m on m.tender_id = w.tender_id and m.tender_revision < w.revision and m.irrelevant_at is null
            join alert a on a.id = m.alert_id
            cross join lateral (
                select address from alert_address where alert_id = a.id and channel = 'email' offset 0
            ) as r
            where ($3::uuid is null or a.user_id = $3) and exists (
                select from held_subscription s join plan p on p.name = s.plan and p.email_alerts
                where s.holder_id = a.user_id and s.status = 'active' and s.start_date <= $4 and s.holds_until > $4
            ) and exists (
                -- An item that was renewed for the withdrawal is not in the mail.
                select from delivery_item i join delivery d on d.id = i.delivery_id
                where i.alert_id = a.id and i.tender_id = w.tender_id and i.reason = 'new'
                    and i.tender_revision < w.revision and d.channel = 'email' and d.state not in ('open', 'dead')
            )
            union
            select u.id, address.email, null::uuid, w.tender_id, w.revision
            from withdrawn w
            join favourite f on f.tender_id = w.tender_id
            join users u on u.id = f.user_id and u.saved_mails
            join address on address.user_id = u.id and lower(address.email) = lower(u.email)
                and address.verified_at is not null
            left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $4
                and s.holds_until > $4
            left join plan p on p.name = s.plan
            where ($3::uuid is null or u.id = $3)
                and (u.role = 'admin' or p.rank >= (select rank from plan where name = 'professional'))
        )
        select user_id as "user_id!", address as "address!", array_agg(alert_id) as "alerts!: Vec<Option<Uuid>>",
            array_agg(tender_id) as "tenders!", array_agg(revision) as "revisions!"
        from told group by user_id, address order by user_id, address"#,
        &ids,
        &revisions,
        reader,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(BatchReader::from).collect())
}

/// The readers who are told that the tenders of a withdrawal are open again: those who were told that
/// a tender is withdrawn, and those whose alert matched it, unless they were mailed about it and not
/// told. `reader` selects one user.
pub async fn readers_of_undo(
    tx: &mut PgConnection,
    id: Uuid,
    reader: Option<Uuid>,
    now: Timestamp,
) -> Result<Vec<BatchReader>, sqlx::Error> {
    let rows = sqlx::query_as!(
        ReaderRow,
        r#"with restored as (
            select b.tender_id, b.revision, b.restored_revision
            from batch_withdrawal_tender b
            join tender t on t.id = b.tender_id and t.status not in ('draft', 'withdrawn')
            where b.withdrawal_id = $1 and b.restored_revision is not null
        ), told as (
            select a.user_id, r.address, a.id as alert_id, w.tender_id, w.restored_revision as revision
            from restored w
            join match m on m.tender_id = w.tender_id and m.tender_revision < w.restored_revision
                and m.irrelevant_at is null
            join alert a on a.id = m.alert_id
            cross join lateral (
                select address from alert_address where alert_id = a.id and channel = 'email' offset 0
            ) as r
            where ($2::uuid is null or a.user_id = $2) and exists (
                select from held_subscription s join plan p on p.name = s.plan and p.email_alerts
                where s.holder_id = a.user_id and s.status = 'active' and s.start_date <= $3 and s.holds_until > $3
            ) and not exists (
                -- The message shows the tender as new.
                select from delivery_item i join delivery d on d.id = i.delivery_id
                where i.alert_id = a.id and i.tender_id = w.tender_id and i.reason = 'new' and d.channel = 'email'
                    and (d.state = 'open' or i.tender_revision >= w.restored_revision)
            ) and (exists (
                select from delivery_item i where i.alert_id = a.id and i.tender_id = w.tender_id
                    and i.reason = 'change:' || w.revision
            ) or not exists (
                select from delivery_item i join delivery d on d.id = i.delivery_id
                where i.alert_id = a.id and i.tender_id = w.tender_id and i.reason = 'new'
                    and i.tender_revision < w.revision and d.channel = 'email' and d.state not in ('open', 'dead')
            ))
            union
            select u.id, address.email, null::uuid, w.tender_id, w.restored_revision
            from restored w
            join delivery_item i on i.tender_id = w.tender_id and i.user_id is not null
                and i.reason = 'change:' || w.revision
            join favourite f on f.tender_id = w.tender_id and f.user_id = i.user_id
            join users u on u.id = i.user_id and u.saved_mails
            join address on address.user_id = u.id and lower(address.email) = lower(u.email)
                and address.verified_at is not null
            where $2::uuid is null or u.id = $2
        )
        select user_id as "user_id!", address as "address!", array_agg(alert_id) as "alerts!: Vec<Option<Uuid>>",
            array_agg(tender_id) as "tenders!", array_agg(revision) as "revisions!: Vec<i64>"
        from told group by user_id, address order by user_id, address"#,
        id,
        reader,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(BatchReader::from).collect())
}

struct ReaderRow {
    user_id: Uuid,
    address: String,
    alerts: Vec<Option<Uuid>>,
    tenders: Vec<Uuid>,
    revisions: Vec<i64>,
}

impl From<ReaderRow> for BatchReader {
    fn from(row: ReaderRow) -> Self {
        let items = row.alerts.into_iter().zip(row.tenders).zip(row.revisions);
        Self {
            user_id: row.user_id,
            address: row.address,
            items: items.map(|((alert, tender), revision)| (alert, tender, revision)).collect(),
        }
    }
}

/// Lists the readers who are mailed about a withdrawal or its undo.
pub async fn list_readers(
    tx: &mut PgConnection,
    id: Uuid,
    is_undo: bool,
    readers: &[BatchReader],
) -> Result<(), sqlx::Error> {
    let users: Vec<Uuid> = readers.iter().map(|reader| reader.user_id).collect();
    let addresses: Vec<String> = readers.iter().map(|reader| reader.address.clone()).collect();
    sqlx::query!(
        "insert into batch_withdrawal_reader (withdrawal_id, is_undo, user_id, address)
        select $1, $2, user_id, address from unnest($3::uuid[], $4::text[]) as r (user_id, address)
        on conflict do nothing",
        id,
        is_undo,
        &users,
        &addresses,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("update batch_withdrawal set readers_listed = true where id = $1", id).execute(tx).await?;
    Ok(())
}

/// Takes other changes of the withdrawn tenders of a withdrawal out of the open mails. Their readers
/// learn that the tenders are withdrawn.
pub async fn drop_other_changes(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from delivery_item i using batch_withdrawal_tender b, delivery d
        where b.withdrawal_id = $1 and i.tender_id = b.tender_id and i.reason <> 'new'
            and i.tender_revision < b.revision and d.id = i.delivery_id and d.state = 'open' and d.channel = 'email'",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// At most `limit` listed readers who were not mailed yet.
pub async fn untold(
    tx: &mut PgConnection,
    id: Uuid,
    is_undo: bool,
    limit: i64,
) -> Result<Vec<UntoldReader>, sqlx::Error> {
    let rows = sqlx::query!(
        "select r.user_id, r.address, u.first_name, u.language
        from batch_withdrawal_reader r join users u on u.id = r.user_id
        where r.withdrawal_id = $1 and r.is_undo = $2 and r.told_at is null
        order by r.user_id, r.address limit $3",
        id,
        is_undo,
        limit,
    )
    .fetch_all(tx)
    .await?;
    let readers = rows.into_iter().map(|row| {
        Ok(UntoldReader {
            user_id: row.user_id,
            address: row.address,
            first_name: row.first_name,
            language: decode("users.language", &row.language)?,
        })
    });
    readers.collect()
}

/// Records that a reader was mailed. Without a delivery, there was nothing to tell.
pub async fn record_told(
    tx: &mut PgConnection,
    (id, is_undo): (Uuid, bool),
    (user_id, address): (Uuid, &str),
    delivery: Option<Uuid>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal_reader
        set told_at = $5, delivery_id = (select d.id from delivery d where d.id = $6 and d.state = 'sealed')
        where withdrawal_id = $1 and is_undo = $2 and user_id = $3 and address = $4",
        id,
        is_undo,
        user_id,
        address,
        at.to_sqlx() as SqlTimestamp,
        delivery,
    )
    .execute(tx)
    .await?;
    Ok(())
}
