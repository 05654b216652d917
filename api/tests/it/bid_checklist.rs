//! The checklist and the evidence pack of a bid.

use crate::{
    support::{Client, TestPortal, publishing::store_sample_tender},
    team::join_team,
};
use api::{
    clients::file_store::{FileName, hash},
    domain::clip::MediaType,
    storage::{self, changes, tenders},
};
use serde_json::{Value, json};
use std::{io::Write as _, process::Command};
use tender_model::tender::{Source, Tender};
use uuid::Uuid;

/// Stores an open tender whose notice states a fee and a closing.
pub async fn stated_tender(portal: &TestPortal, change: impl FnOnce(&mut Tender)) -> Uuid {
    store_sample_tender(portal, "Roof repairs", |tender| {
        tender.organization.name = "Department of Buildings".into();
        tender.reference_no = Some("DB/2026/7".into());
        tender.published_at = "2026-11-19T09:00:00+05:30".parse().ok();
        tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
        let more = json!({
            "documentFee": {"amount": 5000, "saleUntil": "2026-12-19"},
            "evidence": {"documentFee.amount": {"text": "Rs. 5,000/="}, "dates.closing": {"text": "2.00 p.m. on 20th"}},
        });
        let more: Tender = serde_json::from_value(more).unwrap();
        (tender.document_fee, tender.evidence) = (more.document_fee, more.evidence);
        tender.full_text_markdown = "Tenders should be placed in a sealed cover and deposited in the tender box.".into();
        change(tender);
    })
    .await
}

pub async fn add(client: &Client, tender: Uuid) -> String {
    let added = client.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    format!("/bids/{}", added["data"]["bid"]["_id"].as_str().unwrap())
}

pub async fn row(client: &Client, path: &str, key: &str) -> Value {
    let details = client.get(path).await.expect(200)["data"].clone();
    let rows = details["checklist"].as_array().unwrap().clone();
    rows.into_iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("no row {key} in {details:#}"))
}

pub async fn tick(client: &Client, path: &str, row: &Value, is_done: bool) -> Value {
    let form = json!({"key": row["key"], "fingerprint": row["fingerprint"], "isDone": is_done});
    client.put(&format!("{path}/checklist"), &form).await.expect(200)["data"].clone()
}

pub async fn revise(portal: &TestPortal, id: Uuid, change: impl FnOnce(&mut Tender)) {
    let state = &portal.state;
    let mut tender = tenders::current(&state.db, id).await.unwrap().unwrap().tender;
    change(&mut tender);
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::revise(&mut tx, &tender, state.clock.now()).await.unwrap();
    changes::commit(tx, revision.as_slice(), &state.clock, &state.random).await.unwrap();
}

#[tokio::test]
async fn a_team_ticks_the_rows_of_the_notice() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "kamala").await;
    let path = add(&owner, stated_tender(&portal, |_| ()).await).await;

    let documents = row(&owner, &path, "buy-documents").await;
    assert_eq!(documents["derived"]["printed"], "Rs. 5,000/=");
    assert_eq!((&documents["derived"]["amount"], &documents["tick"]), (&json!(5000.0), &Value::Null));
    assert_eq!(row(&owner, &path, "vat").await["derived"]["basis"], "usual-practice");
    assert_eq!(row(&owner, &path, "bid-security").await["derived"]["basis"], "not-stated");

    let ticked = tick(&member, &path, &documents, true).await;
    assert_eq!(ticked["history"][0]["kind"], "row-ticked");
    assert_eq!(ticked["history"][0]["before"], "buy-documents");
    let seen = row(&owner, &path, "buy-documents").await;
    assert_eq!(seen["tick"]["by"]["name"], "kamala Perera");
    // A second tick changes nothing.
    let again = tick(&owner, &path, &documents, true).await;
    assert_eq!(again["history"].as_array().unwrap().len(), ticked["history"].as_array().unwrap().len());
    assert_eq!(tick(&owner, &path, &documents, false).await["history"][0]["kind"], "row-reopened");
    assert_eq!(row(&owner, &path, "buy-documents").await["tick"], Value::Null);
}

#[tokio::test]
async fn a_corrigendum_unticks_the_rows_that_it_changes() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let tender = stated_tender(&portal, |_| ()).await;
    let path = add(&user, tender).await;
    let delivery = row(&user, &path, "deliver").await;
    for key in ["deliver", "buy-documents"] {
        let row = row(&user, &path, key).await;
        tick(&user, &path, &row, true).await;
    }
    revise(&portal, tender, |tender| tender.dates.closing = "2026-12-28T14:00:00+05:30".parse().ok()).await;
    let changed = row(&user, &path, "deliver").await;
    assert_eq!(changed["tick"], Value::Null);
    assert_eq!(changed["outdatedTick"]["by"]["name"], "nimal Perera");
    assert_ne!(row(&user, &path, "buy-documents").await["tick"], Value::Null, "it has not changed");
    // The page still shows the earlier closing.
    let form = json!({"key": "deliver", "fingerprint": delivery["fingerprint"], "isDone": true});
    user.put(&format!("{path}/checklist"), &form).await.expect_error(409);
    tick(&user, &path, &changed, true).await;
    let seen = row(&user, &path, "deliver").await;
    assert!(seen["tick"].is_object() && seen["outdatedTick"].is_null(), "{seen}");
}

