//! The language of an account, in which its mails are written.

use super::register;
use crate::support::{TestPortal, mailbox::find_mail};
use serde_json::json;

#[tokio::test]
async fn account_language_is_set_at_registration_and_can_be_changed() {
    let portal = TestPortal::start().await;
    for (name, accept_language, language, words) in [
        ("kamala", "si-LK,en;q=0.5", "si", "ඔබේ විද්‍යුත් තැපැල් ලිපිනය බව කරුණාකර තහවුරු කරන්න"),
        ("kumar", "ta", "ta", "வணக்கம் வாசகர்,"),
        ("nimal", "de, fr", "en", "Please confirm that this is your e-mail address."),
    ] {
        let user = register(&portal, name, accept_language).await;
        let me = user.get("/auth/me").await.expect(200)["data"]["user"].clone();
        assert_eq!(
            (&me["language"], &me["weeklySummary"], &me["savedMails"], &me["silenceMails"]),
            (&json!(language), &json!(true), &json!(true), &json!(true))
        );
        find_mail(&portal, &format!("{name}@example.lk"), words).await;
    }
    let user = portal.sign_in("kamala").await;
    let saved =
        user.put("/auth/profile", &json!({"language": "ta", "weeklySummary": false})).await.expect(200);
    let saved = &saved["data"]["user"];
    assert_eq!(
        (&saved["language"], &saved["weeklySummary"], &saved["savedMails"]),
        (&json!("ta"), &json!(false), &json!(true))
    );
    assert_eq!(saved["firstName"], "kamala");
    portal.guest().post("/auth/forgot-password", &json!({"email": "kamala@example.lk"})).await.expect(200);
    find_mail(&portal, "kamala@example.lk", "புதிய கடவுச்சொல்லைத் தெரிவு செய்க").await;
    // A change of another field keeps the language, and unsupported languages are refused.
    user.put("/auth/profile", &json!({"company": "Kamala Works"})).await.expect(200);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["language"], "ta");
    for rubbish in [json!("de"), json!("")] {
        user.put("/auth/profile", &json!({"language": rubbish})).await.expect_error(422);
    }
}

#[tokio::test]
async fn mail_uses_the_language_of_the_addressed_account() {
    let portal = TestPortal::start().await;
    register(&portal, "kamala", "si").await;
    let other = register(&portal, "nimal", "en").await;
    let form = json!({"email": "kamala@example.lk", "password": "secret-of-theirs"});
    other.post("/auth/change-email", &form).await.expect(200);
    find_mail(&portal, "kamala@example.lk", "ආයුබෝවන් පාඨකය,").await;
}
