//! Mails to users: content, time and language.

use crate::{
    support::{
        Client, TestDatabase, TestPortal,
        mailbox::{find_mail, text as text_of, token},
    },
    tenders::store,
};
use api::storage::{changes, tenders};
use axum::http::Method;
use serde_json::json;
use std::time::Duration;
use tender_model::{
    tender::Tender,
    vocabulary::{TenderStatus, Visibility},
};

/// Registers a user whose browser prefers these languages.
async fn register(portal: &TestPortal, name: &str, accept_language: &str) -> Client {
    let guest = portal.guest();
    let form = json!({"firstName": name, "lastName": "Perera", "email": format!("{name}@example.lk"), "password": "secret-of-theirs"});
    let request =
        guest.request(Method::POST, "/auth/register").header("accept-language", accept_language).json(&form);
    let reply = guest.send(request, Method::POST, "/auth/register").await.expect(201);
    guest.with_token(reply["data"]["token"].as_str().unwrap())
}

#[tokio::test]
async fn account_language_is_set_at_registration_and_can_be_changed() {
    let portal = TestPortal::start().await;
    for (name, accept_language, language, words) in [
        ("kamala", "si-LK,en;q=0.5", "si", "ඔබේ විද්‍යුත් තැපැල් ලිපිනය බව කරුණාකර තහවුරු කරන්න"),
        ("kumar", "ta", "ta", "வணக்கம் வாசகர்,"),
        ("nimal", "de, fr", "en", "Please confirm that this is your e-mail address."),
    ] {
        let user = register(&portal, name, accept_language).await;
        let me = user.get("/auth/me").await.expect(200)["data"]["user"].clone();
        assert_eq!(
            (&me["language"], &me["weeklySummary"], &me["savedMails"]),
            (&json!(language), &json!(true), &json!(true))
        );
        find_mail(&portal, &format!("{name}@example.lk"), words).await;
    }
    let user = portal.sign_in("kamala").await;
    let saved =
        user.put("/auth/profile", &json!({"language": "ta", "weeklySummary": false})).await.expect(200);
    let saved = &saved["data"]["user"];
    assert_eq!(
        (&saved["language"], &saved["weeklySummary"], &saved["savedMails"]),
        (&json!("ta"), &json!(false), &json!(true))
    );
    assert_eq!(saved["firstName"], "kamala");
    portal.guest().post("/auth/forgot-password", &json!({"email": "kamala@example.lk"})).await.expect(200);
    find_mail(&portal, "kamala@example.lk", "புதிய கடவுச்சொல்லைத் தெரிவு செய்க").await;
    // A change of another field keeps the language, and unsupported languages are refused.
    user.put("/auth/profile", &json!({"company": "Kamala Works"})).await.expect(200);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["language"], "ta");
    for rubbish in [json!("de"), json!("")] {
        user.put("/auth/profile", &json!({"language": rubbish})).await.expect_error(422);
    }
}

