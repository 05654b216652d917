//! Bids on the boards of accounts, and their order within a stage. A caller that changes a board
//! holds the lock of its account, see [`super::users::lock`].

pub(crate) mod checklist;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod notes;
pub(crate) mod reminders;
pub(crate) mod tasks;

use super::enum_column::decode;
use crate::domain::bid::{Bid, BidReference, BidStage, LockedBid, Person};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::{tender::Tender, vocabulary::Amount};
use uuid::Uuid;

struct Row {
    id: Uuid,
    stage: String,
    value_cents: Option<i64>,
    version: i32,
    created_at: SqlTimestamp,
    updated_at: SqlTimestamp,
    owner_id: Option<Uuid>,
    owner_name: Option<String>,
    publisher_id: Option<Uuid>,
    tender: Json<Tender>,
    tasks: i64,
    done_tasks: i64,
    notes: i64,
}

impl TryFrom<Row> for Bid {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            stage: decode("bid.stage", &row.stage)?,
            owner: person(row.owner_id, row.owner_name),
            value: row.value_cents.map(Amount::from_minor),
            version: row.version,
            tender: row.tender.0,
            publisher_id: row.publisher_id,
            tasks: row.tasks,
            done_tasks: row.done_tasks,
            notes: row.notes,
            created_at: row.created_at.to_jiff(),
            updated_at: row.updated_at.to_jiff(),
        })
    }
}

/// A user of an outer join.
fn person(id: Option<Uuid>, name: Option<String>) -> Option<Person> {
    Some(Person { id: id?, name: name? })
}

/// The bids of an account, or only the one with this id, in their order. Of each stage, at most
/// `open` bids are read, or at most `closed` if bids of the stage are closed.
pub async fn of_account(
    db: impl PgExecutor<'_>,
    account_id: Uuid,
    id: Option<Uuid>,
    (open, closed): (i64, i64),
) -> Result<Vec<Bid>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"with listed as (
            select b.*, row_number() over (partition by b.stage order by b.place, b.id) as nth
            from bid b where b.account_id = $1 and ($2::uuid is null or b.id = $2)
        )
        select b.id as "id!", b.stage as "stage!", b.value_cents as "value_cents?", b.version as "version!",
            b.created_at as "created_at!: SqlTimestamp", b.updated_at as "updated_at!: SqlTimestamp",
            o.id as "owner_id?", o.first_name || ' ' || o.last_name as "owner_name?", t.owner_id as "publisher_id?",
            jsonb_strip_nulls(jsonb_build_object('_id', t.id, 'title', r.record -> 'title', 'status', t.status,
                'category', r.record -> 'category', 'visibility', r.record -> 'visibility',
                'publishedAt', r.record -> 'publishedAt', 'dates', r.record -> 'dates',
                'organization', jsonb_build_object('name', r.record #> '{organization,name}'),
                'fieldStates', r.record -> 'fieldStates', 'confidence', r.record -> 'confidence',
                'sources', r.record -> 'sources'
            )) as "tender!: Json<Tender>",
            (select count(*) from bid_task k where k.bid_id = b.id) as "tasks!",
            (select count(*) from bid_task k where k.bid_id = b.id and k.done_at is not null) as "done_tasks!",
            (select count(*) from bid_note n where n.bid_id = b.id) as "notes!"
        from listed b
        join tender t on t.id = b.tender_id
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        left join users o on o.id = b.owner_id
        where b.nth <= case when b.stage in ('considering', 'preparing', 'submitted') then $3::bigint else $4 end
        order by b.stage, b.nth"#,
        account_id,
        id,
        open,
        closed,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Bid::try_from).collect()
}

/// The numbers of bids of an account in its stages. Stages without bids are left out.
pub async fn count(db: impl PgExecutor<'_>, account_id: Uuid) -> Result<HashMap<BidStage, i64>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select stage, count(*) as "count!" from bid where account_id = $1 group by stage"#,
        account_id
    );
    let rows = rows.fetch_all(db).await?;
    rows.into_iter().map(|row| Ok((decode("bid.stage", &row.stage)?, row.count))).collect()
}

