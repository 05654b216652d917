//! The review queue. A notice is in the queue as long as it needs a reviewer. A claim gives it to
//! one reviewer for some time.

use super::enum_column::decode;
use crate::domain::{
    alert_shard::AlertShard,
    review::{ReportedMistake, ReviewCounts, ReviewItem, ReviewPriority, ReviewReason},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::{deduplication::Doubt, tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

struct Row {
    notice_key: String,
    reason: String,
    entered_at: SqlTimestamp,
    closing_at: Option<SqlTimestamp>,
    alerts: i32,
    claimed_by: Option<Uuid>,
    claimed_until: Option<SqlTimestamp>,
    claimed_at: Option<SqlTimestamp>,
}

impl TryFrom<Row> for ReviewItem {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            reason: decode::<ReviewReason>("review_item.reason", &row.reason)?,
            key: row.notice_key,
            entered_at: row.entered_at.to_jiff(),
            closing_at: row.closing_at.map(SqlTimestamp::to_jiff),
            alerts: row.alerts,
            claimed_by: row.claimed_by,
            claimed_until: row.claimed_until.map(SqlTimestamp::to_jiff),
            claimed_at: row.claimed_at.map(SqlTimestamp::to_jiff),
        })
    }
}

/// Adds a notice, or updates its reason and its closing. A claim is kept, and so is the reason that a
/// reader reported a mistake.
pub async fn put(
    tx: &mut PgConnection,
    key: &str,
    reason: ReviewReason,
    closing: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let priority = match reason {
        ReviewReason::Sample => ReviewPriority::Closed,
        _ => ReviewPriority::of(closing, now),
    };
    sqlx::query!(
        "insert into review_item (notice_key, reason, entered_at, closing_at, priority) values ($1, $2, $3, $4, $5)
        on conflict (notice_key) do update set
            reason = case when review_item.reason = 'mistake' then 'mistake' else $2 end, closing_at = $4, counted_at = null,
            priority = case when review_item.skipped_at is null then $5 else review_item.priority end",
        key,
        <&str>::from(reason),
        now.to_sqlx() as SqlTimestamp,
        closing.map(|at| at.to_sqlx()) as Option<SqlTimestamp>,
        priority as i16,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Gives a notice to a reviewer who has undone a decision, and adds it if it is not in the queue.
pub async fn put_back(
    tx: &mut PgConnection,
    key: &str,
    holder: Uuid,
    now: Timestamp,
    until: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into review_item (notice_key, reason, entered_at, priority, claimed_by, claimed_until, claimed_at)
        select n.key, case when exists (
                select from contact_message m where m.tender_id = n.tender_id and n.role = 'original'
                    and (n.reviewed_at is null or m.at > n.reviewed_at)
            ) then 'mistake' when n.record -> 'needsReview' = 'true' then 'fields' else 'sample' end, $3, 0, $2, $4, $3
        from notice n where n.key = $1
        on conflict (notice_key) do update set claimed_by = $2, claimed_until = $4, claimed_at = $3",
        key,
        holder,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes a notice.
pub async fn remove(tx: &mut PgConnection, key: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from review_item where notice_key = $1", key).execute(tx).await?;
    Ok(())
}

/// Removes a notice, unless a reader reported a mistake in its tender.
pub async fn remove_unless_mistake(tx: &mut PgConnection, key: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from review_item where notice_key = $1 and reason <> 'mistake'", key)
        .execute(tx)
        .await?;
    Ok(())
}

/// Adds the original notice of a tender, because a reader reported a mistake. A tender of a
/// supplier has no such notice. A notice that is already in the queue moves to the front.
pub async fn put_mistake(tx: &mut PgConnection, tender_id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into review_item (notice_key, reason, entered_at, closing_at, priority)
        select n.key, 'mistake', $2, t.closing_at, case when t.closing_at < $2 then 1 else 0 end
        from notice n join tender t on t.id = n.tender_id where n.tender_id = $1 and n.role = 'original'
        on conflict (notice_key) do update set reason = 'mistake', skipped_at = null, priority = excluded.priority",
        tender_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The mistakes that readers reported in the tender of a notice since a person last checked the
/// notice, latest first.
pub async fn mistakes(db: impl PgExecutor<'_>, key: &str) -> Result<Vec<ReportedMistake>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select m.message, m.at as "at: SqlTimestamp"
        from notice n join contact_message m on m.tender_id = n.tender_id
        where n.key = $1 and n.role = 'original' and (n.reviewed_at is null or m.at > n.reviewed_at)
        order by m.at desc limit 20"#,
        key,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| ReportedMistake { message: row.message, at: row.at.to_jiff() }).collect())
}

/// Locks and returns the queue entry of a notice.
pub async fn lock(tx: &mut PgConnection, key: &str) -> Result<Option<ReviewItem>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select notice_key, reason, entered_at as "entered_at: SqlTimestamp", closing_at as "closing_at: SqlTimestamp",
            alerts, claimed_by, claimed_until as "claimed_until: SqlTimestamp", claimed_at as "claimed_at: SqlTimestamp"
        from review_item where notice_key = $1 for update"#,
        key,
    )
    .fetch_optional(tx)
    .await?;
    row.map(ReviewItem::try_from).transpose()
}

