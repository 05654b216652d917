//! Batches of notices that an administrator withdraws, the mails to their readers, and the undo.

use crate::{
    newspaper_pages::upload_page,
    notice_sources::{CORRIGENDUM, ORIGINAL_NOTICE, TestNotice, current_tender, publications, send_notice},
    operate::{last_entry, staff},
    support::{
        Client, TestPortal,
        killable_server::{KillableServer, KilledProcess},
        mailbox::{find_mail, mails, text},
        publishing,
        smtp::Behaviour,
        wait_for,
    },
};
use api::{base::clock::Clock, jobs::withdraw_batches};
use serde_json::{Value, json};
use sqlx::PgPool;
use tender_model::vocabulary::TenderStatus;
use uuid::Uuid;

/// A notice with a tender of its own.
const BRIDGE: TestNotice<'static> =
    TestNotice { title: "Bridge over the river at Hatton", reference: "B/1", ..ORIGINAL_NOTICE };
const DAILY_ISSUE: (&str, &str) = ("Daily Test", "2026-11-20");

fn issue((publication, date): (&str, &str)) -> Value {
    json!({"publication": publication, "date": date})
}

async fn preview(admin: &Client, batch: &Value) -> Value {
    admin.post("/operate/batches/preview", batch).await.expect(200)["data"].clone()
}

/// Starts to withdraw a batch with the number of notices in its preview.
pub async fn withdraw(admin: &Client, batch: &Value) -> Value {
    let notices = preview(admin, batch).await["notices"].clone();
    let form = json!({"batch": batch, "reason": "Wrong issue date", "notices": notices});
    admin.post("/operate/batches", &form).await.expect(201)["data"]["withdrawal"].clone()
}

fn path(withdrawal: &Value) -> String {
    format!("/operate/batches/{}", withdrawal["_id"].as_str().unwrap())
}

async fn read(admin: &Client, withdrawal: &Value) -> Value {
    admin.get(&path(withdrawal)).await.expect(200)["data"]["withdrawal"].clone()
}

/// Waits until all withdrawals are finished, and returns this one.
async fn finished(portal: &TestPortal, admin: &Client, withdrawal: &Value) -> Value {
    wait_until_finished(&portal.state.db).await;
    read(admin, withdrawal).await
}

pub async fn wait_until_finished(db: &PgPool) {
    wait_for(db, "select bool_and(state in ('done', 'undone')) from batch_withdrawal").await;
}

async fn status(portal: &TestPortal, published: &Value) -> TenderStatus {
    current_tender(portal, published).await.status
}

/// The number of mails to an address whose text contains `part`.
async fn count_mails(portal: &TestPortal, name: &str, part: &str) -> usize {
    let all = mails(portal, &format!("{name}@example.lk"), 1).await;
    all.iter().filter(|mail| text(mail).contains(part)).count()
}

async fn save_alert(client: &Client, term: &str, frequency: &str) {
    let alert =
        json!({"name": term, "keywords": [{"term": term}], "emailSettings": {"frequency": frequency}});
    client.post("/alerts", &alert).await.expect(201);
}

