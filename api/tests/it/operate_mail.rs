//! Undelivered messages and suppressed addresses, as administrators manage them.

use crate::{
    mail_delivery::{complaint, submit_report},
    operate::{last_entry, staff},
    support::{Client, TestPortal, mailbox},
};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Stores a dead mail with a subject, and returns its id.
pub async fn dead_mail(db: &PgPool, number: u32, address: &str, error: &str) -> String {
    let id = format!("00000000-0000-7000-8000-{number:012}");
    let content = format!(
        "From: desk@example.lk\r\nTo: {address}\r\nSubject: =?utf-8?Q?Mail_{number}?=\r\n\r\nText\r\n"
    );
    sqlx::query(
        "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at, message_id,
            content, sealed_at, attempts, last_error)
        values ($1::uuid, (select id from users limit 1), 'letter', 'email', 'immediate', $2, 'dead', $5, $5, $1, $3, $5, 3, $4)",
    )
    .bind(&id)
    .bind(address)
    .bind(content.into_bytes())
    .bind(error)
    .bind(jiff_sqlx::ToSqlx::to_sqlx("2026-11-19T10:00:00Z".parse::<jiff::Timestamp>().unwrap()))
    .execute(db)
    .await
    .unwrap();
    id
}

pub async fn suppress(db: &PgPool, address: &str, reason: &str) {
    sqlx::query("insert into suppression (address, reason, detail, at) values ($1, $2, '550 5.1.1 no such user', now())")
        .bind(address)
        .bind(reason)
        .execute(db)
        .await
        .unwrap();
}

/// The subjects of the listed messages, and how many of them can be sent again.
async fn subjects(admin: &Client, query: &str) -> (Vec<Value>, i64) {
    let listed = admin.get(&format!("/operate/mail/dead{query}")).await.expect(200)["data"].clone();
    let messages = listed["messages"].as_array().unwrap();
    (
        messages.iter().map(|message| message["subject"].clone()).collect(),
        listed["retriable"].as_i64().unwrap(),
    )
}

#[tokio::test]
async fn dead_messages_are_listed_and_sent_again() {
    let portal = TestPortal::start().await;
    let db = &portal.state.db;
    let admin = staff(&portal, "amara", "admin").await;
    let first = dead_mail(db, 1, "kamala@example.lk", "550 mailbox full").await;
    let second = dead_mail(db, 2, "sunil@example.lk", "550 mailbox full").await;
    dead_mail(db, 3, "ravi@example.lk", "554 refused").await;
    let gone = dead_mail(db, 4, "gone@example.lk", "suppressed after a bounce").await;
    suppress(db, "gone@example.lk", "bounce").await;
    sqlx::query("update delivery set content = null, message_id = null where address like 'ravi%'")
        .execute(db)
        .await
        .unwrap();

    assert_eq!(
        subjects(&admin, "").await,
        (vec![json!("Mail 4"), Value::Null, json!("Mail 2"), json!("Mail 1")], 2)
    );
    let listed =
        admin.get("/operate/mail/dead?address=KAMALA").await.expect(200)["data"]["messages"][0].clone();
    assert_eq!(
        listed,
        json!({"_id": first, "channel": "email", "address": "kamala@example.lk", "subject": "Mail 1",
            "reason": "550 mailbox full", "attempts": 3, "at": "2026-11-19T15:30:00+05:30", "isSuppressed": false,
            "canRetry": true})
    );
    assert_eq!(subjects(&admin, "?reason=Mailbox&address=sunil").await, (vec![json!("Mail 2")], 1));

    let retry = |id: &str| format!("/operate/mail/dead/{id}/retry");
    admin.post(&retry(&gone), &json!({})).await.expect_error(409);
    admin.post(&retry("00000000-0000-7000-8000-000000000003"), &json!({})).await.expect_error(409);
    admin.post(&retry("00000000-0000-7000-8000-000000000009"), &json!({})).await.expect_error(404);
    assert_eq!(admin.get("/operate/audit?action=retry-mail").await.expect(200)["data"]["entries"], json!([]));
    admin.post(&retry(&first), &json!({})).await.expect(200);
    mailbox::mails(&portal, "kamala@example.lk", 1).await;
    admin.post(&retry(&first), &json!({})).await.expect_error(404);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["subjectId"], &entry["after"]), (&json!(first), &json!({"retried": 1})));

    let none = admin.post("/operate/mail/retry", &json!({"reason": "greylisted"})).await.expect(200);
    assert_eq!(none["data"]["retried"], 0);
    assert_eq!(last_entry(&admin).await["id"], entry["id"], "nothing changed");
    let retried = admin.post("/operate/mail/retry", &json!({"reason": "mailbox"})).await.expect(200);
    assert_eq!(retried["data"]["retried"], 1);
    mailbox::mails(&portal, "sunil@example.lk", 1).await;
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["subjectId"], &entry["after"]),
        (&json!("all"), &json!({"retried": 1, "isFiltered": true}))
    );
    assert_eq!(admin.post("/operate/mail/retry", &json!({})).await.expect(200)["data"]["retried"], 0);
    admin.post(&retry(&second), &json!({})).await.expect_error(404);

    admin.post("/operate/mail/retry", &json!({"reason": "x".repeat(501)})).await.expect_error(422);
    admin.post("/operate/mail/retry", &json!({"all": true})).await.expect_error(422);
    for rubbish in ["?after=1", "?page=2"] {
        admin.get(&format!("/operate/mail/dead{rubbish}")).await.expect_error(422);
    }
    assert_eq!(subjects(&admin, "?reason=%00").await.0.len(), 2);
}

