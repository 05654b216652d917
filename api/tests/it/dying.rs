//! What comes of time in which no process lives, of a clock that is set back, and of processes that die while they charge.

use crate::{
    payments::{GOOD, form_urlencoded},
    support::{
        Client,
        mortal::{Life, Mortal},
        smtp::Behaviour,
    },
};
use api::storage::{changes, subscriptions, tenders, users};
use index::{tender::Tender, vocabulary::TenderStatus};
use jiff::SignedDuration;
use mail_parser::MessageParser;
use serde_json::{Value, json};
use sqlx::PgPool;
use std::{collections::BTreeMap, time::Duration};
use uuid::Uuid;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Somebody whose address is confirmed, on a plan for three years.
async fn subscriber(mortal: &Mortal, name: &str, plan: Option<&str>) -> Client {
    let email = format!("{name}@example.lk");
    let form = json!({"firstName": name, "lastName": "Perera", "email": email, "password": "secret-of-theirs", "role": "supplier"});
    Client::new(mortal.address).post("/auth/register", &form).await.expect(201);
    let state = &mortal.portal;
    let mut tx = state.db.begin().await.unwrap();
    let user = users::by_email(&mut *tx, &email, mortal.now()).await.unwrap().unwrap();
    users::verify_address(&mut tx, user.id, &email, mortal.now()).await.unwrap();
    if let Some(plan) = plan {
        let (id, end) = (state.random.id(&state.clock), mortal.now() + DAY * 1000);
        subscriptions::begin(&mut tx, id, user.id, plan, mortal.now(), end).await.unwrap();
    }
    tx.commit().await.unwrap();
    mortal.signed_in(&email).await
}

async fn publish(mortal: &Mortal, title: &str, closes: &str) -> Uuid {
    let state = &mortal.portal;
    let mut tender = Tender {
        id: state.random.id(&state.clock),
        title: title.into(),
        status: TenderStatus::Published,
        published_at: Some(state.clock.moment()),
        ..Tender::default()
    };
    tender.dates.closing = format!("{closes}T14:00:00+05:30").parse().ok();
    let mut tx = state.db.begin().await.unwrap();
    let revision = tenders::insert(&mut tx, &tender, None, mortal.now()).await.unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    tender.id
}

/// Has a tender close on another day.
async fn revise(mortal: &Mortal, id: Uuid, closes: &str) {
    let state = &mortal.portal;
    let mut tender = tenders::current(&state.db, id).await.unwrap().unwrap().tender;
    tender.dates.closing = format!("{closes}T14:00:00+05:30").parse().ok();
    let mut tx = state.db.begin().await.unwrap();
    let revision = tenders::revise(&mut tx, &tender, mortal.now()).await.unwrap().unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
}

async fn alert(client: &Client, name: &str, frequency: &str) {
    let form =
        json!({"name": name, "keywords": [{"term": "bridge"}], "emailSettings": {"frequency": frequency}});
    client.post("/alerts", &form).await.expect(201);
}

