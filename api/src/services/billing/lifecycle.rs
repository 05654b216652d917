//! Scheduled billing work: charges of the sandbox, instructions to providers, subscriptions past
//! their end, and expired checkouts. Each step can be repeated, so after a crash the next run
//! continues.

use super::{
    checkout,
    mails::{self, BillingNews},
    payment_events::{self, end_agreement, later},
};
use crate::{
    app::context::BillingContext,
    clients::payments::{Provider, sandbox},
    domain::{
        checkout::CheckoutStatus,
        subscription::{DueTimes, Subscription, SubscriptionStatus},
    },
    storage::{self, checkouts, payment_tasks, sandbox as sandbox_storage, subscriptions, users},
};
use anyhow::Context as _;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// If this much time has passed since the paid period ended, without an event from the provider,
/// the next period counts as unpaid.
const PROVIDER_SILENCE: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The user is warned this long before the grace period ends.
const GRACE_WARNING: SignedDuration = SignedDuration::from_hours(2 * 24);
/// How long a task belongs to the process that leased it. The lease exceeds the combined timeouts
/// of the provider requests of a task.
const TASK_LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Delays in minutes after failed attempts. The last one repeats.
const BACK_OFF_MINUTES: [i64; 5] = [1, 5, 15, 60, 360];
/// The delay before the next status request for an expired checkout.
const STATUS_RETRY: SignedDuration = SignedDuration::from_mins(10);

/// Runs all due work and returns the number of steps. Before subscriptions are advanced, it waits
/// for sandbox charges that another process is making. No subscription therefore ends while the
/// sandbox charges it.
pub async fn run_due(billing: &BillingContext<'_>) -> anyhow::Result<usize> {
    // Subscriptions that become due during the run are left for the next run, because they may have
    // been charged meanwhile.
    let now = billing.clock.now();
    let mut done = send_instructions(billing).await.context("sending instructions to the provider")?;
    if let Some(Provider::Sandbox(_)) = &billing.provider {
        while sandbox::charge_due(&billing.db, billing.clock.now())
            .await
            .context("charging due agreements of the sandbox")?
        {
            done += 1;
        }
        done += deliver_sandbox_webhooks(billing).await.context("delivering sandbox webhooks")?;
    }
    done += advance_subscriptions(billing, now).await.context("advancing subscriptions")?;
    done += close_expired_checkouts(billing).await.context("closing expired checkouts")?;
    Ok(done)
}

/// Delivers the webhooks of the sandbox to this server, through the code that receives the webhooks
/// of other providers. Returns their number.
pub async fn deliver_sandbox_webhooks(billing: &BillingContext<'_>) -> anyhow::Result<usize> {
    let Some(Provider::Sandbox(provider)) = &billing.provider else { return Ok(0) };
    let undelivered = sandbox_storage::undelivered_events(&billing.db).await?;
    let count = undelivered.len();
    for (id, body) in undelivered {
        let now = billing.clock.now();
        let headers = provider.sign_webhook(body.as_bytes(), now);
        match payment_events::receive(billing, "sandbox", &headers, body.as_bytes()).await {
            Ok(()) => sandbox_storage::mark_delivered(&billing.db, &id, now).await?,
            // The event stays undelivered and is retried in the next run.
            Err(error) => anyhow::bail!("a webhook of the sandbox was refused: {error}"),
        }
    }
    Ok(count)
}

/// Sends the due instructions to the provider. Returns the number of attempts.
async fn send_instructions(billing: &BillingContext<'_>) -> anyhow::Result<usize> {
    let Some(provider) = &billing.provider else { return Ok(0) };
    let mut done = 0;
    loop {
        let now = billing.clock.now();
        let leased = payment_tasks::lease(&billing.db, provider.name(), now, later(now, TASK_LEASE)).await?;
        let Some(task) = leased else { return Ok(done) };
        done += 1;
        let sent = match &task.agreement {
            Some(agreement) => provider.instruct(agreement, task.instruction, task.id).await,
            None => {
                let error = "the provider has not sent the agreement id";
                payment_tasks::record_failure(&billing.db, task.id, error, back_off(task.attempt, now))
                    .await?;
                tracing::error!(subscription = %task.subscription_id, "{error}");
                continue;
            }
        };
        match sent {
            Ok(()) => {
                payment_tasks::mark_done(&billing.db, &task, now).await?;
                tracing::info!(subscription = %task.subscription_id, instruction = ?task.instruction, "an instruction reached the provider");
            }
            Err(error) => {
                payment_tasks::record_failure(
                    &billing.db,
                    task.id,
                    &error.to_string(),
                    back_off(task.attempt, now),
                )
                .await?;
                tracing::error!(subscription = %task.subscription_id, instruction = ?task.instruction, attempt = task.attempt,
                    is_final = error.is_final(), %error, "an instruction did not reach the provider");
            }
        }
    }
}

