//! The settings of the server except those of the log. They are read once at startup from the
//! command line or the environment. `api serve --help` prints the comments of the settings.

use crate::{
    base::{monitoring::MonitoringConfig, retention::RetentionConfig, trusted_proxies::ProxyNetworks},
    domain::money::Cents,
};
use clap::{Args, ValueEnum};
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};
use tender_model::vocabulary::Rates;

/// Database settings, for all commands that use the database.
#[derive(Debug, Clone, Args)]
pub struct DatabaseConfig {
    /// The Postgres URL: postgres://user:password@host:port/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: SecretString,
    /// The maximum number of open database connections. For a server, this is the number of
    /// connections for requests
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub database_connections: u32,
}

/// Limits of the database connections of a server.
#[derive(Debug, Clone, Args)]
pub struct DatabaseLimitsConfig {
    /// The maximum number of open database connections for jobs. One further connection checks the
    /// database
    #[arg(long, env = "JOB_DATABASE_CONNECTIONS", default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub job_database_connections: u32,
    /// How long a request waits for a free database connection, in seconds. Then it gets status 503
    #[arg(long, env = "DATABASE_WAIT_SECONDS", default_value_t = 2, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub database_wait_seconds: u32,
    /// The time limit of a statement of a request, in seconds; 0 is unlimited. Jobs and commands have
    /// no limit
    #[arg(long, env = "STATEMENT_SECONDS", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub statement_seconds: u32,
    /// How long a statement of a request waits for a lock, in seconds; 0 is unlimited
    #[arg(long, env = "LOCK_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub lock_seconds: u32,
    /// How long a transaction of a request may be idle, in seconds; 0 is unlimited
    #[arg(long, env = "IDLE_IN_TRANSACTION_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub idle_in_transaction_seconds: u32,
}

/// File settings, for `api serve` and `api reindex`.
#[derive(Debug, Clone, Args)]
pub struct DataConfig {
    /// The folder for data outside the database: search index, clips, documents, newspaper pages, signing key, mail
    /// kept on disk
    #[arg(long, env = "DATA", default_value = ".data", value_name = "DIR")]
    pub data: PathBuf,
}

