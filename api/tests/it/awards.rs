//! Awards: publishing them, the public list, and past awards beside a tender.

use crate::support::{Client, TestPortal, publishing::store_sample_tender};
use serde_json::{Value, json};

/// A decision with one award.
fn decision(key: &str, title: &str, winner: &str, amount: f64) -> Value {
    let passage = json!({"start": 4, "end": 9, "words": "words"});
    json!({"key": key, "title": title, "decidedOn": "2018-03-20", "decisionNumber": 5,
        "sourceUrl": "https://cabinet.example/d?id=5", "references": [],
        "body": {"name": "Ministry of Roads", "passage": passage},
        "awards": [{"winners": [{"name": winner, "passage": passage}],
            "amounts": [{"amount": amount, "currency": "LKR", "passage": passage}], "taxes": "excluded"}]})
}

async fn publish(operator: &Client, decision: &Value, status: u16) -> Value {
    operator.post("/ingest/awards", decision).await.expect(status)["data"]["outcome"].clone()
}

async fn list(client: &Client, query: &str) -> Value {
    client.get(&format!("/awards{query}")).await.expect(200)["data"].clone()
}

/// The winners of a list.
async fn winners(client: &Client, query: &str) -> Vec<String> {
    let listed = list(client, query).await;
    let of = |award: &Value| award["winners"][0].as_str().unwrap_or("none").to_owned();
    listed["awards"].as_array().unwrap().iter().map(of).collect()
}

#[tokio::test]
async fn a_decision_is_published_once_and_replaced() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let mut sent = decision("2018-03-20-005", "A bridge over the Kala Oya", "One Builders Ltd", 12_500_000.5);
    assert_eq!(publish(&operator, &sent, 201).await, "created");
    assert_eq!(publish(&operator, &sent, 200).await, "unchanged");
    let guest = portal.guest();
    let listed = list(&guest, "").await;
    let award = &listed["awards"][0];
    assert_eq!(award["amounts"], json!([{"amount": 12_500_000.5, "currency": "LKR"}]));
    assert_eq!((&award["taxes"], &award["body"]), (&json!("excluded"), &json!("Ministry of Roads")));
    let page =
        portal.guest().get(&format!("/buyers/{}", award["bodySlug"].as_str().unwrap())).await.expect(200);
    assert_eq!(page["data"]["name"], "Ministry of Roads");
    assert_eq!((&award["decidedOn"], &award["tender"]), (&json!("2018-03-20"), &Value::Null));
    let id = award["_id"].as_str().unwrap().to_owned();

    let second = sent["awards"][0].clone();
    sent["awards"].as_array_mut().unwrap().push(second);
    sent["awards"][1]["winners"][0]["name"] = json!("Two PLC");
    assert_eq!(publish(&operator, &sent, 200).await, "updated");
    assert_eq!(winners(&guest, "").await, ["One Builders Ltd", "Two PLC"]);
    let read = guest.get(&format!("/awards/{id}")).await.expect(200)["data"].clone();
    assert_eq!((&read["lotNumber"], &read["lots"]), (&json!(1), &json!(2)), "the id stays");
    assert_eq!(read["winnerPassages"][0]["words"], "words");

    sent["awards"].as_array_mut().unwrap().pop();
    assert_eq!(publish(&operator, &sent, 200).await, "updated");
    assert_eq!(winners(&guest, "").await, ["One Builders Ltd"]);
    guest.get("/awards/00000000-0000-7000-8000-000000000000").await.expect_error(404);
}

#[tokio::test]
async fn awards_are_searched_and_filtered() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    for (nth, (title, winner, amount)) in [
        ("A bridge over the Kala Oya", "One Builders Ltd", 5e6),
        ("Supply of insulin vials", "Second Pharma (Pvt) Ltd", 9e6),
        ("Supply of 100%_cotton", "Third Mills", 2e6),
    ]
    .into_iter()
    .enumerate()
    {
        publish(&operator, &decision(&format!("d-{nth}"), title, winner, amount), 201).await;
    }
    let guest = portal.guest();
    for (query, expected) in [
        ("?search=bridge", &["One Builders Ltd"][..]),
        ("?search=second%20insulin", &["Second Pharma (Pvt) Ltd"]),
        ("?search=%27%22%28%26%7C%3A*", &[]),
        ("?winner=pharma", &["Second Pharma (Pvt) Ltd"]),
        ("?winner=%25", &[]),
        ("?body=roads&minAmount=6000000", &["Second Pharma (Pvt) Ltd"]),
        ("?maxAmount=2000000", &["Third Mills"]),
        ("?currency=USD", &[]),
        ("?year=2019", &[]),
        ("?search=%00bridge", &["One Builders Ltd"]),
    ] {
        assert_eq!(winners(&guest, query).await, expected, "{query}");
    }
    let page = list(&guest, "?limit=2&page=2").await;
    assert_eq!(page["awards"].as_array().unwrap().len(), 1);
    assert_eq!((&page["pagination"]["total"], &page["pagination"]["hasNext"]), (&json!(2), &json!(false)));
    for wrong in ["?year=1", "?currency=rupees", "?minAmount=-1", "?limit=51", "?colour=red"] {
        guest.get(&format!("/awards{wrong}")).await.expect_error(422);
    }
    let long = format!("/awards?search={}", "x".repeat(201));
    guest.get(&long).await.expect_error(422);
}

