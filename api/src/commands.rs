//! The commands that do one thing and end: making administrators and operator tokens, printing the contract.

use crate::{
    auth::{Passwords, operator, password, person, secret_hash},
    clock::Clock,
    db::{
        operator_tokens,
        users::{self, NewUser, Role},
    },
    random::Random,
    router,
};
use anyhow::{anyhow, bail};
use clap::Subcommand;
use index::vocabulary::Language;
use sqlx::PgPool;
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// What `api admin` can do.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Make an administrator; the password is read from standard input, or made and printed when that is a terminal
    /// or empty
    Create {
        /// The address to sign in with
        #[arg(long)]
        email: String,
        /// Given name
        #[arg(long)]
        first_name: String,
        /// Family name
        #[arg(long)]
        last_name: String,
    },
    /// The tokens that `ingest` publishes with
    Token {
        /// What to do.
        #[command(subcommand)]
        command: TokenCommand,
    },
}

/// What `api admin token` can do.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it, this once
    Create {
        /// What to call it
        name: String,
    },
    /// List all tokens, without their secrets
    List,
    /// Refuse the tokens of a name from now on
    Revoke {
        /// What it was called
        name: String,
    },
}

/// Runs one of them on a database of this version.
///
/// # Errors
/// With what to do about it.
pub async fn admin(db: &PgPool, command: AdminCommand, clock: &Clock, random: &Random) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match command {
        AdminCommand::Create { email, first_name, last_name } => {
            let given = given_password()?;
            let password = given.clone().unwrap_or_else(|| random.secret());
            create_admin(db, &email, &first_name, &last_name, &password, clock, random).await?;
            match given {
                Some(_) => writeln!(out, "made the administrator {email}")?,
                None => {
                    writeln!(out, "made the administrator {email}; password, shown this once: {password}")?
                }
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
                writeln!(out, "{}\tmade {}\t{used}\t{state}", token.name, token.created_at)?;
            }
        }
        AdminCommand::Token { command: TokenCommand::Revoke { name } } => {
            match operator_tokens::revoke(db, &name, clock.now()).await? {
                0 => bail!("there is no live token called {name:?}; `api admin token list` shows them"),
                count => writeln!(out, "revoked {count}")?,
            }
        }
    }
    Ok(())
}

/// Makes an administrator, whose address is taken as confirmed.
///
/// # Errors
/// When a field does not fit or the address has an account.
pub async fn create_admin(
    db: &PgPool,
    email: &str,
    first_name: &str,
    last_name: &str,
    password: &str,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    let email: person::Email = email.parse().map_err(|message| anyhow!("--email: {message}"))?;
    let first_name = person::line(first_name, "--first-name", 100).map_err(anyhow::Error::msg)?;
    let last_name = person::line(last_name, "--last-name", 100).map_err(anyhow::Error::msg)?;
    if password.chars().count() < password::SHORTEST || password.len() > password::LONGEST {
        bail!(
            "the password must have {} characters at least and {} bytes at most",
            password::SHORTEST,
            password::LONGEST
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
        role: Role::Admin,
        language: Language::English,
        email_verified: true,
    };
    let mut tx = db.begin().await?;
    if !users::insert(&mut tx, random.id(clock), &new, clock.now()).await? {
        bail!("an account with this email already exists");
    }
    tx.commit().await?;
    Ok(())
}

/// Makes an operator token and answers it; only its hash is kept.
///
/// # Errors
/// When the name does not fit, or whatever the database answers.
pub async fn create_token(db: &PgPool, name: &str, clock: &Clock, random: &Random) -> anyhow::Result<String> {
    let name = person::line(name, "the token's name", 100).map_err(anyhow::Error::msg)?;
    let token = operator::fresh(random);
    operator_tokens::insert(db, random.id(clock), &name, &secret_hash(&token), clock.now()).await?;
    Ok(token)
}

/// Prints the contract.
///
/// # Errors
/// When standard output is closed.
pub fn openapi() -> anyhow::Result<()> {
    io::stdout().lock().write_all(contract()?.as_bytes())?;
    Ok(())
}

/// The contract as it is committed: `api/openapi.json`.
///
/// # Errors
/// When the document can't be written as JSON: a defect.
pub fn contract() -> anyhow::Result<String> {
    Ok(router::document().to_pretty_json()? + "\n")
}

/// The first line of standard input, unless that is a terminal or empty.
fn given_password() -> io::Result<Option<String>> {
    let input = io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut line = String::new();
    // One byte more than allowed, so that a longer one is noticed.
    input.lock().take(password::LONGEST as u64 + 2).read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(line).filter(|line| !line.is_empty()))
}