#[tokio::test]
async fn mail_uses_the_language_of_the_addressed_account() {
    let portal = TestPortal::start().await;
    register(&portal, "kamala", "si").await;
    let other = register(&portal, "nimal", "en").await;
    let form = json!({"email": "kamala@example.lk", "password": "secret-of-theirs"});
    other.post("/auth/change-email", &form).await.expect(200);
    find_mail(&portal, "kamala@example.lk", "ආයුබෝවන් පාඨකය,").await;
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
    let mut tx = state.db.begin().await.unwrap();
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

async fn set_clock(portal: &TestPortal, now: &str) {
    portal.state.clock.set(now.parse().unwrap());
}

/// Waits until the portal has matched all changes, processed all due messages, and created the
/// scheduled mails up to now. Fails after ten seconds.
async fn wait_until_settled(portal: &TestPortal) {
    wait_until_matched(portal).await;
    let now = portal.state.clock.now().to_string();
    for _ in 0..400 {
        let is_done: bool = sqlx::query_scalar(
            "select not exists (select from delivery where state = 'open' and seal_at <= $1::timestamptz
                    or state in ('sealed', 'leased'))
                and (select bool_and(day >= date_trunc($2, ($1::timestamptz - interval '9 hours') at time zone 'Asia/Colombo')::date)
                    from daily_pass where name = 'reminders')
                and (select closing_day = ($1::timestamptz at time zone 'Asia/Colombo')::date from matcher_position)
                and (select day = date_trunc('week', ($1::timestamptz - interval '9 hours') at time zone 'Asia/Colombo')::date
                    from daily_pass where name = 'summary')",
        )
        .bind(&now)
        .bind("day")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
        if is_done {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("mails are still pending after ten seconds");
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
        message.header_raw("List-Unsubscribe")?;
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
    let mut held = portal.state.db.begin().await.unwrap();
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
    let mut held = portal.state.db.begin().await.unwrap();
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

#[tokio::test(flavor = "multi_thread")]
async fn change_is_mailed_once_at_the_alert_frequency() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let at_once = save_alert(&owner, "At once", "bridge", json!({})).await;
    save_alert(&owner, "Weekly", "bridge", json!({"frequency": "weekly"})).await;
    let mut tender = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    let mut other = publish_tender(&portal, "Bridge that does not belong", CLOSING).await;
    wait_until_matched(&portal).await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2, "one immediate mail and one digest");
    let owner = portal.sign_in("nimal").await;
    let mark = format!("{at_once}/matches/{}/irrelevance", other.id);
    owner.send(owner.request(Method::PUT, &mark), Method::PUT, &mark).await.expect(200);
    owner.put(&at_once, &json!({"name": "At once", "keywords": [{"term": "zebra"}]})).await.expect(200);

    // A new description and a change of a tender that is marked as irrelevant cause no mail.
    tender.description = "Longer now.".into();
    publish_revision(&portal, &tender).await;
    move_closing(&portal, &mut tender, "2026-12-27T14:00:00+05:30").await;
    move_closing(&portal, &mut other, "2026-12-28T14:00:00+05:30").await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    let change_mails = |mails: &[(String, String)]| {
        let mut changed: Vec<_> =
            mails.iter().filter(|(subject, _)| !subject.contains("new tender")).cloned().collect();
        changed.sort();
        changed
    };
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0].0, "Closing date changed: Bridge at Hatton");
    assert!(
        mails[0].1.contains("was Sun 20 Dec 2026, 2.00 p.m., now Sun 27 Dec 2026, 2.00 p.m. (34 days left)"),
        "{}",
        mails[0].1
    );
    tender.status = TenderStatus::Cancelled;
    publish_revision(&portal, &tender).await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(
        mails.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>(),
        ["Cancelled: Bridge at Hatton", "Closing date changed: Bridge at Hatton"]
    );
    // The weekly digest lists each tender once, with the change from the last mailed state to the
    // current one.
    set_clock(&portal, "2026-11-30T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(mails.len(), 3, "{mails:?}");
    assert_eq!(mails[0].0, "2 changed tenders: Bridge at Hatton and 1 more");
    assert_eq!(count(&portal, "select count(*) from match").await, 4, "a change is not a match");
}

