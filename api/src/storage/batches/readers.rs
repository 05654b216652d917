//! The readers who are mailed about the withdrawal of a batch.

use crate::{
    domain::batch::{BatchReader, UntoldReader, WithdrawnTender},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// The readers who are told that these tenders are withdrawn: those who were mailed about a tender
/// when it matched their alert, and those who saved it. They want mails, have a confirmed address and
/// a plan with such mails at `now`. `reader` selects one user.
pub async fn of_withdrawal(
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
pub async fn of_undo(
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
pub async fn list(
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