#[tokio::test]
async fn users_add_and_delete_rows_of_their_own() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let path = add(&user, stated_tender(&portal, |_| ()).await).await;
    let target = format!("{path}/checklist");
    for title in [" ", "two\nlines", &"x".repeat(201)] {
        user.post(&target, &json!({"title": title})).await.expect_error(422);
    }
    let added = user.post(&target, &json!({"title": "Company seal"})).await.expect(201)["data"].clone();
    let own = added["checklist"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(own["own"]["title"], "Company seal");
    tick(&user, &path, &own, true).await;
    let id = own["own"]["_id"].as_str().unwrap();
    let removed = user.delete(&format!("{target}/{id}")).await.expect(200)["data"].clone();
    assert!(removed["checklist"].as_array().unwrap().iter().all(|row| row["own"].is_null()));
    assert_eq!(removed["history"][0], {
        let mut event = removed["history"][0].clone();
        (event["kind"], event["after"]) = (json!("row-deleted"), json!("Company seal"));
        event
    });
    user.delete(&format!("{target}/{id}")).await.expect_error(404);
    let rubbish = json!({"key": "no-such-row", "fingerprint": "0000000000000000", "isDone": true});
    user.put(&target, &rubbish).await.expect_error(404);
    for nth in 0..60 {
        user.post(&target, &json!({"title": format!("Row {nth}")})).await.expect(201);
    }
    let full = user.post(&target, &json!({"title": "One more"})).await.expect_error(409);
    assert_eq!(full, "A checklist has at most 60 added rows");
}

#[tokio::test]
async fn a_locked_tender_has_no_checklist_and_no_evidence() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let path = add(&user, stated_tender(&portal, |_| ()).await).await;
    let hide = "update tender_revision set record = jsonb_set(record, '{visibility}', '\"premium\"')";
    sqlx::query(hide).execute(&portal.state.db).await.unwrap();
    let locked = user.get(&path).await.expect(200)["data"].clone();
    assert_eq!(locked["checklist"], Value::Null);
    user.get(&format!("{path}/evidence.pdf")).await.expect_error(403);
}

/// The output of a program that reads a PDF. `None`: the program is not installed.
fn read_pdf(program: &str, pdf: &[u8]) -> Option<String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let mut command = Command::new(program);
    if program == "pdfimages" {
        command.arg("-list");
    }
    command.arg(file.path());
    if program == "pdftotext" {
        command.arg("-");
    }
    let output = command.output().ok()?;
    assert!(output.status.success(), "{program}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn the_evidence_pack_has_words_pictures_and_history() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let mut picture = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(320, 480, image::Rgb([200, 190, 180]))
        .write_to(&mut picture, image::ImageFormat::Jpeg)
        .unwrap();
    let picture = picture.into_inner();
    let clip = hash(&picture);
    portal.state.files.put(&FileName::clip(clip.as_str(), MediaType::Jpeg), picture).await.unwrap();
    let tender = stated_tender(&portal, |tender| {
        tender.title = "ශ්\u{200d}රී ලංකා වරාය: roof repairs, கொழும்பு".into();
        tender.source_page = Some("7".into());
        tender.sources = vec![Source {
            publication: "Daily Lanka".into(),
            date: "2026-11-19".parse().ok(),
            clip_url: Some(format!("/api/clips/{clip}")),
            ..Source::default()
        }];
    })
    .await;
    let path = add(&user, tender).await;
    let reply = user.get(&format!("{path}/evidence.pdf")).await;
    let fonts = std::path::Path::new("/usr/share/fonts/truetype/noto/NotoSansSinhala-Regular.ttf");
    if !fonts.exists() {
        let message = reply.expect_error(503);
        assert_eq!(message, "The portal has no fonts for this file. Please tell its operator");
        return;
    }
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/pdf"));
    let pdf = reply.bytes.as_slice();
    assert!(pdf.starts_with(b"%PDF-"));
    if let Some(text) = read_pdf("pdftotext", pdf) {
        for expected in [
            "ශ්\u{200d}රී ලංකා වරාය",
            "கொழும்பு",
            "DB/2026/7",
            "Daily Lanka, ",
            "page 7",
            "Rs. 5,000/=",
            "Published on the portal",
            "Page 1 of 2",
            &format!("/tenders/{tender}"),
        ] {
            assert!(text.contains(expected), "{expected:?} is not in {text}");
        }
    }
    if let Some(info) = read_pdf("pdfinfo", pdf) {
        assert!(info.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 2")), "{info}");
    }
    if let Some(images) = read_pdf("pdfimages", pdf) {
        assert!(images.contains("320   480"), "{images}");
    }
    let stranger = portal.user("sunil", "supplier").await;
    stranger.get(&format!("{path}/evidence.pdf")).await.expect_error(404);
}
