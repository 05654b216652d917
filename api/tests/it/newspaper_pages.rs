//! Newspaper files that operators upload, leases of their pages, results, and who may do what.

use crate::{
    batches::{wait_until_finished, withdraw},
    documents::pdf,
    notice_sources::{ORIGINAL_NOTICE, TestNotice, current_tender, send_notice},
    operate::{last_entry, staff},
    support::{Client, Reply, TestPortal, publishing::CLIP},
};
use api::jobs::delete_orphaned_files::delete_unused_files;
use axum::http::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, time::Duration};
use tender_model::vocabulary::TenderStatus;

pub fn file_part(name: &str, bytes: Vec<u8>) -> Form {
    Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()))
}

pub async fn send_form(client: &Client, method: Method, path: &str, form: Form) -> Reply {
    client.send(client.request(method.clone(), path).multipart(form), method, path).await
}

async fn upload(client: &Client, name: &str, bytes: Vec<u8>) -> Reply {
    send_form(client, Method::POST, "/operate/pages", file_part(name, bytes)).await
}

/// Uploads a file of one page with this text, and returns the page.
pub async fn upload_page(client: &Client, text: &str) -> Value {
    upload(client, "p1.pdf", pdf(text)).await.expect(201)["data"]["pages"][0].clone()
}

/// Takes a page as this worker. Returns the task, or null if no page waits.
pub async fn take(operator: &Client, worker: &str) -> Value {
    operator.post("/ingest/leases", &json!({"worker": worker})).await.expect(200)["data"]["page"].clone()
}

pub fn lease_path(task: &Value) -> String {
    format!("/ingest/leases/{}", task["lease"].as_str().unwrap())
}

pub fn block(outcome: &str, key: Option<u32>) -> Value {
    let mut block = json!({"box": [0.1, 0.2, 0.3, 0.4], "outcome": outcome});
    if let Some(key) = key {
        block["key"] = json!(format!("{key:032x}"));
        block["title"] = json!("Supply of chairs");
    }
    block
}

pub fn reading(blocks: &[Value]) -> Value {
    json!({"publication": "Daily Test", "date": "2026-11-20", "pageCount": 1, "blocks": blocks})
}

pub async fn send_result(operator: &Client, task: &Value, reading: &Value, picture: &[u8]) -> Reply {
    let form = Form::new()
        .part("reading", Part::text(reading.to_string()))
        .part("picture", Part::bytes(picture.to_vec()));
    send_form(operator, Method::PUT, &format!("{}/result", lease_path(task)), form).await
}

pub async fn page_list(client: &Client, query: &str) -> Vec<Value> {
    let listed = client.get(&format!("/operate/pages{query}")).await.expect(200);
    listed["data"]["pages"].as_array().unwrap().clone()
}

pub fn page_path(page: &Value) -> String {
    format!("/operate/pages/{}", page["_id"].as_str().unwrap())
}

async fn read(client: &Client, page: &Value) -> Value {
    client.get(&page_path(page)).await.expect(200)["data"].clone()
}

#[tokio::test]
async fn wrong_newspaper_is_corrected_in_the_tenders_of_the_file() {
    let portal = TestPortal::start().await;
    let (reviewer, admin) =
        (staff(&portal, "ravi", "reviewer").await, staff(&portal, "amara", "admin").await);
    let operator = portal.operator().await;
    let form =
        file_part("p1.pdf", pdf("A page")).text("publication", "Daily Wrong").text("date", "2026-11-19");
    let uploaded = send_form(&reviewer, Method::POST, "/operate/pages", form).await.expect(201);
    let page = uploaded["data"]["pages"][0].clone();
    let as_read = |publication: &str, date: &str| {
        let mut reading = reading(&[block("tender", Some(7))]);
        (reading["publication"], reading["date"]) = (json!(publication), json!(date));
        reading
    };
    let task = take(&operator, "desk").await;
    let wrong = TestNotice { newspaper: "Daily Wrong", day: "2026-11-19", ..ORIGINAL_NOTICE };
    let published = send_notice(&operator, 7, wrong).await;
    send_result(&operator, &task, &as_read("Daily Wrong", "2026-11-19"), CLIP).await.expect(200);

    let issue = format!("{}/issue", page_path(&page));
    reviewer.put(&issue, &json!({"publication": "Two\nlines", "date": null})).await.expect_error(422);
    reviewer.put(&issue, &json!({"publication": "Daily Test", "date": "20.11.2026"})).await.expect_error(422);
    let right = json!({"publication": " Daily Test ", "date": "2026-11-20"});
    let corrected = reviewer.put(&issue, &right).await.expect(200)["data"]["page"].clone();
    assert_eq!(
        (&corrected["state"], &corrected["publication"], &corrected["date"]),
        (&json!("waiting"), &json!("Daily Test"), &json!("2026-11-20"))
    );
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectName"]), (&json!("correct-issue"), &json!("p1.pdf")));
    assert_eq!(entry["before"], json!({"publication": "Daily Wrong", "date": "2026-11-19"}));
    assert_eq!(entry["after"], json!({"publication": "Daily Test", "date": "2026-11-20"}));

    let task = take(&operator, "desk").await;
    assert_eq!((&task["publication"], &task["date"]), (&json!("Daily Test"), &json!("2026-11-20")));
    let again = send_notice(&operator, 7, ORIGINAL_NOTICE).await;
    assert_eq!(again["_id"], published["_id"], "the tender stays");
    send_result(&operator, &task, &as_read("Daily Test", "2026-11-20"), CLIP).await.expect(200);
    let tender = current_tender(&portal, &again).await;
    assert_eq!(tender.sources.len(), 1);
    assert_eq!(tender.sources[0].publication, "Daily Test");
    assert_eq!(tender.sources[0].date.map(|day| day.to_string()).as_deref(), Some("2026-11-20"));
}

