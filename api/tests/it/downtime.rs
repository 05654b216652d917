//! Mails and charges after downtime, after the clock is set back, and despite killed processes.

use crate::support::{
    Client,
    killable_server::{KillableServer, KilledProcess},
    mailbox::workbook_titles,
    payments::{GOOD_CARD, encode_form},
    smtp::Behaviour,
    wait_until,
};
use api::storage::{self, changes, subscriptions, tenders, users};
use jiff::SignedDuration;
use mail_parser::MessageParser;
use serde_json::{Value, json};
use sqlx::PgPool;
use std::collections::BTreeMap;
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Creates a user with a confirmed address. The user has `plan` for 1000 days, or the free plan if
/// `plan` is `None`.
async fn create_user(killable_server: &KillableServer, name: &str, plan: Option<&str>) -> Client {
    let email = format!("{name}@example.lk");
    let form = json!({"firstName": name, "lastName": "Perera", "email": email, "password": "secret-of-theirs", "role": "supplier"});
    Client::new(killable_server.address).post("/auth/register", &form).await.expect(201);
    let state = &killable_server.portal;
    let mut tx = storage::begin(&state.db).await.unwrap();
    let user = users::by_email(&mut *tx, &email, killable_server.now()).await.unwrap().unwrap();
    users::verify_address(&mut tx, user.id, &email, killable_server.now()).await.unwrap();
    if let Some(plan) = plan {
        let (id, end) = (state.random.id(&state.clock), killable_server.now() + DAY * 1000);
        subscriptions::insert_given(&mut tx, id, user.id, plan.parse().unwrap(), killable_server.now(), end)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    killable_server.sign_in(&email).await
}

async fn publish(killable_server: &KillableServer, title: &str, closing_date: &str) -> Uuid {
    let state = &killable_server.portal;
    let mut tender = Tender {
        id: state.random.id(&state.clock),
        title: title.into(),
        status: TenderStatus::Published,
        published_at: Some(state.clock.moment()),
        ..Tender::default()
    };
    tender.dates.closing = format!("{closing_date}T14:00:00+05:30").parse().ok();
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::insert(&mut tx, &tender, None, killable_server.now()).await.unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    tender.id
}

/// Moves a tender's closing to another date.
async fn move_closing(killable_server: &KillableServer, id: Uuid, closing_date: &str) {
    let state = &killable_server.portal;
    let mut tender = tenders::current(&state.db, id).await.unwrap().unwrap().tender;
    tender.dates.closing = format!("{closing_date}T14:00:00+05:30").parse().ok();
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::revise(&mut tx, &tender, killable_server.now()).await.unwrap().unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
}

async fn save_alert(client: &Client, name: &str, frequency: &str) {
    let form =
        json!({"name": name, "keywords": [{"term": "bridge"}], "emailSettings": {"frequency": frequency}});
    client.post("/alerts", &form).await.expect(201);
}

/// Returns the sorted subjects of the mails to a user, without those that mention a confirmation.
/// A mail that was sent several times counts once.
fn subjects(killable_server: &KillableServer, name: &str) -> Vec<String> {
    let to = format!("{name}@example.lk");
    let mails = killable_server.smtp.accepted().into_iter().filter(|mail| mail.to == to);
    let of_id: BTreeMap<String, String> = mails.map(|mail| (mail.message_id, mail.content)).collect();
    let subjects = of_id.values().map(|content| {
        MessageParser::default().parse(content.as_bytes()).unwrap().subject().unwrap().to_owned()
    });
    let mut subjects: Vec<String> = subjects.filter(|subject| !subject.contains("onfirm")).collect();
    subjects.sort();
    subjects
}

async fn count(db: &PgPool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(db).await.unwrap()
}

/// Waits until a query returns `expected`.
async fn wait_for_count(killable_server: &KillableServer, sql: &'static str, expected: i64) {
    wait_until(&format!("{expected} is {sql}"), async || {
        count(&killable_server.portal.db, sql).await == expected
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn week_of_downtime_sends_each_digest_once() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    create_user(&killable_server, "basil", Some("basic")).await;
    save_alert(&nimali, "Each day", "daily").await;
    save_alert(&nimali, "Each week", "weekly").await;
    publish(&killable_server, "Construction of a bridge", "2026-12-20").await;
    for (title, closing_date) in
        [("A road that closed meanwhile", "2026-11-24"), ("A road that closes soon", "2026-11-30")]
    {
        let id = publish(&killable_server, title, closing_date).await;
        nimali.put(&format!("/saved/tenders/{id}"), &Value::Null).await.expect(200);
    }
    killable_server.run_until_done(&[]).await;
    assert_eq!(subjects(&killable_server, "nimali"), Vec::<String>::new(), "no digest is due yet");

    killable_server.advance(DAY * 7);
    let short = [15, 60, 140].map(|milliseconds| KilledProcess { milliseconds, smtp: Behaviour::Hold });
    killable_server.run_until_done(&short).await;
    let expected =
        ["3 days left: A road that closes soon", "New tender: Construction of a bridge (23 days left)"];
    assert_eq!(subjects(&killable_server, "nimali"), expected);
    let of_basil = subjects(&killable_server, "basil");
    assert_eq!(of_basil.len(), 1, "basil must get exactly one summary: {of_basil:?}");

    // One minute later, nothing more is due.
    let before = killable_server.smtp.accepted().len();
    killable_server.advance(SignedDuration::from_mins(1));
    killable_server.run_until_done(&[]).await;
    assert_eq!(killable_server.smtp.accepted().len(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn summaries_and_reports_wait_until_the_index_is_rebuilt() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    save_alert(&nimali, "Each day", "daily").await;
    create_user(&killable_server, "basil", Some("basic")).await;
    let kamala = create_user(&killable_server, "kamala", Some("enterprise")).await;
    let report = json!({"query": "search=bridge", "columns": ["title"], "totals": [],
        "period": {"by": "published", "span": "thisMonth"}});
    let report = json!({"name": "Bridges", "asked": report, "isMonthly": true});
    kamala.post("/reports", &report).await.expect(201);
    publish(&killable_server, "Construction of a bridge", "2026-12-20").await;
    killable_server.run_until_done(&[]).await;

    // A Monday and the first day of a month pass without a process, and the index is lost.
    killable_server.advance(DAY * 7);
    publish(&killable_server, "Repair of a bridge", "2026-12-20").await;
    killable_server.advance(DAY * 4);
    let state = &killable_server.portal;
    killable_server.lose_index();
    // The lock delays the rebuild of the index.
    let mut held = storage::begin(&state.db).await.unwrap();
    sqlx::query("lock table change_head in access exclusive mode").execute(&mut *held).await.unwrap();
    let process = killable_server.start_process();
    let alerts = "select count(*) from delivery where kind = 'alerts' and state = 'sent'";
    wait_for_count(&killable_server, alerts, 1).await;
    let waiting = "select count(*) from delivery where kind in ('summary', 'report') and state = 'open'";
    assert_eq!(count(&state.db, waiting).await, 2);
    held.rollback().await.unwrap();
    let sent = "select count(*) from delivery where kind in ('summary', 'report') and state = 'sent'";
    wait_for_count(&killable_server, sent, 2).await;
    process.shutdown_background();
    assert_eq!(subjects(&killable_server, "basil"), ["This week: one new tender"]);
    assert_eq!(subjects(&killable_server, "kamala"), ["Bridges: Nov 2026"]);
    let mails = killable_server.smtp.accepted();
    let report = mails.iter().rfind(|mail| mail.to == "kamala@example.lk").unwrap();
    assert_eq!(
        workbook_titles(report.content.as_bytes()),
        ["Repair of a bridge", "Construction of a bridge"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clock_set_back_delays_and_duplicates_no_mail() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    save_alert(&nimali, "At once", "immediate").await;
    save_alert(&nimali, "Each day", "daily").await;
    let saved = publish(&killable_server, "A road that closes soon", "2026-11-24").await;
    nimali.put(&format!("/saved/tenders/{saved}"), &Value::Null).await.expect(200);
    killable_server.run_until_done(&[]).await;

    killable_server.advance(DAY * 400);
    publish(&killable_server, "Construction of a bridge", "2029-12-20").await;
    killable_server.smtp.set_behaviour(Behaviour::Greylist);
    let process = killable_server.start_process();
    let waits = "select count(distinct state) from delivery where state in ('retry', 'open')";
    wait_for_count(&killable_server, waits, 2).await;

    // The clock is set back while the process runs.
    killable_server.smtp.set_behaviour(Behaviour::Accept);
    killable_server.advance(DAY * -400);
    wait_for_count(&killable_server, "select count(*) from delivery where state <> 'sent'", 0).await;
    process.shutdown_background();
    let subjects_so_far = subjects(&killable_server, "nimali");
    let (of_bridge, others): (Vec<_>, Vec<_>) =
        subjects_so_far.iter().partition(|subject| subject.contains("Construction of a bridge"));
    assert_eq!(of_bridge.len(), 2, "both alerts are mailed without a wait of 400 days");
    // If the mails of the morning come before the match, one says that the alerts found nothing for long.
    let silence = "Your alerts have found nothing for 60 days";
    assert!(others.len() <= 1 && others.iter().all(|subject| *subject == silence), "{others:?}");

    // After the clock is set back, new matches and the morning's scheduled mails are sent as usual.
    publish(&killable_server, "Repair of a bridge", "2027-01-20").await;
    killable_server.run_until_done(&[]).await;
    killable_server.advance(DAY);
    killable_server.run_until_done(&[]).await;
    let subjects = subjects(&killable_server, "nimali");
    let count_of = |part: &str| subjects.iter().filter(|subject| subject.contains(part)).count();
    assert_eq!(
        (
            count_of("Construction of a bridge"),
            count_of("Repair of a bridge"),
            count_of("A road that closes soon")
        ),
        (2, 2, 1),
        "{subjects:?}"
    );
    assert!(killable_server.smtp.accepted_by_id().values().all(|times| *times == 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_changes_are_mailed_as_first_and_last_state() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    save_alert(&nimali, "At once", "immediate").await;
    let moved = publish(&killable_server, "Construction of a bridge", "2026-12-20").await;
    let moved_back = publish(&killable_server, "Repair of a bridge", "2026-12-20").await;
    killable_server.run_until_done(&[]).await;
    for (id, days) in [(moved, ["2027-01-30", "2027-01-10"]), (moved_back, ["2027-01-05", "2026-12-20"])] {
        for day in days {
            move_closing(&killable_server, id, day).await;
        }
    }
    killable_server.run_until_done(&[]).await;
    let accepted = killable_server.smtp.accepted();
    let mails = accepted.iter().map(|mail| MessageParser::default().parse(mail.content.as_bytes()).unwrap());
    let texts = mails.map(|mail| mail.body_text(0).unwrap().into_owned());
    let matched_texts: Vec<String> = texts.filter(|text| text.contains("it matched your alert")).collect();
    let [text] = matched_texts.as_slice() else { panic!("{matched_texts:?}") };
    assert!(text.contains("was Sun 20 Dec 2026, 2.00 p.m., now Sun 10 Jan 2027, 2.00 p.m."), "{text}");
    assert!(!text.contains("Repair"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revision_after_the_plan_starts_matches_an_earlier_tender() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    for name in ["One", "Two"] {
        save_alert(&nimali, name, "immediate").await;
    }
    let state = &killable_server.portal;
    let minute = SignedDuration::from_mins(1);
    let id =
        users::by_email(&state.db, "nimali@example.lk", killable_server.now()).await.unwrap().unwrap().id;
    killable_server.end_plan(id).await;
    killable_server.advance(minute);
    let tender = publish(&killable_server, "Construction of a bridge", "2026-12-20").await;
    killable_server.advance(minute);
    let mut tx = storage::begin(&state.db).await.unwrap();
    let (plan, end) = (state.random.id(&state.clock), killable_server.now() + DAY * 30);
    subscriptions::insert_given(
        &mut tx,
        plan,
        id,
        "professional".parse().unwrap(),
        killable_server.now(),
        end,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    killable_server.advance(minute);
    for closing_date in ["2026-12-21", "2026-12-22"] {
        move_closing(&killable_server, tender, closing_date).await;
    }
    // No process has run so far, so all changes are matched together.
    killable_server.run_until_done(&[]).await;
    let expected = ["New tender: Construction of a bridge (32 days left)"; 2];
    assert_eq!(subjects(&killable_server, "nimali"), expected);
    assert_eq!(count(&state.db, "select count(*) from match where tender_revision = 2").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_month_is_charged_once_despite_kills() {
    let killable_server = KillableServer::new(&["--demo"]).await;
    let db = &killable_server.portal.db;
    let nimali = create_user(&killable_server, "nimali", None).await;
    let wish = json!({"planId": "professional"});
    let reply = nimali.post("/subscriptions/create-checkout-session", &wish).await.expect(200);
    let url = reply["data"]["url"].as_str().unwrap();
    let path = &url[url.find("/payments").unwrap()..];
    let page =
        reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let pay = page.post(format!("http://{}{path}", killable_server.address));
    let form = encode_form(&[("number", GOOD_CARD), ("expiry", "12/34"), ("cvc", "123")]);
    let answer =
        pay.header("content-type", "application/x-www-form-urlencoded").body(form).send().await.unwrap();
    assert_eq!(answer.status(), 303);
    for month in 0..6_u64 {
        // Each month the kills come a little later, so that they interrupt other steps.
        let killed = [0, 1, 2, 3]
            .map(|nth| KilledProcess { milliseconds: 12 + 23 * nth + 9 * month, smtp: Behaviour::Accept });
        killable_server.run_until_done(&killed).await;
        let months = i64::try_from(month).unwrap() + 1;
        assert_eq!(count(db, "select count(*) from invoice").await, months);
        assert_eq!(count(db, "select charges::bigint from sandbox_agreement").await, months);
        assert_eq!(count(db, "select count(*) from subscription where status = 'active'").await, 1);
        killable_server.advance(DAY * 31);
    }
    let numbers = "select count(distinct number) from invoice where number like 'INV-%'";
    assert_eq!(count(db, numbers).await, 6);
    let receipts: Vec<String> =
        subjects(&killable_server, "nimali").into_iter().filter(|subject| subject.contains("INV-")).collect();
    assert_eq!(receipts.len(), 6, "{receipts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reminder_of_a_bid_is_sent_once_although_a_process_dies_before_it_sends() {
    let killable_server = KillableServer::new(&[]).await;
    let nimali = create_user(&killable_server, "nimali", Some("professional")).await;
    let tender = publish(&killable_server, "Construction of a bridge", "2026-12-20").await;
    nimali.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    let reminders = json!({"channels": ["email"], "saleEnds": [], "preBid": [], "closing": [48]});
    nimali.put("/bids/reminders", &reminders).await.expect(200);
    killable_server.run_until_done(&[]).await;
    let before = subjects(&killable_server, "nimali").len();
    killable_server.advance(DAY * 29);
    killable_server.smtp.set_behaviour(Behaviour::Greylist);
    let process = killable_server.start_process();
    wait_for_count(&killable_server, "select count(*) from bid_reminder", 1).await;
    process.shutdown_background();
    killable_server.run_until_done(&[]).await;
    let process = killable_server.start_process();
    killable_server.advance(DAY / 24);
    killable_server.run_until_done(&[]).await;
    process.shutdown_background();
    assert_eq!(subjects(&killable_server, "nimali").len(), before + 1);
    assert_eq!(count(&killable_server.portal.db, "select count(*) from bid_reminder").await, 1);
}