#[tokio::test]
async fn issue_is_withdrawn_its_readers_are_mailed_once_and_the_undo_restores_it() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let mailed = portal.subscriber("kamala", "supplier", Some("professional")).await;
    let waiting = portal.subscriber("ruwan", "supplier", Some("professional")).await;
    let saver = portal.subscriber("sunil", "supplier", Some("professional")).await;
    save_alert(&mailed, "road", "immediate").await;
    save_alert(&mailed, "bridge", "immediate").await;
    save_alert(&waiting, "bridge", "daily").await;
    portal.advance(1);

    let road = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let bridge = send_notice(&operator, 2, BRIDGE).await;
    // The road is printed in another newspaper, too. Two prints of the canal are in the issue.
    let weekly = TestNotice { newspaper: "Weekly Test", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 3, weekly).await["outcome"], "merged");
    let canal = TestNotice { title: "Desilting of the road canal at Matara", reference: "C/904", ..BRIDGE };
    let canals = send_notice(&operator, 4, canal).await;
    assert_eq!(send_notice(&operator, 5, canal).await["outcome"], "merged");
    let doubtful = TestNotice { reference: "RDA/SP/2026/118", newspaper: "Daily test", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 6, doubtful).await, json!({"outcome": "review"}));
    let later = TestNotice { title: "Tyres for buses", reference: "T/5", day: "2026-11-19", ..BRIDGE };
    let other = send_notice(&operator, 7, later).await;
    saver.put(&format!("/saved/tenders/{}", bridge["_id"].as_str().unwrap()), &json!({})).await.expect(200);
    portal.wait_until_matched().await;
    portal.advance(60);
    // The two alerts have two mails.
    for title in ["Hatton", "Matara"] {
        find_mail(&portal, "kamala@example.lk", title).await;
    }

    let batch = issue(DAILY_ISSUE);
    let counts =
        json!({"notices": 5, "waiting": 1, "tenders": 2, "printedElsewhere": 1, "owned": 0, "readers": 2});
    assert_eq!(preview(&admin, &batch).await, counts);
    let started = withdraw(&admin, &batch).await;
    assert_eq!((&started["state"], &started["notices"]), (&json!("withdrawing"), &json!(5)));
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("withdraw-batch"), &started["_id"]));
    let audited = json!({"publication": "Daily Test", "date": "2026-11-20", "reason": "Wrong issue date", "notices": 5,
        "tenders": 2});
    assert_eq!((&entry["before"], &entry["after"]), (&json!(null), &audited));

    let done = finished(&portal, &admin, &started).await;
    assert_eq!(
        (&done["state"], &done["withdrawnNotices"], &done["withdrawnTenders"], &done["keptTenders"]),
        (&json!("done"), &json!(5), &json!(2), &json!(1)),
        "{done}"
    );
    assert_eq!((&done["mailed"], &done["startedBy"]), (&json!(2), &json!("amara@example.lk")));
    for gone in [&bridge, &canals] {
        assert_eq!(status(&portal, gone).await, TenderStatus::Withdrawn);
    }
    assert_eq!(status(&portal, &other).await, TenderStatus::Published);
    assert_eq!(publications(&current_tender(&portal, &road).await), ["Weekly Test"]);
    assert_eq!(admin.get("/operate/review").await.expect(200)["data"]["notices"], json!([]));

    // One mail for both alerts and both tenders. The daily digest, which was not sent, says nothing.
    let mail = find_mail(&portal, "kamala@example.lk", "We have withdrawn 2 tenders").await;
    assert!(mail.contains("Hatton") && mail.contains("Matara") && !mail.contains("Elpitiya"), "{mail}");
    assert!(!mail.contains("Wrong issue date"), "{mail}");
    find_mail(&portal, "sunil@example.lk", "We have withdrawn a tender").await;
    portal.wait_until_matched().await;
    portal.advance(24 * 3600);
    find_mail(&portal, "sunil@example.lk", "We have withdrawn a tender").await;
    wait_for(&portal.state.db, "select not exists (select from delivery where state = 'open')").await;
    for (name, count) in [("kamala", 1), ("sunil", 1), ("ruwan", 0)] {
        assert_eq!(count_mails(&portal, name, "We have withdrawn").await, count, "{name}");
    }
    assert_eq!(count_mails(&portal, "ruwan", "Hatton").await, 0);

    // Neither the same notices nor another reading of them come back.
    let admin = portal.sign_in("amara").await;
    assert_eq!(send_notice(&operator, 2, BRIDGE).await, json!({"outcome": "unchanged"}));
    let again = TestNotice { text: "Sealed bids are invited for the bridge.", ..BRIDGE };
    assert_eq!(send_notice(&operator, 2, again).await, json!({"outcome": "updated"}));
    assert_eq!(status(&portal, &bridge).await, TenderStatus::Withdrawn);
    assert_eq!(preview(&admin, &batch).await["notices"], 0);
    let empty = json!({"batch": batch, "reason": "x", "notices": 0});
    admin.post("/operate/batches", &empty).await.expect_error(409);

    let undo = format!("{}/undo", path(&started));
    let undoing = admin.post(&undo, &json!({})).await.expect(200)["data"]["withdrawal"].clone();
    assert_eq!((&undoing["state"], &undoing["undoUntil"]), (&json!("undoing"), &json!(null)));
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["before"]["tenders"]), (&json!("undo-batch-withdrawal"), &json!(2)));
    assert_eq!(entry["before"]["publication"], "Daily Test");
    let undone = finished(&portal, &admin, &started).await;
    assert_eq!(
        (&undone["state"], &undone["restoredNotices"], &undone["restoredTenders"], &undone["mailedUndo"]),
        (&json!("undone"), &json!(5), &json!(2), &json!(3)),
        "{undone}"
    );
    for back in [&bridge, &canals] {
        assert_eq!(status(&portal, back).await, TenderStatus::Published);
    }
    assert_eq!(current_tender(&portal, &bridge).await.full_text_markdown, again.text);
    assert_eq!(publications(&current_tender(&portal, &road).await), ["Daily Test", "Weekly Test"]);
    assert_eq!(publications(&current_tender(&portal, &canals).await).len(), 1, "one source for one place");
    assert_eq!(admin.get("/operate/review").await.expect(200)["data"]["total"], 1);
    find_mail(&portal, "kamala@example.lk", "2 tenders that we had withdrawn are open again").await;
    // The reader of the digest was not told of the withdrawal, and learns of the tender now.
    find_mail(&portal, "ruwan@example.lk", "that we had withdrawn").await;
    portal.wait_until_matched().await;
    portal.advance(60);
    assert_eq!(count_mails(&portal, "kamala", "had withdrawn are open again").await, 1);
    admin.post(&undo, &json!({})).await.expect_error(409);
    let listed = admin.get("/operate/batches").await.expect(200)["data"].clone();
    assert_eq!((&listed["withdrawals"][0], &listed["next"]), (&read(&admin, &started).await, &json!(null)));
}

