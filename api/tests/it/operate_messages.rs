//! Messages of the contact form, as administrators manage them.

use crate::{
    operate::{last_entry, staff},
    support::{Client, TestPortal},
    tenders::store,
};
use serde_json::{Value, json};
use tender_model::{tender::Tender, vocabulary::TenderStatus};

/// Sends a message a second after the previous one.
async fn send(portal: &TestPortal, client: &Client, text: &str, tender: Option<&str>) {
    portal.advance(1);
    let form =
        json!({"name": "Nimal Perera", "email": "nimal@example.lk", "message": text, "tenderId": tender});
    client.post("/contact", &form).await.expect(201);
}

async fn list(admin: &Client, query: &str) -> Vec<Value> {
    let listed = admin.get(&format!("/operate/messages{query}")).await.expect(200)["data"].clone();
    listed["messages"].as_array().unwrap().clone()
}

/// The texts of the listed messages.
async fn texts(admin: &Client, query: &str) -> Vec<Value> {
    list(admin, query).await.iter().map(|message| message["message"].clone()).collect()
}

fn path(message: &Value) -> String {
    format!("/operate/messages/{}", message["_id"].as_str().unwrap())
}

#[tokio::test]
async fn messages_are_listed_answered_and_opened_again() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let customer = portal.subscriber("owner", "buyer", Some("enterprise")).await;
    let tender =
        Tender { title: "Chairs for Galle".into(), status: TenderStatus::Published, ..Tender::default() };
    let tender = store(&portal, tender, None).await.to_string();
    send(&portal, &portal.guest(), "First", None).await;
    send(&portal, &portal.guest(), "The closing date is wrong", Some(&tender)).await;
    send(&portal, &customer, "Urgent", None).await;
    send(&portal, &customer, "Urgent too", None).await;

    let open = list(&admin, "").await;
    assert_eq!(texts(&admin, "").await, ["Urgent", "Urgent too", "First", "The closing date is wrong"]);
    assert_eq!((&open[0]["isPriority"], &open[2]["isPriority"]), (&json!(true), &json!(false)));
    assert!(open[0]["userId"].is_string() && open[2]["userId"].is_null());
    assert_eq!(open[3]["tender"], json!({"_id": tender, "title": "Chairs for Galle", "status": "published"}));
    assert_eq!(texts(&admin, "?search=CLOSING").await, ["The closing date is wrong"]);

    let report = path(&open[3]);
    admin.put(&report, &json!({"isAnswered": true, "note": " Corrected "})).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subject"]), (&json!("answer-message"), &json!("contact-message")));
    assert_eq!(entry["before"], json!({"isAnswered": false, "hasNote": false}));
    assert_eq!(entry["after"], json!({"isAnswered": true, "hasNote": true}));
    assert_eq!(texts(&admin, "").await, ["Urgent", "Urgent too", "First"]);
    let answered = list(&admin, "?isAnswered=true").await;
    assert_eq!(
        (&answered[0]["answeredBy"], &answered[0]["note"]),
        (&json!("amara@example.lk"), &json!("Corrected"))
    );
    assert_eq!(answered[0]["answeredAt"], "2026-11-20T12:00:04+05:30");
    admin.put(&report, &json!({"isAnswered": true, "note": "Corrected"})).await.expect(200);
    assert_eq!(last_entry(&admin).await["id"], entry["id"], "nothing changed the second time");

    admin.put(&path(&open[0]), &json!({"isAnswered": true})).await.expect(200);
    assert_eq!(texts(&admin, "?isAnswered=true").await, ["Urgent", "The closing date is wrong"]);
    admin.put(&report, &json!({"isAnswered": false})).await.expect(200);
    assert_eq!(last_entry(&admin).await["action"], "reopen-message");
    let open = list(&admin, "?search=closing").await;
    assert_eq!((&open[0]["answeredAt"], &open[0]["note"]), (&json!(null), &json!(null)));

    // The message stays when the account of the administrator is deleted.
    let binara = staff(&portal, "binara", "admin").await;
    binara.put(&report, &json!({"isAnswered": true})).await.expect(200);
    binara.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    let answered = list(&admin, "?isAnswered=true&search=closing").await;
    assert_eq!(answered[0]["answeredBy"], json!(null));
    admin.put(&report, &json!({"isAnswered": false})).await.expect(200);

    for form in [json!({}), json!({"isAnswered": "no"}), json!({"isAnswered": true, "note": "x".repeat(501)})]
    {
        admin.put(&report, &form).await.expect_error(422);
    }
    let nobody = "/operate/messages/00000000-0000-7000-8000-000000000000";
    admin.put(nobody, &json!({"isAnswered": true})).await.expect_error(404);
    for rubbish in ["?after=x", "?after=priority:", "?isAnswered=maybe", "?page=2"] {
        admin.get(&format!("/operate/messages{rubbish}")).await.expect_error(422);
    }
    assert_eq!(texts(&admin, "?search=%00").await.len(), 3);
}

/// The position stays valid when the last message of a part is answered.
#[tokio::test]
async fn messages_are_read_in_parts() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    sqlx::query(
        "insert into contact_message (id, name, email, message, is_priority, at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Nimal', 'n@example.lk', n::text, n % 2 = 0, now()
        from generate_series(1, 120) n",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    let (even, odd) = ((1..=60).map(|n| (2 * n).to_string()), (0..60).map(|n| (2 * n + 1).to_string()));
    let expected: Vec<Value> = even.chain(odd).map(Value::String).collect();
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let part = admin.get(&format!("/operate/messages{after}")).await.expect(200)["data"].clone();
        let messages = part["messages"].as_array().unwrap();
        seen.extend(messages.iter().map(|message| message["message"].clone()));
        let last = messages.last().unwrap().clone();
        admin.put(&path(&last), &json!({"isAnswered": true})).await.expect(200);
        let Some(next) = part["next"].as_str() else { break };
        after = format!("?after={next}");
    }
    assert_eq!(seen, expected);
    sqlx::query("update contact_message set answered_at = at").execute(&portal.state.db).await.unwrap();
    let first = admin.get("/operate/messages?isAnswered=true").await.expect(200)["data"].clone();
    let rest = format!("?isAnswered=true&after={}", first["next"].as_str().unwrap());
    assert_eq!(
        (&first["messages"][0]["message"], &texts(&admin, &rest).await[0]),
        (&json!("120"), &json!("70"))
    );
}
