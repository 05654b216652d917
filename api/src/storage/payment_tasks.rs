//! The queue of instructions to providers about agreements. An instruction is retried until the
//! provider has accepted it.

use crate::{
    domain::{
        money::Cents,
        payment::{AgreementInstruction, PaymentTask},
    },
    storage::enum_column::{decode, require_known},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Adds a task. An instruction to end an agreement replaces the tasks of the subscription that were
/// not tried yet.
pub async fn add(
    tx: &mut PgConnection,
    id: Uuid,
    (provider, subscription_id): (&str, Uuid),
    instruction: AgreementInstruction,
    now: Timestamp,
    due: Timestamp,
) -> Result<(), sqlx::Error> {
    let (kind, price, cycle) = match instruction {
        AgreementInstruction::CancelAtPeriodEnd => ("hold", None, None),
        AgreementInstruction::Resume => ("resume", None, None),
        AgreementInstruction::End => ("end", None, None),
        AgreementInstruction::Reprice { price, cycle } => ("reprice", Some(price.0), Some(cycle.as_str())),
    };
    if instruction == AgreementInstruction::End {
        withdraw(&mut *tx, subscription_id).await?;
    }
    sqlx::query!(
        "insert into payment_task (id, provider, subscription_id, kind, price_cents, cycle, created_at, due_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        provider,
        subscription_id,
        kind,
        price,
        cycle,
        now.to_sqlx() as SqlTimestamp,
        due.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Withdraws the tasks of a subscription that were not tried yet. Returns their number.
pub async fn withdraw(tx: &mut PgConnection, subscription_id: Uuid) -> Result<u64, sqlx::Error> {
    let gone = sqlx::query!(
        "delete from payment_task where subscription_id = $1 and done_at is null and attempts = 0",
        subscription_id,
    )
    .execute(tx)
    .await?;
    Ok(gone.rows_affected())
}

/// Whether an instruction to end the agreement of a subscription exists.
pub async fn is_ending(tx: &mut PgConnection, subscription_id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from payment_task where subscription_id = $1 and kind = 'end') as "is!""#,
        subscription_id,
    )
    .fetch_one(tx)
    .await
}

/// Leases a due task that is the oldest open one of its subscription. The same task is not leased
/// again before `until`.
pub async fn lease(
    db: impl PgExecutor<'_>,
    provider: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<PaymentTask>, sqlx::Error> {
    let row = sqlx::query!(
        r#"update payment_task t set due_at = $3, attempts = t.attempts + 1
        from subscription s
        where s.id = t.subscription_id and t.id = (
            select id from payment_task mine
            where provider = $1 and done_at is null and due_at <= $2
                and not exists (select from payment_task other where other.subscription_id = mine.subscription_id
                    and other.done_at is null and other.nth < mine.nth)
            order by due_at limit 1 for update skip locked)
        returning t.id, t.provider, t.subscription_id, s.agreement, t.kind, t.price_cents, t.cycle, t.attempts"#,
        provider,
        now.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let instruction = match (row.kind.as_str(), row.price_cents, row.cycle) {
            ("hold", ..) => AgreementInstruction::CancelAtPeriodEnd,
            ("resume", ..) => AgreementInstruction::Resume,
            ("end", ..) => AgreementInstruction::End,
            ("reprice", Some(price), Some(cycle)) => AgreementInstruction::Reprice {
                price: Cents(price),
                cycle: decode("payment_task.cycle", &cycle)?,
            },
            (kind, ..) => return require_known("payment_task.kind", kind, None),
        };
        Ok(PaymentTask {
            id: row.id,
            provider: row.provider,
            subscription_id: row.subscription_id,
            agreement: row.agreement,
            instruction,
            attempt: row.attempts,
        })
    })
    .transpose()
}

/// Marks a task as done. If the task ended an agreement, the time is recorded in the subscription.
pub async fn mark_done(
    db: impl PgExecutor<'_>,
    task: &PaymentTask,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with done as (update payment_task set done_at = $2, last_error = null where id = $1)
        update subscription set agreement_ended_at = coalesce(agreement_ended_at, $2) where id = $3 and $4",
        task.id,
        now.to_sqlx() as SqlTimestamp,
        task.subscription_id,
        task.instruction == AgreementInstruction::End,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Records a failed attempt. The task is retried at `again`.
pub async fn record_failure(
    db: impl PgExecutor<'_>,
    id: Uuid,
    error: &str,
    again: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update payment_task set last_error = $2, due_at = $3 where id = $1",
        id,
        error,
        again.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}
