//! The contact form.

use crate::{
    support::{TestPortal, mailbox},
    tenders::store,
};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

fn form() -> Value {
    json!({"name": "Nimal", "email": "nimal@example.lk", "message": "How do I\r\npublish <b>tenders</b>?"})
}

#[tokio::test]
async fn contact_message_is_stored_and_mailed() {
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let answer = portal.guest().post("/contact", &form()).await.expect(201);
    assert_eq!(answer["message"], "Thank you. We reply within 24 hours on business days.");
    let bytes = mailbox::mails(&portal, "desk@example.lk", 1).await.remove(0);
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.to().unwrap().first().unwrap().address(), Some("desk@example.lk"));
    assert_eq!(message.subject(), Some("Nimal <nimal@example.lk> writes"));
    assert!(message.body_text(0).unwrap().contains("publish <b>tenders</b>?"));
    assert!(!message.body_html(0).unwrap().contains("<b>tenders"));
}

#[tokio::test]
async fn address_of_the_sender_cannot_add_recipients_to_the_answer() {
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let mut form = form();
    form["email"] = json!("a?bcc=b@example.lk");
    portal.guest().post("/contact", &form).await.expect(201);
    let bytes = mailbox::mails(&portal, "desk@example.lk", 1).await.remove(0);
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert!(message.body_html(0).unwrap().contains("mailto:a%3Fbcc%3Db@example.lk"));
}

#[tokio::test]
async fn mistake_report_links_its_tender() {
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let tender =
        Tender { title: "Chairs for Galle".into(), status: TenderStatus::Published, ..Tender::default() };
    let (shown, hidden) = (store(&portal, tender, None).await, store(&portal, Tender::default(), None).await);
    let report = |id: Uuid| {
        let mut body = form();
        body["tenderId"] = json!(id);
        body
    };
    portal.guest().post("/contact", &report(shown)).await.expect(201);
    let bytes = mailbox::mails(&portal, "desk@example.lk", 1).await.remove(0);
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.subject(), Some("Nimal <nimal@example.lk> reports a mistake"));
    let text = message.body_text(0).unwrap();
    assert!(
        text.contains("About: Chairs for Galle") && text.contains(&format!("/tenders/{shown}")),
        "{text}"
    );
    let kept: Option<Uuid> = sqlx::query_scalar("select tender_id from contact_message")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(kept, Some(shown));
    for id in [hidden, Uuid::nil()] {
        let refused = portal.guest().post("/contact", &report(id)).await.expect_error(422);
        assert_eq!(refused, "There is no such tender");
    }
    let mut rubbish = form();
    rubbish["tenderId"] = json!("x");
    portal.guest().post("/contact", &rubbish).await.expect_error(422);
}

#[tokio::test]
async fn message_is_stored_without_recipient_and_enterprise_has_priority() {
    let portal = TestPortal::start().await;
    portal.guest().post("/contact", &form()).await.expect(201);
    portal.advance(60);
    portal.subscriber("owner", "buyer", Some("enterprise")).await.post("/contact", &form()).await.expect(201);
    let kept: Vec<(String, bool)> =
        sqlx::query_as("select message, is_priority from contact_message order by at")
            .fetch_all(&portal.state.db)
            .await
            .unwrap();
    let text = "How do I\npublish <b>tenders</b>?".to_owned();
    assert_eq!(kept, [(text.clone(), false), (text, true)]);
}

#[tokio::test]
async fn invalid_contact_message_is_refused() {
    let portal = TestPortal::start().await;
    for (field, value, message) in [
        ("name", json!(" "), "Name is required"),
        ("name", json!("a\nBcc: x"), "Name must not contain control characters"),
        ("email", json!("nobody"), "Invalid email address"),
        ("message", json!("\n"), "Message is required"),
        ("message", json!("x".repeat(5001)), "Message cannot exceed 5000 characters"),
        ("message", json!("a\u{0}"), "Message must not contain control characters"),
    ] {
        let mut body = form();
        body[field] = value;
        assert_eq!(portal.guest().post("/contact", &body).await.expect_error(422), message);
    }
    portal.guest().post("/contact", &json!({})).await.expect_error(422);
}

/// Returns the contact details in the settings of the contact page.
async fn contact_details(settings: &[&str]) -> Value {
    let portal = TestPortal::start_with(settings).await;
    let web = portal.folder.path().join("web");
    std::fs::create_dir_all(&web).unwrap();
    std::fs::write(web.join("index.html"), "<script id=\"settings\">{}</script>").unwrap();
    let page = portal.guest().get_unchecked("/contact").await.text();
    let (_, settings) = page.split_once("id=\"settings\">").unwrap();
    let settings: Value = serde_json::from_str(settings.split_once("</script>").unwrap().0).unwrap();
    settings["company"].clone()
}

#[tokio::test]
async fn page_settings_contain_contact_details() {
    const FIELDS: [&str; 4] = ["contactEmail", "contactPhone", "contactAddress", "enterpriseContact"];
    let nobody = contact_details(&[]).await;
    assert!(FIELDS.iter().all(|field| nobody[field].is_null()), "{nobody}");
    let company = contact_details(&["--company-phone", "011 1", "--company-address", "1 Galle Road"]).await;
    assert_eq!(
        (&company["contactPhone"], &company["contactAddress"]),
        (&json!("011 1"), &json!("1 Galle Road"))
    );
    let own = contact_details(&[
        "--company-phone",
        "011 1",
        "--contact-email",
        "desk@example.lk",
        "--contact-phone",
        "011 2",
        "--contact-address",
        "2 Galle Road",
        "--enterprise-contact",
        "sales@example.lk",
    ])
    .await;
    let wanted = ["desk@example.lk", "011 2", "2 Galle Road", "sales@example.lk"];
    assert_eq!(FIELDS.map(|field| own[field].as_str().unwrap()), wanted);
    let demo = contact_details(&["--demo"]).await;
    assert!(FIELDS.iter().all(|field| demo[field].as_str().is_some_and(|said| !said.is_empty())), "{demo}");
}
