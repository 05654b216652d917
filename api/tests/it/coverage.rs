//! Which newspapers were read on which days: the table of expected newspapers, the states of their
//! issues, the calendar of holidays, and the mails about gaps.

use crate::{
    documents::pdf,
    newspaper_pages::{file_part, page_list, send_form, send_result, take},
    notice_sources::{ORIGINAL_NOTICE, TestNotice, send_notice},
    operate::{last_entry, staff, waiting_work},
    support::{
        Client, TestPortal,
        mailbox::{find_mail, mails, text},
        publishing::CLIP,
    },
};
use axum::http::Method;
use serde_json::{Value, json};

const HOUR: i64 = 3600;
const ALL_DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A newspaper that appears on all days and is due at one o'clock. The clock of a portal starts at
/// noon on Friday 20 November 2026.
fn form(name: &str) -> Value {
    json!({"name": name, "weekdays": ALL_DAYS, "dueTime": "13:00", "printsOnPoya": true,
        "printsOnHolidays": true, "activeFrom": "2026-11-18"})
}

fn with(form: Value, changes: &Value) -> Value {
    let mut form = form;
    form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    form
}

async fn add(client: &Client, form: &Value) -> Value {
    client.post("/operate/papers", form).await.expect(201)["data"]["paper"].clone()
}

fn path(paper: &Value) -> String {
    format!("/operate/papers/{}", paper["_id"].as_str().unwrap())
}

async fn coverage(client: &Client, query: &str) -> Value {
    client.get(&format!("/operate/coverage{query}")).await.expect(200)["data"].clone()
}

/// The states of the issues of the first newspaper.
async fn states(client: &Client, query: &str) -> Vec<String> {
    let found = coverage(client, query).await;
    let issues = found["papers"][0]["issues"].as_array().unwrap().clone();
    issues.iter().map(|issue| issue["state"].as_str().unwrap().to_owned()).collect()
}

/// The issue of the first newspaper on 20 November.
async fn issue(client: &Client) -> Value {
    let found = coverage(client, "?from=2026-11-20&to=2026-11-20").await;
    found["papers"][0]["issues"][0].clone()
}

async fn upload(client: &Client, newspaper: &str, text: &str) {
    let form = file_part("p1.pdf", pdf(text));
    let form = form.text("publication", newspaper.to_owned()).text("date", "2026-11-20");
    send_form(client, Method::POST, "/operate/pages", form).await.expect(201);
}

async fn read_page(operator: &Client, newspaper: &str) {
    let task = take(operator, "desk").await;
    let reading = json!({"publication": newspaper, "date": "2026-11-20", "pageCount": 1, "blocks": []});
    send_result(operator, &task, &reading, CLIP).await.expect(200);
}

