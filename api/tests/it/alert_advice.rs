//! What the portal says about alerts: those that are too broad, bodies as a filter, and what became of the
//! tenders that alerts found.

use crate::{
    alerts::{create_subscriber, match_titles, publish_tender, save_alert, wait_until_matched},
    bids,
    support::{Client, TestPortal},
    team::join_team,
    tenders::store,
};
use serde_json::{Value, json};
use tender_model::{
    tender::Tender,
    vocabulary::{Category, District, TenderStatus},
};

/// Publishes open tenders now, the first ones in Galle and the others in Kandy.
async fn publish_works(portal: &TestPortal, in_galle: usize, in_kandy: usize) {
    for nth in 0..in_galle + in_kandy {
        let mut tender = Tender {
            title: format!("Bridge {nth}"),
            status: TenderStatus::Published,
            published_at: Some(portal.state.clock.moment()),
            category: Some(Category::Construction),
            ..Tender::default()
        };
        tender.location.district = Some(if nth < in_galle { District::Galle } else { District::Kandy });
        tender.dates.closing = "2027-02-20T14:00:00+05:30".parse().ok();
        store(portal, tender, None).await;
    }
    portal.wait_until_indexed().await;
}

async fn preview(client: &Client, form: &Value) -> Value {
    client.post("/alerts/preview", form).await.expect(200)["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn too_broad_alert_comes_with_narrower_versions() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let form = json!({"keywords": [{"term": "bridge"}]});
    // Nothing was published yet.
    let empty = preview(&owner, &form).await["breadth"].clone();
    assert_eq!((&empty["isTooBroad"], &empty["matchCount"]), (&json!(false), &json!(0)));

    publish_works(&portal, 20, 12).await;
    let breadth = preview(&owner, &form).await["breadth"].clone();
    assert_eq!((&breadth["matchCount"], &breadth["days"]), (&json!(32), &json!(7)));
    assert_eq!((&breadth["matchesAWeek"], &breadth["isTooBroad"]), (&json!(32.0), &json!(true)));
    assert_eq!(breadth["until"], portal.state.clock.moment().day().to_string());
    let first = &breadth["proposals"][0];
    assert_eq!((&first["change"], &first["values"]), (&json!("district"), &json!(["Galle"])));
    assert_eq!((&first["matchCount"], &first["matchesAWeek"]), (&json!(20), &json!(20.0)));
    // A proposal can be taken as it is, and then is not too broad.
    let taken = preview(&owner, &first["query"]).await["breadth"].clone();
    assert_eq!((&taken["matchCount"], &taken["isTooBroad"]), (&json!(20), &json!(false)));
    assert_eq!(taken["proposals"], json!([]));
    let mut alert = first["query"].clone();
    alert["name"] = json!("Bridges in Galle");
    save_alert(&owner, alert).await;

    // Two months later, the last weeks that hold tenders still count.
    portal.advance(60 * 24 * 3600);
    let later = portal.sign_in("nimal").await;
    assert_eq!(preview(&later, &form).await["breadth"]["matchCount"], 32);
    assert_eq!(preview(&later, &form).await["matchCount"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn alert_can_be_limited_to_bodies_and_to_title_and_scope() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let works = json!({"name": "Works", "bodies": [" Department of  works. ", "", "Water Board"]});
    let works = save_alert(&owner, works).await;
    assert_eq!(works["bodies"], json!(["Department of  works.", "Water Board"]));
    assert_eq!(works["keywords"], json!([]));
    let water = json!({"name": "Water", "keywords": [{"term": "bridge"}], "bodies": ["Water Board"]});
    let water = save_alert(&owner, water).await;
    let organization =
        json!({"name": "Scope", "keywords": [{"term": "department"}], "titleAndScopeOnly": true});
    let organization = save_alert(&owner, organization).await;
    let title = json!({"name": "Title", "keywords": [{"term": "bridge"}], "titleAndScopeOnly": true});
    let title = save_alert(&owner, title).await;
    assert_eq!((&title["titleAndScopeOnly"], &works["titleAndScopeOnly"]), (&json!(true), &Value::Null));
    publish_tender(&portal, "Bridge at Hatton").await;
    wait_until_matched(&portal).await;
    assert_eq!(match_titles(&owner, &works).await, ["Bridge at Hatton"]);
    assert_eq!(match_titles(&owner, &title).await, ["Bridge at Hatton"]);
    assert!(match_titles(&owner, &water).await.is_empty());
    assert!(match_titles(&owner, &organization).await.is_empty());
    // The search for past matches agrees.
    portal.wait_until_indexed().await;
    let count = async |form: Value| preview(&owner, &form).await["matchCount"].clone();
    assert_eq!(count(json!({"bodies": ["DEPARTMENT OF WORKS"]})).await, 1);
    assert_eq!(count(json!({"bodies": ["Department of"]})).await, 0);
    assert_eq!(count(json!({"keywords": [{"term": "department"}], "titleAndScopeOnly": true})).await, 0);

    let long = "x".repeat(201);
    let many: Vec<String> = (0..21).map(|nth| format!("Body {nth}")).collect();
    for (bodies, message) in [
        (json!([long]), "Body cannot exceed 200 characters"),
        (json!(["--"]), "Body must have a letter or a digit in it"),
        (json!(many), "Maximum 20 bodies allowed"),
    ] {
        let form = json!({"name": "Rubbish", "keywords": [{"term": "bridge"}], "bodies": bodies});
        assert_eq!(owner.post("/alerts", &form).await.expect_error(422), message);
    }
    let nothing = json!({"name": "Nothing", "bodies": [" "]});
    assert_eq!(owner.post("/alerts", &nothing).await.expect_error(422), "At least one keyword is required");
    owner.post("/alerts", &json!({"name": "x", "bodies": "Water Board"})).await.expect_error(422);

    // Bodies are one of the advanced filters.
    sqlx::query("update plan set advanced_filtering = false where name = 'professional'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    let form = json!({"name": "Works", "bodies": ["Water Board"]});
    for reply in [owner.post("/alerts", &form).await, owner.post("/alerts/preview", &form).await] {
        assert_eq!(
            reply.expect_error(403),
            "Advanced search is part of the Professional and Enterprise plans"
        );
    }
    save_alert(&owner, json!({"name": "Bridges", "keywords": [{"term": "bridge"}]})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outcomes_count_from_the_match_to_the_contract() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let mate = join_team(&portal, &owner, "kamala").await;
    let outsider = create_subscriber(&portal, "sunil").await;
    let bridges = save_alert(&owner, json!({"name": "Bridges", "keywords": [{"term": "bridge"}]})).await;
    save_alert(&mate, json!({"name": "Roads", "keywords": [{"term": "road"}]})).await;
    let silent =
        json!({"name": "No mails", "keywords": [{"term": "road"}], "emailSettings": {"enabled": false}});
    save_alert(&owner, silent).await;
    let mut tenders = Vec::new();
    for title in ["Bridge and road A", "Bridge B", "Bridge C", "Bridge D", "Bridge E"] {
        tenders.push(publish_tender(&portal, title).await);
    }
    wait_until_matched(&portal).await;
    let none = json!({"found": 0, "relevant": 0, "bid": 0, "won": 0, "wonValue": 0.0});
    let read = async |client: &Client, query: &str| {
        client.get(&format!("/alerts/outcomes{query}")).await.expect(200)["data"].clone()
    };
    // Matches count before they are mailed.
    let before = read(&owner, "").await;
    let found = json!({"found": 5, "relevant": 0, "bid": 0, "won": 0, "wonValue": 0.0});
    assert_eq!(before["total"], found);
    assert_eq!(read(&outsider, "").await["total"], none);

    // Opened; saved; opened and marked as irrelevant; put on the shared board by the mate.
    let [a, b, c, d, _] = tenders[..] else { panic!("{tenders:?}") };
    owner.get(&format!("/tenders/{b}")).await.expect(200);
    assert_eq!(read(&owner, "").await["total"], found);
    mate.put(&format!("/saved/tenders/{c}"), &json!({})).await.expect(200);
    owner.get(&format!("/tenders/{d}")).await.expect(200);
    let path = format!("/alerts/{}/matches/{d}/irrelevance", bridges["_id"].as_str().unwrap());
    owner.put(&path, &json!({})).await.expect(200);
    let bid = bids::add(&mate, a).await;
    bids::place(&mate, &bid, "submitted", None).await;
    let lost = bids::add(&owner, b).await;
    bids::place(&owner, &lost, "submitted", None).await;
    bids::place(&owner, &lost, "dropped", None).await;
    let all = read(&mate, "?days=30").await;
    assert_eq!(all["total"], json!({"found": 5, "relevant": 3, "bid": 2, "won": 0, "wonValue": 0.0}));

    let version = bids::details(&owner, &bid).await["bid"]["version"].clone();
    owner.put(&bid, &json!({"version": version, "value": 2_500_000, "ownerId": null})).await.expect(200);
    bids::place(&owner, &bid, "won", None).await;
    let all = read(&owner, "?days=365").await;
    let won = json!({"found": 5, "relevant": 3, "bid": 2, "won": 1, "wonValue": 2_500_000.0});
    assert_eq!(all["total"], won);
    let of = |name: &str| {
        let alerts = all["alerts"].as_array().unwrap().iter();
        alerts.clone().find(|one| one["name"] == name).unwrap()["outcome"].clone()
    };
    assert_eq!(of("Bridges"), won);
    assert_eq!(of("Roads"), json!({"found": 1, "relevant": 1, "bid": 1, "won": 1, "wonValue": 2_500_000.0}));
    // An alert without mails records what it finds.
    assert_eq!(of("No mails"), of("Roads"));
    // The alert that found the most comes first.
    assert_eq!(all["alerts"][0]["_id"], bridges["_id"]);
    assert_eq!(all["alerts"].as_array().unwrap().len(), 3);

    assert_eq!(read(&outsider, "").await["total"], none);
    assert_eq!(owner.get("/alerts/outcomes?days=7").await.expect_error(422), "days: must be 30, 90 or 365");
    owner.get("/alerts/outcomes?days=x").await.expect_error(422);
    portal.guest().get("/alerts/outcomes").await.expect_error(401);
    portal.user("free", "supplier").await.get("/alerts/outcomes").await.expect_error(403);
    // Matches leave the period by their day.
    portal.advance(31 * 24 * 3600);
    let later = portal.sign_in("nimal").await;
    assert_eq!(read(&later, "?days=30").await["total"], none);
    assert_eq!(read(&later, "?days=90").await["total"], won);
}
