//! Every setting of the server, documented once, read once at the start, from the command line or the environment.
//! `api serve --help` prints this file's comments.

use crate::domain::money::Cents;
use clap::{Args, ValueEnum};
use index::vocabulary::Rates;
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

/// Where the record is. Shared by every command that needs the database.
#[derive(Debug, Clone, Args)]
pub struct DatabaseConfig {
    /// Postgres, as postgres://user:password@host:port/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: SecretString,
    /// The most connections held open at once
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub database_connections: u32,
}

/// Where derived and stored files are. Shared by every command that touches them.
#[derive(Debug, Clone, Args)]
pub struct DataConfig {
    /// The folder for all state outside the database: the search index, clips, documents, the signing key, mail kept on disk
    #[arg(long, env = "DATA", default_value = ".data", value_name = "DIR")]
    pub data: PathBuf,
}

impl DataConfig {
    /// The search index with its generations.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.data.join("index")
    }

    /// Clips, named by their content's hash.
    #[must_use]
    pub fn clips(&self) -> PathBuf {
        self.data.join("clips")
    }

    /// Documents, named by their content's hash.
    #[must_use]
    pub fn documents(&self) -> PathBuf {
        self.data.join("documents")
    }

    /// The maildir of `--mail-to-disk` and `--demo`.
    #[must_use]
    pub fn mail(&self) -> PathBuf {
        self.data.join("mail")
    }
}

/// The settings of `api serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeConfig {
    /// Database settings.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// File settings.
    #[command(flatten)]
    pub data: DataConfig,
    /// The address to listen on
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// The portal's address as its readers type it, without a slash at the end; links in mails begin with it
    /// [default: http:// and the address listened on]
    #[arg(long, env = "PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The folder of the built web application
    #[arg(long, env = "WEB", default_value = "web/dist", value_name = "DIR")]
    pub web: PathBuf,
    /// Make demonstration accounts and keep all mail readable at /dev/mail; works on this machine alone: refuses BEHIND_PROXY, and any
    /// but a loopback address to listen on, as PUBLIC_URL, and in requests
    #[arg(long, env = "DEMO")]
    pub demo: bool,
    /// Connections of clients.
    #[command(flatten)]
    pub connections: ConnectionsConfig,
    /// Mail settings.
    #[command(flatten)]
    pub mail: MailConfig,
    /// Telephones and webhooks.
    #[command(flatten)]
    pub phone: PhoneConfig,
    /// Who runs the portal.
    #[command(flatten)]
    pub company: CompanyConfig,
    /// Whom Enterprise subscribers turn to.
    #[command(flatten)]
    pub manager: ManagerConfig,
    /// Sign-in with Google.
    #[command(flatten)]
    pub google: GoogleConfig,
    /// Payments.
    #[command(flatten)]
    pub payments: PaymentsConfig,
    /// The key that signs access tokens and links, at least 32 characters [default: made once, kept in the data folder]
    #[arg(long, env = "SIGNING_KEY", hide_env_values = true, value_name = "KEY")]
    pub signing_key: Option<SecretString>,
    /// Rupees for one unit of a currency, as USD:302.5,EUR:328; values in other currencies always pass an alert's range
    #[arg(long, env = "RATES_LKR", default_value = "", hide_default_value = true, value_name = "RATES")]
    pub rates_lkr: Rates,
    /// Believe the X-Forwarded-For header of a proxy in front when limiting requests by address
    #[arg(long, env = "BEHIND_PROXY")]
    pub behind_proxy: bool,
    /// How many calls to sign in, register or refresh one address may make in a minute
    #[arg(long, env = "SIGN_INS_A_MINUTE", default_value = "30", value_name = "N")]
    pub sign_ins_a_minute: NonZeroU32,
    /// How many wrong passwords may be tried in an hour for one account from one network, or from one device that its user has
    /// signed in with before
    #[arg(long, env = "FAILED_SIGN_INS_AN_HOUR", default_value = "10", value_name = "N")]
    pub failed_sign_ins_an_hour: NonZeroU32,
    /// How many tenders' details guests of one address may open in a day
    #[arg(long, env = "GUEST_DETAILS_A_DAY", default_value = "60", value_name = "N")]
    pub guest_details_a_day: NonZeroU32,
    /// How many calls a minute may be made with one API key
    #[arg(long, env = "KEY_CALLS_A_MINUTE", default_value = "120", value_name = "N")]
    pub key_calls_a_minute: NonZeroU32,
    /// How many reports a minute a user may download
    #[arg(long, env = "REPORTS_A_MINUTE", default_value = "20", value_name = "N")]
    pub reports_a_minute: NonZeroU32,
    /// How many previews of alerts a minute a user may ask for
    #[arg(long, env = "PREVIEWS_A_MINUTE", default_value = "60", value_name = "N")]
    pub previews_a_minute: NonZeroU32,
    /// The program that reads the text of documents, called with `document-text` [default: this one]
    #[arg(long, env = "DOCUMENT_READER", value_name = "PROGRAM", hide = true)]
    pub document_reader: Option<PathBuf>,
    /// How long requests under way may take to finish after a signal to stop, in seconds
    #[arg(long, env = "SHUTDOWN_SECONDS", default_value_t = 10, value_name = "SECONDS")]
    pub shutdown_seconds: u64,
}

