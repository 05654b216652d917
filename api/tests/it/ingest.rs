//! Operators publish notices and their clips.

use crate::support::{Client, Reply, TestPortal};
use api::storage::{changes, tenders};
use axum::http::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

/// The first bytes of a JPEG, enough for type detection.
pub const CLIP: &[u8] = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00 a clip";
const NOTICE_KEY: &str = "0123456789abcdef0123456789abcdef";

fn notice(title: &str) -> String {
    format!(
        "---\ntitle: {title}\nreferenceNo: RDA/2026/11\nvisibility: premium\norganization:\n  name: Road Development \
        Authority\n  contactPerson:\n    phone: 011 212 3456\ndates:\n  closing: 2026-12-01T14:00:00+05:30\nsource:\n  \
        publication: Daily Test\n  date: 2026-11-20\n  file: 2026-11-20/p1.jpg\n  page: 1\n  box: [0.1, 0.1, 0.2, 0.2]\n---\n\n\
        Sealed bids are invited.\n"
    )
}

pub async fn put(client: &Client, key: &str, notice: impl Into<Vec<u8>>, clip: &[u8]) -> Reply {
    let form = Form::new()
        .part("notice", Part::bytes(notice.into()).mime_str("text/markdown").unwrap())
        .part("clip", Part::bytes(clip.to_vec()).mime_str("image/jpeg").unwrap());
    put_form(client, key, form).await
}

/// Sends a multipart form to the route for notices. The key may be followed by a query string.
pub async fn put_form(client: &Client, key: &str, form: Form) -> Reply {
    let path = format!("/ingest/notices/{key}");
    client.send(client.request(Method::PUT, &path).multipart(form), Method::PUT, &path).await
}

/// Publishes a notice with a clip.
pub async fn publish_notice(operator: &Client) {
    put(operator, NOTICE_KEY, notice("Paving of roads"), CLIP).await.expect(201);
}

/// Returns the last position in the change log.
pub async fn log_length(portal: &TestPortal) -> i64 {
    changes::head(&portal.state.db).await.unwrap().position
}

#[tokio::test]
async fn notice_becomes_a_tender_with_its_clip() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let published = put(&operator, NOTICE_KEY, notice("Paving of roads"), CLIP).await.expect(201);
    assert_eq!(published["data"]["outcome"], "created");
    let id = published["data"]["_id"].as_str().unwrap();
    let tender = portal.guest().get(&format!("/tenders/{id}")).await.expect(200)["data"]["tender"].clone();
    assert_eq!(tender["_id"], id);
    assert_eq!((&tender["title"], &tender["status"]), (&json!("Paving of roads"), &json!("published")));
    assert_eq!(tender["publishedAt"], "2026-11-20T12:00:00+05:30");
    assert_eq!(tender["fullTextMarkdown"].as_str().unwrap().trim(), "Sealed bids are invited.");
    // Newspaper notices are public, even if their file says otherwise.
    assert_eq!(tender["visibility"], "public");
    assert_eq!(log_length(&portal).await, 1);

    let url = tender["sources"][0]["clipUrl"].as_str().unwrap().strip_prefix("/api").unwrap();
    let clip = portal.guest().get(url).await;
    assert_eq!((clip.status.as_u16(), clip.bytes.as_slice()), (200, CLIP));
    assert_eq!(clip.header("content-type"), "image/jpeg");
    assert_eq!(clip.header("cache-control"), "private, max-age=31536000, immutable");
    let again = portal.guest().request(Method::GET, url).header("if-none-match", clip.header("etag"));
    assert_eq!(portal.guest().send(again, Method::GET, url).await.status, 304);
}

#[tokio::test]
async fn repeated_notice_is_unchanged_and_new_text_creates_a_revision() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first =
        put(&operator, NOTICE_KEY, notice("Paving of roads"), CLIP).await.expect(201)["data"]["_id"].clone();
    portal.advance(3600);
    let same = put(&operator, NOTICE_KEY, notice("Paving of roads"), CLIP).await.expect(200);
    assert_eq!(same["data"], json!({"_id": first, "outcome": "unchanged"}));
    assert_eq!(log_length(&portal).await, 1);

    let other = put(&operator, NOTICE_KEY, notice("Paving of the A9"), CLIP).await.expect(200);
    assert_eq!(other["data"], json!({"_id": first, "outcome": "updated"}));
    let id = first.as_str().unwrap().parse().unwrap();
    let current = tenders::current(&portal.state.db, id).await.unwrap().unwrap();
    assert_eq!((current.tender.title.as_str(), current.revision), ("Paving of the A9", 2));
    // The time of the first publication is kept.
    assert_eq!(current.tender.published_at, Some("2026-11-20T12:00:00+05:30".parse().unwrap()));
    let before = tenders::revision(&portal.state.db, id, 1).await.unwrap().unwrap();
    assert_eq!(before.title, "Paving of roads");

    let new_clip =
        put(&operator, NOTICE_KEY, notice("Paving of the A9"), b"\xff\xd8\xff another").await.expect(200);
    assert_eq!(new_clip["data"]["outcome"], "updated");
    assert_eq!(log_length(&portal).await, 3);
}

