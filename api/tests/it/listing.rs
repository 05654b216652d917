//! The listing of tenders with its filters and search, and the statistics.

use crate::{
    support::{Client, TestPortal},
    tenders::store,
};
use serde_json::{Value, json};
use tender_model::{
    tender::Tender,
    vocabulary::{Category, Kind, TenderStatus},
};

struct SampleTender {
    title: &'static str,
    category: Option<Category>,
    status: TenderStatus,
    published: &'static str,
    closing: Option<&'static str>,
}

/// The tenders in the portal. The portal's clock is at noon on 20 November 2026 in Colombo.
const SAMPLE_TENDERS: [SampleTender; 6] = [
    SampleTender {
        title: "Rehabilitation of rural roads",
        category: Some(Category::Construction),
        status: TenderStatus::Published,
        published: "2026-11-20T00:00:00+05:30",
        closing: Some("2026-12-10T14:00:00+05:30"),
    },
    SampleTender {
        title: "Supply of laptops",
        category: Some(Category::ComputersLaptops),
        status: TenderStatus::Published,
        published: "2026-11-19T23:59:59+05:30",
        closing: Some("2026-11-20T11:59:59+05:30"),
    },
    SampleTender {
        title: "Supply of hospital beds",
        category: Some(Category::MedicalEquipment),
        status: TenderStatus::Cancelled,
        published: "2026-11-18T09:00:00+05:30",
        closing: Some("2026-12-18T14:00:00+05:30"),
    },
    SampleTender {
        title: "Security of the road depot",
        category: Some(Category::SecurityServices),
        status: TenderStatus::Published,
        published: "2026-11-17T09:00:00+05:30",
        closing: None,
    },
    SampleTender {
        title: "A draft on roads",
        category: Some(Category::Construction),
        status: TenderStatus::Draft,
        published: "2026-11-20T09:00:00+05:30",
        closing: None,
    },
    SampleTender {
        title: "A withdrawn tender on roads",
        category: Some(Category::Construction),
        status: TenderStatus::Withdrawn,
        published: "2026-11-20T09:00:00+05:30",
        closing: None,
    },
];

async fn start_portal_with_samples() -> TestPortal {
    let portal = TestPortal::start().await;
    for sample in SAMPLE_TENDERS {
        let mut tender = Tender {
            title: sample.title.into(),
            category: sample.category,
            status: sample.status,
            published_at: sample.published.parse().ok(),
            full_text_markdown: "Sealed bids are invited from eligible bidders.".into(),
            ..Tender::default()
        };
        tender.dates.closing = sample.closing.and_then(|closing| closing.parse().ok());
        tender.organization.contact_person.phone = Some("011 212 3456".into());
        store(&portal, tender, None).await;
    }
    portal.wait_until_indexed().await;
    portal
}