impl ServeConfig {
    /// The portal's address without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.listen),
        }
    }
}

/// How many connections clients may hold open, and how long they may be silent.
#[derive(Debug, Clone, Args)]
pub struct ConnectionsConfig {
    /// The most connections open at once; further ones wait until one ends. Fewer where the limit of open files is lower
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// The most connections open at once from one address, or from one /64 network of IPv6; further ones are closed. Does not
    /// apply with BEHIND_PROXY: there all of them come from the proxy
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections_per_address: u32,
    /// How long a client may take to send the head of a request, in seconds
    #[arg(long, env = "REQUEST_HEAD_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub request_head_seconds: u32,
    /// How long a connection may stay open between two requests, in seconds; a proxy in front should close its own earlier
    #[arg(long, env = "IDLE_SECONDS", default_value_t = 75, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub idle_seconds: u32,
    /// How long a client may take no part of its answer, in seconds
    #[arg(long, env = "STALLED_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub stalled_seconds: u32,
}

/// How alerts reach telephones and programs. Without an account at Twilio there is neither SMS nor WhatsApp, but for --mail-to-disk and
/// --demo, which keep such messages with the mail.
#[derive(Debug, Clone, Args)]
pub struct PhoneConfig {
    /// The account at Twilio that SMS and WhatsApp messages go by, AC…
    #[arg(long, env = "TWILIO_ACCOUNT_SID", value_name = "SID")]
    pub twilio_account_sid: Option<String>,
    /// Its token
    #[arg(long, env = "TWILIO_AUTH_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub twilio_auth_token: Option<SecretString>,
    /// Where Twilio, or a gateway that speaks as it does, answers
    #[arg(long, env = "TWILIO_URL", default_value = "https://api.twilio.com", value_name = "URL")]
    pub twilio_url: String,
    /// The sender of SMS: a number, a registered name, or a Messaging Service, MG…; with none, there is no SMS
    #[arg(long, env = "SMS_FROM", value_name = "SENDER")]
    pub sms_from: Option<String>,
    /// The number of the WhatsApp sender, as +14155238886; with none, there is no WhatsApp
    #[arg(long, env = "WHATSAPP_FROM", value_name = "NUMBER")]
    pub whatsapp_from: Option<String>,
    /// The approved template, HX…, with which WhatsApp lets us write first; its one variable takes the message
    #[arg(long, env = "WHATSAPP_TEMPLATE", value_name = "SID")]
    pub whatsapp_template: Option<String>,
    /// Let webhooks go to addresses that are not on the internet, and without TLS: for a company's own network, and for tests
    #[arg(long, env = "WEBHOOKS_TO_PRIVATE")]
    pub webhooks_to_private: bool,
}

