//! `api admin sending`: whether the portal sends messages and charges cards.

use super::record;
use crate::{
    base::clock::Clock,
    domain::audit::{AuditAction, AuditSubject},
    storage::{
        self,
        portal_state::{self, SendingOff},
    },
};
use clap::Subcommand;
use serde_json::json;
use sqlx::PgPool;
use std::io::{self, Write};

/// The subcommands of `api admin sending`.
#[derive(Debug, Subcommand)]
pub enum SendingCommand {
    /// Send messages and charge cards
    On,
    /// Send no messages and charge no cards; running servers stop within a second
    Off {
        /// The reason, which the log of the server shows
        #[arg(long, default_value = "switched off by an operator", value_name = "TEXT")]
        reason: String,
    },
}

/// Runs an `api admin sending` command.
pub(super) async fn switch_sending(
    db: &PgPool,
    command: Option<SendingCommand>,
    clock: &Clock,
) -> anyhow::Result<()> {
    let wanted = match command {
        None => None,
        Some(SendingCommand::On) => Some(None),
        Some(SendingCommand::Off { reason }) => {
            let reason: String =
                tender_model::terminal_text::single_line(&reason).chars().take(200).collect();
            anyhow::ensure!(!reason.trim().is_empty(), "--reason is empty");
            Some(Some(SendingOff { since: clock.now(), reason }))
        }
    };
    if let Some(off) = wanted {
        let mut tx = storage::begin(db).await?;
        if portal_state::set_sending_off(&mut *tx, off.as_ref()).await? {
            let values = |is_on: bool| Some(json!({"sending": is_on}));
            let entry = (AuditAction::SwitchSending, AuditSubject::Portal, "portal");
            record(&mut *tx, entry, (values(off.is_some()), values(off.is_none())), clock.now()).await?;
        }
        tx.commit().await?;
    }
    let mut out = io::stdout().lock();
    match portal_state::sending_off(db).await? {
        None => writeln!(out, "sending is on")?,
        Some(off) => writeln!(out, "sending is off since {}: {}", off.since, off.reason)?,
    }
    Ok(())
}
