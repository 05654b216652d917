//! Mail delivery: outages, disconnects, throttling, bounces and complaints.

use crate::support::{
    Client, Reply, TestPortal, mailbox, publishing,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
    wait_for, wait_until,
};
use api::{
    domain::channel::Channel,
    storage,
    storage::deliveries::{
        self, SealedMessage,
        sending::{self, LeasedMessage},
    },
};
use jiff::Timestamp;
use reqwest::Method;
use serde_json::json;
use std::io::Write;
use uuid::Uuid;

const COUNT_DEAD_MESSAGES: &str = "select count(*) from delivery where state = 'dead'";
const COUNT_SUPPRESSED_ADDRESSES: &str = "select count(*) from suppression";

#[tokio::test]
async fn mail_outage_counts_no_attempt_and_shows_in_health() {
    let stage = Stage::new(Behaviour::Closing).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage
        .wait_for_count("select count(*) from delivery where state = 'retry' and attempts = 0 and last_error like '%closing%'", 1)
        .await;
    wait_for_mail_health(&server, false).await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.assert_all_sent_once(1).await;
    assert_eq!(stage.count("select attempts::bigint from delivery").await, 1);
    wait_for_mail_health(&server, true).await;
}

#[tokio::test]
async fn refused_smtp_login_counts_no_attempt() {
    let stage = Stage::new(Behaviour::WrongPassword).await;
    let url = stage.smtp.url.replace("smtp://", "smtp://portal:secret@");
    // The flag overrides `SMTP_URL` in the server's environment.
    let server =
        Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &["--smtp-url", &url])
            .await;
    stage.publish(&server, 1).await;
    stage
        .wait_for_count("select count(*) from delivery where state = 'retry' and attempts = 0 and last_error like '%wrong password%'", 1)
        .await;
    wait_for_mail_health(&server, false).await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.assert_all_sent_once(1).await;
    wait_for_mail_health(&server, true).await;
}

/// Waits until /api/health reports that mail works, or does not work if `works` is false.
async fn wait_for_mail_health(server: &Server, works: bool) {
    wait_until(&format!("/health says {works} about mail"), async || {
        let answer = reqwest::get(format!("{}/api/health", server.base)).await.unwrap();
        let health: serde_json::Value = answer.json().await.unwrap();
        health["data"]["services"]["mail"] == works
    })
    .await;
}

#[tokio::test]
async fn mail_is_retried_after_a_disconnect() {
    let stage = Stage::new(Behaviour::HangUp).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.wait_for_count("select count(*) from delivery where state = 'retry' and attempts = 1", 1).await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.make_pending_due().await;
    stage.assert_all_sent_once(1).await;
}

#[tokio::test]
async fn parallel_mails_beyond_the_connection_pool_are_all_sent() {
    let stage = Stage::new(Behaviour::Accept).await;
    for _ in 0..100 {
        publishing::save_alert(&stage.pool, stage.subscriber.user_id, "bridge").await;
    }
    let many = ["--mail-connections", "32", "--database-connections", "6"];
    let server = Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &many).await;
    stage.publish(&server, 1).await;
    stage.wait_for_count("select count(*) from delivery where state = 'sent'", 101).await;
    assert!(server.stop().success());
    let log = std::fs::read_to_string(stage.data().join("server.log")).unwrap();
    assert!(!log.contains("a job failed"), "{log}");
    assert_eq!(log.matches("loaded the stored alerts").count(), 1, "{log}");
}