#[tokio::test]
async fn tender_of_a_supplier_stays_and_a_corrigendum_is_taken_back() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let supplier = portal.user("nimal", "supplier").await;
    let form = json!({
        "title": "Two hundred chairs for the school", "description": "Chairs.", "referenceNo": "S/1", "category": "Furniture",
        "status": "published", "organization": {"name": "Road Development Authority"},
        "location": {"province": "Western", "district": "Gampaha"}, "dates": {"closing": "2026-12-15"},
    });
    let chairs = supplier.post("/tenders", &form).await.expect(201)["data"]["tender"].clone();
    let printed =
        TestNotice { title: "Two hundred chairs for the school", reference: "S/1", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 1, printed).await["outcome"], "review");
    let decision = json!({"decision": "source", "tender": chairs["_id"]});
    operator.post(&format!("/operate/review/{:032x}", 1), &decision).await.expect(200);
    let bridge = send_notice(&operator, 2, BRIDGE).await;
    let extended = TestNotice { title: BRIDGE.title, reference: BRIDGE.reference, ..CORRIGENDUM };
    assert_eq!(send_notice(&operator, 3, extended).await["outcome"], "corrected");

    let of_day = preview(&admin, &issue(DAILY_ISSUE)).await;
    assert_eq!((&of_day["owned"], &of_day["tenders"]), (&json!(1), &json!(1)));
    let started = withdraw(&admin, &issue(("Daily Test", CORRIGENDUM.day))).await;
    let done = finished(&portal, &admin, &started).await;
    assert_eq!((&done["withdrawnTenders"], &done["keptTenders"]), (&json!(0), &json!(1)));
    let closing = async || current_tender(&portal, &bridge).await.dates.closing.unwrap().to_string();
    assert_eq!(closing().await, BRIDGE.closing);
    admin.post(&format!("{}/undo", path(&started)), &json!({})).await.expect(200);
    finished(&portal, &admin, &started).await;
    assert_eq!(closing().await, CORRIGENDUM.closing);

    let started = withdraw(&admin, &issue(DAILY_ISSUE)).await;
    let done = finished(&portal, &admin, &started).await;
    assert_eq!((&done["withdrawnTenders"], &done["keptTenders"]), (&json!(1), &json!(1)));
    assert_eq!(status(&portal, &chairs).await, TenderStatus::Published);
    // The corrigendum waits for its tender until that is published again.
    assert_eq!(admin.get("/operate/review").await.expect(200)["data"]["total"], 1);
    admin.post(&format!("{}/undo", path(&started)), &json!({})).await.expect(200);
    finished(&portal, &admin, &started).await;
    assert_eq!(status(&portal, &bridge).await, TenderStatus::Published);
    assert_eq!(closing().await, CORRIGENDUM.closing);
    assert_eq!(admin.get("/operate/review").await.expect(200)["data"]["total"], 0);
}

