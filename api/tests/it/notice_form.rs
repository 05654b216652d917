//! A tender that is published with everything a printed notice has: grades, document fee, bond, pre-bid
//! meeting, lots and method. It is found, shown, changed and exported like a printed one.

use crate::{
    publishing::tender_form,
    support::{Client, TestPortal},
};
use serde_json::{Value, json};

/// Returns a form with everything that a printed notice has.
fn notice_form(title: &str, status: &str) -> Value {
    let mut form = tender_form(title, status);
    let more = json!({
        "category": "Construction",
        "method": "NCB",
        "cida": [{"grade": "c-5", "field": " Building construction ", "alsoAdmits": "higher"}, {"grade": "EM2"}],
        "documentFee": {"amount": "3,500", "saleFrom": "2026-11-23", "saleUntil": "2026-11-30", "place": "Shroff"},
        "financials": {"bidBond": {"amount": 240_000}, "estimatedValue": {"amount": 12}},
        "preBid": {"at": "2026-11-25T10:00:00+05:30", "place": "Head office"},
        "submission": {"methods": ["tender-box", "two-envelopes", "tender-box"], "place": " Room 4, Head office "},
        "lots": [
            {"number": "1", "title": "Hostel", "bidBond": {"amount": 140_000}},
            {"number": "2", "title": "Canteen", "bidBond": {"percentage": 1.5}},
        ],
        "dates": {"closing": "2026-12-01T14:00:00+05:30", "opening": "2026-12-01T14:15:00+05:30"},
    });
    form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    form
}

async fn create(client: &Client, form: &Value) -> Value {
    client.post("/tenders", form).await.expect(201)["data"]["tender"].clone()
}

fn path_of(tender: &Value) -> String {
    format!("/tenders/{}", tender["_id"].as_str().unwrap())
}

