//! Tenders with several notices: notices in further newspapers, corrigenda, notices in review, and
//! operators' decisions.

use crate::{
    ingest::{CLIP, log_length, put},
    newspaper_pages::{take, upload_page},
    support::{Client, Reply, TestPortal},
};
use api::storage::{self, changes, notices, tenders};
use serde_json::{Value, json};
use tender_model::tender::Tender;

/// A newspaper notice. Tests change single fields of [`ORIGINAL_NOTICE`] to get further notices.
#[derive(Clone, Copy)]
pub struct TestNotice<'n> {
    pub kind: &'n str,
    pub title: &'n str,
    pub reference: &'n str,
    pub closing: &'n str,
    pub day: &'n str,
    pub newspaper: &'n str,
    pub text: &'n str,
}

pub const ORIGINAL_NOTICE: TestNotice<'static> = TestNotice {
    kind: "purchase",
    title: "Paving of the Canal Road at Elpitiya",
    reference: "RDA/SP/2026/117",
    closing: "2026-12-15T14:00:00+05:30",
    day: "2026-11-20",
    newspaper: "Daily Test",
    text: "Sealed bids are invited.",
};
/// A corrigendum of [`ORIGINAL_NOTICE`] with a later closing date.
pub const CORRIGENDUM: TestNotice<'static> = TestNotice {
    kind: "corrigendum",
    closing: "2026-12-29T14:00:00+05:30",
    day: "2026-12-01",
    text: "The closing date is extended.",
    ..ORIGINAL_NOTICE
};

impl TestNotice<'_> {
    /// Returns the notice's file, as `ingest` would send it.
    pub fn file(self) -> String {
        let Self { kind, title, reference, closing, day, newspaper, text } = self;
        let reference =
            if reference.is_empty() { String::new() } else { format!("referenceNo: {reference}\n") };
        let closing = if closing.is_empty() { "{}".to_owned() } else { format!("\n  closing: {closing}") };
        format!(
            "---\ntitle: {title}\nkind: {kind}\nlanguage: en\n{reference}organization:\n  name: Road Development Authority\n\
            dates: {closing}\nsource:\n  publication: {newspaper}\n  date: {day}\n  file: {day}/p1.jpg\n  page: 1\n  box: [0.1, 0.1, \
            0.2, 0.2]\n---\n\n{text}\n"
        )
    }
}

fn notice_key(number: u32) -> String {
    format!("{number:032x}")
}

/// Sends a notice with a clip of its own. Returns the receipt.
pub async fn send_notice(operator: &Client, number: u32, notice: TestNotice<'_>) -> Value {
    let clip = [CLIP, &number.to_be_bytes()].concat();
    let reply = put(operator, &notice_key(number), notice.file(), &clip).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

fn tender_id(published: &Value) -> uuid::Uuid {
    published["_id"].as_str().unwrap_or_default().parse().unwrap()
}

pub async fn current_tender(portal: &TestPortal, published: &Value) -> Tender {
    tenders::current(&portal.state.db, tender_id(published)).await.unwrap().unwrap().tender
}

pub fn publications(tender: &Tender) -> Vec<&str> {
    tender.sources.iter().map(|source| source.publication.as_str()).collect()
}

async fn decide_review(client: &Client, number: u32, decision: Value) -> Reply {
    client.post(&format!("/operate/review/{}", notice_key(number)), &decision).await
}

async fn notices_in_review(client: &Client) -> Vec<Value> {
    client.get("/operate/review").await.expect(200)["data"]["notices"].as_array().unwrap().clone()
}

#[tokio::test]
async fn notices_wait_while_the_index_lacks_many_tenders() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    portal.wait_until_indexed().await;
    upload_page(&operator, "A page").await;
    // As if 301 changes were not indexed yet.
    let move_head = async |count: i64| {
        sqlx::query("update change_head set position = position + $1")
            .bind(count)
            .execute(&portal.state.db)
            .await
            .unwrap();
    };
    move_head(301).await;
    let reprint = TestNotice { newspaper: "Weekly Test", reference: "", ..ORIGINAL_NOTICE };
    let refused = put(&operator, &notice_key(2), reprint.file(), CLIP).await;
    assert!(refused.expect_error(503).contains("building its search index"));
    assert_eq!(take(&operator, "worker").await, json!(null));
    move_head(-301).await;
    let second = send_notice(&operator, 2, reprint).await;
    assert_eq!(second, json!({"_id": first["_id"], "outcome": "merged"}));
    assert_eq!(take(&operator, "worker").await["number"], 1);
}