/// Who runs the portal, as its pages say. What is not set is not said.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyConfig {
    /// The registered name of the company that runs the portal
    #[arg(long, env = "COMPANY_NAME", value_name = "NAME")]
    pub company_name: Option<String>,
    /// Its postal address, in one line
    #[arg(long, env = "COMPANY_ADDRESS", value_name = "ADDRESS")]
    pub company_address: Option<String>,
    /// Its telephone
    #[arg(long, env = "COMPANY_PHONE", value_name = "NUMBER")]
    pub company_phone: Option<String>,
    /// Its address for readers, to which the contact form's messages are mailed too
    #[arg(long, env = "CONTACT_EMAIL", value_name = "ADDRESS")]
    pub contact_email: Option<String>,
    /// The telephone that the contact page shows [default: COMPANY_PHONE]
    #[arg(long, env = "CONTACT_PHONE", value_name = "NUMBER")]
    pub contact_phone: Option<String>,
    /// The postal address that the contact page shows, in one line [default: COMPANY_ADDRESS]
    #[arg(long, env = "CONTACT_ADDRESS", value_name = "ADDRESS")]
    pub contact_address: Option<String>,
    /// Whom to ask about Enterprise, as the contact page shows it: an address, a telephone, or a name with either
    #[arg(long, env = "ENTERPRISE_CONTACT", value_name = "CONTACT")]
    pub enterprise_contact: Option<String>,
}

impl CompanyConfig {
    /// The same with what the contact page shows where nothing of its own is set; a demonstration has all of it.
    #[must_use]
    pub fn with_defaults(self, demo: bool) -> Self {
        let demo = |text: &str| demo.then(|| text.to_owned());
        Self {
            contact_email: self.contact_email.or_else(|| demo("contact@demo.test")),
            contact_phone: self
                .contact_phone
                .or_else(|| self.company_phone.clone())
                .or_else(|| demo("+94 11 000 0000")),
            contact_address: self
                .contact_address
                .or_else(|| self.company_address.clone())
                .or_else(|| demo("1 Example Street, Colombo 01")),
            enterprise_contact: self.enterprise_contact.or_else(|| demo("sales@demo.test")),
            ..self
        }
    }
}

/// The account manager of Enterprise subscribers. What is not set is not said; without a name there is none.
#[derive(Debug, Clone, Default, Args)]
pub struct ManagerConfig {
    /// The name of the account manager whom Enterprise subscribers turn to
    #[arg(long, env = "ENTERPRISE_MANAGER_NAME", value_name = "NAME")]
    pub enterprise_manager_name: Option<String>,
    /// The manager's address
    #[arg(long, env = "ENTERPRISE_MANAGER_EMAIL", value_name = "ADDRESS")]
    pub enterprise_manager_email: Option<String>,
    /// The manager's telephone
    #[arg(long, env = "ENTERPRISE_MANAGER_PHONE", value_name = "NUMBER")]
    pub enterprise_manager_phone: Option<String>,
}

/// Sign-in with Google. Without a client id the portal does not offer it.
#[derive(Debug, Clone, Args)]
pub struct GoogleConfig {
    /// The client id that Google's console gave this portal; with none, there is no sign-in with Google
    #[arg(long, env = "GOOGLE_CLIENT_ID", value_name = "ID")]
    google_client_id: Option<String>,
    /// The issuers whose ID tokens are taken, separated by commas
    #[arg(
        long,
        env = "GOOGLE_ISSUERS",
        default_value = "https://accounts.google.com,accounts.google.com",
        value_delimiter = ',',
        value_name = "ISSUERS"
    )]
    pub google_issuers: Vec<String>,
    /// Where they publish the keys that they sign with, as a JWK set
    #[arg(
        long,
        env = "GOOGLE_KEYS_URL",
        default_value = "https://www.googleapis.com/oauth2/v3/certs",
        value_name = "URL"
    )]
    pub google_keys_url: String,
}

impl GoogleConfig {
    /// The client id, where one is set.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.google_client_id.as_deref().map(str::trim).filter(|id| !id.is_empty())
    }
}

/// A provider of payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProviderName {
    /// Test cards, for --demo alone
    Sandbox,
    /// Stripe
    Stripe,
    /// PayHere
    Payhere,
}

