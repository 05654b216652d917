//! Changes that a user makes to a subscription: cancel it, resume it, or schedule another plan. The
//! instruction to the provider is stored in the same transaction.

use super::{
    mails::{self, BillingNews},
    payment_events::{end_agreement, later},
    wanted_plan::WantedPlan,
};
use crate::{
    app::context::BillingContext,
    domain::{
        error::ServiceError,
        payment::AgreementInstruction,
        subscription::{NextPlan, Subscription},
        user::User,
    },
    storage::{self, payment_tasks, subscriptions, users},
};
use jiff::SignedDuration;
use sqlx::PgConnection;

/// At a provider that cannot resume agreements, a cancelled agreement is ended this long before the
/// end of its period.
const END_LEAD_TIME: SignedDuration = SignedDuration::from_hours(48);

/// Cancels a user's subscription at the end of its period.
///
/// # Errors
/// 404 if there is no subscription, 409 if the operator gave the plan, because it ends by itself.
pub async fn cancel(
    billing: &BillingContext<'_>,
    user: &User,
    reason: Option<&str>,
) -> Result<Subscription, ServiceError> {
    let mut tx = storage::begin(&billing.db).await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let found = found.ok_or(ServiceError::NotFound("Subscription"))?;
    let cancelled = cancel_held(billing, &mut tx, user, found, reason).await?;
    tx.commit().await?;
    Ok(cancelled)
}

/// Resumes a user's subscription: withdraws the cancellation or the scheduled plan.
///
/// # Errors
/// 404 if there is no subscription, 409 if the provider has already ended its agreement.
pub async fn resume(billing: &BillingContext<'_>, user: &User) -> Result<Subscription, ServiceError> {
    let mut tx = storage::begin(&billing.db).await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let kept = resume_held(billing, &mut tx, found.ok_or(ServiceError::NotFound("Subscription"))?).await?;
    tx.commit().await?;
    Ok(kept)
}

pub(super) async fn cancel_held(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    user: &User,
    mut held: Subscription,
    reason: Option<&str>,
) -> Result<Subscription, ServiceError> {
    let now = billing.clock.now();
    if held.provider.is_none() && held.next.is_none() {
        return Err(ServiceError::Conflict("This plan was given to you and ends by itself".into()));
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
        end_agreement(billing, tx, &held).await?;
    } else {
        stop_at_end(billing, tx, &held).await?;
        if repriced {
            // The old price is restored, because the scheduled plan was withdrawn.
            let reprice = AgreementInstruction::Reprice { price: held.price, cycle: held.cycle };
            add_instruction(billing, tx, &held, reprice).await?;
        }
        mails::seal(billing, tx, user, &held, BillingNews::Cancelled).await?;
    }
    Ok(held)
}

pub(super) async fn resume_held(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    mut held: Subscription,
) -> Result<Subscription, ServiceError> {
    let now = billing.clock.now();
    if held.next.is_none() && (held.auto_renew || held.provider.is_none()) {
        return Ok(held);
    }
    let repriced = held.next.take().is_some_and(|next| !next.by_hand);
    if held.provider.is_some() {
        continue_charging(billing, tx, &held).await?;
        if repriced {
            add_instruction(
                billing,
                tx,
                &held,
                AgreementInstruction::Reprice { price: held.price, cycle: held.cycle },
            )
            .await?;
        }
        held.auto_renew = true;
        held.holds_until = later(held.end, billing.config.payments.grace());
    } else {
        held.auto_renew = false;
        held.holds_until = held.end;
    }
    held.cancel_reason = None;
    subscriptions::save(tx, &held, now).await?;
    Ok(held)
}

/// Schedules another plan for the end of the current period.
pub(super) async fn schedule(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    wanted: &WantedPlan,
    mut held: Subscription,
) -> Result<Subscription, ServiceError> {
    let (now, price) = (billing.clock.now(), wanted.price());
    let charger = billing.provider.as_ref().filter(|known| Some(known.name()) == held.provider.as_deref());
    let reprices = held.agreement_ended_at.is_none()
        && held.agreement.is_some()
        && charger.is_some_and(|charger| charger.can_reprice(held.cycle, wanted.cycle));
    let was_repriced = held.next.as_ref().is_some_and(|next| !next.by_hand);
    if reprices {
        continue_charging(billing, tx, &held).await?;
        add_instruction(billing, tx, &held, AgreementInstruction::Reprice { price, cycle: wanted.cycle })
            .await?;
    } else if held.provider.is_some() {
        stop_at_end(billing, tx, &held).await?;
        if was_repriced {
            let reprice = AgreementInstruction::Reprice { price: held.price, cycle: held.cycle };
            add_instruction(billing, tx, &held, reprice).await?;
        }
    }
    let plan = wanted.offer.name;
    held.next = Some(NextPlan { plan, cycle: wanted.cycle, price, by_hand: !reprices });
    held.auto_renew = true;
    held.cancel_reason = None;
    held.holds_until = later(held.end, billing.config.payments.grace());
    subscriptions::save(tx, &held, now).await?;
    Ok(held)
}

async fn add_instruction(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    held: &Subscription,
    instruction: AgreementInstruction,
) -> Result<(), sqlx::Error> {
    let Some(provider) = &held.provider else { return Ok(()) };
    let (id, now) = (billing.random.id(&billing.clock), billing.clock.now());
    payment_tasks::add(tx, id, (provider, held.id), instruction, now, now).await
}

/// Whether the provider of a subscription can resume charging after `CancelAtPeriodEnd`.
fn can_resume(billing: &BillingContext<'_>, held: &Subscription) -> bool {
    let charger = billing.provider.as_ref().filter(|known| Some(known.name()) == held.provider.as_deref());
    charger.is_none_or(|charger| charger.can_resume())
}

/// Schedules the end of charging after the paid period. If the provider cannot resume charging, the
/// instruction is sent shortly before the period ends.
async fn stop_at_end(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    held: &Subscription,
) -> Result<(), sqlx::Error> {
    if held.agreement_ended_at.is_some() {
        return Ok(());
    }
    if can_resume(billing, held) {
        return add_instruction(billing, tx, held, AgreementInstruction::CancelAtPeriodEnd).await;
    }
    let Some(provider) = &held.provider else { return Ok(()) };
    let (id, now) = (billing.random.id(&billing.clock), billing.clock.now());
    let due = held.end.saturating_sub(END_LEAD_TIME).map_or(now, |due| due.max(now));
    payment_tasks::add(tx, id, (provider, held.id), AgreementInstruction::End, now, due).await
}

/// Schedules the instruction to continue charging, or withdraws the instruction to stop.
///
/// # Errors
/// 409 if the provider has already ended the agreement, or is about to.
async fn continue_charging(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    held: &Subscription,
) -> Result<(), ServiceError> {
    let too_late = || {
        ServiceError::Conflict(
            "The payment provider has ended this subscription already. Subscribe again when it ends.".into(),
        )
    };
    if held.agreement_ended_at.is_some() {
        return Err(too_late());
    }
    if can_resume(billing, held) {
        return Ok(add_instruction(billing, tx, held, AgreementInstruction::Resume).await?);
    }
    payment_tasks::withdraw(tx, held.id).await?;
    if payment_tasks::is_ending(tx, held.id).await? { Err(too_late()) } else { Ok(()) }
}
