//! The commands `api admin`, `api mail`, `api trace` and `api openapi`, which run once and exit.

use crate::{
    base::{
        clock::Clock,
        password::{self, Passwords},
        random::Random,
        secret::secret_hash,
    },
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        plan::{PlanChange, PlanName},
        suppression::SuppressionReason,
        user::{NewUser, Role},
        validation,
    },
    http::{extract::operator, router},
    services::{
        accounts::erasure,
        notifications::{
            bounces::{self, Outcome},
            dsn,
        },
    },
    storage::{
        audit_log,
        deliveries::sending,
        operator_tokens,
        payment_events::{self, OpenPaymentEvent},
        plans, suppressions, trace, users,
    },
};
use anyhow::{anyhow, bail};
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::{PgExecutor, PgPool};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use strum::VariantNames;
use tender_model::vocabulary::Language;
use uuid::Uuid;

/// The subcommands of `api admin`.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Create an administrator or a reviewer; the password is read from standard input. If standard
    /// input is a terminal or empty, a password is generated and printed
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
    },
    /// Manage the plans
    Plan {
        /// What to do.
        #[command(subcommand)]
        command: PlanCommand,
    },
    /// List payment events that need attention, such as wrong amounts or unexpected payments
    Payments,
    /// Manage the accounts that a demonstration (`serve --demo`) created in the database
    Demo {
        /// What to do.
        #[command(subcommand)]
        command: DemoCommand,
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

/// The subcommands of `api admin plan`.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// List all plans with prices and limits
    List,
    /// Change a plan; existing subscribers keep the agreed price
    Set(Box<PlanChangeArguments>),
}

/// Returns the parser of a plan's name.
fn plan_name_parser() -> impl TypedValueParser<Value = PlanName> {
    PossibleValuesParser::new(PlanName::VARIANTS).try_map(|name| name.parse::<PlanName>())
}

/// The changes to a plan. Absent values stay unchanged.
#[derive(Debug, Args)]
pub struct PlanChangeArguments {
    /// The plan
    #[arg(value_parser = plan_name_parser())]
    pub name: PlanName,
    /// Rupees per month
    #[arg(long, value_name = "RUPEES", value_parser = clap::value_parser!(i32).range(0..=10_000_000))]
    pub price_monthly: Option<i32>,
    /// Rupees per year
    #[arg(long, value_name = "RUPEES", value_parser = clap::value_parser!(i32).range(0..=10_000_000))]
    pub price_yearly: Option<i32>,
    /// Tenders that may be opened per month; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub views: Option<i32>,
    /// Tenders that may be published per month; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub uploads: Option<i32>,
    /// Searches that may be saved; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub saved_searches: Option<i32>,
}

impl From<PlanChangeArguments> for PlanChange {
    fn from(arguments: PlanChangeArguments) -> Self {
        Self {
            name: arguments.name,
            price_monthly: arguments.price_monthly,
            price_yearly: arguments.price_yearly,
            views: arguments.views,
            uploads: arguments.uploads,
            saved_searches: arguments.saved_searches,
        }
    }
}

/// The subcommands of `api admin token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Create a token and print it once
    Create {
        /// The token's name
        name: String,
    },
    /// List all tokens, without their secrets
    List,
    /// Revoke all tokens with a name
    Revoke {
        /// The token's name
        name: String,
    },
}