/// Who takes payments, and what the law of the books asks.
#[derive(Debug, Clone, Args)]
pub struct PaymentsConfig {
    /// Who takes payments; the sandbox only with --demo [default: sandbox with --demo, else nobody]
    #[arg(long, env = "PAYMENTS", value_name = "PROVIDER")]
    pub payments: Option<ProviderName>,
    /// Stripe's secret key, sk_live_… or sk_test_…
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true, value_name = "KEY")]
    pub stripe_secret_key: Option<SecretString>,
    /// The signing secret of the webhook at /api/webhooks/stripe, whsec_…; it needs the events checkout.session.completed,
    /// checkout.session.async_payment_succeeded, invoice.paid, invoice.payment_failed and customer.subscription.deleted
    #[arg(long, env = "STRIPE_WEBHOOK_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub stripe_webhook_secret: Option<SecretString>,
    /// Where Stripe's API answers
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com", value_name = "URL")]
    pub stripe_api_url: String,
    /// PayHere's number of the merchant
    #[arg(long, env = "PAYHERE_MERCHANT_ID", value_name = "ID")]
    pub payhere_merchant_id: Option<String>,
    /// The merchant's secret for this portal's domain
    #[arg(long, env = "PAYHERE_MERCHANT_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_merchant_secret: Option<SecretString>,
    /// The id of an API key of PayHere's that may retrieve payments and manage subscriptions
    #[arg(long, env = "PAYHERE_APP_ID", value_name = "ID")]
    pub payhere_app_id: Option<String>,
    /// Its secret
    #[arg(long, env = "PAYHERE_APP_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_app_secret: Option<SecretString>,
    /// Where PayHere answers; https://sandbox.payhere.lk for its tests
    #[arg(long, env = "PAYHERE_URL", default_value = "https://www.payhere.lk", value_name = "URL")]
    pub payhere_url: String,
    /// The company's VAT number; where one is set, prices include VAT and invoices say so
    #[arg(long, env = "VAT_NUMBER", value_name = "NUMBER", requires = "vat_rate_percent")]
    vat_number: Option<String>,
    /// The rate of VAT in per cent, with at most two decimals, as 18
    #[arg(long, env = "VAT_RATE_PERCENT", value_name = "PERCENT", requires = "vat_number", value_parser = hundredths)]
    vat_rate_percent: Option<u32>,
    /// How many days a plan holds after a payment failed
    #[arg(long, env = "GRACE_DAYS", default_value_t = 7, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(3..=30))]
    pub grace_days: i64,
}

/// VAT as it is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vat<'a> {
    /// The company's number.
    pub number: &'a str,
    /// Hundredths of a per cent.
    pub rate: u32,
}

impl PaymentsConfig {
    /// Who takes payments; `None`: nobody.
    #[must_use]
    pub const fn provider(&self, demo: bool) -> Option<ProviderName> {
        match self.payments {
            None if demo => Some(ProviderName::Sandbox),
            chosen => chosen,
        }
    }

    /// VAT; `None` where the company pays none.
    #[must_use]
    pub fn vat(&self) -> Option<Vat<'_>> {
        Some(Vat { number: self.vat_number.as_deref()?, rate: self.vat_rate_percent? })
    }

    /// How long a plan holds after a payment failed.
    #[must_use]
    pub fn grace(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * self.grace_days)
    }

    /// The settings that the chosen provider needs and that are missing.
    #[must_use]
    pub fn missing(&self, demo: bool) -> Vec<&'static str> {
        let needs = match self.provider(demo) {
            None | Some(ProviderName::Sandbox) => vec![],
            Some(ProviderName::Stripe) => vec![
                ("STRIPE_SECRET_KEY", is_set(&self.stripe_secret_key)),
                ("STRIPE_WEBHOOK_SECRET", is_set(&self.stripe_webhook_secret)),
            ],
            Some(ProviderName::Payhere) => vec![
                ("PAYHERE_MERCHANT_ID", self.payhere_merchant_id.as_deref().is_some_and(|id| !id.is_empty())),
                ("PAYHERE_MERCHANT_SECRET", is_set(&self.payhere_merchant_secret)),
                ("PAYHERE_APP_ID", self.payhere_app_id.as_deref().is_some_and(|id| !id.is_empty())),
                ("PAYHERE_APP_SECRET", is_set(&self.payhere_app_secret)),
            ],
        };
        needs.into_iter().filter(|(_, is_set)| !is_set).map(|(name, _)| name).collect()
    }
}