#[tokio::test]
async fn blocks_show_what_became_of_their_notices_since() {
    let portal = TestPortal::start().await;
    let (reviewer, admin) =
        (staff(&portal, "ravi", "reviewer").await, staff(&portal, "amara", "admin").await);
    let operator = portal.operator().await;
    let page = upload_page(&reviewer, "A page").await;
    let task = take(&operator, "desk").await;
    send_notice(&operator, 7, ORIGINAL_NOTICE).await;
    send_result(&operator, &task, &reading(&[block("tender", Some(7))]), CLIP).await.expect(200);
    let outcome = || async {
        let details = read(&reviewer, &page).await;
        let counts = &details["page"]["counts"];
        (details["blocks"][0]["outcome"].clone(), [counts["tender"].clone(), counts["rejected"].clone()])
    };
    assert_eq!(outcome().await, (json!("tender"), [json!(1), json!(0)]));
    withdraw(&admin, &json!({"file": page["fileId"]})).await;
    wait_until_finished(&portal.state.db).await;
    assert_eq!(outcome().await, (json!("rejected"), [json!(0), json!(1)]));
}

#[tokio::test]
async fn uploaded_page_is_read_by_a_worker_and_shown() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let bytes = pdf("A newspaper page");
    let form = file_part("C:\\scans\\daily ලංකා.pdf", bytes.clone());
    let form = form.text("publication", " Daily Lanka ").text("date", "2026-11-20");
    let uploaded =
        send_form(&reviewer, Method::POST, "/operate/pages", form).await.expect(201)["data"].clone();
    let page = &uploaded["pages"][0];
    assert_eq!(
        (&page["state"], &page["number"], &page["pageCount"]),
        (&json!("waiting"), &json!(1), &json!(null))
    );
    assert_eq!((&page["fileName"], &page["publication"]), (&json!("daily ලංකා.pdf"), &json!("Daily Lanka")));
    assert_eq!(read(&reviewer, page).await["pictureUrl"], json!(null));
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("upload-pages"), &uploaded["fileId"]));
    assert_eq!(
        entry["after"],
        json!({"file": "daily ලංකා.pdf", "publication": "Daily Lanka", "date": "2026-11-20"})
    );

    let task = take(&operator, "desk").await;
    assert_eq!(
        (&task["fileName"], &task["number"], &task["publication"], &task["date"], &task["fileSize"]),
        (
            &json!("daily ලංකා.pdf"),
            &json!(1),
            &json!("Daily Lanka"),
            &json!("2026-11-20"),
            &json!(bytes.len())
        )
    );
    assert_eq!(take(&operator, "other").await, json!(null), "the page is taken");
    let leased = read(&reviewer, page).await["page"].clone();
    assert_eq!(
        (&leased["state"], &leased["worker"], &leased["attempts"]),
        (&json!("leased"), &json!("desk"), &json!(1))
    );
    let file = operator.get(&format!("{}/file", lease_path(&task))).await;
    assert_eq!((file.status.as_u16(), file.bytes == bytes), (200, true));

    let published = send_notice(&operator, 7, ORIGINAL_NOTICE).await;
    let blocks = [
        block("tender", Some(7)),
        block("waits", Some(8)),
        block("not-a-notice", None),
        block("not-a-notice", None),
    ];
    send_result(&operator, &task, &reading(&blocks), CLIP).await.expect(200);
    let details = read(&reviewer, page).await;
    let shown = &details["page"];
    assert_eq!((&shown["state"], &shown["failure"]), (&json!("read"), &json!(null)));
    assert_eq!(shown["publication"], "Daily Test", "the newspaper as read takes precedence");
    assert_eq!(
        shown["counts"],
        json!({"tender": 1, "doubtful": 0, "waits": 1, "refused": 0, "rejected": 0, "notANotice": 2, "tooLittleText": 0})
    );
    let blocks = details["blocks"].as_array().unwrap();
    assert_eq!(
        (&blocks[0]["tenderId"], &blocks[0]["title"]),
        (&published["_id"], &json!("Supply of chairs"))
    );
    assert_eq!((&blocks[1]["tenderId"], &blocks[1]["reviewReason"]), (&json!(null), &json!(null)));
    assert_eq!(blocks[2]["box"], json!([0.1, 0.2, 0.3, 0.4]));
    let url = details["pictureUrl"].as_str().unwrap().strip_prefix("/api").unwrap().to_owned();
    let picture = portal.guest().get(&url).await;
    assert_eq!((picture.status.as_u16(), picture.bytes.as_slice()), (200, CLIP));
    portal.guest().get(&url.replace("until=", "until=1")).await.expect_error(404);
    portal.advance(49 * 3600);
    portal.guest().get(&url).await.expect_error(404);
}