/// Runs an `api admin` command on a migrated database.
pub async fn admin(db: &PgPool, command: AdminCommand, clock: &Clock, random: &Random) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match command {
        AdminCommand::Create { role, email, first_name, last_name } => {
            let given = read_password()?;
            let password = given.clone().unwrap_or_else(|| random.secret());
            let staff = NewStaff {
                role,
                email: &email,
                first_name: &first_name,
                last_name: &last_name,
                password: &password,
            };
            create_staff(db, staff, clock, random).await?;
            let role = if role == Role::Admin { "administrator" } else { "reviewer" };
            match given {
                Some(_) => writeln!(out, "created the {role} {email}")?,
                None => writeln!(out, "created the {role} {email}; password, shown only once: {password}")?,
            }
        }
        AdminCommand::Plan { command: PlanCommand::List } => {
            for plan in plans::offers(db).await? {
                writeln!(
                    out,
                    "{}\tLKR {} a month, {} a year\t{} views, {} uploads, {} saved searches",
                    plan.name,
                    plan.price_monthly,
                    plan.price_yearly,
                    plan.max_tender_views,
                    plan.max_tender_uploads,
                    plan.saved_searches
                )?;
            }
        }
        AdminCommand::Plan { command: PlanCommand::Set(change) } => {
            let change = PlanChange::from(*change);
            set_plan(db, &change, clock).await?;
            writeln!(out, "changed the plan {}", change.name)?;
        }
        AdminCommand::Payments => {
            for event in payment_events::needing_attention(db).await? {
                let OpenPaymentEvent { provider, event_id, received_at, outcome, event } = event;
                let (outcome, event) = (outcome.as_str(), serde_json::to_string(&event)?);
                writeln!(out, "{received_at}\t{provider}\t{event_id}\t{outcome}\t{event}")?;
            }
        }
        AdminCommand::Demo { command: DemoCommand::Remove } => {
            // If the command is interrupted, the log still has the entry.
            let entry = (AuditAction::RemoveDemo, AuditSubject::Demo, "demo");
            record(db, entry, (None, None), clock.now()).await?;
            let erased = erasure::erase_demo(db, clock, random).await?;
            for email in &erased {
                writeln!(out, "deleted {email}")?;
            }
            if erased.is_empty() {
                writeln!(out, "there are no demonstration accounts")?;
            }
        }
        AdminCommand::Token { command: TokenCommand::Create { name } } => {
            let token = create_token(db, &name, clock, random).await?;
            writeln!(out, "{token}")?;
        }
        AdminCommand::Token { command: TokenCommand::List } => {
            for token in operator_tokens::list(db).await? {
                let used = token.last_used_at.map_or("never used".into(), |at| format!("last used {at}"));
                let state = token.revoked_at.map_or("live".into(), |at| format!("revoked {at}"));
                writeln!(out, "{}\tcreated {}\t{used}\t{state}", token.name, token.created_at)?;
            }
        }
        AdminCommand::Token { command: TokenCommand::Revoke { name } } => {
            let mut tx = db.begin().await?;
            let revoked = operator_tokens::revoke(&mut *tx, &name, clock.now()).await?;
            if revoked > 0 {
                let entry = (AuditAction::RevokeTokens, AuditSubject::Token, name.as_str());
                record(&mut *tx, entry, (None, Some(json!({"revoked": revoked}))), clock.now()).await?;
            }
            tx.commit().await?;
            match revoked {
                0 => bail!("there is no live token called {name:?}; `api admin token list` lists all tokens"),
                count => writeln!(out, "revoked {count}")?,
            }
        }
    }
    Ok(())
}

/// Adds an entry of the command line to the audit log: the action, the kind and the id of its
/// subject, and the values before and after.
async fn record(
    db: impl PgExecutor<'_>,
    (action, subject, subject_id): (AuditAction, AuditSubject, &str),
    (before, after): (Option<Value>, Option<Value>),
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    // `sudo` keeps the account that called it.
    let account = ["SUDO_USER", "USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let actor = Actor::command_line(account);
    let entry = NewAuditEntry { actor: &actor, action, subject, subject_id, before, after };
    audit_log::insert(db, &entry, at).await
}

/// A new administrator or reviewer.
#[derive(Debug, Clone, Copy)]
pub struct NewStaff<'a> {
    /// The role.
    pub role: Role,
    /// The mail address to sign in with.
    pub email: &'a str,
    /// The given name.
    pub first_name: &'a str,
    /// The family name.
    pub last_name: &'a str,
    /// The password.
    pub password: &'a str,
}