#[tokio::test]
async fn batch_is_a_file_or_what_a_token_sent() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let page = upload_page(&admin, "a page").await;
    let one = portal.operator().await;
    portal.advance(1);
    let other = portal.operator().await;
    let bridge = send_notice(&one, 1, BRIDGE).await;
    send_notice(&other, 2, ORIGINAL_NOTICE).await;
    let page_id: Uuid = page["_id"].as_str().unwrap().parse().unwrap();
    sqlx::query(
        "insert into page_block (page_id, number, x, y, width, height, outcome, notice_key)
        values ($1, 1, 0, 0, 1, 1, 'tender', $2)",
    )
    .bind(page_id)
    .bind(format!("{:032x}", 1))
    .execute(&portal.state.db)
    .await
    .unwrap();
    let file = json!({"file": page["fileId"]});
    assert_eq!(preview(&admin, &file).await["notices"], 1);

    let tokens = admin.get("/operate/tokens").await.expect(200)["data"]["tokens"].clone();
    let sent = |token: &Value, from: &str, until: &str| {
        let day = |time: &str| format!("2026-11-20T{time}:00+05:30");
        json!({"token": token["_id"], "from": day(from), "until": day(until)})
    };
    // The latest token is the first one.
    for (token, from, until, notices) in [
        (1, "12:00", "12:01", 1),
        (0, "12:00", "12:01", 1),
        (1, "11:00", "12:00", 0),
        (1, "12:01", "13:00", 0),
    ] {
        let batch = sent(&tokens[token], from, until);
        assert_eq!(preview(&admin, &batch).await["notices"], notices, "{batch}");
    }

    let started = withdraw(&admin, &file).await;
    let known = json!({"kind": "file", "file": page["fileId"], "name": "p1.pdf"});
    assert_eq!(started["batch"], known);
    finished(&portal, &admin, &started).await;
    assert_eq!(status(&portal, &bridge).await, TenderStatus::Withdrawn);
    portal.advance(1);
    let started = withdraw(&admin, &sent(&tokens[0], "12:00", "12:01")).await;
    assert_eq!((&started["batch"]["kind"], &started["batch"]["name"]), (&json!("sent"), &json!("test")));

    // The list is read in parts, and a withdrawal can be undone for seven days.
    finished(&portal, &admin, &started).await;
    portal.advance(7 * 24 * 3600 - 1);
    let admin = portal.sign_in("amara").await;
    let undo = format!("{}/undo", path(&started));
    portal.advance(1);
    admin.post(&undo, &json!({})).await.expect_error(409);
    let rest = format!("/operate/batches?after={}", started["_id"].as_str().unwrap());
    let rest = admin.get(&rest).await.expect(200)["data"]["withdrawals"].clone();
    assert_eq!((rest.as_array().unwrap().len(), &rest[0]["batch"]), (1, &known));
}