impl DataConfig {
    /// The folder of the search index.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.data.join("index")
    }

    /// The folder of clips.
    #[must_use]
    pub fn clips(&self) -> PathBuf {
        self.data.join("clips")
    }

    /// The folder of documents.
    #[must_use]
    pub fn documents(&self) -> PathBuf {
        self.data.join("documents")
    }

    /// The folder of newspaper files and of the pictures of their pages.
    #[must_use]
    pub fn newspaper_pages(&self) -> PathBuf {
        self.data.join("newspaper-pages")
    }

    /// The file of the signing keys.
    #[must_use]
    pub fn signing_key(&self) -> PathBuf {
        self.data.join("signing.key")
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
    /// Apply the missing database migrations before the start. Without this setting, the server
    /// refuses a database whose schema is not that of this version
    #[arg(long, env = "MIGRATE")]
    pub migrate: bool,
    /// Limits of database connections.
    #[command(flatten)]
    pub database_limits: DatabaseLimitsConfig,
    /// File settings.
    #[command(flatten)]
    pub data: DataConfig,
    /// The IP address and port to listen on
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// The portal's public URL without a trailing slash; links in mails begin with this URL
    /// [default: http:// and the value of LISTEN]
    #[arg(long, env = "PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The folder of the built web application
    #[arg(long, env = "WEB", default_value = "web/dist", value_name = "DIR")]
    pub web: PathBuf,
    /// Create demonstration accounts, and show at /dev/mail the mail that is kept on disk. A
    /// demonstration can be used only on this machine: LISTEN, PUBLIC_URL and the host of each
    /// request must be loopback addresses, and TRUSTED_PROXIES is refused
    #[arg(long, env = "DEMO")]
    pub demo: bool,
    /// Metrics and traces.
    #[command(flatten)]
    pub monitoring: MonitoringConfig,
    /// How long personal data is kept.
    #[command(flatten)]
    pub retention: RetentionConfig,
    /// Client connections.
    #[command(flatten)]
    pub connections: ConnectionsConfig,
    /// Reverse proxies.
    #[command(flatten)]
    pub proxies: ProxyConfig,
    /// Mail settings.
    #[command(flatten)]
    pub mail: MailConfig,
    /// Settings of SMS, WhatsApp and webhooks.
    #[command(flatten)]
    pub phone: PhoneConfig,
    /// The company that runs the portal.
    #[command(flatten)]
    pub company: CompanyConfig,
    /// The account manager of Enterprise subscribers.
    #[command(flatten)]
    pub manager: ManagerConfig,
    /// Passwords, second factors and sessions.
    #[command(flatten)]
    pub sign_in: SignInConfig,
    /// Sign-in with Google.
    #[command(flatten)]
    pub google: GoogleConfig,
    /// Payments.
    #[command(flatten)]
    pub payments: PaymentsConfig,
    /// The key that signs access tokens and links, at least 32 bytes [default: generated once and
    /// kept in the data folder]
    #[arg(long, env = "SIGNING_KEY", hide_env_values = true, value_name = "KEY")]
    pub signing_key: Option<SecretString>,
    /// Earlier signing keys, separated by commas. Their signatures, such as those of unsubscribe
    /// links in mails already sent, remain valid
    #[arg(
        long,
        env = "EARLIER_SIGNING_KEYS",
        hide_env_values = true,
        value_delimiter = ',',
        value_name = "KEYS"
    )]
    pub earlier_signing_keys: Vec<SecretString>,
    /// Whether the tenders of a new publisher wait until an administrator approves the first one
    /// [default: true, false with --demo]
    #[arg(long, env = "HOLD_FIRST_PUBLICATION", value_name = "true|false")]
    pub hold_first_publication: Option<bool>,
    /// The share of certainly read notices that a reviewer also checks, from 0 to 1. They are chosen
    /// at random, and show how accurate the readers are
    #[arg(long, env = "REVIEW_SAMPLE", default_value_t = 0.02, value_name = "SHARE", value_parser = parse_share)]
    pub review_sample: f64,
    /// The value of foreign currencies in rupees, such as USD:302.5,EUR:328. If an alert's range of
    /// values cannot be converted to a tender's currency, the range does not exclude the tender
    #[arg(long, env = "RATES_LKR", default_value = "", hide_default_value = true, value_name = "RATES")]
    pub rates_lkr: Rates,
    /// Rate limits.
    #[command(flatten)]
    pub limits: LimitsConfig,
    /// The program that extracts the text of documents, called with `document-text` [default: this
    /// program]
    #[arg(long, env = "DOCUMENT_READER", value_name = "PROGRAM", hide = true)]
    pub document_reader: Option<PathBuf>,
    /// The free space on the disk of the data folder below which uploads are refused, in MiB. Below four
    /// times this space, the log and /api/health warn
    #[arg(long, env = "MIN_FREE_MIB", default_value_t = 512, value_name = "MIB", value_parser = clap::value_parser!(u64).range(..=1 << 30))]
    pub min_free_mib: u64,
    /// The time limit for running requests to finish during shutdown, in seconds
    #[arg(long, env = "SHUTDOWN_SECONDS", default_value_t = 10, value_name = "SECONDS")]
    pub shutdown_seconds: u64,
}

impl ServeConfig {
    /// Whether the tenders of a new publisher wait for a check.
    #[must_use]
    pub fn holds_first_publication(&self) -> bool {
        self.hold_first_publication.unwrap_or(!self.demo)
    }

    /// The public address without a trailing slash.
    #[must_use]
    pub fn base_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.listen),
        }
    }
}

/// Limits and timeouts of client connections.
#[derive(Debug, Clone, Args)]
pub struct ConnectionsConfig {
    /// The maximum number of open connections; further clients wait. A maximum that exceeds the
    /// limit of open files is reduced
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// The maximum number of open connections per IPv4 address or IPv6 /64 network; further
    /// connections are closed. Connections of TRUSTED_PROXIES do not count
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections_per_address: u32,
    /// The time limit for a client to send the head of a request, in seconds
    #[arg(long, env = "REQUEST_HEAD_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub request_head_seconds: u32,
    /// How long an idle connection stays open, in seconds; a reverse proxy should close its
    /// connections earlier
    #[arg(long, env = "IDLE_SECONDS", default_value_t = 75, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub idle_seconds: u32,
    /// The maximum pause of a client while it reads a response, in seconds
    #[arg(long, env = "STALLED_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub stalled_seconds: u32,
}

