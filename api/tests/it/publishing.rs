//! A publisher's own tenders: create, publish, edit, withdraw, delete, search.

use crate::{
    notice_sources::{ORIGINAL_NOTICE, send_notice},
    support::{
        Client, TestPortal,
        mailbox::{find_mail, token},
    },
};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns a form with every field that publishing requires.
pub fn tender_form(title: &str, status: &str) -> Value {
    json!({
        "title": title, "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture", "status": status,
        "organization": {"name": "Abans"}, "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-01"},
    })
}

pub async fn create_tender(client: &Client, title: &str, status: &str) -> Value {
    client.post("/tenders", &tender_form(title, status)).await.expect(201)["data"]["tender"].clone()
}

fn tender_path(tender: &Value) -> String {
    format!("/tenders/{}", tender["_id"].as_str().unwrap())
}

async fn listed_titles(portal: &TestPortal) -> Vec<String> {
    portal.wait_until_indexed().await;
    let list = portal.guest().get("/tenders").await.expect(200);
    let titles = list["data"]["tenders"].as_array().unwrap().iter();
    titles.map(|tender| tender["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn draft_uses_publisher_defaults_and_may_be_incomplete() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft =
        supplier.post("/tenders", &json!({"status": "draft"})).await.expect(201)["data"]["tender"].clone();
    assert_eq!((&draft["status"], &draft["priority"]), (&json!("draft"), &json!("medium")));
    assert_eq!((&draft["visibility"], &draft["organization"]["type"]), (&json!("public"), &json!("private")));
    assert_eq!(draft["organization"]["contactPerson"]["name"], "nimal Perera");
    assert_eq!(draft["organization"]["contactPerson"]["email"], "nimal@example.lk");
    assert_eq!(draft["dates"]["published"], "2026-11-20T00:00:00+05:30");
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
    portal.guest().get(&tender_path(&draft)).await.expect_error(404);
    let refused = supplier.put(&tender_path(&draft), &json!({"status": "published"})).await;
    assert_eq!(refused.expect_error(422), "Title is required");
}

#[tokio::test]
async fn tender_lifecycle_from_draft_to_withdrawal() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create_tender(&supplier, "Chairs", "draft").await;
    assert_eq!(draft.get("publishedAt"), None);
    portal.advance(60);
    let published = supplier.put(&tender_path(&draft), &json!({"status": "published"})).await.expect(200);
    assert_eq!(published["data"]["tender"]["publishedAt"], "2026-11-20T12:01:00+05:30");
    assert_eq!(listed_titles(&portal).await, ["Chairs"]);
    portal.advance(60);
    let edit = json!({"title": "Chairs and tables", "dates": {"closing": "2026-12-15"}});
    supplier.put(&tender_path(&draft), &edit).await.expect(200);
    let seen = portal.guest().get(&tender_path(&draft)).await.expect(200)["data"]["tender"].clone();
    let changes: Vec<_> =
        seen["changes"].as_array().unwrap().iter().map(|c| (&c["field"], &c["from"], &c["to"])).collect();
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes.contains(&(&json!("title"), &json!("Chairs"), &json!("Chairs and tables"))));
    assert_eq!(seen["publishedAt"], "2026-11-20T12:01:00+05:30", "an edit is not a new publication");
    assert_eq!(supplier.delete(&tender_path(&draft)).await.expect(200)["message"], "Tender withdrawn");
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
    portal.guest().get(&tender_path(&draft)).await.expect_error(404);
    supplier.get(&tender_path(&draft)).await.expect(200);
    assert_eq!(
        supplier.put(&tender_path(&draft), &json!({"status": "published"})).await.expect_error(409),
        "A withdrawn tender cannot become published"
    );
}

#[tokio::test]
async fn draft_is_deleted_and_closed_tender_stays() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create_tender(&supplier, "Draft", "draft").await;
    assert_eq!(supplier.delete(&tender_path(&draft)).await.expect(200)["message"], "Tender deleted");
    supplier.get(&tender_path(&draft)).await.expect_error(404);
    supplier.delete(&tender_path(&draft)).await.expect_error(404);
    let closed = create_tender(&supplier, "Closed", "published").await;
    supplier.put(&tender_path(&closed), &json!({"status": "closed"})).await.expect(200);
    supplier.delete(&tender_path(&closed)).await.expect_error(409);
    supplier.put(&tender_path(&closed), &json!({"status": "published"})).await.expect_error(409);
    assert_eq!(listed_titles(&portal).await, ["Closed"]);
}