#[tokio::test]
async fn locked_row_does_not_delay_recording_of_others() {
    let stage = Stage::new(Behaviour::Accept).await;
    let now = Timestamp::UNIX_EPOCH;
    let mut db = stage.pool.acquire().await.unwrap();
    for nth in 0..3 {
        // The last message has no user and is deleted after sending.
        let user_id = (nth < 2).then_some(stage.subscriber.user_id);
        let address = "subscriber@portal.test";
        let message = SealedMessage { id: Uuid::from_u128(nth), user_id, channel: Channel::Email, address };
        deliveries::insert_sealed(&mut db, &message, &format!("<{nth}@portal.test>"), b"words", now)
            .await
            .unwrap();
    }
    let mut leased = sending::lease_mails(&stage.pool, None, (now, Timestamp::MAX), 10).await.unwrap();
    leased.sort_by_key(|lease| lease.id);
    assert_eq!(leased.len(), 3);
    // The second message is recorded again, with an outdated lease.
    leased.push(LeasedMessage { attempt: 0, ..leased[1].clone() });

    let mut holding = storage::begin(&stage.pool).await.unwrap();
    sqlx::query("select from delivery where id = $1 for update")
        .bind(leased[0].id)
        .execute(&mut *holding)
        .await
        .unwrap();
    let recording = tokio::spawn(async move { sending::mark_sent(&mut db, &leased, now).await });
    stage.wait_for_count("select count(*) from delivery where state = 'sent'", 1).await;
    assert_eq!(stage.count("select count(*) from delivery").await, 2);
    assert!(!recording.is_finished());
    holding.commit().await.unwrap();
    recording.await.unwrap().unwrap();
    assert_eq!(
        stage.count("select count(*) from delivery where state = 'sent' and sent_at is not null").await,
        2
    );
}

#[tokio::test]
async fn unknown_mailbox_is_suppressed() {
    let stage = Stage::new(Behaviour::NoMailbox).await;
    let returns = ["--mail-returns", "returns@portal.test"];
    let server = Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &returns).await;
    stage.publish(&server, 1).await;
    stage.wait_for_count(COUNT_SUPPRESSED_ADDRESSES, 1).await;
    stage
        .wait_for_count("select count(*) from delivery where state = 'dead' and returned = 'bounce'", 1)
        .await;
    let sent = stage.smtp.received(1).await.remove(0);
    let id = sent.message_id.trim_start_matches('<').split('@').next().unwrap().to_owned();
    assert_eq!(sent.from, format!("returns+{id}@portal.test"));
    assert_eq!(stage.count("select count(*) from address where verified_at is null").await, 1);

    // Until the address is confirmed, nothing is matched or mailed.
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.publish(&server, 2).await;
    stage
        .wait_for_count(
            "select (select min(position) from matcher_shard) - (select position from change_head)",
            0,
        )
        .await;
    assert_eq!(stage.count("select count(*) from match").await, 1);
    assert_eq!(stage.smtp.received(1).await.len(), 1);

    let output = server::run(&stage.database.url(), stage.data(), &["mail", "suppressed"]);
    assert!(
        output.starts_with("subscriber@portal.test\tsince ")
            && output.contains("bounce\tpermanent error (550): 5.1.1"),
        "{output}"
    );
    let output = server::run(&stage.database.url(), stage.data(), &["mail", "dead"]);
    assert!(output.contains("subscriber@portal.test\ttried 1 time\trefused for good"), "{output}");
    let output = server::run(&stage.database.url(), stage.data(), &["mail", "retry", "--all"]);
    assert_eq!(output, "queued for retry: 0\n");
}

#[tokio::test]
async fn refusal_that_does_not_concern_the_recipient_is_no_bounce() {
    let stage = Stage::new(Behaviour::BlockedClient).await;
    let server = stage.start().await;
    for nth in 1..=3 {
        stage.publish(&server, nth).await;
        stage.wait_for_count(COUNT_DEAD_MESSAGES, i64::from(nth)).await;
    }
    assert_eq!(stage.count(COUNT_SUPPRESSED_ADDRESSES).await, 0);
    assert_eq!(stage.count("select count(*) from delivery where returned is not null").await, 0);
    assert_eq!(stage.count("select count(*) from address where verified_at is null").await, 0);

    // Three refusals of the recipient suppress the address.
    stage.smtp.set_behaviour(Behaviour::Refuse);
    for nth in 4..=6 {
        stage.publish(&server, nth).await;
        stage.wait_for_count(COUNT_DEAD_MESSAGES, i64::from(nth)).await;
    }
    stage.wait_for_count(COUNT_SUPPRESSED_ADDRESSES, 1).await;
    assert_eq!(stage.count("select count(*) from address where verified_at is null").await, 1);
}