/// The fields of the errors in a response with status 422.
fn error_fields(reply: &Value) -> Vec<String> {
    let errors = reply["errors"].as_array().unwrap().iter();
    errors.map(|error| error["field"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_notice_is_published_with_all_its_parts_and_comes_back_as_it_was_read() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let made = create(&supplier, &notice_form("Hostel", "published")).await;
    let read = portal.guest().get(&path_of(&made)).await.expect(200)["data"]["tender"].clone();
    assert_eq!(
        read["cida"],
        json!([{"grade": "C5", "field": "Building construction", "alsoAdmits": "higher"}, {"grade": "EM2"}])
    );
    assert_eq!(
        read["documentFee"],
        json!({"amount": 3500.0, "currency": "LKR", "saleFrom": "2026-11-23", "saleUntil": "2026-11-30",
            "place": "Shroff"})
    );
    assert_eq!(
        read["financials"]["bidBond"],
        json!({"required": true, "amount": 240_000.0, "currency": "LKR"})
    );
    assert_eq!(read["preBid"], json!({"at": "2026-11-25T10:00:00+05:30", "place": "Head office"}));
    assert_eq!(
        read["submission"],
        json!({"methods": ["two-envelopes", "tender-box"], "place": "Room 4, Head office"})
    );
    assert_eq!(
        read["lots"],
        json!([
            {"number": "1", "title": "Hostel", "bidBond": {"required": true, "amount": 140_000.0, "currency": "LKR"}},
            {"number": "2", "title": "Canteen", "bidBond": {"required": true, "percentage": 1.5}},
        ])
    );
    assert_eq!(read["method"], "NCB");

    let own = supplier.get(&path_of(&made)).await.expect(200)["data"]["tender"].clone();
    let again = supplier.put(&path_of(&made), &own).await.expect(200)["data"]["tender"].clone();
    assert_eq!(again, own);
    // What the form leaves out stays, and what is blank is cleared.
    supplier.put(&path_of(&made), &json!({"title": "Two hostels"})).await.expect(200);
    let blank = json!({"method": "", "documentFee": {}, "cida": [], "preBid": {}, "submission": {"methods": []}, "lots": [{}]});
    let cleared = supplier.put(&path_of(&made), &blank).await.expect(200)["data"]["tender"].clone();
    for field in ["method", "documentFee", "cida", "preBid", "submission", "lots"] {
        assert_eq!(cleared.get(field), None, "{field}");
    }
    assert_eq!(cleared["changes"].as_array().unwrap()[0]["field"], "title");
}

#[tokio::test]
async fn readers_find_and_judge_a_published_notice_like_a_printed_one() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let made = create(&supplier, &notice_form("Hostel", "published")).await;
    portal.wait_until_indexed().await;

    let bidder = portal.subscriber("kamala", "buyer", Some("enterprise")).await;
    let found = async |query: &str| {
        let list = bidder.get(&format!("/tenders?{query}")).await.expect(200);
        list["data"]["pagination"]["totalCount"].clone()
    };
    assert_eq!((found("grades=C5").await, found("grades=EM2").await), (json!(1), json!(1)));
    assert_eq!(found("grades=C1").await, 0);
    let facets = bidder.get("/tenders/facets").await.expect(200)["data"]["grades"].clone();
    let counts = facets.as_array().unwrap().iter().map(|count| (&count["_id"], &count["count"]));
    let found: Vec<_> = counts.filter(|(_, count)| **count != 0).collect();
    assert_eq!(found, [(&json!("C5"), &json!(1)), (&json!("EM2"), &json!(1))]);

    // The bidder has a higher grade, which the notice admits. It may not be enough for both lots.
    let company = json!({"cida": [{"grade": "C3", "field": "Buildings"}], "bondLimit": 500_000});
    bidder.put("/company", &json!({"company": company, "version": 0})).await.expect(200);
    let bidding = bidder.get(&path_of(&made)).await.expect(200)["data"]["bidding"].clone();
    let grade = &bidding["requirements"][0];
    assert_eq!((&grade["verdict"], &grade["reason"]), (&json!("not-certain"), &json!("several-lots")));
    assert_eq!(bidding["methods"], json!(["two-envelopes", "tender-box"]));
    assert_eq!(bidding["delivery"], "Room 4, Head office");
    let added = bidder.post("/bids", &json!({"tenderId": made["_id"]})).await.expect(201);
    let id = added["data"]["bid"]["_id"].as_str().unwrap();
    let bid = bidder.get(&format!("/bids/{id}")).await.expect(200)["data"].clone();
    assert_eq!(bid["bid"]["tender"]["publishedBy"], "organisation");
    let rows = bid["checklist"].as_array().unwrap().iter().map(|row| &row["derived"]);
    let delivery = rows.clone().find(|row| row["kind"] == "deliver").unwrap();
    assert_eq!(delivery["place"], "Room 4, Head office");
    assert!(rows.clone().any(|row| row["kind"] == "two-envelopes"), "{rows:?}");
    let costs: Vec<_> = bidding["costs"].as_array().unwrap().iter().map(|cost| &cost["amount"]).collect();
    assert!(costs.contains(&&json!(3500.0)) && costs.contains(&&json!(240_000.0)), "{costs:?}");

    let feed = portal.guest().get("/feeds/tenders").await.text();
    assert!(feed.contains("<title>Hostel</title>"), "{feed}");
    assert!(feed.contains("Closes Tue 1 Dec 2026, 2.00 p.m."), "{feed}");

    let report = json!({"query": "", "period": {"by": "published", "span": "thisMonth"},
        "columns": ["title", "method", "bidSecurity", "documentFee"]});
    let rows = bidder.post("/reports/preview", &report).await.expect(200)["data"]["rows"].clone();
    assert_eq!(rows, json!([["Hostel", "NCB", "240000", "3500"]]));

    let export = supplier.get("/auth/export").await.expect(200);
    let record = &export["tenders"][0]["revisions"][0]["record"];
    assert_eq!((&record["lots"][1]["title"], &record["cida"][0]["grade"]), (&json!("Canteen"), &json!("C5")));
}

#[tokio::test]
async fn an_edit_of_a_published_notice_is_shown_as_changes() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let made = create(&supplier, &notice_form("Hostel", "published")).await;
    let edit = json!({
        "cida": [{"grade": "C4", "field": "Building construction"}],
        "documentFee": {"amount": 3500, "saleFrom": "2026-11-23", "saleUntil": "2026-12-01", "place": "Shroff"},
        "financials": {"bidBond": {"percentage": 2}, "estimatedValue": {"amount": 12}},
        "preBid": {"at": "2026-11-26T10:00:00+05:30", "place": "Head office"},
        "submission": {"methods": ["tender-box", "two-envelopes"], "place": "Room 5, Head office"},
        "lots": [{"number": "1", "title": "Hostel and canteen"}],
        "method": "shopping",
    });
    supplier.put(&path_of(&made), &edit).await.expect(200);
    portal.wait_until_indexed().await;
    let seen = portal.guest().get(&path_of(&made)).await.expect(200)["data"]["tender"].clone();
    let change = |field: &str| {
        let changes = seen["changes"].as_array().unwrap();
        changes
            .iter()
            .find(|change| change["field"] == field)
            .cloned()
            .unwrap_or_else(|| panic!("{changes:?}"))
    };
    assert_eq!(change("cida")["to"], json!([{"grade": "C4", "field": "Building construction"}]));
    assert_eq!(change("documentFee.saleUntil")["from"], "2026-11-30");
    assert_eq!(change("financials.bidBond.amount")["to"], Value::Null);
    assert_eq!(change("financials.bidBond.percentage")["to"], 2.0);
    assert_eq!(change("preBid.at")["to"], "2026-11-26T10:00:00+05:30");
    assert_eq!(change("submission.place")["to"], "Room 5, Head office");
    assert_eq!(change("lots")["from"].as_array().unwrap().len(), 2);
    assert_eq!((&change("method")["from"], &change("method")["to"]), (&json!("NCB"), &json!("shopping")));
    let bidder = portal.subscriber("kamala", "buyer", Some("professional")).await;
    let listed = bidder.get("/tenders?grades=C4").await.expect(200);
    assert_eq!(listed["data"]["pagination"]["totalCount"], 1, "the filters follow the edit");
}