#[tokio::test]
async fn publishing_requires_a_supplier_and_editing_the_owner() {
    let portal = TestPortal::start().await;
    let (owner, other) = (portal.user("owner", "supplier").await, portal.user("other", "supplier").await);
    let buyer = portal.user("buyer", "buyer").await;
    assert_eq!(
        buyer.post("/tenders", &tender_form("T", "draft")).await.expect_error(403),
        "Only suppliers can publish tenders"
    );
    portal.guest().post("/tenders", &tender_form("T", "draft")).await.expect_error(401);
    let (draft, public) =
        (create_tender(&owner, "Draft", "draft").await, create_tender(&owner, "Public", "published").await);
    for client in [&other, &buyer] {
        client.put(&tender_path(&draft), &json!({"title": "Mine"})).await.expect_error(404);
        client.delete(&tender_path(&draft)).await.expect_error(404);
        client.put(&tender_path(&public), &json!({"title": "Mine"})).await.expect_error(403);
        client.delete(&tender_path(&public)).await.expect_error(403);
    }
    portal.guest().put(&tender_path(&public), &json!({})).await.expect_error(401);
    portal.guest().delete(&tender_path(&public)).await.expect_error(401);
    owner.put(&format!("/tenders/{}", Uuid::from_u128(9)), &json!({})).await.expect_error(404);
}

#[tokio::test]
async fn invalid_form_is_refused_with_its_first_error() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let refused = supplier.post("/tenders", &json!({"status": "published"})).await;
    assert_eq!(refused.expect_error(422), "Title is required");
    // The publisher has no company, so the organisation is missing too.
    assert_eq!(refused.json()["errors"].as_array().unwrap().len(), 8);
    let mut late = tender_form("T", "published");
    late["dates"]["closing"] = json!("2026-11-20");
    assert_eq!(
        supplier.post("/tenders", &late).await.expect_error(422),
        "Closing date must be in the future"
    );
    for status in ["closed", "withdrawn", "gone"] {
        supplier.post("/tenders", &tender_form("T", status)).await.expect_error(422);
    }
    for rubbish in [json!([]), json!({"tags": "x"}), json!({"organization": 7}), json!(null)] {
        supplier.post("/tenders", &rubbish).await.expect_error(422);
    }
}

#[tokio::test]
async fn idempotency_key_prevents_a_second_tender() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let send = |key: &str| {
        let request = supplier.request(Method::POST, "/tenders").header("Idempotency-Key", key);
        supplier.send(request.json(&tender_form("Once", "published")), Method::POST, "/tenders")
    };
    let key = Uuid::from_u128(5).to_string();
    let (one, other) = tokio::join!(send(&key), send(&key));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(one.json()["data"]["tender"]["_id"], other.json()["data"]["tender"]["_id"]);
    assert_eq!(listed_titles(&portal).await, ["Once"]);
    send("rubbish").await.expect_error(422);
}

#[tokio::test]
async fn monthly_quota_is_enforced_and_resets() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    for nth in 0..2 {
        create_tender(&supplier, &format!("T{nth}"), "published").await;
    }
    let draft = create_tender(&supplier, "Draft", "draft").await;
    // Two requests compete for the last publication of the month.
    let (draft_path, publishing, last) =
        (tender_path(&draft), json!({"status": "published"}), tender_form("Last", "published"));
    let (one, other) = tokio::join!(supplier.put(&draft_path, &publishing), supplier.post("/tenders", &last));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert!(statuses == [200, 403] || statuses == [201, 403], "{statuses:?}");
    let refused = supplier.post("/tenders", &tender_form("More", "published")).await;
    assert_eq!(
        refused.expect_error(403),
        "You have published the 3 tenders that your plan includes this month"
    );
    assert_eq!((&refused.json()["code"], &refused.json()["plan"]), (&json!("quota"), &json!("basic")));
    create_tender(&supplier, "Another draft", "draft").await;
    assert_eq!(listed_titles(&portal).await.len(), 3);
    portal.advance(11 * 24 * 3600);
    let mut later = tender_form("December", "published");
    later["dates"]["closing"] = json!("2027-01-01");
    let (renewed, fresh) = (portal.sign_in("nimal").await, later);
    renewed.post("/tenders", &fresh).await.expect(201);
}

#[tokio::test]
async fn publishing_requires_a_verified_address() {
    let portal = TestPortal::start().await;
    let newcomer = portal.unconfirmed_user("nimal", "supplier").await;
    let message = "Please confirm your email address before you publish. Until then you can save the tender as a draft.";
    let refused = newcomer.post("/tenders", &tender_form("Chairs", "published")).await;
    assert_eq!(refused.expect_error(403), message);
    assert_eq!(refused.json()["code"], "unverified");
    // Invalid fields are reported before the unconfirmed address.
    let gaps = newcomer.post("/tenders", &json!({"status": "published"})).await;
    assert_eq!(gaps.expect_error(422), "Title is required");

    let draft = create_tender(&newcomer, "Chairs", "draft").await;
    newcomer.put(&tender_path(&draft), &json!({"title": "Chairs and tables"})).await.expect(200);
    let refused = newcomer.put(&tender_path(&draft), &json!({"status": "published"})).await;
    assert_eq!(refused.expect_error(403), message);
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());

    let link = find_mail(&portal, "nimal@example.lk", "/verify-email?").await;
    portal.guest().post("/auth/verify-email", &json!({"token": token(&link)})).await.expect(200);
    newcomer.put(&tender_path(&draft), &json!({"status": "published"})).await.expect(200);
    assert_eq!(listed_titles(&portal).await, ["Chairs and tables"]);
}

