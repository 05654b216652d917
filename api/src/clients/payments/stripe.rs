//! Stripe: Checkout Sessions in subscription mode, signed webhooks, and changes of subscriptions
//! (docs.stripe.com/api, version 2025-03-31.basil). Stripe stores our checkout's id in the
//! session's `client_reference_id` and in the subscription's metadata, so that each event can be
//! matched to its checkout. A credit is a single-use coupon.

use super::{ProviderError, provider_http, signature};
use crate::domain::payment::{
    AgreementInstruction, Charge, CheckoutOrder, CheckoutState, OpenedCheckout, PaymentEvent,
    PaymentEventKind, WebhookRejection, is_provider_reference,
};
use crate::{
    base::config::PaymentsConfig,
    domain::{billing_cycle::BillingCycle, money::Cents},
};
use anyhow::Context;
use http::{HeaderMap, header};
use jiff::Timestamp;
use reqwest::{Client, Method, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use uuid::Uuid;

/// The version of Stripe's API.
const API_VERSION: &str = "2025-03-31.basil";
/// The metadata key of our checkout's id.
const CHECKOUT_KEY: &str = "checkout";

/// The configured Stripe account.
pub struct Stripe {
    http: Client,
    api: String,
    portal_url: String,
    key: SecretString,
    webhook_secret: SecretString,
}

impl Stripe {
    pub(super) fn new(config: &PaymentsConfig, portal_url: String) -> anyhow::Result<Self> {
        let key = config.stripe_secret_key.clone().context("STRIPE_SECRET_KEY is not set")?;
        let webhook_secret =
            config.stripe_webhook_secret.clone().context("STRIPE_WEBHOOK_SECRET is not set")?;
        let api = config.stripe_api_url.trim_end_matches('/').to_owned();
        Ok(Self { http: provider_http::client()?, api, portal_url, key, webhook_secret })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}/v1/{path}", self.api));
        request.bearer_auth(self.key.expose_secret()).header("Stripe-Version", API_VERSION)
    }

    /// Posts a form with an idempotency key.
    async fn post(&self, path: &str, key: &str, form: &[(&str, &str)]) -> Result<Value, ProviderError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = self.request(Method::POST, path).header("Idempotency-Key", key);
        provider_http::send(
            request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body),
        )
        .await
    }

    pub(super) async fn open(&self, order: &CheckoutOrder<'_>) -> Result<OpenedCheckout, ProviderError> {
        let checkout = order.checkout.to_string();
        let currency = order.currency.to_ascii_lowercase();
        let (price, expires) = (order.price.0.to_string(), order.expires_at.as_second().to_string());
        let success = format!("{}/subscription/success?session_id={{CHECKOUT_SESSION_ID}}", self.portal_url);
        let cancel = format!("{}/subscription/cancel", self.portal_url);
        let mut form = vec![
            ("mode", "subscription"),
            ("success_url", &success),
            ("cancel_url", &cancel),
            ("client_reference_id", &checkout),
            ("customer_email", order.email),
            ("expires_at", &expires),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", &currency),
            ("line_items[0][price_data][unit_amount]", &price),
            ("line_items[0][price_data][recurring][interval]", interval(order.cycle)),
            ("line_items[0][price_data][product_data][name]", order.title),
            ("metadata[checkout]", &checkout),
            ("subscription_data[metadata][checkout]", &checkout),
        ];
        let credit = order.credit();
        let coupon;
        if credit > Cents(0) {
            coupon = self.create_coupon(&checkout, credit, &currency).await?;
            form.push(("discounts[0][coupon]", &coupon));
        }
        let session = self.post("checkout/sessions", &format!("checkout-{checkout}"), &form).await?;
        let text = |name: &str| session[name].as_str().map(str::to_owned);
        let (Some(session), Some(url)) = (text("id"), text("url")) else {
            return Err(ProviderError::InvalidResponse("a session without an id or a url"));
        };
        if !is_provider_reference(&session) || !url.starts_with("https://") {
            return Err(ProviderError::InvalidResponse("a session with an invalid id or url"));
        }
        Ok(OpenedCheckout { session, url })
    }

    async fn create_coupon(
        &self,
        checkout: &str,
        credit: Cents,
        currency: &str,
    ) -> Result<String, ProviderError> {
        let amount = credit.0.to_string();
        let form = [
            ("amount_off", amount.as_str()),
            ("currency", currency),
            ("duration", "once"),
            ("max_redemptions", "1"),
            ("name", "Credit for the unused time"),
        ];
        let coupon = self.post("coupons", &format!("coupon-{checkout}"), &form).await?;
        coupon["id"]
            .as_str()
            .map(str::to_owned)
            .ok_or(ProviderError::InvalidResponse("a coupon without an id"))
    }

    pub(super) async fn query(
        &self,
        checkout: Uuid,
        session: &str,
        now: Timestamp,
    ) -> Result<CheckoutState, ProviderError> {
        let session: String = form_urlencoded::byte_serialize(session.as_bytes()).collect();
        let found =
            provider_http::send(self.request(Method::GET, &format!("checkout/sessions/{session}"))).await?;
        match found["status"].as_str() {
            Some("open") => Ok(CheckoutState::Open),
            Some("expired") => Ok(CheckoutState::Closed),
            Some("complete") => match session_payment(&found) {
                Some((found_id, kind)) if found_id == checkout => {
                    let id = format!("asked-{session}");
                    Ok(CheckoutState::Paid(PaymentEvent { id, at: now, checkout, kind }))
                }
                Some(_) => Err(ProviderError::InvalidResponse("a session of another checkout")),
                // A session can be complete before it is paid, for example if the customer pays by bank
                // transfer. Its reference or charge may also be unreadable.
                None => Ok(CheckoutState::Open),
            },
            _ => Err(ProviderError::InvalidResponse("a session with a missing or unknown status")),
        }
    }

    pub(super) fn parse_webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Option<PaymentEvent>, WebhookRejection> {
        let header = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
        if !signature::is_valid(self.webhook_secret.expose_secret(), header.unwrap_or_default(), body, now) {
            return Err(WebhookRejection::Signature);
        }
        let event: Value = serde_json::from_slice(body).map_err(|_| WebhookRejection::Malformed)?;
        let (Some(id), Some(event_type)) = (event["id"].as_str(), event["type"].as_str()) else {
            return Err(WebhookRejection::Malformed);
        };
        let created = event["created"].as_i64().and_then(|seconds| Timestamp::from_second(seconds).ok());
        let (Some(at), true) = (created, is_provider_reference(id)) else {
            return Err(WebhookRejection::Malformed);
        };
        let object = &event["data"]["object"];
        let found = match event_type {
            "checkout.session.completed" | "checkout.session.async_payment_succeeded" => {
                session_payment(object)
            }
            "invoice.paid" => renewal_payment(object),
            "invoice.payment_failed" => invoice_checkout(object)
                .filter(|_| !is_first_invoice(object))
                .map(|checkout| (checkout, PaymentEventKind::Failed)),
            "customer.subscription.deleted" => {
                checkout_id(&object["metadata"]).map(|checkout| (checkout, PaymentEventKind::Ended))
            }
            _ => None,
        };
        Ok(found.map(|(checkout, kind)| PaymentEvent { id: id.to_owned(), at, checkout, kind }))
    }

    pub(super) async fn instruct(
        &self,
        agreement: &str,
        instruction: AgreementInstruction,
        key: Uuid,
    ) -> Result<(), ProviderError> {
        let subscription: String = form_urlencoded::byte_serialize(agreement.as_bytes()).collect();
        let path = format!("subscriptions/{subscription}");
        let key = format!("task-{key}");
        let done = match instruction {
            AgreementInstruction::CancelAtPeriodEnd => {
                self.post(&path, &key, &[("cancel_at_period_end", "true")]).await
            }
            AgreementInstruction::Resume => {
                self.post(&path, &key, &[("cancel_at_period_end", "false")]).await
            }
            AgreementInstruction::End => provider_http::send(self.request(Method::DELETE, &path)).await,
            AgreementInstruction::Reprice { price, cycle } => self.reprice(&path, &key, price, cycle).await,
        };
        match done {
            // A subscription that does not exist charges nothing.
            Err(ProviderError::Refused { status: 404, .. }) if instruction == AgreementInstruction::End => {
                Ok(())
            }
            done => done.map(drop),
        }
    }

    async fn reprice(
        &self,
        path: &str,
        key: &str,
        price: Cents,
        cycle: BillingCycle,
    ) -> Result<Value, ProviderError> {
        let found = provider_http::send(self.request(Method::GET, path)).await?;
        let item = &found["items"]["data"][0];
        let [id, product, currency] =
            [&item["id"], &item["price"]["product"], &item["price"]["currency"]].map(Value::as_str);
        let (Some(id), Some(product), Some(currency)) = (id, product, currency) else {
            return Err(ProviderError::InvalidResponse("a subscription without an item"));
        };
        let price = price.0.to_string();
        let form = [
            ("items[0][id]", id),
            ("items[0][price_data][currency]", currency),
            ("items[0][price_data][product]", product),
            ("items[0][price_data][unit_amount]", &price),
            ("items[0][price_data][recurring][interval]", interval(cycle)),
            ("proration_behavior", "none"),
        ];
        self.post(path, key, &form).await
    }
}

