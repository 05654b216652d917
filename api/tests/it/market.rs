//! The pages of bodies and of the market.

use crate::{
    prerendering::{embedded_responses, start_portal},
    support::{Client, TestPortal, publishing::store_sample_tender},
};
use serde_json::{Value, json};
use tender_model::{
    tender::{Cida, FieldState, Source, Tender},
    vocabulary::{Amount, Category, District, TenderStatus, Visibility},
};

/// The default body of sample tenders.
const BODY: &str = "department-of-works";

/// Prints a tender on a day.
fn print(tender: &mut Tender, day: &str) {
    tender.sources.push(Source {
        publication: "Daily Lanka".into(),
        date: day.parse().ok(),
        ..Source::default()
    });
}

async fn read(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)["data"].clone()
}

/// The names and counts of the listed bodies.
async fn bodies(client: &Client, query: &str) -> Vec<(String, u64, u64)> {
    let listed = read(client, &format!("/buyers{query}")).await;
    let of = |buyer: &Value| {
        let number = |name: &str| buyer[name].as_u64().unwrap();
        (buyer["name"].as_str().unwrap().to_owned(), number("open"), number("past"))
    };
    listed["buyers"].as_array().unwrap().iter().map(of).collect()
}

#[tokio::test]
async fn only_certain_tenders_that_everyone_may_see_count() {
    let portal = TestPortal::start().await;
    store_sample_tender(&portal, "Open", |_| {}).await;
    store_sample_tender(&portal, "Past", |tender| {
        tender.dates.closing = "2026-11-01T14:00:00+05:30".parse().ok();
    })
    .await;
    for (title, hide) in [
        ("Draft", (|tender| tender.status = TenderStatus::Draft) as fn(&mut Tender)),
        ("Withdrawn", |tender| tender.status = TenderStatus::Withdrawn),
        ("Premium", |tender| tender.visibility = Visibility::Premium),
        ("Registered", |tender| tender.visibility = Visibility::Registered),
        ("Doubtful", |tender| {
            tender.field_states = Some([("organization.name".to_owned(), FieldState::Doubtful)].into());
        }),
    ] {
        store_sample_tender(&portal, title, hide).await;
    }
    let guest = portal.guest();
    assert_eq!(bodies(&guest, "").await, [("Department of Works".to_owned(), 1, 1)]);
    let market = read(&guest, "/market").await;
    // The tender with a doubtful body counts in the market.
    assert_eq!((&market["total"], &market["open"]), (&json!(3), &json!(2)));
    let body = read(&guest, &format!("/buyers/{BODY}")).await;
    assert_eq!(body["openTenders"][0]["title"], "Open");
    assert_eq!(body["pastTenders"][0]["title"], "Past");
    assert_eq!(
        (body["openTenders"].as_array().unwrap().len(), body["pastTenders"].as_array().unwrap().len()),
        (1, 1)
    );
}

#[tokio::test]
async fn spellings_of_a_body_are_one_body() {
    let portal = TestPortal::start().await;
    for name in ["Road Development Authority", "ROAD DEVELOPMENT AUTHORITY", "RDA", "මාර්ග සංවර්ධන අධිකාරිය"]
    {
        store_sample_tender(&portal, "Bridge", |tender| tender.organization.name = name.into()).await;
    }
    store_sample_tender(&portal, "Hall", |tender| tender.organization.name = "නගර සභාව".into()).await;
    let guest = portal.guest();
    let listed = bodies(&guest, "?search=road%20dev").await;
    assert_eq!((listed.len(), listed[0].1), (1, 4));
    assert_eq!(bodies(&guest, "?search=rda").await.len(), 1);
    assert!(bodies(&guest, "?search=atlantis").await.is_empty());
    for slug in ["road-development-authority", "RDA", "Road%20Development%20Authority", "rda"] {
        let body = read(&guest, &format!("/buyers/{slug}")).await;
        assert_eq!(body["slug"], "road-development-authority", "{slug}");
        assert_eq!(body["names"].as_array().unwrap().len(), 4);
    }
    let native = read(&guest, "/buyers/urban-council").await;
    assert_eq!(native["name"], "නගර සභාව");
    guest.get("/buyers/atlantis").await.expect_error(404);
    guest.get("/buyers/%00%ff").await.expect_error(404);
    guest.get(&format!("/buyers/{}", "x".repeat(3000))).await.expect_error(404);
    assert_eq!(bodies(&guest, "?limit=1&page=2").await.len(), 1);
}

