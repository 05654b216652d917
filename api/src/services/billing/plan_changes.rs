//! What a holder does with a subscription: cancel it with its period, keep it after all, have another take its place. What the provider
//! has to hear of it is a row of the same transaction.

use super::{
    mails::{self, News},
    payment_events::{end_agreement, later},
    wanted_plan::WantedPlan,
};
use crate::{
    app::state::AppState,
    domain::{error::ApiError, payment::AgreementInstruction},
    storage::{
        payment_tasks,
        subscriptions::{self, Next, Subscription},
        users::{self, User},
    },
};
use jiff::SignedDuration;
use sqlx::PgConnection;

/// So long before the end an agreement is ended that can't be told to end with its period.
const BEFORE_END: SignedDuration = SignedDuration::from_hours(48);

/// Cancels what a user holds, with its period.
///
/// # Errors
/// 404 where there is none, 409 for one that ends by itself.
pub async fn cancel(state: &AppState, user: &User, reason: Option<&str>) -> Result<Subscription, ApiError> {
    let mut tx = state.db.begin().await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let found = found.ok_or(ApiError::NotFound("Subscription"))?;
    let cancelled = cancel_held(state, &mut tx, user, found, reason).await?;
    tx.commit().await?;
    Ok(cancelled)
}

/// Keeps what a user holds: takes back its end, or what was to take its place.
///
/// # Errors
/// 404 where there is none, 409 where the provider can't go on.
pub async fn keep(state: &AppState, user: &User) -> Result<Subscription, ApiError> {
    let mut tx = state.db.begin().await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let kept = keep_held(state, &mut tx, found.ok_or(ApiError::NotFound("Subscription"))?).await?;
    tx.commit().await?;
    Ok(kept)
}

pub(super) async fn cancel_held(
    state: &AppState,
    tx: &mut PgConnection,
    user: &User,
    mut held: Subscription,
    reason: Option<&str>,
) -> Result<Subscription, ApiError> {
    let now = state.clock.now();
    if held.provider.is_none() && held.next.is_none() {
        return Err(ApiError::Conflict("This plan was given to you and ends by itself".into()));
    }
    if !held.auto_renew && held.next.is_none() {
        return Ok(held);
    }
    let is_unpaid = held.unpaid_since.is_some();
    let repriced = held.next.take().is_some_and(|next| !next.by_hand);
    held.auto_renew = false;
    held.holds_until = held.end;
    held.cancel_reason = reason.map(str::to_owned);
    subscriptions::save(tx, &held, now).await?;
    if is_unpaid {
        end_agreement(state, tx, &held).await?;
    } else {
        stop_at_end(state, tx, &held).await?;
        if repriced {
            // So that it costs what it did if it is kept.
            let reprice = AgreementInstruction::Reprice { price: held.price, cycle: held.cycle };
            instruct(state, tx, &held, reprice).await?;
        }
        mails::send(state, tx, user, &held, News::Cancelled).await?;
    }
    Ok(held)
}

pub(super) async fn keep_held(
    state: &AppState,
    tx: &mut PgConnection,
    mut held: Subscription,
) -> Result<Subscription, ApiError> {
    let now = state.clock.now();
    if held.next.is_none() && (held.auto_renew || held.provider.is_none()) {
        return Ok(held);
    }
    let repriced = held.next.take().is_some_and(|next| !next.by_hand);
    if held.provider.is_some() {
        go_on(state, tx, &held).await?;
        if repriced {
            instruct(
                state,
                tx,
                &held,
                AgreementInstruction::Reprice { price: held.price, cycle: held.cycle },
            )
            .await?;
        }
        held.auto_renew = true;
        held.holds_until = later(held.end, state.config.payments.grace());
    } else {
        held.auto_renew = false;
        held.holds_until = held.end;
    }
    held.cancel_reason = None;
    subscriptions::save(tx, &held, now).await?;
    Ok(held)
}

/// Has another plan take the place of what is held, at its end.
pub(super) async fn schedule(
    state: &AppState,
    tx: &mut PgConnection,
    wanted: &WantedPlan,
    mut held: Subscription,
) -> Result<Subscription, ApiError> {
    let (now, price) = (state.clock.now(), wanted.price());
    let charger = state.payments.as_ref().filter(|known| Some(known.name()) == held.provider.as_deref());
    let reprices = held.agreement_ended_at.is_none()
        && held.agreement.is_some()
        && charger.is_some_and(|charger| charger.reprices(held.cycle, wanted.cycle));
    let was_repriced = held.next.as_ref().is_some_and(|next| !next.by_hand);
    if reprices {
        go_on(state, tx, &held).await?;
        instruct(state, tx, &held, AgreementInstruction::Reprice { price, cycle: wanted.cycle }).await?;
    } else if held.provider.is_some() {
        stop_at_end(state, tx, &held).await?;
        if was_repriced {
            let reprice = AgreementInstruction::Reprice { price: held.price, cycle: held.cycle };
            instruct(state, tx, &held, reprice).await?;
        }
    }
    let plan = wanted.offer.name.clone();
    held.next = Some(Next { plan, cycle: wanted.cycle, price, by_hand: !reprices });
    held.auto_renew = true;
    held.cancel_reason = None;
    held.holds_until = later(held.end, state.config.payments.grace());
    subscriptions::save(tx, &held, now).await?;
    Ok(held)
}

async fn instruct(
    state: &AppState,
    tx: &mut PgConnection,
    held: &Subscription,
    instruction: AgreementInstruction,
) -> Result<(), sqlx::Error> {
    let Some(provider) = &held.provider else { return Ok(()) };
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    payment_tasks::add(tx, id, (provider, held.id), instruction, now, now).await
}

/// Whether the provider of a subscription can take back an end.
fn resumes(state: &AppState, held: &Subscription) -> bool {
    let charger = state.payments.as_ref().filter(|known| Some(known.name()) == held.provider.as_deref());
    charger.is_none_or(|charger| charger.resumes())
}

/// Has the provider charge no more after the period that is paid. Where that can't be taken back, it waits until shortly before.
async fn stop_at_end(
    state: &AppState,
    tx: &mut PgConnection,
    held: &Subscription,
) -> Result<(), sqlx::Error> {
    if held.agreement_ended_at.is_some() {
        return Ok(());
    }
    if resumes(state, held) {
        return instruct(state, tx, held, AgreementInstruction::Hold).await;
    }
    let Some(provider) = &held.provider else { return Ok(()) };
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    let due = held.end.saturating_sub(BEFORE_END).map_or(now, |due| due.max(now));
    payment_tasks::add(tx, id, (provider, held.id), AgreementInstruction::End, now, due).await
}

/// Has the provider go on charging.
async fn go_on(state: &AppState, tx: &mut PgConnection, held: &Subscription) -> Result<(), ApiError> {
    let too_late = || {
        ApiError::Conflict(
            "The payment provider has ended this subscription already. Subscribe again when it ends.".into(),
        )
    };
    if held.agreement_ended_at.is_some() {
        return Err(too_late());
    }
    if resumes(state, held) {
        return Ok(instruct(state, tx, held, AgreementInstruction::Resume).await?);
    }
    payment_tasks::withdraw(tx, held.id).await?;
    if payment_tasks::is_ending(tx, held.id).await? { Err(too_late()) } else { Ok(()) }
}
