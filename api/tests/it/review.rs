//! The review queue: what enters it, in which order, who holds a notice, and what decisions do.

use crate::{
    ingest::put_form,
    notice_sources::{CORRIGENDUM, ORIGINAL_NOTICE, TestNotice, current_tender, send_notice},
    support::{Client, Reply, TestPortal, wait_for},
};
use api::storage::{review_queue, tenders};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::fs;
use tender_model::{
    tender::{FieldState, Tender},
    vocabulary::TenderStatus,
};

/// A clip of the fixtures. Its box on the page is [`AREA`].
const CLIP: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");
const AREA: [f64; 4] = [0.7, 0.1, 0.2, 0.2];

/// A notice whose closing is doubtful, with another reading of it.
pub fn doubtful_notice(title: &str, extra: &str) -> String {
    format!(
        "---\ntitle: {title}\nkind: purchase\nlanguage: en\nreferenceNo: KMC/2027/{len}\norganization:\n  name: Kandy Municipal \
        Council\ndates:\n  closing: 2026-12-05T14:00:00+05:30\nsource:\n  publication: Daily Test\n  date: 2026-11-20\n  file: \
        p1.jpg\n  page: 1\n  box: [0.7, 0.1, 0.2, 0.2]\nconfidence:\n  title: 0.9\n  dates.closing: 0.6\nevidence:\n  \
        dates.closing:\n    text: 5th Dec\n    box: [0.72, 0.15, 0.05, 0.01]\notherReadings:\n  dates.closing:\n  - value: \
        2026-12-08T14:00:00+05:30\n    reader: classifier\n    confidence: 0.5\nfieldStates:\n  dates.closing: \
        doubtful\nneedsReview: true\n{extra}---\n\n{title}: sealed bids are invited.\n",
        len = title.len()
    )
}

/// A notice that may not be a notice.
fn unlikely_notice(title: &str) -> String {
    doubtful_notice(title, "")
        .replace("  title: 0.9\n", "  title: 0.9\n  notice: 0.5\n")
        .replace("fieldStates:\n", "fieldStates:\n  notice: doubtful\n")
}

pub fn key(number: u32) -> String {
    format!("{number:032x}")
}

pub fn form(notice: &str) -> Form {
    Form::new()
        .part("notice", Part::bytes(notice.as_bytes().to_vec()).mime_str("text/markdown").unwrap())
        .part("clip", Part::bytes(fs::read(CLIP).unwrap()).mime_str("image/jpeg").unwrap())
}

fn with_words(form: Form, words: &Value) -> Form {
    form.part("words", Part::bytes(words.to_string().into_bytes()).mime_str("application/json").unwrap())
}

/// Two lines of words, one in the upper and one in the lower half of the clip.
fn two_lines() -> Value {
    json!({
        "words": [
            {"text": "Lot", "line": 0, "box": [0.71, 0.12, 0.03, 0.01]},
            {"text": "one", "line": 0, "box": [0.75, 0.12, 0.03, 0.01]},
            {"text": "Lot", "line": 1, "box": [0.71, 0.25, 0.03, 0.01]},
            {"text": "two", "line": 1, "box": [0.75, 0.25, 0.03, 0.01]},
        ],
        "values": [{"kind": "amount", "value": "2", "first": 3, "last": 3}],
    })
}