#[tokio::test]
async fn only_files_of_pages_are_accepted_and_each_once() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    for (bytes, message) in [
        (b"".to_vec(), "The file is empty"),
        (b"PK\x03\x04 a docx".to_vec(), "This is not a newspaper page"),
        (b"<svg onload=x>".to_vec(), "This is not a newspaper page"),
    ] {
        let refused = upload(&admin, "p1.pdf", bytes).await.expect_error(422);
        assert!(refused.starts_with(message), "{refused}");
    }
    let with = |name: &'static str, value: &str| file_part("p1.pdf", pdf("x")).text(name, value.to_owned());
    for form in [
        Form::new().text("publication", "Daily Lanka"),
        Form::new().text("file", ""),
        with("date", "20.11.2026"),
        with("date", "2026-13-40"),
        with("publication", &"x".repeat(101)),
        with("publication", "a\nb"),
        with("file", "twice"),
        with("other", "x"),
    ] {
        send_form(&admin, Method::POST, "/operate/pages", form).await.expect_error(422);
    }
    send_form(&admin, Method::POST, "/operate/pages", with("publication", &"x".repeat(5000)))
        .await
        .expect_error(413);
    let json = admin.post("/operate/pages", &json!({"file": "x"})).await;
    json.expect_error(400);
    assert_eq!(page_list(&admin, "").await, [] as [Value; 0]);

    let first = upload(&admin, "../p1.tiff", b"II*\0 a scan".to_vec()).await.expect(201);
    let again = upload(&admin, "copy.tiff", b"II*\0 a scan".to_vec()).await.expect(200);
    assert_eq!(again["message"], "This file was uploaded before");
    assert_eq!(
        (&again["data"]["isNew"], &again["data"]["fileId"]),
        (&json!(false), &first["data"]["fileId"])
    );
    assert_eq!(page_list(&admin, "").await.len(), 1);
    let uploads = admin.get("/operate/audit?action=upload-pages").await.expect(200);
    assert_eq!(uploads["data"]["entries"].as_array().unwrap().len(), 1);
    let folder = portal.state.config.data.newspaper_pages();
    delete_unused_files(&portal.state, Duration::ZERO).await.unwrap();
    assert_eq!(
        std::fs::read_dir(folder).unwrap().count(),
        1,
        "refused files are deleted, and the accepted one is kept"
    );
}

#[tokio::test]
async fn further_pages_appear_once_when_their_number_is_known() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    upload_page(&operator, "A paper of three pages").await;
    let first = take(&operator, "a").await;
    let beat = |count: Value| json!({"pageCount": count});
    for wrong in [json!(0), json!(201), json!(-1), json!("x"), json!(1.5)] {
        operator.put(&lease_path(&first), &beat(wrong)).await.expect_error(422);
    }
    for _ in 0..2 {
        operator.put(&lease_path(&first), &beat(json!(3))).await.expect(200);
    }
    // Another number is ignored: the content of a file never changes.
    operator.put(&lease_path(&first), &beat(json!(9))).await.expect(200);
    let pages = page_list(&operator, "").await;
    let numbers: Vec<_> = pages.iter().map(|page| page["number"].as_i64().unwrap()).collect();
    assert_eq!((numbers, &pages[0]["pageCount"]), (vec![1, 2, 3], &json!(3)));
    let others = [take(&operator, "b").await, take(&operator, "c").await];
    assert_eq!([&others[0]["number"], &others[1]["number"]], [&json!(2), &json!(3)]);
    assert_eq!(take(&operator, "d").await, json!(null));
    let work = operator.get("/operate/pages").await.expect(200)["data"]["work"].clone();
    assert_eq!(work, json!({"waiting": 0, "leased": 3, "setAside": 0, "workers": 4}));
    // A result also tells the number of pages, if a worker sends no heartbeat.
    upload_page(&operator, "A paper of two pages").await;
    let only = take(&operator, "e").await;
    let mut result = reading(&[]);
    result["pageCount"] = json!(2);
    send_result(&operator, &only, &result, CLIP).await.expect(200);
    assert_eq!(take(&operator, "e").await["number"], 2);
}

#[tokio::test]
async fn two_workers_never_hold_the_same_page() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    upload_page(&operator, "A paper of twelve pages").await;
    let first = take(&operator, "first").await;
    operator.put(&lease_path(&first), &json!({"pageCount": 12})).await.expect(200);
    let mut taken = BTreeSet::from([first["number"].as_u64().unwrap()]);
    for _ in 0..3 {
        let calls = (0..6).map(|nth| {
            let operator = operator.clone();
            tokio::spawn(async move { take(&operator, &format!("worker {nth}")).await })
        });
        for call in calls.collect::<Vec<_>>() {
            if let Some(number) = call.await.unwrap()["number"].as_u64() {
                assert!(taken.insert(number), "page {number} was given to two workers");
            }
        }
    }
    assert_eq!(taken.len(), 12);
}

