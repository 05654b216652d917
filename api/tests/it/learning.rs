//! What the decisions of reviewers teach: the accuracy of the readers, names for the gazetteer, and the
//! ground truth of pages.

use crate::{
    newspaper_pages::{block, page_list, page_path, reading, send_result, take, upload_page},
    review::{claim, decide, doubtful_notice, hold, key, reviewer, undo},
    support::{Client, TestPortal, publishing::CLIP},
};
use reqwest::Method;
use serde_json::{Value, json};

async fn accuracy(client: &Client, query: &str) -> Value {
    client.get(&format!("/operate/review/accuracy{query}")).await.expect(200)["data"]["fields"].clone()
}

fn counts(fields: &Value, field: &str) -> Value {
    let found = fields.as_array().unwrap().iter().find(|one| one["field"] == field).cloned();
    let Some(one) = found else { return Value::Null };
    json!([one["right"], one["wrong"], one["missed"], one["certain"], one["certainWrong"]])
}

#[tokio::test]
async fn accuracy_is_counted_by_field_until_a_decision_is_undone() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    hold(&operator, 1, &doubtful_notice("Office chairs", "")).await;
    hold(&operator, 2, &doubtful_notice("Compactor trucks", "")).await;
    let edits = json!({"dates.closing": "2026-12-08 14:00", "title": "Chairs", "location.city": "Gampola"});
    decide(&ravi, 1, json!({"decision": "accept", "fields": edits})).await.expect(200);
    let fields = accuracy(&ravi, "").await;
    assert_eq!(counts(&fields, "notice"), json!([1, 0, 0, 1, 0]));
    assert_eq!(counts(&fields, "title"), json!([0, 1, 0, 1, 1]), "the title was certain, but wrong");
    assert_eq!(counts(&fields, "dates.closing"), json!([0, 1, 0, 0, 0]), "the closing was doubtful");
    assert_eq!(counts(&fields, "location.city"), json!([0, 0, 1, 0, 0]));
    assert_eq!(counts(&fields, "organization.name"), json!([1, 0, 0, 1, 0]));
    assert_eq!(counts(&fields, "documentFee.amount"), Value::Null, "nothing is printed");
    assert_eq!(fields[0]["week"], "2026-11-16", "the Monday of the week");
    assert_eq!(accuracy(&ravi, "?onlySamples=true").await, json!([]));

    undo(&ravi).await.expect(200);
    assert_eq!(accuracy(&ravi, "").await, json!([]));
    decide(&ravi, 1, json!({"decision": "reject", "isNoNotice": true})).await.expect(200);
    decide(&ravi, 2, json!({"decision": "reject", "reason": "Printed twice"})).await.expect(200);
    let fields = accuracy(&ravi, "?weeks=1").await;
    assert_eq!(fields.as_array().unwrap().len(), 1, "a rejected duplicate says nothing about the readers");
    assert_eq!(counts(&fields, "notice"), json!([0, 1, 0, 1, 1]));
    for wrong in ["?weeks=0", "?weeks=54", "?weeks=x", "?field=title"] {
        ravi.get(&format!("/operate/review/accuracy{wrong}")).await.expect_error(422);
    }
    let wrong = decide(&ravi, 1, json!({"decision": "accept", "isNoNotice": true})).await.expect(422);
    assert_eq!(wrong["errors"][0]["field"], "isNoNotice");
}

#[tokio::test]
async fn a_random_share_of_certain_notices_is_checked() {
    let portal = TestPortal::start_with(&["--review-sample", "0.5"]).await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let certain = |title: &str| {
        doubtful_notice(title, "")
            .replace("fieldStates:\n  dates.closing: doubtful\nneedsReview: true\n", "")
            .replace("dates.closing: 0.6", "dates.closing: 0.95")
    };
    // The numbers are the first digits of the keys, so only the smaller one is in the share.
    for (nth, title) in [(0x0000_0001, "Office chairs"), (0xf000_0000_u32, "Compactor trucks")] {
        let number = format!("{nth:08x}{:024x}", 0);
        let sent = crate::ingest::put_form(&operator, &number, crate::review::form(&certain(title))).await;
        assert_eq!(sent.json()["data"]["outcome"], "created");
    }
    let [sample] = claim(&ravi, 5).await.try_into().unwrap();
    assert_eq!((&sample["reason"], &sample["notice"]["title"]), (&json!("sample"), &json!("Office chairs")));
    let path = format!("/operate/review/{}", sample["key"].as_str().unwrap());
    ravi.post(&path, &json!({"decision": "accept"})).await.expect(200);
    assert!(claim(&ravi, 5).await.is_empty(), "a checked notice does not come back");
    let fields = accuracy(&ravi, "?onlySamples=true").await;
    assert_eq!(counts(&fields, "title"), json!([1, 0, 0, 1, 0]));
    undo(&ravi).await.expect(200);
    assert_eq!(claim(&ravi, 5).await[0]["reason"], "sample");
}