#[tokio::test]
async fn signs_and_short_forms_are_spellings_of_one_body() {
    let portal = TestPortal::start().await;
    for name in ["Health & Roads (Pvt) Ltd", "Health and Roads (Private) Limited", "Health & Roads (Pvt) Ltd"]
    {
        store_sample_tender(&portal, "Bridge", |tender| tender.organization.name = name.into()).await;
    }
    store_sample_tender(&portal, "Hall", |tender| tender.organization.name = "Health Roads".into()).await;
    let guest = portal.guest();
    let listed = bodies(&guest, "").await;
    assert_eq!(
        listed,
        [("Health & Roads (Pvt) Ltd".to_owned(), 3, 0), ("Health Roads".to_owned(), 1, 0)],
        "the most frequent spelling is shown"
    );
    let body = read(&guest, "/buyers/Health%20%26%20Roads%20(Pvt)%20Ltd").await;
    assert_eq!(body["slug"], "health-and-roads-private-limited");
}

#[tokio::test]
async fn a_body_has_spreads_and_few_tenders_are_listed_instead() {
    let portal = TestPortal::start().await;
    for nth in 1..=5 {
        store_sample_tender(&portal, &format!("Road {nth}"), |tender| {
            print(tender, &format!("2026-11-{:02}", 10 + nth));
            tender.category = Some(Category::Construction);
            tender.location.district = Some(District::Matara);
            if nth <= 3 {
                tender.financials.bid_bond.amount = Some(Amount::new(f64::from(nth) * 100_000.0).unwrap());
            }
        })
        .await;
    }
    store_sample_tender(&portal, "Old", |tender| {
        tender.published_at = "2026-09-01T09:00:00+05:30".parse().ok();
        tender.financials.bid_bond.amount = Some(Amount::new(5.0).unwrap());
        tender.dates.closing = None;
    })
    .await;
    let body = read(&portal.guest(), &format!("/buyers/{BODY}")).await;
    let summary = json!({"min": 35.0, "lower": 36.0, "median": 37.0, "upper": 38.0, "max": 39.0});
    assert_eq!(body["noticeDays"], json!({"count": 5, "summary": summary, "tenders": []}));
    let bond = &body["bondAmount"];
    assert_eq!((&bond["count"], &bond["summary"]), (&json!(4), &Value::Null));
    // The old tender is not open to guests, so its bond is not shown.
    let values: Vec<f64> =
        bond["tenders"].as_array().unwrap().iter().map(|tender| tender["value"].as_f64().unwrap()).collect();
    assert_eq!(values.len(), 3);
    assert!(!values.contains(&5.0), "{values:?}");
    assert_eq!(body["bondPercentage"], json!({"count": 0, "summary": null, "tenders": []}));
    assert_eq!(
        body["categories"][0],
        json!({"value": "Construction", "count": 5, "open": 5, "uncertain": 0})
    );
    assert_eq!(body["districts"][1]["value"], Value::Null);
}