#[tokio::test]
async fn expired_lease_is_lost_and_the_third_one_sets_the_page_aside() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page that kills workers").await;
    let mut lost = Vec::new();
    for attempt in 1..=3 {
        let task = take(&operator, "doomed").await;
        assert_eq!(task["number"], 1, "attempt {attempt}");
        // A heartbeat extends the lease.
        portal.advance(119);
        operator.put(&lease_path(&task), &json!({})).await.expect(200);
        portal.advance(119);
        assert_eq!(read(&operator, &page).await["page"]["state"], "leased");
        portal.advance(1);
        let shown = read(&operator, &page).await["page"].clone();
        let state = if attempt == 3 { "set-aside" } else { "failed" };
        assert_eq!((&shown["state"], &shown["attempts"]), (&json!(state), &json!(attempt)));
        assert_eq!(shown["failure"], "The worker stopped without a word");
        assert_eq!(page_list(&operator, &format!("?state={state}")).await.len(), 1);
        assert_eq!(page_list(&operator, "?state=leased").await.len(), 0);
        lost.push(task);
    }
    assert_eq!(take(&operator, "doomed").await, json!(null), "the page is set aside");
    let work = operator.get("/operate/pages").await.expect(200)["data"]["work"].clone();
    assert_eq!((&work["setAside"], &work["leased"], &work["waiting"]), (&json!(1), &json!(0), &json!(0)));
    for task in &lost {
        let path = lease_path(task);
        operator.put(&path, &json!({})).await.expect_error(409);
        operator.put(&format!("{path}/failure"), &json!({"reason": "late"})).await.expect_error(409);
        operator.get(&format!("{path}/file")).await.expect_error(409);
        operator.delete(&path).await.expect_error(409);
        send_result(&operator, task, &reading(&[]), CLIP).await.expect_error(409);
    }
    assert_eq!(read(&operator, &page).await["page"]["state"], "set-aside", "a lost lease changes nothing");

    // A person lets the page be read again, with all attempts.
    operator.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    let task = take(&operator, "healthy").await;
    assert_eq!(read(&operator, &page).await["page"]["attempts"], 1);
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    assert_eq!(read(&operator, &page).await["page"]["state"], "read");
}

#[tokio::test]
async fn failed_page_is_tried_again_later_and_then_set_aside() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A damaged page").await;
    for attempt in 1..=3 {
        let task = take(&operator, "desk").await;
        let path = format!("{}/failure", lease_path(&task));
        operator.put(&path, &json!({"reason": " "})).await.expect_error(422);
        let reason = format!("p1.pdf: no page{}", "\n".repeat(600));
        operator.put(&path, &json!({"reason": reason})).await.expect(200);
        operator.put(&path, &json!({"reason": "again"})).await.expect_error(409);
        let shown = read(&operator, &page).await["page"].clone();
        assert_eq!(shown["state"], if attempt == 3 { "set-aside" } else { "failed" });
        let failure = shown["failure"].as_str().unwrap();
        assert!(failure.starts_with("p1.pdf: no page") && failure.chars().count() <= 500, "{failure}");
        assert_eq!(take(&operator, "desk").await, json!(null), "the page waits before the next attempt");
        portal.advance(30 * attempt);
    }
    assert_eq!(take(&operator, "desk").await, json!(null));
}

#[tokio::test]
async fn page_that_is_given_back_does_not_count_as_tried() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    for _ in 0..4 {
        let task = take(&operator, "stopped").await;
        operator.delete(&lease_path(&task)).await.expect(200);
        operator.delete(&lease_path(&task)).await.expect_error(409);
    }
    let shown = read(&operator, &page).await["page"].clone();
    assert_eq!(
        (&shown["state"], &shown["attempts"], &shown["worker"]),
        (&json!("waiting"), &json!(0), &json!(null))
    );
}

#[tokio::test]
async fn result_is_stored_once_and_replaced_by_the_next_reading() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    let task = take(&operator, "desk").await;
    let first = reading(&[block("tender", Some(1)), block("too-little-text", None)]);
    for _ in 0..2 {
        send_result(&operator, &task, &first, CLIP).await.expect(200);
    }
    // The lease has ended with the result: nothing else is accepted.
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    assert_eq!(read(&operator, &page).await["blocks"].as_array().unwrap().len(), 2);
    operator.put(&lease_path(&task), &json!({})).await.expect_error(409);
    operator.delete(&lease_path(&task)).await.expect_error(409);
    operator.put(&format!("{}/failure", lease_path(&task)), &json!({"reason": "x"})).await.expect_error(409);

    admin.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    assert_eq!(last_entry(&admin).await["action"], "reread-page");
    let before = read(&operator, &page).await;
    assert_eq!(
        (&before["page"]["state"], before["blocks"].as_array().unwrap().len()),
        (&json!("waiting"), 2)
    );
    assert!(before["pictureUrl"].is_string(), "the last result stays until the page is read again");
    send_result(&operator, &task, &first, CLIP).await.expect_error(409);
    let task = take(&operator, "desk").await;
    // A person asks once more while a worker reads the page: that worker has lost its lease.
    admin.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    send_result(&operator, &task, &first, CLIP).await.expect_error(409);
    let task = take(&operator, "desk").await;
    let other_picture = [CLIP, b"other"].concat();
    send_result(&operator, &task, &reading(&[block("waits", Some(1))]), &other_picture).await.expect(200);
    let after = read(&operator, &page).await;
    assert_eq!(after["blocks"].as_array().unwrap().len(), 1);
    assert_ne!(after["pictureUrl"], before["pictureUrl"]);
    let folder = portal.state.config.data.newspaper_pages();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    delete_unused_files(&portal.state, Duration::ZERO).await.unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "the file and the latest picture are kept");
}

