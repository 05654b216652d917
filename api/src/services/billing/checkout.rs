//! Checkouts: the price of a plan, the payment page at the provider, and the state of the payment.
//! No transaction is open during a call to the provider. An incomplete checkout expires. Provider
//! requests are idempotent.

use super::{
    change_rules::{ChangeTiming, HeldSubscription, RequestedPlan, decide},
    payment_events::later,
    plan_changes,
    wanted_plan::WantedPlan,
};
use crate::{
    app::context::BillingContext,
    clients::payments::Provider,
    domain::{
        billing_cycle::BillingCycle,
        checkout::{Checkout, CheckoutStatus},
        error::{FieldError, ServiceError},
        money::{CURRENCY, Cents},
        payment::{CheckoutOrder, CheckoutState, is_provider_reference},
        plan::PlanName,
        subscription::{NewSubscription, Subscription},
        user::User,
    },
    storage::{self, checkouts, plans, subscriptions, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// How long a checkout can be paid. Stripe permits between half an hour and a day.
const LIFETIME: SignedDuration = SignedDuration::from_hours(23);
/// A request for the same plan within this time returns the same checkout.
const REUSE_WINDOW: SignedDuration = SignedDuration::from_mins(10);
/// The maximum number of checkouts per user in an hour.
const MAX_PER_HOUR: i64 = 20;
/// The minimum time between two status requests to the provider for one checkout.
const STATUS_INTERVAL: SignedDuration = SignedDuration::from_secs(2);

/// The error if no payment provider is configured.
pub const NOT_CONFIGURED: ServiceError = ServiceError::Unavailable(
    "Payments are not set up on this portal yet. Write to us, and we open the plan for you.",
);
/// The error for a failed provider request.
pub const PROVIDER_UNAVAILABLE: ServiceError = ServiceError::Unavailable(
    "The payment provider cannot be reached at the moment. Nothing was charged; please try again.",
);

/// The result of a request for a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanRequestOutcome {
    /// The plan begins after the user pays at the URL of the checkout.
    Checkout(Box<Checkout>, Box<Subscription>),
    /// The change or cancellation takes effect at the end of the paid period, or the current plan
    /// is resumed.
    Scheduled(Box<Subscription>),
}

/// The outcomes that the caller can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptedOutcomes {
    /// [`PlanRequestOutcome::Checkout`] only.
    Checkout,
    /// All outcomes.
    Anything,
}

/// The message if a caller accepts only a checkout, but nothing is due now.
const NOTHING_DUE_NOW: &str =
    "This change begins when what you have paid for ends, so there is nothing to pay now";

/// Finds the plan with this id or name. `premium` is an old name of professional.
///
/// # Errors
/// 422 if the plan is not sold.
pub async fn find_plan(
    billing: &BillingContext<'_>,
    plan: &str,
    cycle: BillingCycle,
) -> Result<WantedPlan, ServiceError> {
    let name = if plan == "premium" { PlanName::Professional.as_str() } else { plan };
    let offers = plans::offers(&billing.db).await?;
    let found = offers.into_iter().find(|offer| offer.name.as_str() == name || offer.id.to_string() == name);
    let offer =
        found.ok_or_else(|| ServiceError::Invalid(vec![FieldError::new("plan", "There is no such plan")]))?;
    Ok(WantedPlan { offer, cycle })
}

/// Converts a subscription to the input of [`decide`].
async fn held_subscription(
    tx: &mut PgConnection,
    found: &Subscription,
) -> Result<HeldSubscription, sqlx::Error> {
    Ok(HeldSubscription {
        rank: plans::rank(tx, found.plan).await?,
        cycle: found.cycle,
        price: found.price,
        period_start: found.period_start,
        end: found.end,
        is_unpaid: found.unpaid_since.is_some(),
    })
}

/// Decides whether a change takes effect now, at the end of the period, or not at all.
pub async fn classify_change(
    tx: &mut PgConnection,
    wanted: &WantedPlan,
    found: Option<&Subscription>,
    now: Timestamp,
) -> Result<ChangeTiming, sqlx::Error> {
    let held = match found {
        Some(found) => Some(held_subscription(tx, found).await?),
        None => None,
    };
    let wish = RequestedPlan { rank: wanted.offer.rank, cycle: wanted.cycle, price: wanted.price() };
    Ok(decide(held.as_ref(), &wish, now))
}

