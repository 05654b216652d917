//! The settings of the server except those of the log. They are read once at startup from the
//! command line or the environment. `api serve --help` prints the comments of the settings. Each
//! subject has a file.

mod accounts;
mod canary;
mod company;
mod connections;
mod data;
mod database;
mod files;
mod keys;
mod limits;
mod mail;
mod matcher;
mod monitoring;
mod payments;
mod phones;
mod proxies;
mod retention;
mod role;
mod s3;
mod search;

pub use accounts::{GoogleConfig, SignInConfig};
pub use canary::{CanaryAddress, CanaryConfig};
pub use company::{CompanyConfig, ManagerConfig};
pub use connections::ConnectionsConfig;
pub use data::DataConfig;
pub use database::{DatabaseConfig, DatabaseLimitsConfig};
pub use files::{FilePlace, FilesConfig};
pub use keys::KeysConfig;
pub use limits::LimitsConfig;
pub use mail::MailConfig;
pub use matcher::MatcherConfig;
pub use monitoring::MonitoringConfig;
pub use payments::{PaymentsConfig, ProviderName, Vat};
pub use phones::PhoneConfig;
pub use proxies::{BEHIND_PROXY_REMEDY, ProxyConfig};
pub use retention::RetentionConfig;
pub use role::Role;
pub use s3::{CREDENTIALS_REMEDY, S3Config};
pub use search::SearchConfig;

use clap::Args;
use rustix::fs::{Access, access};
use secrecy::{ExposeSecret, SecretString};
use settings::{Findings, transport};
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};
use tender_model::vocabulary::Rates;

/// The settings of `api serve`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Server")]
pub struct ServeConfig {
    /// Database settings.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// Apply the missing database migrations before the start. Without this setting, the server
    /// refuses a database whose schema is not that of this version
    #[arg(long, env = "MIGRATE", help_heading = "Database")]
    pub migrate: bool,
    /// Limits of database connections.
    #[command(flatten)]
    pub database_limits: DatabaseLimitsConfig,
    /// The data folder.
    #[command(flatten)]
    pub data: DataConfig,
    /// The place of the files.
    #[command(flatten)]
    pub files: FilesConfig,
    /// The search index.
    #[command(flatten)]
    pub search: SearchConfig,
    /// The IP address and port to listen on
    #[arg(
        long,
        env = "LISTEN",
        help_heading = "Server",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS:PORT"
    )]
    pub listen: SocketAddr,
    /// The portal's public URL without a trailing slash; links in mails begin with this URL
    /// [default: http:// and the value of LISTEN]
    #[arg(long, env = "PUBLIC_URL", help_heading = "Server", value_name = "URL")]
    pub public_url: Option<String>,
    /// The folder of the built web application
    #[arg(long, env = "WEB", help_heading = "Server", default_value = DEFAULT_WEB, value_name = "DIR")]
    pub web: PathBuf,
    /// Create demonstration accounts, and show at /dev/mail the mail that is kept on disk. A
    /// demonstration can be used only on this machine: LISTEN, PUBLIC_URL and the host of each
    /// request must be loopback addresses, and TRUSTED_PROXIES is refused
    #[arg(long, env = "DEMO", help_heading = "Server")]
    pub demo: bool,
    /// Only serve HTTP. Other processes, such as `api work`, match alerts, send messages, charge cards and
    /// clean up
    #[arg(long, env = "JOBS_ELSEWHERE", help_heading = "Server")]
    pub jobs_elsewhere: bool,
    /// How the stored alerts are divided.
    #[command(flatten)]
    pub matcher: MatcherConfig,
    /// Whether the process is `api work`, which does not serve HTTP.
    #[arg(skip)]
    pub is_worker: bool,
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
    /// The test of the way from a tender to its mail.
    #[command(flatten)]
    pub canary: CanaryConfig,
    /// Metrics and traces.
    #[command(flatten)]
    pub monitoring: MonitoringConfig,
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
    /// The signing keys.
    #[command(flatten)]
    pub keys: KeysConfig,
    /// Whether the tenders of a new publisher wait until an administrator approves the first one
    /// [default: true, false with --demo]
    #[arg(long, env = "HOLD_FIRST_PUBLICATION", help_heading = "Server", value_name = "true|false")]
    pub hold_first_publication: Option<bool>,
    /// The share of certainly read notices that a reviewer also checks, from 0 to 1. They are chosen
    /// at random, and show how accurate the readers are
    #[arg(long, env = "REVIEW_SAMPLE", help_heading = "Server", default_value_t = 0.02, value_name = "SHARE", value_parser = parse_share)]
    pub review_sample: f64,
    /// The value of foreign currencies in rupees, such as USD:302.5,EUR:328. If an alert's range of
    /// values cannot be converted to a tender's currency, the range does not exclude the tender
    #[arg(
        long,
        env = "RATES_LKR",
        help_heading = "Server",
        default_value = "",
        hide_default_value = true,
        value_name = "RATES"
    )]
    pub rates_lkr: Rates,
    /// How long the listing, the counts of the home page and the suggestions for guests are kept in
    /// memory, in milliseconds; 0 switches this off. New and changed tenders are always shown at once
    #[arg(long, env = "GUEST_CACHE_MS", help_heading = "Server", default_value_t = 1000, value_name = "MS", value_parser = clap::value_parser!(u32).range(..=60_000))]
    pub guest_cache_ms: u32,
    /// Rate limits.
    #[command(flatten)]
    pub limits: LimitsConfig,
    /// The program that extracts the text of documents, called with `document-text` [default: this
    /// program]
    #[arg(long, env = "DOCUMENT_READER", help_heading = "Server", value_name = "PROGRAM", hide = true)]
    pub document_reader: Option<PathBuf>,
    /// The free space on the disk of the data folder below which uploads are refused, in MiB. Below four
    /// times this space, the log and /api/health warn
    #[arg(long, env = "MIN_FREE_MIB", help_heading = "Files", default_value_t = 512, value_name = "MIB", value_parser = clap::value_parser!(u64).range(..=1 << 30))]
    pub min_free_mib: u64,
    /// The time limit for running requests to finish during shutdown, in seconds
    #[arg(long, env = "SHUTDOWN_SECONDS", help_heading = "Server", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=3600))]
    pub shutdown_seconds: u64,
}