#[tokio::test]
async fn invalid_results_are_refused_and_keep_the_lease() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    upload_page(&operator, "A page").await;
    let task = take(&operator, "desk").await;
    let path = format!("{}/result", lease_path(&task));
    let ok = reading(&[]);
    let part = |value: &Value| Part::text(value.to_string());
    let whole = |value: &Value| Form::new().part("reading", part(value)).part("picture", Part::bytes(CLIP));
    let with = |field: &str, value: Value| {
        let mut changed = ok.clone();
        changed[field] = value;
        changed
    };
    for form in [
        Form::new().part("reading", part(&ok)),
        Form::new().part("picture", Part::bytes(CLIP)),
        whole(&ok).part("other", Part::text("x")),
        whole(&ok).part("picture", Part::bytes(CLIP)),
        Form::new().part("reading", part(&ok)).part("picture", Part::bytes(&b"<svg>"[..])),
        Form::new().part("reading", Part::text("{")).part("picture", Part::bytes(CLIP)),
        whole(&with("pageCount", json!(0))),
        whole(&with("date", json!("yesterday"))),
        whole(&with("extra", json!(1))),
        whole(&with("blocks", json!([{"box": [0, 0, 2, 2], "outcome": "not-a-notice"}]))),
        whole(&with("blocks", json!([{"box": [0, 0, 1], "outcome": "not-a-notice"}]))),
        whole(&with("blocks", json!([block("published", None)]))),
        whole(&with("blocks", json!([block("tender", None)]))),
        whole(&with("blocks", json!([block("not-a-notice", Some(1))]))),
        whole(&with("blocks", json!(vec![block("not-a-notice", None); 2001]))),
    ] {
        send_form(&operator, Method::PUT, &path, form).await.expect_error(422);
    }
    let huge = Form::new().part("reading", part(&ok)).part("picture", Part::bytes(vec![0xff; (4 << 20) + 1]));
    send_form(&operator, Method::PUT, &path, huge).await.expect_error(413);
    let huge = Form::new().part("reading", Part::bytes(vec![b' '; (1 << 20) + 1]));
    send_form(&operator, Method::PUT, &path, huge).await.expect_error(413);
    operator.put(&path, &json!({"reading": {}})).await.expect_error(400);
    send_result(&operator, &task, &ok, CLIP).await.expect(200);
}

/// The key and the report of a page of this file, with one block.
fn report(bytes: &[u8], number: u32, page_count: u32) -> (String, Value) {
    let digest = Sha256::digest(bytes);
    let key = hex::encode(Sha256::new().chain_update(digest).chain_update(number.to_be_bytes()).finalize());
    let mut reading = reading(&[block("tender", Some(number))]);
    reading["pageCount"] = json!(page_count);
    let page = json!({"fileName": "p1.pdf", "fileHash": hex::encode(digest), "fileSize": bytes.len(),
        "number": number, "reading": reading});
    (key, page)
}

async fn send_report(operator: &Client, key: &str, page: &Value) -> Reply {
    let form =
        Form::new().part("page", Part::text(page.to_string())).part("picture", Part::bytes(CLIP.to_vec()));
    send_form(operator, Method::PUT, &format!("/ingest/pages/{key}"), form).await
}

#[tokio::test]
async fn page_that_was_read_elsewhere_is_listed() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let bytes = pdf("A paper that ingest run has read");
    let (key, page) = report(&bytes, 2, 3);
    for _ in 0..2 {
        send_report(&operator, &key, &page).await.expect(200);
    }
    let pages = page_list(&operator, "").await;
    assert_eq!(pages.len(), 1);
    let shown = &pages[0];
    assert_eq!(
        (&shown["state"], &shown["number"], &shown["pageCount"], &shown["hasFile"]),
        (&json!("read"), &json!(2), &json!(3), &json!(false))
    );
    assert_eq!((&shown["counts"]["tender"], &shown["publication"]), (&json!(1), &json!("Daily Test")));
    assert!(read(&operator, shown).await["pictureUrl"].is_string());
    let again = operator.post(&format!("{}/reading", page_path(shown)), &json!({})).await;
    assert!(again.expect_error(409).starts_with("The portal does not have the file"));
    assert_eq!(take(&operator, "desk").await, json!(null), "no worker can read a file that is not there");

    // With the file, its other pages are read by workers.
    let known = upload(&operator, "p1.pdf", bytes.clone()).await.expect(200)["data"].clone();
    let states: Vec<_> =
        known["pages"].as_array().unwrap().iter().map(|page| page["state"].clone()).collect();
    assert_eq!(states, [json!("waiting"), json!("read"), json!("waiting")]);
    let task = take(&operator, "desk").await;
    assert_eq!(task["number"], 1);
    assert_eq!(operator.get(&format!("{}/file", lease_path(&task))).await.bytes, bytes);
    // `ingest run` is faster than the worker.
    let (key, page) = report(&bytes, 1, 3);
    send_report(&operator, &key, &page).await.expect(200);
    operator.put(&lease_path(&task), &json!({})).await.expect_error(409);
    assert_eq!(take(&operator, "desk").await["number"], 3);
}

