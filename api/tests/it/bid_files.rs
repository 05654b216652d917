//! Files that a team keeps with a bid.

use crate::{
    documents::pdf,
    support::{Client, Reply, TestPortal, publishing::store_sample_tender},
    team::join_team,
};
use api::jobs::delete_orphaned_files::delete_unused_files;
use axum::http::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::time::Duration;

async fn add_bid(portal: &TestPortal, client: &Client) -> String {
    let tender = store_sample_tender(portal, "Roof repairs", |tender| {
        tender.published_at = "2026-11-19T09:00:00+05:30".parse().ok();
        tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
    })
    .await;
    let added = client.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    format!("/bids/{}", added["data"]["bid"]["_id"].as_str().unwrap())
}

async fn upload(client: &Client, bid: &str, name: &str, bytes: Vec<u8>) -> Reply {
    let path = format!("{bid}/files");
    let form = Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()));
    client.send(client.request(Method::POST, &path).multipart(form), Method::POST, &path).await
}

fn file_path(bid: &str, details: &Value) -> String {
    format!("{bid}/files/{}", details["data"]["files"][0]["_id"].as_str().unwrap())
}

#[tokio::test]
async fn a_team_shares_the_files_of_a_bid() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "kamala").await;
    let bid = add_bid(&portal, &owner).await;
    let added = upload(&member, &bid, "../letter of the bank.pdf", pdf("bank")).await.expect(201);
    let file = added["data"]["files"][0].clone();
    assert_eq!((&file["name"], &file["type"]), (&json!("letter of the bank.pdf"), &json!("application/pdf")));
    assert_eq!(file["uploader"]["name"], "kamala Perera");
    assert_eq!(added["data"]["history"][0]["kind"], "file-added");
    upload(&owner, &bid, "again.pdf", pdf("bank")).await.expect(200);

    let path = file_path(&bid, &added);
    let read = owner.get(&path).await;
    assert_eq!((read.status.as_u16(), read.bytes), (200, pdf("bank")));
    let stranger = portal.subscriber("sunil", "supplier", Some("enterprise")).await;
    for reply in [stranger.get(&path).await, stranger.delete(&path).await] {
        reply.expect_error(404);
    }
    upload(&stranger, &bid, "x.pdf", pdf("x")).await.expect_error(404);
    portal.guest().get(&path).await.expect_error(401);

    // The bytes stay while a row needs them.
    assert_eq!(delete_unused_files(&portal.state, Duration::ZERO).await.unwrap(), 0);
    let export = owner.get("/auth/export").await.json();
    assert_eq!(export["bids"][0]["files"][0]["name"], "letter of the bank.pdf");
    let left = owner.delete(&path).await.expect(200);
    assert_eq!(left["data"]["history"][0]["kind"], "file-deleted");
    owner.get(&path).await.expect_error(404);
    assert_eq!(delete_unused_files(&portal.state, Duration::ZERO).await.unwrap(), 1);
}

#[tokio::test]
async fn rubbish_and_too_much_is_refused() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let bid = add_bid(&portal, &user).await;
    for bytes in [b"".to_vec(), b"MZ rubbish".to_vec(), b"<html><script>".to_vec()] {
        upload(&user, &bid, "letter.pdf", bytes).await.expect_error(422);
    }
    upload(&user, &bid, "large.pdf", vec![b'x'; (20 << 20) + 1]).await.expect_error(413);
    sqlx::query("update plan set bid_file_mib = 0").execute(&portal.state.db).await.unwrap();
    let refused = upload(&user, &bid, "letter.pdf", pdf("letter")).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("quota")));
    sqlx::query("update plan set bid_file_mib = 1").execute(&portal.state.db).await.unwrap();
    for nth in 0..50 {
        upload(&user, &bid, "letter.pdf", pdf(&format!("letter {nth}"))).await.expect(201);
    }
    let full = upload(&user, &bid, "letter.pdf", pdf("one more")).await.expect_error(409);
    assert_eq!(full, "A bid has at most 50 files");
    // With the bid, its files go.
    user.delete(&bid).await.expect(200);
    assert_eq!(delete_unused_files(&portal.state, Duration::ZERO).await.unwrap(), 51);
}