/// Requests a plan. The result is a checkout if the plan begins at once, else a scheduled change
/// or cancellation.
///
/// # Errors
/// 409 if the plan is already held, a team's owner pays for the user, or the caller cannot use the
/// outcome. 429 after too many checkouts. 503 if payments are not configured or the provider cannot
/// be reached.
pub async fn request(
    billing: &BillingContext<'_>,
    user: &User,
    wanted: &WantedPlan,
    accepts: AcceptedOutcomes,
) -> Result<PlanRequestOutcome, ServiceError> {
    if user.team_owner.is_some() {
        return Err(ServiceError::Conflict(
            "Your team's owner pays for the plan you share; leave the team first".into(),
        ));
    }
    let now = billing.clock.now();
    let mut tx = storage::begin(&billing.db).await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let free = wanted.offer.name == PlanName::Free;
    let change = if free { None } else { Some(classify_change(&mut tx, wanted, found.as_ref(), now).await?) };
    if accepts == AcceptedOutcomes::Checkout
        && !matches!(change, Some(ChangeTiming::Now { .. } | ChangeTiming::Held))
    {
        return Err(ServiceError::Conflict(NOTHING_DUE_NOW.into()));
    }
    let first = match (change, found) {
        (None, None) => {
            return Err(ServiceError::Conflict("You hold no plan that could be cancelled".into()));
        }
        (None, Some(found)) => {
            let cancelled = plan_changes::cancel_held(billing, &mut tx, user, found, None).await?;
            tx.commit().await?;
            return Ok(PlanRequestOutcome::Scheduled(Box::new(cancelled)));
        }
        (Some(ChangeTiming::Held), Some(found)) => {
            let goes_on = found.next.is_none() && (found.auto_renew || found.provider.is_none());
            if goes_on || accepts == AcceptedOutcomes::Checkout {
                return Err(ServiceError::Conflict("You already have this plan".into()));
            }
            let kept = plan_changes::resume_held(billing, &mut tx, found).await?;
            tx.commit().await?;
            return Ok(PlanRequestOutcome::Scheduled(Box::new(kept)));
        }
        (Some(ChangeTiming::AtEnd(_)), Some(found)) => {
            let changed = plan_changes::schedule(billing, &mut tx, wanted, found).await?;
            tx.commit().await?;
            return Ok(PlanRequestOutcome::Scheduled(Box::new(changed)));
        }
        (Some(ChangeTiming::Now { credit, first }), found) => {
            (first, found.filter(|_| credit > Cents(0)).map(|found| found.id))
        }
        (Some(_), None) => {
            return Err(ServiceError::Conflict("Your account has just changed. Please try again.".into()));
        }
    };
    let provider = billing.provider.as_ref().ok_or(NOT_CONFIGURED)?;
    let (checkout, pending) = store_checkout(billing, &mut tx, user, wanted, provider, first).await?;
    tx.commit().await?;
    open_at_provider(billing, user, provider, checkout, pending).await
}

/// Stores a checkout, or returns a recent one that [`checkouts::find_similar`] finds. Parallel requests
/// for the same plan therefore share one checkout. Each of them opens it, which is idempotent.
async fn store_checkout(
    billing: &BillingContext<'_>,
    tx: &mut PgConnection,
    user: &User,
    wanted: &WantedPlan,
    provider: &Provider,
    (amount, credited_id): (Cents, Option<uuid::Uuid>),
) -> Result<(Checkout, Subscription), ServiceError> {
    let now = billing.clock.now();
    let ago = |by: SignedDuration| now.saturating_sub(by).unwrap_or(Timestamp::MIN);
    let new = Checkout {
        id: billing.random.id(&billing.clock),
        user_id: Some(user.id),
        subscription_id: billing.random.id(&billing.clock),
        provider: provider.name().to_owned(),
        session: None,
        url: None,
        amount,
        price: wanted.price(),
        currency: CURRENCY.to_owned(),
        credited_id,
        status: CheckoutStatus::Opening,
        created_at: now,
        expires_at: later(now, LIFETIME),
    };
    let like =
        checkouts::find_similar(&mut *tx, &new, (wanted.offer.name, wanted.cycle), ago(REUSE_WINDOW)).await?;
    let checkout = match like {
        Some(like) => like,
        None => {
            let made = checkouts::count_since(&mut *tx, user.id, ago(SignedDuration::from_hours(1))).await?;
            if made >= MAX_PER_HOUR {
                return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
            }
            let subscription = NewSubscription {
                id: new.subscription_id,
                user_id: user.id,
                plan: wanted.offer.name,
                cycle: wanted.cycle,
                price: new.price,
                currency: CURRENCY,
                provider: provider.name(),
            };
            subscriptions::insert_pending(&mut *tx, &subscription, now).await?;
            checkouts::insert(&mut *tx, &new).await?;
            new
        }
    };
    let pending = subscriptions::by_id(&mut *tx, checkout.subscription_id).await?;
    Ok((checkout, pending.ok_or(sqlx::Error::RowNotFound)?))
}