#[tokio::test]
async fn dead_messages_can_be_retried() {
    let stage = Stage::new(Behaviour::Refuse).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.wait_for_count(COUNT_DEAD_MESSAGES, 1).await;
    assert_eq!(
        stage.count(COUNT_SUPPRESSED_ADDRESSES).await,
        0,
        "a refusal without a reason does not suppress the address"
    );
    stage.smtp.set_behaviour(Behaviour::Accept);
    let id: Uuid = sqlx::query_scalar("select id from delivery").fetch_one(&stage.pool).await.unwrap();
    let output = server::run(&stage.database.url(), stage.data(), &["mail", "retry", &id.to_string()]);
    assert_eq!(output, "queued for retry: 1\n");
    stage.assert_all_sent_once(1).await;
    drop(server);
}

#[tokio::test]
async fn domain_throttle_does_not_delay_others() {
    // Six mails a minute are one mail every ten seconds.
    let portal = TestPortal::start_with(&["--mail-a-minute-per-domain", "6"]).await;
    let tried = || async {
        sqlx::query_scalar::<_, i64>(
            "select count(*) from delivery where attempts > 0 and domain = 'example.lk'",
        )
        .fetch_one(&portal.state.db)
        .await
        .unwrap()
    };
    for name in ["nimal", "kamala", "sunil"] {
        portal.unconfirmed_user(name, "supplier").await;
    }
    mail_another_domain(&portal, "first.test").await;
    assert_eq!(tried().await, 1);
    portal.advance(9);
    mail_another_domain(&portal, "second.test").await;
    assert_eq!(tried().await, 1);
    portal.advance(1);
    mail_another_domain(&portal, "third.test").await;
    assert_eq!(tried().await, 2);
    // After a long pause, the last mail to the domain is sent.
    portal.advance(3600);
    mail_another_domain(&portal, "fourth.test").await;
    assert_eq!(tried().await, 3);
}

/// Registers somebody at another domain and waits for the confirmation mail. By then, the portal
/// has processed all mails that were due earlier.
async fn mail_another_domain(portal: &TestPortal, domain: &str) {
    let address = format!("somebody@{domain}");
    let form = json!({"firstName": "Somebody", "lastName": "Perera", "email": address, "password": "secret-of-theirs"});
    portal.guest().post("/auth/register", &form).await.expect(201);
    mailbox::mails(portal, &address, 1).await;
}

/// Returns a report about the mail with this Message-ID, as a mail server sends it.
fn report(kind: &str, part: &str, fields: &str, id: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.test\r\nTo: returns@portal.test\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type={kind}; boundary=b\r\n\r\n\
         --b\r\nContent-Type: message/{part}\r\n\r\n{fields}\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {id}\r\n\r\n--b--\r\n"
    )
}

fn bounce(status: &str, id: &str) -> String {
    report(
        "delivery-status",
        "delivery-status",
        &format!("Reporting-MTA: dns; mx.test\r\n\r\nAction: failed\r\nStatus: {status}"),
        id,
    )
}

pub fn complaint(id: &str) -> String {
    report("feedback-report", "feedback-report", "Feedback-Type: abuse\r\nVersion: 1", id)
}

async fn post_report(client: &Client, report: Vec<u8>) -> Reply {
    let path = "/mail/reports";
    let request = client.request(Method::POST, path).header("content-type", "message/rfc822").body(report);
    client.send(request, Method::POST, path).await
}

pub async fn submit_report(operator: &Client, report: &str) -> String {
    let reply = post_report(operator, report.as_bytes().to_vec()).await;
    reply.expect(200)["data"]["outcome"].as_str().unwrap().to_owned()
}

/// Returns the Message-IDs of the mails that were sent to an address, oldest first.
async fn message_ids(portal: &TestPortal, address: &str) -> Vec<String> {
    sqlx::query_scalar(
        "select message_id from delivery where address = $1 and state = 'sent' order by sealed_at, id",
    )
    .bind(address)
    .fetch_all(&portal.state.db)
    .await
    .unwrap()
}