const fn interval(cycle: BillingCycle) -> &'static str {
    match cycle {
        BillingCycle::Monthly => "month",
        BillingCycle::Yearly => "year",
    }
}

/// Returns our checkout's id from an object's metadata. `None` if this portal did not create the
/// object.
fn checkout_id(metadata: &Value) -> Option<Uuid> {
    metadata[CHECKOUT_KEY].as_str()?.parse().ok()
}

/// Returns the checkout and the payment of a session. `None` if the session is not paid or not
/// ours.
fn session_payment(session: &Value) -> Option<(Uuid, PaymentEventKind)> {
    let checkout = session["client_reference_id"].as_str()?.parse().ok()?;
    if session["payment_status"].as_str() != Some("paid") {
        return None;
    }
    let reference = ["invoice", "payment_intent", "id"].iter().find_map(|name| session[name].as_str())?;
    let charge = charge(reference, &session["amount_total"], &session["currency"])?;
    let agreement =
        session["subscription"].as_str().filter(|name| is_provider_reference(name)).map(str::to_owned);
    Some((checkout, PaymentEventKind::Paid { charge, agreement }))
}

/// Returns the checkout and the payment of a later period. `None` for the first invoice, whose
/// payment the session reports.
fn renewal_payment(invoice: &Value) -> Option<(Uuid, PaymentEventKind)> {
    if is_first_invoice(invoice) {
        return None;
    }
    let charge = charge(invoice["id"].as_str()?, &invoice["amount_paid"], &invoice["currency"])?;
    // A price change creates invoices of zero, which charge nothing.
    (charge.amount > Cents(0)).then_some((invoice_checkout(invoice)?, PaymentEventKind::Renewed { charge }))
}

fn is_first_invoice(invoice: &Value) -> bool {
    invoice["billing_reason"].as_str() == Some("subscription_create")
}

/// Returns the checkout of an invoice's subscription. The invoice has the format of this API
/// version or of an earlier one.
fn invoice_checkout(invoice: &Value) -> Option<Uuid> {
    checkout_id(&invoice["parent"]["subscription_details"]["metadata"])
        .or_else(|| checkout_id(&invoice["subscription_details"]["metadata"]))
}

fn charge(reference: &str, amount: &Value, currency: &Value) -> Option<Charge> {
    let currency = currency.as_str().filter(|code| is_provider_reference(code))?.to_ascii_uppercase();
    is_provider_reference(reference).then_some(())?;
    Some(Charge { reference: reference.to_owned(), amount: Cents(amount.as_i64()?), currency })
}
