//! What decisions of reviewers do to notices and tenders.

use super::{
    AREA, claim, decide, doubtful_notice, hold, key, last_audit, queue, queued_keys, reviewer, send,
    status_of, undo,
};
use crate::{
    notice_sources::{ORIGINAL_NOTICE, TestNotice, current_tender, send_notice},
    support::TestPortal,
};
use serde_json::{Value, json};
use tender_model::{
    tender::{FieldState, Tender},
    vocabulary::TenderStatus,
};

/// A notice that may not be a notice.
fn unlikely_notice(title: &str) -> String {
    doubtful_notice(title, "")
        .replace("  title: 0.9\n", "  title: 0.9\n  notice: 0.5\n")
        .replace("fieldStates:\n", "fieldStates:\n  notice: doubtful\n")
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
