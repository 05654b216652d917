//! `api admin key`: the signing keys in the data folder.

use super::record;
use crate::{
    app::key_agreement,
    base::{
        clock::Clock,
        config::DataConfig,
        random::Random,
        signing_key::{KeyId, SigningKey},
    },
    domain::audit::{AuditAction, AuditSubject},
    storage::{second_factors, webhooks},
};
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use serde_json::json;
use sqlx::PgPool;
use std::io::{self, Write};
use tender_model::terminal_text::counted;

/// The subcommands of `api admin key`.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// List the ids of the keys, the current one first
    List,
    /// Add a new current key; the signatures of the present keys remain valid. Restart all servers
    /// afterwards
    Rotate,
    /// Remove an earlier key; its signatures, such as those of unsubscribe links in mails already sent,
    /// become invalid. Restart all servers afterwards
    Remove {
        /// The id of the key, as `api admin key list` shows it
        id: String,
    },
    /// Forget which signing key the portal's processes have, after it was lost and replaced. Restart all
    /// servers afterwards; the first one stores its key
    Forget,
}

/// Runs an `api admin key` command.
pub(super) async fn manage_keys(
    db: &PgPool,
    data: &DataConfig,
    command: KeyCommand,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    if matches!(command, KeyCommand::Forget) {
        return forget_keys(db, clock).await;
    }
    let path = data.signing_key();
    let mut out = io::stdout().lock();
    ensure!(
        path.exists(),
        "there is no {}; set DATA (--data) to the data folder of the server. If the server has the setting SIGNING_KEY, \
        put a new key there and the present one into EARLIER_SIGNING_KEYS",
        path.display()
    );
    match command {
        KeyCommand::Forget => {}
        KeyCommand::List => {
            let keys = SigningKey::load(&path)?.context("the file of the signing keys was removed")?;
            writeln!(out, "{}\tcurrent", keys.id())?;
            for id in keys.earlier_ids() {
                writeln!(out, "{id}\tearlier")?;
            }
        }
        KeyCommand::Rotate => {
            let keys = SigningKey::rotate(&path, random)?;
            let id = keys.id().to_string();
            let entry = (AuditAction::RotateKey, AuditSubject::SigningKey, id.as_str());
            record(db, entry, (None, None), clock.now()).await?;
            writeln!(
                out,
                "the current key is {id}; restart all servers now, and back up {}",
                path.display()
            )?;
        }
        KeyCommand::Remove { id } => {
            let key = parse_id(&id)?;
            let used = webhooks::count_sealed_with(db, key).await?
                + second_factors::count_totp_sealed_with(db, key).await?;
            ensure!(
                used == 0,
                "the key {id} encrypts {}; start a server with the current key, which encrypts them again or \
                logs why it cannot, and repeat this command",
                counted(used, "stored secret")
            );
            if !SigningKey::remove_earlier(&path, key)? {
                bail!("no earlier key has the id {id}; `api admin key list` lists the keys");
            }
            let entry = (AuditAction::RemoveKey, AuditSubject::SigningKey, id.as_str());
            record(db, entry, (Some(json!({"id": id})), None), clock.now()).await?;
            writeln!(out, "removed the key {id}; restart all servers now")?;
        }
    }
    Ok(())
}

async fn forget_keys(db: &PgPool, clock: &Clock) -> anyhow::Result<()> {
    let Some(id) = key_agreement::forget(db).await? else {
        println!("no process has stored its signing key");
        return Ok(());
    };
    let id = id.to_string();
    let entry = (AuditAction::RemoveKey, AuditSubject::SigningKey, id.as_str());
    record(db, entry, (Some(json!({"id": id})), None), clock.now()).await?;
    println!("the key {id} is forgotten; restart all servers now");
    Ok(())
}

fn parse_id(text: &str) -> anyhow::Result<KeyId> {
    let mut bytes = [0; KeyId::LENGTH];
    hex::decode_to_slice(text, &mut bytes)
        .with_context(|| format!("{text} is not the id of a key; `api admin key list` lists the keys"))?;
    Ok(KeyId::new(bytes))
}
