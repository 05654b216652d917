//! Postgres crashes under load, and servers killed during payments. Nothing is lost or duplicated.

use crate::support::{
    Client, TestDatabase,
    cluster::Cluster,
    payments::{GOOD_CARD, encode_form},
    publishing,
    server::Server,
    smtp::Behaviour,
    stage::Stage,
};
use reqwest::redirect::Policy;
use serde_json::json;
use sqlx::{Connection, PgConnection};
use std::time::Duration;
use tender_model::vocabulary::District;

const COUNT_BLOCKED_SESSIONS: &str =
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/// Publishes ten notices. Retries each until the portal accepts it, as `ingest` does.
async fn publish_all(base: String, token: String, kind: usize) {
    for (place, district) in District::ALL.iter().take(10).enumerate() {
        let nth = u32::try_from(kind * 100 + place).unwrap();
        let (kind, district) = (["concrete", "steel", "suspension", "timber"][kind], district.as_str());
        let notice = publishing::notice(nth, &format!("Construction of a {kind} bridge in {district}"))
            .replace(&format!("T/{nth}"), &format!("{district}/{kind}"));
        let sent = async {
            loop {
                let answer = publishing::try_send(&base, &token, nth, notice.clone()).await;
                if answer.is_ok_and(|response| response.status().is_success()) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), sent)
            .await
            .expect("the notice is not accepted within a minute");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_crash_under_load_loses_and_duplicates_nothing() {
    let cluster = Cluster::start();
    let stage = Stage::on(TestDatabase::on(&cluster.url).await, Behaviour::Accept).await;
    let server = stage.start().await;
    let publishers: Vec<_> = (0..4)
        .map(|kind| {
            tokio::spawn(publish_all(server.base.clone(), stage.subscriber.operator_token.clone(), kind))
        })
        .collect();
    for matches in [3, 12, 25] {
        stage.wait_for_at_least("select count(*) from match", matches).await;
        cluster.crash().await;
    }
    for publisher in publishers {
        publisher.await.unwrap();
    }
    assert_eq!(stage.count("select count(*) from tender").await, 40);
    stage.wait_for_count("select count(*) from match", 40).await;
    stage.wait_for_count("select count(*) from delivery where state in ('open', 'sealed')", 0).await;
    // Messages in flight during a crash are sent after their lease expires.
    stage.make_pending_due().await;
    stage.assert_all_sent_once(40).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcome_of_a_message_is_recorded_although_postgres_crashed_meanwhile() {
    let cluster = Cluster::start();
    let stage = Stage::on(TestDatabase::on(&cluster.url).await, Behaviour::Hold).await;
    // The mail server keeps the message until Postgres runs again.
    let patient = ["--smtp-timeout-seconds", "120"];
    let server = Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &patient).await;
    stage.publish(&server, 1).await;
    stage.smtp.received(1).await;
    cluster.crash().await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    // The lease of the message does not end during the test.
    stage.wait_for_count("select count(*) from delivery where state = 'sent'", 1).await;
    assert_eq!(stage.smtp.accepted().len(), 1);
    assert!(server.stop().success());
}

/// Pays with a valid card while `lock` blocks the recording of the payment, and kills the server.
/// After a restart, the payment must be recorded once.
async fn kill_while_recording_payment(lock: &'static str) {
    let stage = Stage::new(Behaviour::Accept).await;
    let url = stage.database.url();
    let start = || Server::start_with(&url, stage.data(), &stage.smtp, true, &["--demo"]);
    let server = start().await;
    let guest = Client::new(server.base.trim_start_matches("http://").parse().unwrap());
    let form = json!({"firstName": "Nimali", "lastName": "Perera", "email": "nimali@example.lk",
        "password": "secret-of-theirs", "role": "supplier"});
    let reply = guest.post("/auth/register", &form).await.expect(201);
    let user = guest.with_token(reply["data"]["token"].as_str().unwrap());
    let wish = json!({"planId": "professional"});
    let reply = user.post("/subscriptions/create-checkout-session", &wish).await.expect(200);
    let page = reply["data"]["url"].as_str().unwrap();
    let path = &page[page.find("/payments").unwrap()..];

    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut held = other.begin().await.unwrap();
    sqlx::query(lock).execute(&mut *held).await.unwrap();
    let browser = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let card = encode_form(&[("number", GOOD_CARD), ("expiry", "12/34"), ("cvc", "123")]);
    let pay = browser.post(format!("{}{path}", server.base));
    let paying =
        tokio::spawn(pay.header("content-type", "application/x-www-form-urlencoded").body(card).send());
    stage.wait_for_at_least(COUNT_BLOCKED_SESSIONS, 1).await;
    server.kill();
    held.rollback().await.unwrap();
    drop(paying.await.unwrap());

    let server = start().await;
    stage.wait_for_count("select count(*) from invoice", 1).await;
    stage.wait_for_count("select count(*) from sandbox_event where told_at is null", 0).await;
    let held = "select count(*) from subscription s join users u on u.id = s.user_id
        where u.email = 'nimali@example.lk' and s.status = 'active'";
    assert_eq!(stage.count(held).await, 1);
    assert_eq!(stage.count("select charges::bigint from sandbox_agreement").await, 1);
    assert!(server.stop().success());
    assert_eq!(stage.count("select count(*) from invoice").await, 1);
}

#[tokio::test]
async fn payment_is_recorded_once_after_a_kill_while_recording() {
    kill_while_recording_payment("lock table payment_event in share mode").await;
}

#[tokio::test]
async fn payment_is_recorded_once_after_a_kill_while_numbering_the_invoice() {
    kill_while_recording_payment("lock table invoice_number in share mode").await;
}

#[tokio::test]
async fn payment_is_recorded_once_after_a_kill_while_starting_the_subscription() {
    kill_while_recording_payment("lock table subscription in share mode").await;
}
