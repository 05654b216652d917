//! Settings of mail.

use clap::Args;
use jiff::SignedDuration;
use lettre::{Address, AsyncSmtpTransport, Tokio1Executor, message::Mailbox};
use secrecy::{ExposeSecret, SecretString};
use settings::{Findings, transport};
use std::time::Duration;

/// Mail settings: the mail server, the sender, limits, and how long immediate mails collect
/// matches.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Mail")]
pub struct MailConfig {
    /// The mail server: smtp://user:password@host:port, smtps:// for TLS from the start,
    /// smtp://…?tls=required for STARTTLS
    #[arg(long, env = "SMTP_URL", hide_env_values = true, value_name = "URL")]
    pub smtp_url: Option<SecretString>,
    /// Without a mail server, keep mail in a maildir in the data folder instead of refusing to
    /// start
    #[arg(long, env = "MAIL_TO_DISK")]
    pub mail_to_disk: bool,
    /// The sender of all mail
    #[arg(
        long,
        env = "MAIL_FROM",
        default_value = DEFAULT_SENDER,
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

    /// Checks the mail server, the sender and the address for bounces.
    pub fn check(&self, demo: bool, found: &mut Findings) {
        match &self.smtp_url {
            Some(url) => self.check_server(url.expose_secret(), found),
            None if !self.mail_to_disk && !demo => {
                let remedy = "write SMTP_URL=smtp://user:password@host:port, or use --mail-to-disk (MAIL_TO_DISK=true) to \
                    store mail in the data folder";
                found.refuse("SMTP_URL", "no mail server is set", remedy);
            }
            None => {}
        }
        if let Err(error) = self.mail_from.parse::<Mailbox>() {
            let what = format!("{:?} is not a mail address ({error})", self.mail_from);
            found.refuse("MAIL_FROM", what, r#"write MAIL_FROM="Serendib Tenders <alerts@portal.example>""#);
        }
        if let Some(returns) = &self.mail_returns
            && let Err(error) = returns.parse::<Address>()
        {
            let what = format!("{returns:?} is not a mail address ({error})");
            found.refuse("MAIL_RETURNS", what, "write MAIL_RETURNS=returns@portal.example");
        }
        if self.collect_quiet_seconds > self.collect_limit_seconds {
            found.warn(
                "COLLECT_QUIET_SECONDS",
                "is longer than COLLECT_LIMIT_SECONDS, which applies therefore; write a shorter time",
            );
        }
    }

    fn check_server(&self, url: &str, found: &mut Findings) {
        let remedy =
            "write SMTP_URL=smtps://user:password@host:port, or smtp://user:password@host:port?tls=required";
        if self.mail_to_disk {
            let what = "MAIL_TO_DISK (--mail-to-disk) is set too";
            found.refuse(
                "SMTP_URL",
                what,
                "omit SMTP_URL to store mail in the data folder, or omit MAIL_TO_DISK",
            );
        }
        // The error of the URL is not printed, because it could contain the password.
        let is_mail_url = url::Url::parse(url).is_ok_and(|url| {
            matches!(url.scheme(), "smtp" | "smtps") && url.host_str().is_some_and(|host| !host.is_empty())
        });
        if !is_mail_url || AsyncSmtpTransport::<Tokio1Executor>::from_url(url).is_err() {
            found.refuse("SMTP_URL", "the value is not the URL of a mail server", remedy);
        } else if transport::is_insecure(url) {
            found.warn(
                "SMTP_URL",
                "the password and the mail can be sent without TLS; begin the URL with smtps://, or add ?tls=required",
            );
        }
        if self.mail_from == DEFAULT_SENDER {
            found.warn(
                "MAIL_FROM",
                "is not set, so mail has an example as its sender; write your own address",
            );
        }
    }
}

/// The sender of a portal that sets none.
const DEFAULT_SENDER: &str = "Serendib Tenders <alerts@serendib-tenders.example>";
