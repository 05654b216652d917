//! The canary: a tender and an alert of the portal's own go the whole way to a mail each hour, unseen
//! by readers. Administrators are told when it is late.

use crate::{
    mail_delivery::submit_report,
    operate::staff,
    support::{
        self, Client, TestPortal,
        mailbox::{find_mail, mails, text},
        wait_until,
    },
};
use api::domain::canary::{CanaryState, CanaryStep};
use serde_json::json;
use tender_model::tender::CANARY_ID;

const RETURNS: &[&str] = &[
    "--mail-returns",
    "returns@portal.example",
    "--collect-quiet-seconds",
    "0",
    "--collect-limit-seconds",
    "0",
];
const ADDRESS: &str = "returns+canary@portal.example";
const HOUR: i64 = 3600;

/// Hands the mails of the canary to the portal, as the mail server does when they come back.
async fn return_mails(portal: &TestPortal, operator: &Client, count: usize) {
    for mail in mails(portal, ADDRESS, count).await {
        let outcome = submit_report(operator, &String::from_utf8(mail).unwrap()).await;
        assert_eq!(outcome, "noted");
    }
}

/// Waits until the canary is in a state. Its job looks every two seconds.
async fn wait_for(portal: &TestPortal, wanted: impl Fn(CanaryState) -> bool) {
    wait_until("the canary comes into a state", async || {
        wanted(api::services::canary::state(&portal.state).await.unwrap().unwrap())
    })
    .await;
}

async fn is_healthy(portal: &TestPortal) -> bool {
    let health = portal.guest().get("/health").await.expect(200);
    health["data"]["services"]["canary"].as_bool().unwrap()
}

#[tokio::test]
async fn canary_goes_the_whole_way_unseen_by_readers() {
    let portal = TestPortal::start_with(RETURNS).await;
    let operator = portal.operator().await;
    staff(&portal, "amara", "admin").await;
    let reader = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    // A word that is also in the title of the canary's tender.
    let broad = json!({"name": "Broad", "keywords": [{"term": "portal"}]});
    reader.post("/alerts", &broad).await.expect(201);

    let mail = text(&mails(&portal, ADDRESS, 1).await[0]);
    assert!(mail.contains("Test of the portal canary"), "{mail}");
    return_mails(&portal, &operator, 1).await;
    wait_for(&portal, |state| state == CanaryState::Works).await;
    assert!(is_healthy(&portal).await);

    // The next run begins after an hour, with another alert for the same tender.
    portal.advance(HOUR);
    return_mails(&portal, &operator, 2).await;
    wait_for(&portal, |state| state == CanaryState::Works).await;
    let tenders: i64 =
        sqlx::query_scalar("select count(*) from tender").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(tenders, 1);

    let (admin, reader) = (portal.sign_in("amara").await, portal.sign_in("nimal").await);
    for client in [&portal.guest(), &reader, &admin] {
        let listing = client.get("/tenders?search=portal").await.expect(200);
        assert_eq!(listing["data"]["pagination"]["totalCount"], 0);
        client.get(&format!("/tenders/{CANARY_ID}")).await.expect_error(404);
        client.get(&format!("/tenders/{CANARY_ID}/similar")).await.expect_error(404);
    }
    reader.put(&format!("/saved/tenders/{CANARY_ID}"), &json!({})).await.expect_error(404);
    let stats = portal.guest().get("/tenders/stats").await.expect(200);
    assert_eq!(stats["data"]["totalTenders"], 0);
    let matches: i64 = sqlx::query_scalar(
        "select count(*) from match m join alert a on a.id = m.alert_id where a.name = 'Broad'",
    )
    .fetch_one(&portal.state.db)
    .await
    .unwrap();
    assert_eq!(matches, 0);
    let users = admin.get("/operate/users").await.expect(200);
    assert_eq!(users["data"]["users"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn late_canary_shows_in_health_and_is_mailed_once() {
    let portal = TestPortal::start_with(RETURNS).await;
    let operator = portal.operator().await;
    staff(&portal, "amara", "admin").await;
    mails(&portal, ADDRESS, 1).await;
    // The mail is on disk before the portal has recorded it.
    support::wait_for(&portal.state.db, "select exists (select from canary_run where sent_at is not null)")
        .await;
    assert!(is_healthy(&portal).await, "the first run has time");

    // The mail does not come back.
    portal.advance(16 * 60);
    let late = find_mail(&portal, "amara@example.lk", "its mail did not come back").await;
    assert!(late.contains("Readers may miss their alerts"), "{late}");
    let is_late = |state| matches!(state, CanaryState::Late { step: CanaryStep::Arrival, .. });
    wait_for(&portal, is_late).await;
    assert!(!is_healthy(&portal).await);

    // The next run is late, too, and nobody is told again. Then the mail of the third run comes back.
    portal.advance(HOUR);
    mails(&portal, ADDRESS, 2).await;
    portal.advance(HOUR);
    return_mails(&portal, &operator, 3).await;
    find_mail(&portal, "amara@example.lk", "got through again").await;
    wait_for(&portal, |state| state == CanaryState::Works).await;
    assert!(is_healthy(&portal).await);
    let about_lateness = |mail: &&Vec<u8>| text(mail).contains("did not get through");
    assert_eq!(mails(&portal, "amara@example.lk", 2).await.iter().filter(about_lateness).count(), 1);
}

#[tokio::test]
async fn canary_waits_while_sending_is_off_and_is_off_without_an_address() {
    let portal = TestPortal::start().await;
    assert_eq!(api::services::canary::state(&portal.state).await.unwrap(), None);
    assert!(is_healthy(&portal).await);
    let runs: i64 =
        sqlx::query_scalar("select count(*) from canary_run").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(runs, 0);

    let portal = TestPortal::start_with(RETURNS).await;
    wait_for(&portal, |state| state == CanaryState::Starting).await;
    sqlx::query("update portal_state set sending_off_since = now(), sending_off_reason = 'a test'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    portal.advance(2 * HOUR);
    assert_eq!(api::services::canary::state(&portal.state).await.unwrap(), None);
    api::jobs::run_canary::step(&portal.state).await.unwrap();
    let runs: i64 =
        sqlx::query_scalar("select count(*) from canary_run").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn old_runs_leave_nothing_behind() {
    let portal = TestPortal::start_with(RETURNS).await;
    mails(&portal, ADDRESS, 1).await;
    for count in 2..5 {
        portal.advance(24 * HOUR * 4);
        mails(&portal, ADDRESS, count).await;
    }
    // Runs of the last seven days keep their alerts: that of today, and that of four days ago.
    let count = async |query: &'static str| -> i64 {
        sqlx::query_scalar(query).fetch_one(&portal.state.db).await.unwrap()
    };
    assert_eq!(count("select count(*) from alert").await, 2);
    assert_eq!(count("select count(*) from match").await, 2);
    assert_eq!(count("select count(*) from tender_revision").await, 2);
    assert_eq!(count("select count(*) from canary_run").await, 4);
    assert_eq!(count("select count(*) from users").await, 1);
}