#[tokio::test]
async fn batch_and_reason_must_be_clear_and_only_administrators_withdraw() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let operator = portal.operator().await;
    send_notice(&operator, 1, BRIDGE).await;
    let (token, file) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let (noon, evening) = ("2026-11-20T12:00:00+05:30", "2026-11-20T18:00:00+05:30");
    for batch in [
        json!({}),
        json!({"publication": "Daily Test"}),
        json!({"publication": "Daily Test", "date": "20.11.2026"}),
        json!({"publication": "x".repeat(101), "date": "2026-11-20"}),
        json!({"publication": "Daily Test", "date": "2026-11-20", "file": file}),
        json!({"token": token, "from": noon}),
        json!({"token": token, "from": evening, "until": noon}),
        json!({"token": token, "from": "noon", "until": evening}),
    ] {
        admin.post("/operate/batches/preview", &batch).await.expect_error(422);
    }
    let form = |reason: &str, notices: usize| json!({"batch": issue(DAILY_ISSUE), "reason": reason, "notices": notices});
    for reason in [" ", &"x".repeat(501), "two\nlines"] {
        admin.post("/operate/batches", &form(reason, 1)).await.expect_error(422);
    }
    let refused = admin.post("/operate/batches", &form("Wrong", 2)).await.expect_error(409);
    assert_eq!(refused, "The batch has changed since the preview. Look at it again");
    let unknown = format!("/operate/batches/{file}");
    admin.get(&unknown).await.expect_error(404);
    admin.post(&format!("{unknown}/undo"), &json!({})).await.expect_error(404);
    assert_eq!(preview(&admin, &json!({"file": file})).await["notices"], 0);
    for client in [&reviewer, &portal.user("nimal", "supplier").await] {
        client.get("/operate/batches").await.expect_error(403);
        client.get(&unknown).await.expect_error(403);
        client.post(&format!("{unknown}/undo"), &json!({})).await.expect_error(403);
        client.post("/operate/batches", &form("Wrong", 1)).await.expect_error(403);
        client.post("/operate/batches/preview", &issue(DAILY_ISSUE)).await.expect_error(403);
    }
    portal.guest().get("/operate/batches").await.expect_error(401);
    // A token is no administrator.
    operator.get("/operate/batches").await.expect_error(401);
    let state = admin.get("/operate/batches").await.expect(200);
    assert_eq!(state["data"]["withdrawals"], json!([]));
}

