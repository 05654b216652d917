//! From a wish for a plan to a page where it is paid, and back: what it costs, the checkout at the provider, and whether it was paid. The
//! provider is spoken to with no transaction open; what dies in between expires by itself, and asked again the provider makes
//! no second one.

use super::{
    change_rules::{Change, Held, Wish, decide},
    payment_events::later,
    plan_changes,
    wanted_plan::WantedPlan,
};
use crate::{
    app::context::BillingContext,
    clients::payments::Provider,
    domain::{
        checkout::{Checkout, CheckoutStatus},
        cycle::Cycle,
        error::{FieldError, ServiceError},
        money::{CURRENCY, Cents},
        payment::{CheckoutOrder, CheckoutState, is_provider_reference},
        plan::PlanName,
        subscription::{NewSubscription, Subscription},
        user::User,
    },
    storage::{checkouts, plans, subscriptions, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// How long a checkout can be paid; Stripe permits half an hour to a day.
const LIFE: SignedDuration = SignedDuration::from_hours(23);
/// Asked for again within this, it is the same one.
const SAME: SignedDuration = SignedDuration::from_mins(10);
/// The most that one user makes in an hour.
const AN_HOUR: i64 = 20;
/// Between two questions about one checkout.
const PAUSE: SignedDuration = SignedDuration::from_secs(2);

/// Nobody takes payments.
pub const NOT_SET_UP: ServiceError = ServiceError::Unavailable(
    "Payments are not set up on this portal yet. Write to us, and we open the plan for you.",
);
/// The provider does not do what it is asked.
pub const NO_PROVIDER: ServiceError = ServiceError::Unavailable(
    "The payment provider cannot be reached at the moment. Nothing was charged; please try again.",
);

/// What becomes of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Became {
    /// It is paid at the checkout's address first.
    Checkout(Box<Checkout>, Box<Subscription>),
    /// It begins when what is held ends, or what was to end goes on.
    Scheduled(Box<Subscription>),
}

/// What whoever asks can do something with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    /// An address to pay at.
    Checkout,
    /// A change without a payment too.
    Anything,
}

/// For whoever can only pay.
const LATER: &str = "This change begins when what you have paid for ends, so there is nothing to pay now";

/// The plan of an id or a name; `premium` is an old name of professional.
///
/// # Errors
/// 422 if the plan is not sold.
pub async fn wanted(
    billing: &BillingContext<'_>,
    plan: &str,
    cycle: Cycle,
) -> Result<WantedPlan, ServiceError> {
    let name = if plan == "premium" { PlanName::Professional.as_str() } else { plan };
    let offers = plans::offers(&billing.db).await?;
    let found = offers.into_iter().find(|offer| offer.name.as_str() == name || offer.id.to_string() == name);
    let offer =
        found.ok_or_else(|| ServiceError::Invalid(vec![FieldError::new("plan", "There is no such plan")]))?;
    Ok(WantedPlan { offer, cycle })
}

/// What somebody holds, as [`decide`] wants it.
async fn held(tx: &mut PgConnection, found: &Subscription) -> Result<Held, sqlx::Error> {
    Ok(Held {
        rank: plans::rank(tx, found.plan).await?,
        cycle: found.cycle,
        price: found.price,
        period_start: found.period_start,
        end: found.end,
        is_unpaid: found.unpaid_since.is_some(),
    })
}

/// What would become of a wish at this moment.
pub async fn weigh(
    tx: &mut PgConnection,
    wanted: &WantedPlan,
    found: Option<&Subscription>,
    now: Timestamp,
) -> Result<Change, sqlx::Error> {
    let held = match found {
        Some(found) => Some(held(tx, found).await?),
        None => None,
    };
    let wish = Wish { rank: wanted.offer.rank, cycle: wanted.cycle, price: wanted.price() };
    Ok(decide(held.as_ref(), &wish, now))
}

/// Does what is wished for: a checkout for what begins at once, a change at the end for the rest.
///
/// # Errors
/// 409 if the plan is already held, 429 after too many checkouts, 503 if payments are off.
pub async fn request(
    billing: &BillingContext<'_>,
    user: &User,
    wanted: &WantedPlan,
    accepts: Accepts,
) -> Result<Became, ServiceError> {
    if user.team_owner.is_some() {
        return Err(ServiceError::Conflict(
            "Your team's owner pays for the plan you share; leave the team first".into(),
        ));
    }
    let now = billing.clock.now();
    let mut tx = billing.db.begin().await?;
    users::lock(&mut tx, user.id).await?;
    let found = subscriptions::active_of_user(&mut *tx, user.id).await?;
    let free = wanted.offer.name == PlanName::Free;
    let change = if free { None } else { Some(weigh(&mut tx, wanted, found.as_ref(), now).await?) };
    if accepts == Accepts::Checkout && !matches!(change, Some(Change::Now { .. } | Change::Held)) {
        return Err(ServiceError::Conflict(LATER.into()));
    }
    let first = match (change, found) {
        (None, None) => {
            return Err(ServiceError::Conflict("You hold no plan that could be cancelled".into()));
        }
        (None, Some(found)) => {
            let cancelled = plan_changes::cancel_held(billing, &mut tx, user, found, None).await?;
            tx.commit().await?;
            return Ok(Became::Scheduled(Box::new(cancelled)));
        }
        (Some(Change::Held), Some(found)) => {
            let goes_on = found.next.is_none() && (found.auto_renew || found.provider.is_none());
            if goes_on || accepts == Accepts::Checkout {
                return Err(ServiceError::Conflict("You hold this plan already".into()));
            }
            let kept = plan_changes::keep_held(billing, &mut tx, found).await?;
            tx.commit().await?;
            return Ok(Became::Scheduled(Box::new(kept)));
        }
        (Some(Change::AtEnd(_)), Some(found)) => {
            let changed = plan_changes::schedule(billing, &mut tx, wanted, found).await?;
            tx.commit().await?;
            return Ok(Became::Scheduled(Box::new(changed)));
        }
        (Some(Change::Now { credit, first }), found) => {
            (first, found.filter(|_| credit > Cents(0)).map(|found| found.id))
        }
        (Some(_), None) => {
            return Err(ServiceError::Conflict("Your account has just changed. Please try again.".into()));
        }
    };
    let provider = billing.provider.as_ref().ok_or(NOT_SET_UP)?;
    let (checkout, pending) = begin(billing, &mut tx, user, wanted, provider, first).await?;
    tx.commit().await?;
    open(billing, user, provider, checkout, pending).await
}

