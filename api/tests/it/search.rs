//! Filters, facets, suggestions, passages, corrections, and similar tenders.

use crate::{
    support::{Client, TestPortal},
    tenders::store,
};
use serde_json::{Value, json};
use tender_model::{
    tender::{EstimatedValue, Tender},
    vocabulary::{
        Category, Currency, District, Kind, Millions, OrganizationType, Priority, Province, TenderStatus,
        Visibility,
    },
};
use uuid::Uuid;

/// Returns a tender that was published two days before the time at which tests start.
fn tender(
    title: &str,
    organization: &str,
    district: District,
    closing: &str,
    millions: Option<f64>,
) -> Tender {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        category: Some(Category::Construction),
        priority: Priority::Medium,
        published_at: "2026-11-18T09:00:00+05:30".parse().ok(),
        full_text_markdown: format!("Sealed bids are invited by {organization} for {title}."),
        ..Tender::default()
    };
    tender.organization.name = organization.into();
    tender.organization.kind = Some(OrganizationType::Government);
    tender.location.district = Some(district);
    tender.dates.closing = closing.parse().ok();
    tender.financials.estimated_value = millions
        .map(|millions| EstimatedValue { amount: Millions::new(millions).unwrap(), currency: Currency::LKR });
    tender
}

/// Starts a portal with a bridge in Galle, a road in Kandy, an auction in Galle and a premium
/// clinic in Matara. Returns their ids in this order.
async fn start_portal_with_tenders() -> (TestPortal, Vec<Uuid>) {
    let portal = TestPortal::start().await;
    let december = "2026-12-10T14:00:00+05:30";
    let bridge = tender(
        "Repair of the harbour bridge",
        "Galle Municipal Council",
        District::Galle,
        december,
        Some(12.0),
    );
    let road = tender(
        "Repair of the temple road",
        "Kandy Municipal Council",
        District::Kandy,
        "2026-11-25T10:00:00+05:30",
        Some(80.0),
    );
    let mut auction =
        tender("Auction of vehicles", "Galle Municipal Council", District::Galle, december, None);
    (auction.kind, auction.category) = (Kind::Sale, Some(Category::Vehicles));
    let mut clinic =
        tender("Repair of the clinic bridge", "Department of Health", District::Matara, december, Some(3.0));
    clinic.visibility = Visibility::Premium;
    let mut ids = Vec::new();
    for tender in [bridge, road, auction, clinic] {
        ids.push(store(&portal, tender, None).await);
    }
    portal.wait_until_indexed().await;
    (portal, ids)
}