/// The bid of an account for a tender.
pub async fn of_tender(
    db: impl PgExecutor<'_>,
    account_id: Uuid,
    tender_id: Uuid,
) -> Result<Option<BidReference>, sqlx::Error> {
    let row = sqlx::query!(
        "select id, stage from bid where account_id = $1 and tender_id = $2",
        account_id,
        tender_id
    );
    let row = row.fetch_optional(db).await?;
    row.map(|row| Ok(BidReference { id: row.id, stage: decode("bid.stage", &row.stage)? })).transpose()
}

/// Adds a bid as the first one in [`BidStage::Considering`]. The account has no bid for the tender.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    (account_id, tender_id, owner_id): (Uuid, Uuid, Uuid),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid (id, account_id, tender_id, stage, place, owner_id, version, created_at, updated_at)
        select $1, $2, $3, 'considering', coalesce(min(place) - 1, 0), $4, 1, $5, $5
        from bid where account_id = $2 and stage = 'considering'",
        id,
        account_id,
        tender_id,
        owner_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks a bid of an account until the transaction ends.
pub async fn lock(
    tx: &mut PgConnection,
    account_id: Uuid,
    id: Uuid,
) -> Result<Option<LockedBid>, sqlx::Error> {
    let row = sqlx::query!(
        "select tender_id, stage, owner_id, value_cents, version from bid where account_id = $1 and id = $2
        for update",
        account_id,
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        Ok(LockedBid {
            tender_id: row.tender_id,
            stage: decode("bid.stage", &row.stage)?,
            owner_id: row.owner_id,
            value: row.value_cents.map(Amount::from_minor),
            version: row.version,
        })
    })
    .transpose()
}

/// Moves a bid to a stage, before another bid of the account. If that bid is not in the stage, the
/// moved one becomes the last. In a stage of closed bids, it always becomes the first.
pub async fn place(
    tx: &mut PgConnection,
    (account_id, id): (Uuid, Uuid),
    stage: BidStage,
    before: Option<Uuid>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // The others make room first. A number may be unused.
    sqlx::query!(
        "update bid set place = place + 1
        where account_id = $1 and stage = $2 and id <> $4
            and place >= (select place from bid where account_id = $1 and stage = $2 and id = $3 and id <> $4)",
        account_id,
        stage.as_str(),
        before,
        id,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update bid set stage = $3, version = version + 1, updated_at = $6, place = coalesce(
            case when $5 then (select place - 1 from bid where account_id = $1 and stage = $3 and id = $4 and id <> $2)
                else (select min(place) - 1 from bid where account_id = $1 and stage = $3 and id <> $2) end,
            (select max(place) + 1 from bid where account_id = $1 and stage = $3 and id <> $2), 0)
        where account_id = $1 and id = $2",
        account_id,
        id,
        stage.as_str(),
        before,
        stage.is_open(),
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the owner and the value of a bid.
pub async fn set_details(
    tx: &mut PgConnection,
    (account_id, id): (Uuid, Uuid),
    (owner_id, value): (Option<Uuid>, Option<Amount>),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update bid set owner_id = $3, value_cents = $4, version = version + 1, updated_at = $5
        where account_id = $1 and id = $2",
        account_id,
        id,
        owner_id,
        value.map(Amount::minor),
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes a bid with its notes, tasks and history.
pub async fn remove(tx: &mut PgConnection, account_id: Uuid, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid where account_id = $1 and id = $2", account_id, id).execute(tx).await?;
    Ok(())
}

/// Holds a member of the account's team until the transaction ends. `false`: there is no such member.
pub async fn hold_member(
    tx: &mut PgConnection,
    account_id: Uuid,
    user_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "select member_id from team_member where owner_id = $1 and member_id = $2 for share",
        account_id,
        user_id,
    );
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Takes the bids and the tasks of an account from a user who has left its team, or from all users but
/// the account's own.
pub async fn unassign(
    tx: &mut PgConnection,
    account_id: Uuid,
    user_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update bid set owner_id = null, version = version + 1
        where account_id = $1 and owner_id <> $1 and ($2::uuid is null or owner_id = $2)",
        account_id,
        user_id,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update bid_task k set assignee_id = null from bid b
        where b.id = k.bid_id and b.account_id = $1 and k.assignee_id <> $1
            and ($2::uuid is null or k.assignee_id = $2)",
        account_id,
        user_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}
