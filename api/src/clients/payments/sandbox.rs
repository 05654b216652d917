//! The payment provider of a demonstration: test cards, agreements with recurring charges, and
//! webhooks signed like Stripe's. The sandbox has its own tables and does not know about
//! subscriptions. Its events are processed like the events of real providers. No money moves.

use super::{ProviderError, signature};
use crate::{
    base::random::Random,
    domain::{
        payment::{
            AgreementInstruction, Charge, CheckoutOrder, CheckoutState, OpenedCheckout, PaymentEvent,
            PaymentEventKind, WebhookRejection,
        },
        sandbox::{SandboxAgreement, SandboxState},
    },
    storage::{self, sandbox},
};
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::{SignedDuration, Timestamp};
use sqlx::{PgConnection, PgPool};

/// The header with the signature of a webhook.
const SIGNATURE: HeaderName = HeaderName::from_static("sandbox-signature");
/// The delay before a declined charge is retried.
const RETRY_DELAY: SignedDuration = SignedDuration::from_hours(24);

/// The configured sandbox.
pub struct Sandbox {
    portal_url: String,
    secret: String,
    db: PgPool,
    random: Random,
}

/// The outcome of a payment by card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentOutcome {
    /// The first charge was paid.
    Paid,
    /// The bank asks for authentication (3-D Secure).
    Challenge,
    /// The payment was declined, with the reason for the user.
    Declined(&'static str),
    /// The checkout is unknown or not waiting for this payment, for example because it was paid.
    NotPayable,
}

/// The behaviour of a test card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestCard {
    /// Charges succeed.
    Good,
    /// The first charge succeeds, later charges are declined.
    DeclinesLater,
    /// The bank asks for authentication.
    Challenges,
}

/// Why a card was not accepted, and the field to mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardFault {
    /// `number`, `expiry` or `cvc`.
    pub field: &'static str,
    /// A message for the user.
    pub message: &'static str,
}

impl TestCard {
    /// Parses the card form: the number with or without spaces and hyphens, the expiry as MM/YY,
    /// and a code of three or four digits.
    pub fn read(number: &str, expiry: &str, cvc: &str, now: Timestamp) -> Result<Self, CardFault> {
        let fault = |field, message| CardFault { field, message };
        let number: String = number.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
        if !(12..=19).contains(&number.len())
            || !number.bytes().all(|byte| byte.is_ascii_digit())
            || !is_luhn(&number)
        {
            return Err(fault("number", "Your card number is invalid."));
        }
        let (month, year) = expiry.split_once('/').unwrap_or_default();
        let figure = |text: &str| Some(text.trim()).filter(|text| text.len() == 2)?.parse::<i16>().ok();
        let (Some(month @ 1..=12), Some(year)) = (figure(month), figure(year)) else {
            return Err(fault("expiry", "Write the expiry as MM/YY."));
        };
        let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
        if (2000 + year, month) < (today.year(), i16::from(today.month())) {
            return Err(fault("expiry", "Your card has expired."));
        }
        let cvc = cvc.trim();
        if !(3..=4).contains(&cvc.len()) || !cvc.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault("cvc", "Your card's security code is invalid."));
        }
        match number.as_str() {
            "4242424242424242" => Ok(Self::Good),
            "4000000000000341" => Ok(Self::DeclinesLater),
            "4000002760003184" => Ok(Self::Challenges),
            "4000000000000002" => Err(fault("number", "Your card was declined.")),
            _ => Err(fault("number", "This is not a test card. No real card is charged here.")),
        }
    }
}

/// Whether the check digit of a card number is valid (ISO/IEC 7812-1, annex B).
fn is_luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0') << (place % 2);
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
}

impl Sandbox {
    pub(super) const fn new(portal_url: String, secret: String, db: PgPool, random: Random) -> Self {
        Self { portal_url, secret, db, random }
    }

    pub(super) async fn open(&self, order: &CheckoutOrder<'_>) -> Result<OpenedCheckout, ProviderError> {
        let id = format!("sandbox_{}", self.random.secret());
        let agreement = SandboxAgreement {
            success_url: format!("{}/subscription/success?session_id=", self.portal_url),
            cancel_url: format!("{}/subscription/cancel", self.portal_url),
            id,
            checkout_id: order.checkout,
            title: order.title.to_owned(),
            first: order.first,
            price: order.price,
            currency: order.currency.to_owned(),
            cycle: order.cycle,
            state: SandboxState::Open,
            declines: false,
            charges: 0,
            anchor: None,
            periods: 0,
            next_charge_at: None,
            ends_at_next_charge: false,
        };
        let session = sandbox::open(&self.db, &agreement).await?;
        Ok(OpenedCheckout { url: format!("{}/payments/sandbox/{session}", self.portal_url), session })
    }

