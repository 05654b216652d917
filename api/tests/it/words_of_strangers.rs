//! Texts that a user chooses and the portal mails to others.

use crate::support::{TestPortal, mailbox};
use mail_parser::MessageParser;
use serde_json::{Value, json};

fn registration(first_name: &str, email: &str) -> Value {
    json!({"firstName": first_name, "lastName": "Perera", "email": email, "password": "secret-long-enough", "role": "supplier"})
}

#[tokio::test]
async fn mail_to_an_unconfirmed_address_contains_no_name() {
    let portal = TestPortal::start().await;
    let form = registration("Congratulations Winner", "victim@example.lk");
    portal.guest().post("/auth/register", &form).await.expect(201);
    let mail = mailbox::find_mail(&portal, "victim@example.lk", "/verify-email?").await;
    assert!(!mail.contains("Winner") && mail.starts_with("Hello there,"), "{mail}");
    portal.guest().post("/auth/forgot-password", &json!({"email": "victim@example.lk"})).await.expect(200);
    let mail = mailbox::find_mail(&portal, "victim@example.lk", "/reset-password?").await;
    assert!(!mail.contains("Winner"), "{mail}");
    let nimal = portal.user("nimal", "supplier").await;
    nimal
        .post("/auth/change-email", &json!({"email": "other@example.lk", "password": "secret-of-theirs"}))
        .await
        .expect(200);
    let mail = mailbox::find_mail(&portal, "other@example.lk", "/verify-email?").await;
    assert!(!mail.to_lowercase().contains("nimal"), "{mail}");
}

#[tokio::test]
async fn invitation_names_only_a_plain_name() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("owner", "supplier", Some("enterprise")).await;
    let invite = async |email: &str| {
        owner.post("/team/invitations", &json!({"email": email})).await.expect(201);
        let bytes = mailbox::mails(&portal, email, 1).await.remove(0);
        MessageParser::default().parse(&bytes).unwrap().subject().unwrap().to_owned()
    };
    assert!(invite("kamala@example.lk").await.ends_with("invites you to Serendib Tenders"));
    sqlx::query("update users set company = 'You won LKR 500,000'").execute(&portal.state.db).await.unwrap();
    assert_eq!(invite("sunil@example.lk").await, "An invitation to Serendib Tenders");
}

#[tokio::test]
async fn names_with_links_and_addresses_of_machines_are_refused() {
    let portal = TestPortal::start().await;
    let guest = portal.guest();
    for name in ["Claim at http://evil.example/win", "www.evil", "evil.com"] {
        let refused = guest.post("/auth/register", &registration(name, "x@example.lk")).await;
        assert_eq!(refused.expect_error(422), "First name must not contain a web or mail address");
    }
    for email in ["root@[127.0.0.1]", "root@[169.254.169.254]", "root@127.0.0.1"] {
        let refused = guest.post("/auth/register", &registration("Nimal", email)).await;
        assert_eq!(refused.expect_error(422), "Invalid email address");
    }
    let nimal = portal.user("nimal", "supplier").await;
    let refused = nimal.put("/auth/profile", &json!({"company": "Win at evil.com"})).await.expect_error(422);
    assert_eq!(refused, "Company must not contain a web or mail address");
}

#[tokio::test]
async fn direction_marks_are_removed_and_letter_forms_are_kept() {
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let form = json!({"name": "Nimal\u{202E}lamiN ශ්\u{200D}රී", "email": "nimal@example.lk", "message": "a\u{2066}b"});
    portal.guest().post("/contact", &form).await.expect(201);
    let bytes = mailbox::mails(&portal, "desk@example.lk", 1).await.remove(0);
    let mail = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(mail.subject(), Some("NimallamiN ශ්\u{200D}රී <nimal@example.lk> writes"));
    assert!(mail.body_text(0).unwrap().contains("ab"));
}