#[tokio::test]
async fn impossible_reports_of_pages_are_refused() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (key, page) = report(b"a file", 1, 2);
    let (other_key, _) = report(b"a file", 2, 2);
    let with = |field: &str, value: Value| {
        let mut changed = page.clone();
        changed[field] = value;
        changed
    };
    for (key, page) in [
        (other_key.as_str(), page.clone()),
        ("0a", page.clone()),
        (&key, with("number", json!(0))),
        (&key, with("number", json!(3))),
        (&key, with("fileHash", json!("0a"))),
        (&key, with("fileHash", json!(page["fileHash"].as_str().unwrap().to_uppercase()))),
        (&key, with("fileName", json!(" "))),
        (&key, with("fileSize", json!(0))),
        (&key, with("reading", json!({"pageCount": 201, "blocks": []}))),
        (&key, with("extra", json!(1))),
    ] {
        send_report(&operator, key, &page).await.expect_error(422);
    }
    assert_eq!(page_list(&operator, "").await, [] as [Value; 0]);
    send_report(&portal.guest(), &key, &page).await.expect_error(401);
}

#[tokio::test]
async fn unread_page_can_be_forgotten() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A paper of two pages").await;
    let task = take(&operator, "desk").await;
    admin.delete(&page_path(&page)).await.expect_error(409);
    operator.put(&lease_path(&task), &json!({"pageCount": 2})).await.expect(200);
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    admin.delete(&page_path(&page)).await.expect_error(409);
    let second = page_list(&admin, "?state=waiting").await[0].clone();
    admin.delete(&page_path(&second)).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["before"]),
        (&json!("forget-page"), &json!({"file": "p1.pdf", "page": 2}))
    );
    admin.delete(&page_path(&second)).await.expect_error(404);
    assert_eq!(take(&operator, "desk").await, json!(null));
    // A new upload brings the page back, and only this page.
    upload(&admin, "p1.pdf", pdf("A paper of two pages")).await.expect(200);
    assert_eq!(take(&operator, "desk").await["number"], 2);
    assert_eq!(take(&operator, "desk").await, json!(null));

    let alone = upload_page(&operator, "Another page").await;
    admin.delete(&page_path(&alone)).await.expect(200);
    upload(&admin, "p1.pdf", pdf("Another page")).await.expect(201);
}

#[tokio::test]
async fn pages_are_listed_in_parts_and_filtered() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let paper = upload_page(&operator, "A paper of 60 pages").await;
    let task = take(&operator, "desk").await;
    operator.put(&lease_path(&task), &json!({"pageCount": 60})).await.expect(200);
    let mut read_one = reading(&[]);
    read_one["pageCount"] = json!(60);
    send_result(&operator, &task, &read_one, CLIP).await.expect(200);
    portal.advance(60);
    let later = upload_page(&operator, "A later page").await;
    let first = operator.get("/operate/pages").await.expect(200)["data"].clone();
    let place = |page: &Value| (page["fileId"].clone(), page["number"].as_i64().unwrap());
    let mut all: Vec<_> = first["pages"].as_array().unwrap().iter().map(place).collect();
    assert_eq!((all.len(), &all[0]), (50, &(later["fileId"].clone(), 1)));
    let next = first["next"].as_str().unwrap();
    let rest = operator.get(&format!("/operate/pages?after={next}")).await.expect(200)["data"].clone();
    assert_eq!(rest["next"], json!(null));
    all.extend(rest["pages"].as_array().unwrap().iter().map(place));
    let expected: Vec<_> = std::iter::once((later["fileId"].clone(), 1))
        .chain((1..=60).map(|number| (paper["fileId"].clone(), number)))
        .collect();
    assert_eq!(all, expected);
    let count = async |query: &str| page_list(&operator, query).await.len();
    assert_eq!(count("?state=read").await, 1);
    assert_eq!(count("?publication=daily%20t").await, 1);
    assert_eq!(count("?publication=%25").await, 0);
    assert_eq!(count("?publication=%00").await, 50);
    assert_eq!(count("?date=2026-11-20").await, 1);
    assert_eq!(count("?date=2026-11-21").await, 0);
    assert_eq!(count(&format!("?file={}", later["fileId"].as_str().unwrap())).await, 1);
    for wrong in [
        "after=x",
        "after=00000000-0000-7000-8000-000000000000.0",
        "state=lost",
        "date=today",
        "file=1",
        "page=2",
    ] {
        operator.get(&format!("/operate/pages?{wrong}")).await.expect_error(422);
    }
}