/// Stores what is to be paid, unless it was stored a moment ago.
async fn begin(
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
        expires_at: later(now, LIFE),
    };
    let like = checkouts::like(&mut *tx, &new, (wanted.offer.name, wanted.cycle), ago(SAME)).await?;
    let checkout = match like {
        Some(like) => like,
        None => {
            let made = checkouts::count_since(&mut *tx, user.id, ago(SignedDuration::from_hours(1))).await?;
            if made >= AN_HOUR {
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

/// Has the provider make it, unless it has.
async fn open(
    billing: &BillingContext<'_>,
    user: &User,
    provider: &Provider,
    mut checkout: Checkout,
    pending: Subscription,
) -> Result<Became, ServiceError> {
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
                checkouts::opened(&billing.db, checkout.id, &opened).await?;
                (checkout.session, checkout.url) = (Some(opened.session), Some(opened.url));
            }
            Err(error) => {
                tracing::error!(provider = provider.name(), checkout = %checkout.id, %error, "a checkout could not be made");
                give_up(billing, checkout.id, CheckoutStatus::Failed).await?;
                return Err(NO_PROVIDER);
            }
        }
    }
    Ok(Became::Checkout(Box::new(checkout), Box::new(pending)))
}

/// Whether a user's checkout was paid, by what is known, or else by what the provider says now; and that in words.
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
        ask(billing, &checkout).await?;
        checkout = checkouts::by_id(&billing.db, checkout.id).await?.unwrap_or(checkout);
    }
    Ok(match checkout.status {
        CheckoutStatus::Paid => (true, "Your subscription is active"),
        CheckoutStatus::Mismatch => (
            false,
            "Your payment is not what was asked for, so nothing was started. We look into it; please write to us.",
        ),
        CheckoutStatus::Failed | CheckoutStatus::Expired => {
            (false, "This checkout was not paid. Nothing was charged.")
        }
        CheckoutStatus::Opening | CheckoutStatus::Open => (false, "Your payment has not been confirmed yet"),
    })
}

/// Closes a checkout that was not paid.
pub(super) async fn give_up(
    billing: &BillingContext<'_>,
    id: uuid::Uuid,
    status: CheckoutStatus,
) -> Result<(), sqlx::Error> {
    let mut tx = billing.db.begin().await?;
    let payer = checkouts::by_id(&mut *tx, id).await?.and_then(|checkout| checkout.user_id);
    // As everything that changes a subscription; a payment that is just being recorded would else wait for this, and this for it.
    if let Some(user_id) = payer {
        users::lock(&mut tx, user_id).await?;
    }
    checkouts::close(&mut tx, id, status, billing.clock.now()).await?;
    tx.commit().await
}

/// Asks the provider about a checkout, and acts on what it says; not twice within a moment.
async fn ask(billing: &BillingContext<'_>, checkout: &Checkout) -> Result<(), ServiceError> {
    let now = billing.clock.now();
    let provider = billing.provider.as_ref().filter(|provider| provider.name() == checkout.provider);
    let (Some(provider), Some(session)) = (provider, &checkout.session) else { return Ok(()) };
    if !checkouts::take_question(&billing.db, checkout.id, now, later(now, PAUSE)).await? {
        return Ok(());
    }
    settle(billing, provider, checkout.id, session, false).await.map_err(ServiceError::Internal)
}

/// Acts on how a checkout stands at the provider. Where nobody can say and it `is_over`, it is over.
pub(super) async fn settle(
    billing: &BillingContext<'_>,
    provider: &Provider,
    checkout: uuid::Uuid,
    session: &str,
    is_over: bool,
) -> anyhow::Result<()> {
    match provider.ask(checkout, session, billing.clock.now()).await {
        Ok(CheckoutState::Paid(event)) => {
            super::payment_events::record(billing, provider.name(), &event).await?;
        }
        Ok(standing) => {
            if is_over || standing == CheckoutState::Closed {
                give_up(billing, checkout, CheckoutStatus::Expired).await?;
            }
        }
        Err(error) => {
            tracing::warn!(provider = provider.name(), %checkout, %error, "a checkout could not be asked about")
        }
    }
    Ok(())
}
