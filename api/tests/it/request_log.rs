//! The log of requests and sign-ins, as the real server writes it.

use crate::support::{server::Server, smtp::Behaviour, stage::Stage};
use serde_json::{Value, json};

/// The log lines that contain a text, as JSON.
fn lines_with(log: &str, text: &str) -> Vec<Value> {
    log.lines().filter(|line| line.contains(text)).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Starts a server that logs JSON.
async fn start(stage: &Stage, settings: &[&str]) -> Server {
    let settings = [&["--log-json", "--log", "info"], settings].concat();
    Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &settings).await
}

fn read_log(stage: &Stage) -> String {
    std::fs::read_to_string(stage.data().join("server.log")).unwrap()
}

#[tokio::test]
async fn log_names_network_and_account_but_no_mail_address() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = start(&stage, &["--trusted-proxies", "127.0.0.1", "--failed-sign-ins-an-hour", "1"]).await;
    let client = reqwest::Client::new();
    let post = async |path: &str, body: Value| {
        let request = client.post(format!("{}/api/auth/{path}", server.base)).json(&body);
        request.header("x-forwarded-for", "203.0.113.77").send().await.unwrap()
    };
    let form = json!({"firstName": "Nimal", "lastName": "Perera", "email": "nimal@example.lk", "password": "secret-of-theirs",
        "role": "buyer"});
    let registered: Value = post("register", form).await.json().await.unwrap();
    let account = registered["data"]["user"]["_id"].as_str().unwrap();
    let token = registered["data"]["token"].as_str().unwrap();
    for (email, password, status) in [
        ("nimal@example.lk", "secret-of-theirs", 200),
        ("nimal@example.lk", "wrong", 401),
        ("nimal@example.lk", "wrong", 429),
        ("nobody@example.lk", "wrong", 401),
    ] {
        assert_eq!(post("login", json!({"email": email, "password": password})).await.status(), status);
    }
    let me = client.get(format!("{}/api/auth/me", server.base)).bearer_auth(token);
    let me = me.header("x-forwarded-for", "2001:db8:1:2::3").header("x-request-id", "proxy-17");
    let me = me.send().await.unwrap();
    assert_eq!(me.headers()["x-request-id"], "proxy-17");
    server.stop();

    let log = read_log(&stage);
    let outcomes: Vec<(Value, Value)> = lines_with(&log, "a sign-in ended")
        .into_iter()
        .map(|line| (line["fields"]["account"].clone(), line["fields"]["outcome"].clone()))
        .collect();
    let expected = [
        (json!(account), json!("succeeded")),
        (json!(account), json!("refused")),
        (json!(account), json!("rate_limited")),
        (Value::Null, json!("refused")),
    ];
    assert_eq!(outcomes, expected);
    let of_password = |line: &Value| line["fields"]["factor"] == "password";
    assert!(lines_with(&log, "a sign-in ended").iter().all(of_password));
    let [answered] = &lines_with(&log, "proxy-17")[..] else { panic!("{log}") };
    let span = &answered["span"];
    assert_eq!((&span["id"], &span["client"]), (&json!("proxy-17"), &json!("2001:db8:1::")));
    assert_eq!((&span["route"], &span["account"]), (&json!("/api/auth/me"), &json!(account)));
    let login = &lines_with(&log, "/api/auth/login")[0]["span"];
    assert_eq!(login["client"], "203.0.113.0");
    for secret in ["@example.lk", "203.0.113.77", "2001:db8:1:2", "/readyz", "/livez"] {
        assert!(!log.contains(secret), "the log contains {secret}");
    }
}

#[tokio::test]
async fn missing_setting_of_a_proxy_is_logged_once() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = start(&stage, &[]).await;
    for nth in 0..3 {
        let request = reqwest::Client::new().get(format!("{}/api/health", server.base));
        let request = request.header("x-forwarded-for", format!("203.0.113.{nth}"));
        let reply = request.header("x-request-id", "not-a-proxy").send().await.unwrap();
        assert_ne!(reply.headers()["x-request-id"], "not-a-proxy");
    }
    server.stop();
    let log = read_log(&stage);
    assert_eq!(lines_with(&log, "TRUSTED_PROXIES").len(), 1, "{log}");
    assert!(log.contains("127.0.0.0") && !log.contains("203.0.113."), "the header is not ignored");
}
