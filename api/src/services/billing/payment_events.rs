//! Events of payment providers. Each event is stored once, in the transaction that applies it. Each
//! charge counts once; its reference at the provider identifies it. Repeated or reordered events
//! therefore do no harm:
//!
//! - A renewal charge adds a period even if it arrives late.
//! - A failed charge counts only if the paid period ends within a day or has ended.
//! - A renewal that arrives before its checkout is paid is applied after the payment.
//!
//! An event that does not fit its subscription activates nothing. It is logged as an error and
//! listed for the operator (`api admin payments` and the page `/operate/payments`).

use super::{
    invoices as issuing,
    mails::{self, BillingNews},
};
use crate::{
    app::context::BillingContext,
    domain::{
        checkout::{Checkout, CheckoutStatus},
        error::ServiceError,
        invoice::InvoiceLine,
        money::{Cents, unused_amount},
        payment::{
            AgreementInstruction, Charge, EventOutcome, PaymentEvent, PaymentEventKind, WebhookRejection,
        },
        subscription::{Subscription, SubscriptionStatus},
        user::User,
    },
    storage::{self, checkouts, invoices, payment_events, payment_tasks, subscriptions, users},
};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// A renewal may be charged before its due time, by at most the grace period plus this time.
const EARLY_RENEWAL: SignedDuration = SignedDuration::from_hours(3 * 24);
/// A failed charge may be reported at most this long before its period begins.
const EARLY_FAILURE: SignedDuration = SignedDuration::from_hours(24);