fn back_off(attempt: i32, now: Timestamp) -> Timestamp {
    let nth = usize::try_from(attempt - 1).unwrap_or(0).min(BACK_OFF_MINUTES.len() - 1);
    later(now, SignedDuration::from_mins(BACK_OFF_MINUTES[nth]))
}

/// Takes the next step of each subscription that is past its end. Returns their number.
async fn advance_subscriptions(billing: &BillingContext<'_>, now: Timestamp) -> anyhow::Result<usize> {
    let times = DueTimes {
        now,
        silent_since: now.saturating_sub(PROVIDER_SILENCE).unwrap_or(Timestamp::MIN),
        warned_until: later(now, GRACE_WARNING),
    };
    let mut seen = Vec::new();
    loop {
        let Some((id, user_id)) = subscriptions::due(&billing.db, times, &seen).await? else {
            return Ok(seen.len());
        };
        seen.push(id);
        advance_subscription(billing, id, user_id, times).await?;
    }
}

async fn advance_subscription(
    billing: &BillingContext<'_>,
    id: Uuid,
    user_id: Uuid,
    times: DueTimes,
) -> anyhow::Result<()> {
    let mut tx = storage::begin(&billing.db).await?;
    // Every change of a subscription locks its user first.
    users::lock(&mut tx, user_id).await?;
    let user = users::by_id(&mut *tx, user_id, times.now).await?;
    let held = subscriptions::by_id(&mut *tx, id).await?;
    let (Some(user), Some(mut held)) = (user, held) else { return Ok(()) };
    let Some(step) = next_step(&held, times) else { return Ok(()) };
    let news = match step {
        Step::Expire => {
            (held.status, held.ended_at) = (SubscriptionStatus::Expired, Some(times.now));
            (held.auto_renew, held.next) = (false, None);
            end_agreement(billing, &mut tx, &held).await?;
            BillingNews::Ended
        }
        Step::Switch => {
            let Some(next) = held.next.take() else { return Ok(()) };
            (held.plan, held.cycle, held.price) = (next.plan, next.cycle, next.price);
            (held.unpaid_since, held.grace_warned_at) = (Some(held.end), None);
            held.holds_until = later(held.end, billing.config.payments.grace());
            end_agreement(billing, &mut tx, &held).await?;
            subscriptions::save(&mut tx, &held, times.now).await?;
            mails::seal(billing, &mut tx, &user, &held, BillingNews::ByHand(&next)).await?;
            tx.commit().await?;
            return Ok(());
        }
        Step::Unpaid => {
            held.unpaid_since = Some(times.now);
            BillingNews::Unpaid
        }
        Step::Warn => {
            held.grace_warned_at = Some(times.now);
            BillingNews::GraceEnds
        }
    };
    subscriptions::save(&mut tx, &held, times.now).await?;
    mails::seal(billing, &mut tx, &user, &held, news).await?;
    tx.commit().await?;
    tracing::info!(subscription = %id, ?step, "a subscription past its end was updated");
    Ok(())
}

/// The next step of a subscription that is past its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The subscription ends.
    Expire,
    /// The next plan replaces the current one and has to be paid by hand.
    Switch,
    /// The next period counts as unpaid.
    Unpaid,
    /// The user is warned that the grace period ends.
    Warn,
}

fn next_step(held: &Subscription, times: DueTimes) -> Option<Step> {
    if held.status != SubscriptionStatus::Active || held.end > times.now {
        return None;
    }
    let by_hand = held.next.as_ref().is_some_and(|next| next.by_hand);
    match held.unpaid_since {
        _ if held.holds_until <= times.now => Some(Step::Expire),
        None if by_hand => Some(Step::Switch),
        None if held.end <= times.silent_since => Some(Step::Unpaid),
        Some(_) if held.grace_warned_at.is_none() && held.holds_until <= times.warned_until => {
            Some(Step::Warn)
        }
        _ => None,
    }
}