/// Signs up an administrator of a portal without jobs.
async fn administrator(server: &KillableServer) -> Client {
    let form = json!({"firstName": "Amara", "lastName": "Perera", "email": "amara@example.lk",
        "password": "secret-of-theirs", "role": "supplier"});
    Client::new(server.address).post("/auth/register", &form).await.expect(201);
    sqlx::query("update users set role = 'admin' where email = 'amara@example.lk'")
        .execute(&server.portal.db)
        .await
        .unwrap();
    server.sign_in("amara@example.lk").await
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_withdrawal_goes_on_and_mails_once() {
    const NOTICES: u32 = 60;
    const KILLS: [u64; 5] = [20, 60, 120, 200, 350];
    let server = KillableServer::new(&[]).await;
    let db = &server.portal.db;
    let subscriber = publishing::create_subscriber(db, "bridge").await;
    // The plan starts at the time of the system clock.
    server.portal.clock.set(Clock::system().now());
    let base = format!("http://{}", server.address);
    for nth in 1..=NOTICES {
        publishing::publish(&base, &subscriber.operator_token, nth, "Construction of a bridge").await;
    }
    server.run_until_done(&[]).await;
    let admin = administrator(&server).await;
    let started = withdraw(&admin, &issue(DAILY_ISSUE)).await;
    let id = started["_id"].as_str().unwrap().parse().unwrap();

    // The job stops after its first transaction.
    assert!(withdraw_batches::step(&server.portal, id).await.unwrap());
    let rejected = async |db: &PgPool| {
        sqlx::query_scalar::<_, i64>("select count(*) from notice where role = 'rejected' and by_operator")
            .fetch_one(db)
            .await
            .unwrap()
    };
    let first = rejected(db).await;
    assert!(first > 0 && first < i64::from(NOTICES), "{first}");
    assert_eq!(read(&admin, &started).await["withdrawnNotices"], first);
    // Notices that wait for their turn are in no other batch.
    assert_eq!(preview(&admin, &issue(DAILY_ISSUE)).await["notices"], 0);

    let kills = KILLS.map(|milliseconds| KilledProcess { milliseconds, smtp: Behaviour::Accept });
    server.run_until_done(&kills).await;
    let process = server.start_process();
    wait_until_finished(db).await;
    process.shutdown_background();
    let done = read(&admin, &started).await;
    assert_eq!((&done["withdrawnNotices"], &done["withdrawnTenders"]), (&json!(NOTICES), &json!(NOTICES)));
    assert_eq!(rejected(db).await, i64::from(NOTICES));
    // A further step changes nothing.
    assert!(!withdraw_batches::step(&server.portal, id).await.unwrap());
    server.run_until_done(&[]).await;
    let told: i64 = sqlx::query_scalar(
        "select count(distinct delivery_id) from delivery_item i join delivery d on d.id = i.delivery_id
        where i.reason like 'change:%' and d.state = 'sent'",
    )
    .fetch_one(db)
    .await
    .unwrap();
    assert_eq!((told, &done["mailed"]), (1, &json!(1)));

    // So does the undo.
    admin.post(&format!("{}/undo", path(&started)), &json!({})).await.expect(200);
    server.run_until_done(&kills).await;
    let process = server.start_process();
    wait_until_finished(db).await;
    process.shutdown_background();
    let undone = read(&admin, &started).await;
    assert_eq!((&undone["restoredTenders"], &undone["mailedUndo"]), (&json!(NOTICES), &json!(1)));
    assert_eq!(rejected(db).await, 0);
    let published: i64 = sqlx::query_scalar("select count(*) from tender where status = 'published'")
        .fetch_one(db)
        .await
        .unwrap();
    assert_eq!(published, i64::from(NOTICES));
}

#[tokio::test]
async fn withdrawal_that_is_undone_at_once_leaves_the_other_notices_alone() {
    let server = KillableServer::new(&[]).await;
    let db = &server.portal.db;
    let subscriber = publishing::create_subscriber(db, "bridge").await;
    server.portal.clock.set(Clock::system().now());
    let base = format!("http://{}", server.address);
    for nth in 1..=40 {
        publishing::publish(&base, &subscriber.operator_token, nth, "Construction of a bridge").await;
    }
    let admin = administrator(&server).await;
    let started = withdraw(&admin, &issue(DAILY_ISSUE)).await;
    let id = started["_id"].as_str().unwrap().parse().unwrap();
    assert!(withdraw_batches::step(&server.portal, id).await.unwrap());
    let withdrawn = read(&admin, &started).await["withdrawnNotices"].clone();
    admin.post(&format!("{}/undo", path(&started)), &json!({})).await.expect(200);
    while withdraw_batches::step(&server.portal, id).await.unwrap() {}
    let undoing = read(&admin, &started).await;
    // The matcher is not running, so that it is not known yet who is told.
    assert_eq!((&undoing["state"], &undoing["restoredNotices"]), (&json!("telling-undo"), &withdrawn));
    server.run_until_done(&[]).await;
    while withdraw_batches::step(&server.portal, id).await.unwrap() {}
    let changed: i64 =
        sqlx::query_scalar("select count(*) from notice where by_operator").fetch_one(db).await.unwrap();
    assert_eq!((changed, &read(&admin, &started).await["state"]), (0, &json!("undone")));
}
