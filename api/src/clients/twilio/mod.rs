//! Twilio's Programmable Messaging API for SMS and WhatsApp (pages "Messages resource" and "Send
//! WhatsApp notification messages with templates" of its documentation). The API has no
//! idempotency key: if a response is lost, the message may be sent twice.

use crate::base::config::PhoneConfig;
use crate::{clients::send_error::SendError, domain::channel::DirectChannel};
use anyhow::{Context, ensure};
use reqwest::{Client, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;

/// The timeout of a request to Twilio.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of an error response, in bytes.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// Twilio's error codes for numbers that are invalid, can't receive messages or have unsubscribed.
const UNUSABLE_NUMBER_CODES: [u32; 6] = [21211, 21214, 21217, 21610, 21614, 63003];

/// An account at Twilio.
#[derive(Debug, Clone)]
pub struct Twilio {
    client: Client,
    url: String,
    account: String,
    token: SecretString,
    sms_from: Option<String>,
    whatsapp_from: Option<String>,
    whatsapp_template: Option<String>,
}

/// Twilio's error response.
#[derive(Debug, Default, Deserialize)]
struct ErrorResponse {
    #[serde(default)]
    code: u32,
}

impl Twilio {
    /// Creates the client from the settings. `None`: no account is set.
    pub fn new(config: &PhoneConfig) -> anyhow::Result<Option<Self>> {
        let Some(account) = config.twilio_account_sid.clone().filter(|sid| !sid.is_empty()) else {
            return Ok(None);
        };
        ensure!(
            account.chars().all(|c| c.is_ascii_alphanumeric()),
            "TWILIO_ACCOUNT_SID is not a valid account id"
        );
        let token = config.twilio_auth_token.clone().context("TWILIO_AUTH_TOKEN is missing")?;
        ensure!(
            config.sms_from.is_some() || config.whatsapp_from.is_some(),
            "neither SMS_FROM nor WHATSAPP_FROM is set"
        );
        let client = Client::builder().timeout(REQUEST_TIMEOUT).redirect(redirect::Policy::none()).build()?;
        Ok(Some(Self {
            client,
            url: config.twilio_url.trim_end_matches('/').to_owned(),
            account,
            token,
            sms_from: config.sms_from.clone(),
            whatsapp_from: config.whatsapp_from.clone(),
            whatsapp_template: config.whatsapp_template.clone(),
        }))
    }

    /// Returns the channels for which a sender is set.
    #[must_use]
    pub fn channels(&self) -> Vec<DirectChannel> {
        let senders = [(DirectChannel::Sms, &self.sms_from), (DirectChannel::Whatsapp, &self.whatsapp_from)];
        senders.into_iter().filter(|(_, from)| from.is_some()).map(|(channel, _)| channel).collect()
    }

    /// Sends a message to an E.164 number. Errors contain neither the number nor the text.
    pub async fn send(&self, channel: DirectChannel, number: &str, text: &str) -> Result<(), SendError> {
        let form = self.form(channel, number, text)?;
        let url = format!("{}/2010-04-01/Accounts/{}/Messages.json", self.url, self.account);
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = self
            .client
            .post(url)
            .basic_auth(&self.account, Some(self.token.expose_secret()))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body);
        let mut response = request.send().await.map_err(classify_failure)?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
                break;
            }
            body.extend_from_slice(&chunk);
        }
        let code = serde_json::from_slice::<ErrorResponse>(&body).unwrap_or_default().code;
        Err(classify_error(status, code))
    }

    fn form(
        &self,
        channel: DirectChannel,
        number: &str,
        text: &str,
    ) -> Result<Vec<(&'static str, String)>, SendError> {
        let from = match channel {
            DirectChannel::Sms => &self.sms_from,
            DirectChannel::Whatsapp => &self.whatsapp_from,
            DirectChannel::Webhook => &None,
        };
        let Some(from) = from else {
            return Err(SendError::Permanent(format!("there is no sender for {}", channel.as_str())));
        };
        if channel == DirectChannel::Sms {
            // A Messaging Service, whose id begins with MG, chooses a number itself.
            let sender = if from.starts_with("MG") { "MessagingServiceSid" } else { "From" };
            return Ok(vec![("To", number.to_owned()), (sender, from.clone()), ("Body", text.to_owned())]);
        }
        let mut form = vec![("To", format!("whatsapp:{number}")), ("From", format!("whatsapp:{from}"))];
        match &self.whatsapp_template {
            // WhatsApp permits only templates if the recipient has not written within the last
            // day. The template's only variable receives the text.
            Some(template) => {
                form.push(("ContentSid", template.clone()));
                form.push(("ContentVariables", serde_json::json!({"1": text}).to_string()));
            }
            None => form.push(("Body", text.to_owned())),
        }
        Ok(form)
    }
}

/// Classifies the failure of a request without a response. Without a connection, Twilio has not received
/// the message. Otherwise it may have accepted the message, so the attempt counts, and retries are few.
fn classify_failure(error: reqwest::Error) -> SendError {
    let is_unsent = error.is_connect();
    let message = error.without_url().to_string();
    if is_unsent { SendError::Unavailable(message) } else { SendError::Transient(message) }
}

/// Classifies an error response by its HTTP status and Twilio's code.
fn classify_error(status: StatusCode, code: u32) -> SendError {
    let message = format!("Twilio answers {} ({code})", status.as_u16());
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            SendError::Unavailable(message)
        }
        StatusCode::TOO_MANY_REQUESTS => SendError::Transient(message),
        _ if UNUSABLE_NUMBER_CODES.contains(&code) => SendError::Permanent(message),
        status if status.is_server_error() => SendError::Unavailable(message),
        _ => SendError::Transient(message),
    }
}

#[cfg(test)]
mod tests;
