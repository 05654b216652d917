//! `api admin`: administrators, plans, payments, demonstration accounts and operator tokens.

use super::{
    keys::{KeyCommand, manage_keys},
    plans::{PlanCommand, set_plan},
    record,
    sending::{SendingCommand, switch_sending},
    staff::{NewStaff, create_staff, read_password, reset_second_factors},
    tokens::{TokenCommand, manage_tokens},
};
use crate::{
    base::{clock::Clock, config::DataConfig, random::Random},
    domain::{
        audit::{AuditAction, AuditSubject},
        coverage::DEMO_PAPERS,
        payment::{EventContent, OpenPaymentEvent},
        plan::PlanChange,
        user::Role,
    },
    services::accounts::erasure,
    storage::{expected_papers, payment_events, plans},
};
use clap::{
    Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use sqlx::PgPool;
use std::io::{self, Write};
use tender_model::terminal_text::single_line;

/// The subcommands of `api admin`.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Create an administrator or a reviewer; the password is read from standard input. If standard
    /// input is a terminal or empty, a link to set the password is printed; it is valid once, for a day
    Create {
        /// The role: an administrator may do everything, a reviewer only reviews notices
        #[arg(long, default_value = "admin", value_parser = PossibleValuesParser::new(["admin", "reviewer"]).try_map(|role| role.parse::<Role>()))]
        role: Role,
        /// The mail address to sign in with
        #[arg(long)]
        email: String,
        /// Given name
        #[arg(long)]
        first_name: String,
        /// Family name
        #[arg(long)]
        last_name: String,
        /// The portal's public URL, with which the printed link begins
        #[arg(long, env = "PUBLIC_URL", default_value = "http://127.0.0.1:8080", value_name = "URL")]
        public_url: String,
    },
    /// Remove the second factors of a user who has lost them, such as the only administrator. The
    /// user's sessions end
    ResetSecondFactors {
        /// The mail address of the account
        #[arg(long)]
        email: String,
    },
    /// Manage the plans
    Plan {
        /// What to do.
        #[command(subcommand)]
        command: PlanCommand,
    },
    /// List payment events that need attention, such as wrong amounts or unexpected payments, until an
    /// administrator settles them
    Payments,
    /// Manage the accounts that a demonstration (`serve --demo`) created in the database
    Demo {
        /// What to do.
        #[command(subcommand)]
        command: DemoCommand,
    },
    /// Manage the signing keys in the data folder
    Key {
        /// File settings.
        #[command(flatten)]
        data: DataConfig,
        /// What to do.
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Show whether the portal sends messages and charges cards, or switch this on or off
    Sending {
        /// What to do [default: show the state]
        #[command(subcommand)]
        command: Option<SendingCommand>,
    },
    /// Manage the tokens with which `ingest` publishes
    Token {
        /// What to do.
        #[command(subcommand)]
        command: TokenCommand,
    },
}

/// The subcommands of `api admin demo`.
#[derive(Debug, Subcommand)]
pub enum DemoCommand {
    /// Delete the demonstration accounts and their data; without --demo, a server refuses to start
    /// while they exist
    Remove,
}

/// A limit of a plan.
fn limit(number: i32) -> String {
    if number < 0 { "unlimited".to_owned() } else { number.to_string() }
}

/// The number of payment events that `api admin payments` lists.
const MAX_PAYMENT_EVENTS: i64 = 1000;

/// Runs an `api admin` command on a migrated database.
pub async fn admin(db: &PgPool, command: AdminCommand, clock: &Clock, random: &Random) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match command {
        AdminCommand::Create { role, email, first_name, last_name, public_url } => {
            let password = read_password()?;
            let staff = NewStaff {
                role,
                email: &email,
                first_name: &first_name,
                last_name: &last_name,
                password: password.as_deref(),
            };
            let token = create_staff(db, staff, clock, random).await?;
            let role = if role == Role::Admin { "administrator" } else { "reviewer" };
            match token {
                None => writeln!(out, "created the {role} {email}")?,
                Some(token) => {
                    let portal = public_url.trim_end_matches('/');
                    writeln!(
                        out,
                        "created the {role} {email}; to set the password within a day, open {portal}/reset-password?token={token}"
                    )?;
                }
            }
        }
        AdminCommand::ResetSecondFactors { email } => {
            if reset_second_factors(db, &email, clock).await? {
                writeln!(out, "removed the second factors of {email}")?;
            } else {
                writeln!(out, "{email} has no second factors")?;
            }
        }
        AdminCommand::Plan { command: PlanCommand::List } => {
            for plan in plans::offers(db).await? {
                writeln!(
                    out,
                    "{}\tLKR {} a month, {} a year\tviews {}, uploads {}, saved searches {}, open bids {}",
                    plan.name,
                    plan.price_monthly,
                    plan.price_yearly,
                    limit(plan.max_tender_views),
                    limit(plan.max_tender_uploads),
                    limit(plan.saved_searches),
                    limit(plan.max_open_bids)
                )?;
            }
        }
        AdminCommand::Plan { command: PlanCommand::Set(change) } => {
            let change = PlanChange::from(*change);
            set_plan(db, &change, clock).await?;
            writeln!(out, "changed the plan {}", change.name)?;
        }
        AdminCommand::Payments => {
            for event in payment_events::page(db, false, None, MAX_PAYMENT_EVENTS).await? {
                let OpenPaymentEvent { provider, event_id, received_at, outcome, content, .. } = event;
                let content = match content {
                    EventContent::Event(event) => serde_json::to_string(&event)?,
                    EventContent::Body(body) => single_line(&body),
                };
                let outcome = outcome.as_str();
                writeln!(out, "{received_at}\t{provider}\t{event_id}\t{outcome}\t{content}")?;
            }
        }
        AdminCommand::Demo { command: DemoCommand::Remove } => {
            // If the command is interrupted, the log still has the entry.
            let entry = (AuditAction::RemoveDemo, AuditSubject::Demo, "demo");
            record(db, entry, (None, None), clock.now()).await?;
            expected_papers::delete(db, &DEMO_PAPERS).await?;
            let erased = erasure::erase_demo(db, clock, random).await?;
            for email in &erased {
                writeln!(out, "deleted {email}")?;
            }
            if erased.is_empty() {
                writeln!(out, "there are no demonstration accounts")?;
            }
        }
        AdminCommand::Key { data, command } => manage_keys(db, &data, command, clock, random).await?,
        AdminCommand::Sending { command } => switch_sending(db, command, clock).await?,
        AdminCommand::Token { command } => manage_tokens(db, command, clock, random).await?,
    }
    Ok(())
}
