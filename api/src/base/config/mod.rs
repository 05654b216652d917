//! The settings of the server except those of the log. They are read once at startup from the
//! command line or the environment. `api serve --help` prints the comments of the settings. Each
//! subject has a file.

mod accounts;
mod company;
mod connections;
mod data;
mod database;
mod limits;
mod mail;
mod payments;
mod phones;
mod proxies;
mod retention;

pub use accounts::{GoogleConfig, SignInConfig};
pub use company::{CompanyConfig, ManagerConfig};
pub use connections::ConnectionsConfig;
pub use data::DataConfig;
pub use database::{DatabaseConfig, DatabaseLimitsConfig};
pub use limits::LimitsConfig;
pub use mail::MailConfig;
pub use payments::{PaymentsConfig, ProviderName, Vat};
pub use phones::PhoneConfig;
pub use proxies::ProxyConfig;
pub use retention::RetentionConfig;

use clap::Args;
use secrecy::SecretString;
use std::{net::SocketAddr, path::PathBuf};
use tender_model::vocabulary::Rates;

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

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1, such as 0.02".to_owned())
}
