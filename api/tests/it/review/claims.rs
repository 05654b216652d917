//! Which reviewer holds a notice, and what happens to it meanwhile.

use super::{claim, claimed_titles, decide, doubtful_notice, hold, key, queue, reviewer, send};
use crate::support::{TestPortal, wait_for};
use api::{
    domain::alert_shard::AlertShard,
    storage::{self, review_queue},
};
use serde_json::{Value, json};

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

/// Somebody else's transaction, such as a decision under way, holds a notice of the reviewer.
#[tokio::test]
async fn claims_do_not_wait_for_a_decision_under_way() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    for number in 1..=3 {
        hold(&operator, number, &doubtful_notice(&format!("Tender {number}"), "")).await;
    }
    let held = claim(&ravi, 2).await[0]["key"].as_str().unwrap().to_owned();
    let mut decision = storage::begin(&portal.state.db).await.unwrap();
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
async fn claim_waits_for_the_counting_of_alerts() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    send(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    let now = portal.state.clock.now();
    let mut counting = storage::begin(&portal.state.db).await.unwrap();
    review_queue::store_counts(&mut counting, AlertShard::WHOLE, &[(key(1), 3)], now).await.unwrap();
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
