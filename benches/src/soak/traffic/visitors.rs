//! New users: each opens an account, and then either changes its password or begins and ends
//! sessions.

use super::{account::Account, derive, pause};
use crate::soak::{
    client::{Repetition, Request, World, WriteRequest, Written, text_at, write},
    ledger::WriteKind,
};
use anyhow::Result;
use rand::{Rng, rngs::StdRng};
use serde_json::json;
use std::sync::{Arc, PoisonError};

/// How much a user does before the next user comes.
const ACTIONS: usize = 12;
/// A user has at most this many sessions, of which the first belongs to the registration.
const MAX_SESSIONS: usize = 8;

struct OwnSession {
    key: String,
    access: String,
}

pub(super) async fn run(world: Arc<World>, mut random: StdRng) -> Result<()> {
    let mut nth = 0;
    while !world.is_stopping() {
        nth += 1;
        let own = derive(&mut random);
        let Some(mut account) = Account::register(&world, own, "visitor").await? else { continue };
        if !account.confirm_address().await? {
            continue;
        }
        if nth % 2 == 0 {
            change_passwords(&mut account).await?;
        } else {
            use_sessions(&mut account).await?;
        }
    }
    Ok(())
}

async fn change_passwords(account: &mut Account) -> Result<()> {
    for nth in 0..ACTIONS / 3 {
        if account.world.is_stopping() {
            return Ok(());
        }
        let letters: u64 = account.random.random();
        let next = format!("password {nth} {letters:x}");
        let form = json!({"currentPassword": account.password, "newPassword": next});
        let wanted = WriteRequest {
            kind: WriteKind::ChangePassword,
            key: format!("password/{}", account.email),
            value: Some(json!(next)),
            request: Request::put("/api/auth/change-password", form),
            repetition: Repetition::Safe,
        };
        if !account.write_permitted(wanted).await?.is_accepted() {
            return Ok(());
        }
        account.password = next;
        pause(&mut account.random).await;
    }
    Ok(())
}

async fn use_sessions(account: &mut Account) -> Result<()> {
    let world = Arc::clone(&account.world);
    let mut sessions: Vec<OwnSession> = Vec::new();
    let mut begun = 0;
    for _ in 0..ACTIONS {
        if world.is_stopping() {
            return Ok(());
        }
        match account.random.random_range(0..10) {
            0..5 if begun < MAX_SESSIONS => {
                begun += 1;
                let key = format!("session/{}/{begun}", account.email);
                let form = json!({"email": account.email, "password": account.password});
                let wanted = WriteRequest {
                    kind: WriteKind::SignIn,
                    key: key.clone(),
                    value: Some(json!(true)),
                    request: Request::post("/api/auth/login", form),
                    repetition: Repetition::Unsafe,
                };
                if let Written::Accepted(reply) = write(&world, wanted, None, &mut account.random).await? {
                    remember(&world, &key, text_at(&reply, "/data/refreshToken")?);
                    sessions.push(OwnSession { key, access: text_at(&reply, "/data/token")? });
                }
            }
            5..7 if !sessions.is_empty() => {
                let place = account.random.random_range(0..sessions.len());
                let key = sessions[place].key.clone();
                let token = world.sessions.lock().unwrap_or_else(PoisonError::into_inner)[&key].clone();
                let wanted = WriteRequest {
                    kind: WriteKind::Refresh,
                    key: key.clone(),
                    value: Some(json!(true)),
                    request: Request::post("/api/auth/refresh", json!({"refreshToken": token})),
                    // A second exchange soon after the first one gets the same token.
                    repetition: Repetition::Safe,
                };
                match write(&world, wanted, None, &mut account.random).await? {
                    Written::Accepted(reply) => {
                        remember(&world, &key, text_at(&reply, "/data/refreshToken")?);
                        sessions[place].access = text_at(&reply, "/data/token")?;
                    }
                    Written::Refused(status, reply) => {
                        account.note_refusal(&format!("the renewal of {key}"), status, &reply)?;
                        sessions.swap_remove(place);
                    }
                    Written::Unknown => drop(sessions.swap_remove(place)),
                }
            }
            7..9 if !sessions.is_empty() => {
                let place = account.random.random_range(0..sessions.len());
                let session = sessions.swap_remove(place);
                let wanted = WriteRequest {
                    kind: WriteKind::SignOut,
                    key: session.key,
                    value: None,
                    request: Request::post("/api/auth/logout", json!({})),
                    repetition: Repetition::Safe,
                };
                write(&world, wanted, Some(&session.access), &mut account.random).await?;
            }
            _ => drop(account.read(Request::get("/api/auth/sessions")).await?),
        }
        pause(&mut account.random).await;
    }
    Ok(())
}

/// Keeps the refresh token of a session for the audit.
fn remember(world: &World, key: &str, token: String) {
    world.sessions.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), token);
}