pub async fn send(operator: &Client, number: u32, notice: &str) -> Value {
    let reply = put_form(operator, &key(number), with_words(form(notice), &two_lines())).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

pub async fn hold(operator: &Client, number: u32, notice: &str) -> Value {
    let reply = put_form(operator, &format!("{}?hold=true", key(number)), form(notice)).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

pub async fn reviewer(portal: &TestPortal, name: &str) -> Client {
    portal.user(name, "supplier").await;
    sqlx::query("update users set role = 'reviewer' where email = $1")
        .bind(format!("{name}@example.lk"))
        .execute(&portal.state.db)
        .await
        .unwrap();
    portal.sign_in(name).await
}

pub async fn claim(client: &Client, count: u32) -> Vec<Value> {
    let claimed = client.post("/operate/review/claims", &json!({"count": count})).await.expect(200);
    claimed["data"]["notices"].as_array().unwrap().clone()
}

async fn claimed_titles(client: &Client, count: u32) -> Vec<String> {
    let title = |notice: &Value| notice["notice"]["title"].as_str().unwrap().to_owned();
    claim(client, count).await.iter().map(title).collect()
}

pub async fn decide(client: &Client, number: u32, decision: Value) -> Reply {
    client.post(&format!("/operate/review/{}", key(number)), &decision).await
}

async fn undo_of(client: &Client, number: u32) -> Reply {
    client.post(&format!("/operate/review/undo?notice={}", key(number)), &json!({})).await
}

pub async fn undo(client: &Client) -> Reply {
    client.post("/operate/review/undo", &json!({})).await
}

async fn queue(client: &Client) -> Value {
    client.get("/operate/review").await.expect(200)["data"].clone()
}

async fn queued_keys(client: &Client) -> Vec<String> {
    let notices = queue(client).await["notices"].as_array().unwrap().clone();
    notices.iter().map(|notice| notice["key"].as_str().unwrap().to_owned()).collect()
}

async fn status_of(portal: &TestPortal, id: &Value) -> TenderStatus {
    let id = id.as_str().unwrap().parse().unwrap();
    tenders::current(&portal.state.db, id).await.unwrap().unwrap().tender.status
}

async fn last_audit(portal: &TestPortal) -> Value {
    let row: (String, Option<Value>, Option<Value>) =
        sqlx::query_as("select action, before, after from audit_entry order by id desc limit 1")
            .fetch_one(&portal.state.db)
            .await
            .unwrap();
    json!({"action": row.0, "before": row.1, "after": row.2})
}

#[tokio::test]
async fn accepted_notice_gets_the_corrected_fields_and_leaves_the_queue() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let published = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    assert_eq!(published["outcome"], "created", "a doubtful field does not delay publication");

    let [notice] = claim(&ravi, 2).await.try_into().unwrap();
    assert_eq!((&notice["reason"], &notice["doubt"]), (&json!("fields"), &json!(null)));
    assert_eq!((&notice["tender"], &notice["key"]), (&published["_id"], &json!(key(1))));
    assert_eq!(notice["words"]["words"][1]["text"], "one");
    assert_eq!(notice["notice"]["otherReadings"]["dates.closing"][0]["value"], "2026-12-08T14:00:00+05:30");
    let clip = notice["clipUrl"].as_str().unwrap().strip_prefix("/api").unwrap();
    portal.guest().get(clip).await.expect(200);

    let form = json!({"decision": "accept", "version": notice["version"],
        "fields": {"dates.closing": "8.12.2026 2.30 pm", "location.district": "Kandy", "financials.bidBond.amount": "Rs. 50,000"}});
    let receipt = decide(&ravi, 1, form).await.expect(200);
    assert_eq!(receipt["data"], json!({"_id": published["_id"], "outcome": "updated"}));
    let tender = current_tender(&portal, &published).await;
    assert_eq!(tender.dates.closing, Some("2026-12-08T14:30:00+05:30".parse().unwrap()));
    assert_eq!(tender.location.province.map(|province| province.to_string()).as_deref(), Some("Central"));
    assert_eq!(tender.field_state("dates.closing"), FieldState::Certain);
    assert!(!tender.needs_review && tender.other_readings.is_empty());
    assert_eq!(queue(&ravi).await["total"], 0);
    decide(&ravi, 1, json!({"decision": "accept"})).await.expect_error(409);
    let audit = last_audit(&portal).await;
    assert_eq!(audit["action"], "decide-review");
    assert_eq!(audit["after"]["decision"], "accept");
    assert_eq!(audit["before"]["dates.closing"], "2026-12-05T14:00:00+05:30");
    assert_eq!(audit["after"]["dates.closing"], "2026-12-08T14:30:00+05:30");

    // When the page is read again, the checked fields stay, and nothing waits.
    let again = doubtful_notice("Compactor trucks", "tags: [again]\n");
    assert_eq!(send(&operator, 1, &again).await["_id"], published["_id"]);
    let tender = current_tender(&portal, &published).await;
    assert_eq!(tender.dates.closing, Some("2026-12-08T14:30:00+05:30".parse().unwrap()));
    assert_eq!(queue(&ravi).await["total"], 0);
}

#[tokio::test]
async fn held_notice_is_published_only_when_it_is_accepted() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    assert_eq!(hold(&operator, 1, &unlikely_notice("Annual report")).await, json!({"outcome": "review"}));
    assert_eq!(hold(&operator, 2, &doubtful_notice("Office chairs", "")).await, json!({"outcome": "review"}));
    let doubts = claim(&ravi, 2).await;
    let mut doubts: Vec<&str> = doubts.iter().map(|notice| notice["doubt"].as_str().unwrap()).collect();
    doubts.sort_unstable();
    assert_eq!(doubts, ["doubtful-fields", "possibly-no-notice"]);
    assert_eq!(portal.guest().get("/tenders").await.expect(200)["data"]["tenders"], json!([]));

    let rejected = json!({"decision": "reject", "reason": "An annual report"});
    assert_eq!(decide(&ravi, 1, rejected).await.expect(200)["data"], json!({"outcome": "updated"}));
    let accepted = decide(&ravi, 2, json!({"decision": "accept"})).await.expect(200);
    assert_eq!(accepted["data"]["outcome"], "created");
    assert!(!current_tender(&portal, &accepted["data"]).await.needs_review);
    assert_eq!(queue(&ravi).await["total"], 0);
    // Sending them again does not ask again.
    assert_eq!(hold(&operator, 1, &unlikely_notice("Annual report 2026")).await["outcome"], "updated");
    assert_eq!(
        hold(&operator, 2, &doubtful_notice("Office chairs", "tags: [x]\n")).await["_id"],
        accepted["data"]["_id"]
    );
    assert_eq!(queue(&ravi).await["total"], 0);
}