async fn names(client: &Client, state: &str) -> Value {
    client.get(&format!("/operate/gazetteer?state={state}")).await.expect(200)["data"]["names"].clone()
}

#[tokio::test]
async fn corrected_names_are_proposed_and_readers_get_the_confirmed_ones() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    let admin = crate::operate::staff(&portal, "amara", "admin").await;
    for number in 1..=2 {
        hold(&operator, number, &doubtful_notice(&format!("Chairs {number}"), "")).await;
        portal.advance(1);
        let edits = json!({"organization.name": "Muthurajawela Works Authority", "location.city": "Wedamulla",
            "location.district": "Gampaha"});
        decide(&ravi, number, json!({"decision": "accept", "fields": edits})).await.expect(200);
    }
    let proposed = names(&admin, "proposed").await;
    let of = |index: usize| (proposed[index]["name"].clone(), proposed[index]["uses"].clone());
    assert_eq!(of(0), (json!("Muthurajawela Works Authority"), json!(2)));
    assert_eq!(of(1), (json!("Wedamulla"), json!(2)));
    assert_eq!(proposed[1]["thing"], json!({"kind": "town", "district": "Gampaha"}));
    assert_eq!(proposed[1]["lastNotice"], key(2));

    // An undone decision does not propose anything.
    undo(&ravi).await.expect(200);
    assert_eq!(names(&admin, "proposed").await[0]["uses"], 1);

    let gazetteer = async || operator.get("/ingest/gazetteer").await;
    assert_eq!(gazetteer().await.text(), "");
    let confirm = json!({"state": "confirmed", "name": "Wedamulla", "spellings": ["වැඩමුල්ල", " Wedamulla ", ""],
        "thing": {"kind": "town", "district": "Gampaha"}});
    let path = format!("/operate/gazetteer/{}", proposed[1]["_id"].as_str().unwrap());
    admin.put(&path, &confirm).await.expect(200);
    let refuse = json!({"state": "refused", "name": "Muthurajawela Works Authority",
        "thing": {"kind": "organization", "type": null}});
    let organization = format!("/operate/gazetteer/{}", proposed[0]["_id"].as_str().unwrap());
    admin.put(&organization, &refuse).await.expect(200);
    let reply = gazetteer().await;
    assert_eq!(reply.text(), "Wedamulla\t\tවැඩමුල්ල\t\ttown Gampaha\n");
    let tag = reply.header("etag").to_owned();
    let known = operator.request(Method::GET, "/ingest/gazetteer").header("if-none-match", &tag);
    assert_eq!(known.send().await.unwrap().status(), 304);
    assert_eq!(names(&admin, "proposed").await, json!([]));
    assert_eq!(names(&admin, "refused").await[0]["name"], "Muthurajawela Works Authority");

    let added =
        json!({"name": "Gampola Urban Works", "thing": {"kind": "organization", "type": "government"}});
    admin.post("/operate/gazetteer", &added).await.expect(201);
    let again = admin.post("/operate/gazetteer", &added).await.expect_error(409);
    assert_eq!(again, "The gazetteer has this name already");
    let taken =
        json!({"state": "confirmed", "name": "GAMPOLA urban works", "thing": {"kind": "organization"}});
    admin.put(&organization, &taken).await.expect_error(409);
    assert_ne!(gazetteer().await.header("etag"), tag);
    let entries = admin.get("/operate/audit").await.expect(200)["data"]["entries"].clone();
    let actions: Vec<&Value> =
        entries.as_array().unwrap().iter().take(3).map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["add-name", "change-name", "change-name"]);
    assert_eq!(
        (&entries[2]["before"]["state"], &entries[2]["after"]["state"]),
        (&json!("proposed"), &json!("confirmed"))
    );
}