#[tokio::test]
async fn complaint_suppresses_the_address_until_it_is_confirmed() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "supplier").await;
    let address = "nimal@example.lk";
    let link = mailbox::token(&mailbox::find_mail(&portal, address, "verify-email").await);
    portal.guest().post("/auth/verify-email", &json!({"token": link})).await.expect(200);
    let returned = || async {
        let me = user.get("/auth/me").await;
        let user = &me.expect(200)["data"]["user"];
        (user["emailVerified"].as_bool().unwrap(), user["mailReturned"].clone())
    };
    assert_eq!(returned().await, (true, json!(null)));
    wait_for(
        &portal.state.db,
        "select count(*) = 1 from delivery where address = 'nimal@example.lk' and state = 'sent'",
    )
    .await;
    let id = message_ids(&portal, address).await.remove(0);

    let operator = portal.operator().await;
    for report in [
        "",
        "Subject: I am on holiday\r\n\r\nUntil Monday",
        &bounce("5.1.1", "<0123456789abcdef0123456789abcdef@portal.test>"),
    ] {
        assert_eq!(submit_report(&operator, report).await, "ignored", "{report}");
    }
    assert_eq!(submit_report(&operator, &complaint(&id)).await, "suppressed");
    assert_eq!(returned().await, (false, json!("complaint")));
    assert_eq!(submit_report(&operator, &complaint(&id)).await, "ignored", "a repeated report is ignored");

    // A confirmation mail that the user requests is sent even to a suppressed address.
    user.post("/auth/resend-verification", &json!({})).await.expect(200);
    let mut links: Vec<String> = Vec::new();
    for mail in mailbox::mails(&portal, address, 2).await {
        links.extend(mailbox::text(&mail).contains("token=").then(|| mailbox::token(&mailbox::text(&mail))));
    }
    links.retain(|found| *found != link);
    portal.guest().post("/auth/verify-email", &json!({"token": links[0]})).await.expect(200);
    assert_eq!(returned().await, (true, json!(null)));
}

#[tokio::test]
async fn full_mailbox_is_suppressed_at_the_third_bounce() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "supplier").await;
    let address = "nimal@example.lk";
    mailbox::mails(&portal, address, 1).await;
    for nth in 2..=3 {
        user.post("/auth/resend-verification", &json!({})).await.expect(200);
        mailbox::mails(&portal, address, nth).await;
    }
    let operator = portal.operator().await;
    // A mail may arrive before it is recorded as sent.
    wait_for(
        &portal.state.db,
        "select count(*) = 3 from delivery where address = 'nimal@example.lk' and state = 'sent'",
    )
    .await;
    let mut outcomes = Vec::new();
    for id in message_ids(&portal, address).await {
        outcomes.push(submit_report(&operator, &bounce("5.2.2", &id)).await);
    }
    assert_eq!(outcomes, ["noted", "noted", "suppressed"]);
}

#[tokio::test]
async fn bounce_reports_require_an_operator_and_are_limited_in_size() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "supplier").await;
    for client in [&portal.guest(), &user] {
        post_report(client, b"x".to_vec()).await.expect_error(401);
    }
    let long = vec![b'x'; 1_000_001];
    post_report(&portal.operator().await, long).await.expect_error(413);
}

#[test]
fn bounce_reports_can_be_piped_into_the_command() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stage = runtime.block_on(async {
        let stage = Stage::new(Behaviour::Accept).await;
        let server = stage.start().await;
        stage.publish(&server, 1).await;
        stage.assert_all_sent_once(1).await;
        stage
    });
    let id = stage.smtp.accepted()[0].message_id.clone();
    let receive = |report: &[u8]| {
        let mut child = server::command()
            .args(["mail", "receive"])
            .env("DATABASE_URL", stage.database.url())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(report).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(receive(b"Subject: hello\r\n\r\n").starts_with("ignored"));
    assert!(receive(&vec![b'x'; 1_000_001]).starts_with("ignored: the mail exceeds 1000 kB"));
    assert!(
        receive(bounce("5.1.1", &id).as_bytes()).starts_with("recorded; no mail is sent to this address")
    );
    runtime.block_on(async { assert_eq!(stage.count(COUNT_SUPPRESSED_ADDRESSES).await, 1) });
}