/// The reverse proxies in front of the server.
#[derive(Debug, Clone, Args)]
pub struct ProxyConfig {
    /// The IP addresses and networks of the reverse proxies, separated by commas, such as
    /// 127.0.0.1,10.0.0.0/8. The server takes the client's address from the X-Forwarded-For header
    /// of these proxies. It ignores this header of all other clients
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        default_value = "",
        hide_default_value = true,
        value_name = "ADDRESSES"
    )]
    pub trusted_proxies: ProxyNetworks,
    /// How many trusted proxies, one behind the other, append an address to X-Forwarded-For
    #[arg(long, env = "PROXY_HOPS", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub proxy_hops: u8,
    /// The former setting, which TRUSTED_PROXIES replaces.
    #[arg(long, env = "BEHIND_PROXY", hide = true, num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<String>,
}

impl Default for ProxyConfig {
    fn default() -> Self {
        Self { trusted_proxies: ProxyNetworks::default(), proxy_hops: 1, behind_proxy: None }
    }
}

/// Rate limits.
#[derive(Debug, Clone, Args)]
pub struct LimitsConfig {
    /// A factor for the limits of requests in docs/api.md that have no setting of their own. Raise it
    /// if many users share an IP address, or for tests
    #[arg(long, env = "RATE_LIMIT_FACTOR", default_value = "1", value_name = "N", value_parser = parse_factor)]
    pub rate_limit_factor: NonZeroU32,
    /// The maximum number of sign-ins, other requests about accounts (such as registering) per
    /// minute and client IP address. A device on which the user has signed in before has a separate
    /// limit of the same size for sign-ins, and a signed-in user for other requests
    #[arg(long, env = "SIGN_INS_A_MINUTE", default_value = "30", value_name = "N")]
    pub sign_ins_a_minute: NonZeroU32,
    /// The maximum number of wrong passwords per hour for one account from one network. A device
    /// on which the user has signed in before has a separate limit of the same size. From all
    /// networks together, other devices may enter five times as many for one account
    #[arg(long, env = "FAILED_SIGN_INS_AN_HOUR", default_value = "10", value_name = "N")]
    pub failed_sign_ins_an_hour: NonZeroU32,
    /// The maximum number of tender details that guests with the same IP address can open per day
    /// in total
    #[arg(long, env = "GUEST_DETAILS_A_DAY", default_value = "60", value_name = "N")]
    pub guest_details_a_day: NonZeroU32,
    /// The maximum number of requests per minute and API key
    #[arg(long, env = "KEY_CALLS_A_MINUTE", default_value = "120", value_name = "N")]
    pub key_calls_a_minute: NonZeroU32,
    /// The maximum number of report downloads per minute and user
    #[arg(long, env = "REPORTS_A_MINUTE", default_value = "20", value_name = "N")]
    pub reports_a_minute: NonZeroU32,
    /// The maximum number of alert previews per minute and user
    #[arg(long, env = "PREVIEWS_A_MINUTE", default_value = "60", value_name = "N")]
    pub previews_a_minute: NonZeroU32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        const fn count(count: u32) -> NonZeroU32 {
            match NonZeroU32::new(count) {
                Some(count) => count,
                None => NonZeroU32::MIN,
            }
        }
        Self {
            rate_limit_factor: NonZeroU32::MIN,
            sign_ins_a_minute: count(30),
            failed_sign_ins_an_hour: count(10),
            guest_details_a_day: count(60),
            key_calls_a_minute: count(120),
            reports_a_minute: count(20),
            previews_a_minute: count(60),
        }
    }
}