/// Opens the checkout at the provider, unless it is already open.
async fn open_at_provider(
    billing: &BillingContext<'_>,
    user: &User,
    provider: &Provider,
    mut checkout: Checkout,
    pending: Subscription,
) -> Result<PlanRequestOutcome, ServiceError> {
    if checkout.url.is_none() {
        let title = pending.cycle.title(pending.plan);
        let order = CheckoutOrder {
            checkout: checkout.id,
            title: &title,
            first: checkout.amount,
            price: checkout.price,
            currency: &checkout.currency,
            cycle: pending.cycle,
            email: &user.email,
            expires_at: checkout.expires_at,
        };
        match provider.open(&order).await {
            Ok(opened) => {
                checkouts::record_opened(&billing.db, checkout.id, &opened).await?;
                (checkout.session, checkout.url) = (Some(opened.session), Some(opened.url));
            }
            Err(error) => {
                tracing::error!(provider = provider.name(), checkout = %checkout.id, %error, "a checkout could not be opened at the provider");
                let mut tx = storage::begin(&billing.db).await?;
                // Every change of a subscription locks its user first; see `close_unpaid`.
                users::lock(&mut tx, user.id).await?;
                checkouts::record_not_opened(&mut tx, checkout.id, billing.clock.now()).await?;
                tx.commit().await?;
                return Err(PROVIDER_UNAVAILABLE);
            }
        }
    }
    Ok(PlanRequestOutcome::Checkout(Box::new(checkout), Box::new(pending)))
}

/// Returns whether a user's checkout was paid, and a message. If the payment may still be
/// unrecorded, the provider is queried first.
///
/// # Errors
/// 404 if the user has no such checkout.
pub async fn verify(
    billing: &BillingContext<'_>,
    user: &User,
    session: &str,
) -> Result<(bool, &'static str), ServiceError> {
    const NONE: ServiceError = ServiceError::NotFound("Checkout");
    if !is_provider_reference(session) {
        return Err(NONE);
    }
    let mut checkout = checkouts::of_session(&billing.db, user.id, session).await?.ok_or(NONE)?;
    if matches!(checkout.status, CheckoutStatus::Opening | CheckoutStatus::Open | CheckoutStatus::Expired) {
        refresh_status(billing, &checkout).await?;
        checkout = checkouts::by_id(&billing.db, checkout.id).await?.unwrap_or(checkout);
    }
    Ok(match checkout.status {
        CheckoutStatus::Paid => (true, "Your subscription is active"),
        CheckoutStatus::Mismatch => (
            false,
            "Your payment does not match the order, so nothing was started. We are looking into it; please write to us.",
        ),
        CheckoutStatus::Failed | CheckoutStatus::Expired => {
            (false, "This checkout was not paid. Nothing was charged.")
        }
        CheckoutStatus::Opening | CheckoutStatus::Open => (false, "Your payment has not been confirmed yet"),
    })
}

/// Closes a checkout that was not paid.
pub(super) async fn close_unpaid(
    billing: &BillingContext<'_>,
    id: uuid::Uuid,
    status: CheckoutStatus,
) -> Result<(), sqlx::Error> {
    let mut tx = storage::begin(&billing.db).await?;
    let payer = checkouts::by_id(&mut *tx, id).await?.and_then(|checkout| checkout.user_id);
    // Every change of a subscription locks its user first. Without the lock, closing a checkout
    // could deadlock with a payment that is being recorded.
    if let Some(user_id) = payer {
        users::lock(&mut tx, user_id).await?;
    }
    checkouts::close(&mut tx, id, status, billing.clock.now()).await?;
    tx.commit().await
}

/// Queries the provider about a checkout and applies its state, at most once per
/// [`STATUS_INTERVAL`].
async fn refresh_status(billing: &BillingContext<'_>, checkout: &Checkout) -> Result<(), ServiceError> {
    let now = billing.clock.now();
    let provider = billing.provider.as_ref().filter(|provider| provider.name() == checkout.provider);
    let (Some(provider), Some(session)) = (provider, &checkout.session) else { return Ok(()) };
    if !checkouts::claim_status_request(&billing.db, checkout.id, now, later(now, STATUS_INTERVAL)).await? {
        return Ok(());
    }
    apply_provider_state(billing, provider, checkout.id, session, false).await.map_err(ServiceError::Internal)
}

/// Queries the provider for the state of a checkout and applies it. An unpaid checkout is closed if
/// the provider has closed it or if `is_over`. If the query fails, nothing changes.
pub(super) async fn apply_provider_state(
    billing: &BillingContext<'_>,
    provider: &Provider,
    checkout: uuid::Uuid,
    session: &str,
    is_over: bool,
) -> anyhow::Result<()> {
    match provider.query(checkout, session, billing.clock.now()).await {
        Ok(CheckoutState::Paid(event)) => {
            super::payment_events::record(billing, provider.name(), &event).await?;
        }
        Ok(standing) => {
            if is_over || standing == CheckoutState::Closed {
                close_unpaid(billing, checkout, CheckoutStatus::Expired).await?;
            }
        }
        Err(error) => {
            tracing::warn!(provider = provider.name(), %checkout, %error, "a status request for a checkout failed")
        }
    }
    Ok(())
}