/// Checks the signature of a provider's webhook and applies its event.
///
/// # Errors
/// 404 if the provider is not configured, 400 if the signature or the body is invalid. On any other
/// error the provider delivers the event again.
pub async fn receive(
    billing: &BillingContext<'_>,
    provider: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<(), ServiceError> {
    let found = billing.provider.as_ref().filter(|known| known.name() == provider);
    let found = found.ok_or(ServiceError::NotFound("Payment provider"))?;
    match found.parse_webhook(headers, body, billing.clock.now()) {
        Ok(None) => Ok(()),
        Ok(Some(event)) => {
            record(billing, found.name(), &event).await?;
            Ok(())
        }
        Err(rejected) => {
            let signed = rejected != WebhookRejection::Signature;
            if signed {
                keep_unreadable(billing, found.name(), body).await?;
            }
            tracing::warn!(provider = found.name(), signed, bytes = body.len(), "a webhook was refused");
            Err(ServiceError::Unreadable(rejected.to_string()))
        }
    }
}

/// Stores a signed webhook that cannot be read, for the operator. It may report a payment. The
/// provider repeats the webhook, but not for ever.
async fn keep_unreadable(
    billing: &BillingContext<'_>,
    provider: &str,
    body: &[u8],
) -> Result<(), sqlx::Error> {
    let event_id = format!("unreadable:{}", hex::encode(Sha256::digest(body)));
    // A text in Postgres can't contain NUL.
    let text = String::from_utf8_lossy(body).replace('\0', "\u{fffd}");
    payment_events::insert_unreadable(&billing.db, (provider, &event_id), &text, billing.clock.now()).await
}

/// Stores an event and applies it, unless it is stored already.
///
/// # Errors
/// On an error, nothing has changed.
pub async fn record(
    billing: &BillingContext<'_>,
    provider: &str,
    event: &PaymentEvent,
) -> Result<EventOutcome, sqlx::Error> {
    let mut tx = storage::begin(&billing.db).await?;
    if !payment_events::insert(&mut tx, provider, event, billing.clock.now()).await? {
        return Ok(EventOutcome::Ignored);
    }
    let outcome = apply_and_store_outcome(billing, &mut tx, provider, event).await?;
    if outcome == EventOutcome::Applied && matches!(event.kind, PaymentEventKind::Paid { .. }) {
        // Apply the events that arrived before the checkout was paid.
        for waiting in payment_events::unmatched_of_checkout(&mut tx, provider, event.checkout).await? {
            apply_and_store_outcome(billing, &mut tx, provider, &waiting).await?;
        }
    }
    tx.commit().await?;
    Ok(outcome)
}

async fn apply_and_store_outcome(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    provider: &str,
    event: &PaymentEvent,
) -> Result<EventOutcome, sqlx::Error> {
    let found = checkouts::by_id(&mut *tx, event.checkout).await?;
    let found = found.filter(|checkout| checkout.provider == provider);
    let (outcome, subscription_id) = match found {
        None => (EventOutcome::Unmatched, None),
        Some(checkout) => {
            let subscription_id = checkout.subscription_id;
            (apply(billing, tx, checkout, event).await?, Some(subscription_id))
        }
    };
    let (kind, outcome_name) = (event.kind.name(), outcome.as_str());
    payment_events::store_outcome(tx, provider, &event.id, outcome, subscription_id).await?;
    match outcome {
        EventOutcome::Applied | EventOutcome::Ignored => {
            tracing::info!(provider, kind, outcome = outcome_name, checkout = %event.checkout, "a payment event was processed");
        }
        EventOutcome::Unmatched => {
            tracing::warn!(provider, kind, event = event.id, "a payment event belongs to no known checkout");
        }
        _ => {
            tracing::error!(
                provider,
                kind,
                outcome = outcome_name,
                event = event.id,
                "a payment event does not fit its subscription; see `api admin payments`"
            );
        }
    }
    Ok(outcome)
}

async fn apply(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    checkout: Checkout,
    event: &PaymentEvent,
) -> Result<EventOutcome, sqlx::Error> {
    let now = billing.clock.now();
    let Some(user_id) = checkout.user_id else { return reject_orphan(billing, tx, &checkout, event).await };
    users::lock(tx, user_id).await?;
    // Checkout and user are read again under the lock, because the last holder of the lock may have
    // changed or deleted them.
    let checkout = checkouts::by_id(&mut *tx, checkout.id).await?.ok_or(sqlx::Error::RowNotFound)?;
    let user = users::by_id(&mut *tx, user_id, now).await?;
    let (Some(user), true) = (user, checkout.user_id.is_some()) else {
        return reject_orphan(billing, tx, &checkout, event).await;
    };
    let subscription = subscriptions::by_id(&mut *tx, checkout.subscription_id).await?;
    let payment = Payment {
        billing,
        user: &user,
        subscription: subscription.ok_or(sqlx::Error::RowNotFound)?,
        checkout,
        at: event.at.min(now),
        now,
    };
    match &event.kind {
        PaymentEventKind::Paid { charge, agreement } => {
            payment.begin_subscription(tx, charge, agreement.as_deref()).await
        }
        PaymentEventKind::Renewed { charge } => payment.renew(tx, charge).await,
        PaymentEventKind::Failed => payment.mark_unpaid(tx).await,
        PaymentEventKind::Ended => payment.record_end(tx).await,
        PaymentEventKind::Reversed => Ok(EventOutcome::Unexpected),
    }
}

/// Handles an event for a deleted account. It starts no subscription. If the event reports an
/// agreement, the provider is made to stop charging.
async fn reject_orphan(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    checkout: &Checkout,
    event: &PaymentEvent,
) -> Result<EventOutcome, sqlx::Error> {
    let now = billing.clock.now();
    match &event.kind {
        PaymentEventKind::Paid { agreement, .. } => {
            let subscription = subscriptions::by_id(&mut *tx, checkout.subscription_id).await?;
            if let (Some(mut subscription), Some(agreement)) = (subscription, agreement) {
                subscription.agreement = Some(agreement.clone());
                subscriptions::save(tx, &subscription, now).await?;
                end_agreement(billing, tx, &subscription).await?;
            }
            Ok(EventOutcome::Orphan)
        }
        PaymentEventKind::Renewed { .. } | PaymentEventKind::Reversed => Ok(EventOutcome::Orphan),
        PaymentEventKind::Failed | PaymentEventKind::Ended => Ok(EventOutcome::Ignored),
    }
}

/// Schedules the instruction that makes the provider stop charging.
pub(super) async fn end_agreement(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    subscription: &Subscription,
) -> Result<(), sqlx::Error> {
    let Some(provider) = &subscription.provider else { return Ok(()) };
    if subscription.agreement_ended_at.is_some() {
        return Ok(());
    }
    let (id, now) = (billing.random.id(&billing.clock), billing.clock.now());
    payment_tasks::add(tx, id, (provider, subscription.id), AgreementInstruction::End, now, now).await
}

/// A payment event with its user and subscription, read under the user's lock.
struct Payment<'a> {
    billing: &'a BillingContext<'a>,
    user: &'a User,
    checkout: Checkout,
    subscription: Subscription,
    at: Timestamp,
    now: Timestamp,
}