#[tokio::test]
async fn notice_that_the_terminal_accepted_leaves_the_queue() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    hold(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    assert_eq!(queue(&ravi).await["waiting"], 1);
    let certain = doubtful_notice("Office chairs", "")
        .replace("  dates.closing: doubtful\nneedsReview: true\n", "  {}\n");
    assert_eq!(send(&operator, 1, &certain).await["outcome"], "created");
    assert_eq!(queue(&ravi).await["total"], 0);
}

#[tokio::test]
async fn accepted_notice_that_repeats_a_tender_joins_it() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let first = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let second = doubtful_notice("Compactor trucks", "").replace("Daily Test", "Weekly Test");
    hold(&operator, 2, &second).await;
    let accepted = decide(&ravi, 2, json!({"decision": "accept"})).await.expect(200);
    assert_eq!(accepted["data"], json!({"_id": first["_id"], "outcome": "merged"}));
    // The certain print also settles the doubts of the first one.
    assert!(!current_tender(&portal, &first).await.needs_review);
    assert_eq!(queue(&ravi).await["total"], 0);
}

#[tokio::test]
async fn corrected_title_is_not_replaced_by_another_print() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let first = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let second = doubtful_notice("Compactor trucks", "").replace("Daily Test", "Weekly Test");
    assert_eq!(send(&operator, 2, &second).await["outcome"], "merged");
    let corrected = json!({"decision": "accept", "fields": {"title": "Compactor truck"}});
    decide(&ravi, 1, corrected).await.expect(200);
    assert_eq!(current_tender(&portal, &first).await.title, "Compactor truck");
    // A later reading of the other print changes nothing.
    send(&operator, 2, &second.replace("  title: 0.9\n", "  title: 0.99\n")).await;
    assert_eq!(current_tender(&portal, &first).await.title, "Compactor truck");
}

#[tokio::test]
async fn accepted_notice_of_a_known_tender_stays_with_it() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let first = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let second = doubtful_notice("Compactor trucks", "").replace("Daily Test", "Weekly Test");
    hold(&operator, 2, &second).await;
    decide(&ravi, 2, json!({"decision": "accept"})).await.expect(200);
    let again = hold(&operator, 2, &second.replace("  title: 0.9\n", "  title: 0.8\n")).await;
    assert_eq!(again["_id"], first["_id"], "a notice that was accepted does not wait again");
}

#[tokio::test]
async fn two_reviewers_never_hold_the_same_notice() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (ravi, sita) = (reviewer(&portal, "ravi").await, reviewer(&portal, "sita").await);
    for number in 1..=5 {
        send(&operator, number, &doubtful_notice(&format!("Works {}", "x".repeat(number as usize)), ""))
            .await;
    }
    let (one, other) = tokio::join!(claimed_titles(&ravi, 2), claimed_titles(&sita, 2));
    assert_eq!((one.len(), other.len()), (2, 2));
    assert!(one.iter().all(|title| !other.contains(title)), "{one:?} {other:?}");
    assert_eq!(claimed_titles(&ravi, 2).await, one, "a claim is renewed");
    assert_eq!(queue(&ravi).await["claimed"], 4);

    let held = claim(&sita, 2).await[0]["key"].as_str().unwrap().to_owned();
    ravi.post(&format!("/operate/review/{held}"), &json!({"decision": "reject"})).await.expect_error(409);
    ravi.post(&format!("/operate/review/{held}/claim"), &json!({})).await.expect_error(409);
    ravi.post(&format!("/operate/review/{held}/skip"), &json!({})).await.expect_error(409);
    // A reviewer who has gone away loses the notice after ten minutes.
    portal.advance(601);
    ravi.post(&format!("/operate/review/{held}/claim"), &json!({})).await.expect(200);
    sita.post(&format!("/operate/review/{held}"), &json!({"decision": "reject"})).await.expect_error(409);
    ravi.delete("/operate/review/claims").await.expect(204);
    assert_eq!(claim(&sita, 5).await.len(), 5);
    for count in [0, 6] {
        ravi.post("/operate/review/claims", &json!({"count": count})).await.expect_error(422);
    }
}

