//! What undoing a decision restores, and when it is refused.

use super::{
    claim, decide, doubtful_notice, form, hold, key, last_audit, queue, queued_keys, reviewer, send,
    status_of, undo,
};
use crate::{
    ingest::put_form,
    notice_sources::{CORRIGENDUM, TestNotice, current_tender},
    support::{Client, Reply, TestPortal},
};
use serde_json::json;
use tender_model::vocabulary::TenderStatus;

async fn undo_of(client: &Client, number: u32) -> Reply {
    client.post(&format!("/operate/review/undo?notice={}", key(number)), &json!({})).await
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
