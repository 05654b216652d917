//! The settings that say how long personal data is kept.

use clap::Args;

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
    /// number of viewers stays. 0 keeps the record
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