#[tokio::test]
async fn concurrent_identical_notices_create_one_tender() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let sent = (0..6).map(|_| put(&operator, NOTICE_KEY, notice("Paving of roads"), CLIP));
    let replies: Vec<Value> =
        futures::future::join_all(sent).await.iter().map(|reply| reply.json()["data"].clone()).collect();
    let created = replies.iter().filter(|data| data["outcome"] == "created").count();
    let unchanged = replies.iter().filter(|data| data["outcome"] == "unchanged").count();
    assert_eq!((created, unchanged), (1, 5), "{replies:?}");
    assert!(replies.iter().all(|data| data["_id"] == replies[0]["_id"]), "{replies:?}");
    assert_eq!(log_length(&portal).await, 1);
}

#[tokio::test]
async fn publishing_requires_a_valid_operator_token() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let user = portal.user("nimal", "supplier").await;
    let rubbish = portal.guest().with_token("operator_rubbish");
    for client in [&portal.guest(), &user, &rubbish] {
        let message = put(client, NOTICE_KEY, notice("Paving"), CLIP).await.expect_error(401);
        assert!(message.contains("api admin token create"), "{message}");
    }
    sqlx::query("update operator_token set revoked_at = created_at").execute(&portal.state.db).await.unwrap();
    put(&operator, NOTICE_KEY, notice("Paving"), CLIP).await.expect_error(401);
    assert_eq!(log_length(&portal).await, 0);
}

#[tokio::test]
async fn invalid_notice_is_refused_and_stores_nothing() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let good = notice("Paving");
    let replaced = |from: &str, to: &str| good.replace(from, to);
    let nameless = replaced("title: Paving\n", "").replace("Sealed bids are invited.", "");
    for (why, text) in [
        ("no front matter", b"Sealed bids are invited.".to_vec()),
        ("no end of front matter", b"---\ntitle: x\n".to_vec()),
        ("not UTF-8", b"---\ntitle: \xff\n---\n".to_vec()),
        ("empty", Vec::new()),
        (
            "no source",
            good.split("source:").next().map(|front| format!("{front}---\n\nText.\n")).unwrap().into_bytes(),
        ),
        ("neither title nor text", nameless.into_bytes()),
        ("a wrong type", replaced("title: Paving", "title: [1, 2]").into_bytes()),
        ("NUL", replaced("title: Paving", "title: \"a\\0b\"").into_bytes()),
        ("not a number", replaced("source:", "confidence:\n  title: .nan\nsource:").into_bytes()),
        (
            "a script",
            replaced("title: Paving", "title: Paving\nsourceUrl: \"javascript:alert(1)\"").into_bytes(),
        ),
    ] {
        let reply = put(&operator, NOTICE_KEY, text, CLIP).await;
        assert_eq!(reply.expect(422)["errors"][0]["field"], "notice", "{why}");
    }
    for clip in [&b"<svg onload='x'/>"[..], b"", b"GIF89a", b"%PDF-1.7"] {
        assert_eq!(
            put(&operator, NOTICE_KEY, good.clone(), clip).await.expect(422)["errors"][0]["field"],
            "clip"
        );
    }
    for key in
        ["x", &NOTICE_KEY[1..], &NOTICE_KEY.to_uppercase(), "..%2f..%2fetc%2fpasswd%2f%2f%2f%2f%2f%2f%2f"]
    {
        assert_eq!(
            put(&operator, key, good.clone(), CLIP).await.expect(422)["errors"][0]["field"],
            "key",
            "{key}"
        );
    }
    assert_eq!(log_length(&portal).await, 0);
}

#[tokio::test]
async fn malformed_and_oversized_forms_are_refused() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let path = format!("/ingest/notices/{NOTICE_KEY}");
    let request = operator.request(Method::PUT, &path).json(&json!({}));
    assert!(
        operator.send(request, Method::PUT, &path).await.expect_error(400).contains("multipart/form-data")
    );
    let request = operator
        .request(Method::PUT, &path)
        .header("content-type", "multipart/form-data; boundary=x")
        .body("rubbish");
    operator.send(request, Method::PUT, &path).await.expect_error(400);
    let text = || Part::text(notice("Paving"));
    for (form, field) in [
        (Form::new().part("notice", text()), "clip"),
        (Form::new().part("clip", Part::bytes(CLIP)), "notice"),
        (Form::new().part("notice", text()).part("notice", text()), "form"),
        (Form::new().part("other", text()), "form"),
    ] {
        assert_eq!(put_form(&operator, NOTICE_KEY, form).await.expect(422)["errors"][0]["field"], field);
    }
    let long = format!("{}{}", notice("Paving"), "x".repeat(1024 * 1024));
    assert!(put(&operator, NOTICE_KEY, long, CLIP).await.expect_error(413).contains("1024 KiB"));
    let mut large = CLIP.to_vec();
    large.resize(8 * 1024 * 1024 + 1, 0);
    assert!(
        put(&operator, NOTICE_KEY, notice("Paving"), &large).await.expect_error(413).contains("8192 KiB")
    );
    assert_eq!(log_length(&portal).await, 0);
}

#[tokio::test]
async fn unknown_clip_is_not_found() {
    let portal = TestPortal::start().await;
    for rubbish in ["x", "..%2f..%2fetc%2fpasswd", &"a".repeat(64), &"A".repeat(64), "%00"] {
        assert_eq!(
            portal
                .guest()
                .get(&format!("/clips/{rubbish}?until=99999999999&signature=x"))
                .await
                .expect_error(404),
            "Clip not found",
            "{rubbish}"
        );
    }
}