#[tokio::test]
async fn notice_in_a_second_newspaper_becomes_a_source() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    assert_eq!(first["outcome"], "created");
    portal.advance(3600);
    let weekly = TestNotice {
        newspaper: "Weekly Test",
        day: "2026-11-18",
        reference: "RDA-SP-2O26-117",
        ..ORIGINAL_NOTICE
    };
    let second = send_notice(&operator, 2, weekly).await;
    assert_eq!(second, json!({"_id": first["_id"], "outcome": "merged"}));
    let merged = current_tender(&portal, &first).await;
    assert_eq!(publications(&merged), ["Weekly Test", "Daily Test"]);
    assert!(merged.sources.iter().all(|source| source.clip_url.is_some()));
    assert_eq!(merged.published_at, Some("2026-11-20T12:00:00+05:30".parse().unwrap()));
    assert_eq!(merged.reference_no.as_deref(), Some(ORIGINAL_NOTICE.reference));
    assert_eq!(log_length(&portal).await, 2);
    // Sending the same notices again changes nothing. A new text of the first notice updates the
    // tender.
    for (number, notice) in [(1, ORIGINAL_NOTICE), (2, weekly)] {
        assert_eq!(send_notice(&operator, number, notice).await["outcome"], "unchanged");
    }
    let longer = TestNotice { text: "Sealed bids are invited for the road.", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 1, longer).await, json!({"_id": first["_id"], "outcome": "updated"}));
    assert_eq!(publications(&current_tender(&portal, &first).await), ["Weekly Test", "Daily Test"]);
    // A new text of the second notice does not change the tender.
    let longer = TestNotice { text: "Sealed bids are invited for the way.", ..weekly };
    assert_eq!(send_notice(&operator, 2, longer).await, json!({"_id": first["_id"], "outcome": "unchanged"}));
    assert_eq!(log_length(&portal).await, 3);
}

#[tokio::test]
async fn concurrent_notices_create_one_tender() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    // The last three notices have no reference number.
    let references = ["RDA/SP/2026/117", "RDA SP 2026 117", "RDA/SP/2O26/117", "", "", ""];
    let sent = references.iter().zip(1..).map(|(reference, number)| {
        let operator = &operator;
        async move { send_notice(operator, number, TestNotice { reference, ..ORIGINAL_NOTICE }).await }
    });
    let replies = futures::future::join_all(sent).await;
    let count = |outcome: &str| replies.iter().filter(|reply| reply["outcome"] == outcome).count();
    // One notice creates the tender, and all others join it.
    assert_eq!(
        (count("created"), count("created") + count("merged") + count("updated")),
        (1, 6),
        "{replies:?}"
    );
    assert!(replies.iter().all(|reply| reply["_id"] == replies[0]["_id"]), "{replies:?}");
    let tenders: i64 =
        sqlx::query_scalar("select count(*) from tender").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(tenders, 1);
}

#[tokio::test]
async fn tender_that_the_index_lacks_is_a_candidate() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, TestNotice { reference: "", ..ORIGINAL_NOTICE }).await;
    let mut tx = storage::begin(&portal.state.db).await.unwrap();
    let head = changes::head(&mut *tx).await.unwrap().position;
    assert_eq!(notices::candidates(&mut tx, None, 0, 10).await.unwrap(), [tender_id(&first)]);
    assert!(notices::candidates(&mut tx, None, head, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn corrigendum_changes_its_tender_and_can_be_reread() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let corrected = send_notice(&operator, 2, CORRIGENDUM).await;
    assert_eq!(corrected, json!({"_id": first["_id"], "outcome": "corrected"}));
    let shown = portal.guest().get(&format!("/tenders/{}", tender_id(&first))).await.expect(200);
    let shown = &shown["data"]["tender"];
    assert_eq!(shown["dates"]["closing"], CORRIGENDUM.closing);
    assert_eq!((&shown["kind"], shown["sources"].as_array().unwrap().len()), (&json!("purchase"), 2));
    let change = json!([{"at": "2026-11-20T12:00:00+05:30", "field": "dates.closing", "from": ORIGINAL_NOTICE.closing,
        "to": CORRIGENDUM.closing, "source": "Daily Test, 2026-12-01, page 1"}]);
    assert_eq!(shown["changes"], change);
    // The same corrigendum in another newspaper becomes a source and makes no further change.
    let again = send_notice(&operator, 3, TestNotice { newspaper: "Weekly Test", ..CORRIGENDUM }).await;
    assert_eq!(again, json!({"_id": first["_id"], "outcome": "corrected"}));
    // A new text of the original notice does not revert the change.
    let longer = TestNotice { text: "Sealed bids are invited for the road.", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 1, longer).await["outcome"], "updated");
    let now = current_tender(&portal, &first).await;
    assert_eq!((now.changes.len(), now.sources.len()), (1, 3));
    assert_eq!(now.dates.closing, Some(CORRIGENDUM.closing.parse().unwrap()));
    // When both corrigenda are read again with another date, a change to that date replaces the
    // first change.
    for number in [2, 3] {
        let better = TestNotice { closing: "2026-12-30T14:00:00+05:30", ..CORRIGENDUM };
        let better = if number == 3 { TestNotice { newspaper: "Weekly Test", ..better } } else { better };
        assert_eq!(send_notice(&operator, number, better).await["_id"], first["_id"]);
    }
    let now = current_tender(&portal, &first).await;
    assert_eq!(now.dates.closing, Some("2026-12-30T14:00:00+05:30".parse().unwrap()));
    assert_eq!(now.changes.len(), 1, "{:?}", now.changes);
    portal.wait_until_indexed().await;
    assert_eq!(portal.state.search_engine.get(now.id).unwrap().unwrap().dates.closing, now.dates.closing);
}

