//! Withdraws batches of notices, and undoes withdrawals. First, the notices are rejected or restored by
//! `crate::services::tenders::notices::batches`. Then each reader of the withdrawn tenders is mailed
//! once for the whole batch. Each step is one transaction. A new process continues after the last one.

use super::seal::batch::seal_batch_news;
use crate::{
    app::state::AppState,
    domain::{
        batch::{BatchReader, BatchWithdrawal, UntoldReader, WithdrawalState},
        channel::Channel,
        digest::{DigestKind, DueDigest},
        frequency::Frequency,
    },
    services::{notifications::news::NewsOccasion, tenders::notices::batches},
    storage::{
        self,
        batches::{self as stored, progress, readers},
        deliveries,
        digest_queue::{self, due::GatheredMessage},
    },
};
use sqlx::PgConnection;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The pause after a run that did nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The number of readers who are mailed in one transaction.
const STEP_READERS: i64 = 20;

/// Runs the job until stopped. A withdrawal that fails does not stop the others.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        let (mut is_busy, mut failure) = (false, None);
        for id in stored::active(&state.db).await? {
            while !stop.is_cancelled() {
                match step(state, id).await {
                    Ok(true) => is_busy = true,
                    Ok(false) => break,
                    Err(error) => {
                        failure = Some(error.context(format!("withdrawing the batch {id}")));
                        break;
                    }
                }
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if is_busy && !stop.is_cancelled() {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Makes the next step of a withdrawal. Returns whether it did something.
pub async fn step(state: &AppState, id: Uuid) -> anyhow::Result<bool> {
    if batches::process(state, id).await? {
        return Ok(true);
    }
    tell(state, id).await
}

/// Mails the next readers, and ends the withdrawal when all are mailed.
async fn tell(state: &AppState, id: Uuid) -> anyhow::Result<bool> {
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    let Some(withdrawal) = stored::lock(&mut tx, id).await? else { return Ok(false) };
    let (occasion, end) = match withdrawal.state {
        WithdrawalState::Telling => (NewsOccasion::BatchWithdrawn, WithdrawalState::Done),
        WithdrawalState::TellingUndo => (NewsOccasion::BatchRestored, WithdrawalState::Undone),
        WithdrawalState::Withdrawing
        | WithdrawalState::Undoing
        | WithdrawalState::Done
        | WithdrawalState::Undone => return Ok(false),
    };
    let is_undo = withdrawal.state.is_undo();
    if !withdrawal.readers_listed {
        // Only then is it known who was mailed about the tenders.
        if !progress::is_matched(&mut *tx, id).await? {
            return Ok(false);
        }
        let readers = find_readers(state, &mut tx, &withdrawal, None).await?;
        if !is_undo {
            readers::drop_other_changes(&mut tx, id).await?;
        }
        readers::list(&mut tx, id, is_undo, &readers).await?;
        tx.commit().await?;
        return Ok(true);
    }
    let untold = readers::untold(&mut tx, id, is_undo, STEP_READERS).await?;
    if untold.is_empty() {
        stored::set_state(&mut tx, id, end, Some(now)).await?;
        tx.commit().await?;
        tracing::info!(withdrawal = %id, state = ?end, "finished the withdrawal of a batch");
        return Ok(true);
    }
    let mut mails = Vec::with_capacity(untold.len());
    let mut opened = Vec::with_capacity(untold.len());
    for reader in &untold {
        let delivery = open_mail(state, &mut tx, &withdrawal, reader).await?;
        opened.push(delivery);
        mails.extend(delivery.map(|delivery| gathered(delivery, reader)));
    }
    seal_batch_news(state, &mut tx, mails, occasion).await?;
    for (reader, delivery) in untold.iter().zip(opened) {
        let of_reader = (reader.user_id, reader.address.as_str());
        readers::record_told(&mut tx, (id, is_undo), of_reader, delivery, now).await?;
    }
    tx.commit().await?;
    Ok(true)
}

async fn find_readers(
    state: &AppState,
    tx: &mut PgConnection,
    withdrawal: &BatchWithdrawal,
    reader: Option<Uuid>,
) -> anyhow::Result<Vec<BatchReader>> {
    let now = state.clock.now();
    if withdrawal.state.is_undo() {
        return Ok(readers::of_undo(tx, withdrawal.id, reader, now).await?);
    }
    let tenders = progress::withdrawn_tenders(&mut *tx, withdrawal.id).await?;
    Ok(readers::of_withdrawal(tx, &tenders, reader, now).await?)
}

/// Opens the mail to a reader. `None`: there is nothing to tell any more.
async fn open_mail(
    state: &AppState,
    tx: &mut PgConnection,
    withdrawal: &BatchWithdrawal,
    reader: &UntoldReader,
) -> anyhow::Result<Option<Uuid>> {
    let found = find_readers(state, &mut *tx, withdrawal, Some(reader.user_id)).await?;
    let Some(found) = found.into_iter().find(|found| found.address == reader.address) else {
        return Ok(None);
    };
    let id = state.random.id(&state.clock);
    let to = (reader.user_id, reader.address.as_str());
    let has_items = digest_queue::open_changes(tx, id, to, &found.items, state.clock.now()).await?;
    if !has_items {
        deliveries::drop_empty(tx, &[id]).await?;
    }
    Ok(has_items.then_some(id))
}

fn gathered(delivery: Uuid, reader: &UntoldReader) -> GatheredMessage {
    GatheredMessage {
        due: DueDigest {
            id: delivery,
            kind: DigestKind::Alerts,
            channel: Channel::Email,
            frequency: Some(Frequency::Immediate),
            user_id: reader.user_id,
            first_name: reader.first_name.clone(),
            language: reader.language,
        },
        address: reader.address.clone(),
    }
}
