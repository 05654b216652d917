//! PayHere: a form that the browser posts from our page, notifications to our server, and the
//! merchant API (support.payhere.lk: Checkout, Recurring, Retrieval and Subscription Manager API).
//! A checksum is the MD5 of some values followed by the MD5 of the merchant's secret.
//!
//! A notification's checksum covers merchant, order, amount, currency and status, but neither the
//! payment's id nor the message type. These two fields are therefore not trusted: the order must be
//! our checkout, the amount must match, and a further charge counts only when it is due
//! (`billing::payment_events`).

use super::{ProviderError, provider_http};
use crate::domain::payment::{
    AgreementInstruction, Charge, CheckoutOrder, CheckoutState, OpenedCheckout, PaymentEvent,
    PaymentEventKind, WebhookRejection, is_provider_reference,
};
use crate::{
    base::{config::PaymentsConfig, signing_key::SigningKey},
    domain::{billing_cycle::BillingCycle, money::Cents},
};
use anyhow::Context;
use http::header;
use jiff::Timestamp;
use md5::{Digest, Md5};
use reqwest::{Client, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// The purpose of the signature in the URL of our page.
const PAGE_SIGNATURE_PURPOSE: &str = "payhere-page";
/// The status of a successful payment.
const STATUS_SUCCESS: &str = "2";
/// The status codes that PayHere sends: success, pending, cancelled, failed and charged back.
const STATUSES: [&str; 5] = [STATUS_SUCCESS, "0", "-1", "-2", "-3"];

/// The configured PayHere account.
pub struct PayHere {
    http: Client,
    url: String,
    portal_url: String,
    /// Signs the URLs of our page with the form.
    page_key: SigningKey,
    merchant_id: String,
    merchant_secret: SecretString,
    app_id: String,
    app_secret: SecretString,
}

/// The fields of the form that the browser posts to PayHere, in the order of PayHere's
/// documentation.
pub type FormFields = Vec<(&'static str, String)>;

/// The payer's details that the form requires.
#[derive(Debug, Clone, Copy)]
pub struct Payer<'a> {
    /// The given name.
    pub first_name: &'a str,
    /// The family name.
    pub last_name: &'a str,
    /// The mail address.
    pub email: &'a str,
    /// The telephone number, if it is known.
    pub phone: Option<&'a str>,
}

/// The fields of a notification that we use.
#[derive(Deserialize)]
struct Notification {
    merchant_id: String,
    order_id: String,
    payment_id: String,
    payhere_amount: String,
    payhere_currency: String,
    status_code: String,
    md5sig: String,
    #[serde(default)]
    message_type: String,
    #[serde(default)]
    subscription_id: String,
}

impl PayHere {
    pub(super) fn new(
        config: &PaymentsConfig,
        portal_url: String,
        page_key: SigningKey,
    ) -> anyhow::Result<Self> {
        let set = |value: &Option<String>, name| value.clone().with_context(|| format!("{name} is not set"));
        let secret =
            |value: &Option<SecretString>, name| value.clone().with_context(|| format!("{name} is not set"));
        Ok(Self {
            http: provider_http::client()?,
            url: config.payhere_url.trim_end_matches('/').to_owned(),
            portal_url,
            page_key,
            merchant_id: set(&config.payhere_merchant_id, "PAYHERE_MERCHANT_ID")?,
            merchant_secret: secret(&config.payhere_merchant_secret, "PAYHERE_MERCHANT_SECRET")?,
            app_id: set(&config.payhere_app_id, "PAYHERE_APP_ID")?,
            app_secret: secret(&config.payhere_app_secret, "PAYHERE_APP_SECRET")?,
        })
    }

    /// Returns the URL of our page that posts the form. No request is sent to PayHere yet.
    pub(super) fn open(&self, order: &CheckoutOrder<'_>) -> OpenedCheckout {
        let session = order.checkout.simple().to_string();
        let signature = self.page_key.sign(PAGE_SIGNATURE_PURPOSE, session.as_bytes());
        OpenedCheckout {
            url: format!("{}/payments/payhere/{session}?signature={signature}", self.portal_url),
            session,
        }
    }

    /// Whether this portal signed the URL of the page for this session.
    #[must_use]
    pub fn is_valid_page_link(&self, session: &str, signature: &str) -> bool {
        self.page_key.verify(PAGE_SIGNATURE_PURPOSE, session.as_bytes(), signature)
    }

    /// Returns the URL to which the browser posts the form.
    #[must_use]
    pub fn form_url(&self) -> String {
        format!("{}/pay/checkout", self.url)
    }

    /// Returns the form of a checkout. A credit is a negative startup fee, as in PayHere's own
    /// plugin. The form's checksum covers the amount of the first charge.
    #[must_use]
    pub fn form_fields(&self, order: &CheckoutOrder<'_>, payer: &Payer<'_>) -> FormFields {
        let order_id = order.checkout.simple().to_string();
        let portal_url = &self.portal_url;
        let first = order.first.decimal();
        let recurrence = match order.cycle {
            BillingCycle::Monthly => "1 Month",
            BillingCycle::Yearly => "1 Year",
        };
        let hash = self.checksum(&[&self.merchant_id, &order_id, &first, order.currency]);
        let mut fields = vec![
            ("merchant_id", self.merchant_id.clone()),
            ("return_url", format!("{portal_url}/subscription/success?session_id={order_id}")),
            ("cancel_url", format!("{portal_url}/subscription/cancel")),
            ("notify_url", format!("{portal_url}/api/webhooks/payhere")),
            ("first_name", payer.first_name.to_owned()),
            ("last_name", payer.last_name.to_owned()),
            ("email", payer.email.to_owned()),
            ("phone", payer.phone.unwrap_or("-").to_owned()),
            // PayHere requires an address and a city, which are unknown here.
            ("address", "-".to_owned()),
            ("city", "-".to_owned()),
            ("country", "Sri Lanka".to_owned()),
            ("order_id", order_id),
            ("items", order.title.to_owned()),
            ("currency", order.currency.to_owned()),
            ("recurrence", recurrence.to_owned()),
            ("duration", "Forever".to_owned()),
            ("amount", order.price.decimal()),
        ];
        if order.credit() > Cents(0) {
            fields.push(("startup_fee", (-order.credit()).decimal()));
        }
        fields.push(("hash", hash));
        fields
    }

    /// Returns the checksum over these values and the merchant's secret.
    fn checksum(&self, values: &[&str]) -> String {
        let secret = upper_md5(self.merchant_secret.expose_secret());
        upper_md5(&(values.concat() + &secret))
    }

    pub(super) fn parse_webhook(
        &self,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Option<PaymentEvent>, WebhookRejection> {
        let notification: Notification =
            serde_urlencoded::from_bytes(body).map_err(|_| WebhookRejection::Signature)?;
        let Notification { order_id, payment_id, payhere_amount, payhere_currency, status_code, .. } =
            &notification;
        // The checksum has no separators between the values. If a currency and a status could have any
        // form, the checksum in the payer's own form, which ends with the currency, would also be that of
        // a notification. A notification ends with a status.
        if !is_currency_code(payhere_currency) || !STATUSES.contains(&status_code.as_str()) {
            return Err(WebhookRejection::Signature);
        }
        let expected = self.checksum(&[
            &notification.merchant_id,
            order_id,
            payhere_amount,
            payhere_currency,
            status_code,
        ]);
        if notification.merchant_id != self.merchant_id
            || !equal_in_constant_time(&expected, &notification.md5sig)
        {
            return Err(WebhookRejection::Signature);
        }
        // Without a checkout's id, the order belongs to another shop of the merchant.
        let Ok(checkout) = order_id.parse::<Uuid>() else { return Ok(None) };
        let amount = Cents::parse(payhere_amount).ok_or(WebhookRejection::Malformed)?;
        if !is_provider_reference(payment_id) || !is_provider_reference(payhere_currency) {
            return Err(WebhookRejection::Malformed);
        }
        let charge = Charge { reference: payment_id.clone(), amount, currency: payhere_currency.clone() };
        let agreement = Some(notification.subscription_id.clone()).filter(|name| is_provider_reference(name));
        let kind = match (notification.message_type.as_str(), status_code.as_str()) {
            (_, "-3") => PaymentEventKind::Reversed,
            ("AUTHORIZATION_SUCCESS" | "", STATUS_SUCCESS) => PaymentEventKind::Paid { charge, agreement },
            ("RECURRING_INSTALLMENT_SUCCESS", STATUS_SUCCESS) => PaymentEventKind::Renewed { charge },
            ("RECURRING_INSTALLMENT_FAILED", _) => PaymentEventKind::Failed,
            ("RECURRING_STOPPED" | "RECURRING_COMPLETE", _) => PaymentEventKind::Ended,
            // For example pending, cancelled or declined: nothing was paid.
            _ => return Ok(None),
        };
        let id = format!("{payment_id}:{status_code}:{}:{}", kind.name(), order_id);
        Ok(Some(PaymentEvent { id, at: now, checkout, kind }))
    }

    pub(super) async fn query(&self, checkout: Uuid, now: Timestamp) -> Result<CheckoutState, ProviderError> {
        let token = self.request_token().await?;
        let order_id = checkout.simple().to_string();
        let url = format!("{}/merchant/v1/payment/search?order_id={order_id}", self.url);
        let found = provider_http::send(self.http.get(url).bearer_auth(token)).await?;
        // If no payment was made, the response contains no list.
        let Some(payment) = found["data"].as_array().and_then(|payments| {
            payments.iter().find(|payment| {
                payment["status"] == "RECEIVED" && payment["order_id"].as_str() == Some(&order_id)
            })
        }) else {
            return Ok(CheckoutState::Open);
        };
        let amount = Cents::parse(&payment["amount"].to_string());
        let (Some(amount), Some(currency)) = (amount, payment["currency"].as_str()) else {
            return Err(ProviderError::InvalidResponse("a payment without an amount"));
        };
        let reference = payment["payment_id"].to_string().trim_matches('"').to_owned();
        let charge = Charge { reference: reference.clone(), amount, currency: currency.to_owned() };
        let kind = PaymentEventKind::Paid { charge, agreement: None };
        Ok(CheckoutState::Paid(PaymentEvent { id: format!("asked-{reference}"), at: now, checkout, kind }))
    }

    /// Requests an API token (OAuth 2.0, client credentials).
    async fn request_token(&self) -> Result<String, ProviderError> {
        let request = self.http.request(Method::POST, format!("{}/merchant/v1/oauth/token", self.url));
        let request = request.basic_auth(&self.app_id, Some(self.app_secret.expose_secret()));
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = provider_http::send(request.body("grant_type=client_credentials")).await?;
        let token = answer["access_token"].as_str();
        token.map(str::to_owned).ok_or(ProviderError::InvalidResponse("an authorisation without a token"))
    }

    /// Ends an agreement. PayHere supports no other instruction.
    pub(super) async fn instruct(
        &self,
        agreement: &str,
        instruction: AgreementInstruction,
    ) -> Result<(), ProviderError> {
        if instruction != AgreementInstruction::End {
            return Err(ProviderError::Refused { status: 400, code: "not_offered".into() });
        }
        let token = self.request_token().await?;
        let request = self.http.post(format!("{}/merchant/v1/subscription/cancel", self.url));
        let request = request.bearer_auth(token).json(&json!({"subscription_id": agreement}));
        let answer = provider_http::send(request).await?;
        // Even if PayHere refuses, the HTTP status is 200. The body contains the actual status.
        match answer["status"].as_i64() {
            Some(1) => Ok(()),
            Some(status) => Err(ProviderError::Refused { status: 200, code: format!("status_{status}") }),
            None => Err(ProviderError::InvalidResponse("a cancellation without a status")),
        }
    }
}

/// Whether a text has the form of a currency code (ISO 4217).
fn is_currency_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase())
}