#[tokio::test]
async fn notices_that_most_alerts_match_and_that_close_first_come_first() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let subscriber = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let alert = json!({"name": "Trucks", "keywords": [{"term": "trucks", "matchType": "contains"}],
        "emailSettings": {"enabled": false, "frequency": "daily"}});
    subscriber.post("/alerts", &alert).await.expect(201);
    let closing =
        |title: &str, day: &str| doubtful_notice(title, "").replace("2026-12-05T14", &format!("{day}T14"));
    hold(&operator, 1, &closing("Chairs", "2026-12-09")).await;
    hold(&operator, 2, &closing("Tables", "2026-12-02")).await;
    hold(
        &operator,
        3,
        &closing("Desks of old", "2026-11-12").replace("date: 2026-11-20", "date: 2026-11-02"),
    )
    .await;
    hold(&operator, 4, &closing("Hiring of trucks", "2026-12-20")).await;
    portal.wait_until_matched().await;
    let counted = "select not exists (select from review_item where counted_at is null)";
    wait_for(&portal.state.db, counted).await;
    assert_eq!(queued_keys(&ravi).await, [4, 2, 1, 3].map(key));
    assert_eq!(claimed_titles(&ravi, 2).await, ["Hiring of trucks", "Tables"]);
    // A skipped notice comes last.
    ravi.post(&format!("/operate/review/{}/skip", key(4)), &json!({})).await.expect(204);
    assert_eq!(queued_keys(&ravi).await, [2, 1, 3, 4].map(key));
    assert_eq!(claimed_titles(&ravi, 2).await, ["Tables", "Chairs"]);
}

#[tokio::test]
async fn a_long_queue_is_listed_in_parts_without_repetition() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    for number in 1..=120_u32 {
        let title = format!("Supply {}", number);
        let notice = doubtful_notice(&title, "").replace("KMC/2027", &format!("KMC/{number}"));
        hold(&operator, number, &notice).await;
    }
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page =
            ravi.get(&format!("/operate/review?reason=notice{after}")).await.expect(200)["data"].clone();
        assert_eq!(page["total"], 120);
        seen.extend(page["notices"].as_array().unwrap().iter().map(|notice| notice["key"].to_string()));
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(seen.len(), 120);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 120);
    assert_eq!(ravi.get("/operate/review?reason=fields").await.expect(200)["data"]["notices"], json!([]));
    for wrong in ["after=x", "after=0~0~~0~0", "reason=x", "page=1"] {
        ravi.get(&format!("/operate/review?{wrong}")).await.expect_error(422);
    }
}

#[tokio::test]
async fn undone_publication_is_withdrawn_and_comes_back_with_the_same_tender() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let sita = reviewer(&portal, "sita").await;
    hold(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    assert_eq!(claim(&ravi, 1).await.len(), 1);
    let accepted =
        decide(&ravi, 1, json!({"decision": "accept", "fields": {"title": "Chairs"}})).await.expect(200);
    let id = accepted["data"]["_id"].clone();
    assert_eq!(
        undo(&sita).await.expect_error(404),
        "Decision not found",
        "only one's own decision is undone"
    );

    let restored = undo(&ravi).await.expect(200)["data"]["notice"].clone();
    assert_eq!((&restored["key"], &restored["doubt"]), (&json!(key(1)), &json!("doubtful-fields")));
    assert_eq!(restored["notice"]["title"], "Office chairs");
    assert_eq!(status_of(&portal, &id).await, TenderStatus::Withdrawn);
    assert_eq!(last_audit(&portal).await["action"], "undo-review");
    assert!(claim(&sita, 1).await.is_empty(), "the reviewer who has undone the decision holds the notice");
    undo(&ravi).await.expect_error(404);

    let again = decide(&ravi, 1, json!({"decision": "accept"})).await.expect(200);
    assert_eq!(again["data"], json!({"_id": id, "outcome": "created"}), "nobody is told of a second tender");
    assert_eq!(status_of(&portal, &id).await, TenderStatus::Published);
}

