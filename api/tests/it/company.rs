//! The company profile, and what it tells about bidding for a tender.

use crate::{
    bids::{add, details, place},
    support::{Client, TestPortal, publishing::store_sample_tender},
    team::join_team,
};
use serde_json::{Value, json};

async fn read(client: &Client) -> Value {
    client.get("/company").await.expect(200)["data"].clone()
}

async fn save(client: &Client, company: Value, version: i64) -> Value {
    let form = json!({"company": company, "version": version});
    client.put("/company", &form).await.expect(200)["data"].clone()
}

#[tokio::test]
async fn a_profile_is_kept_and_shared_by_a_team() {
    let portal = TestPortal::start().await;
    portal.guest().get("/company").await.expect_error(401);
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let empty = read(&owner).await;
    assert_eq!((&empty["version"], &empty["updatedBy"]), (&json!(0), &Value::Null));
    assert_eq!(empty["company"]["cida"], json!([]));

    let saved = save(&owner, json!({"cida": [{"grade": "c-4", "field": " Buildings "}]}), 0).await;
    assert_eq!(saved["company"]["cida"], json!([{"grade": "C4", "field": "Buildings"}]));
    let member = join_team(&portal, &owner, "kamala").await;
    let shared = read(&member).await;
    assert_eq!((&shared["company"], &shared["version"]), (&saved["company"], &json!(1)));
    let changed = save(&member, json!({"vat": "114-7000"}), 1).await;
    assert_eq!(changed["company"]["cida"], json!([]), "what the form leaves out is deleted");

    // The owner has not seen the member's change.
    let form = json!({"company": {}, "version": 1});
    owner.put("/company", &form).await.expect_error(409);
    let kept = read(&owner).await;
    assert_eq!((&kept["company"]["vat"], &kept["version"]), (&json!("114-7000"), &json!(2)));
    assert!(kept["updatedBy"].as_str().unwrap().starts_with("kamala"));

    let stranger = portal.user("sunil", "buyer").await;
    assert_eq!(read(&stranger).await["version"], 0);
}

#[tokio::test]
async fn a_faulty_profile_is_refused_with_all_its_errors() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let faulty = json!({"cida": [{"grade": "C77", "field": ""}], "experienceYears": 1000});
    let refused = user.put("/company", &json!({"company": faulty, "version": 0})).await.expect(422);
    let fields: Vec<&Value> =
        refused["errors"].as_array().unwrap().iter().map(|error| &error["field"]).collect();
    assert_eq!(fields, ["cida[0].grade", "cida[0].field", "experienceYears"]);
    for rubbish in [
        json!({}),
        json!([]),
        json!({"company": {"secret": 1}, "version": 0}),
        json!({"company": {"districts": ["Atlantis"]}, "version": 0}),
        json!({"company": {"turnover": [{"year": 2025, "amount": -1}]}, "version": 0}),
        json!({"company": {"documents": [{"kind": "passport"}]}, "version": 0}),
    ] {
        user.put("/company", &rubbish).await.expect_error(422);
    }
    // Nobody else has stored a first version.
    user.put("/company", &json!({"company": {}, "version": 3})).await.expect_error(409);
    assert_eq!(read(&user).await["version"], 0);
}