fn parse_factor(text: &str) -> Result<NonZeroU32, String> {
    let factor = text.parse().ok().filter(|factor: &NonZeroU32| factor.get() <= 1000);
    factor.ok_or_else(|| "give a whole number from 1 to 1000".to_owned())
}

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

/// The company that runs the portal, as shown on its pages. Absent values are not shown.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyConfig {
    /// The registered name of the company that runs the portal
    #[arg(long, env = "COMPANY_NAME", value_name = "NAME")]
    pub company_name: Option<String>,
    /// The company's postal address, in one line
    #[arg(long, env = "COMPANY_ADDRESS", value_name = "ADDRESS")]
    pub company_address: Option<String>,
    /// The company's telephone number
    #[arg(long, env = "COMPANY_PHONE", value_name = "NUMBER")]
    pub company_phone: Option<String>,
    /// The company's mail address on the contact page. Messages of the contact form are mailed to
    /// this address
    #[arg(long, env = "CONTACT_EMAIL", value_name = "ADDRESS")]
    pub contact_email: Option<String>,
    /// Where to report a vulnerability: a mail address or an https:// URL, for
    /// /.well-known/security.txt [default: CONTACT_EMAIL]
    #[arg(long, env = "SECURITY_CONTACT", value_name = "CONTACT")]
    #[serde(skip)]
    pub security_contact: Option<String>,
    /// The telephone number on the contact page [default: COMPANY_PHONE]
    #[arg(long, env = "CONTACT_PHONE", value_name = "NUMBER")]
    pub contact_phone: Option<String>,
    /// The postal address on the contact page, in one line [default: COMPANY_ADDRESS]
    #[arg(long, env = "CONTACT_ADDRESS", value_name = "ADDRESS")]
    pub contact_address: Option<String>,
    /// The contact for the Enterprise plan on the contact page: a mail address or a telephone
    /// number, with or without a name
    #[arg(long, env = "ENTERPRISE_CONTACT", value_name = "CONTACT")]
    pub enterprise_contact: Option<String>,
}

impl CompanyConfig {
    /// Fills in the defaults of the contact page. A demonstration gets example values.
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

/// The account manager of Enterprise subscribers, as shown to them. Without a name, no manager is
/// shown.
#[derive(Debug, Clone, Default, Args)]
pub struct ManagerConfig {
    /// The name of the account manager for Enterprise subscribers
    #[arg(long, env = "ENTERPRISE_MANAGER_NAME", value_name = "NAME")]
    pub enterprise_manager_name: Option<String>,
    /// The account manager's mail address
    #[arg(long, env = "ENTERPRISE_MANAGER_EMAIL", value_name = "ADDRESS")]
    pub enterprise_manager_email: Option<String>,
    /// The account manager's telephone number
    #[arg(long, env = "ENTERPRISE_MANAGER_PHONE", value_name = "NUMBER")]
    pub enterprise_manager_phone: Option<String>,
}

/// Rules for passwords, second factors and sessions.
#[derive(Debug, Clone, Args)]
pub struct SignInConfig {
    /// The minimum length of a new password, in characters. Administrators and reviewers need at
    /// least 12 characters
    #[arg(long, env = "PASSWORD_MIN_LENGTH", default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u16).range(6..=64))]
    pub password_min_length: u16,
    /// Whether administrators and reviewers need a second factor and a password of at least 12
    /// characters to use their roles. Then their sessions also end after a day
    /// [default: true, false with --demo]
    #[arg(long, env = "REQUIRE_SECOND_FACTOR", value_name = "true|false")]
    pub require_second_factor: Option<bool>,
    /// How many days after the sign-in a session ends in any case
    #[arg(long, env = "SESSION_DAYS", default_value_t = 180, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(1..=3650))]
    pub session_days: i64,
}

impl SignInConfig {
    /// Whether administrators and reviewers need a second factor and a long password.
    #[must_use]
    pub fn requires_second_factor(&self, demo: bool) -> bool {
        self.require_second_factor.unwrap_or(!demo)
    }

    /// How long a session lasts at most.
    #[must_use]
    pub fn session_lifetime(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * self.session_days)
    }
}

