//! Leases of newspaper pages: who reads a page, and what happens if the worker fails or disappears.

use crate::{
    newspaper_pages::{
        lease_path, page_details, page_list, page_path, reading, send_result, take, upload_page,
    },
    support::{TestPortal, publishing::CLIP},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

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
        assert_eq!(page_details(&operator, &page).await["page"]["state"], "leased");
        portal.advance(1);
        let shown = page_details(&operator, &page).await["page"].clone();
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
    assert_eq!(
        page_details(&operator, &page).await["page"]["state"],
        "set-aside",
        "a lost lease changes nothing"
    );

    // A person lets the page be read again, with all attempts.
    operator.post(&format!("{}/reading", page_path(&page)), &json!({})).await.expect(200);
    let task = take(&operator, "healthy").await;
    assert_eq!(page_details(&operator, &page).await["page"]["attempts"], 1);
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    assert_eq!(page_details(&operator, &page).await["page"]["state"], "read");
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
        let shown = page_details(&operator, &page).await["page"].clone();
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
    let shown = page_details(&operator, &page).await["page"].clone();
    assert_eq!(
        (&shown["state"], &shown["attempts"], &shown["worker"]),
        (&json!("waiting"), &json!(0), &json!(null))
    );
}
