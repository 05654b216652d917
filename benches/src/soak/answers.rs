//! What the portal answers after a run: to searches, downloads, passwords and sessions.

use super::{
    client::{self, Reply, Request, World},
    ledger::LedgerContent,
    observed::Observed,
};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
};

/// Searches each tender of the owners, and downloads its documents.
pub(super) async fn search_tenders(world: &Arc<World>, observed: &mut Observed) -> Result<()> {
    let form = json!({"email": "enterprise@demo.test", "password": "demo-portal"});
    let reply = read(world, &Request::post("/api/auth/login", form), None).await?;
    let token = client::text_at(&reply.json(), "/data/token")?;
    for marker in observed.tender_markers() {
        let request = Request::get(format!("/api/tenders?search={marker}"));
        let list = read(world, &request, None).await?.json();
        let tenders = list["data"]["tenders"].as_array().cloned().unwrap_or_default();
        let is_it =
            |tender: &&Value| tender["title"].as_str().is_some_and(|title| title.starts_with(&marker));
        let found: Vec<_> = tenders.iter().filter(is_it).collect();
        observed.found.insert(marker.clone(), found.len());
        let Some(id) = found.first().and_then(|tender| tender["_id"].as_str()) else { continue };
        download_documents(world, &token, id, &mut observed.downloads).await?;
    }
    Ok(())
}

/// Downloads the documents of a tender, and records their hashes.
async fn download_documents(
    world: &Arc<World>,
    token: &str,
    tender: &str,
    downloads: &mut BTreeMap<String, String>,
) -> Result<()> {
    let details = read(world, &Request::get(format!("/api/tenders/{tender}")), Some(token)).await?.json();
    let documents = details["data"]["tender"]["documents"].as_array().cloned().unwrap_or_default();
    for document in documents {
        let id = client::text_at(&document, "/_id")?;
        let address = Request::get(format!("/api/tenders/{tender}/documents/{id}"));
        let address = read(world, &address, Some(token)).await?.json();
        let url = client::text_at(&address, "/data/url")?;
        let path = url.find("/api/").map_or(url.as_str(), |place| &url[place..]);
        let file = read(world, &Request::get(path), None).await?;
        let hash = hex::encode(Sha256::digest(file.bytes()));
        // A file with other bytes has another hash, and is then missing under its own one.
        downloads.insert(hash.clone(), hash);
    }
    Ok(())
}

/// Tries which of the passwords that a user has had open the account.
pub(super) async fn try_passwords(
    world: &Arc<World>,
    ledger: &LedgerContent,
    observed: &mut Observed,
) -> Result<()> {
    for write in &ledger.writes {
        let Some(email) = write.key.strip_prefix("password/") else { continue };
        let form = json!({"email": email, "password": write.value});
        let reply = read(world, &Request::post("/api/auth/login", form), None).await?;
        if let (200, Some(password)) = (reply.status(), &write.value) {
            observed.records.entry(write.key.clone()).or_default().push(password.clone());
        }
    }
    Ok(())
}

/// Tries which sessions are still open.
pub(super) async fn try_sessions(world: &Arc<World>, observed: &mut Observed) -> Result<()> {
    let sessions = world.sessions.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (key, token) in sessions {
        let request = Request::post("/api/auth/refresh", json!({"refreshToken": token}));
        if read(world, &request, None).await?.status() == 200 {
            observed.records.insert(key, vec![json!(true)]);
        }
    }
    Ok(())
}

async fn read(world: &Arc<World>, request: &Request, token: Option<&str>) -> Result<Reply> {
    world.read(request, token).await.with_context(|| format!("no response to {request:?}"))
}
