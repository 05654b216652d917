//! Traces a tender's changes for operators: matches, messages, and whether the messages were sent.

use super::enum_column::decode;
use crate::domain::trace::{TracedChange, TracedDelivery, TracedRecipient};
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::{PgExecutor, types::Json};
use uuid::Uuid;

/// The revisions of a tender, in order.
pub async fn changes(db: impl PgExecutor<'_>, tender_id: Uuid) -> Result<Vec<TracedChange>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select r.revision, c.position, c.at as "at: SqlTimestamp", r.record ->> 'status' as "status!",
            (select count(*) from match m where m.tender_id = r.tender_id and m.tender_revision = r.revision) as "matches!",
            c.position <= (select min(position) from matcher_shard) as "is_matched!"
        from tender_revision r
        join change c on c.subject = 'tender' and c.subject_id = r.tender_id and c.revision = r.revision
        where r.tender_id = $1 order by r.revision"#,
        tender_id,
    )
    .fetch_all(db)
    .await?;
    let changes = rows.into_iter().map(|row| {
        Ok(TracedChange {
            revision: row.revision,
            position: row.position,
            at: row.at.to_jiff(),
            status: decode("tender_revision.record.status", &row.status)?,
            matches: row.matches,
            is_processed: row.is_matched,
        })
    });
    changes.collect()
}

/// A page of the recipients of messages about a tender, and their total number. The first match
/// comes first, and the users who saved the tender come last. For an empty page, the number is 0.
pub async fn recipients(
    db: impl PgExecutor<'_>,
    tender_id: Uuid,
    (limit, offset): (i64, i64),
) -> Result<(Vec<TracedRecipient>, u64), sqlx::Error> {
    let rows = sqlx::query!(
        r#"with reader as (
            select m.alert_id, a.name, a.user_id, m.tender_revision, m.at, m.irrelevant_at is not null as is_irrelevant
            from match m join alert a on a.id = m.alert_id where m.tender_id = $1
            union all
            select distinct null::uuid, null, i.user_id, null::bigint, null::timestamptz, false
            from delivery_item i where i.tender_id = $1 and i.user_id is not null
        )
        select reader.alert_id, reader.name, u.email, reader.tender_revision, reader.at as "at: SqlTimestamp",
            reader.is_irrelevant as "is_irrelevant!", count(*) over () as "count!",
            coalesce((
                select jsonb_agg(jsonb_build_object('_id', d.id, 'reason', i.reason, 'channel', d.channel, 'address', i.address,
                    'state', d.state, 'attempts', d.attempts, 'sentAt', d.sent_at,
                    'nextAt', case d.state when 'open' then d.seal_at when 'sent' then null when 'dead' then null else d.try_at end,
                    'error', d.last_error, 'returned', d.returned) order by i.added_at, d.id)
                from delivery_item i join delivery d on d.id = i.delivery_id
                where i.tender_id = $1 and (i.alert_id = reader.alert_id or (reader.alert_id is null and i.user_id = reader.user_id))
            ), '[]') as "deliveries!: Json<Vec<TracedDelivery>>"
        from reader join users u on u.id = reader.user_id
        order by reader.at nulls last, reader.alert_id, u.id limit $2 offset $3"#,
        tender_id,
        limit,
        offset,
    )
    .fetch_all(db)
    .await?;
    let count = rows.first().map_or(0, |row| row.count.unsigned_abs());
    let recipients = rows.into_iter().map(|row| TracedRecipient {
        alert: row.alert_id.zip(row.name),
        user: row.email,
        revision: row.tender_revision,
        at: row.at.map(SqlTimestamp::to_jiff),
        is_irrelevant: row.is_irrelevant,
        deliveries: row.deliveries.0,
    });
    Ok((recipients.collect(), count))
}
