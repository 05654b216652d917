//! `api mail`: bounces, undelivered mail and suppressed addresses.

use super::actor;
use crate::{
    base::clock::Clock,
    domain::delivery::DeadFilter,
    services::notifications::{
        bounces::{self, Outcome},
        dsn, undelivered,
    },
    storage::{deliveries::sending, suppressions},
};
use anyhow::bail;
use clap::Subcommand;
use sqlx::PgPool;
use std::io::{self, Read, Write};
use tender_model::terminal_text::counted;
use uuid::Uuid;

/// The exit code with which `api mail receive` asks the mail server to deliver the mail again later, as in
/// `sysexits.h`.
pub const EX_TEMPFAIL: u8 = 75;

/// The subcommands of `api mail`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Process a bounce or complaint from standard input; the mail server pipes mail for the
    /// bounce address into this command. Other mail is ignored. After a failure, such as a database that
    /// is down or a wrong setting, the exit code is 75: the mail server tries again later
    Receive,
    /// List messages that could not be delivered, latest first
    Dead {
        /// The maximum number of messages
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Retry messages that could not be delivered, except those to suppressed addresses
    #[command(group = clap::ArgGroup::new("which").required(true))]
    Retry {
        /// One message, by the id that `api mail dead` shows
        #[arg(group = "which")]
        id: Option<Uuid>,
        /// All messages
        #[arg(long, group = "which")]
        all: bool,
    },
    /// List suppressed addresses, which get no mail until their owners confirm them again
    Suppressed {
        /// The maximum number of addresses
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
}

/// Runs an `api mail` command on a migrated database.
pub async fn mail(db: &PgPool, command: MailCommand, clock: &Clock) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match command {
        MailCommand::Receive => {
            let mut bytes = Vec::new();
            io::stdin().lock().take(dsn::MAX_REPORT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            if bytes.len() > dsn::MAX_REPORT_BYTES {
                let limit = dsn::MAX_REPORT_BYTES / 1000;
                writeln!(out, "ignored: the mail exceeds {limit} kB, so it is not a bounce report")?;
                return Ok(());
            }
            match bounces::receive(db, clock, &bytes).await? {
                Outcome::Ignored => writeln!(
                    out,
                    "ignored: not a report about a message of this portal, or already recorded"
                )?,
                Outcome::Noted => writeln!(out, "recorded")?,
                Outcome::Suppressed => writeln!(
                    out,
                    "recorded; no mail is sent to this address until its owner confirms it again"
                )?,
            }
        }
        MailCommand::Dead { limit } => {
            for dead in sending::page_of_dead(db, &DeadFilter::default(), None, i64::from(limit)).await? {
                writeln!(
                    out,
                    "{}\t{}\t{}\ttried {}\t{}",
                    dead.id,
                    dead.at,
                    dead.address,
                    counted(dead.attempts, "time"),
                    dead.last_error
                )?;
            }
        }
        MailCommand::Retry { id, .. } => {
            let filter = DeadFilter { id, ..DeadFilter::default() };
            let retried = undelivered::retry_all(db, clock, &actor(), &filter).await?;
            match (retried, id) {
                (0, Some(id)) => bail!(
                    "{id} cannot be retried: `api mail dead` lists undelivered messages, `api mail suppressed` lists suppressed addresses"
                ),
                (count, _) => writeln!(out, "queued for retry: {count}")?,
            }
        }
        MailCommand::Suppressed { limit } => {
            for found in suppressions::page(db, None, None, i64::from(limit)).await? {
                writeln!(out, "{}\tsince {}\t{}\t{}", found.address, found.at, found.reason, found.detail)?;
            }
        }
    }
    Ok(())
}
