//! Calls webhooks: a signed HTTP request according to Standard Webhooks (headers `webhook-id`,
//! `webhook-timestamp` and `webhook-signature`; HMAC-SHA256 over id, time and body). The id is that
//! of the delivery and the same at each attempt, so a receiver recognises a repetition. A webhook
//! that fails for a long time is switched off, and its owner is informed.

use super::MessageSender;
use crate::{
    app::context::Context,
    base::i18n::mail_words::Words,
    clients::{send_error::SendError, ssrf_guard::SsrfGuard},
    domain::{channel::DirectChannel, webhook::WebhookEndpoint},
    services::notifications::account_mail::{self, Recipient},
    storage::{
        deliveries::sending::{self, LeasedMessage},
        users, webhooks,
    },
};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use reqwest::{Client, StatusCode, redirect};
use sha2::Sha256;
use sqlx::PgConnection;
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// How many calls are made at once, each to another webhook.
const WIDTH: usize = 16;
/// How long a call may take.
const PATIENCE: Duration = Duration::from_secs(10);
const LEASE: SignedDuration = SignedDuration::from_secs(40);
/// A webhook that has accepted nothing for this long is switched off.
const TOO_LONG: SignedDuration = SignedDuration::from_hours(36);
/// The length of a secret in bytes.
const SECRET: usize = 24;

/// Generates the secret of a webhook.
#[must_use]
pub fn fresh_secret(random: &crate::base::random::Random) -> Vec<u8> {
    random.bytes::<SECRET>().to_vec()
}

/// A secret as its owner sees it.
#[must_use]
pub fn shown(secret: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(secret))
}

/// The signature of an attempt.
fn signature(secret: &[u8], id: Uuid, at: Timestamp, body: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    mac.update(format!("{}.{}.", id.simple(), at.as_second()).as_bytes());
    mac.update(body);
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

/// The HTTP client for webhooks.
pub fn client(outside: SsrfGuard) -> anyhow::Result<Client> {
    let client = Client::builder()
        .timeout(PATIENCE)
        .redirect(redirect::Policy::none())
        .dns_resolver(Arc::new(outside))
        // A proxy would resolve host names itself and bypass the guard.
        .no_proxy()
        .user_agent("Serendib-Tenders-Webhooks/1");
    Ok(client.build()?)
}

/// The webhook sender.
pub struct Webhooks<'s> {
    context: &'s Context,
    client: Client,
    outside: SsrfGuard,
}

impl<'s> Webhooks<'s> {
    /// Creates it for this server.
    pub fn new(context: &'s Context) -> anyhow::Result<Self> {
        let outside = SsrfGuard::of(&context.config.phone);
        Ok(Self { context, client: client(outside)?, outside })
    }

    async fn call(&self, endpoint: &WebhookEndpoint, message: &LeasedMessage) -> Result<(), SendError> {
        let gone = |words: &str| SendError::Permanent(words.to_owned());
        let url = endpoint.url.parse().map_err(|_| gone("its address can't be read"))?;
        if !self.outside.may_name(&url) {
            return Err(gone("its address is not on the internet"));
        }
        let at = self.context.clock.now();
        let signature = signature(&endpoint.secret, message.id, at, &message.content)
            .ok_or_else(|| gone("its secret can't be used"))?;
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header("webhook-id", message.id.simple().to_string())
            .header("webhook-timestamp", at.as_second().to_string())
            .header("webhook-signature", signature)
            .body(message.content.clone());
        // The URL may contain a key. Only the status of the response is read.
        let answer = request.send().await;
        let status = answer.map_err(|error| SendError::Transient(kind_of(&error).to_owned()))?.status();
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::GONE => Err(gone("it answers 410")),
            status => Err(SendError::Transient(format!("it answers {}", status.as_u16()))),
        }
    }
}

/// What went wrong, without the URL.
fn kind_of(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "no answer within ten seconds"
    } else if error.is_connect() {
        "no connection"
    } else {
        "no answer that can be read"
    }
}

impl MessageSender for Webhooks<'_> {
    fn width(&self) -> usize {
        WIDTH
    }

    fn lease(&self) -> SignedDuration {
        LEASE
    }

    async fn take(
        &self,
        span: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<LeasedMessage>, sqlx::Error> {
        sending::lease_in_turn(&self.context.db, &[DirectChannel::Webhook.as_str()], span, limit).await
    }

    async fn send(&self, message: &LeasedMessage) -> Result<(), SendError> {
        let endpoint = webhooks::of_delivery(&self.context.db, message.id).await;
        match endpoint.map_err(|error| SendError::Unavailable(error.to_string()))? {
            Some(endpoint) => self.call(&endpoint, message).await,
            None => Err(SendError::Permanent("its owner has no webhook at this address any more".to_owned())),
        }
    }

    async fn learn(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        let now = self.context.clock.now();
        let switch_off_since = match outcome {
            Ok(()) => return Ok(webhooks::works(tx, message.id).await?),
            Err(SendError::Permanent(_)) => now,
            Err(_) => now.saturating_sub(TOO_LONG)?,
        };
        let Some(user_id) = webhooks::fails(&mut *tx, message.id, now, switch_off_since).await? else {
            return Ok(());
        };
        tracing::warn!(user = %user_id, "a webhook was switched off");
        let Some(user) = users::by_id(&mut *tx, user_id, now).await? else { return Ok(()) };
        let written = Words::of(user.language).letters.webhook_off.written(&[]);
        let link = format!("{}/account", self.context.config.base_url());
        account_mail::seal(
            self.context,
            tx,
            Recipient::user(&user),
            &written.letter(&user.first_name, &link),
        )
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_covers_id_time_and_body() {
        // Worked out with openssl: printf '<id>.1763600000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64
        let secret = [7_u8; 24];
        let at = Timestamp::from_second(1_763_600_000).unwrap();
        assert_eq!(shown(&secret), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH");
        let signed = signature(&secret, Uuid::from_u128(1), at, br#"{"a":1}"#).unwrap();
        assert_eq!(signed, "v1,Il386k9zJKzihrnIC6iQZ3LI2dwUpo35Ng/TpkJaR1A=");
        assert_ne!(signature(&secret, Uuid::from_u128(2), at, br#"{"a":1}"#).unwrap(), signed);
    }
}