#[tokio::test]
async fn undone_decisions_about_published_notices_restore_their_tenders() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let one = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let two = send(&operator, 2, &doubtful_notice("Office chairs for the library", "")).await;

    // A correction of a field.
    decide(&ravi, 1, json!({"decision": "accept", "fields": {"title": "Trucks"}})).await.expect(200);
    undo(&ravi).await.expect(200);
    let tender = current_tender(&portal, &one).await;
    assert_eq!((tender.title.as_str(), tender.needs_review), ("Compactor trucks", true));

    // A rejection withdraws the tender.
    decide(&ravi, 1, json!({"decision": "reject"})).await.expect(200);
    assert_eq!(status_of(&portal, &one["_id"]).await, TenderStatus::Withdrawn);
    undo(&ravi).await.expect(200);
    assert_eq!(status_of(&portal, &one["_id"]).await, TenderStatus::Published);

    // A tender that turns out to be another one is withdrawn, and its notice moves.
    let joined = decide(&ravi, 2, json!({"decision": "source", "tender": one["_id"]})).await.expect(200);
    assert_eq!(joined["data"]["_id"], one["_id"]);
    assert_eq!(status_of(&portal, &two["_id"]).await, TenderStatus::Withdrawn);
    undo(&ravi).await.expect(200);
    assert_eq!(status_of(&portal, &two["_id"]).await, TenderStatus::Published);
    assert_eq!(current_tender(&portal, &one).await.sources.len(), 1);
    assert_eq!(queued_keys(&ravi).await.len(), 2);
}

#[tokio::test]
async fn rejecting_the_first_print_leaves_the_tender_to_the_second() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let first = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let second = doubtful_notice("Compactor trucks", "").replace("Daily Test", "Weekly Test");
    assert_eq!(send(&operator, 2, &second).await["outcome"], "merged");
    decide(&ravi, 1, json!({"decision": "reject"})).await.expect(200);
    let tender = current_tender(&portal, &first).await;
    let papers: Vec<&str> = tender.sources.iter().map(|source| source.publication.as_str()).collect();
    assert_eq!((tender.status, papers), (TenderStatus::Published, vec!["Weekly Test"]));
    undo(&ravi).await.expect(200);
    assert_eq!(current_tender(&portal, &first).await.sources.len(), 2);
}

#[tokio::test]
async fn corrigenda_of_a_rejected_tender_wait_again() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let corrigendum = TestNotice { title: "Compactor trucks", reference: "KMC/2027/16", ..CORRIGENDUM };
    let file = corrigendum.file().replace("Road Development Authority", "Kandy Municipal Council");
    let sent = put_form(&operator, &key(2), form(&file)).await.json()["data"].clone();
    assert_eq!(sent["outcome"], "corrected", "{sent}");
    decide(&ravi, 1, json!({"decision": "reject"})).await.expect(200);
    let waiting = queue(&ravi).await["notices"].clone();
    assert_eq!((&waiting[0]["key"], &waiting[0]["reason"]), (&json!(key(2)), &json!("relation")));
}

/// A corrigendum of the trucks of `doubtful_notice` that the rules cannot assign.
fn unclear_corrigendum() -> String {
    let corrigendum = TestNotice { title: "Vehicles", reference: "XYZ/9/9", ..CORRIGENDUM };
    corrigendum.file().replace("Road Development Authority", "Kandy Municipal Council")
}

#[tokio::test]
async fn corrigenda_that_a_person_assigned_come_back_with_their_tender() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let tender = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    assert_eq!(send(&operator, 2, &unclear_corrigendum()).await["outcome"], "review");
    let corrected =
        decide(&ravi, 2, json!({"decision": "correction", "tender": tender["_id"]})).await.expect(200);
    assert_eq!(corrected["data"], json!({"_id": tender["_id"], "outcome": "corrected"}));
    let closing = current_tender(&portal, &tender).await.dates.closing;
    portal.advance(1);

    decide(&ravi, 1, json!({"decision": "reject"})).await.expect(200);
    assert_eq!(queued_keys(&ravi).await, [key(2)], "the corrigendum has no tender any more");
    let waiting = claim(&ravi, 1).await;
    assert_eq!(waiting[0]["candidates"][0]["tender"], tender["_id"]);

    undo(&ravi).await.expect(200);
    let restored = current_tender(&portal, &tender).await;
    assert_eq!((restored.status, restored.dates.closing), (TenderStatus::Published, closing));
    assert_eq!(restored.sources.len(), 2);
    assert_eq!(queued_keys(&ravi).await, [key(1)]);
}