#[tokio::test]
async fn short_notices_are_counted_by_method() {
    let portal = TestPortal::start().await;
    for (title, method, day) in [
        ("Short", None, "2026-12-01"),
        ("Long", None, "2026-11-25"),
        ("International", Some("ICB"), "2026-11-15"),
        ("Shopping", Some("shopping"), "2026-12-15"),
    ] {
        store_sample_tender(&portal, title, |tender| {
            print(tender, day);
            tender.method = method.map(str::to_owned);
            tender.cida = vec![Cida { grade: "C 5".into(), ..Cida::default() }];
        })
        .await;
    }
    store_sample_tender(&portal, "Doubtful", |tender| {
        print(tender, "2026-12-10");
        tender.field_states = Some([("dates.closing".to_owned(), FieldState::Doubtful)].into());
    })
    .await;
    let guest = portal.guest();
    let market = read(&guest, "/market").await;
    let row = |days: u32, stated: bool, count: u32, short: u32| json!({"requiredDays": days, "isMethodStated": stated, "count": count, "short": short});
    assert_eq!(market["shortNotices"], json!([row(21, false, 2, 1), row(42, true, 1, 1)]));
    assert_eq!(market["grades"], json!([{"value": "C5", "count": 4, "open": 4, "uncertain": 0}]));
    assert_eq!(market["months"].as_array().unwrap().len(), 12);
    let of_weeks = |name: &str| -> u64 {
        market["closings"].as_array().unwrap().iter().map(|week| week[name].as_u64().unwrap()).sum()
    };
    assert_eq!((of_weeks("count"), of_weeks("uncertain")), (5, 1));
    assert_eq!(read(&guest, "/market?grade=C5").await["total"], 4);
    assert_eq!(read(&guest, "/market?district=Galle&sector=it").await["total"], 0);
    for query in ["district=Atlantis", "sector=x", "grade=C77", "unknown=1"] {
        guest.get(&format!("/market?{query}")).await.expect_error(422);
    }
    for path in ["/buyers?page=0", "/buyers?limit=51", "/buyers?x=1", "/buyers/a/tenders?show=all"] {
        guest.get(path).await.expect_error(422);
    }
    guest.get(&format!("/buyers?search={}", "x".repeat(201))).await.expect_error(422);
}

/// The market leads to the listing, so both have the same numbers.
#[tokio::test]
async fn counts_are_those_of_the_listing_and_say_what_is_not_certain() {
    let portal = TestPortal::start().await;
    for (title, category, doubtful) in [
        ("Bridge", Some(Category::Construction), None),
        ("Hall", Some(Category::Construction), Some("category")),
        ("Pump", Some(Category::Construction), Some("location.district")),
        ("Scrap", Some(Category::Other), Some("category")),
        ("Notice", None, None),
        ("Unread", None, Some("dates.closing")),
    ] {
        store_sample_tender(&portal, title, |tender| {
            tender.category = category;
            tender.location.district = Some(District::Matara);
            let state = if title == "Unread" { FieldState::NotRead } else { FieldState::Doubtful };
            tender.field_states = doubtful.map(|path| [(path.to_owned(), state)].into());
            if title == "Unread" {
                tender.dates.closing = None;
            }
        })
        .await;
    }
    portal.wait_until_indexed().await;
    let guest = portal.guest();
    let whole = read(&guest, "/market").await;
    let row = |value: Option<&str>, count: u32, uncertain: u32| json!({"value": value, "count": count, "open": count, "uncertain": uncertain});
    assert_eq!(
        whole["sectors"],
        json!([row(Some("construction"), 3, 1), row(None, 2, 0), row(Some("Other"), 1, 1)])
    );
    assert_eq!(whole["districts"], json!([row(Some("Matara"), 6, 1)]));
    assert_eq!((&whole["withoutClosing"], &whole["closingsNotRead"]), (&json!(1), &json!(1)));
    for (market, listing, uncertain) in [
        ("sector=construction", "category=construction", 1),
        ("district=Matara", "districts=Matara", 1),
        ("", "", 0),
    ] {
        let part = read(&guest, &format!("/market?{market}")).await;
        let listed = read(&guest, &format!("/tenders?{listing}")).await;
        assert_eq!(part["total"], listed["pagination"]["totalCount"], "{market}");
        assert_eq!((&part["uncertain"], &part["uncertainOpen"]), (&json!(uncertain), &json!(uncertain)));
    }
}