fn titles(reply: &Value) -> Vec<&str> {
    reply["data"]["tenders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tender| tender["title"].as_str().unwrap())
        .collect()
}

async fn get_listing(client: &Client, query: &str) -> Value {
    client.get(&format!("/tenders{query}")).await.expect(200)
}

#[tokio::test]
async fn listing_shows_open_tenders_first_and_the_newest_of_each_group() {
    let portal = start_portal_with_samples().await;
    let all = get_listing(&portal.guest(), "").await;
    assert_eq!(
        titles(&all),
        [
            "Rehabilitation of rural roads",
            "Security of the road depot",
            "Supply of laptops",
            "Supply of hospital beds"
        ]
    );
    assert_eq!(
        all["data"]["pagination"],
        json!({"current": 1, "total": 1, "totalCount": 4, "hasPrev": false, "hasNext": false})
    );
    let laptops = &all["data"]["tenders"][2];
    assert_eq!((&laptops["isClosingToday"], &laptops["isExpired"]), (&json!(true), &json!(true)));
    // The listing omits the full text, and guests do not see contact data.
    assert_eq!(laptops["fullTextMarkdown"], Value::Null);
    assert_eq!(laptops["organization"]["contactPerson"], json!({}));
    let user = get_listing(&portal.user("nimal", "buyer").await, "").await;
    assert_eq!(user["data"]["tenders"][1]["organization"]["contactPerson"]["phone"], "011 212 3456");
}

#[tokio::test]
async fn pagination_returns_every_tender_once() {
    let portal = start_portal_with_samples().await;
    let mut seen = Vec::new();
    for page in 1..=3 {
        let reply = get_listing(&portal.guest(), &format!("?page={page}&limit=2")).await;
        seen.extend(titles(&reply).into_iter().map(str::to_owned));
        let pagination = &reply["data"]["pagination"];
        assert_eq!((&pagination["total"], &pagination["hasNext"]), (&json!(2), &json!(page < 2)));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
    assert_eq!(titles(&get_listing(&portal.guest(), "?page=10000&limit=50").await), Vec::<&str>::new());
}

#[tokio::test]
async fn each_filter_selects_its_tenders() {
    let portal = start_portal_with_samples().await;
    for (query, expected) in [
        ("?category=construction", vec!["Rehabilitation of rural roads"]),
        ("?category=Computers%20%26%20Laptops", vec!["Supply of laptops"]),
        ("?category=it", vec!["Supply of laptops"]),
        ("?category=consultancy", vec![]),
        ("?publishedToday=true", vec!["Rehabilitation of rural roads"]),
        ("?isLive=true", vec!["Rehabilitation of rural roads", "Security of the road depot"]),
        ("?isClosed=true", vec!["Supply of laptops", "Supply of hospital beds"]),
        ("?search=laptops", vec!["Supply of laptops"]),
        ("?search=LAPTOP", vec!["Supply of laptops"]),
        ("?search=laptops&category=supply", vec![]),
        ("?search=supply%20beds&category=supply", vec!["Supply of hospital beds"]),
        ("?search=nothing%20of%20the%20kind", vec![]),
    ] {
        assert_eq!(titles(&get_listing(&portal.guest(), query).await), expected, "{query}");
    }
    // A filter whose value is empty, `false` or `all` has no effect.
    for query in ["?category=all", "?category=&search=&isLive=", "?search=%20%20", "?isLive=false", "?"] {
        assert_eq!(titles(&get_listing(&portal.guest(), query).await).len(), 4, "{query}");
    }
    let road_tenders = get_listing(&portal.guest(), "?search=road").await;
    assert_eq!(road_tenders["data"]["pagination"]["totalCount"], 2, "{road_tenders}");
}

#[tokio::test]
async fn open_tenders_stand_before_closed_ones_which_can_be_hidden() {
    let portal = start_portal_with_samples().await;
    let open = ["Rehabilitation of rural roads", "Security of the road depot"];
    let closed = ["Supply of hospital beds", "Supply of laptops"];
    let sorted = |titles: &[&str]| {
        let mut titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
        titles.sort_unstable();
        titles
    };
    for sort in ["best", "newest", "closing", "value"] {
        let reply = get_listing(&portal.guest(), &format!("?sort={sort}")).await;
        let titles = titles(&reply);
        assert_eq!((sorted(&titles[..2]), sorted(&titles[2..])), (sorted(&open), sorted(&closed)), "{sort}");
    }
    for (query, expected) in [
        ("?hideClosed=true", &open[..]),
        ("?hideClosed=false&isClosed=true", &closed),
        // A chosen status wins.
        ("?hideClosed=true&isClosed=true", &closed),
        ("?hideClosed=true&search=supply", &[]),
        ("?hideClosed=true&search=road", &open),
    ] {
        let reply = get_listing(&portal.guest(), query).await;
        assert_eq!(sorted(&titles(&reply)), sorted(expected), "{query}");
    }
}

#[tokio::test]
async fn search_accepts_any_text() {
    let portal = start_portal_with_samples().await;
    for text in [
        "\"",
        "(",
        "a AND",
        "title:x",
        "*",
        "-",
        "\\",
        "%00",
        "%F0%9F%9A%A7",
        "~1 OR [1 TO",
        "පාර",
        "%E2%80%8D",
        "+++",
    ] {
        get_listing(&portal.guest(), &format!("?search={text}")).await;
    }
    let longest = "x".repeat(200);
    get_listing(&portal.guest(), &format!("?search={longest}")).await;
}

#[tokio::test]
async fn invalid_query_reports_its_field() {
    let portal = TestPortal::start().await;
    let long = format!("search={}", "x".repeat(201));
    for (query, field) in [
        ("page=0", "page"),
        ("page=10001", "page"),
        ("page=-1", "page"),
        ("page=1.5", "page"),
        ("limit=0", "limit"),
        ("limit=51", "limit"),
        ("limit=x", "limit"),
        ("category=Nothing", "category"),
        ("isLive=perhaps", "isLive"),
        ("hideClosed=perhaps", "hideClosed"),
        ("isLive=true&isClosed=true", "isClosed"),
        (long.as_str(), "search"),
        ("isLiv=true", "query"),
    ] {
        let reply = portal.guest().get(&format!("/tenders?{query}")).await.expect(422);
        let reported_field = reply["errors"][0]["field"].as_str().unwrap();
        assert!(reported_field == field || field == "query", "{query}: {reply}");
    }
    let endless = format!("search={}", "x".repeat(5000));
    portal.guest().get(&format!("/tenders?{endless}")).await.expect_error(400);
    portal.guest().with_token("stale").get("/tenders").await.expect_error(401);
}

#[tokio::test]
async fn statistics_match_the_listing() {
    let portal = start_portal_with_samples().await;
    let mut registration = Tender { title: "Registration of suppliers".into(), ..Tender::default() };
    registration.status = TenderStatus::Published;
    registration.kind = Kind::Registration;
    registration.category = Some(Category::Furniture);
    registration.published_at = "2026-11-20T11:00:00+05:30".parse().ok();
    store(&portal, registration, None).await;
    portal.user("one", "supplier").await;
    portal.user("two", "buyer").await;
    portal.wait_until_indexed().await;
    let stats = portal.guest().get("/tenders/stats").await.expect(200)["data"].clone();
    let counts = ["totalTenders", "todayTenders", "liveTenders", "closedTenders", "supplierCount"]
        .map(|name| stats[name].clone());
    assert_eq!(counts, [5, 2, 3, 2, 1]);
    let count_of = |list: &str, id: &str| {
        let counts = stats[list].as_array().unwrap();
        counts.iter().find(|count| count["_id"] == id).map(|count| count["count"].clone())
    };
    assert_eq!(stats["categoryStats"].as_array().unwrap().len(), 14);
    assert_eq!(stats["sectorStats"].as_array().unwrap().len(), 7);
    assert_eq!(count_of("categoryStats", "Furniture"), Some(json!(1)));
    assert_eq!(count_of("sectorStats", "registration"), Some(json!(1)));
    assert_eq!(count_of("sectorStats", "supply"), Some(json!(1)));
    for list in ["categoryStats", "sectorStats"] {
        for count in stats[list].as_array().unwrap() {
            let name = count["_id"].as_str().unwrap().replace('&', "%26").replace(' ', "%20");
            let found = get_listing(&portal.guest(), &format!("?category={name}")).await;
            assert_eq!(found["data"]["pagination"]["totalCount"], count["count"], "{name}");
        }
    }
}

#[tokio::test]
async fn statistics_within_a_search_match_the_listing() {
    let portal = start_portal_with_samples().await;
    let guest = portal.guest();
    let count = async |query: &str| {
        get_listing(&guest, &format!("?{query}")).await["data"]["pagination"]["totalCount"].clone()
    };
    for query in ["search=road", "category=construction", "search=supply&category=it"] {
        let stats = guest.get(&format!("/tenders/stats?{query}")).await.expect(200)["data"].clone();
        assert_eq!(stats["totalTenders"], count(query).await, "{query}");
        for (card, name) in
            [("publishedToday", "todayTenders"), ("isLive", "liveTenders"), ("isClosed", "closedTenders")]
        {
            let with_card = format!("{query}&{card}=true");
            assert_eq!(stats[name], count(&with_card).await, "{with_card}");
            let same = guest.get(&format!("/tenders/stats?{with_card}&page=2&limit=5")).await.expect(200);
            assert_eq!(same["data"]["totalTenders"], stats["totalTenders"], "{with_card}");
        }
    }
    let of_roads = guest.get("/tenders/stats?search=road").await.expect(200)["data"].clone();
    let counted: Vec<&Value> = of_roads["categoryStats"].as_array().unwrap().iter().collect();
    let sum: u64 = counted.iter().filter_map(|count| count["count"].as_u64()).sum();
    assert_eq!(sum, 2, "roads and the depot");
    guest.get("/tenders/stats?isLive=true&isClosed=true").await.expect_error(422);
    guest.get("/tenders/stats?provinces=Western").await.expect_error(403);
    guest.get("/tenders/stats?nonsense=1").await.expect_error(422);
}

#[tokio::test]
async fn searches_wait_for_a_turn_and_other_requests_do_not() {
    let portal = TestPortal::start().await;
    let turns = portal.state.search_turns.clone();
    let all = turns.available_permits();
    let held = turns.clone().acquire_many_owned(u32::try_from(all).unwrap()).await.unwrap();
    let guest = portal.guest();
    let waiting = tokio::spawn(async move { guest.get("/tenders").await });
    portal.guest().get("/subscriptions/plans").await.expect(200);
    assert!(!waiting.is_finished());
    drop(held);
    waiting.await.unwrap().expect(200);
    assert_eq!(turns.available_permits(), all);
}