#[tokio::test]
async fn tender_says_whether_an_organisation_or_a_newspaper_published_it() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let own = create_tender(&supplier, "Supply of chairs", "published").await;
    assert_eq!(own["publishedBy"], "organisation");
    let operator = portal.operator().await;
    let printed = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    portal.wait_until_indexed().await;
    let by = |tender: &Value| (tender["_id"].clone(), tender["publishedBy"].clone());
    let list = portal.guest().get("/tenders").await.expect(200);
    let listed: Vec<_> = list["data"]["tenders"].as_array().unwrap().iter().map(by).collect();
    let expected =
        [(own["_id"].clone(), json!("organisation")), (printed["_id"].clone(), json!("newspaper"))];
    assert_eq!(listed.len(), 2);
    for tender in &expected {
        assert!(listed.contains(tender), "{listed:?}");
        let path = format!("/tenders/{}", tender.0.as_str().unwrap());
        let details = portal.guest().get(&path).await.expect(200);
        assert_eq!(by(&details["data"]["tender"]), *tender);
    }
}

#[tokio::test]
async fn draft_keeps_typed_input_and_lists_publishing_errors() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let mut typed = tender_form("Chairs", "draft");
    typed["financials"] = json!({"bidBond": {"percentage": "two"}, "performanceBond": {"percentage": 250}});
    typed["organization"]["contactPerson"] = json!({"email": "nobody", "name": "Nimal"});
    let made = supplier.post("/tenders", &typed).await.expect(201)["data"].clone();
    let tender = made["tender"].clone();
    assert_eq!(made["draftInput"]["financials"]["bidBond"]["percentage"], "two");
    let refused = |details: &Value| {
        let refusals = details["refusals"].as_array().unwrap().iter();
        refusals.map(|refusal| refusal["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let wrong = [
        "organization.contactPerson.email",
        "financials.bidBond.percentage",
        "financials.performanceBond.percentage",
    ];
    assert_eq!(refused(&made), wrong);
    assert_eq!(tender["organization"]["contactPerson"], json!({"name": "Nimal"}));

    // The draft's owner gets the input as typed, with messages in the request's language. Other
    // users get 404.
    let read = supplier.get(&tender_path(&tender)).await.expect(200)["data"].clone();
    assert_eq!((&read["draftInput"], &read["refusals"]), (&made["draftInput"], &made["refusals"]));
    let request = supplier.request(Method::GET, &tender_path(&tender)).header("accept-language", "ta");
    let tamil = supplier.send(request, Method::GET, &tender_path(&tender)).await.expect(200)["data"].clone();
    assert_ne!(tamil["refusals"][0]["message"], made["refusals"][0]["message"]);
    portal.user("kamala", "supplier").await.get(&tender_path(&tender)).await.expect_error(404);

    // An edit of another field keeps the invalid input, and publishing is refused.
    let edited =
        supplier.put(&tender_path(&tender), &json!({"title": "Tables"})).await.expect(200)["data"].clone();
    assert_eq!(edited["draftInput"]["financials"], made["draftInput"]["financials"]);
    assert_eq!(edited["tender"]["title"], "Tables");
    let published = supplier.put(&tender_path(&tender), &json!({"status": "published"})).await;
    published.expect_error(422);
    assert_eq!(published.json()["errors"][1]["message"], "Must be a number, such as 2.5");
    // After the invalid fields are corrected, the draft can be published.
    let mend = json!({"financials": {"bidBond": {"percentage": "2"}}, "organization": {"name": "Abans"}});
    let mended = supplier.put(&tender_path(&tender), &mend).await.expect(200)["data"].clone();
    assert_eq!((mended.get("draftInput"), &mended["refusals"]), (None, &json!([])));
    assert_eq!(mended["tender"]["financials"]["bidBond"]["percentage"], 2.0);
    let published = supplier.put(&tender_path(&tender), &json!({"status": "published"})).await.expect(200);
    assert_eq!(published["data"].get("refusals"), None);

    // Missing fields are reported too. An unknown status and control characters are refused.
    let empty = supplier.post("/tenders", &json!({"status": "draft"})).await.expect(201);
    assert_eq!(empty["data"]["refusals"][0], json!({"field": "title", "message": "Title is required"}));
    supplier.post("/tenders", &json!({"status": "gone"})).await.expect_error(422);
    supplier.post("/tenders", &json!({"status": "draft", "title": "a\u{0}b"})).await.expect_error(422);
}

#[tokio::test]
async fn form_accepts_all_fields_and_refuses_unknown_ones() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let mut whole = tender_form("Chairs", "published");
    whole["fullTextMarkdown"] = json!("# Chairs\n\nTwo hundred.");
    whole["sourcePage"] = json!("14");
    let made = supplier.post("/tenders", &whole).await.expect(201)["data"]["tender"].clone();
    assert_eq!((&made["fullTextMarkdown"], &made["sourcePage"]), (&whole["fullTextMarkdown"], &json!("14")));

    // A tender can be sent back as it was read. Fields that only the portal writes are ignored.
    let read = supplier.get(&tender_path(&made)).await.expect(200)["data"]["tender"].clone();
    let again = supplier.put(&tender_path(&made), &read).await.expect(200)["data"]["tender"].clone();
    assert_eq!(again, read);

    for (place, field) in [
        ("", "colour"),
        ("/organization", "organization.colour"),
        ("/dates", "dates.colour"),
        ("/location", "location.colour"),
    ] {
        let mut body = tender_form("Chairs", "draft");
        body.pointer_mut(place).unwrap()["colour"] = json!("red");
        let refused = supplier.post("/tenders", &body).await;
        assert_eq!(refused.expect_error(422), format!("There is no field {field}"));
        assert_eq!(refused.json()["errors"][0]["field"], field);
    }
    let bond = json!({"status": "draft", "financials": {"bidBond": {"percentage": 2, "required": true}}});
    supplier.post("/tenders", &bond).await.expect(201);
}