#[tokio::test]
async fn restored_print_becomes_the_original_if_the_original_was_rejected_meanwhile() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let sita = reviewer(&portal, "sita").await;
    let first = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let second = doubtful_notice("Compactor trucks", "").replace("Daily Test", "Weekly Test");
    assert_eq!(send(&operator, 2, &second).await["outcome"], "merged");
    decide(&ravi, 2, json!({"decision": "reject"})).await.expect(200);
    decide(&sita, 1, json!({"decision": "reject"})).await.expect(200);
    assert_eq!(status_of(&portal, &first["_id"]).await, TenderStatus::Withdrawn);

    undo(&ravi).await.expect(200);
    let tender = current_tender(&portal, &first).await;
    let papers: Vec<&str> = tender.sources.iter().map(|source| source.publication.as_str()).collect();
    assert_eq!((tender.status, papers), (TenderStatus::Published, vec!["Weekly Test"]));
    undo(&sita).await.expect(200);
    assert_eq!(current_tender(&portal, &first).await.sources.len(), 2);
}

#[tokio::test]
async fn undone_join_restores_the_tender_of_a_supplier() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let supplier = portal.subscriber("owner", "supplier", Some("professional")).await;
    let form = json!({"title": "Compactor trucks", "description": "Six trucks of ten tonnes", "category": "Other",
        "referenceNo": "S/1", "status": "published", "organization": {"name": "Kandy Municipal Council"},
        "location": {"province": "Central", "district": "Kandy"},
        "dates": {"closing": "2026-12-05T14:00:00+05:30"}});
    let owned = supplier.post("/tenders", &form).await.expect(201)["data"]["tender"].clone();
    let before = current_tender(&portal, &owned).await;
    hold(&operator, 1, &unclear_corrigendum()).await;
    let join = json!({"decision": "correction", "tender": owned["_id"]});
    decide(&ravi, 1, join.clone()).await.expect(200);
    let joined = current_tender(&portal, &owned).await;
    assert_ne!((joined.dates.closing, joined.sources.len()), (before.dates.closing, before.sources.len()));
    undo(&ravi).await.expect(200);
    assert_eq!(current_tender(&portal, &owned).await, before);
    assert_eq!(queued_keys(&ravi).await, [key(1)]);

    // What the supplier has changed since must not be lost.
    decide(&ravi, 1, join).await.expect(200);
    let path = format!("/tenders/{}", owned["_id"].as_str().unwrap());
    let mut edited = form;
    edited["description"] = json!("Six trucks of ten tonnes, with drivers");
    supplier.put(&path, &edited).await.expect(200);
    let refused = undo(&ravi).await.expect_error(409);
    assert_eq!(refused, "The supplier's tender has changed since this decision");
}

#[tokio::test]
async fn undo_is_refused_if_another_decision_was_the_last() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    hold(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    hold(&operator, 2, &doubtful_notice("Compactor trucks", "")).await;
    decide(&ravi, 1, json!({"decision": "reject"})).await.expect(200);
    portal.advance(1);
    decide(&ravi, 2, json!({"decision": "reject"})).await.expect(200);
    let refused = undo_of(&ravi, 1).await.expect_error(409);
    assert_eq!(refused, "Your last decision was about another notice");
    undo_of(&ravi, 2).await.expect(200);
    undo_of(&ravi, 1).await.expect(200);
}

/// Somebody else's transaction, such as a decision under way, holds a notice of the reviewer.
#[tokio::test]
async fn claims_do_not_wait_for_a_decision_under_way() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    for number in 1..=3 {
        hold(&operator, number, &doubtful_notice(&format!("Tender {number}"), "")).await;
    }
    let held = claim(&ravi, 2).await[0]["key"].as_str().unwrap().to_owned();
    let mut decision = portal.state.db.begin().await.unwrap();
    sqlx::query("select from review_item where notice_key = $1 for update")
        .bind(&held)
        .execute(&mut *decision)
        .await
        .unwrap();
    assert_eq!(claim(&ravi, 2).await.len(), 3, "the locked notice is still held, and another was added");
    ravi.delete("/operate/review/claims").await.expect(204);
    decision.rollback().await.unwrap();
    let claimed = queue(&ravi).await["claimed"].clone();
    assert_eq!(claimed, 1, "only the locked notice is still held");
}

