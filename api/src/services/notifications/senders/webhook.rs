//! Calls webhooks: a signed HTTP request according to Standard Webhooks (headers `webhook-id`,
//! `webhook-timestamp` and `webhook-signature`; HMAC-SHA256 over id, time and body). The id
//! identifies the delivery and is the same at each attempt, so a receiver can detect repetitions. A
//! webhook that refuses for good or fails for a long time is switched off, and its owner is
//! informed.

use super::MessageSender;
use crate::{
    app::context::Context,
    base::i18n::mail_texts::MailTexts,
    clients::{send_error::SendError, ssrf_guard::SsrfGuard},
    domain::{
        channel::{Channel, DirectChannel},
        webhook::WebhookEndpoint,
    },
    services::notifications::account_mail::{self, Recipient},
    storage::{
        deliveries::sending::{self, LeasedMessage},
        users, webhooks,
    },
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use reqwest::{Client, StatusCode, redirect};
use sqlx::PgConnection;
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// The maximum number of concurrent calls, each to a different webhook.
const CONCURRENCY: usize = 16;
/// The timeout of a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// The lease of a message: four times the timeout of a call.
const LEASE: SignedDuration = SignedDuration::from_secs(40);
/// A webhook whose calls have failed for this long is switched off.
const FAILURE_LIMIT: SignedDuration = SignedDuration::from_hours(36);
/// The length of a secret in bytes.
const SECRET_LENGTH: usize = 24;

/// Generates the secret of a webhook.
#[must_use]
pub fn generate_secret(random: &crate::base::random::Random) -> Vec<u8> {
    random.bytes::<SECRET_LENGTH>().to_vec()
}

/// Formats a secret for its owner.
#[must_use]
pub fn format_secret(secret: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(secret))
}

/// Computes the signature of an attempt. `None` if the body is not UTF-8.
fn signature(secret: &[u8], id: Uuid, at: Timestamp, body: &[u8]) -> Option<String> {
    let webhook = Webhook::from_bytes(secret.to_vec()).ok()?;
    webhook.sign(&id.simple().to_string(), at.as_second(), body).ok()
}

/// Builds the HTTP client for webhooks.
pub fn build_client(guard: SsrfGuard) -> anyhow::Result<Client> {
    let client = Client::builder()
        .timeout(CALL_TIMEOUT)
        .redirect(redirect::Policy::none())
        .dns_resolver(Arc::new(guard))
        // A proxy would resolve host names itself and bypass the guard.
        .no_proxy()
        .user_agent("Serendib-Tenders-Webhooks/1");
    Ok(client.build()?)
}

/// The webhook sender.
pub struct WebhookSender<'s> {
    context: &'s Context,
    client: Client,
    guard: SsrfGuard,
}

impl<'s> WebhookSender<'s> {
    /// Creates a sender from the configuration.
    pub fn new(context: &'s Context) -> anyhow::Result<Self> {
        let guard = SsrfGuard::of(&context.config.phone);
        Ok(Self { context, client: build_client(guard)?, guard })
    }

    async fn call(&self, endpoint: &WebhookEndpoint, message: &LeasedMessage) -> Result<(), SendError> {
        let gone = |words: &str| SendError::Permanent(words.to_owned());
        let url = endpoint.url.parse().map_err(|_| gone("its URL is invalid"))?;
        if !self.guard.allows_host(&url) {
            return Err(gone("its URL is not on the internet"));
        }
        let at = self.context.clock.now();
        let signature = signature(&endpoint.secret, message.id, at, &message.content)
            .ok_or_else(|| gone("its secret cannot be used"))?;
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header(HEADER_WEBHOOK_ID, message.id.simple().to_string())
            .header(HEADER_WEBHOOK_TIMESTAMP, at.as_second().to_string())
            .header(HEADER_WEBHOOK_SIGNATURE, signature)
            .body(message.content.clone());
        // The error is described without the URL, because the URL may contain a key. Only the
        // status of the response is read.
        let answer = request.send().await;
        let status =
            answer.map_err(|error| SendError::Transient(describe_error(&error).to_owned()))?.status();
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::GONE => Err(gone("it answers 410")),
            status => Err(SendError::Transient(format!("it answers {}", status.as_u16()))),
        }
    }
}

/// Describes the error without the URL.
fn describe_error(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "no answer within ten seconds"
    } else if error.is_connect() {
        "no connection"
    } else {
        "the answer is invalid"
    }
}

impl MessageSender for WebhookSender<'_> {
    fn channel(&self, _: &LeasedMessage) -> Option<Channel> {
        Some(Channel::Direct(DirectChannel::Webhook))
    }

    fn concurrency(&self) -> usize {
        CONCURRENCY
    }

    fn lease_duration(&self) -> SignedDuration {
        LEASE
    }

    async fn lease(
        &self,
        lease_period: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<LeasedMessage>, sqlx::Error> {
        sending::lease_one_per_address(
            &self.context.db,
            &[DirectChannel::Webhook.as_str()],
            lease_period,
            limit,
        )
        .await
    }

    async fn send(&self, message: &LeasedMessage) -> Result<(), SendError> {
        let endpoint = webhooks::of_delivery(&self.context.db, message.id, &self.context.secrets).await;
        match endpoint.map_err(|error| SendError::Unavailable(error.to_string()))? {
            Some(endpoint) => self.call(&endpoint, message).await,
            None => Err(SendError::Permanent("its owner no longer has a webhook at this URL".to_owned())),
        }
    }

    async fn record_outcome(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        let now = self.context.clock.now();
        let switch_off_since = match outcome {
            Ok(()) => return Ok(webhooks::record_success(tx, message.id).await?),
            Err(SendError::Permanent(_)) => now,
            Err(_) => now.saturating_sub(FAILURE_LIMIT)?,
        };
        let Some(user_id) = webhooks::record_failure(&mut *tx, message.id, now, switch_off_since).await?
        else {
            return Ok(());
        };
        tracing::warn!(user = %user_id, "a webhook was switched off");
        let Some(user) = users::by_id(&mut *tx, user_id, now).await? else { return Ok(()) };
        let written = MailTexts::of(user.language).mails.webhook_off.fill(&[]);
        let link = format!("{}/account", self.context.config.base_url());
        account_mail::seal(self.context, tx, Recipient::user(&user), &written.mail(&user.first_name, &link))
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_covers_id_time_and_body() {
        // Computed with openssl: printf '<id>.1763600000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64
        let secret = [7_u8; 24];
        let at = Timestamp::from_second(1_763_600_000).unwrap();
        assert_eq!(format_secret(&secret), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH");
        let signed = signature(&secret, Uuid::from_u128(1), at, br#"{"a":1}"#).unwrap();
        assert_eq!(signed, "v1,Il386k9zJKzihrnIC6iQZ3LI2dwUpo35Ng/TpkJaR1A=");
        assert_ne!(signature(&secret, Uuid::from_u128(2), at, br#"{"a":1}"#).unwrap(), signed);
    }
}
