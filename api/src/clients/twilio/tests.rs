//! Tests of the Twilio client against a local server.

use super::*;
use crate::base::config::PhoneConfig;
use crate::domain::channel::DirectChannel;
use tokio::io::AsyncReadExt;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{basic_auth, body_string, method, path},
};

fn account(url: &str, template: Option<&str>) -> Twilio {
    let config = PhoneConfig {
        twilio_account_sid: Some("AC0123".to_owned()),
        twilio_auth_token: Some("secret".into()),
        twilio_url: format!("{url}/"),
        sms_from: Some("Serendib".to_owned()),
        whatsapp_from: Some("+14155238886".to_owned()),
        whatsapp_template: template.map(str::to_owned),
        webhooks_to_private: false,
    };
    Twilio::new(&config).unwrap().unwrap()
}

/// Starts a server that accepts one message with exactly this form.
async fn server_accepting(form: &str) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/2010-04-01/Accounts/AC0123/Messages.json"))
        .and(basic_auth("AC0123", "secret"))
        .and(body_string(form))
        .respond_with(
            ResponseTemplate::new(201).set_body_json(serde_json::json!({"sid": "SM1", "status": "queued"})),
        )
        .expect(1)
        .mount(&server)
        .await;
    server
}

#[tokio::test]
async fn sms_has_number_sender_and_text() {
    let server = server_accepting("To=%2B94771234567&From=Serendib&Body=3+new+tenders").await;
    account(&server.uri(), None).send(DirectChannel::Sms, "+94771234567", "3 new tenders").await.unwrap();
}

#[tokio::test]
async fn whatsapp_uses_the_template_if_one_is_set() {
    let server =
        server_accepting("To=whatsapp%3A%2B94771234567&From=whatsapp%3A%2B14155238886&Body=hello").await;
    account(&server.uri(), None).send(DirectChannel::Whatsapp, "+94771234567", "hello").await.unwrap();
    let form = "To=whatsapp%3A%2B94771234567&From=whatsapp%3A%2B14155238886&ContentSid=HX1&ContentVariables=%7B%221%22%3A%22a+%5C%22b%5C%22%22%7D";
    let server = server_accepting(form).await;
    account(&server.uri(), Some("HX1"))
        .send(DirectChannel::Whatsapp, "+94771234567", "a \"b\"")
        .await
        .unwrap();
}

#[tokio::test]
async fn refusals_are_classified() {
    for (status, body, expected) in [
        (
            400,
            r#"{"code": 21211, "message": "The 'To' number +94771234567 is not valid", "status": 400}"#,
            "refused for good: Twilio answers 400 (21211)",
        ),
        (400, r#"{"code": 21617}"#, "failed for now: Twilio answers 400 (21617)"),
        (429, "{}", "failed for now: Twilio answers 429 (0)"),
        (401, r#"{"code": 20003}"#, "service unavailable: Twilio answers 401 (20003)"),
        (503, "<html>", "service unavailable: Twilio answers 503 (0)"),
        (302, "", "failed for now: Twilio answers 302 (0)"),
    ] {
        let server = MockServer::start().await;
        Mock::given(method("POST"))
            .respond_with(ResponseTemplate::new(status).set_body_string(body))
            .mount(&server)
            .await;
        let error =
            account(&server.uri(), None).send(DirectChannel::Sms, "+94771234567", "x").await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error =
        account("http://127.0.0.1:1", None).send(DirectChannel::Sms, "+94771234567", "x").await.unwrap_err();
    assert!(matches!(error, SendError::Unavailable(_)), "{error}");
}

#[test]
fn incomplete_settings_are_refused() {
    let mut config = PhoneConfig {
        twilio_account_sid: None,
        twilio_auth_token: None,
        twilio_url: "https://api.twilio.com".to_owned(),
        sms_from: None,
        whatsapp_from: None,
        whatsapp_template: None,
        webhooks_to_private: false,
    };
    assert!(Twilio::new(&config).unwrap().is_none());
    config.twilio_account_sid = Some("AC1".to_owned());
    assert!(Twilio::new(&config).unwrap_err().to_string().contains("TWILIO_AUTH_TOKEN"));
    config.twilio_auth_token = Some("x".into());
    assert!(Twilio::new(&config).unwrap_err().to_string().contains("SMS_FROM"));
    config.sms_from = Some("MG1".to_owned());
    assert_eq!(Twilio::new(&config).unwrap().unwrap().channels(), [DirectChannel::Sms]);
    config.twilio_account_sid = Some("AC/../1".to_owned());
    assert!(Twilio::new(&config).is_err());
}

#[tokio::test]
async fn attempt_without_a_response_counts() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let closing = async {
        let (mut connection, _) = listener.accept().await.unwrap();
        assert!(connection.read(&mut [0; 4096]).await.unwrap() > 0);
    };
    let account = account(&url, None);
    let (sent, ()) = tokio::join!(account.send(DirectChannel::Sms, "+94771234567", "x"), closing);
    assert!(matches!(sent, Err(SendError::Transient(_))), "{sent:?}");
}