#[tokio::test]
async fn a_notice_that_holds_several_tenders_is_split() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let whole = send(&operator, 1, &doubtful_notice("Compactor trucks and chairs", "")).await;
    let upper = [AREA[0], AREA[1], AREA[2], 0.1];
    let lower = [AREA[0], AREA[1] + 0.1, AREA[2], 0.1];
    for wrong in [json!([upper]), json!([upper, [0.0, 0.0, 0.1, 0.05]]), json!([upper, [0.7, 0.1, 0.0, 0.0]])]
    {
        let refused = decide(&ravi, 1, json!({"decision": "split", "areas": wrong})).await.expect(422);
        assert_eq!(refused["errors"][0]["field"], "areas", "{refused}");
    }
    decide(&ravi, 1, json!({"decision": "split", "areas": [upper, lower]})).await.expect(200);
    assert_eq!(status_of(&portal, &whole["_id"]).await, TenderStatus::Withdrawn);
    let parts = claim(&ravi, 5).await;
    assert_eq!(parts.len(), 2);
    let mut texts: Vec<&str> =
        parts.iter().map(|part| part["notice"]["fullTextMarkdown"].as_str().unwrap()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Lot one", "Lot two"]);
    let part = parts.iter().find(|part| part["notice"]["fullTextMarkdown"] == "Lot two").unwrap();
    assert_eq!((&part["doubt"], &part["notice"]["title"]), (&json!("part"), &json!("")));
    assert_eq!(part["notice"]["organization"]["name"], "Kandy Municipal Council");
    assert_eq!(part["words"]["values"][0], json!({"kind": "amount", "value": "2", "first": 1, "last": 1}));
    let clip = part["clipUrl"].as_str().unwrap().strip_prefix("/api").unwrap();
    let picture = portal.guest().get(clip).await;
    assert_eq!(&picture.bytes[..2], [0xff, 0xd8]);

    let part_path = format!("/operate/review/{}", part["key"].as_str().unwrap());
    let of_part = async |decision: Value| ravi.post(&part_path, &decision).await;
    let untitled = of_part(json!({"decision": "accept"})).await.expect(422);
    assert_eq!(untitled["errors"][0]["field"], "title");
    // Undoing the split removes the parts, and the tender is back.
    undo(&ravi).await.expect(200);
    assert_eq!(status_of(&portal, &whole["_id"]).await, TenderStatus::Published);
    assert_eq!(queued_keys(&ravi).await, [key(1)]);

    portal.advance(1);
    decide(&ravi, 1, json!({"decision": "split", "areas": [upper, lower]})).await.expect(200);
    portal.advance(1);
    let accepted = of_part(json!({"decision": "accept", "fields": {"title": "Chairs"}})).await.expect(200);
    assert_eq!(accepted["data"]["outcome"], "created");
    undo(&ravi).await.expect(200);
    undo(&ravi).await.expect(200);
    assert_eq!(queued_keys(&ravi).await, [key(1)]);
}