#[tokio::test]
async fn early_corrigendum_applies_when_its_tender_arrives() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let early = send_notice(&operator, 2, CORRIGENDUM).await;
    assert_eq!(early, json!({"outcome": "review"}));
    assert_eq!(log_length(&portal).await, 0);
    let in_review = notices_in_review(&operator).await;
    assert_eq!((&in_review[0]["key"], &in_review[0]["doubt"]), (&json!(notice_key(2)), &json!("no-tender")));
    send_notice(
        &operator,
        3,
        TestNotice { reference: "RDA/NP/2025/904", title: "Desilting of a tank", ..ORIGINAL_NOTICE },
    )
    .await;
    assert_eq!(notices_in_review(&operator).await.len(), 1);
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    assert_eq!(first["outcome"], "created");
    let now = current_tender(&portal, &first).await;
    assert_eq!(now.dates.closing, Some(CORRIGENDUM.closing.parse().unwrap()));
    assert_eq!((now.changes.len(), now.sources.len()), (1, 2));
    assert!(notices_in_review(&operator).await.is_empty());
    assert_eq!(
        send_notice(&operator, 2, CORRIGENDUM).await,
        json!({"_id": first["_id"], "outcome": "unchanged"})
    );
}

#[tokio::test]
async fn tender_with_several_notices_matches_once() {
    let portal = TestPortal::start().await;
    let subscriber = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let alert = json!({"name": "Canals", "keywords": [{"term": "canal road"}]});
    subscriber.post("/alerts", &alert).await.expect(201);
    let operator = portal.operator().await;
    for (number, notice) in [
        (1, ORIGINAL_NOTICE),
        (2, TestNotice { newspaper: "Weekly Test", ..ORIGINAL_NOTICE }),
        (3, CORRIGENDUM),
    ] {
        send_notice(&operator, number, notice).await;
    }
    let head = changes::head(&portal.state.db).await.unwrap().position;
    let mut matcher = portal.state.progress.matcher.subscribe();
    matcher.wait_for(|job| job.position >= head).await.unwrap();
    for table in ["match", "delivery_item"] {
        let count = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let rows: i64 = sqlx::query_scalar(count).fetch_one(&portal.state.db).await.unwrap();
        assert_eq!(rows, 1, "{table}");
    }
}

#[tokio::test]
async fn reread_notice_of_another_tender_leaves_the_first_one() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let weekly = TestNotice { newspaper: "Weekly Test", reference: "", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 2, weekly).await["outcome"], "merged");
    let better =
        TestNotice { title: "Desilting of the tank at Matara", reference: "RDA/NP/2025/904", ..weekly };
    let second = send_notice(&operator, 2, better).await;
    assert_eq!(second["outcome"], "created");
    assert_ne!(second["_id"], first["_id"]);
    assert_eq!(publications(&current_tender(&portal, &first).await), ["Daily Test"]);
    assert_eq!(publications(&current_tender(&portal, &second).await), ["Weekly Test"]);
}

