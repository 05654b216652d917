//! The commands that run once and exit, such as `api migrate` and `api admin`.

mod admin;
mod backup;
mod check;
mod files;
mod keys;
mod limits;
mod mail;
mod migrate;
mod openapi;
mod plans;
mod sending;
mod settings;
mod staff;
mod tokens;
mod trace;

pub use admin::{AdminCommand, DemoCommand, admin};
pub use backup::{BackupArguments, RestoreArguments, backup, restore};
pub use check::{CheckArguments, check};
pub use files::{FilesCommand, files};
pub use limits::print_limits;
pub use mail::{EX_TEMPFAIL, MailCommand, mail};
pub use migrate::migrate;
pub use openapi::{openapi, openapi_json};
pub use plans::{PlanChangeArguments, PlanCommand, set_plan};
pub use settings::{PROGRAM, SettingsArguments, SettingsCommand, check_log, settings};
pub use staff::{NewStaff, create_staff};
pub use tokens::{TokenArguments, TokenCommand, create_token};
pub use trace::trace;

use crate::{
    domain::audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
    storage::audit_log,
};
use jiff::Timestamp;
use serde_json::Value;
use sqlx::PgExecutor;

/// Adds an entry of the command line to the audit log: the action, the kind and the id of its
/// subject, and the values before and after.
async fn record(
    db: impl PgExecutor<'_>,
    (action, subject, subject_id): (AuditAction, AuditSubject, &str),
    (before, after): (Option<Value>, Option<Value>),
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let entry = NewAuditEntry { actor: &actor(), action, subject, subject_id, before, after };
    audit_log::insert(db, &entry, at).await
}

/// The command line as an actor, with the account of the operating system.
fn actor() -> Actor {
    // `sudo` keeps the account that called it.
    let account = ["SUDO_USER", "USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    Actor::command_line(account)
}