/// Creates an administrator or a reviewer with a confirmed address. Refuses invalid fields and a
/// taken address.
pub async fn create_staff(
    db: &PgPool,
    staff: NewStaff<'_>,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    let NewStaff { role, email, first_name, last_name, password } = staff;
    let email: validation::Email = email.parse().map_err(|message| anyhow!("--email: {message}"))?;
    let first_name = validation::parse_line(first_name, "--first-name", 100).map_err(anyhow::Error::msg)?;
    let last_name = validation::parse_line(last_name, "--last-name", 100).map_err(anyhow::Error::msg)?;
    if password.chars().count() < password::MIN_LENGTH || password.len() > password::MAX_LENGTH {
        bail!(
            "the password must have at least {} characters and at most {} bytes",
            password::MIN_LENGTH,
            password::MAX_LENGTH
        );
    }
    let hash = Passwords::standard(random.clone())?.hash(password.to_owned()).await?;
    let new = NewUser {
        email: email.as_str(),
        password_hash: Some(&hash),
        first_name: &first_name,
        last_name: &last_name,
        phone: None,
        company: None,
        role,
        language: Language::English,
        email_verified: true,
    };
    let mut tx = db.begin().await?;
    let id = random.id(clock);
    if !users::insert(&mut tx, id, &new, clock.now()).await? {
        bail!("an account with this email already exists");
    }
    let subject = id.to_string();
    let entry = (AuditAction::CreateUser, AuditSubject::User, subject.as_str());
    record(&mut *tx, entry, (None, Some(json!({"role": role}))), clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Changes the price and the limits of a plan. Refuses a price for the free plan and a zero price
/// for a paid plan.
pub async fn set_plan(db: &PgPool, change: &PlanChange, clock: &Clock) -> anyhow::Result<()> {
    let is_free = change.name == PlanName::Free;
    if is_free && (change.price_monthly.unwrap_or(0) > 0 || change.price_yearly.unwrap_or(0) > 0) {
        bail!("the free plan must have the price 0");
    }
    if !is_free && (change.price_monthly == Some(0) || change.price_yearly == Some(0)) {
        bail!("a paid plan must have a price above 0");
    }
    let mut tx = db.begin().await?;
    let before = plans::limits(&mut *tx, change.name).await?;
    if !plans::change(&mut *tx, change, clock.now()).await? {
        bail!("there is no plan called {}; `api admin plan list` lists all plans", change.name);
    }
    let after = plans::limits(&mut *tx, change.name).await?;
    let entry = (AuditAction::ChangePlan, AuditSubject::Plan, change.name.as_str());
    record(&mut *tx, entry, (before, after), clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Creates an operator token and returns it. Only its hash is stored.
pub async fn create_token(db: &PgPool, name: &str, clock: &Clock, random: &Random) -> anyhow::Result<String> {
    let name = validation::parse_line(name, "the token's name", 100).map_err(anyhow::Error::msg)?;
    let token = operator::generate(random);
    let mut tx = db.begin().await?;
    operator_tokens::insert(&mut *tx, random.id(clock), &name, &secret_hash(&token), clock.now()).await?;
    let entry = (AuditAction::CreateToken, AuditSubject::Token, name.as_str());
    record(&mut *tx, entry, (None, None), clock.now()).await?;
    tx.commit().await?;
    Ok(token)
}

/// The subcommands of `api mail`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Process a bounce or complaint from standard input; the mail server pipes mail for the
    /// bounce address into this command. Other mail is ignored
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
                bail!("the mail exceeds {} kB, so it is not a bounce report", dsn::MAX_REPORT_BYTES / 1000);
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
            for dead in sending::list_dead(db, i64::from(limit)).await? {
                writeln!(
                    out,
                    "{}\t{}\t{}\ttried {} times\t{}",
                    dead.id, dead.at, dead.address, dead.attempts, dead.last_error
                )?;
            }
        }
        MailCommand::Retry { id, .. } => match (retry_dead(db, id, clock).await?, id) {
            (0, Some(id)) => bail!(
                "{id} cannot be retried: `api mail dead` lists undelivered messages, `api mail suppressed` lists suppressed addresses"
            ),
            (count, _) => writeln!(out, "queued for retry: {count}")?,
        },
        MailCommand::Suppressed { limit } => {
            for found in suppressions::list(db, i64::from(limit)).await? {
                writeln!(out, "{}\tsince {}\t{}\t{}", found.address, found.at, found.reason, found.detail)?;
            }
        }
    }
    Ok(())
}

/// Retries messages that could not be delivered: one, or all. Returns their number.
async fn retry_dead(db: &PgPool, id: Option<Uuid>, clock: &Clock) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    let retried = sending::retry_dead(&mut *tx, id, clock.now()).await?;
    if retried > 0 {
        let subject = id.map_or_else(|| "all".to_owned(), |id| id.to_string());
        let entry = (AuditAction::RetryMail, AuditSubject::Message, subject.as_str());
        record(&mut *tx, entry, (None, Some(json!({"retried": retried}))), clock.now()).await?;
    }
    tx.commit().await?;
    Ok(retried)
}

