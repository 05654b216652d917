//! The path from notice to mail under failure. Many tests kill the server during one step and
//! restart it on the same data. No tender and no mail is lost, and a repeated mail has the same
//! Message-ID.
//!
//! Tests pause a step with a lock on the index writer, a lock in the database, a long collection
//! time, or a mail server that delays its reply.

use crate::support::{
    publishing,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
    wait_until,
};
use index::IndexStore;
use sqlx::{Connection, PgConnection};

const COUNT_LEASED_MESSAGES: &str = "select count(*) from delivery where state = 'leased'";
const COUNT_BLOCKED_SESSIONS: &str =
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/// Returns how many tenders the public listing contains.
async fn listed_count(server: &Server) -> i64 {
    let url = format!("{}/api/tenders/stats", server.base);
    let body: serde_json::Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    body["data"]["totalTenders"].as_i64().unwrap()
}

/// Waits until this many tenders are listed.
async fn wait_for_listed(server: &Server, expected: i64) {
    wait_until(&format!("{expected} tenders are listed"), async || listed_count(server).await == expected)
        .await;
}

#[tokio::test]
async fn match_is_mailed_once_with_an_unsubscribe_header() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.assert_all_sent_once(1).await;
    let mail = &stage.smtp.accepted()[0];
    assert_eq!(mail.to, stage.subscriber.address);
    for part in ["Construction of a", "List-Unsubscribe-Post: List-Unsubscribe=One-Click", "portal.test"] {
        assert!(mail.content.contains(part), "{part} in {}", mail.content);
    }
    // Sending the same notice again creates no tender and no mail.
    stage.publish(&server, 1).await;
    assert_eq!(stage.count("select count(*) from tender").await, 1);
    assert!(server.stop().success());
    assert_eq!(stage.smtp.accepted().len(), 1);
}

#[tokio::test]
async fn alert_matches_only_tenders_later_in_the_log() {
    let stage = Stage::new(Behaviour::Accept).await;
    // No server runs while the alerts and the tender are stored, so only their order in the log
    // decides which alert matches.
    publishing::save_alert(&stage.pool, stage.subscriber.user_id, "culvert").await;
    publishing::store_tender(&stage.pool, "Repair of a culvert").await;
    publishing::save_alert(&stage.pool, stage.subscriber.user_id, "repair").await;
    let _server = stage.start().await;
    stage.assert_all_sent_once(1).await;
    assert_eq!(stage.count("select count(*) from match m join alert a on a.id = m.alert_id where a.name = 'Looks for culvert'").await, 1);
}

#[tokio::test]
async fn kill_before_indexing_loses_no_tender() {
    let stage = Stage::new(Behaviour::Accept).await;
    assert!(stage.start().await.stop().success());
    // Another writer has locked the index, so the server cannot write to the index.
    let index_store = IndexStore::open(&stage.data().join("index")).unwrap();
    let writer = index_store.writer().unwrap();
    let server = Server::start(&stage.database.url(), stage.data(), &stage.smtp, false).await;
    stage.publish(&server, 1).await;
    stage.publish(&server, 2).await;
    assert_eq!(listed_count(&server).await, 0);
    server.kill();
    // Leased messages become due at once, before their leases end.
    stage.make_pending_due().await;
    drop(writer);
    drop(index_store);
    let server = stage.start().await;
    wait_for_listed(&server, 2).await;
    stage.assert_all_sent_once(2).await;
}

#[tokio::test]
async fn kill_while_matching_loses_no_match() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut lock = other.begin().await.unwrap();
    sqlx::query("lock table match in share mode").execute(&mut *lock).await.unwrap();
    stage.publish(&server, 1).await;
    stage.wait_for_count(COUNT_BLOCKED_SESSIONS, 1).await;
    server.kill();
    lock.rollback().await.unwrap();
    assert_eq!(stage.count("select count(*) from match").await, 0);
    let _server = stage.start().await;
    stage.assert_all_sent_once(1).await;
}

#[tokio::test]
async fn kill_while_queueing_a_change_mails_it_once() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.assert_all_sent_once(1).await;
    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut lock = other.begin().await.unwrap();
    sqlx::query("lock table delivery_item in share mode").execute(&mut *lock).await.unwrap();
    let moved = publishing::notice(1, "Construction of a bridge").replace("2099-01-01", "2099-02-01");
    publishing::send(&server.base, &stage.subscriber.operator_token, 1, moved.clone()).await;
    stage.wait_for_count(COUNT_BLOCKED_SESSIONS, 1).await;
    server.kill();
    lock.rollback().await.unwrap();
    assert_eq!(stage.count("select count(*) from delivery_item").await, 1);
    let server = stage.start().await;
    let mailed_change = "select count(*) from delivery_item i join delivery d on d.id = i.delivery_id where d.state = 'sent' and i.reason = 'change:2'";
    stage.wait_for_count(mailed_change, 1).await;
    // Sending the changed notice again is no further change.
    publishing::send(&server.base, &stage.subscriber.operator_token, 1, moved).await;
    stage.publish(&server, 2).await;
    stage.wait_for_count("select count(*) from delivery where state = 'sent'", 3).await;
    assert_eq!(stage.count("select count(*) from match").await, 2);
    let changed =
        stage.smtp.accepted().into_iter().filter(|mail| mail.content.contains("Closing date changed"));
    assert_eq!(changed.count(), 1);
}