/// Settings of the sign-in with Google, which is not offered without a client id.
#[derive(Debug, Clone, Args)]
pub struct GoogleConfig {
    /// The client id from Google's console. Without a client id, sign-in with Google is not offered
    #[arg(long, env = "GOOGLE_CLIENT_ID", value_name = "ID")]
    google_client_id: Option<String>,
    /// The accepted issuers of ID tokens, separated by commas
    #[arg(
        long,
        env = "GOOGLE_ISSUERS",
        default_value = "https://accounts.google.com,accounts.google.com",
        value_delimiter = ',',
        value_name = "ISSUERS"
    )]
    pub google_issuers: Vec<String>,
    /// The URL of the issuers' public keys, a JWK set
    #[arg(
        long,
        env = "GOOGLE_KEYS_URL",
        default_value = "https://www.googleapis.com/oauth2/v3/certs",
        value_name = "URL"
    )]
    pub google_keys_url: String,
}

impl GoogleConfig {
    /// The client id, if it is set.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.google_client_id.as_deref().map(str::trim).filter(|id| !id.is_empty())
    }
}

/// A payment provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProviderName {
    /// Test cards, only with --demo
    Sandbox,
    /// Stripe
    Stripe,
    /// PayHere
    Payhere,
}

/// The payment provider, VAT and the grace period.
#[derive(Debug, Clone, Args)]
pub struct PaymentsConfig {
    /// The payment provider; sandbox requires --demo [default: sandbox with --demo, otherwise none]
    #[arg(long, env = "PAYMENTS", value_name = "PROVIDER")]
    pub payments: Option<ProviderName>,
    /// Stripe's secret key (sk_live_… or sk_test_…)
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true, value_name = "KEY")]
    pub stripe_secret_key: Option<SecretString>,
    /// The signing secret of the webhook at /api/webhooks/stripe (whsec_…). The webhook must send
    /// the events checkout.session.completed, checkout.session.async_payment_succeeded,
    /// invoice.paid, invoice.payment_failed and customer.subscription.deleted
    #[arg(long, env = "STRIPE_WEBHOOK_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub stripe_webhook_secret: Option<SecretString>,
    /// The URL of Stripe's API
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com", value_name = "URL")]
    pub stripe_api_url: String,
    /// The merchant id at PayHere
    #[arg(long, env = "PAYHERE_MERCHANT_ID", value_name = "ID")]
    pub payhere_merchant_id: Option<String>,
    /// The merchant secret at PayHere for this portal's domain
    #[arg(long, env = "PAYHERE_MERCHANT_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_merchant_secret: Option<SecretString>,
    /// The id of a PayHere API key that is permitted to retrieve payments and manage subscriptions
    #[arg(long, env = "PAYHERE_APP_ID", value_name = "ID")]
    pub payhere_app_id: Option<String>,
    /// The secret of the PayHere API key
    #[arg(long, env = "PAYHERE_APP_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_app_secret: Option<SecretString>,
    /// The URL of PayHere. For tests, use https://sandbox.payhere.lk
    #[arg(long, env = "PAYHERE_URL", default_value = "https://www.payhere.lk", value_name = "URL")]
    pub payhere_url: String,
    /// The company's VAT number. If it is set, prices include VAT, and invoices show the VAT
    #[arg(long, env = "VAT_NUMBER", value_name = "NUMBER", requires = "vat_rate_percent")]
    vat_number: Option<String>,
    /// The VAT rate in per cent, with at most two decimals, such as 18 or 18.5
    #[arg(long, env = "VAT_RATE_PERCENT", value_name = "PERCENT", requires = "vat_number", value_parser = parse_percentage)]
    vat_rate_percent: Option<u32>,
    /// How many days a plan stays valid after its paid period if the next payment fails
    #[arg(long, env = "GRACE_DAYS", default_value_t = 7, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(3..=30))]
    pub grace_days: i64,
}

/// The VAT settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vat<'a> {
    /// The company's VAT number.
    pub number: &'a str,
    /// The rate in hundredths of a per cent.
    pub rate: u32,
}

