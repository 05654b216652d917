//! The settings that say how long personal data is kept.

use clap::Args;
use settings::Findings;

/// A guest opens some tenders a month for free, so the views of a month are needed until its end.
const MIN_GUEST_VIEWS_DAYS: u16 = 32;

/// How long personal data is kept after its last use, in days. 0 keeps it for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
#[command(next_help_heading = "Retention of personal data")]
pub struct RetentionConfig {
    /// The days after which ended sessions and replaced session tokens are deleted; 0 keeps them
    #[arg(long, env = "RETAIN_SESSIONS_DAYS", default_value_t = 30, value_name = "DAYS")]
    pub retain_sessions_days: u16,
    /// The days after which used and expired links in mails are deleted; 0 keeps them
    #[arg(long, env = "RETAIN_LINKS_DAYS", default_value_t = 30, value_name = "DAYS")]
    pub retain_links_days: u16,
    /// The days after which the bodies of sent and undeliverable messages are deleted; the heads of mails
    /// stay. 0 keeps the bodies
    #[arg(long, env = "RETAIN_MESSAGES_DAYS", default_value_t = 90, value_name = "DAYS")]
    pub retain_messages_days: u16,
    /// The days after which the tenders that guests have opened are no longer recorded by browser; the
    /// number of viewers stays. At least 32, because guests open a number of tenders a month; 0 keeps
    /// the record
    #[arg(long, env = "RETAIN_GUEST_VIEWS_DAYS", default_value_t = 60, value_name = "DAYS")]
    pub retain_guest_views_days: u16,
    /// The days after which the record of a user's downloads of documents is deleted; 0 keeps it
    #[arg(long, env = "RETAIN_DOWNLOADS_DAYS", default_value_t = 400, value_name = "DAYS")]
    pub retain_downloads_days: u16,
    /// The days after which answered messages of the contact form are deleted; 0 keeps them
    #[arg(long, env = "RETAIN_CONTACT_DAYS", default_value_t = 365, value_name = "DAYS")]
    pub retain_contact_days: u16,
    /// The days after which events of the payment provider are deleted, except those that need
    /// attention; invoices are always kept. 0 keeps them
    #[arg(long, env = "RETAIN_PAYMENT_EVENTS_DAYS", default_value_t = 2190, value_name = "DAYS")]
    pub retain_payment_events_days: u16,
}

impl RetentionConfig {
    /// Checks these settings.
    pub fn check(&self, found: &mut Findings) {
        if (1..MIN_GUEST_VIEWS_DAYS).contains(&self.retain_guest_views_days) {
            let what = format!("{} days are shorter than a month", self.retain_guest_views_days);
            let remedy = format!("write {MIN_GUEST_VIEWS_DAYS} or more, or 0 to keep the record");
            found.refuse("RETAIN_GUEST_VIEWS_DAYS", what, remedy);
        }
    }
}