/// Applies the provider's state to expired checkouts and closes the unpaid ones. Returns the number
/// of expired checkouts.
async fn close_expired_checkouts(billing: &BillingContext<'_>) -> anyhow::Result<usize> {
    let mut done = 0;
    loop {
        let now = billing.clock.now();
        let taken = checkouts::take_expired(&billing.db, now, later(now, STATUS_RETRY)).await?;
        let Some((id, name, session)) = taken else { return Ok(done) };
        done += 1;
        let provider = billing.provider.as_ref().filter(|provider| provider.name() == name);
        if let (Some(provider), Some(session)) = (provider, session) {
            checkout::apply_provider_state(billing, provider, id, &session, true).await?;
        } else {
            checkout::close_unpaid(billing, id, CheckoutStatus::Expired).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{billing_cycle::BillingCycle, money::Cents, plan::PlanName, subscription::NextPlan};
    use rstest::rstest;

    fn at(text: &str) -> Timestamp {
        format!("2026-12-{text}T12:00:00Z").parse().unwrap()
    }

    fn held() -> Subscription {
        Subscription {
            id: Uuid::nil(),
            user_id: Some(Uuid::nil()),
            plan: PlanName::Professional,
            status: SubscriptionStatus::Active,
            cycle: BillingCycle::Monthly,
            start: at("01"),
            end: at("10"),
            auto_renew: true,
            price: Cents(500_000),
            currency: "LKR".into(),
            period_start: at("01"),
            anchor: at("01"),
            periods: 1,
            holds_until: at("17"),
            provider: Some("stripe".into()),
            agreement: Some("sub_1".into()),
            agreement_ended_at: None,
            unpaid_since: None,
            grace_warned_at: None,
            next: None,
            cancel_reason: None,
            ended_at: None,
        }
    }

    fn step_on(held: &Subscription, day: &str) -> Option<Step> {
        let now = at(day);
        let times = DueTimes { now, silent_since: now - PROVIDER_SILENCE, warned_until: now + GRACE_WARNING };
        next_step(held, times)
    }

    #[rstest]
    #[case("09", None)]
    #[case("10", None)]
    #[case("12", None)]
    #[case("13", Some(Step::Unpaid))]
    #[case("16", Some(Step::Unpaid))]
    #[case("17", Some(Step::Expire))]
    fn a_subscription_without_events_is_unpaid_and_then_expires(
        #[case] day: &str,
        #[case] step: Option<Step>,
    ) {
        assert_eq!(step_on(&held(), day), step);
    }

    #[rstest]
    #[case("10", None)]
    #[case("14", None)]
    #[case("15", Some(Step::Warn))]
    #[case("17", Some(Step::Expire))]
    fn the_user_of_an_unpaid_subscription_is_warned_once_before_it_expires(
        #[case] day: &str,
        #[case] step: Option<Step>,
    ) {
        let unpaid = Subscription { unpaid_since: Some(at("10")), ..held() };
        assert_eq!(step_on(&unpaid, day), step);
        let warned = Subscription { grace_warned_at: Some(at("15")), ..unpaid };
        assert_eq!(step_on(&warned, "16"), None);
    }

    #[test]
    fn a_cancelled_subscription_expires_and_a_next_plan_paid_by_hand_replaces_it() {
        let cancelled = Subscription { auto_renew: false, holds_until: at("10"), ..held() };
        assert_eq!(step_on(&cancelled, "09"), None);
        assert_eq!(step_on(&cancelled, "10"), Some(Step::Expire));
        let next = |by_hand| NextPlan {
            plan: PlanName::Basic,
            cycle: BillingCycle::Monthly,
            price: Cents(200_000),
            by_hand,
        };
        assert_eq!(step_on(&Subscription { next: Some(next(true)), ..held() }, "10"), Some(Step::Switch));
        assert_eq!(step_on(&Subscription { next: Some(next(false)), ..held() }, "10"), None);
        assert_eq!(step_on(&Subscription { status: SubscriptionStatus::Cancelled, ..held() }, "20"), None);
    }
}
