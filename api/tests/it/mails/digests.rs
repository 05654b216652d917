//! Daily and weekly digests of alerts: what they collect, and when they are sent.

use super::{
    CLOSING, NIMAL, count, create_subscriber, publish_tender, read_mails, save_alert, set_clock,
    start_portal, subjects, wait_until_matched, wait_until_settled,
};
use crate::support::{
    TestDatabase, TestPortal,
    mailbox::{find_mail, token},
};
use api::storage;
use axum::http::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn digests_due_together_are_merged_and_never_empty() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    save_alert(&owner, "Daily bridges", "bridge", json!({"frequency": "daily"})).await;
    save_alert(&owner, "Weekly roads", "road", json!({"frequency": "weekly"})).await;
    save_alert(&owner, "Weekly chairs", "chair", json!({"frequency": "weekly"})).await;
    publish_tender(&portal, "Bridge on Saturday", CLOSING).await;
    publish_tender(&portal, "Road on Saturday", CLOSING).await;
    wait_until_matched(&portal).await;
    set_clock(&portal, "2026-11-21T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, ["New tender: Bridge on Saturday (29 days left)"]);
    // There is no mail on Sunday. On Monday, both digests come in one mail.
    set_clock(&portal, "2026-11-22T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await.len(), 1);
    publish_tender(&portal, "Bridge and road on Sunday", CLOSING).await;
    wait_until_matched(&portal).await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    let mails = read_mails(&portal, NIMAL);
    assert_eq!(mails.len(), 2, "{mails:?}");
    let (subject, text) = mails.iter().find(|(subject, _)| subject.starts_with('2')).unwrap();
    assert_eq!(subject, "2 new tenders: Bridge and road on Sunday and 1 more");
    assert!(text.contains("== Daily bridges ==") && text.contains("== Weekly roads =="), "{text}");
    assert!(!text.contains("chairs"), "{text}");
    assert_eq!(text.matches("\nBridge and road on Sunday\n").count(), 1, "{text}");
    assert_eq!(count(&portal, "select count(*) from delivery where state = 'open'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_digests_are_sent_as_one_mail() {
    let database = TestDatabase::fresh().await;
    let portal = TestPortal::start_on(database, &["--demo"]).await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    save_alert(&owner, "Daily bridges", "bridge", json!({"frequency": "daily", "dailySummaryTime": "07:30"}))
        .await;
    save_alert(&owner, "Weekly roads", "road", json!({"frequency": "weekly"})).await;
    for nth in 0..30 {
        publish_tender(&portal, &format!("Bridge number {nth}"), CLOSING).await;
    }
    publish_tender(&portal, "Road to Galle", CLOSING).await;
    wait_until_matched(&portal).await;
    // While a lock blocks sealing, the clock passes the due times of several digests.
    let mut held = storage::begin(&portal.state.db).await.unwrap();
    sqlx::query("select from users for update").execute(&mut *held).await.unwrap();
    set_clock(&portal, "2026-11-30T10:00:00+05:30").await;
    held.rollback().await.unwrap();
    wait_until_settled(&portal).await;
    let mails = read_mails(&portal, NIMAL);
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].0.starts_with("31 new tenders: "), "{}", mails[0].0);
    assert!(
        mails[0].1.contains("… and 11 more: see all matches") && mails[0].1.contains("Road to Galle"),
        "{}",
        mails[0].1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn collected_items_follow_current_alert_settings() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let weekly = json!({"frequency": "weekly"});
    let names = ["Sooner", "Silent", "Off", "On again", "Elsewhere", "Unconfirmed"];
    let mut alerts = Vec::new();
    for name in names {
        alerts.push(save_alert(&owner, name, "bridge", weekly.clone()).await);
    }
    let [sooner, silent, off, again, elsewhere, unconfirmed] = alerts.try_into().unwrap();
    publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    wait_until_matched(&portal).await;
    let form = |name: &str, email: serde_json::Value| json!({"name": name, "keywords": [{"term": "bridge"}], "emailSettings": email});
    let toggle = async |path: &str| {
        let path = format!("{path}/toggle");
        owner.send(owner.request(Method::PATCH, &path), Method::PATCH, &path).await.expect(200);
    };
    toggle(&off).await;
    toggle(&again).await;
    toggle(&again).await;
    owner.put(&silent, &form("Silent", json!({"frequency": "weekly", "enabled": false}))).await.expect(200);
    for (path, name, address) in
        [(&elsewhere, "Elsewhere", "office@perera.lk"), (&unconfirmed, "Unconfirmed", "else@perera.lk")]
    {
        owner
            .put(path, &form(name, json!({"frequency": "weekly", "customEmail": address})))
            .await
            .expect(200);
    }
    let link = find_mail(&portal, "office@perera.lk", "Confirm this address").await;
    portal.guest().post("/auth/verify-email", &json!({"token": token(&link)})).await.expect(200);
    owner
        .put(&sooner, &form("Sooner", json!({"frequency": "daily", "dailySummaryTime": "18:00"})))
        .await
        .expect(200);
    set_clock(&portal, "2026-11-20T18:00:00+05:30").await;
    wait_until_settled(&portal).await;
    let mails = read_mails(&portal, NIMAL);
    assert!(mails.len() == 1 && mails[0].1.contains("“Sooner”"), "{mails:?}");
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    let mails = read_mails(&portal, NIMAL);
    assert_eq!(mails.len(), 2, "{mails:?}");
    let monday = mails.iter().map(|(_, text)| text).find(|text| !text.contains("“Sooner”")).unwrap();
    assert!(monday.contains("“On again”"), "{monday}");
    for gone in ["Silent", "“Off”", "Elsewhere", "Unconfirmed"] {
        assert!(!monday.contains(gone), "{gone} in {monday}");
    }
    let office = read_mails(&portal, "office@perera.lk");
    assert!(office.len() == 1 && office[0].1.contains("“Elsewhere”"), "{office:?}");
    assert_eq!(read_mails(&portal, "else@perera.lk"), []);
    // A digest whose alert sends no mail when the digest is due is dropped. The matches remain.
    assert_eq!(count(&portal, "select count(*) from delivery where state = 'open'").await, 0);
    assert_eq!(count(&portal, "select count(*) from match").await, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_alert_does_not_postpone_a_due_digest() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let daily = json!({"frequency": "daily", "dailySummaryTime": "12:30"});
    let mut alerts = Vec::new();
    for name in ["Same", "Weekly"] {
        alerts.push(save_alert(&owner, name, "bridge", daily.clone()).await);
    }
    publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    wait_until_matched(&portal).await;
    // While a lock blocks sealing, both digests become due and their alerts are saved.
    let mut held = storage::begin(&portal.state.db).await.unwrap();
    sqlx::query("select from users for no key update").execute(&mut *held).await.unwrap();
    set_clock(&portal, "2026-11-20T12:31:00+05:30").await;
    for (path, name, email) in
        [(&alerts[0], "Same", daily), (&alerts[1], "Weekly", json!({"frequency": "weekly"}))]
    {
        let form = json!({"name": name, "keywords": [{"term": "bridge"}], "emailSettings": email});
        owner.put(path, &form).await.expect(200);
    }
    held.rollback().await.unwrap();
    wait_until_settled(&portal).await;
    let mails = read_mails(&portal, NIMAL);
    assert!(
        mails.len() == 1 && mails[0].1.contains("“Same”") && mails[0].1.contains("“Weekly”"),
        "{mails:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn lapsed_plan_drops_collected_items() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    save_alert(&owner, "Bridges", "bridge", json!({"frequency": "weekly"})).await;
    publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    wait_until_matched(&portal).await;
    sqlx::query("update subscription set end_date = '2026-11-21+05:30', holds_until = '2026-11-21+05:30'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, Vec::<String>::new());
    assert_eq!(count(&portal, "select count(*) from delivery where kind = 'alerts'").await, 0);
}