impl Payment<'_> {
    fn grace(&self) -> SignedDuration {
        self.billing.config.payments.grace()
    }

    /// Starts the subscription of a paid checkout, which replaces the user's current subscription.
    async fn begin_subscription(
        mut self,
        tx: &mut PgConnection,
        charge: &Charge,
        agreement: Option<&str>,
    ) -> Result<EventOutcome, sqlx::Error> {
        if self.checkout.status == CheckoutStatus::Paid {
            return self.confirm_paid(tx, charge, agreement).await;
        }
        if charge.amount != self.checkout.amount || charge.currency != self.checkout.currency {
            checkouts::close(tx, self.checkout.id, CheckoutStatus::Mismatch, self.now).await?;
            return Ok(EventOutcome::Mismatch);
        }
        let at = self.at.max(self.checkout.created_at);
        let credit = self.checkout.price - self.checkout.amount;
        let mut lines = Vec::new();
        let mut extra = SignedDuration::ZERO;
        if let Some(old) = subscriptions::active_of_user(&mut *tx, self.user.id).await? {
            if self.checkout.credited_id == Some(old.id) {
                lines.extend((credit > Cents(0)).then(|| issuing::credit_line(&old, credit, at)));
            } else {
                // Two checkouts were paid. The unused value of the first, less the credit already
                // given, lengthens the second subscription.
                let left = if old.unpaid_since.is_some() {
                    Cents(0)
                } else {
                    unused_amount(old.price, old.period_start, old.end, at) - credit
                };
                extra = self.time_for(left, at);
            }
            self.supersede(tx, old).await?;
        } else if let (Some(credited), true) = (self.checkout.credited_id, credit > Cents(0))
            && let Some(old) = subscriptions::by_id(&mut *tx, credited).await?
        {
            lines.push(issuing::credit_line(&old, credit, at));
        }
        let grace = self.grace();
        let begun = &mut self.subscription;
        begun.status = SubscriptionStatus::Active;
        begun.agreement = agreement.map(str::to_owned);
        (begun.start, begun.period_start, begun.periods) = (at, at, 1);
        begun.anchor = at.saturating_add(extra).unwrap_or(at);
        begun.end = begun.cycle.period_end(begun.anchor, 1);
        // The end of the agreement may have been reported first.
        begun.auto_renew = begun.agreement_ended_at.is_none();
        begun.holds_until = if begun.auto_renew { later(begun.end, grace) } else { begun.end };
        begun.ended_at = None;
        subscriptions::save(tx, begun, self.now).await?;
        subscriptions::record_charge(tx, begun.id, at).await?;
        checkouts::close(tx, self.checkout.id, CheckoutStatus::Paid, self.now).await?;
        lines.insert(0, issuing::plan_line(begun));
        // The lines must add up to the charge. A credit that has no line of its own reduces the
        // first line.
        let stated: i64 = lines.iter().map(|line| line.cents).sum();
        if let (true, Some(first)) = (stated != charge.amount.0, lines.first_mut()) {
            first.cents -= stated - charge.amount.0;
        }
        self.issue_invoice(tx, charge, lines).await?;
        if !self.subscription.auto_renew {
            mails::seal(self.billing, tx, self.user, &self.subscription, BillingNews::Cancelled).await?;
        }
        Ok(EventOutcome::Applied)
    }

    /// Handles a further report that a checkout was paid.
    async fn confirm_paid(
        mut self,
        tx: &mut PgConnection,
        charge: &Charge,
        agreement: Option<&str>,
    ) -> Result<EventOutcome, sqlx::Error> {
        if self.subscription.agreement.is_none() && agreement.is_some() {
            // A status request confirmed the payment before this event arrived.
            self.subscription.agreement = agreement.map(str::to_owned);
            subscriptions::save(tx, &self.subscription, self.now).await?;
        }
        let is_known = invoices::is_charged(tx, &self.checkout.provider, &charge.reference).await?;
        Ok(if is_known { EventOutcome::Ignored } else { EventOutcome::Unexpected })
    }

    /// Converts an amount to the time that it pays for at this subscription's price.
    fn time_for(&self, amount: Cents, at: Timestamp) -> SignedDuration {
        let period = self.subscription.cycle.period_end(at, 1).duration_since(at).as_secs();
        let price = i128::from(self.checkout.price.0.max(1));
        let seconds = i128::from(amount.0.max(0)) * i128::from(period) / price;
        SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(0))
    }

    async fn supersede(&self, tx: &mut PgConnection, mut old: Subscription) -> Result<(), sqlx::Error> {
        old.status = SubscriptionStatus::Cancelled;
        (old.auto_renew, old.next) = (false, None);
        (old.ended_at, old.holds_until) = (Some(self.now), self.now.min(old.holds_until));
        subscriptions::save(tx, &old, self.now).await?;
        end_agreement(self.billing, tx, &old).await
    }

    /// Adds a period after a renewal charge.
    async fn renew(mut self, tx: &mut PgConnection, charge: &Charge) -> Result<EventOutcome, sqlx::Error> {
        if self.checkout.status != CheckoutStatus::Paid {
            return Ok(EventOutcome::Unmatched);
        }
        if invoices::is_charged(&mut *tx, &self.checkout.provider, &charge.reference).await? {
            return Ok(EventOutcome::Ignored);
        }
        let is_over = match self.subscription.status {
            SubscriptionStatus::Active => false,
            // A late payment continues an expired subscription, unless the user has another one.
            SubscriptionStatus::Expired => {
                subscriptions::active_of_user(&mut *tx, self.user.id).await?.is_some()
            }
            SubscriptionStatus::Pending | SubscriptionStatus::Cancelled => true,
        };
        if is_over {
            end_agreement(self.billing, tx, &self.subscription).await?;
            return Ok(EventOutcome::Unexpected);
        }
        // A charge made before the provider knew the next plan pays for another period of the
        // current plan.
        let next = self.subscription.next.clone().filter(|next| !next.by_hand && next.price == charge.amount);
        let price = next.as_ref().map_or(self.subscription.price, |next| next.price);
        if charge.amount != price || charge.currency != self.subscription.currency {
            return Ok(EventOutcome::Mismatch);
        }
        let charged_at = subscriptions::charged_at(&mut *tx, self.subscription.id).await?;
        if charged_at.is_some_and(|last| self.at >= last && self.at < self.due_after(last)) {
            return Ok(EventOutcome::Unexpected);
        }
        subscriptions::record_charge(tx, self.subscription.id, self.at).await?;
        let grace = self.grace();
        let renewed = &mut self.subscription;
        renewed.period_start = renewed.end;
        match next {
            Some(next) if next.cycle != renewed.cycle => {
                (renewed.anchor, renewed.periods) = (renewed.end, 1);
                (renewed.plan, renewed.cycle, renewed.price) = (next.plan, next.cycle, next.price);
                renewed.next = None;
            }
            Some(next) => {
                (renewed.plan, renewed.price, renewed.next) = (next.plan, next.price, None);
                renewed.periods += 1;
            }
            None => renewed.periods += 1,
        }
        renewed.end = renewed.cycle.period_end(renewed.anchor, renewed.periods);
        (renewed.unpaid_since, renewed.grace_warned_at) = (None, None);
        renewed.holds_until = if renewed.auto_renew { later(renewed.end, grace) } else { renewed.end };
        if renewed.end > self.now {
            (renewed.status, renewed.ended_at) = (SubscriptionStatus::Active, None);
        }
        subscriptions::save(tx, renewed, self.now).await?;
        let lines = vec![issuing::plan_line(renewed)];
        self.issue_invoice(tx, charge, lines).await?;
        Ok(EventOutcome::Applied)
    }

    /// The earliest accepted time of a charge that follows one at `last`. An earlier charge may be
    /// a replayed event with changed values, because a provider's checksum does not cover all
    /// values.
    fn due_after(&self, last: Timestamp) -> Timestamp {
        let due = self.subscription.cycle.period_end(last, 1);
        let early = self.grace().saturating_add(EARLY_RENEWAL);
        due.saturating_sub(early).unwrap_or(due)
    }

    /// Marks the period as unpaid after a failed charge.
    async fn mark_unpaid(mut self, tx: &mut PgConnection) -> Result<EventOutcome, sqlx::Error> {
        let held = &mut self.subscription;
        let is_due = held.end <= later(self.at, EARLY_FAILURE);
        let is_news =
            held.status == SubscriptionStatus::Active && held.auto_renew && held.unpaid_since.is_none();
        if !is_due || !is_news {
            return Ok(EventOutcome::Ignored);
        }
        held.unpaid_since = Some(self.at);
        subscriptions::save(tx, held, self.now).await?;
        mails::seal(self.billing, tx, self.user, &self.subscription, BillingNews::Unpaid).await?;
        Ok(EventOutcome::Applied)
    }

    /// Records that the agreement has ended.
    async fn record_end(mut self, tx: &mut PgConnection) -> Result<EventOutcome, sqlx::Error> {
        if self.subscription.agreement_ended_at.is_some() {
            return Ok(EventOutcome::Ignored);
        }
        let held = &mut self.subscription;
        held.agreement_ended_at = Some(self.at);
        let is_news = held.status == SubscriptionStatus::Active && held.auto_renew && held.next.is_none();
        if is_news {
            held.auto_renew = false;
            if held.unpaid_since.is_none() {
                held.holds_until = held.end;
            }
        }
        if let Some(next) = &mut held.next {
            next.by_hand = true;
        }
        subscriptions::save(tx, held, self.now).await?;
        if is_news && self.subscription.unpaid_since.is_none() {
            mails::seal(self.billing, tx, self.user, &self.subscription, BillingNews::Cancelled).await?;
        }
        Ok(EventOutcome::Applied)
    }

    async fn issue_invoice(
        &self,
        tx: &mut PgConnection,
        charge: &Charge,
        lines: Vec<InvoiceLine>,
    ) -> Result<(), sqlx::Error> {
        let invoice = issuing::issue(self.billing, tx, self.user, &self.subscription, charge, lines).await?;
        mails::seal(self.billing, tx, self.user, &self.subscription, BillingNews::Paid(&invoice)).await
    }
}

/// Adds a duration to a time. The result is at most the latest possible time.
pub(super) fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.saturating_add(by).unwrap_or(Timestamp::MAX)
}
