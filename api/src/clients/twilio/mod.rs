//! Twilio's Programmable Messaging: one call takes SMS and WhatsApp alike (its documentation: "Messages resource", "Send WhatsApp
//! notification messages with templates"). It knows no name for a repeated call: where its answer is lost a message can come twice.

use crate::base::config::PhoneConfig;
use crate::{clients::send_error::SendError, domain::channel::DirectChannel};
use anyhow::{Context, ensure};
use reqwest::{Client, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;

/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const LARGEST: usize = 64 * 1024;
/// Its codes for a number that is none, that can't take messages, or whose owner wants none.
const NO_NUMBER: [u32; 6] = [21211, 21214, 21217, 21610, 21614, 63003];

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

/// What it answers to what it refuses.
#[derive(Debug, Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    code: u32,
}

impl Twilio {
    /// As the settings say; `None`: there is no account.
    ///
    /// # Errors
    /// When they are not whole.
    pub fn new(config: &PhoneConfig) -> anyhow::Result<Option<Self>> {
        let Some(account) = config.twilio_account_sid.clone().filter(|sid| !sid.is_empty()) else {
            return Ok(None);
        };
        ensure!(
            account.chars().all(|c| c.is_ascii_alphanumeric()),
            "TWILIO_ACCOUNT_SID is no account's name"
        );
        let token = config.twilio_auth_token.clone().context("TWILIO_AUTH_TOKEN is missing")?;
        ensure!(
            config.sms_from.is_some() || config.whatsapp_from.is_some(),
            "neither SMS_FROM nor WHATSAPP_FROM is set"
        );
        let client = Client::builder().timeout(PATIENCE).redirect(redirect::Policy::none()).build()?;
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

    /// The channels that it has a sender for.
    #[must_use]
    pub fn channels(&self) -> Vec<DirectChannel> {
        let senders = [(DirectChannel::Sms, &self.sms_from), (DirectChannel::Whatsapp, &self.whatsapp_from)];
        senders.into_iter().filter(|(_, from)| from.is_some()).map(|(channel, _)| channel).collect()
    }

    /// Hands over one message to a number of E.164.
    ///
    /// # Errors
    /// [`SendError`]; its words hold Twilio's code and nothing else of its answer.
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
        let mut response =
            request.send().await.map_err(|error| SendError::Unavailable(error.without_url().to_string()))?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            if body.len() + chunk.len() > LARGEST {
                break;
            }
            body.extend_from_slice(&chunk);
        }
        let code = serde_json::from_slice::<Refusal>(&body).unwrap_or_default().code;
        Err(refused(status, code))
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
            // A Messaging Service chooses its own number.
            let sender = if from.starts_with("MG") { "MessagingServiceSid" } else { "From" };
            return Ok(vec![("To", number.to_owned()), (sender, from.clone()), ("Body", text.to_owned())]);
        }
        let mut form = vec![("To", format!("whatsapp:{number}")), ("From", format!("whatsapp:{from}"))];
        match &self.whatsapp_template {
            // Whoever has not written to us in a day may be sent a template only; its one gap takes the text.
            Some(template) => {
                form.push(("ContentSid", template.clone()));
                form.push(("ContentVariables", serde_json::json!({"1": text}).to_string()));
            }
            None => form.push(("Body", text.to_owned())),
        }
        Ok(form)
    }
}

/// What an answer means for the message.
fn refused(status: StatusCode, code: u32) -> SendError {
    let words = format!("Twilio answers {} ({code})", status.as_u16());
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            SendError::Unavailable(words)
        }
        StatusCode::TOO_MANY_REQUESTS => SendError::Transient(words),
        _ if NO_NUMBER.contains(&code) => SendError::Permanent(words),
        status if status.is_server_error() => SendError::Unavailable(words),
        _ => SendError::Transient(words),
    }
}

#[cfg(test)]
mod tests;