impl ServeConfig {
    /// The part of the portal that the process runs.
    #[must_use]
    pub const fn role(&self) -> Role {
        match (self.is_worker, self.jobs_elsewhere) {
            (true, _) => Role::Work,
            (false, true) => Role::Web,
            (false, false) => Role::All,
        }
    }

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

/// The folder of the web application that a development server uses.
const DEFAULT_WEB: &str = "web/dist";

impl ServeConfig {
    /// Checks all settings of the server, except its files. Nothing is changed.
    #[must_use]
    pub fn check(&self) -> Findings {
        let mut found = Findings::default();
        self.database.check(&mut found);
        self.files.check(&mut found);
        self.search.check(&mut found);
        self.check_addresses(&mut found);
        self.keys.check(&mut found);
        self.proxies.check(&mut found);
        self.mail.check(self.demo, &mut found);
        self.canary.check(&self.mail, self.demo, &mut found);
        self.monitoring.check(&mut found);
        self.retention.check(&mut found);
        self.phone.check(&mut found);
        self.company.check(&mut found);
        self.manager.check(&mut found);
        self.google.check(&mut found);
        self.payments.check(self.demo, &mut found);
        found
    }

    /// Checks the files and folders of the settings. Nothing is changed.
    pub fn check_files(&self, found: &mut Findings) {
        self.data.check_folder(found);
        if self.role().serves() && !self.web.join("index.html").is_file() {
            let what = format!("{} does not contain the web application (index.html)", self.web.display());
            if self.web == Path::new(DEFAULT_WEB) {
                found.warn("WEB", what);
            } else {
                found.refuse(
                    "WEB",
                    what,
                    "write the folder of the built web application, such as WEB=web/dist",
                );
            }
        }
        if let Some(program) = &self.document_reader
            && !(program.is_file() && access(program, Access::EXEC_OK).is_ok())
        {
            let what = format!("{} is not a program", program.display());
            found.refuse("DOCUMENT_READER", what, "write the path of `api`, or omit the setting");
        }
    }

    fn check_addresses(&self, found: &mut Findings) {
        if let Some(url) = &self.public_url {
            let example = "https://tenders.example";
            let is_url = found.check_url("PUBLIC_URL", url, &["https", "http"], example);
            let parsed = url::Url::parse(url).ok().filter(|_| is_url);
            if parsed
                .is_some_and(|url| url.path() != "/" || url.query().is_some() || url.fragment().is_some())
            {
                let what = format!("{url:?} has a path; the portal needs a host of its own");
                found.refuse("PUBLIC_URL", what, format_args!("write PUBLIC_URL={example}"));
            }
            if self.demo && is_url && !transport::is_loopback_url(url) {
                let what = format!(
                    "--demo creates accounts with a known password, so the URL must be an address of this machine, not {url}"
                );
                found.refuse("PUBLIC_URL", what, "use http://localhost, or omit PUBLIC_URL or --demo");
            }
        } else if self.listen.ip().is_unspecified() && !self.demo {
            found.warn(
                "PUBLIC_URL",
                format_args!("is not set, so links in mails begin with {}", self.base_url()),
            );
        }
        if self.demo && !self.listen.ip().is_loopback() {
            let what = format!(
                "--demo creates accounts with a known password, so it listens only on a loopback address, not on {}",
                self.listen
            );
            found.refuse("LISTEN", what, "use 127.0.0.1, or omit --demo");
        }
        if self.demo && !self.proxies.trusted_proxies.is_empty() {
            let what = "--demo creates accounts with a known password, and other machines could use them through a proxy";
            found.refuse("TRUSTED_PROXIES", what, "omit TRUSTED_PROXIES or --demo");
        }
    }
}

/// Whether a secret is set and not blank.
fn is_set(secret: &Option<SecretString>) -> bool {
    secret.as_ref().is_some_and(|secret| !secret.expose_secret().trim().is_empty())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1, such as 0.02".to_owned())
}