/// Stores a tender and saves it for the stage's subscriber. By the system clock, the tender closes
/// three days after the last morning on which reminders were due.
async fn save_tender_closing_soon(stage: &Stage) {
    let tender = publishing::store_tender(&stage.pool, "Repair of a culvert").await;
    let morning = api::domain::schedule::last_morning(api::base::clock::Clock::system().moment());
    let closing = format!("{}T23:30:00+05:30", morning.checked_add(jiff::Span::new().days(3)).unwrap());
    for statement in [
        "insert into favourite (user_id, tender_id, at) select id, $1, created_at from users where $2 <> ''",
        "update tender set closing_at = $2::timestamptz where id = $1",
        "update tender_revision set record = jsonb_set(record, '{dates,closing}', to_jsonb($2::text)) where tender_id = $1",
    ] {
        sqlx::query(statement).bind(tender).bind(&closing).execute(&stage.pool).await.unwrap();
    }
}

#[tokio::test]
async fn kill_beside_another_server_sends_the_reminder_once() {
    let stage = Stage::new(Behaviour::Accept).await;
    save_tender_closing_soon(&stage).await;
    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut lock = other.begin().await.unwrap();
    sqlx::query("lock table delivery_item in share mode").execute(&mut *lock).await.unwrap();
    let first = Server::start(&stage.database.url(), stage.data(), &stage.smtp, false).await;
    stage.wait_for_count(COUNT_BLOCKED_SESSIONS, 1).await;
    let second_data = tempfile::tempdir().unwrap();
    let second = Server::start(&stage.database.url(), second_data.path(), &stage.smtp, true).await;
    assert_eq!(
        stage.count("select count(*) from delivery").await,
        0,
        "the first server has locked the scheduled mails"
    );
    first.kill();
    lock.rollback().await.unwrap();
    let reminded = "select count(*) from delivery where kind = 'saved' and state = 'sent'";
    stage.wait_for_count(reminded, 1).await;
    second.kill();
    // When the scheduled mails of the day are prepared again, the reminder is not sent again.
    sqlx::query("update daily_pass set day = day - 1").execute(&stage.pool).await.unwrap();
    let _third = stage.start().await;
    stage.wait_for_count("select count(*) from daily_pass where day is null", 0).await;
    stage.wait_for_count("select count(*) from delivery where state <> 'sent'", 0).await;
    assert_eq!(stage.count(reminded).await, 1);
    assert_eq!(
        stage.smtp.accepted().iter().filter(|mail| mail.content.contains("Repair of a culvert")).count(),
        1
    );
}

#[tokio::test]
async fn kill_between_matching_and_sealing_mails_all_matches_once() {
    let stage = Stage::new(Behaviour::Accept).await;
    let long_collection = ["--collect-quiet-seconds", "3600", "--collect-limit-seconds", "3600"];
    let server =
        Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &long_collection).await;
    stage.publish(&server, 1).await;
    stage.publish(&server, 2).await;
    stage.wait_for_count("select count(*) from delivery_item i join delivery d on d.id = i.delivery_id where d.state = 'open'", 2).await;
    server.kill();
    sqlx::query("update delivery set seal_at = '2000-01-01Z'").execute(&stage.pool).await.unwrap();
    let _server = stage.start().await;
    stage.assert_all_sent_once(2).await;
    assert_eq!(stage.smtp.accepted().len(), 1, "both tenders are in one message");
}

#[tokio::test]
async fn kill_before_the_smtp_reply_repeats_the_identical_mail() {
    let stage = Stage::new(Behaviour::Hold).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.smtp.received(1).await;
    server.kill();
    stage.wait_for_count(COUNT_LEASED_MESSAGES, 1).await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.make_pending_due().await;
    let _server = stage.start().await;
    stage.assert_all_sent_once(1).await;
    let received = stage.smtp.received(2).await;
    assert_eq!(received[0], received[1]);
}