#[tokio::test]
async fn own_tenders_can_be_searched_and_filtered() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let make = async |title: &str, status: &str, category: &str| {
        let mut form = tender_form(title, status);
        (form["category"], form["description"]) = (json!(category), json!("As specified."));
        let made = supplier.post("/tenders", &form).await.expect(201);
        tender_path(&made["data"]["tender"])
    };
    let closed = make("Old chairs", "published", "Furniture").await;
    supplier.put(&closed, &json!({"status": "closed"})).await.expect(200);
    portal.advance(24 * 3600);
    let supplier = portal.sign_in("nimal").await;
    let make = async |title: &str, status: &str, category: &str| {
        let mut form = tender_form(title, status);
        (form["category"], form["description"]) = (json!(category), json!("As specified."));
        supplier.post("/tenders", &form).await.expect(201);
        // The list is in the order of the last change.
        portal.advance(1);
    };
    make("New chairs", "published", "Furniture").await;
    make("Repair of a road, 100 % paved", "published", "Construction").await;
    make("Draft chairs", "draft", "Furniture").await;
    // Other publishers' tenders are not listed.
    let other = portal.user("kamala", "supplier").await;
    other.post("/tenders", &tender_form("Their chairs", "published")).await.expect(201);

    let mine = async |query: &str| {
        let reply = supplier.get(&format!("/tenders/user/my-tenders?{query}")).await.expect(200);
        let titles = reply["data"]["tenders"].as_array().unwrap().iter();
        titles.map(|tender| tender["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = ["Draft chairs", "Repair of a road, 100 % paved", "New chairs", "Old chairs"];
    for (query, titles) in [
        ("", &all[..]),
        ("category=all", &all),
        ("isLive=true", &all[1..3]),
        ("isClosed=true", &all[3..]),
        ("isDraft=true", &all[..1]),
        ("publishedToday=true", &all[1..3]),
        ("publishedToday=false", &all),
        ("category=construction", &all[1..2]),
        ("category=Furniture&isLive=true", &all[2..3]),
        ("search=CHAIRS", &["Draft chairs", "New chairs", "Old chairs"]),
        ("search=chairs%20new", &all[2..3]),
        ("search=100%20%25", &all[1..2]),
        ("search=S/1&limit=2&page=2", &all[2..]),
        ("search=nothing", &[]),
    ] {
        assert_eq!(mine(query).await, titles, "{query}");
    }
    let chairs = supplier.get("/tenders/user/my-tenders?search=chairs&isLive=true&limit=1").await.expect(200);
    assert_eq!(chairs["data"]["counts"], json!({"all": 3, "live": 1, "draft": 1, "closed": 1}));
    assert_eq!(chairs["data"]["pagination"]["totalCount"], 1);
    for query in ["category=toys", "isLive=true&isDraft=true", "limit=51", "isLive=maybe", "colour=red"] {
        supplier.get(&format!("/tenders/user/my-tenders?{query}")).await.expect_error(422);
    }
}
