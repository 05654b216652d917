//! `api admin token`: operator tokens.

use super::record;
use crate::{
    base::{clock::Clock, random::Random, secret::secret_hash},
    domain::{
        audit::{AuditAction, AuditSubject},
        validation,
    },
    http::extract::operator,
    storage::operator_tokens,
};
use clap::Subcommand;
use sqlx::PgPool;

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