#[tokio::test]
async fn only_reviewers_administrators_and_tokens_have_access() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    let reading_path = format!("{}/reading", page_path(&page));
    let buyer = portal.user("nimal", "supplier").await;
    for (client, status) in [(portal.guest(), 401), (buyer.clone(), 403)] {
        client.get("/operate/pages").await.expect_error(status);
        client.get(&page_path(&page)).await.expect_error(status);
        client.post(&reading_path, &json!({})).await.expect_error(status);
        client.delete(&page_path(&page)).await.expect_error(status);
        upload(&client, "p2.pdf", pdf("Another page")).await.expect_error(status);
    }
    for role in ["reviewer", "admin"] {
        let client = staff(&portal, role, role).await;
        client.get("/operate/pages").await.expect(200);
        client.get(&page_path(&page)).await.expect(200);
        client.post(&reading_path, &json!({})).await.expect(200);
        upload(&client, "p2.pdf", pdf(role)).await.expect(201);
        // Only programs with an operator token take pages.
        client.post("/ingest/leases", &json!({"worker": "me"})).await.expect_error(401);
    }
    for worker in
        [json!({}), json!({"worker": " "}), json!({"worker": "x".repeat(101)}), json!({"worker": "a\nb"})]
    {
        operator.post("/ingest/leases", &worker).await.expect_error(422);
    }
    portal.guest().post("/ingest/leases", &json!({"worker": "me"})).await.expect_error(401);
    let nobody = json!({"_id": "00000000-0000-7000-8000-000000000000"});
    operator.get(&page_path(&nobody)).await.expect_error(404);
    operator.post(&format!("{}/reading", page_path(&nobody)), &json!({})).await.expect_error(404);
}

/// Takes a page as a worker that knows decided boxes.
async fn take_with_boxes(operator: &Client) -> Value {
    let form = json!({"worker": "desk", "readsBoxes": true});
    operator.post("/ingest/leases", &form).await.expect(200)["data"]["page"].clone()
}

async fn decide_box(client: &Client, page: &Value, area: [f64; 4], decision: &str) -> Reply {
    client.post(&format!("{}/boxes", page_path(page)), &json!({"box": area, "decision": decision})).await
}

async fn undo_box(client: &Client, page: &Value, mark: &Value) -> Reply {
    client.delete(&format!("{}/boxes/{}", page_path(page), mark["_id"].as_str().unwrap())).await
}

fn block_at(area: [f64; 4], outcome: &str, key: Option<u32>) -> Value {
    let mut block = block(outcome, key);
    block["box"] = json!(area);
    block
}

#[tokio::test]
async fn drawn_box_is_handed_to_workers_that_know_boxes_and_can_be_removed() {
    const DRAWN: [f64; 4] = [0.5, 0.5, 0.2, 0.1];
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    // There is nothing to draw on.
    decide_box(&reviewer, &page, DRAWN, "notice").await.expect_error(409);
    let task = take(&operator, "desk").await;
    assert_eq!(task.get("boxes"), None);
    send_result(&operator, &task, &reading(&[block_at([0.5, 0.52, 0.2, 0.1], "not-a-notice", None)]), CLIP)
        .await
        .expect(200);

    portal.advance(60);
    let rounded = [0.500_01, 0.5, 0.2, 0.1];
    let made = decide_box(&reviewer, &page, rounded, "notice").await.expect(201)["data"]["_id"].clone();
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("draw-box"), &page["_id"]));
    assert_eq!((&entry["after"], &entry["actorName"]), (&json!({"box": DRAWN}), &json!("ravi@example.lk")));
    let shown = read(&reviewer, &page).await;
    let mark = json!({"_id": made, "box": DRAWN, "decision": "notice", "at": "2026-11-20T12:01:00+05:30",
        "by": "ravi@example.lk"});
    assert_eq!((&shown["page"]["state"], &shown["boxes"]), (&json!("waiting"), &json!([mark])));
    decide_box(&reviewer, &page, [0.5, 0.5, 0.2, 0.08], "notice").await.expect_error(409);

    // An earlier worker does not get the page.
    assert_eq!(take(&operator, "old").await, Value::Null);
    let task = take_with_boxes(&operator).await;
    assert_eq!(task["boxes"], json!([{"box": DRAWN, "decision": "notice"}]));
    portal.advance(60);
    let sent = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    send_result(&operator, &task, &reading(&[block_at(DRAWN, "tender", Some(1))]), CLIP).await.expect(200);
    let block = read(&reviewer, &page).await["blocks"][0].clone();
    assert_eq!((&block["mark"], &block["tenderId"]), (&made, &sent["_id"]));
    // A drawn box is removed, not dismissed.
    decide_box(&reviewer, &page, DRAWN, "dismissed").await.expect_error(409);
    decide_box(&reviewer, &page, [0.5, 0.51, 0.2, 0.1], "notice").await.expect_error(409);

    undo_box(&reviewer, &page, &mark).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["before"]["decision"]), (&json!("undo-box"), &json!("notice")));
    let shown = read(&reviewer, &page).await;
    assert_eq!((&shown["page"]["state"], &shown["boxes"]), (&json!("waiting"), &json!([])));
    assert_eq!(shown["blocks"][0]["tenderId"], Value::Null);
    assert_eq!(current_tender(&portal, &sent).await.status, TenderStatus::Withdrawn);
    undo_box(&reviewer, &page, &mark).await.expect_error(404);
    assert_eq!(take(&operator, "old").await["fileName"], "p1.pdf");
}

