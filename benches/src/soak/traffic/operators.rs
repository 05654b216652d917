//! An administrator, who uploads newspaper pages, and who reviews the notices that wait.

use super::{account::Account, derive, pause};
use crate::soak::{
    client::{Repetition, Request, RequestBody, World, WriteRequest},
    ledger::WriteKind,
};
use anyhow::{Context, Result};
use rand::{Rng, rngs::StdRng};
use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, fs, path::Path, sync::Arc, time::Duration};
use tokio::time;

/// A page with a text layer and several notices.
const PAGE: &str = "../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf";
/// The time between two uploads.
const UPLOAD_INTERVAL: Duration = Duration::from_secs(45);

pub(super) async fn run(world: Arc<World>, mut random: StdRng) -> Result<()> {
    let own = derive(&mut random);
    let mut admin = Account::of(&world, own, "admin@demo.test", "demo-portal").await?;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read(&page).with_context(|| page.display().to_string())?;
    let mut decided = BTreeSet::new();
    let mut uploads = 0;
    while !world.is_stopping() {
        uploads += 1;
        upload(&mut admin, &page, uploads).await?;
        let next = time::Instant::now() + UPLOAD_INTERVAL;
        while time::Instant::now() < next && !world.is_stopping() {
            review(&mut admin, &mut decided).await?;
            pause(&mut admin.random).await;
        }
    }
    Ok(())
}

/// Uploads a copy of the page as the page of another newspaper.
async fn upload(admin: &mut Account, page: &[u8], nth: usize) -> Result<()> {
    // A comment at the end of a PDF does not change the page.
    let bytes = [page, format!("\n% copy {nth}\n").as_bytes()].concat();
    let hash = hex::encode(Sha256::digest(&bytes));
    let fields = vec![("publication", format!("Paper {nth}")), ("date", "2026-11-20".to_owned())];
    let wanted = WriteRequest {
        kind: WriteKind::UploadPage,
        key: format!("page/{hash}"),
        value: Some(json!(true)),
        request: Request::new(
            Method::POST,
            "/api/operate/pages",
            RequestBody::File { name: format!("p{nth}.pdf"), bytes, fields },
        ),
        // The portal recognises a file that it has.
        repetition: Repetition::Safe,
    };
    admin.write_permitted(wanted).await?;
    Ok(())
}

/// Claims a notice and decides it.
async fn review(admin: &mut Account, decided: &mut BTreeSet<String>) -> Result<()> {
    let reply = admin.read(Request::post("/api/operate/review/claims", json!({"count": 1}))).await?;
    let claimed = reply.json();
    let notice = &claimed["data"]["notices"][0];
    let (Some(key), version) = (notice["key"].as_str(), &notice["version"]) else { return Ok(()) };
    if !decided.insert(key.to_owned()) {
        // A later print may have put a decided notice into the queue again.
        admin.read(Request::post(format!("/api/operate/review/{key}/skip"), json!({}))).await?;
        return Ok(());
    }
    let decision = if admin.random.random_bool(0.3) {
        "reject"
    } else if notice["doubt"].is_null() {
        "accept"
    } else {
        "tender"
    };
    let wanted = WriteRequest {
        kind: WriteKind::DecideNotice,
        key: format!("review/{key}"),
        value: Some(json!(decision)),
        request: Request::post(
            format!("/api/operate/review/{key}"),
            json!({"decision": decision, "version": version}),
        ),
        repetition: Repetition::Safe,
    };
    // A notice may permit only other decisions.
    admin.write(wanted).await?;
    Ok(())
}
