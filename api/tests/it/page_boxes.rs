//! Boxes of newspaper pages that people draw or dismiss.

use crate::{
    newspaper_pages::{block, page_details, page_path, reading, send_result, take, upload_page},
    notice_sources::{ORIGINAL_NOTICE, current_tender, send_notice},
    operate::{last_entry, staff},
    support::{Client, Reply, TestPortal, publishing::CLIP},
};
use serde_json::{Value, json};
use tender_model::vocabulary::TenderStatus;

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
    let shown = page_details(&reviewer, &page).await;
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
    let block = page_details(&reviewer, &page).await["blocks"][0].clone();
    assert_eq!((&block["mark"], &block["tenderId"]), (&made, &sent["_id"]));
    // A drawn box is removed, not dismissed.
    decide_box(&reviewer, &page, DRAWN, "dismissed").await.expect_error(409);
    decide_box(&reviewer, &page, [0.5, 0.51, 0.2, 0.1], "notice").await.expect_error(409);

    undo_box(&reviewer, &page, &mark).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["before"]["decision"]), (&json!("undo-box"), &json!("notice")));
    let shown = page_details(&reviewer, &page).await;
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
    let shown = page_details(&reviewer, &page).await;
    assert_eq!(shown["page"]["state"], "read", "the page is not read again");
    let mark = shown["boxes"][0].clone();
    assert_eq!((&mark["decision"], &mark["by"]), (&json!("dismissed"), &json!("ravi@example.lk")));
    assert_eq!((&shown["blocks"][0]["mark"], &shown["blocks"][1]["mark"]), (&mark["_id"], &Value::Null));
    decide_box(&reviewer, &page, AREA, "dismissed").await.expect_error(409);
    assert_eq!(send_notice(&operator, 1, ORIGINAL_NOTICE).await, json!({"outcome": "unchanged"}));

    // The page was not read in the meantime, so nothing has to be read again.
    undo_box(&reviewer, &page, &mark).await.expect(200);
    assert_eq!(status().await, TenderStatus::Published);
    assert_eq!(page_details(&reviewer, &page).await["page"]["state"], "read");

    // A reading respects the dismissal, whose undo therefore needs another one.
    decide_box(&reviewer, &page, AREA, "dismissed").await.expect(201);
    portal.advance(60);
    reviewer.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    let task = take_with_boxes(&operator).await;
    assert_eq!(task["boxes"], json!([{"box": AREA, "decision": "dismissed"}]));
    let moved = [0.1, 0.21, 0.3, 0.4];
    send_result(&operator, &task, &reading(&[block_at(moved, "not-a-notice", None)]), CLIP).await.expect(200);
    let shown = page_details(&reviewer, &page).await;
    let mark = shown["boxes"][0].clone();
    assert_eq!(shown["blocks"][0]["mark"], mark["_id"], "the box is recognised where it overlaps");
    // Another box can be drawn at this place. It goes first.
    decide_box(&reviewer, &page, [0.1, 0.2, 0.3, 0.5], "notice").await.expect(201);
    let drawn = page_details(&reviewer, &page).await["boxes"][1].clone();
    undo_box(&reviewer, &page, &mark).await.expect_error(409);
    undo_box(&reviewer, &page, &drawn).await.expect(200);
    undo_box(&reviewer, &page, &mark).await.expect(200);
    assert_eq!(status().await, TenderStatus::Published);
    assert_eq!(page_details(&reviewer, &page).await["page"]["state"], "waiting");
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