#[tokio::test]
async fn unusable_names_are_refused() {
    let portal = TestPortal::start().await;
    let admin = crate::operate::staff(&portal, "amara", "admin").await;
    let town = json!({"kind": "town", "district": "Gampaha"});
    for (name, spellings, thing) in [
        ("", json!([]), town.clone()),
        ("A|B", json!([]), town.clone()),
        ("# Town", json!([]), town.clone()),
        ("a b c d e f g", json!([]), town.clone()),
        ("Wedamulla", json!(["a\tb"]), town.clone()),
        ("Wedamulla", json!((0..21).map(|n| format!("W {n}")).collect::<Vec<_>>()), town.clone()),
        ("Wedamulla", json!([]), json!({"kind": "town", "district": "Atlantis"})),
        ("Wedamulla", json!([]), json!({"kind": "river"})),
    ] {
        let form = json!({"name": name, "spellings": spellings, "thing": thing});
        let reply = admin.post("/operate/gazetteer", &form).await;
        assert!([400, 422].contains(&reply.status.as_u16()), "{form}: {}", reply.text());
    }
    let form = json!({"state": "confirmed", "name": "Wedamulla", "thing": town});
    admin.put("/operate/gazetteer/00000000-0000-7000-8000-000000000000", &form).await.expect_error(404);
}

#[tokio::test]
async fn pages_with_checked_notices_are_exported_as_ground_truth() {
    let portal = TestPortal::start().await;
    let (operator, ravi) = (portal.operator().await, reviewer(&portal, "ravi").await);
    upload_page(&ravi, "page one").await;
    let task = take(&operator, "one").await;
    for number in 1..=3 {
        hold(&operator, number, &doubtful_notice(&format!("Tender {number}"), "")).await;
    }
    let blocks = [
        block("waits", Some(1)),
        block("waits", Some(2)),
        block("waits", Some(3)),
        block("not-a-notice", None),
    ];
    send_result(&operator, &task, &reading(&blocks), CLIP).await.expect(200);
    let truth = async || ravi.get("/operate/review/truth").await.expect(200)["data"].clone();
    assert_eq!(truth().await, json!({"pages": [], "next": null}), "nobody has checked a notice");

    let edits = json!({"dates.closing": "2026-12-08 14:00"});
    decide(&ravi, 1, json!({"decision": "accept", "fields": edits})).await.expect(200);
    portal.advance(1);
    decide(&ravi, 2, json!({"decision": "reject", "isNoNotice": true})).await.expect(200);
    let found = truth().await;
    let page = &found["pages"][0];
    assert_eq!(
        (&page["number"], &page["publication"], &page["isStored"]),
        (&json!(1), &json!("Daily Test"), &json!(true))
    );
    assert_eq!(page["fileHash"], task["fileHash"]);
    let notices = page["truth"]["notices"].as_array().unwrap();
    let kinds: Vec<(&Value, &Value)> =
        notices.iter().map(|notice| (&notice["id"], &notice["type"])).collect();
    assert_eq!(kinds, [(&json!(key(1)), &json!("tender")), (&json!(key(2)), &json!("no-notice"))]);
    assert_eq!(notices[0]["page_box"], json!([0.7, 0.1, 0.2, 0.2]));
    let fields = &notices[0]["fields"];
    assert_eq!((&fields["closing_date"], &fields["closing_time"]), (&json!("2026-12-08"), &json!("14:00")));
    assert_eq!(fields["organisation"], "Kandy Municipal Council");
    undo(&ravi).await.expect(200);
    assert_eq!(truth().await["pages"][0]["truth"]["notices"].as_array().unwrap().len(), 1);

    let listed = page_list(&ravi, "").await[0].clone();
    let file = ravi.get(&format!("{}/file", page_path(&listed))).await;
    assert_eq!(
        (file.status.as_u16(), file.bytes.starts_with(b"%PDF") || !file.bytes.is_empty()),
        (200, true)
    );
    ravi.get("/operate/pages/00000000-0000-7000-8000-000000000000/file").await.expect_error(404);
    ravi.get("/operate/review/truth?after=x").await.expect_error(422);
}
