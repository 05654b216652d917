//! Settings of mail.

use clap::Args;
use jiff::SignedDuration;
use secrecy::SecretString;
use std::time::Duration;

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