#[tokio::test]
async fn dismissed_box_rejects_its_notice_and_the_undo_publishes_it_again() {
    const AREA: [f64; 4] = [0.1, 0.2, 0.3, 0.4];
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    let task = take(&operator, "desk").await;
    let sent = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let blocks = [block_at(AREA, "tender", Some(1)), block_at([0.5, 0.5, 0.2, 0.2], "not-a-notice", None)];
    send_result(&operator, &task, &reading(&blocks), CLIP).await.expect(200);
    let status = async || current_tender(&portal, &sent).await.status;

    portal.advance(60);
    // Only the box of a block can be dismissed.
    decide_box(&reviewer, &page, [0.1, 0.2, 0.3, 0.39], "dismissed").await.expect_error(409);
    let drawn_over = decide_box(&reviewer, &page, AREA, "notice").await.expect_error(409);
    assert!(drawn_over.starts_with("A notice was read at this place"), "{drawn_over}");
    decide_box(&reviewer, &page, AREA, "dismissed").await.expect(201);
    assert_eq!(status().await, TenderStatus::Withdrawn);
    let entry = last_entry(&admin).await;
    let key = format!("{:032x}", 1);
    assert_eq!(
        (&entry["action"], &entry["after"]),
        (&json!("dismiss-box"), &json!({"box": AREA, "notice": key}))
    );
    let shown = read(&reviewer, &page).await;
    assert_eq!(shown["page"]["state"], "read", "the page is not read again");
    let mark = shown["boxes"][0].clone();
    assert_eq!((&mark["decision"], &mark["by"]), (&json!("dismissed"), &json!("ravi@example.lk")));
    assert_eq!((&shown["blocks"][0]["mark"], &shown["blocks"][1]["mark"]), (&mark["_id"], &Value::Null));
    decide_box(&reviewer, &page, AREA, "dismissed").await.expect_error(409);
    assert_eq!(send_notice(&operator, 1, ORIGINAL_NOTICE).await, json!({"outcome": "unchanged"}));

    // The page was not read in the meantime, so nothing has to be read again.
    undo_box(&reviewer, &page, &mark).await.expect(200);
    assert_eq!(status().await, TenderStatus::Published);
    assert_eq!(read(&reviewer, &page).await["page"]["state"], "read");

    // A reading respects the dismissal, whose undo therefore needs another one.
    decide_box(&reviewer, &page, AREA, "dismissed").await.expect(201);
    portal.advance(60);
    reviewer.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    let task = take_with_boxes(&operator).await;
    assert_eq!(task["boxes"], json!([{"box": AREA, "decision": "dismissed"}]));
    let moved = [0.1, 0.21, 0.3, 0.4];
    send_result(&operator, &task, &reading(&[block_at(moved, "not-a-notice", None)]), CLIP).await.expect(200);
    let shown = read(&reviewer, &page).await;
    let mark = shown["boxes"][0].clone();
    assert_eq!(shown["blocks"][0]["mark"], mark["_id"], "the box is recognised where it overlaps");
    // Another box can be drawn at this place. It goes first.
    decide_box(&reviewer, &page, [0.1, 0.2, 0.3, 0.5], "notice").await.expect(201);
    let drawn = read(&reviewer, &page).await["boxes"][1].clone();
    undo_box(&reviewer, &page, &mark).await.expect_error(409);
    undo_box(&reviewer, &page, &drawn).await.expect(200);
    undo_box(&reviewer, &page, &mark).await.expect(200);
    assert_eq!(status().await, TenderStatus::Published);
    assert_eq!(read(&reviewer, &page).await["page"]["state"], "waiting");
}

#[tokio::test]
async fn impossible_boxes_are_refused_and_others_cannot_decide() {
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let operator = portal.operator().await;
    let page = upload_page(&operator, "A page").await;
    let task = take(&operator, "desk").await;
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    for area in [[0.0, 0.0, 0.005, 0.5], [0.9, 0.1, 0.2, 0.1], [-0.1, 0.1, 0.2, 0.1], [0.1, 0.1, 0.2, -0.1]] {
        decide_box(&reviewer, &page, area, "notice").await.expect_error(422);
    }
    let path = format!("{}/boxes", page_path(&page));
    for form in [
        json!({"box": [0.1, 0.1, 0.2], "decision": "notice"}),
        json!({"box": [0.1, 0.1, 0.2, 0.2], "decision": "maybe"}),
        json!({"box": [0.1, 0.1, 0.2, 0.2]}),
    ] {
        reviewer.post(&path, &form).await.expect_error(422);
    }
    let unknown = json!({"_id": "00000000-0000-7000-8000-000000000000"});
    decide_box(&reviewer, &unknown, [0.1, 0.1, 0.2, 0.2], "notice").await.expect_error(404);
    decide_box(&reviewer, &unknown, [0.1, 0.1, 0.2, 0.2], "dismissed").await.expect_error(404);
    undo_box(&reviewer, &page, &unknown).await.expect_error(404);
    let supplier = portal.user("nimal", "supplier").await;
    decide_box(&supplier, &page, [0.1, 0.1, 0.2, 0.2], "notice").await.expect_error(403);
    undo_box(&supplier, &page, &unknown).await.expect_error(403);
    decide_box(&portal.guest(), &page, [0.1, 0.1, 0.2, 0.2], "notice").await.expect_error(401);
    // A token with the scope for reviews may decide.
    decide_box(&operator, &page, [0.1, 0.1, 0.2, 0.2], "notice").await.expect(201);
}