#[tokio::test]
async fn state_of_an_issue_follows_its_pages_and_the_hour() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let operator = portal.operator().await;
    let weekdays = json!({"weekdays": ["friday", "wednesday", "thursday"], "minPages": 2});
    add(&reviewer, &with(form("Daily Test"), &weekdays)).await;
    let days = "?from=2026-11-17&to=2026-11-21";
    // Tuesday is before the first day, and Saturday is no day of the newspaper.
    let expected = ["not-expected", "missing", "missing", "due", "not-expected"];
    assert_eq!(states(&reviewer, days).await, expected);
    assert_eq!(waiting_work(&reviewer, "gaps").await, 0);
    portal.advance(HOUR);
    let reviewer = portal.sign_in("ravi").await;
    assert_eq!(states(&reviewer, days).await[3], "missing");
    let missing = issue(&reviewer).await;
    assert_eq!((&missing["isGap"], &missing["dueAt"]), (&json!(true), &json!("2026-11-20T13:00:00+05:30")));
    assert_eq!(waiting_work(&reviewer, "gaps").await, 1);

    // Pages that nobody has read leave the gap open. The spelling at the upload counts.
    upload(&reviewer, "daily-TEST", "one").await;
    let waiting = issue(&reviewer).await;
    assert_eq!(
        (&waiting["state"], &waiting["isGap"], &waiting["waiting"]),
        (&json!("waiting"), &json!(true), &json!(1))
    );
    sqlx::query("update page set state = 'set-aside', failure = 'Not a page'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    let failed = issue(&reviewer).await;
    assert_eq!(
        (&failed["state"], &failed["isGap"], &failed["failed"]),
        (&json!("failed"), &json!(true), &json!(1))
    );
    let page = page_list(&reviewer, "").await[0].clone();
    let reading = format!("/operate/pages/{}/reading", page["_id"].as_str().unwrap());
    reviewer.post(&reading, &json!({})).await.expect(200);

    read_page(&operator, "  Daily  Test").await;
    let partial = issue(&reviewer).await;
    assert_eq!((&partial["state"], &partial["isGap"]), (&json!("partial"), &json!(false)));
    assert_eq!(waiting_work(&reviewer, "gaps").await, 0);
    upload(&reviewer, "DAILY TEST", "two").await;
    assert_eq!(issue(&reviewer).await["state"], "partial");
    read_page(&operator, "").await;
    let complete = issue(&reviewer).await;
    assert_eq!((&complete["state"], &complete["read"]), (&json!("read"), &json!(2)));
    // A page that is read again keeps its result.
    reviewer.post(&reading, &json!({})).await.expect(200);
    assert_eq!(issue(&reviewer).await["state"], "read");
}

