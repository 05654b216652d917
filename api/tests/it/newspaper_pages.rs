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
use std::time::Duration;

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

pub async fn page_details(client: &Client, page: &Value) -> Value {
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
    for date in ["20.11.2026", "1999-12-31", "-009999-01-01", ""] {
        reviewer.put(&issue, &json!({"publication": "Daily Test", "date": date})).await.expect_error(422);
    }
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

    // A worker that reads the page meanwhile loses its lease.
    let outdated = take(&operator, "desk").await;
    reviewer.put(&issue, &right).await.expect(200);
    send_result(&operator, &outdated, &as_read("Daily Wrong", "2026-11-19"), CLIP).await.expect_error(409);
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
        let details = page_details(&reviewer, &page).await;
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
    assert_eq!(page_details(&reviewer, page).await["pictureUrl"], json!(null));
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
    let leased = page_details(&reviewer, page).await["page"].clone();
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
    let details = page_details(&reviewer, page).await;
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
    let folder = portal.state.config.data.data.join("newspaper-pages");
    delete_unused_files(&portal.state, Duration::ZERO).await.unwrap();
    assert_eq!(
        std::fs::read_dir(folder).unwrap().count(),
        1,
        "refused files are deleted, and the accepted one is kept"
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
    assert_eq!(page_details(&operator, &page).await["blocks"].as_array().unwrap().len(), 2);
    operator.put(&lease_path(&task), &json!({})).await.expect_error(409);
    operator.delete(&lease_path(&task)).await.expect_error(409);
    operator.put(&format!("{}/failure", lease_path(&task)), &json!({"reason": "x"})).await.expect_error(409);

    admin.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    assert_eq!(last_entry(&admin).await["action"], "reread-page");
    let before = page_details(&operator, &page).await;
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
    let after = page_details(&operator, &page).await;
    assert_eq!(after["blocks"].as_array().unwrap().len(), 1);
    assert_ne!(after["pictureUrl"], before["pictureUrl"]);
    let folder = portal.state.config.data.data.join("newspaper-pages");
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
    assert!(page_details(&operator, shown).await["pictureUrl"].is_string());
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