#[tokio::test]
async fn suppressed_addresses_are_listed_and_lifted() {
    let portal = TestPortal::start().await;
    let db = &portal.state.db;
    let admin = staff(&portal, "amara", "admin").await;
    portal.user("nimal", "supplier").await;
    suppress(db, "nimal@example.lk", "bounce").await;
    suppress(db, "kamala@example.lk", "complaint").await;
    dead_mail(db, 1, "Nimal@example.lk", "550 no such user").await;

    let listed = admin.get("/operate/mail/suppressed").await.expect(200)["data"]["addresses"].clone();
    assert_eq!(
        (&listed[0]["address"], &listed[0]["reason"]),
        (&json!("kamala@example.lk"), &json!("complaint"))
    );
    assert_eq!(
        (&listed[0]["userId"], &listed[1]["detail"]),
        (&Value::Null, &json!("550 5.1.1 no such user"))
    );
    let user = listed[1]["userId"].clone();
    assert!(user.is_string());
    let found =
        admin.get("/operate/mail/suppressed?search=NIMAL").await.expect(200)["data"]["addresses"].clone();
    assert_eq!(found, json!([listed[1]]));
    assert_eq!(subjects(&admin, "").await.1, 0);

    let path = format!("/operate/mail/suppressed/{}", listed[1]["_id"]);
    admin.delete(&path).await.expect(200);
    admin.delete(&path).await.expect_error(404);
    admin.delete("/operate/mail/suppressed/x").await.expect_error(422);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subject"]), (&json!("lift-suppression"), &json!("suppression")));
    assert_eq!((&entry["before"]["reason"], &entry["before"]["user"]), (&json!("bounce"), &user));
    assert_eq!(
        admin.get("/operate/mail/suppressed").await.expect(200)["data"]["addresses"],
        json!([listed[0]])
    );
    assert_eq!(subjects(&admin, "").await.1, 1, "the message can be sent again");
}

#[tokio::test]
async fn lists_of_mail_are_read_in_parts() {
    let portal = TestPortal::start().await;
    let db = &portal.state.db;
    let admin = staff(&portal, "amara", "admin").await;
    for number in 1..=51 {
        dead_mail(db, number, "kamala@example.lk", "550 full").await;
        suppress(db, &format!("a{number}@example.lk"), "bounce").await;
    }
    let first = admin.get("/operate/mail/dead").await.expect(200)["data"].clone();
    assert_eq!((first["messages"].as_array().unwrap().len(), &first["retriable"]), (50, &json!(51)));
    let rest = subjects(&admin, &format!("?after={}", first["next"].as_str().unwrap())).await;
    assert_eq!(rest, (vec![json!("Mail 1")], 51));
    let first = admin.get("/operate/mail/suppressed").await.expect(200)["data"].clone();
    assert_eq!(first["addresses"][0]["address"], "a51@example.lk");
    let rest =
        admin.get(&format!("/operate/mail/suppressed?before={}", first["next"])).await.expect(200)["data"]
            .clone();
    assert_eq!((&rest["addresses"][0]["address"], &rest["next"]), (&json!("a1@example.lk"), &Value::Null));
    // An address that is suppressed again comes first.
    let id = dead_mail(db, 60, "A1@example.lk", "550 full").await;
    let report = complaint(&format!("<{}@portal.test>", id.replace('-', "")));
    assert_eq!(submit_report(&portal.operator().await, &report).await, "suppressed");
    let first = admin.get("/operate/mail/suppressed").await.expect(200)["data"].clone();
    assert_eq!(
        (&first["addresses"][0]["address"], &first["addresses"][0]["reason"]),
        (&json!("a1@example.lk"), &json!("complaint"))
    );
}