#[tokio::test]
async fn notices_without_pages_and_newspapers_outside_the_table_are_shown() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let operator = portal.operator().await;
    send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let other = TestNotice {
        newspaper: "Evening Test",
        title: "Supply of tyres",
        reference: "T/9",
        ..ORIGINAL_NOTICE
    };
    send_notice(&operator, 2, other).await;
    add(&reviewer, &with(form("The Test"), &json!({"spellings": ["DAILY-test", " ", "Daily Test"]}))).await;
    upload(&reviewer, "", "unknown").await;

    let found = coverage(&reviewer, "").await;
    assert_eq!((&found["from"], &found["to"]), (&json!("2026-11-07"), &json!("2026-11-20")));
    assert_eq!((&found["today"], &found["unknownIssues"]), (&json!("2026-11-20"), &json!(1)));
    assert_eq!(found["papers"][0]["paper"]["spellings"], json!(["DAILY-test"]), "each spelling once");
    let issues = found["papers"][0]["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 14);
    assert_eq!((&issues[13]["state"], &issues[13]["notices"]), (&json!("read"), &json!(1)));
    assert_eq!(found["unlisted"].as_array().unwrap().len(), 1);
    assert_eq!(found["unlisted"][0]["name"], "Evening Test");
    let evening = &found["unlisted"][0]["issues"][13];
    assert_eq!(
        (&evening["state"], &evening["notices"], &evening["dueAt"]),
        (&json!("read"), &json!(1), &json!(null))
    );
    // Without the newspaper in the table, its pages and notices still show.
    let paper = found["papers"][0]["paper"].clone();
    reviewer.delete(&path(&paper)).await.expect(200);
    assert_eq!(coverage(&reviewer, "").await["unlisted"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn holidays_and_pauses_are_no_gaps() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    portal.advance(9 * 24 * HOUR);
    let admin_client = async || portal.sign_in("amara").await;
    let client = admin_client().await;
    let no_poya = json!({"printsOnPoya": false});
    let paper = add(&client, &with(form("Daily Test"), &no_poya)).await;
    let days = "?from=2026-11-23&to=2026-11-26";
    // 24 November 2026 is Il Poya.
    assert_eq!(states(&client, days).await, ["missing", "not-expected", "missing", "missing"]);
    let shown = coverage(&client, days).await;
    let poya = json!([{"date": "2026-11-24", "name": "Il Full Moon Poya Day", "kind": "poya"}]);
    assert_eq!((&shown["holidays"], &shown["holidaysUntil"]), (&poya, &json!("2027-12-25")));

    let strike = "/operate/holidays/2026-11-25";
    client.put(strike, &json!({"name": "Strike", "kind": "no-papers"})).await.expect(200);
    assert_eq!(states(&client, days).await[2], "not-expected");
    let entry = last_entry(&client).await;
    assert_eq!(
        (&entry["action"], &entry["subject"], &entry["subjectId"]),
        (&json!("set-holiday"), &json!("holiday"), &json!("2026-11-25"))
    );
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!(null), &json!({"name": "Strike", "kind": "no-papers"}))
    );
    // A newspaper that appears on public holidays is expected again.
    client.put(strike, &json!({"name": "Strike", "kind": "public"})).await.expect(200);
    assert_eq!(states(&client, days).await[2], "missing");
    client.put(strike, &json!({"name": "Strike", "kind": "public"})).await.expect(200);
    let entries = client.get("/operate/audit?action=set-holiday").await.expect(200);
    assert_eq!(entries["data"]["entries"].as_array().unwrap().len(), 2, "nothing changed the third time");
    let listed = client.get("/operate/holidays?year=2026").await.expect(200)["data"].clone();
    assert_eq!(listed["holidays"].as_array().unwrap().len(), 26);
    client.delete(strike).await.expect(200);
    client.delete(strike).await.expect_error(404);
    assert_eq!(last_entry(&client).await["before"], json!({"name": "Strike", "kind": "public"}));

    // Today is 29 November. A pause begins today and leaves the days before as they were.
    let days = "?from=2026-11-28&to=2026-11-30";
    let paused = with(with(form("Daily Test"), &no_poya), &json!({"isPaused": true}));
    let change = json!({"version": 1, "paper": paused});
    let changed = client.put(&path(&paper), &change).await.expect(200)["data"]["paper"].clone();
    assert_eq!((&changed["pausedFrom"], &changed["version"]), (&json!("2026-11-29"), &json!(2)));
    assert_eq!(states(&client, days).await, ["missing", "not-expected", "not-expected"]);
    portal.advance(24 * HOUR);
    let client = admin_client().await;
    let change = json!({"version": 2, "paper": with(form("Daily Test"), &no_poya)});
    let resumed = client.put(&path(&paper), &change).await.expect(200)["data"]["paper"].clone();
    assert_eq!((&resumed["pausedFrom"], &resumed["activeFrom"]), (&json!(null), &json!("2026-11-30")));
    assert_eq!(states(&client, days).await, ["not-expected", "not-expected", "due"]);
    drop(admin);
}