#[tokio::test]
async fn reported_mistake_brings_a_notice_into_the_queue() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let published = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    assert_eq!(queue(&ravi).await["total"], 0);
    let report = json!({"name": "Nimal", "email": "nimal@example.lk", "message": "The closing is on the 16th.",
        "tenderId": published["_id"]});
    portal.guest().post("/contact", &report).await.expect(201);
    let [notice] = claim(&ravi, 1).await.try_into().unwrap();
    assert_eq!(notice["reason"], "mistake");
    assert_eq!(notice["mistakes"][0]["message"], "The closing is on the 16th.");
    portal.advance(60);
    decide(&ravi, 1, json!({"decision": "accept", "fields": {"closing": "2026-12-16 14:00"}}))
        .await
        .expect(200);
    let tender = current_tender(&portal, &published).await;
    assert_eq!(tender.dates.closing, Some("2026-12-16T14:00:00+05:30".parse().unwrap()));
    assert_eq!(queue(&ravi).await["total"], 0);
    // An answered report is not shown again with the next one.
    portal.advance(60);
    let report = json!({"name": "Nimal", "email": "nimal@example.lk", "message": "Wrong place.", "tenderId": published["_id"]});
    portal.guest().post("/contact", &report).await.expect(201);
    assert_eq!(claim(&ravi, 1).await[0]["mistakes"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn claim_waits_for_the_counting_of_alerts() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    send(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    let now = portal.state.clock.now();
    let mut counting = portal.state.db.begin().await.unwrap();
    review_queue::store_counts(&mut counting, &[(key(1), 3)], now).await.unwrap();
    let claim = claim(&ravi, 1);
    tokio::pin!(claim);
    let waits = "select exists (select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database()))";
    tokio::select! {
        claimed = &mut claim => panic!("claimed {} notices during the counting", claimed.len()),
        () = wait_for(&portal.state.db, waits) => {}
    }
    counting.commit().await.unwrap();
    assert_eq!(claim.await.len(), 1);
}

#[tokio::test]
async fn report_that_arrives_while_the_notice_is_open_is_seen_before_the_decision() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let published = send(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    let opened = claim(&ravi, 1).await[0].clone();
    let report = json!({"name": "Nimal", "email": "nimal@example.lk", "message": "Wrong place.", "tenderId": published["_id"]});
    portal.guest().post("/contact", &report).await.expect(201);
    let decision = |notice: &Value| json!({"decision": "accept", "version": notice["version"]});
    let refused = decide(&ravi, 1, decision(&opened)).await.expect_error(409);
    assert_eq!(refused, "The notice has changed. Look at it again");
    let opened = claim(&ravi, 1).await[0].clone();
    assert_eq!(opened["mistakes"][0]["message"], "Wrong place.");
    decide(&ravi, 1, decision(&opened)).await.expect(200);
}

#[tokio::test]
async fn invalid_decisions_change_nothing() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let published = send(&operator, 1, &doubtful_notice("Compactor trucks", "")).await;
    let before: Tender = current_tender(&portal, &published).await;
    let long = "x".repeat(5001);
    for (wrong, field) in [
        (json!({"decision": "accept", "fields": {"title": " "}}), "title"),
        (json!({"decision": "accept", "fields": {"titel": "x"}}), "titel"),
        (json!({"decision": "accept", "fields": {"status": "closed"}}), "status"),
        (json!({"decision": "accept", "fields": {"closing": "soon"}}), "closing"),
        (json!({"decision": "accept", "fields": {"dates.closing": "2026-11-01"}}), "dates.closing"),
        (json!({"decision": "accept", "fields": {"description": long}}), "description"),
        (json!({"decision": "accept", "fields": {"description": "a\u{0}b"}}), "description"),
        (json!({"decision": "tender"}), "decision"),
        (json!({"decision": "source", "tender": published["_id"]}), "tender"),
        (json!({"decision": "source"}), "tender"),
        (json!({"decision": "accept", "tender": published["_id"]}), "tender"),
        (json!({"decision": "accept", "reason": "x"}), "reason"),
        (json!({"decision": "reject", "reason": " "}), "reason"),
        (json!({"decision": "reject", "fields": {"title": "x"}}), "fields"),
        (json!({"decision": "accept", "areas": [[0, 0, 1, 1]]}), "areas"),
    ] {
        let refused = decide(&ravi, 1, wrong.clone()).await.expect(422);
        assert_eq!(refused["errors"][0]["field"], field, "{wrong}: {refused}");
    }
    decide(&ravi, 1, json!({"decision": "accept", "version": "0"})).await.expect_error(409);
    decide(&ravi, 77, json!({"decision": "accept"})).await.expect_error(404);
    ravi.post("/operate/review/xyz", &json!({"decision": "accept"})).await.expect_error(404);
    assert_eq!(current_tender(&portal, &published).await, before);
    assert_eq!(queue(&ravi).await["total"], 1);
    let audits: i64 = sqlx::query_scalar("select count(*) from audit_entry where action = 'decide-review'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(audits, 0);
}

#[tokio::test]
async fn a_relation_must_be_chosen() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let first = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let alike = TestNotice { reference: "RDA/SP/2026/118", newspaper: "Weekly Test", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 2, alike).await["outcome"], "review");
    let refused = decide(&ravi, 2, json!({"decision": "accept"})).await.expect(422);
    assert_eq!(refused["errors"][0]["field"], "decision");
    let own = decide(&ravi, 2, json!({"decision": "tender"})).await.expect(200);
    assert!(own["data"]["_id"] != first["_id"]);
}

#[tokio::test]
async fn unusable_words_are_refused() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let notice = doubtful_notice("Compactor trucks", "");
    for words in [json!([]), json!({"words": [{"text": "", "line": 0, "box": [0, 0, 0, 0]}], "values": []})] {
        let reply = put_form(&operator, &key(1), with_words(form(&notice), &words)).await.expect(422);
        assert_eq!(reply["errors"][0]["field"], "words", "{reply}");
    }
    put_form(&operator, &format!("{}?hold=maybe", key(1)), form(&notice)).await.expect_error(422);
}