/// Gives a notice to a reviewer until a time. The caller has checked that nobody else holds it.
pub async fn claim_one(
    tx: &mut PgConnection,
    key: &str,
    holder: Uuid,
    now: Timestamp,
    until: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update review_item set claimed_by = $2, claimed_until = $3,
            claimed_at = case when claimed_by = $2 and claimed_until > $4 then claimed_at else $4 end
        where notice_key = $1",
        key,
        holder,
        until.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Renews the claims of a reviewer, and claims the next free notices until the reviewer holds
/// `count`. A reviewer who holds more keeps them. Returns the held notices in the order of the
/// queue. Notices that another transaction is claiming or deciding are passed over, so that neither
/// waits for the other. Only the short statement of [`store_counts`] is waited for: it locks many
/// notices at once, and a reviewer would otherwise see an empty queue.
pub async fn claim_next(
    tx: &mut PgConnection,
    holder: Uuid,
    count: i64,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<ReviewItem>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock_shared(hashtextextended('review counts', 0))"#
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "with held as (
            select notice_key from review_item where claimed_by = $1 and claimed_until > $3 for update skip locked
        ), free as (
            select notice_key from review_item
            where claimed_until is null or claimed_until <= $3
            order by priority, (-alerts), (coalesce(closing_at, 'infinity'::timestamptz)), entered_at, notice_key
            limit greatest($2 - (select count(*) from held), 0)
            for update skip locked
        )
        update review_item set claimed_by = $1, claimed_until = $4,
            claimed_at = case when claimed_by = $1 and claimed_until > $3 then claimed_at else $3 end
        where notice_key in (select notice_key from held union all select notice_key from free)",
        holder,
        count,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"select notice_key, reason, entered_at as "entered_at: SqlTimestamp", closing_at as "closing_at: SqlTimestamp",
            alerts, claimed_by, claimed_until as "claimed_until: SqlTimestamp", claimed_at as "claimed_at: SqlTimestamp"
        from review_item where claimed_by = $1 and claimed_until > $2
        order by priority, (-alerts), (coalesce(closing_at, 'infinity'::timestamptz)), entered_at, notice_key"#,
        holder,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(ReviewItem::try_from).collect()
}

/// Ends the claims of a reviewer: all, or that of one notice. Returns how many there were. The claim
/// of a notice that is being decided ends with the decision.
pub async fn release(db: impl PgExecutor<'_>, holder: Uuid, key: Option<&str>) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update review_item set claimed_by = null, claimed_until = null, claimed_at = null
        where notice_key in (
            select notice_key from review_item
            where claimed_by = $1 and ($2::text is null or notice_key = $2) for update skip locked
        )",
        holder,
        key,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Moves a notice to the end of the queue and ends its claim, unless somebody else holds it.
/// Returns whether it was moved.
pub async fn skip(
    db: impl PgExecutor<'_>,
    key: &str,
    holder: Uuid,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "update review_item set claimed_by = null, claimed_until = null, claimed_at = null, skipped_at = $3, priority = $4
        where notice_key = $1 and (claimed_by = $2 or claimed_until is null or claimed_until <= $3)",
        key,
        holder,
        now.to_sqlx() as SqlTimestamp,
        ReviewPriority::Skipped as i16,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// A position in the list of the queue, for reading the next part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePosition {
    /// The priority.
    pub priority: i16,
    /// The number of alerts.
    pub alerts: i32,
    /// The closing.
    pub closing_at: Option<Timestamp>,
    /// When the notice entered the queue.
    pub entered_at: Timestamp,
    /// The key of the notice.
    pub key: String,
}

/// A listed notice, its position and its current fields.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedReview {
    /// The entry in the queue.
    pub item: ReviewItem,
    /// Its position in the list.
    pub position: QueuePosition,
    /// Why it is not published. `None`: it is published.
    pub doubt: Option<Doubt>,
    /// The fields of the notice.
    pub record: Tender,
}