#[tokio::test]
async fn operators_decide_notices_in_review() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let doubtful = TestNotice { reference: "RDA/SP/2026/118", newspaper: "Weekly Test", ..ORIGINAL_NOTICE };
    for number in 2..=5 {
        assert_eq!(send_notice(&operator, number, doubtful).await, json!({"outcome": "review"}));
    }
    assert_eq!(log_length(&portal).await, 1);
    assert_eq!(notices_in_review(&operator).await.len(), 4);
    let key = notice_key(2);
    let opened = operator.post(&format!("/operate/review/{key}/claim"), &json!({})).await.expect(200);
    let in_review = &opened["data"]["notice"];
    assert_eq!(
        (&in_review["doubt"], &in_review["candidates"][0]["tender"]),
        (&json!("alike"), &first["_id"])
    );
    assert_eq!(in_review["notice"]["referenceNo"], "RDA/SP/2026/118");

    let done = |reply: Reply| reply.expect(200)["data"].clone();
    let source = json!({"decision": "source", "tender": first["_id"]});
    assert_eq!(
        done(decide_review(&operator, 2, source.clone()).await),
        json!({"_id": first["_id"], "outcome": "merged"})
    );
    assert_eq!(publications(&current_tender(&portal, &first).await), ["Daily Test", "Weekly Test"]);
    let own = done(decide_review(&operator, 3, json!({"decision": "tender"})).await);
    assert!(own["outcome"] == "created" && own["_id"] != first["_id"], "{own}");
    assert_eq!(
        done(decide_review(&operator, 4, json!({"decision": "reject"})).await),
        json!({"outcome": "updated"})
    );
    decide_review(&operator, 4, source.clone()).await.expect_error(409);
    decide_review(&operator, 1, source.clone()).await.expect_error(409);
    decide_review(&operator, 99, source).await.expect_error(404);
    let nobodys = json!({"decision": "source", "tender": "00000000-0000-7000-8000-000000000000"});
    assert_eq!(decide_review(&operator, 5, nobodys).await.expect_error(404), "Tender not found");
    for wrong in [json!({"decision": "source"}), json!({"decision": "reject", "tender": first["_id"]})] {
        assert_eq!(decide_review(&operator, 5, wrong).await.expect(422)["errors"][0]["field"], "tender");
    }
    assert_eq!(notices_in_review(&operator).await.len(), 1);
    // The operator's decision about a notice stays when the notice is read again.
    let better = TestNotice { text: "Sealed bids are invited for the road.", ..doubtful };
    assert_eq!(send_notice(&operator, 2, better).await["_id"], first["_id"]);
    assert_eq!(send_notice(&operator, 4, better).await.get("_id"), None);
    assert_eq!(notices_in_review(&operator).await.len(), 1);
    // A notice without a decision is compared with the tenders again when it is read again.
    let better = TestNotice { reference: ORIGINAL_NOTICE.reference, ..better };
    assert_eq!(send_notice(&operator, 5, better).await["_id"], first["_id"]);
    assert!(notices_in_review(&operator).await.is_empty());
}

#[tokio::test]
async fn correction_decided_by_an_operator_changes_its_tender() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let unclear = TestNotice { reference: "", title: "Amendment", ..CORRIGENDUM };
    assert_eq!(send_notice(&operator, 2, unclear).await["outcome"], "review");
    let correction = json!({"decision": "correction", "tender": first["_id"]});
    let done = decide_review(&operator, 2, correction).await.expect(200)["data"].clone();
    assert_eq!(done, json!({"_id": first["_id"], "outcome": "corrected"}));
    let now = current_tender(&portal, &first).await;
    assert_eq!(now.dates.closing, Some(CORRIGENDUM.closing.parse().unwrap()));
}

#[tokio::test]
async fn review_requires_an_operator_or_administrator() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    send_notice(&operator, 2, CORRIGENDUM).await;
    let supplier = portal.user("nimal", "supplier").await;
    let reject = json!({"decision": "reject"});
    for (client, status) in
        [(portal.guest(), 401), (portal.guest().with_token("rubbish"), 401), (supplier.clone(), 403)]
    {
        client.get("/operate/review").await.expect_error(status);
        decide_review(&client, 2, reject.clone()).await.expect_error(status);
    }
    sqlx::query("update users set role = 'admin' where email = 'nimal@example.lk'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(notices_in_review(&supplier).await.len(), 1);
    decide_review(&supplier, 2, reject).await.expect(200);
    assert!(notices_in_review(&supplier).await.is_empty());
}