#[tokio::test]
async fn the_details_of_a_tender_say_whether_the_company_may_bid() {
    let portal = TestPortal::start().await;
    let tender = store_sample_tender(&portal, "grades", |tender| {
        tender.cida = vec![
            serde_json::from_value(json!({"grade": "C5", "field": "Buildings", "alsoAdmits": "higher"}))
                .unwrap(),
        ];
        tender.document_fee =
            serde_json::from_value(json!({"amount": 3500, "saleUntil": "2099-01-10"})).unwrap();
    })
    .await;
    let path = format!("/tenders/{tender}");
    let bidding = async |client: &Client| client.get(&path).await.expect(200)["data"]["bidding"].clone();
    let asked = bidding(&portal.guest()).await;
    assert_eq!(asked["requirements"][0], json!({"kind": "grade", "path": "cida.0"}));
    assert_eq!((&asked["answer"], &asked["costs"][0]["amount"]), (&Value::Null, &json!(3500.0)));

    let user = portal.user("nimal", "supplier").await;
    assert_eq!(bidding(&user).await["answer"], Value::Null, "the profile is empty");
    save(&user, json!({"cida": [{"grade": "C7", "field": "Buildings"}]}), 0).await;
    let found = bidding(&user).await;
    assert_eq!(found["answer"], "missing");
    assert_eq!(
        found["requirements"][0],
        json!({"kind": "grade", "path": "cida.0", "verdict": "missing", "reason": "too-low", "row": 0})
    );
    save(&user, json!({"cida": [{"grade": "C3", "field": "Building construction"}]}), 1).await;
    assert_eq!(bidding(&user).await["answer"], "can-bid");

    // The page of a bid says the same without another view of the tender.
    let bid = add(&user, tender).await;
    let notice = details(&user, &bid).await["notice"].clone();
    assert_eq!(
        (&notice["bidding"]["answer"], &notice["cida"][0]["grade"]),
        (&json!("can-bid"), &json!("C5"))
    );
    assert_eq!(notice["documentFee"]["saleUntil"], "2099-01-10");
    place(&user, &bid, "submitted", None).await;
    // Nobody asks any more whether the company may bid, but what the notice asked for is still told.
    let submitted = details(&user, &bid).await["notice"].clone();
    assert_eq!((&submitted["bidding"], &submitted["cida"][0]["grade"]), (&Value::Null, &json!("C5")));
}

#[tokio::test]
async fn the_listing_tells_and_filters_what_a_company_may_bid_for() {
    let portal = TestPortal::start().await;
    let mut ids = Vec::new();
    for grade in [Some("C5"), None, Some("C9"), Some("C1")] {
        let id = store_sample_tender(&portal, "Construction of a hall", |tender| {
            let asked = grade.map(|grade| json!({"grade": grade, "field": "Buildings"}));
            tender.cida = asked.map(|asked| serde_json::from_value(asked).unwrap()).into_iter().collect();
        })
        .await;
        ids.push(id.to_string());
    }
    portal.wait_until_indexed().await;
    let user = portal.user("nimal", "supplier").await;
    let list = async |client: &Client, query: &str| {
        client.get(&format!("/tenders?{query}")).await.expect(200)["data"].clone()
    };
    assert_eq!(list(&portal.guest(), "").await.get("bidAnswers"), None);
    assert_eq!(list(&user, "").await.get("bidAnswers"), None, "the profile is empty");
    for client in [&user, &portal.guest()] {
        client.get("/tenders?bidAnswers=can-bid").await.expect_error(422);
    }
    save(&user, json!({"cida": [{"grade": "C5", "field": "Buildings"}]}), 0).await;

    let answers = ["can-bid", "not-stated", "not-certain", "missing"];
    let all = list(&user, "limit=50").await;
    let pairs: Vec<(&Value, &Value)> =
        all["tenders"].as_array().unwrap().iter().zip(all["bidAnswers"].as_array().unwrap()).collect();
    assert_eq!(pairs.len(), 4);
    for (id, answer) in ids.iter().zip(answers) {
        let (_, found) = pairs.iter().find(|(tender, _)| tender["_id"] == **id).unwrap();
        assert_eq!(found["answer"], answer);
        let is_decided_by_one = ["missing", "not-certain"].contains(&answer);
        assert_eq!(found["first"]["verdict"] == answer, is_decided_by_one, "{found}");
    }
    for (id, answer) in ids.iter().zip(answers) {
        let found = list(&user, &format!("bidAnswers={answer}")).await;
        assert_eq!(
            (&found["tenders"][0]["_id"], &found["pagination"]["totalCount"]),
            (&json!(id), &json!(1))
        );
        assert_eq!(found["bidAnswers"][0]["answer"], answer);
    }
    // Pages cover all that match, once.
    let mut paged = Vec::new();
    for page in 1..=3 {
        let found =
            list(&user, &format!("bidAnswers=can-bid|not-stated|not-certain&limit=1&page={page}")).await;
        assert_eq!(found["pagination"]["totalCount"], 3);
        paged.push(found["tenders"][0]["_id"].as_str().unwrap().to_owned());
    }
    paged.sort();
    let mut expected = ids[..3].to_vec();
    expected.sort();
    assert_eq!(paged, expected);
    for refused in ["/tenders?bidAnswers=perhaps", "/tenders/facets?bidAnswers=can-bid"] {
        let reply = user.get(refused).await.expect(422);
        assert_eq!(reply["errors"][0]["field"], "bidAnswers", "{refused}");
    }
}