    pub(super) async fn query(&self, session: &str, now: Timestamp) -> Result<CheckoutState, ProviderError> {
        let Some(agreement) = sandbox::read(&self.db, session).await? else {
            return Ok(CheckoutState::Unknown);
        };
        Ok(match agreement.state {
            _ if agreement.charges > 0 => {
                CheckoutState::Paid(payment_event(&agreement, SandboxEvent::FirstCharge, now))
            }
            SandboxState::Ended => CheckoutState::Closed,
            _ => CheckoutState::Open,
        })
    }

    pub(super) fn parse_webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<PaymentEvent, WebhookRejection> {
        let header = headers.get(SIGNATURE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !signature::is_valid(&self.secret, header, body, now) {
            return Err(WebhookRejection::Signature);
        }
        serde_json::from_slice(body).map_err(|_| WebhookRejection::Malformed)
    }

    /// Signs a webhook body and returns its headers.
    #[must_use]
    pub fn sign_webhook(&self, body: &[u8], now: Timestamp) -> HeaderMap {
        let value = HeaderValue::try_from(signature::sign(&self.secret, body, now));
        value.map(|value| HeaderMap::from_iter([(SIGNATURE, value)])).unwrap_or_default()
    }

    pub(super) async fn instruct(
        &self,
        agreement: &str,
        instruction: AgreementInstruction,
    ) -> Result<(), ProviderError> {
        let mut tx = storage::begin(&self.db).await?;
        let Some(mut agreement) = sandbox::lock(&mut tx, agreement).await? else { return Ok(()) };
        if agreement.state == SandboxState::Active {
            match instruction {
                AgreementInstruction::CancelAtPeriodEnd => agreement.ends_at_next_charge = true,
                AgreementInstruction::Resume => agreement.ends_at_next_charge = false,
                AgreementInstruction::End => agreement.state = SandboxState::Ended,
                AgreementInstruction::Reprice { price, cycle } => {
                    if agreement.cycle != cycle {
                        // The new periods begin at the end of the paid period.
                        (agreement.anchor, agreement.periods) = (agreement.next_charge_at, 0);
                    }
                    (agreement.price, agreement.cycle) = (price, cycle);
                }
            }
            sandbox::save(&mut tx, &agreement).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// What an event of the sandbox reports.
#[derive(Debug, Clone, Copy)]
enum SandboxEvent {
    FirstCharge,
    LaterCharge,
    Declined,
    Ended,
}

fn payment_event(agreement: &SandboxAgreement, event: SandboxEvent, at: Timestamp) -> PaymentEvent {
    let charge = |amount| Charge {
        reference: format!("{}-{}", agreement.id, agreement.charges),
        amount,
        currency: agreement.currency.clone(),
    };
    let (name, kind) = match event {
        SandboxEvent::FirstCharge => {
            let first = Charge { reference: format!("{}-1", agreement.id), ..charge(agreement.first) };
            ("paid".into(), PaymentEventKind::Paid { charge: first, agreement: Some(agreement.id.clone()) })
        }
        SandboxEvent::LaterCharge => (
            format!("renewed-{}", agreement.charges),
            PaymentEventKind::Renewed { charge: charge(agreement.price) },
        ),
        SandboxEvent::Declined => (format!("declined-{}", at.as_second()), PaymentEventKind::Failed),
        SandboxEvent::Ended => ("ended".into(), PaymentEventKind::Ended),
    };
    PaymentEvent { id: format!("{}-{name}", agreement.id), at, checkout: agreement.checkout_id, kind }
}

async fn store_event(
    tx: &mut PgConnection,
    agreement: &SandboxAgreement,
    kind: SandboxEvent,
    at: Timestamp,
    now: Timestamp,
) -> anyhow::Result<()> {
    let event = payment_event(agreement, kind, at);
    sandbox::add_event(tx, &event.id, &serde_json::to_string(&event)?, now).await?;
    Ok(())
}

/// Pays an open checkout with a test card, or starts the bank's authentication.
pub async fn pay(db: &PgPool, id: &str, card: TestCard, now: Timestamp) -> anyhow::Result<PaymentOutcome> {
    process_payment(db, id, (SandboxState::Open, card), now).await
}

/// Handles the result of the bank's authentication page.
pub async fn answer_challenge(
    db: &PgPool,
    id: &str,
    is_authenticated: bool,
    now: Timestamp,
) -> anyhow::Result<PaymentOutcome> {
    if is_authenticated {
        return process_payment(db, id, (SandboxState::Challenge, TestCard::Good), now).await;
    }
    let mut tx = storage::begin(db).await?;
    let found =
        sandbox::lock(&mut tx, id).await?.filter(|agreement| agreement.state == SandboxState::Challenge);
    let Some(mut agreement) = found else { return Ok(PaymentOutcome::NotPayable) };
    agreement.state = SandboxState::Open;
    sandbox::save(&mut tx, &agreement).await?;
    tx.commit().await?;
    Ok(PaymentOutcome::Declined("Your bank could not confirm that it is you. Nothing was charged."))
}

async fn process_payment(
    db: &PgPool,
    id: &str,
    (from, card): (SandboxState, TestCard),
    now: Timestamp,
) -> anyhow::Result<PaymentOutcome> {
    let mut tx = storage::begin(db).await?;
    let Some(mut agreement) = sandbox::lock(&mut tx, id).await? else {
        return Ok(PaymentOutcome::NotPayable);
    };
    if agreement.state != from {
        return Ok(PaymentOutcome::NotPayable);
    }
    let outcome = if card == TestCard::Challenges {
        agreement.state = SandboxState::Challenge;
        PaymentOutcome::Challenge
    } else {
        agreement.state = SandboxState::Active;
        agreement.declines = card == TestCard::DeclinesLater;
        (agreement.charges, agreement.periods, agreement.anchor) = (1, 1, Some(now));
        agreement.next_charge_at = Some(agreement.cycle.period_end(now, 1));
        store_event(&mut tx, &agreement, SandboxEvent::FirstCharge, now, now).await?;
        PaymentOutcome::Paid
    };
    sandbox::save(&mut tx, &agreement).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// Processes one agreement whose next charge is due: charges it, declines the charge, or ends the
/// agreement. Returns false if none is due.
pub async fn charge_due(db: &PgPool, now: Timestamp) -> anyhow::Result<bool> {
    let mut tx = storage::begin(db).await?;
    let Some(mut agreement) = sandbox::take_due(&mut tx, now).await? else { return Ok(false) };
    let due = agreement.next_charge_at.unwrap_or(now);
    if agreement.ends_at_next_charge {
        agreement.state = SandboxState::Ended;
        store_event(&mut tx, &agreement, SandboxEvent::Ended, due, now).await?;
    } else if agreement.declines {
        agreement.next_charge_at = Some(due.saturating_add(RETRY_DELAY)?);
        store_event(&mut tx, &agreement, SandboxEvent::Declined, due, now).await?;
    } else {
        agreement.charges += 1;
        agreement.periods += 1;
        agreement.next_charge_at =
            Some(agreement.cycle.period_end(agreement.anchor.unwrap_or(due), agreement.periods));
        store_event(&mut tx, &agreement, SandboxEvent::LaterCharge, due, now).await?;
    }
    sandbox::save(&mut tx, &agreement).await?;
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("4242 4242 4242 4242", "12/34", "123", Ok(TestCard::Good))]
    #[case("4242-4242-4242-4242", "11/26", "1234", Ok(TestCard::Good))]
    #[case("4000002760003184", "12/34", "123", Ok(TestCard::Challenges))]
    #[case("4000000000000341", "12/34", "123", Ok(TestCard::DeclinesLater))]
    #[case("4000000000000002", "12/34", "123", Err("number"))]
    #[case("4242 4242 4242 4241", "12/34", "123", Err("number"))]
    // A valid card number, but not of a test card.
    #[case("5555555555554444", "12/34", "123", Err("number"))]
    #[case("", "12/34", "123", Err("number"))]
    #[case("४२४२४२४२४२४२४२४२", "12/34", "123", Err("number"))]
    #[case("4242424242424242", "10/26", "123", Err("expiry"))]
    #[case("4242424242424242", "13/34", "123", Err("expiry"))]
    #[case("4242424242424242", "0/34", "123", Err("expiry"))]
    #[case("4242424242424242", "1234", "123", Err("expiry"))]
    #[case("4242424242424242", "12/34", "12", Err("cvc"))]
    #[case("4242424242424242", "12/34", "abc", Err("cvc"))]
    fn only_valid_forms_with_test_cards_are_accepted(
        #[case] number: &str,
        #[case] expiry: &str,
        #[case] cvc: &str,
        #[case] card: Result<TestCard, &str>,
    ) {
        let now = "2026-11-20T06:30:00Z".parse().unwrap();
        assert_eq!(TestCard::read(number, expiry, cvc, now).map_err(|fault| fault.field), card);
    }
}
