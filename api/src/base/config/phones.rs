//! Settings of SMS, WhatsApp and webhooks.

use clap::Args;
use secrecy::SecretString;
use settings::{Findings, transport};

use super::is_set;

/// Settings of SMS, WhatsApp and webhooks. SMS and WhatsApp need a Twilio account. Without one, a
/// server that keeps mail on disk also keeps these messages there.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "SMS, WhatsApp and webhooks")]
pub struct PhoneConfig {
    /// The SID of the Twilio account for SMS and WhatsApp (AC…)
    #[arg(long, env = "TWILIO_ACCOUNT_SID", value_name = "SID")]
    pub twilio_account_sid: Option<String>,
    /// The auth token of the Twilio account
    #[arg(long, env = "TWILIO_AUTH_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub twilio_auth_token: Option<SecretString>,
    /// The URL of Twilio's API or of a compatible gateway
    #[arg(long, env = "TWILIO_URL", default_value = "https://api.twilio.com", value_name = "URL")]
    pub twilio_url: String,
    /// The sender of SMS: a number, a registered name, or a Messaging Service (MG…). Without a
    /// sender, SMS is not offered
    #[arg(long, env = "SMS_FROM", value_name = "SENDER")]
    pub sms_from: Option<String>,
    /// The number of the WhatsApp sender, such as +14155238886. Without a number, WhatsApp is not
    /// offered
    #[arg(long, env = "WHATSAPP_FROM", value_name = "NUMBER")]
    pub whatsapp_from: Option<String>,
    /// The approved WhatsApp template for all messages (HX…). The only variable of the template
    /// receives the text. Without a template, WhatsApp delivers only to recipients who wrote to the
    /// sender within the last day
    #[arg(long, env = "WHATSAPP_TEMPLATE", value_name = "SID")]
    pub whatsapp_template: Option<String>,
    /// Permit webhooks to private IP addresses and webhooks without TLS, for a company network or
    /// for tests
    #[arg(long, env = "WEBHOOKS_TO_PRIVATE")]
    pub webhooks_to_private: bool,
}

impl PhoneConfig {
    /// Checks whether the settings of Twilio are complete and well-formed.
    pub fn check(&self, found: &mut Findings) {
        let is_ascii_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric());
        let has_account = self.twilio_account_sid.as_deref().is_some_and(|sid| !sid.is_empty());
        if let Some(sid) = self.twilio_account_sid.as_deref().filter(|sid| !sid.is_empty()) {
            if !is_ascii_word(sid) {
                let remedy = "write the account SID of Twilio's console, such as \
                    TWILIO_ACCOUNT_SID=AC00000000000000000000000000000000";
                found.refuse("TWILIO_ACCOUNT_SID", format_args!("{sid:?} is not an account SID"), remedy);
            }
            if !is_set(&self.twilio_auth_token) {
                let remedy = "write the auth token of Twilio's console, or omit TWILIO_ACCOUNT_SID";
                found.refuse("TWILIO_AUTH_TOKEN", "is not set", remedy);
            }
            if self.sms_from.is_none() && self.whatsapp_from.is_none() {
                let remedy = "write a sender, such as SMS_FROM=+14155238886, or omit TWILIO_ACCOUNT_SID";
                found.refuse("SMS_FROM", "neither SMS_FROM nor WHATSAPP_FROM is set", remedy);
            }
        }
        let needing_account = [
            ("TWILIO_AUTH_TOKEN", is_set(&self.twilio_auth_token)),
            ("SMS_FROM", self.sms_from.is_some()),
            ("WHATSAPP_FROM", self.whatsapp_from.is_some()),
            ("WHATSAPP_TEMPLATE", self.whatsapp_template.is_some()),
        ];
        for (variable, _) in needing_account.into_iter().filter(|(_, is_set)| *is_set && !has_account) {
            let remedy = format!("set TWILIO_ACCOUNT_SID too, or omit {variable}");
            found.refuse(variable, "has no effect without TWILIO_ACCOUNT_SID", remedy);
        }
        let is_number = |text: &str| {
            let digits = text.strip_prefix('+').unwrap_or_default();
            (8..=15).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit())
        };
        if let Some(from) = self.sms_from.as_deref() {
            let is_name = (1..=34).contains(&from.len())
                && from.chars().all(|c| c.is_ascii_alphanumeric() || " &-_".contains(c));
            if !is_number(from) && !is_name {
                let remedy =
                    "write a number, a registered name or a Messaging Service, such as SMS_FROM=+14155238886";
                found.refuse("SMS_FROM", format_args!("{from:?} is not a sender"), remedy);
            }
        }
        if let Some(from) = self.whatsapp_from.as_deref().filter(|from| !is_number(from)) {
            let remedy = "write the number with its country code, such as WHATSAPP_FROM=+14155238886";
            found.refuse("WHATSAPP_FROM", format_args!("{from:?} is not a telephone number"), remedy);
        }
        if let Some(sid) = self.whatsapp_template.as_deref().filter(|sid| !is_ascii_word(sid)) {
            let remedy = "write the SID of the template, such as \
                WHATSAPP_TEMPLATE=HX00000000000000000000000000000000";
            found.refuse("WHATSAPP_TEMPLATE", format_args!("{sid:?} is not the SID of a template"), remedy);
        }
        let url = &self.twilio_url;
        let is_url = found.check_url("TWILIO_URL", url, &["https", "http"], "https://api.twilio.com");
        if is_url && has_account && transport::is_insecure(url) {
            found.warn(
                "TWILIO_URL",
                "the auth token and the messages are sent without TLS; use an https:// URL",
            );
        }
    }
}