#[tokio::test(flavor = "multi_thread")]
async fn change_before_the_first_mail_updates_the_item() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    save_alert(&owner, "Weekly", "bridge", json!({"frequency": "weekly"})).await;
    let mut tender = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    let mut gone = publish_tender(&portal, "Bridge that is taken down", CLOSING).await;
    wait_until_matched(&portal).await;
    move_closing(&portal, &mut tender, "2026-12-27T14:00:00+05:30").await;
    gone.status = TenderStatus::Withdrawn;
    publish_revision(&portal, &gone).await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, ["New tender: Bridge at Hatton (34 days left)"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn change_of_a_saved_tender_is_mailed_once() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let mut saved = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    owner.put(&format!("/saved/tenders/{}", saved.id), &json!({})).await.expect(200);
    portal.advance(1);
    move_closing(&portal, &mut saved, "2026-12-27T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await, ["Closing date changed: Bridge at Hatton"]);
    // If an immediate alert matches a saved tender, a change still causes only one mail.
    save_alert(&owner, "At once", "road", json!({})).await;
    let mut both = publish_tender(&portal, "Road to Galle", CLOSING).await;
    owner.put(&format!("/saved/tenders/{}", both.id), &json!({})).await.expect(200);
    wait_until_matched(&portal).await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    move_closing(&portal, &mut both, "2026-12-27T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(
        subjects(&portal, NIMAL)
            .await
            .iter()
            .filter(|subject| subject.ends_with("changed: Road to Galle"))
            .count(),
        1
    );
    // The unsubscribe link in the mail switches off mails about saved tenders.
    let mail =
        read_mails(&portal, NIMAL).into_iter().find(|(_, text)| text.contains("saved tenders")).unwrap().1;
    let link = mail.split_whitespace().find(|word| word.contains("/unsubscribe/")).unwrap().to_owned();
    let path = link.split_once("/unsubscribe").map(|(_, rest)| format!("/unsubscribe{rest}")).unwrap();
    assert!(portal.guest().get_unchecked(&path).await.text().contains("mails about your saved tenders"));
    let url = format!("http://{}{path}", portal.address);
    let post = async |body: &'static str| {
        let form =
            reqwest::Client::new().post(&url).header("content-type", "application/x-www-form-urlencoded");
        form.body(body).send().await.unwrap().text().await.unwrap()
    };
    let wants = async || {
        portal.sign_in("nimal").await.get("/auth/me").await.expect(200)["data"]["user"]["savedMails"].clone()
    };
    assert!(post("List-Unsubscribe=One-Click").await.contains("Switch them on again"));
    assert_eq!(wants().await, false);
    let before = subjects(&portal, NIMAL).await.len();
    move_closing(&portal, &mut saved, "2026-12-29T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await.len(), before);
    assert!(post("again=1").await.contains("Mails are on again"));
    assert_eq!(wants().await, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn tender_matches_once_when_it_reaches_the_days_limit() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    publish_tender(&portal, "Bridge before the alert", CLOSING).await;
    let form = json!({"name": "Soon", "keywords": [{"term": "bridge"}], "advancedFilters": {"maxDaysUntilClosing": 10}});
    owner.post("/alerts", &form).await.expect(201);
    publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    publish_tender(&portal, "Bridge at Matara", "2026-12-04T10:00:00+05:30").await;
    publish_tender(&portal, "Road to Galle", "2026-12-04T10:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, Vec::<String>::new());
    // The clock skips the day on which the tender at Matara has ten days left. The tender is still
    // mailed, and only once.
    set_clock(&portal, "2026-11-26T00:30:00+05:30").await;
    wait_until_settled(&portal).await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await, ["New tender: Bridge at Matara (8 days left)"]);
    set_clock(&portal, "2026-12-09T23:59:00+05:30").await;
    wait_until_settled(&portal).await;
    assert_eq!(count(&portal, "select count(*) from match").await, 1);
    set_clock(&portal, "2026-12-10T00:00:00+05:30").await;
    wait_until_settled(&portal).await;
    portal.advance(60);
    assert_eq!(
        subjects(&portal, NIMAL).await,
        ["New tender: Bridge at Hatton (10 days left)", "New tender: Bridge at Matara (8 days left)"]
    );
    // Setting the clock back and forward again causes no further mail.
    set_clock(&portal, "2026-12-08T12:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-12-11T12:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_reminders_are_sent_three_days_and_one_day_before() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    create_subscriber(&portal, "kamala", "basic").await;
    wait_until_settled(&portal).await;
    let mut first = publish_tender(&portal, "Bridge at Hatton", "2026-11-25T14:00:00+05:30").await;
    let second = publish_tender(&portal, "Road to Galle", "2026-11-25T10:00:00+05:30").await;
    let mut cancelled = publish_tender(&portal, "Chairs", "2026-11-25T10:00:00+05:30").await;
    for tender in [&first, &second, &cancelled] {
        owner.put(&format!("/saved/tenders/{}", tender.id), &json!({})).await.expect(200);
    }
    sqlx::query("insert into favourite select u.id, t.id, t.created_at from users u, tender t where u.email like 'kamala%'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    set_clock(&portal, "2026-11-22T08:59:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, Vec::<String>::new());
    cancelled.status = TenderStatus::Cancelled;
    publish_revision(&portal, &cancelled).await;
    portal.advance(30);
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-22T09:00:00+05:30").await;
    let both = "2 closing soon: Road to Galle and 1 more";
    assert_eq!(subjects(&portal, NIMAL).await, [both, "Cancelled: Chairs"]);
    portal.advance(3600);
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2, "the reminder is sent once");
    // The closing moves. The user is notified and later reminded of the new date.
    set_clock(&portal, "2026-11-23T12:00:00+05:30").await;
    move_closing(&portal, &mut first, "2026-11-28T14:00:00+05:30").await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-24T09:30:00+05:30").await;
    let so_far =
        [both, "1 day left: Road to Galle", "Cancelled: Chairs", "Closing date changed: Bridge at Hatton"];
    let sorted = |subjects: &[&str]| {
        let mut sorted: Vec<String> = subjects.iter().map(|subject| (*subject).to_owned()).collect();
        sorted.sort();
        sorted
    };
    assert_eq!(subjects(&portal, NIMAL).await, sorted(&so_far));
    set_clock(&portal, "2026-11-25T09:00:00+05:30").await;
    assert_eq!(
        subjects(&portal, NIMAL).await,
        sorted(&[so_far.as_slice(), &["3 days left: Bridge at Hatton"]].concat())
    );
    // Setting the clock back causes no second reminder. A missed reminder is sent later.
    set_clock(&portal, "2026-11-22T10:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-28T09:00:00+05:30").await;
    assert_eq!(
        subjects(&portal, NIMAL).await,
        sorted(
            &[so_far.as_slice(), &["3 days left: Bridge at Hatton", "closes today: Bridge at Hatton"]]
                .concat()
        )
    );
    // Kamala's plan does not include saved tenders.
    let kamala = read_mails(&portal, "kamala@example.lk");
    assert!(kamala.iter().all(|(subject, _)| subject.starts_with("This week: ")), "{kamala:?}");
    assert!(kamala.iter().all(|(_, text)| !text.contains("Chairs")), "cancelled: {kamala:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn weekly_summary_is_sent_on_monday() {
    let portal = start_portal().await;
    create_subscriber(&portal, "kamala", "basic").await;
    create_subscriber(&portal, "nimal", "professional").await;
    register(&portal, "free", "en").await;
    wait_until_settled(&portal).await;
    for nth in 0..25 {
        portal.advance(60);
        let mut tender = publish_tender(&portal, &format!("Bridge number {nth}."), CLOSING).await;
        if nth == 24 {
            tender.visibility = Visibility::Premium;
            publish_revision(&portal, &tender).await;
        }
    }
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    let kamala = "kamala@example.lk";
    assert_eq!(subjects(&portal, kamala).await, ["This week: 25 new tenders"]);
    let text = read_mails(&portal, kamala).remove(0).1;
    assert_eq!(text.matches("\nBridge number ").count(), 20, "{text}");
    assert!(text.contains("Bridge number 23.\n") && text.contains("Bridge number 4.\n"), "{text}");
    assert!(!text.contains("Bridge number 24.") && !text.contains("Bridge number 3.\n"), "{text}");
    assert_eq!(read_mails(&portal, NIMAL).len() + read_mails(&portal, "free@example.lk").len(), 0);
    portal.advance(3600);
    wait_until_settled(&portal).await;
    assert_eq!(count(&portal, "select count(*) from delivery where kind = 'summary'").await, 1);
    // Without new tenders, no summary is sent. A summary that was missed on Monday is sent on
    // Wednesday.
    set_clock(&portal, "2026-12-01T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 1);
    publish_tender(&portal, "Road to Galle", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-09T12:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 1, "the tender was published more than a week ago");
    publish_tender(&portal, "Road to Matara", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-16T11:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await, ["This week: 25 new tenders", "This week: one new tender"]);
    // The user switches the summary off.
    let client = portal.sign_in("kamala").await;
    client.put("/auth/profile", &json!({"weeklySummary": false})).await.expect(200);
    publish_tender(&portal, "Road to Jaffna", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-21T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 2);
}
