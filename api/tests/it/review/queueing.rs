//! What enters the review queue, and in which order it is listed.

use super::{
    claim, claimed_titles, decide, doubtful_notice, form, hold, key, queue, queued_keys, reviewer, with_words,
};
use crate::{
    ingest::put_form,
    notice_sources::{ORIGINAL_NOTICE, current_tender, send_notice},
    support::{TestPortal, wait_for},
};
use serde_json::json;

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