#[tokio::test]
async fn awards_belong_to_the_body_that_proposed_them() {
    let portal = TestPortal::start().await;
    let passage = json!({"start": 4, "end": 9, "words": "words"});
    let decision = json!({"key": "d-1", "title": "A bridge", "decidedOn": "2018-03-20", "decisionNumber": 5,
        "sourceUrl": "https://cabinet.example/d?id=5", "references": [],
        "body": {"name": "Health Ministry", "passage": passage},
        "awards": [{"winners": [{"name": "One Ltd", "passage": passage}], "amounts": []}]});
    portal.operator().await.post("/ingest/awards", &decision).await.expect(201);
    let guest = portal.guest();
    let body = read(&guest, "/buyers/ministry-of-health").await;
    assert_eq!((&body["awards"], &body["open"]), (&json!(1), &json!(0)));
    assert_eq!(body["newestAwards"][0]["title"], "A bridge");
    // An earlier version of the rules gave the body another slug.
    sqlx::query("update award set body_slug = 'health-ministry'").execute(&portal.state.db).await.unwrap();
    api::services::market::fill_facts(&portal.state).await.unwrap();
    assert_eq!(read(&guest, "/buyers/ministry-of-health").await["awards"], 1);
    // The list of the page's awards has as many, whatever else has the name in its own.
    let count = async |query: &str| read(&guest, query).await["pagination"]["totalCount"].clone();
    assert_eq!(count("/awards?buyer=ministry-of-health").await, 1);
    assert_eq!(count("/awards?buyer=health").await, 0);
}

#[tokio::test]
async fn tenders_of_earlier_versions_are_filled_in() {
    let portal = TestPortal::start().await;
    let id = store_sample_tender(&portal, "Bridge", |_| {}).await;
    sqlx::query("delete from tender_facts where tender_id = $1")
        .bind(id)
        .execute(&portal.state.db)
        .await
        .unwrap();
    api::services::market::fill_facts(&portal.state).await.unwrap();
    assert_eq!(bodies(&portal.guest(), "").await.len(), 1);
}

#[tokio::test]
async fn pages_are_prerendered_and_unknown_ones_get_404() {
    let portal = start_portal().await;
    let id = store_sample_tender(&portal, "Road & <b>", |tender| {
        tender.organization.name = "Department of <i>Works".into();
        tender.location.district = Some(District::NuwaraEliya);
        tender.category = Some(Category::ComputerIt);
    })
    .await;
    let guest = portal.guest();
    for (path, parts) in [
        (
            "/buyers",
            &["<a href=\"/buyers/department-of-i-works\">Department of &#60;i&#62;Works</a>: 1 open, 0 past"]
                [..],
        ),
        (
            "/buyers/department-of-i-works",
            &[
                "<title>Department of &lt;i&gt;Works",
                "Road &#38; &#60;b&#62;",
                "href=\"https://tenders.example/buyers/department-of-i-works\"",
                "too few to tell (1)",
                "Bid security in rupees: not stated",
            ],
        ),
        (
            "/market",
            &[
                "<h1>The market</h1>",
                "<a href=\"/market/districts/nuwara-eliya\">Nuwara Eliya</a>: 1, 1 open",
            ],
        ),
        (
            "/market/districts/nuwara-eliya",
            &["<h1>Tenders in Nuwara Eliya District</h1>", "Under 21 days (method not stated)"],
        ),
        ("/market/sectors/it", &["<h1>Tenders by sector: Information technology</h1>"]),
    ] {
        let reply = guest.get_unchecked(path).await;
        assert_eq!(reply.status, 200, "{path}");
        let text = reply.text();
        for part in parts {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(!text.contains("<b>") && !text.contains("<i>Works"), "{text}");
    }
    assert!(
        guest.get_unchecked("/buyers/department-of-i-works").await.text().contains(&format!("/tenders/{id}"))
    );
    let page = guest.get_unchecked("/buyers/department-of-i-works").await;
    let body = guest.get("/buyers/department-of-i-works").await.expect(200)["data"].clone();
    assert_eq!(embedded_responses(&page)["buyer"], body);
    for path in [
        "/buyers/atlantis",
        "/buyers/a/b",
        "/market/districts/atlantis",
        "/market/sectors/all",
        "/market/x",
        "/marketing",
    ] {
        assert_eq!(guest.get_unchecked(path).await.status, 404, "{path}");
    }
    let sitemap = guest.get_unchecked("/sitemap/1.xml").await.text();
    for page in [
        "/market",
        "/buyers",
        "/market/districts/galle",
        "/market/sectors/it",
        "/buyers/department-of-i-works",
    ] {
        assert!(
            sitemap.contains(&format!("<loc>https://tenders.example{page}</loc>")),
            "{page} in {sitemap}"
        );
    }
}