/// The number of recipients that [`trace()`] reads from the database at once.
const TRACE_PAGE_SIZE: i64 = 500;

/// Prints one line for each change of a tender with the number of its matches, one for each
/// recipient, and one for each message to a recipient.
pub async fn trace(db: &PgPool, id: Uuid) -> anyhow::Result<()> {
    let changes = trace::changes(db, id).await?;
    if changes.is_empty() {
        bail!("there is no tender {id}");
    }
    let mut out = io::stdout().lock();
    for change in changes {
        let matches = if change.is_processed {
            format!("matched {}", change.matches)
        } else {
            "not matched yet".to_owned()
        };
        writeln!(
            out,
            "revision {}\tat {}\tposition {}\t{}\t{matches}",
            change.revision, change.at, change.position, change.status
        )?;
    }
    for page in 0.. {
        let (recipients, _) = trace::recipients(db, id, (TRACE_PAGE_SIZE, page * TRACE_PAGE_SIZE)).await?;
        for recipient in &recipients {
            let name = recipient.alert.as_ref().map_or("saved", |(_, name)| name.as_str());
            let irrelevant = if recipient.is_irrelevant { "\tnot relevant" } else { "" };
            writeln!(
                out,
                "{}\t{}{irrelevant}",
                recipient.user,
                tender_model::terminal_text::single_line(name)
            )?;
            for sent in &recipient.deliveries {
                let when = sent.sent_at.or(sent.next_at).map(|at| at.to_string()).unwrap_or_default();
                let error = sent
                    .returned
                    .map(SuppressionReason::as_str)
                    .or(sent.error.as_deref())
                    .unwrap_or_default();
                writeln!(
                    out,
                    "  {}\t{}\t{}\t{}\t{when}\t{error}",
                    sent.id, sent.reason, sent.address, sent.state
                )?;
            }
        }
        if recipients.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Prints the OpenAPI document.
pub fn openapi() -> anyhow::Result<()> {
    io::stdout().lock().write_all(openapi_json()?.as_bytes())?;
    Ok(())
}

/// Returns the OpenAPI document as committed in `api/openapi.json`.
pub fn openapi_json() -> anyhow::Result<String> {
    Ok(router::document().to_pretty_json()? + "\n")
}

/// Returns the first line of standard input. `None` if the line is empty or standard input is a
/// terminal.
fn read_password() -> io::Result<Option<String>> {
    let input = io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut line = String::new();
    // Two bytes more than allowed, so that a longer password is detected and not cut.
    input.lock().take(password::MAX_LENGTH as u64 + 2).read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(line).filter(|line| !line.is_empty()))
}
