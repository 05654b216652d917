//! What readers are mailed, when, and in which language.

use crate::support::{Client, TestPortal, mailbox::letter};
use axum::http::Method;
use serde_json::json;

/// A fresh account whose browser asks for a language.
async fn registered(portal: &TestPortal, name: &str, asks_for: &str) -> Client {
    let guest = portal.guest();
    let form = json!({"firstName": name, "lastName": "Perera", "email": format!("{name}@example.lk"), "password": "secret-of-theirs"});
    let request =
        guest.request(Method::POST, "/auth/register").header("accept-language", asks_for).json(&form);
    let reply = guest.send(request, Method::POST, "/auth/register").await.expect(201);
    guest.bearing(reply["data"]["token"].as_str().unwrap())
}

#[tokio::test]
async fn an_account_is_written_to_in_the_language_that_it_was_opened_in_until_it_chooses_another() {
    let portal = TestPortal::start().await;
    for (name, asks_for, language, words) in [
        ("kamala", "si-LK,en;q=0.5", "si", "ඔබේ විද්‍යුත් තැපැල් ලිපිනය බව කරුණාකර තහවුරු කරන්න"),
        ("kumar", "ta", "ta", "வணக்கம் kumar,"),
        ("nimal", "de, fr", "en", "Please confirm that this is your e-mail address."),
    ] {
        let user = registered(&portal, name, asks_for).await;
        let me = user.get("/auth/me").await.expect(200)["data"]["user"].clone();
        assert_eq!(
            (&me["language"], &me["weeklySummary"], &me["savedMails"]),
            (&json!(language), &json!(true), &json!(true))
        );
        letter(&portal, &format!("{name}@example.lk"), words).await;
    }
    let user = portal.signed_in("kamala").await;
    let saved =
        user.put("/auth/profile", &json!({"language": "ta", "weeklySummary": false})).await.expect(200);
    let saved = &saved["data"]["user"];
    assert_eq!(
        (&saved["language"], &saved["weeklySummary"], &saved["savedMails"]),
        (&json!("ta"), &json!(false), &json!(true))
    );
    assert_eq!(saved["firstName"], "kamala");
    portal.guest().post("/auth/forgot-password", &json!({"email": "kamala@example.lk"})).await.expect(200);
    letter(&portal, "kamala@example.lk", "புதிய கடவுச்சொல்லைத் தெரிவு செய்க").await;
    // Nothing else undoes it, and no other language is taken.
    user.put("/auth/profile", &json!({"company": "Kamala Works"})).await.expect(200);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["language"], "ta");
    for rubbish in [json!("de"), json!("")] {
        user.put("/auth/profile", &json!({"language": rubbish})).await.refused(422);
    }
}

#[tokio::test]
async fn who_reads_at_an_address_that_is_asked_for_is_told_in_their_own_language() {
    let portal = TestPortal::start().await;
    registered(&portal, "kamala", "si").await;
    let other = registered(&portal, "nimal", "en").await;
    let form = json!({"email": "kamala@example.lk", "password": "secret-of-theirs"});
    other.post("/auth/change-email", &form).await.expect(200);
    letter(&portal, "kamala@example.lk", "ආයුබෝවන් පාඨකය,").await;
}