fn upper_md5(text: &str) -> String {
    hex::encode_upper(Md5::digest(text.as_bytes()))
}

/// Whether two checksums are equal, ignoring case. If their lengths are equal, the comparison takes
/// constant time.
fn equal_in_constant_time(expected: &str, given: &str) -> bool {
    let differ = |(one, other): (u8, u8)| u8::from(!one.eq_ignore_ascii_case(&other));
    expected.len() == given.len()
        && expected.bytes().zip(given.bytes()).map(differ).fold(0, std::ops::BitOr::bitor) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn payhere() -> PayHere {
        PayHere {
            http: provider_http::client().unwrap(),
            url: "https://sandbox.payhere.lk".into(),
            portal_url: "https://portal.example".into(),
            page_key: SigningKey::new("k".repeat(32).into()).unwrap(),
            merchant_id: "1211149".into(),
            merchant_secret: "MzYxMDEwMjU2MTE0MjA2NjA1".to_owned().into(),
            app_id: "app".into(),
            app_secret: "secret".to_owned().into(),
        }
    }

    const CHECKOUT: Uuid = Uuid::from_u128(0x0193_5a00_0000_7000_8000_0000_0000_0001);

    fn order(first: i64) -> CheckoutOrder<'static> {
        CheckoutOrder {
            checkout: CHECKOUT,
            title: "Professional, monthly",
            first: Cents(first),
            price: Cents(500_000),
            currency: "LKR",
            cycle: BillingCycle::Monthly,
            email: "nimal@example.lk",
            expires_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn field(fields: &FormFields, name: &str) -> Option<String> {
        fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    // The hashes were computed with `printf '%s' … | md5sum`, in the two steps that PayHere
    // documents.
    #[rstest]
    #[case(500_000, "42F2C1BC8B72B1D5E46C90039AE71897", None)]
    #[case(400_050, "EE70BE0EFB2126B441F73C31813DA3AB", Some("-999.50"))]
    fn form_checksum_covers_the_first_charge(
        #[case] first: i64,
        #[case] hash: &str,
        #[case] startup_fee: Option<&str>,
    ) {
        let payer = Payer { first_name: "Nimal", last_name: "Perera", email: "n@example.lk", phone: None };
        let fields = payhere().form_fields(&order(first), &payer);
        assert_eq!(field(&fields, "hash").as_deref(), Some(hash));
        assert_eq!(field(&fields, "amount").as_deref(), Some("5000.00"));
        assert_eq!(field(&fields, "recurrence").as_deref(), Some("1 Month"));
        assert_eq!(field(&fields, "startup_fee").as_deref(), startup_fee);
        assert_eq!(
            field(&fields, "notify_url").as_deref(),
            Some("https://portal.example/api/webhooks/payhere")
        );
    }

    fn notification(change: impl Fn(&mut Vec<(&str, String)>)) -> Vec<u8> {
        let mut fields = vec![
            ("merchant_id", "1211149".to_owned()),
            ("order_id", CHECKOUT.simple().to_string()),
            ("payment_id", "320032387276".to_owned()),
            ("payhere_amount", "5000.00".to_owned()),
            ("payhere_currency", "LKR".to_owned()),
            ("status_code", "2".to_owned()),
            ("md5sig", "AC677A0799C7B4A5C337F829E343A00F".to_owned()),
            ("method", "VISA".to_owned()),
            ("message_type", "AUTHORIZATION_SUCCESS".to_owned()),
            ("subscription_id", "420075044317".to_owned()),
            ("item_rec_status", "0".to_owned()),
        ];
        change(&mut fields);
        form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes()
    }

    fn set(name: &'static str, value: &'static str) -> impl Fn(&mut Vec<(&str, String)>) {
        move |fields| {
            fields.iter_mut().filter(|(known, _)| *known == name).for_each(|(_, old)| *old = value.to_owned())
        }
    }

    #[test]
    fn valid_notification_is_read() {
        let now = Timestamp::UNIX_EPOCH;
        let event = payhere().parse_webhook(&notification(|_| ()), now).unwrap().unwrap();
        assert_eq!(event.checkout, CHECKOUT);
        let charge =
            Charge { reference: "320032387276".into(), amount: Cents(500_000), currency: "LKR".into() };
        assert_eq!(event.kind, PaymentEventKind::Paid { charge, agreement: Some("420075044317".into()) });
        let renewed = notification(set("message_type", "RECURRING_INSTALLMENT_SUCCESS"));
        assert_eq!(payhere().parse_webhook(&renewed, now).unwrap().unwrap().kind.name(), "renewed");
    }

    #[test]
    fn checksum_of_the_payers_form_is_no_checksum_of_a_notification() {
        let payer = Payer { first_name: "Nimal", last_name: "Perera", email: "n@example.lk", phone: None };
        let hash = field(&payhere().form_fields(&order(500_000), &payer), "hash").unwrap();
        let types = [
            "",
            "AUTHORIZATION_SUCCESS",
            "AUTHORIZATION_FAILED",
            "RECURRING_INSTALLMENT_SUCCESS",
            "RECURRING_INSTALLMENT_FAILED",
            "RECURRING_COMPLETE",
            "RECURRING_STOPPED",
        ];
        for message_type in types {
            for (currency, status) in [("LK", "R"), ("L", "KR"), ("LKR", ""), ("", "LKR")] {
                let forged = notification(|fields| {
                    set("payhere_currency", currency)(fields);
                    set("status_code", status)(fields);
                    fields
                        .iter_mut()
                        .filter(|(name, _)| *name == "md5sig")
                        .for_each(|(_, old)| *old = hash.clone());
                    fields.iter_mut().filter(|(name, _)| *name == "message_type").for_each(|(_, old)| {
                        message_type.clone_into(old);
                    });
                });
                let read = payhere().parse_webhook(&forged, Timestamp::UNIX_EPOCH);
                assert_eq!(read, Err(WebhookRejection::Signature), "{message_type} {currency} {status}");
            }
        }
    }

    #[test]
    fn invalid_checksum_is_rejected() {
        for (name, value) in [
            ("payhere_amount", "1.00"),
            ("payhere_currency", "USD"),
            ("status_code", "-2"),
            ("order_id", "0"),
            ("merchant_id", "1"),
            ("md5sig", ""),
            ("md5sig", "00000000000000000000000000000000"),
        ] {
            let read = payhere().parse_webhook(&notification(set(name, value)), Timestamp::UNIX_EPOCH);
            assert_eq!(read, Err(WebhookRejection::Signature), "{name} {value}");
        }
        for rubbish in [&b""[..], b"\xff", b"merchant_id=1", b"{}"] {
            assert_eq!(
                payhere().parse_webhook(rubbish, Timestamp::UNIX_EPOCH),
                Err(WebhookRejection::Signature)
            );
        }
    }
}