fn is_set(secret: &Option<SecretString>) -> bool {
    secret.as_ref().is_some_and(|secret| !secret.expose_secret().trim().is_empty())
}

/// A percentage with at most two decimals, in hundredths.
fn hundredths(text: &str) -> Result<u32, String> {
    let cents = Cents::parse(text.trim()).and_then(|cents| u32::try_from(cents.0).ok());
    cents.filter(|rate| *rate <= 10_000).ok_or_else(|| "write it as 18 or 18.5, at most 100".to_owned())
}

/// How mail leaves, and how the items of an alert are collected before it does.
#[derive(Debug, Clone, Args)]
pub struct MailConfig {
    /// The mail server, as smtp://user:password@host:port, smtps:// for TLS from the start, smtp://…?tls=required
    /// for STARTTLS
    #[arg(
        long,
        env = "SMTP_URL",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "mail_to_disk"
    )]
    pub smtp_url: Option<SecretString>,
    /// With no mail server: keep mail in a maildir in the data folder instead of refusing to start
    #[arg(long, env = "MAIL_TO_DISK")]
    pub mail_to_disk: bool,
    /// The sender of all mail
    #[arg(
        long,
        env = "MAIL_FROM",
        default_value = "Serendib Tenders <alerts@serendib-tenders.example>",
        value_name = "ADDRESS"
    )]
    pub mail_from: String,
    /// The address that undeliverable mail comes back to; each message's has its id behind a plus sign, as returns+1f…@host. Hand what
    /// arrives there to `api mail receive` or POST /api/mail/reports [default: the sender's]
    #[arg(long, env = "MAIL_RETURNS", value_name = "ADDRESS")]
    pub mail_returns: Option<String>,
    /// How many messages a minute the addresses of one domain get, from all processes together; 0 is no limit
    #[arg(long, env = "MAIL_A_MINUTE_PER_DOMAIN", default_value_t = 600, value_name = "N")]
    pub mail_a_minute_per_domain: u32,
    /// How many messages are on their way at once
    #[arg(long, env = "MAIL_CONNECTIONS", default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub mail_connections: u16,
    /// How long the mail server may take over one message, in seconds; a delivery is leased for four times as long
    #[arg(long, env = "SMTP_TIMEOUT_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub smtp_timeout_seconds: u64,
    /// An immediate mail goes when no further match has come for this many seconds
    #[arg(long, env = "COLLECT_QUIET_SECONDS", default_value_t = 10, value_name = "SECONDS")]
    pub collect_quiet_seconds: u64,
    /// An immediate mail waits no longer than this many seconds after its first match
    #[arg(long, env = "COLLECT_LIMIT_SECONDS", default_value_t = 45, value_name = "SECONDS")]
    pub collect_limit_seconds: u64,
}

impl MailConfig {
    /// How long the mail server may take over one message.
    #[must_use]
    pub const fn smtp_timeout(&self) -> Duration {
        Duration::from_secs(self.smtp_timeout_seconds)
    }

    /// How long an immediate mail waits for another item, and how long at most.
    #[must_use]
    pub fn collecting(&self) -> (SignedDuration, SignedDuration) {
        let seconds = |seconds: u64| SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
        let limit = seconds(self.collect_limit_seconds);
        (seconds(self.collect_quiet_seconds).min(limit), limit)
    }

    /// How long one delivery belongs to the process that sends it: longer than the mail server may take, and the question whether it
    /// is there at all.
    #[must_use]
    pub const fn lease(&self) -> Duration {
        Duration::from_secs(self.smtp_timeout_seconds * 4)
    }
}