#[tokio::test]
async fn kill_before_recording_the_smtp_reply_repeats_the_identical_mail() {
    let stage = Stage::new(Behaviour::Hold).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.smtp.received(1).await;
    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut lock = other.begin().await.unwrap();
    sqlx::query("select from delivery for update").execute(&mut *lock).await.unwrap();
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.wait_for_count(COUNT_BLOCKED_SESSIONS, 1).await;
    server.kill();
    // Postgres would still execute the statement that it received. Ending the session simulates a
    // statement that is lost on the way.
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
        .execute(&stage.pool)
        .await
        .unwrap();
    lock.rollback().await.unwrap();
    stage.wait_for_count(COUNT_LEASED_MESSAGES, 1).await;
    stage.make_pending_due().await;
    let _server = stage.start().await;
    stage.assert_all_sent_once(1).await;
    assert_eq!(stage.smtp.accepted().len(), 2, "the mail is sent twice, under one Message-ID");
}

#[tokio::test]
async fn timed_out_and_greylisted_mails_are_retried_and_refused_ones_are_not() {
    let stage = Stage::new(Behaviour::Hold).await;
    let short = ["--smtp-timeout-seconds", "1"];
    let server = Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &short).await;
    stage.publish(&server, 1).await;
    stage.wait_for_count("select count(*) from delivery where state = 'retry' and attempts = 1", 1).await;
    // Only the first attempt was to time out.
    server.kill();
    let server = stage.start().await;
    stage.smtp.set_behaviour(Behaviour::Greylist);
    stage.make_pending_due().await;
    stage
        .wait_for_count(
            "select count(*) from delivery where state = 'retry' and last_error like '%come again%'",
            1,
        )
        .await;
    stage.smtp.set_behaviour(Behaviour::Accept);
    stage.make_pending_due().await;
    stage.assert_all_sent_once(1).await;
    stage.smtp.set_behaviour(Behaviour::Refuse);
    stage.publish(&server, 2).await;
    stage
        .wait_for_count(
            "select count(*) from delivery where state = 'dead' and last_error like '%no such user%'",
            1,
        )
        .await;
}

#[tokio::test]
async fn uncomposable_message_does_not_block_others() {
    let stage = Stage::new(Behaviour::Accept).await;
    let long_collection = ["--collect-quiet-seconds", "3600", "--collect-limit-seconds", "3600"];
    let server =
        Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &long_collection).await;
    stage.publish(&server, 1).await;
    stage.wait_for_count("select count(*) from delivery where state = 'open'", 1).await;
    server.kill();
    for unsendable in [
        "update users set email = 'no address at all'",
        "update address set email = 'no address at all'",
        "update delivery set seal_at = '2000-01-01Z'",
    ] {
        sqlx::query(unsendable).execute(&stage.pool).await.unwrap();
    }
    let server = stage.start().await;
    stage
        .wait_for_count("select count(*) from delivery where state = 'dead' and last_error is not null", 1)
        .await;
    for sendable in
        ["update users set email = 'nimali@portal.test'", "update address set email = 'nimali@portal.test'"]
    {
        sqlx::query(sendable).execute(&stage.pool).await.unwrap();
    }
    stage.publish(&server, 2).await;
    stage.wait_for_count("select count(*) from delivery where state = 'sent'", 1).await;
    assert_eq!(stage.smtp.accepted().len(), 1);
}

#[tokio::test]
async fn one_click_unsubscribe_needs_post() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.assert_all_sent_once(1).await;
    let mail = stage.smtp.accepted().remove(0);
    let parsed = mail_parser::MessageParser::default().parse(mail.content.as_bytes()).unwrap();
    let header = parsed.header_raw("List-Unsubscribe").unwrap();
    let link = header.split_whitespace().collect::<String>();
    let link = link.trim_start_matches('<').trim_end_matches('>').replace("http://portal.test", &server.base);
    let enabled = "select count(*) from alert where email_enabled";

    let page = reqwest::get(&link).await.unwrap().text().await.unwrap();
    assert!(page.contains("Looks for bridge") && page.contains("Switch off"), "{page}");
    assert_eq!(stage.count(enabled).await, 1);

    let client = reqwest::Client::new();
    let form = "List-Unsubscribe=One-Click";
    let typed = client.post(&link).header("content-type", "application/x-www-form-urlencoded");
    let answer = typed.body(form).send().await.unwrap();
    assert!(answer.status().is_success());
    assert_eq!(stage.count(enabled).await, 0);
    assert_eq!(client.post(format!("{link}x")).send().await.unwrap().status(), 404);

    stage.publish(&server, 2).await;
    stage.wait_for_count("select count(*) from match", 2).await;
    assert_eq!(
        stage.count("select count(*) from delivery").await,
        1,
        "the match is recorded, and no mail is sent"
    );
}