async fn found_ids(client: &Client, query: &str) -> Vec<String> {
    let reply = client.get(&format!("/tenders?{query}")).await.expect(200);
    let tenders = reply["data"]["tenders"].as_array().unwrap().clone();
    let mut ids: Vec<_> = tenders.iter().map(|tender| tender["_id"].as_str().unwrap().to_owned()).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn each_filter_selects_its_tenders() {
    let (portal, ids) = start_portal_with_tenders().await;
    let professional = portal.subscriber("pro", "supplier", Some("professional")).await;
    for (query, expected) in [
        ("districts=Galle", &[0, 2][..]),
        ("districts=Galle|Kandy", &[0, 1, 2]),
        ("provinces=Southern", &[0, 2, 3]),
        ("provinces=Southern&kinds=sale", &[2]),
        ("categories=Vehicles|Furniture", &[2]),
        ("sectors=construction", &[0, 1, 3]),
        ("organizations=galle%20municipal%20COUNCIL", &[0, 2]),
        ("organizationTypes=private", &[]),
        ("priorities=medium&districts=Kandy", &[1]),
        ("closingFrom=2026-11-21&closingUntil=2026-11-25", &[1]),
        ("publishedFrom=2026-11-19", &[]),
        ("publishedUntil=2026-11-18", &[0, 1, 2, 3]),
        // The auction has no estimated value and matches every value filter.
        ("minValue=10&maxValue=20", &[0, 2]),
        ("maxValue=3.0", &[2, 3]),
        // Advanced filters can be combined with quick filters and a search text.
        ("category=construction&districts=Galle", &[0]),
        ("search=bridge&districts=Galle|Kandy", &[0]),
        ("isLive=true&kinds=sale", &[2]),
    ] {
        let mut wanted: Vec<String> = expected.iter().map(|at| ids[*at].to_string()).collect();
        wanted.sort_unstable();
        assert_eq!(found_ids(&professional, query).await, wanted, "{query}");
    }
}

#[tokio::test]
async fn advanced_filters_require_a_plan() {
    let (portal, _) = start_portal_with_tenders().await;
    let basic = portal.subscriber("basic", "supplier", Some("basic")).await;
    for client in [portal.guest(), portal.user("free", "buyer").await, basic] {
        for call in ["/tenders?kinds=sale", "/tenders?minValue=1", "/tenders/facets?provinces=Southern"] {
            let refused = client.get(call).await.expect(403);
            assert_eq!(
                (&refused["code"], &refused["plan"]),
                (&json!("plan"), &json!("professional")),
                "{call}"
            );
        }
        // Invalid values are reported before the missing plan. Sorting and empty filters need no
        // plan.
        client.get("/tenders?districts=Atlantis").await.expect_error(422);
        client.get("/tenders?sort=closing&kinds=").await.expect(200);
    }
    let enterprise = portal.subscriber("large", "supplier", Some("enterprise")).await;
    enterprise.get("/tenders?kinds=sale").await.expect(200);
    let facets = enterprise.get("/tenders/facets").await.expect(200);
    assert!(!facets["data"]["kinds"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn everybody_filters_by_sector_and_district_and_sees_their_counts() {
    let (portal, ids) = start_portal_with_tenders().await;
    let guest = portal.guest();
    assert_eq!(found_ids(&guest, "districts=Galle&sectors=construction").await, [ids[0].to_string()]);
    let facets = guest.get("/tenders/facets?districts=Galle").await.expect(200);
    let facets = &facets["data"];
    let count = |facet: &str, name: &str| {
        let mut counts = facets[facet].as_array().unwrap().iter();
        counts.find(|count| count["name"] == name).map(|count| count["count"].as_u64().unwrap())
    };
    let all = guest.get("/tenders?districts=Galle").await.expect(200);
    assert_eq!(facets["total"], all["data"]["pagination"]["totalCount"]);
    assert_eq!((count("districts", "Galle"), count("districts", "Kandy")), (Some(2), Some(1)));
    assert_eq!((count("sectors", "construction"), count("statuses", "live")), (Some(1), Some(2)));
    for advanced in ["categories", "kinds", "provinces", "grades", "organizations", "publications"] {
        assert_eq!(facets[advanced], json!([]), "{advanced}");
    }
}

#[tokio::test]
async fn invalid_filter_reports_its_field() {
    let (portal, _) = start_portal_with_tenders().await;
    let professional = portal.subscriber("pro", "supplier", Some("professional")).await;
    let many = format!("cities={}", vec!["x"; 51].join("|"));
    for (query, field) in [
        ("districts=Atlantis", "districts"),
        ("provinces=southern", "provinces"),
        ("kinds=war", "kinds"),
        ("categories=construction", "categories"),
        ("sectors=Construction", "sectors"),
        ("grades=C5|Z9", "grades"),
        ("languages=fr", "languages"),
        ("closingFrom=tomorrow", "closingFrom"),
        ("closingUntil=2026-02-30", "closingUntil"),
        ("closingFrom=2026-12-02&closingUntil=2026-12-01", "closingFrom"),
        ("publishedFrom=2026-12-02&publishedUntil=2026-12-01", "publishedFrom"),
        ("minValue=-1", "minValue"),
        ("minValue=NaN", "minValue"),
        ("maxValue=1e400", "maxValue"),
        ("minValue=2&maxValue=1", "minValue"),
        ("minValue=2&currency=rupees", "currency"),
        ("sort=backwards", "sort"),
        (many.as_str(), "cities"),
    ] {
        for call in ["/tenders", "/tenders/facets"] {
            let reply = professional.get(&format!("{call}?{query}")).await.expect(422);
            let reported_field = reply["errors"][0]["field"].as_str().unwrap();
            assert!(reported_field == field, "{call}?{query}: {reply}");
        }
    }
}

#[tokio::test]
async fn facet_ignores_its_own_filter() {
    let (portal, _) = start_portal_with_tenders().await;
    let professional = portal.subscriber("pro", "supplier", Some("professional")).await;
    let facets = professional.get("/tenders/facets?districts=Galle&search=repair").await.expect(200);
    let count = |facet: &str, name: &str| {
        let choices = facets["data"][facet].as_array().unwrap().iter();
        choices.clone().find(|choice| choice["name"] == name).map(|choice| choice["count"].as_u64().unwrap())
    };
    assert_eq!(facets["data"]["total"], 1);
    assert_eq!((count("districts", "Galle"), count("districts", "Kandy")), (Some(1), Some(1)));
    assert_eq!(count("provinces", Province::Southern.as_str()), Some(1));
    assert_eq!((count("categories", "Construction"), count("kinds", "sale")), (Some(1), Some(0)));
    assert_eq!(count("organizations", "Galle Municipal Council"), Some(1));
}

#[tokio::test]
async fn results_follow_the_requested_order() {
    let (portal, ids) = start_portal_with_tenders().await;
    let first = async |sort: &str| {
        let reply = portal.guest().get(&format!("/tenders?sort={sort}")).await.expect(200);
        reply["data"]["tenders"][0]["_id"].as_str().unwrap().to_owned()
    };
    assert_eq!(first("closing").await, ids[1].to_string());
    assert_eq!(first("value").await, ids[1].to_string());
}

#[tokio::test]
async fn passages_are_hidden_for_locked_tenders() {
    let (portal, ids) = start_portal_with_tenders().await;
    let reply = portal.guest().get("/tenders?search=bridge").await.expect(200);
    let tenders = reply["data"]["tenders"].as_array().unwrap();
    let passages = reply["data"]["passages"].as_array().unwrap();
    assert_eq!((tenders.len(), passages.len()), (2, 2));
    for (tender, passage) in tenders.iter().zip(passages) {
        if tender["_id"] == ids[3].to_string() {
            assert_eq!(passage, &Value::Null, "a locked tender has no passage");
            continue;
        }
        assert_eq!(passage["title"], json!([[22, 28]]));
        let text: Vec<char> = passage["text"].as_str().unwrap().chars().collect();
        let [start, end] = [0, 1].map(|end| passage["marks"][0][end].as_u64().unwrap() as usize);
        assert_eq!(text[start..end].iter().collect::<String>(), "bridge");
    }
    let plain = portal.guest().get("/tenders").await.expect(200);
    assert!(plain["data"]["passages"].as_array().unwrap().iter().all(Value::is_null));
    assert_eq!((&plain["data"]["didYouMean"], &plain["data"]["hasMostWords"]), (&Value::Null, &json!(false)));
}

#[tokio::test]
async fn misspelled_word_is_corrected() {
    let (portal, _) = start_portal_with_tenders().await;
    let reply = portal.guest().get("/tenders?search=harbuor%20bridge").await.expect(200);
    assert_eq!(reply["data"]["didYouMean"]["text"], "harbour bridge");
    assert_eq!(reply["data"]["didYouMean"]["changes"], json!([{"from": "harbuor", "to": "harbour"}]));
    assert_eq!(reply["data"]["pagination"]["totalCount"], 1);
}

#[tokio::test]
async fn suggestions_include_places_organizations_and_tenders() {
    let (portal, ids) = start_portal_with_tenders().await;
    let suggested = async |text: &str| {
        let reply = portal.guest().get(&format!("/tenders/suggestions?text={text}")).await.expect(200);
        reply["data"]["suggestions"].as_array().unwrap().clone()
    };
    let galle = suggested("gall").await;
    assert!(galle.contains(&json!({"kind": "place", "text": "Galle"})), "{galle:?}");
    assert!(galle.contains(&json!({"kind": "organization", "text": "Galle Municipal Council"})), "{galle:?}");
    let temple = suggested("temple").await;
    let road = json!({"kind": "tender", "text": "Repair of the temple road", "_id": ids[1]});
    assert!(temple.contains(&road), "{temple:?}");
    assert_eq!(suggested("").await, Vec::<Value>::new());
    suggested("%00%F0%9F%98%80%22%27").await;
    portal.guest().get(&format!("/tenders/suggestions?text={}", "x".repeat(201))).await.expect_error(422);
    portal.guest().get("/tenders/suggestions?txt=a").await.expect_error(422);
}

#[tokio::test]
async fn similar_tenders_show_only_public_fields() {
    let (portal, ids) = start_portal_with_tenders().await;
    let reply = portal.guest().get(&format!("/tenders/{}/similar", ids[0])).await.expect(200);
    let similar = reply["data"]["tenders"].as_array().unwrap();
    assert!(similar.iter().any(|tender| tender["_id"] == ids[3].to_string()), "{reply}");
    assert!(similar.iter().all(|tender| tender["_id"] != ids[0].to_string()));
    let fields: Vec<&String> = similar[0].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["_id", "closing", "organization", "status", "title"], "only what everyone may read");
    portal.guest().get(&format!("/tenders/{}/similar", Uuid::nil())).await.expect_error(404);
    portal.guest().get("/tenders/x/similar").await.expect_error(422);
    // The address may be mistyped, so the message is in the language of the reader.
    let english = portal.guest().get("/tenders/x").await.expect_error(422);
    assert_eq!(english, "The id in the address is not valid");
    for language in ["si", "ta"] {
        let request = portal.guest().request(reqwest::Method::GET, "/tenders/x");
        let request = request.header("accept-language", language);
        let translated = portal.guest().send(request, reqwest::Method::GET, "/tenders/x").await;
        assert_ne!(translated.expect_error(422), english, "{language}");
    }
}