impl PaymentsConfig {
    /// The payment provider. `None`: payments are off.
    #[must_use]
    pub const fn provider(&self, demo: bool) -> Option<ProviderName> {
        match self.payments {
            None if demo => Some(ProviderName::Sandbox),
            chosen => chosen,
        }
    }

    /// The VAT settings. `None`: the company charges no VAT.
    #[must_use]
    pub fn vat(&self) -> Option<Vat<'_>> {
        Some(Vat { number: self.vat_number.as_deref()?, rate: self.vat_rate_percent? })
    }

    /// How long a plan stays valid after its paid period if the next payment fails.
    #[must_use]
    pub fn grace(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * self.grace_days)
    }

    /// The missing settings of the chosen provider.
    #[must_use]
    pub fn missing_settings(&self, demo: bool) -> Vec<&'static str> {
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

/// Parses a percentage with at most two decimals. Returns hundredths of a per cent.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1, such as 0.02".to_owned())
}

fn parse_percentage(text: &str) -> Result<u32, String> {
    let cents = Cents::parse(text.trim()).and_then(|cents| u32::try_from(cents.0).ok());
    cents
        .filter(|rate| *rate <= 10_000)
        .ok_or_else(|| "must be a number such as 18 or 18.5, at most 100".to_owned())
}

/// Mail settings: the mail server, the sender, limits, and how long immediate mails collect
/// matches.
#[derive(Debug, Clone, Args)]
pub struct MailConfig {
    /// The mail server: smtp://user:password@host:port, smtps:// for TLS from the start,
    /// smtp://…?tls=required for STARTTLS
    #[arg(
        long,
        env = "SMTP_URL",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "mail_to_disk"
    )]
    pub smtp_url: Option<SecretString>,
    /// Without a mail server, keep mail in a maildir in the data folder instead of refusing to
    /// start
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
    /// The mail address for bounces. The envelope sender of each message has the message id after a
    /// plus sign, such as returns+1f…@host. Pipe mail for this address into `api mail receive`, or
    /// POST the mail to /api/mail/reports [default: the sender's address]
    #[arg(long, env = "MAIL_RETURNS", value_name = "ADDRESS")]
    pub mail_returns: Option<String>,
    /// The maximum number of messages per minute to one domain, from all processes together; 0 is
    /// unlimited
    #[arg(long, env = "MAIL_A_MINUTE_PER_DOMAIN", default_value_t = 600, value_name = "N")]
    pub mail_a_minute_per_domain: u32,
    /// The maximum number of messages sent in parallel
    #[arg(long, env = "MAIL_CONNECTIONS", default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub mail_connections: u16,
    /// The time limit for the mail server to accept one message, in seconds. A message that was
    /// being sent during a crash is sent again after four times this time
    #[arg(long, env = "SMTP_TIMEOUT_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub smtp_timeout_seconds: u64,
    /// An immediate mail is sent after this many seconds without a further match
    #[arg(long, env = "COLLECT_QUIET_SECONDS", default_value_t = 10, value_name = "SECONDS")]
    pub collect_quiet_seconds: u64,
    /// An immediate mail is sent at most this many seconds after its first match
    #[arg(long, env = "COLLECT_LIMIT_SECONDS", default_value_t = 45, value_name = "SECONDS")]
    pub collect_limit_seconds: u64,
}

impl MailConfig {
    /// The timeout of one message at the mail server.
    #[must_use]
    pub const fn smtp_timeout(&self) -> Duration {
        Duration::from_secs(self.smtp_timeout_seconds)
    }

    /// Returns how long an immediate mail waits for another match, and how long it waits at most
    /// after its first match. The first time is never longer than the second.
    #[must_use]
    pub fn collection_times(&self) -> (SignedDuration, SignedDuration) {
        let seconds = |seconds: u64| SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
        let limit = seconds(self.collect_limit_seconds);
        (seconds(self.collect_quiet_seconds).min(limit), limit)
    }

    /// The lease of a delivery. It is longer than the timeout of a message plus the timeout of an
    /// availability check.
    #[must_use]
    pub const fn lease(&self) -> Duration {
        Duration::from_secs(self.smtp_timeout_seconds * 4)
    }
}