#[tokio::test]
async fn a_wrong_decision_is_refused_and_a_token_is_required() {
    let portal = TestPortal::start().await;
    let sent = decision("d-1", "A bridge", "One Ltd", 1.0);
    portal.guest().post("/ingest/awards", &sent).await.expect_error(401);
    let operator = portal.operator().await;
    for (pointer, value, field) in [
        ("/key", json!("../x"), "key"),
        ("/sourceUrl", json!("javascript:alert(1)"), "sourceUrl"),
        ("/awards", json!([]), "awards"),
        ("/title", json!("x\u{0}y"), "title"),
        ("/awards/0/amounts/0/amount", json!(-5), "awards[0].amounts[0].amount"),
    ] {
        let mut wrong = sent.clone();
        *wrong.pointer_mut(pointer).unwrap() = value;
        let refused = operator.post("/ingest/awards", &wrong).await.expect(422);
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    let mut unknown = sent.clone();
    unknown["price"] = json!(1);
    operator.post("/ingest/awards", &unknown).await.expect_error(422);
    assert_eq!(list(&portal.guest(), "").await["awards"], json!([]));
}

#[tokio::test]
async fn a_tender_shows_past_awards_like_it_with_their_spread() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    for (nth, amount) in [10e6, 20e6, 30e6, 40e6].into_iter().enumerate() {
        let title = format!("Construction of bridge {nth} on the Matara Hakmana road");
        publish(&operator, &decision(&format!("b-{nth}"), &title, "One Ltd", amount), 201).await;
    }
    let other = decision("o-1", "Supply of insulin vials for hospitals", "Other Ltd", 5e6);
    publish(&operator, &other, 201).await;
    let mut outcome = decision("r-1", "Repair work", "Winner Ltd", 77e6);
    outcome["references"] = json!(["RDA/NCB/2026/077"]);
    outcome["decidedOn"] = json!("2027-01-05");
    publish(&operator, &outcome, 201).await;
    let tender = store_sample_tender(&portal, "Bridge on the Matara - Hakmana Road", |tender| {
        tender.reference_no = Some("RDA-NCB-2026-077".into());
    })
    .await;
    let past = portal.guest().get(&format!("/tenders/{tender}/awards")).await.expect(200)["data"].clone();
    let awards = past["awards"].as_array().unwrap();
    assert_eq!(awards.len(), 5, "{past}");
    assert_eq!((&awards[0]["isOutcome"], &awards[0]["winners"]), (&json!(true), &json!(["Winner Ltd"])));
    assert!(awards[1..].iter().all(|award| award["isOutcome"] == false));
    assert_eq!(
        past["spreads"],
        json!([{"currency": "LKR", "count": 4, "min": 10e6, "lowerQuartile": 17.5e6, "median": 25e6,
            "upperQuartile": 32.5e6, "max": 40e6}])
    );
    // Two awards have no spread.
    let few = store_sample_tender(&portal, "Insulin vials for hospitals", |_| {}).await;
    let past = portal.guest().get(&format!("/tenders/{few}/awards")).await.expect(200)["data"].clone();
    assert_eq!((past["awards"].as_array().unwrap().len(), &past["spreads"]), (1, &json!([])));
    portal.guest().get("/tenders/00000000-0000-7000-8000-000000000000/awards").await.expect_error(404);
}

#[tokio::test]
async fn a_draft_shows_no_awards() {
    let portal = TestPortal::start().await;
    let draft = store_sample_tender(&portal, "A draft", |tender| {
        tender.status = tender_model::vocabulary::TenderStatus::Draft;
    })
    .await;
    portal.guest().get(&format!("/tenders/{draft}/awards")).await.expect_error(404);
}