#[tokio::test]
async fn absent_issue_is_no_gap_until_the_note_is_removed() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let paper = add(&admin, &with(form("Daily Test"), &json!({"dueTime": "06:00"}))).await;
    let absence = format!("{}/absences/2026-11-20", path(&paper));
    assert_eq!(issue(&admin).await["isGap"], true);
    admin.put(&absence, &json!({"note": " Printers on strike "})).await.expect(200);
    let absent = issue(&admin).await;
    assert_eq!(
        (&absent["state"], &absent["isGap"], &absent["absence"]),
        (&json!("absent"), &json!(false), &json!("Printers on strike"))
    );
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["subject"], &entry["subjectId"]),
        (&json!("note-absence"), &json!("paper"), &paper["_id"])
    );
    let after = json!({"day": "2026-11-20", "note": "Printers on strike"});
    assert_eq!((&entry["before"], &entry["after"]), (&json!(null), &after));
    // The same note again changes nothing, and another one replaces it.
    admin.put(&absence, &json!({"note": "Printers on strike"})).await.expect(200);
    admin.put(&absence, &json!({})).await.expect(200);
    let entries = admin.get("/operate/audit?action=note-absence").await.expect(200);
    assert_eq!(entries["data"]["entries"].as_array().unwrap().len(), 2);
    assert_eq!(issue(&admin).await["absence"], "");
    admin.delete(&absence).await.expect(200);
    assert_eq!(last_entry(&admin).await["action"], "remove-absence");
    assert_eq!(issue(&admin).await["state"], "missing");
    admin.delete(&absence).await.expect(200);
    let entries = admin.get("/operate/audit?action=remove-absence").await.expect(200);
    assert_eq!(entries["data"]["entries"].as_array().unwrap().len(), 1);

    // Pages that come later show, whatever was noted.
    admin.put(&absence, &json!({"note": "Late"})).await.expect(200);
    upload(&admin, "Daily Test", "late").await;
    let late = issue(&admin).await;
    assert_eq!((&late["state"], &late["isGap"]), (&json!("waiting"), &json!(false)));
    read_page(&operator, "Daily Test").await;
    assert_eq!(issue(&admin).await["state"], "read");
    admin.put(&absence, &json!({"note": "It did not appear"})).await.expect_error(409);
    let long = "x".repeat(501);
    for refused in [json!({"note": long}), json!({"note": "two\nlines"}), json!({"reason": "x"})] {
        admin.put(&absence, &refused).await.expect_error(422);
    }
    let nobody = "/operate/papers/00000000-0000-7000-8000-000000000000/absences/2026-11-20";
    admin.put(nobody, &json!({"note": ""})).await.expect_error(404);
    admin.delete(nobody).await.expect_error(404);
    admin.delete(&format!("{}/absences/yesterday", path(&paper))).await.expect_error(422);
}

/// The texts of the mails about gaps, with single spaces.
async fn gap_mails(portal: &TestPortal, name: &str) -> Vec<String> {
    let all = mails(portal, &format!("{name}@example.lk"), 1).await;
    let texts = all.iter().map(|mail| text(mail).split_whitespace().collect::<Vec<_>>().join(" "));
    texts.filter(|text| text.contains("/operate/coverage")).collect()
}

/// Waits until the job has looked for gaps after the clock was moved. It answers requests for a new
/// password before it does, so a second answer shows that the first run has ended.
async fn wait_for_two_runs(portal: &TestPortal, names: [&str; 2]) {
    for name in names {
        let email = format!("{name}@example.lk");
        portal.guest().post("/auth/forgot-password", &json!({"email": email})).await.expect(200);
        find_mail(portal, &email, "/reset-password?").await;
    }
}

#[tokio::test]
async fn each_gap_is_mailed_once_to_each_administrator() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    staff(&portal, "kumari", "admin").await;
    staff(&portal, "ravi", "reviewer").await;
    for name in ["nimal", "sunil", "kamala", "ruwan"] {
        portal.user(name, "supplier").await;
    }
    // Three days without newspapers before today are no news: the newspapers were added today.
    add(&admin, &form("Daily Test")).await;
    add(&admin, &form("Morning Test")).await;
    add(&admin, &with(form("Evening Test"), &json!({"dueTime": "18:30"}))).await;
    let noted = add(&admin, &form("Noted Test")).await;
    admin.put(&format!("{}/absences/2026-11-20", path(&noted)), &json!({})).await.expect(200);
    portal.advance(HOUR);
    find_mail(&portal, "amara@example.lk", "/operate/coverage").await;
    find_mail(&portal, "kumari@example.lk", "/operate/coverage").await;
    let first = gap_mails(&portal, "amara").await;
    let both = "Daily Test (Fri 20 Nov 2026, 1.00 p.m.); Morning Test (Fri 20 Nov 2026, 1.00 p.m.)";
    assert!(first.len() == 1 && first[0].contains(both), "{first:?}");
    assert!(!first[0].contains("Evening") && !first[0].contains("Noted"), "{first:?}");

    // Later runs of the job mail nothing twice. What was mailed is in the database only.
    portal.advance(120);
    wait_for_two_runs(&portal, ["nimal", "sunil"]).await;
    assert_eq!(gap_mails(&portal, "amara").await.len(), 1);
    let recorded: i64 =
        sqlx::query_scalar("select count(*) from mailed_gap").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(recorded, 2);

    // An issue that is read before its hour is no gap. A note that is removed opens the gap.
    let admin = portal.sign_in("amara").await;
    admin.delete(&format!("{}/absences/2026-11-20", path(&noted))).await.expect(200);
    upload(&admin, "Evening Test", "on time").await;
    read_page(&portal.operator().await, "Evening Test").await;
    portal.advance(6 * HOUR);
    find_mail(&portal, "kumari@example.lk", "Noted Test").await;
    wait_for_two_runs(&portal, ["kamala", "ruwan"]).await;
    for name in ["amara", "kumari"] {
        let all = gap_mails(&portal, name).await;
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all.iter().all(|mail| !mail.contains("Evening")), "{all:?}");
    }
    assert_eq!(gap_mails(&portal, "nimal").await.len(), 0);
    find_mail(&portal, "ravi@example.lk", "/verify-email?").await;
    assert_eq!(gap_mails(&portal, "ravi").await.len(), 0, "a reviewer is not mailed");
}

