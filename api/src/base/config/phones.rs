//! Settings of SMS, WhatsApp and webhooks.

use clap::Args;
use secrecy::SecretString;

/// Settings of SMS, WhatsApp and webhooks. SMS and WhatsApp need a Twilio account. Without one, a
/// server that keeps mail on disk also keeps these messages there.
#[derive(Debug, Clone, Args)]
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