/// At most `limit` notices after a position, in the order of the queue.
pub async fn page(
    db: impl PgExecutor<'_>,
    reason: Option<ReviewReason>,
    after: Option<&QueuePosition>,
    limit: i64,
) -> Result<Vec<ListedReview>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.notice_key, i.reason, i.entered_at as "entered_at: SqlTimestamp",
            i.closing_at as "closing_at: SqlTimestamp", i.alerts, i.claimed_by,
            i.claimed_until as "claimed_until: SqlTimestamp", i.claimed_at as "claimed_at: SqlTimestamp", i.priority,
            n.doubt, n.record as "record: Json<Tender>"
        from review_item i join notice n on n.key = i.notice_key
        where ($1::text is null or i.reason = $1)
            and ($2::smallint is null or
                (i.priority, -i.alerts, coalesce(i.closing_at, 'infinity'::timestamptz), i.entered_at, i.notice_key)
                > ($2, -$3::integer, coalesce($4::timestamptz, 'infinity'::timestamptz), $5, $6))
        order by i.priority, (-i.alerts), (coalesce(i.closing_at, 'infinity'::timestamptz)), i.entered_at, i.notice_key
        limit $7"#,
        reason.map(<&str>::from),
        after.map(|after| after.priority),
        after.map(|after| after.alerts),
        after.and_then(|after| after.closing_at).map(|at| at.to_sqlx()) as Option<SqlTimestamp>,
        after.map(|after| after.entered_at.to_sqlx()) as Option<SqlTimestamp>,
        after.map(|after| after.key.as_str()),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let position = QueuePosition {
                priority: row.priority,
                alerts: row.alerts,
                closing_at: row.closing_at.map(SqlTimestamp::to_jiff),
                entered_at: row.entered_at.to_jiff(),
                key: row.notice_key.clone(),
            };
            let item = Row {
                notice_key: row.notice_key,
                reason: row.reason,
                entered_at: row.entered_at,
                closing_at: row.closing_at,
                alerts: row.alerts,
                claimed_by: row.claimed_by,
                claimed_until: row.claimed_until,
                claimed_at: row.claimed_at,
            };
            let doubt = row.doubt.map(|doubt| decode::<Doubt>("notice.doubt", &doubt)).transpose()?;
            Ok(ListedReview { item: item.try_into()?, position, doubt, record: row.record.0 })
        })
        .collect()
}

/// The numbers of notices in the queue.
pub async fn counts(db: impl PgExecutor<'_>, now: Timestamp) -> Result<ReviewCounts, sqlx::Error> {
    let row = sqlx::query!(
        r#"select count(*) as "total!", count(*) filter (where reason in ('notice', 'relation')) as "waiting!",
            count(*) filter (where claimed_until > $1) as "claimed!"
        from review_item"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await?;
    Ok(ReviewCounts { total: row.total, waiting: row.waiting, claimed: row.claimed })
}

/// Notices whose matching alerts a shard has to count, with their current fields: those of the tender, or
/// those of the notice if it has no tender. The first shard counts if the number is unknown or was
/// counted before a time, and each other shard counts after the one before it.
pub async fn uncounted(
    tx: &mut PgConnection,
    shard: AlertShard,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<(String, Tender)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.notice_key, coalesce(r.record, n.record) as "record!: Json<Tender>"
        from review_item i join notice n on n.key = i.notice_key
        left join tender t on t.id = n.tender_id
        left join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where i.notice_key in (
            select notice_key from review_item where $3 = 0 and (counted_at is null or counted_at < $1)
            order by counted_at nulls first limit $2
        ) or i.notice_key in (
            select notice_key from review_item where $3 > 0 and counted_shards > 0 and counted_shards = $3
            order by notice_key limit $2
        )"#,
        before.to_sqlx() as SqlTimestamp,
        limit,
        shard.number,
    )
    .fetch_all(tx)
    .await?;
    // Alerts match published tenders. A notice that waits is counted as if it were published.
    let as_published = |tender: Tender| match tender.status {
        TenderStatus::Draft => Tender { status: TenderStatus::Published, ..tender },
        _ => tender,
    };
    Ok(rows.into_iter().map(|row| (row.notice_key, as_published(row.record.0))).collect())
}

/// Stores the numbers of matching alerts of a shard, and moves notices whose closing has passed behind the
/// open ones. The last shard stores the sum. Notices that a decision has locked are left out, so that
/// neither waits for the other.
pub async fn store_counts(
    tx: &mut PgConnection,
    shard: AlertShard,
    counts: &[(String, i32)],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let keys: Vec<String> = counts.iter().map(|(key, _)| key.clone()).collect();
    let numbers: Vec<i32> = counts.iter().map(|(_, count)| *count).collect();
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended('review counts', 0))"#
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "update review_item i set alerts = case when $5 then c.before + c.alerts else i.alerts end,
            counted_shards = case when $5 then 0 else $4 + 1 end, counted_alerts = c.before + c.alerts,
            counted_at = case when $4 = 0 then $3 else i.counted_at end,
            priority = case when i.priority = 0 and i.closing_at < $3 then 1 else i.priority end
        from (
            select r.notice_key, c.alerts, case when $4 = 0 then 0 else r.counted_alerts end as before
            from unnest($1::text[], $2::integer[]) as c (notice_key, alerts)
            join review_item r on r.notice_key = c.notice_key and ($4 = 0 or r.counted_shards = $4)
            for update of r skip locked
        ) c where i.notice_key = c.notice_key",
        &keys,
        &numbers,
        now.to_sqlx() as SqlTimestamp,
        shard.number,
        shard.is_last(),
    )
    .execute(tx)
    .await?;
    Ok(())
}