#[tokio::test]
async fn gaps_of_a_long_downtime_are_not_all_mailed() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    add(&admin, &form("Daily Test")).await;
    // It is noon on 30 November: the gaps of 27, 28 and 29 November are less than three days old.
    portal.advance(10 * 24 * HOUR);
    let mail = find_mail(&portal, "amara@example.lk", "/operate/coverage").await;
    for (day, is_named) in [("26 Nov", false), ("27 Nov", true), ("29 Nov", true), ("30 Nov", false)] {
        assert_eq!(mail.contains(day), is_named, "{day}: {mail}");
    }
}

#[tokio::test]
async fn gap_stays_unmailed_until_an_administrator_can_be_mailed() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    staff(&portal, "amara", "admin").await;
    portal.unconfirm("amara").await;
    for name in ["nimal", "sunil"] {
        portal.user(name, "supplier").await;
    }
    add(&reviewer, &form("Daily Test")).await;
    portal.advance(HOUR);
    wait_for_two_runs(&portal, ["nimal", "sunil"]).await;
    assert_eq!(gap_mails(&portal, "amara").await.len(), 0);
    sqlx::query("update address set verified_at = created_at where email = 'amara@example.lk'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    portal.advance(60);
    find_mail(&portal, "amara@example.lk", "Daily Test").await;
}

