//! Prerendered pages, `robots.txt` and sitemaps.

use crate::support::{Reply, TestPortal, publishing::store_sample_tender};
use serde_json::{Value, json};
use tender_model::vocabulary::{TenderStatus, Visibility};
use uuid::Uuid;

const INDEX_PAGE: &str = r#"<!doctype html><html><head><script type="application/json" id="settings">{}</script><title>Serendib Tenders</title></head><body><div id="root"></div><script type="module" src="/a.js"></script></body></html>"#;

/// Starts a portal with a built web application that consists of [`INDEX_PAGE`].
pub async fn start_portal() -> TestPortal {
    let portal = TestPortal::start_with(&["--public-url", "https://tenders.example"]).await;
    let web = portal.folder.path().join("web");
    std::fs::create_dir_all(&web).unwrap();
    std::fs::write(web.join("index.html"), INDEX_PAGE).unwrap();
    portal
}

/// Returns the API responses in a prerendered page, or null if the page contains none.
pub fn embedded_responses(reply: &Reply) -> Value {
    let text = reply.text();
    let Some((_, rest)) = text.split_once("id=\"answers\">") else { return Value::Null };
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn listing_is_prerendered_with_its_api_responses() {
    let portal = start_portal().await;
    for nth in 1..=11 {
        store_sample_tender(&portal, &format!("Road {nth} & <script>alert(1)</script>"), |_| {}).await;
    }
    store_sample_tender(&portal, "Chairs", |tender| tender.visibility = Visibility::Premium).await;
    portal.wait_until_indexed().await;
    let guest = portal.guest();
    let reply = guest.get_unchecked("/tenders?search=road").await;
    let text = reply.text();
    for part in [
        "<title>Tenders · Serendib Tenders</title>",
        "<h1>Tenders 11</h1>",
        " &#38; &#60;script&#62;alert(1)",
        "Closes Sun 20 Dec 2026, 2.00 p.m.",
        "<a rel=\"next\" href=\"/tenders?search=road&#38;page=2\">",
        "<link rel=\"canonical\" data-first href=\"https://tenders.example/tenders?search=road\">",
        "href=\"/api/feeds/tenders?search=road\"",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("<script>alert") && !text.contains("Somebody Private"), "{text}");
    let given = embedded_responses(&reply);
    assert_eq!(given["at"], 1_795_156_200_000_i64);
    assert_eq!(given["list"], guest.get("/tenders?search=road").await.expect(200)["data"]);
    assert_eq!(given["stats"], guest.get("/tenders/stats").await.expect(200)["data"]);

    let closed = embedded_responses(&guest.get_unchecked("/tenders?show=closed").await);
    assert_eq!(closed["list"]["pagination"]["totalCount"], 0);
    // A page with invalid or forbidden parameters is not prerendered.
    for address in
        ["/tenders?districts=Matara", "/tenders?page=x", "/tenders?unknown=1", "/tenders?search=%ff%00"]
    {
        let reply = guest.get_unchecked(address).await;
        assert_eq!(reply.status, 200, "{address}");
        assert!(reply.text().contains("id=\"root\">"), "{address}");
    }
    assert!(guest.get_unchecked("/").await.text().contains("12 tenders, 12 of them open to bids."));
}

#[tokio::test]
async fn home_page_is_prerendered_with_its_api_responses() {
    let portal = start_portal().await;
    let empty = portal.guest().get_unchecked("/").await.text();
    assert!(empty.contains("Compare the plans") && !empty.contains("Closing soon"), "{empty}");
    let id = store_sample_tender(&portal, "Road & <script>alert(1)</script>", |tender| {
        let source = json!({"publication": "<b>Lanka", "date": "2026-11-18", "file": "p1.jpg", "page": 1,
            "box": [0.1, 0.1, 0.2, 0.2], "clipUrl": format!("/api/clips/{}", "ab".repeat(32))});
        tender.sources = vec![serde_json::from_value(source).unwrap()];
    })
    .await;
    portal.wait_until_indexed().await;
    let guest = portal.guest();
    let reply = guest.get_unchecked("/").await;
    let text = reply.text();
    for part in [
        "<form action=\"/tenders\" role=\"search\">".to_owned(),
        format!("<h3><a href=\"/tenders/{id}\">Road &#38; &#60;script&#62;alert(1)"),
        "<p>Closes Sun 20 Dec 2026, 2.00 p.m.</p>".into(),
        format!("<img class=\"clip\" src=\"/api/clips/{}?until=", "ab".repeat(32)),
        "<li>&#60;b&#62;Lanka: 1 notices</li>".into(),
        "<li><a href=\"/buyers/department-of-works\">Department of Works</a>: 1 open</li>".into(),
        "<a href=\"/buyers\">Bodies that invite bids</a>".into(),
        "<a href=\"/market\">The market</a>".into(),
        "<li>Professional: LKR 5000 a month</li>".into(),
    ] {
        assert!(text.contains(&part), "{part} in\n{text}");
    }
    let given = embedded_responses(&reply);
    assert_eq!(given["home"], guest.get("/home").await.expect(200)["data"]);
    assert_eq!(given["plans"], guest.get("/subscriptions/plans").await.expect(200)["data"]);
}

#[tokio::test]
async fn prices_are_prerendered_with_their_api_response() {
    let portal = start_portal().await;
    let guest = portal.guest();
    let reply = guest.get_unchecked("/pricing").await;
    let text = reply.text();
    for part in [
        "<title>Pricing · Serendib Tenders</title>",
        "<h1>Plans and prices</h1>",
        "you open 3 tenders a month",
        "<h2>Basic</h2>",
        "LKR 5,000 a month",
        "<li>Alerts by e-mail</li>",
        "<link rel=\"canonical\" data-first href=\"https://tenders.example/pricing\">",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let given = embedded_responses(&reply);
    assert_eq!(given["plans"], guest.get("/subscriptions/plans").await.expect(200)["data"]);
}

#[tokio::test]
async fn prerendered_tender_without_a_newspaper_says_so() {
    let portal = start_portal().await;
    let own = store_sample_tender(&portal, "Chairs", |_| {}).await;
    let printed = store_sample_tender(&portal, "Bridge", |tender| {
        let source =
            json!({"publication": "Daily Lanka", "file": "p1.jpg", "page": 1, "box": [0.1, 0.1, 0.2, 0.2]});
        tender.sources = vec![serde_json::from_value(source).unwrap()];
    })
    .await;
    portal.wait_until_indexed().await;
    let guest = portal.guest();
    let notes = |reply: Reply| reply.text().matches("Published by the organisation; no newspaper").count();
    assert_eq!(notes(guest.get_unchecked(&format!("/tenders/{own}")).await), 1);
    assert_eq!(notes(guest.get_unchecked(&format!("/tenders/{printed}")).await), 0);
    assert_eq!(notes(guest.get_unchecked("/tenders").await), 1);
}

#[tokio::test]
async fn prerendered_tender_shows_only_its_summary_and_unknown_pages_get_404() {
    let portal = start_portal().await;
    let open = store_sample_tender(&portal, "Bridge", |tender| {
        tender.description = "A **bridge** over the river.".into();
        tender.location.city = Some("Weligama".into());
    })
    .await;
    let locked = store_sample_tender(&portal, "Dam", |tender| {
        tender.visibility = Visibility::Premium;
        tender.description = "A secret dam.".into();
        tender.location.city = Some("Ella".into());
    })
    .await;
    let draft = store_sample_tender(&portal, "Drafted", |tender| tender.status = TenderStatus::Draft).await;
    let guest = portal.guest();
    let text = guest.get_unchecked(&format!("/tenders/{open}")).await.text();
    for part in [
        "<title>Bridge · Serendib Tenders</title>",
        "content=\"Department of Works, Weligama, closes Sun 20 Dec 2026, 2.00 p.m.\"",
        "<p>A bridge over the river.</p>",
        "<p><a href=\"/buyers/department-of-works\">Department of Works</a> · Weligama</p>",
        "\"@type\":\"ItemPage\"",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("REF/77") && !text.contains("Somebody Private"), "{text}");
    let text = guest.get_unchecked(&format!("/tenders/{locked}")).await.text();
    assert!(text.contains("<h1>Dam</h1>") && !text.contains("secret") && !text.contains("Ella"), "{text}");
    // Only the API request for the tender counts as a view.
    for id in [open, open, open] {
        guest.get_unchecked(&format!("/tenders/{id}")).await;
    }
    let statistics =
        guest.get(&format!("/tenders/{open}")).await.expect(200)["data"]["tender"]["statistics"].clone();
    assert_eq!(statistics["views"], 1);
    for gone in [
        format!("/tenders/{draft}"),
        format!("/tenders/{}", Uuid::nil()),
        "/tenders/x/y".into(),
        "/nothing".into(),
    ] {
        let reply = guest.get_unchecked(&gone).await;
        assert_eq!(reply.status, 404, "{gone}");
        assert!(reply.text().contains("id=\"root\"></div>") && !reply.text().contains("Drafted"), "{gone}");
    }
    for page in [
        "/about",
        "/account",
        "/account/invoices/7",
        "/subscription/success?session_id=x",
        "/supplier/dashboard",
        "/supplier/tenders/7/edit",
        "/login/",
    ] {
        assert_eq!(guest.get_unchecked(page).await.status, 200, "{page}");
    }
}

#[tokio::test]
async fn sitemap_lists_every_public_tender() {
    let portal = start_portal().await;
    let open = store_sample_tender(&portal, "Bridge", |_| {}).await;
    let old = store_sample_tender(&portal, "Old", |tender| {
        tender.published_at = "2020-01-01T09:00:00+05:30".parse().ok();
    })
    .await;
    let hidden = [
        store_sample_tender(&portal, "Dam", |tender| tender.visibility = Visibility::Premium).await,
        store_sample_tender(&portal, "Drafted", |tender| tender.status = TenderStatus::Draft).await,
        store_sample_tender(&portal, "Withdrawn", |tender| tender.status = TenderStatus::Withdrawn).await,
    ];
    let guest = portal.guest();
    let robots = guest.get_unchecked("/robots.txt").await.text();
    assert!(
        robots.contains("Disallow: /account\n")
            && robots.ends_with("Sitemap: https://tenders.example/sitemap.xml\n")
    );
    let index = guest.get_unchecked("/sitemap.xml").await.text();
    assert!(
        index.contains("<loc>https://tenders.example/sitemap/1.xml</loc>") && !index.contains("2.xml"),
        "{index}"
    );
    let first = guest.get_unchecked("/sitemap/1.xml").await;
    assert_eq!(first.header("content-type"), "application/xml; charset=utf-8");
    let text = first.text();
    for id in [open, old] {
        assert!(
            text.contains(&format!(
                "<loc>https://tenders.example/tenders/{id}</loc><lastmod>2026-11-20T06:30:00Z"
            )),
            "{text}"
        );
    }
    assert!(text.contains("<loc>https://tenders.example/about</loc>"));
    for id in hidden {
        assert!(!text.contains(&id.to_string()), "{text}");
    }
    for gone in ["/sitemap/2.xml", "/sitemap/0.xml", "/sitemap/-1.xml", "/sitemap/x.xml", "/sitemap/1"] {
        assert_eq!(guest.get_unchecked(gone).await.status, 404, "{gone}");
    }
    // The file is kept for ten minutes.
    let new = store_sample_tender(&portal, "New", |_| {}).await.to_string();
    assert_eq!(guest.get_unchecked("/sitemap/1.xml").await.text(), text);
    portal.advance(600);
    assert!(guest.get_unchecked("/sitemap/1.xml").await.text().contains(&new));
}

#[tokio::test]
async fn awards_are_prerendered() {
    let portal = start_portal().await;
    let operator = portal.operator().await;
    let passage = json!({"start": 0, "end": 5, "words": "words"});
    for nth in 1..=11 {
        let decision = json!({"key": format!("d-{nth}"), "title": format!("Bridge {nth} <b>"), "decidedOn": "2018-03-20",
            "decisionNumber": nth, "sourceUrl": "https://cabinet.example/d", "awards": [{
                "winners": [{"name": "One & Sons Ltd", "passage": passage}],
                "amounts": [{"amount": 1_234_567.5, "currency": "LKR", "passage": passage}]}]});
        operator.post("/ingest/awards", &decision).await.expect(201);
    }
    let guest = portal.guest();
    let text = guest.get_unchecked("/awards?search=bridge&utm=1").await.text().to_owned();
    for part in [
        "<title>Awards · Serendib Tenders</title>",
        "<h1>Awards 11</h1>",
        "<h2>Bridge 11 &#60;b&#62;</h2>",
        "One &#38; Sons Ltd · LKR 1,234,567.50",
        "Cabinet decision 11 of 2018-03-20",
        "<a rel=\"next\" href=\"/awards?search=bridge&#38;utm=1&#38;page=2\">",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let wrong = guest.get_unchecked("/awards?year=nineteen").await;
    assert_eq!(wrong.status, 200);
    assert!(!wrong.text().contains("<h1>"));
    assert!(
        guest.get_unchecked("/sitemap/1.xml").await.text().contains("https://tenders.example/awards</loc>")
    );
}