#[tokio::test]
async fn all_faults_of_a_notice_are_reported_by_field() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let mut form = notice_form("Hostel", "published");
    let faulty = json!({
        "method": "auction",
        "cida": [{"grade": "C77"}, {"field": "Buildings"}, {"grade": "C5", "alsoAdmits": "all"}, {}],
        "documentFee": {"amount": -1, "saleFrom": "2026-12-05", "saleUntil": "2026-12-04", "place": "x".repeat(501)},
        "financials": {"bidBond": {"amount": 5, "percentage": 2}},
        "preBid": {"at": "2026-12-01T14:00:00+05:30"},
        "submission": {"methods": ["post", "pigeon"], "place": "x".repeat(501)},
        "lots": [{"number": "1"}, {"number": "1", "title": "Canteen", "bidBond": {"percentage": 101}}, {"title": "a\u{7}"}],
    });
    form.as_object_mut().unwrap().extend(faulty.as_object().unwrap().clone());
    let refused = supplier.post("/tenders", &form).await;
    let fields = error_fields(&refused.expect(422));
    assert_eq!(
        fields,
        [
            "financials.bidBond.amount",
            "method",
            "documentFee.amount",
            "documentFee.place",
            "documentFee.saleUntil",
            "cida[0].grade",
            "cida[1].grade",
            "cida[2].alsoAdmits",
            "submission.methods[1]",
            "submission.place",
            "lots[0].title",
            "lots[1].bidBond.percentage",
            "lots[1].number",
            "lots[2].title",
            "documentFee.saleUntil",
            "preBid.at",
        ]
    );
    // A draft keeps what was typed, and says what publishing would refuse.
    form["status"] = json!("draft");
    form["lots"].as_array_mut().unwrap().pop();
    let draft = supplier.post("/tenders", &form).await.expect(201)["data"].clone();
    assert_eq!(draft["draftInput"]["lots"][0], form["lots"][0]);
    assert_eq!(draft["refusals"].as_array().unwrap().len(), fields.len() - 1);
    let publish = json!({"status": "published"});
    supplier.put(&path_of(&draft["tender"]), &publish).await.expect_error(422);
}

#[tokio::test]
async fn a_closing_that_comes_earlier_is_held_against_sale_and_meeting() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create(&supplier, &notice_form("Hostel", "draft")).await;
    let early = json!({"dates": {"closing": "2026-11-24T14:00:00+05:30"}});
    let kept = supplier.put(&path_of(&draft), &early).await.expect(200)["data"].clone();
    let refusals: Vec<_> = kept["refusals"].as_array().unwrap().iter().map(|one| &one["message"]).collect();
    assert_eq!(
        refusals,
        [
            "The last day of sale cannot be after the closing date",
            "The pre-bid meeting must be before the closing"
        ]
    );
    let refused = supplier.put(&path_of(&draft), &json!({"status": "published"})).await;
    assert_eq!(error_fields(&refused.expect(422)), ["documentFee.saleUntil", "preBid.at"]);

    let public = create(&supplier, &notice_form("Canteen", "published")).await;
    let refused = supplier.put(&path_of(&public), &early).await;
    assert_eq!(error_fields(&refused.expect(422)), ["documentFee.saleUntil", "preBid.at"]);
    let before = json!({"preBid": {"at": "2026-11-19T10:00:00+05:30"}});
    let refused = supplier.put(&path_of(&public), &before).await;
    assert_eq!(refused.expect_error(422), "The pre-bid meeting cannot be before the publication");
}

#[tokio::test]
async fn hostile_parts_of_a_notice_are_bounded() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    for (field, hostile) in [
        ("cida", json!(vec![json!({"grade": "C5"}); 31])),
        ("lots", json!(vec![json!({"title": "Lot"}); 101])),
        ("cida[0].grade", json!([{"grade": "C5".repeat(5000)}])),
        ("cida[0].field", json!([{"grade": "C5", "field": "x".repeat(501)}])),
        ("lots[0].number", json!([{"number": "9".repeat(61), "title": "Lot"}])),
        ("documentFee.amount", json!({"amount": 1e300})),
        ("documentFee.saleFrom", json!({"saleFrom": "9999-12-31"})),
        ("documentFee.saleUntil", json!({"saleUntil": "0001-01-01T00:00:00Z"})),
        ("preBid.at", json!({"at": "tomorrow"})),
    ] {
        let mut form = tender_form("Hostel", "published");
        form[field.split(['.', '[']).next().unwrap()] = hostile;
        let refused = supplier.post("/tenders", &form).await;
        assert_eq!(error_fields(&refused.expect(422)), [field]);
    }
    for (part, unknown) in [
        ("cida", json!([{"grade": "C5", "colour": 1}])),
        ("lots", json!([{"title": "Lot", "value": 1}])),
        ("preBid", json!({"hall": "A"})),
        ("documentFee", json!({"bond": 2})),
        ("lots", json!("many")),
        ("cida", json!({"grade": "C5"})),
        ("method", json!(["NCB"])),
    ] {
        let mut form = tender_form("Hostel", "draft");
        form[part] = unknown;
        supplier.post("/tenders", &form).await.expect_error(422);
    }
}
