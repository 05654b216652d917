//! `api admin token`: operator tokens.

use super::actor;
use crate::{
    base::{clock::Clock, random::Random},
    domain::operator_token::{
        DEFAULT_LIFETIME_DAYS, MAX_LIFETIME_DAYS, TokenRequest, TokenScope, TokenState,
    },
    services::accounts::operator_tokens as service,
    storage::operator_tokens,
};
use anyhow::bail;
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use sqlx::PgPool;
use std::io::{self, Write};
use strum::VariantNames;

/// The subcommands of `api admin token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Create a token and print it once
    Create(TokenArguments),
    /// List all tokens, without their secrets
    List,
    /// Revoke all tokens with a name
    Revoke {
        /// The token's name
        name: String,
    },
}

/// Returns the parser of a scope's name.
fn scope_parser() -> impl TypedValueParser<Value = TokenScope> {
    PossibleValuesParser::new(TokenScope::VARIANTS).try_map(|name| name.parse::<TokenScope>())
}

/// A token to create.
#[derive(Debug, Args)]
pub struct TokenArguments {
    /// The token's name
    name: String,
    /// What the token permits; repeat the option for several scopes. Without it, the token permits
    /// what `ingest` needs: publish and work
    #[arg(long = "scope", value_name = "SCOPE", value_parser = scope_parser())]
    scopes: Vec<TokenScope>,
    /// After how many days the token expires
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIFETIME_DAYS, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_LIFETIME_DAYS)))]
    expires_in_days: u32,
    /// The token does not expire
    #[arg(long, conflicts_with = "expires_in_days")]
    no_expiry: bool,
}

impl From<TokenArguments> for TokenRequest {
    fn from(arguments: TokenArguments) -> Self {
        let scopes = match arguments.scopes {
            none if none.is_empty() => TokenScope::OF_INGEST.to_vec(),
            scopes => scopes,
        };
        Self {
            name: arguments.name,
            scopes: scopes.into_iter().collect(),
            lifetime_days: (!arguments.no_expiry).then_some(arguments.expires_in_days),
        }
    }
}

/// Runs an `api admin token` command.
pub(super) async fn manage_tokens(
    db: &PgPool,
    command: TokenCommand,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match command {
        TokenCommand::Create(arguments) => {
            let token = create_token(db, arguments.into(), clock, random).await?;
            writeln!(out, "{token}")?;
        }
        TokenCommand::List => {
            let now = clock.now();
            for token in operator_tokens::list(db).await? {
                let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.as_str()).collect();
                let used = token.last_used_at.map_or("never used".into(), |at| format!("last used {at}"));
                let ends = token.expires_at.map_or("does not expire".into(), |at| format!("expires {at}"));
                let state = match (token.state(now), token.revoked_at) {
                    (TokenState::Live, _) => format!("live\t{ends}"),
                    (TokenState::Revoked, Some(at)) => format!("revoked {at}"),
                    (TokenState::Expired | TokenState::Revoked, _) => format!("expired\t{ends}"),
                };
                let (name, created, scopes) = (&token.name, token.created_at, scopes.join(","));
                writeln!(out, "{name}\t{scopes}\tcreated {created}\t{used}\t{state}")?;
            }
        }
        TokenCommand::Revoke { name } => match service::revoke_named(db, clock, &actor(), &name).await? {
            0 => bail!("there is no live token called {name:?}; `api admin token list` lists all tokens"),
            count => writeln!(out, "revoked {count}")?,
        },
    }
    Ok(())
}

/// Creates an operator token and returns its secret. Only its hash is stored.
pub async fn create_token(
    db: &PgPool,
    request: TokenRequest,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<String> {
    let (_, secret) = service::create(db, (clock, random), &actor(), request).await?;
    Ok(secret)
}