#[tokio::test]
async fn table_of_newspapers_is_changed_by_one_editor_at_a_time() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let paper = add(&reviewer, &with(form("Daily Test"), &json!({"spellings": ["The Daily Test"]}))).await;
    assert_eq!(
        (&paper["name"], &paper["dueTime"], &paper["minPages"], &paper["version"]),
        (&json!("Daily Test"), &json!("13:00"), &json!(1), &json!(1))
    );
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["actorName"], &entry["subjectId"]),
        (&json!("add-paper"), &json!("ravi@example.lk"), &paper["_id"])
    );
    assert_eq!((&entry["before"], &entry["after"]["dueTime"]), (&json!(null), &json!("13:00")));

    let change = json!({"version": 1, "paper": with(form("Daily Test"), &json!({"dueTime": "07:15"}))});
    admin.put(&path(&paper), &change).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["before"]["dueTime"], &entry["after"]["dueTime"]),
        (&json!("change-paper"), &json!("13:00"), &json!("07:15"))
    );
    let refused = reviewer.put(&path(&paper), &change).await.expect_error(409);
    assert!(refused.starts_with("Somebody else has changed"), "{refused}");

    // A spelling counts for one newspaper. "The Daily Test" is free again.
    let other = add(&reviewer, &form("The daily test")).await;
    let refused = reviewer.post("/operate/papers", &form("DAILY-TEST")).await.expect_error(409);
    assert_eq!(refused, "One of the spellings already counts for “Daily Test”");
    let taken = with(form("Third"), &json!({"spellings": ["the  daily test"]}));
    reviewer.post("/operate/papers", &taken).await.expect_error(409);
    let taken = json!({"version": 1, "paper": form("Daily Test")});
    reviewer.put(&path(&other), &taken).await.expect_error(409);
    let listed = reviewer.get("/operate/papers").await.expect(200)["data"]["papers"].clone();
    let names: Vec<&Value> = listed.as_array().unwrap().iter().map(|paper| &paper["name"]).collect();
    assert_eq!(names, ["Daily Test", "The daily test"], "a refused change changes nothing");

    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("—")),
        ("name", json!("x".repeat(101))),
        ("spellings", json!(vec!["x"; 21])),
        ("spellings", json!(["!"])),
        ("spellings", json!(["x".repeat(101)])),
        ("weekdays", json!([])),
        ("weekdays", json!(["doomsday"])),
        ("dueTime", json!("25:00")),
        ("dueTime", json!("noon")),
        ("minPages", json!(0)),
        ("minPages", json!(201)),
        ("activeFrom", json!("tomorrow")),
        ("activeFrom", json!("-009999-01-01")),
        ("color", json!("red")),
    ] {
        let mut wrong = form("Wrong");
        wrong[field] = value;
        reviewer.post("/operate/papers", &wrong).await.expect_error(422);
        reviewer.put(&path(&paper), &json!({"version": 2, "paper": wrong})).await.expect_error(422);
    }
    for query in [
        "?from=2026-11-20&to=2026-11-19",
        "?from=2026-01-01&to=2026-03-04",
        "?from=soon",
        "?to=9999-12-31",
        "?day=2026-11-20",
    ] {
        reviewer.get(&format!("/operate/coverage{query}")).await.expect_error(422);
    }
    for query in ["?year=1999", "?year=x"] {
        reviewer.get(&format!("/operate/holidays{query}")).await.expect_error(422);
    }
    let holiday = json!({"name": "Day", "kind": "poya"});
    reviewer.put("/operate/holidays/2026-13-01", &holiday).await.expect_error(422);
    reviewer
        .put("/operate/holidays/2026-12-01", &json!({"name": "", "kind": "poya"}))
        .await
        .expect_error(422);
    reviewer
        .put("/operate/holidays/2026-12-01", &json!({"name": "x", "kind": "sad"}))
        .await
        .expect_error(422);

    reviewer.delete(&path(&paper)).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["after"]), (&json!("remove-paper"), &json!(null)));
    assert_eq!(entry["before"]["name"], "Daily Test");
    reviewer.delete(&path(&paper)).await.expect_error(404);
    reviewer.put(&path(&paper), &change).await.expect_error(404);
}

#[tokio::test]
async fn pages_of_an_expected_newspaper_are_listed_in_all_spellings() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let paper = add(&reviewer, &with(form("Daily Test"), &json!({"spellings": ["D. Test"]}))).await;
    for (newspaper, text) in [("DAILY TEST", "one"), ("d test", "two"), ("Daily Test Extra", "three")] {
        upload(&reviewer, newspaper, text).await;
    }
    let id = paper["_id"].as_str().unwrap();
    assert_eq!(page_list(&reviewer, &format!("?paper={id}")).await.len(), 2);
    assert_eq!(page_list(&reviewer, &format!("?paper={id}&date=2026-11-20")).await.len(), 2);
    assert_eq!(page_list(&reviewer, &format!("?paper={id}&date=2026-11-21")).await.len(), 0);
    let nobody = "00000000-0000-7000-8000-000000000000";
    reviewer.get(&format!("/operate/pages?paper={nobody}")).await.expect_error(422);
    reviewer.get("/operate/pages?paper=daily").await.expect_error(422);
    reviewer.get("/operate/pages?date=-009999-01-01").await.expect_error(422);
}