/// The subjects of the mails to an address, each message once; letters about the account are not among them.
fn subjects(mortal: &Mortal, name: &str) -> Vec<String> {
    let to = format!("{name}@example.lk");
    let mails = mortal.smtp.accepted().into_iter().filter(|mail| mail.to == to);
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

/// Waits until a count is as expected, and fails after ten seconds of anything else.
async fn until(mortal: &Mortal, sql: &'static str, expected: i64) {
    let mut last = 0;
    for _ in 0..400 {
        last = count(&mortal.portal.db, sql).await;
        if last == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{sql}: {last}, not {expected}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_week_without_a_process_each_digest_comes_once() {
    let mortal = Mortal::new(&[]).await;
    let nimali = subscriber(&mortal, "nimali", Some("professional")).await;
    subscriber(&mortal, "basil", Some("basic")).await;
    alert(&nimali, "Each day", "daily").await;
    alert(&nimali, "Each week", "weekly").await;
    publish(&mortal, "Construction of a bridge", "2026-12-20").await;
    for (title, closes) in
        [("A road that closed meanwhile", "2026-11-24"), ("A road that closes soon", "2026-11-30")]
    {
        let id = publish(&mortal, title, closes).await;
        nimali.put(&format!("/saved/tenders/{id}"), &Value::Null).await.expect(200);
    }
    mortal.live(&[]).await;
    assert_eq!(subjects(&mortal, "nimali"), Vec::<String>::new(), "digests wait for their time");

    mortal.pass(DAY * 7);
    let short = [15, 60, 140].map(|milliseconds| Life { milliseconds, smtp: Behaviour::Hold });
    mortal.live(&short).await;
    let told =
        ["3 days left: A road that closes soon", "New tender: Construction of a bridge (23 days left)"];
    assert_eq!(subjects(&mortal, "nimali"), told);
    let of_basil = subjects(&mortal, "basil");
    assert_eq!(of_basil.len(), 1, "one summary: {of_basil:?}");

    // Once more, nothing is due.
    let before = mortal.smtp.accepted().len();
    mortal.pass(SignedDuration::from_mins(1));
    mortal.live(&[]).await;
    assert_eq!(mortal.smtp.accepted().len(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_was_ahead_keeps_no_mail_back_and_doubles_none() {
    let mortal = Mortal::new(&[]).await;
    let nimali = subscriber(&mortal, "nimali", Some("professional")).await;
    alert(&nimali, "At once", "immediate").await;
    alert(&nimali, "Each day", "daily").await;
    let saved = publish(&mortal, "A road that closes soon", "2026-11-24").await;
    nimali.put(&format!("/saved/tenders/{saved}"), &Value::Null).await.expect(200);
    mortal.live(&[]).await;

    mortal.pass(DAY * 400);
    publish(&mortal, "Construction of a bridge", "2029-12-20").await;
    mortal.smtp.behave(Behaviour::Greylist);
    let process = mortal.process();
    let waits = "select count(distinct state) from delivery where state in ('retry', 'open')";
    until(&mortal, waits, 2).await;

    // Set back under the process.
    mortal.smtp.behave(Behaviour::Accept);
    mortal.pass(DAY * -400);
    until(&mortal, "select count(*) from delivery where state <> 'sent'", 0).await;
    process.shutdown_background();
    assert_eq!(subjects(&mortal, "nimali").len(), 2, "of both alerts, without waiting 400 days");

    // Time goes on from there: new matches, and the morning's passes.
    publish(&mortal, "Repair of a bridge", "2027-01-20").await;
    mortal.live(&[]).await;
    mortal.pass(DAY);
    mortal.live(&[]).await;
    let subjects = subjects(&mortal, "nimali");
    let of = |words: &str| subjects.iter().filter(|subject| subject.contains(words)).count();
    assert_eq!(
        (of("Construction of a bridge"), of("Repair of a bridge"), of("A road that closes soon")),
        (2, 2, 1),
        "{subjects:?}"
    );
    assert!(mortal.smtp.accepted_by_id().values().all(|times| *times == 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_changes_in_one_mail_the_first_state_and_the_last_are_told_whichever_closes_first() {
    let mortal = Mortal::new(&[]).await;
    let nimali = subscriber(&mortal, "nimali", Some("professional")).await;
    alert(&nimali, "At once", "immediate").await;
    let moved = publish(&mortal, "Construction of a bridge", "2026-12-20").await;
    let moved_back = publish(&mortal, "Repair of a bridge", "2026-12-20").await;
    mortal.live(&[]).await;
    for (id, days) in [(moved, ["2027-01-30", "2027-01-10"]), (moved_back, ["2027-01-05", "2026-12-20"])] {
        for day in days {
            revise(&mortal, id, day).await;
        }
    }
    mortal.live(&[]).await;
    let accepted = mortal.smtp.accepted();
    let mails = accepted.iter().map(|mail| MessageParser::default().parse(mail.content.as_bytes()).unwrap());
    let texts = mails.map(|mail| mail.body_text(0).unwrap().into_owned());
    let told: Vec<String> = texts.filter(|text| text.contains("it matched your alert")).collect();
    let [text] = told.as_slice() else { panic!("{told:?}") };
    assert!(text.contains("was Sun 20 Dec 2026, 2.00 p.m., now Sun 10 Jan 2027, 2.00 p.m."), "{text}");
    assert!(!text.contains("Repair"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_corrected_once_there_is_a_plan_is_told_although_it_was_published_before() {
    let mortal = Mortal::new(&[]).await;
    let nimali = subscriber(&mortal, "nimali", Some("professional")).await;
    for name in ["One", "Two"] {
        alert(&nimali, name, "immediate").await;
    }
    let state = &mortal.portal;
    let minute = SignedDuration::from_mins(1);
    let id = users::by_email(&state.db, "nimali@example.lk", mortal.now()).await.unwrap().unwrap().id;
    mortal.lapse(id).await;
    mortal.pass(minute);
    let tender = publish(&mortal, "Construction of a bridge", "2026-12-20").await;
    mortal.pass(minute);
    let mut tx = state.db.begin().await.unwrap();
    let (plan, end) = (state.random.id(&state.clock), mortal.now() + DAY * 30);
    subscriptions::begin(&mut tx, plan, id, "professional", mortal.now(), end).await.unwrap();
    tx.commit().await.unwrap();
    mortal.pass(minute);
    for closes in ["2026-12-21", "2026-12-22"] {
        revise(&mortal, tender, closes).await;
    }
    // All of it is matched at once.
    mortal.live(&[]).await;
    let told = ["New tender: Construction of a bridge (32 days left)"; 2];
    assert_eq!(subjects(&mortal, "nimali"), told);
    assert_eq!(count(&state.db, "select count(*) from match where tender_revision = 2").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_month_is_charged_once_wherever_processes_die() {
    let mortal = Mortal::new(&["--demo"]).await;
    let db = &mortal.portal.db;
    let nimali = subscriber(&mortal, "nimali", None).await;
    let wish = json!({"planId": "professional"});
    let reply = nimali.post("/subscriptions/create-checkout-session", &wish).await.expect(200);
    let url = reply["data"]["url"].as_str().unwrap();
    let path = &url[url.find("/payments").unwrap()..];
    let page =
        reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let pay = page.post(format!("http://{}{path}", mortal.address));
    let form = form_urlencoded(&[("number", GOOD), ("expiry", "12/34"), ("cvc", "123")]);
    let answer =
        pay.header("content-type", "application/x-www-form-urlencoded").body(form).send().await.unwrap();
    assert_eq!(answer.status(), 303);
    for month in 0..6_u64 {
        // A little later each time, so that each comes to another place.
        let lives =
            [0, 1, 2, 3].map(|nth| Life { milliseconds: 12 + 23 * nth + 9 * month, smtp: Behaviour::Accept });
        mortal.live(&lives).await;
        let months = i64::try_from(month).unwrap() + 1;
        assert_eq!(count(db, "select count(*) from invoice").await, months);
        assert_eq!(count(db, "select charges::bigint from sandbox_agreement").await, months);
        assert_eq!(count(db, "select count(*) from subscription where status = 'active'").await, 1);
        mortal.pass(DAY * 31);
    }
    let numbers = "select count(distinct number) from invoice where number like 'INV-%'";
    assert_eq!(count(db, numbers).await, 6);
    let receipts: Vec<String> =
        subjects(&mortal, "nimali").into_iter().filter(|subject| subject.contains("INV-")).collect();
    assert_eq!(receipts.len(), 6, "{receipts:?}");
}