#[tokio::test]
async fn two_servers_match_and_mail_once() {
    let stage = Stage::new(Behaviour::Accept).await;
    let first = stage.start().await;
    let second_data = tempfile::tempdir().unwrap();
    let second = Server::start(&stage.database.url(), second_data.path(), &stage.smtp, true).await;
    for nth in 0..10 {
        stage.publish(if nth % 2 == 0 { &first } else { &second }, nth).await;
    }
    stage.assert_all_sent_once(10).await;
    assert_eq!(stage.smtp.accepted_by_id().values().max(), Some(&1));
    // After the first server is killed, the second one also matches the alert that is saved here.
    publishing::save_alert(&stage.pool, stage.subscriber.user_id, "bridge").await;
    stage.publish(&first, 10).await;
    stage.assert_all_sent_once(12).await;
    first.kill();
    stage.publish(&second, 11).await;
    stage.assert_all_sent_once(14).await;
    for data in [stage.data(), second_data.path()] {
        let log = std::fs::read_to_string(data.join("server.log")).unwrap();
        assert!(log.matches("loaded the stored alerts").count() <= 1, "{log}");
    }
}

#[tokio::test]
async fn query_plans_do_not_scan_all_matches() {
    let stage = Stage::new(Behaviour::Accept).await;
    // From now on, the statistics of Postgres say that the tables are empty.
    sqlx::query("analyze").execute(&stage.pool).await.unwrap();
    let server = stage.start().await;
    for nth in 0..3 {
        stage.publish(&server, nth).await;
    }
    stage
        .wait_for_count("select count(*) from delivery_item i join delivery d on d.id = i.delivery_id where d.state = 'sent'", 3)
        .await;
    assert!(server.stop().success());
    // Postgres records the scans of a connection when the connection closes.
    stage
        .wait_for_count("select least(idx_scan, 1) from pg_stat_user_tables where relname = 'match'", 1)
        .await;
    let sequential_scans = "select seq_scan from pg_stat_user_tables where relname = 'match'";
    assert_eq!(stage.count(sequential_scans).await, 0);
}

#[tokio::test]
async fn older_database_rebuilds_a_newer_index() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage.assert_all_sent_once(1).await;
    assert!(server.stop().success());
    let older = stage.database.copy().await;
    let server = stage.start().await;
    stage.publish(&server, 2).await;
    stage.publish(&server, 3).await;
    stage.assert_all_sent_once(3).await;
    wait_for_listed(&server, 3).await;
    assert!(server.stop().success());
    let server = Server::start(&older.url(), stage.data(), &stage.smtp, true).await;
    wait_for_listed(&server, 1).await;
    // From here on, the logs of the two databases differ.
    publishing::publish(&server.base, &stage.subscriber.operator_token, 4, "Construction of a bridge").await;
    assert!(server.stop().success());
    let server = stage.start().await;
    wait_for_listed(&server, 3).await;
}

#[tokio::test]
async fn reindex_makes_no_matches_and_keeps_serving() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    for nth in 0..5 {
        stage.publish(&server, nth).await;
    }
    stage.assert_all_sent_once(5).await;
    wait_for_listed(&server, 5).await;
    let before = std::fs::read_to_string(stage.data().join("index/CURRENT")).unwrap();
    let (database_url, data) = (stage.database.url(), stage.data().to_owned());
    let reindex = tokio::task::spawn_blocking(move || server::run(&database_url, &data, &["reindex"]));
    while !reindex.is_finished() {
        assert_eq!(listed_count(&server).await, 5);
    }
    reindex.await.unwrap();
    assert_ne!(std::fs::read_to_string(stage.data().join("index/CURRENT")).unwrap(), before);
    stage.publish(&server, 6).await;
    stage.assert_all_sent_once(6).await;
    wait_for_listed(&server, 6).await;
}

#[tokio::test]
async fn log_contains_no_personal_data_or_secrets() {
    let stage = Stage::new(Behaviour::Refuse).await;
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    stage
        .wait_for_count(
            "select count(*) from delivery where state = 'dead' and last_error like '%no such user%'",
            1,
        )
        .await;
    let form = serde_json::json!({"email": "stranger@portal.test", "password": "a-wrong-guess"});
    let login = reqwest::Client::new().post(format!("{}/api/auth/login", server.base)).json(&form);
    assert_eq!(login.send().await.unwrap().status(), 401);
    let link = format!("{}/unsubscribe/{}", server.base, stage.subscriber.operator_token);
    assert_eq!(reqwest::get(link).await.unwrap().status(), 404);
    assert!(server.stop().success());
    let log = std::fs::read_to_string(stage.data().join("server.log")).unwrap();
    assert!(log.contains("not sent") && log.contains("/api/auth/login"), "{log}");
    for secret in
        [&stage.subscriber.address, &stage.subscriber.operator_token, "stranger@portal.test", "a-wrong-guess"]
    {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
