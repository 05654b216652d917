//! Mails to users. This module publishes tenders, moves the clock, and reads the mails.

mod bid_reminders;
mod digests;
mod expiries;
mod languages;
mod scheduled;
mod silences;
mod tender_changes;

use crate::{
    support::{Client, TestPortal, mailbox::text as text_of, wait_until},
    tenders::store,
};
use api::storage::{self, changes, tenders};
use axum::http::Method;
use serde_json::json;
use std::time::Duration;
use tender_model::{tender::Tender, vocabulary::TenderStatus};

/// Registers a user whose browser prefers these languages.
async fn register(portal: &TestPortal, name: &str, accept_language: &str) -> Client {
    let guest = portal.guest();
    let form = json!({"firstName": name, "lastName": "Perera", "email": format!("{name}@example.lk"), "password": "secret-of-theirs"});
    let request =
        guest.request(Method::POST, "/auth/register").header("accept-language", accept_language).json(&form);
    let reply = guest.send(request, Method::POST, "/auth/register").await.expect(201);
    guest.with_token(reply["data"]["token"].as_str().unwrap())
}

/// Creates a subscriber with a confirmed address.
async fn create_subscriber(portal: &TestPortal, name: &str, plan: &str) -> Client {
    portal.subscriber(name, "supplier", Some(plan)).await
}

/// Stores a published tender that belongs to no account.
async fn publish_tender(portal: &TestPortal, title: &str, closing: &str) -> Tender {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        published_at: Some(portal.state.clock.moment()),
        ..Tender::default()
    };
    tender.organization.name = "Department of Works".into();
    tender.dates.closing = closing.parse().ok();
    tender.id = store(portal, tender.clone(), None).await;
    tender
}

/// Publishes the next revision of a tender, and waits until it is matched.
async fn publish_revision(portal: &TestPortal, tender: &Tender) {
    let state = &portal.state;
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::revise(&mut tx, tender, state.clock.now()).await.unwrap().unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    wait_until_matched(portal).await;
}

async fn move_closing(portal: &TestPortal, tender: &mut Tender, closing: &str) {
    tender.dates.closing = closing.parse().ok();
    publish_revision(portal, tender).await;
}

/// Waits until the matcher has processed all changes so far.
async fn wait_until_matched(portal: &TestPortal) {
    let head = changes::head(&portal.state.db).await.unwrap().position;
    let mut matcher = portal.state.progress.matcher.subscribe();
    let reached = matcher.wait_for(|job| job.position >= head);
    tokio::time::timeout(Duration::from_secs(20), reached).await.unwrap().unwrap();
}

/// The path of the unsubscribe link in a text.
fn unsubscribe_path(text: &str) -> String {
    let link = text.split_whitespace().find(|word| word.contains("/unsubscribe/")).unwrap();
    reqwest::Url::parse(link).unwrap().path().to_owned()
}

/// Sends the form that a mail program sends to switch mails off, or another form. Returns the page.
async fn post_unsubscribe(portal: &TestPortal, path: &str, form: &'static str) -> reqwest::Response {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let typed = http.post(format!("http://{}{path}", portal.address));
    typed.header("content-type", "application/x-www-form-urlencoded").body(form).send().await.unwrap()
}

async fn set_clock(portal: &TestPortal, now: &str) {
    portal.state.clock.set(now.parse().unwrap());
}

/// Waits until the portal has matched all changes, processed all due messages, and created the
/// scheduled mails up to now.
async fn wait_until_settled(portal: &TestPortal) {
    wait_until_matched(portal).await;
    let now = portal.state.clock.now().to_string();
    wait_until("all mails are settled", async || {
        sqlx::query_scalar(
            "select not exists (select from delivery where state = 'open' and seal_at <= $1::timestamptz
                    or state in ('sealed', 'leased'))
                and (select bool_and(day >= date_trunc($2, ($1::timestamptz - interval '9 hours') at time zone 'Asia/Colombo')::date)
                    from daily_pass where name in ('reminders', 'expiries', 'silences'))
                and (select min(closing_day) = ($1::timestamptz at time zone 'Asia/Colombo')::date from matcher_shard)
                and (select day = date_trunc('week', ($1::timestamptz - interval '9 hours') at time zone 'Asia/Colombo')::date
                    from daily_pass where name = 'summary')",
        )
        .bind(&now)
        .bind("day")
        .fetch_one(&portal.state.db)
        .await
        .unwrap()
    })
    .await;
}

/// Calls [`wait_until_settled`] and returns the sorted subjects of the mails to an address. Account
/// mails are left out.
async fn subjects(portal: &TestPortal, to: &str) -> Vec<String> {
    wait_until_settled(portal).await;
    let mut subjects: Vec<String> = read_mails(portal, to).into_iter().map(|(subject, _)| subject).collect();
    subjects.sort();
    subjects
}

/// Returns the subjects and texts of the mails to an address, in any order. Account mails are left
/// out.
fn read_mails(portal: &TestPortal, to: &str) -> Vec<(String, String)> {
    let folder = portal.state.config.data.mail().join("new");
    let paths = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mails = paths.filter_map(|path| {
        let bytes = std::fs::read(path).unwrap();
        let message = mail_parser::MessageParser::default().parse(&bytes)?;
        // The links of account mails name what they switch off.
        let link = message.header_raw("List-Unsubscribe")?;
        if link.contains("/bid-reminders-") || link.contains("/silent-alerts-") {
            return None;
        }
        let is_theirs = message.to()?.first()?.address()? == to;
        is_theirs.then(|| (message.subject().unwrap().to_owned(), text_of(&bytes).replace("\r\n", "\n")))
    });
    mails.collect()
}

async fn count(portal: &TestPortal, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&portal.state.db).await.unwrap()
}

async fn save_alert(client: &Client, name: &str, term: &str, email: serde_json::Value) -> String {
    let form = json!({"name": name, "keywords": [{"term": term}], "emailSettings": email});
    let alert = client.post("/alerts", &form).await.expect(201)["data"]["alert"].clone();
    format!("/alerts/{}", alert["_id"].as_str().unwrap())
}

const NIMAL: &str = "nimal@example.lk";
const CLOSING: &str = "2026-12-20T14:00:00+05:30";

async fn start_portal() -> TestPortal {
    TestPortal::start_with(&["--demo"]).await
}
