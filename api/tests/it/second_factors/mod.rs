//! Second factors: authenticator apps, passkeys and recovery codes. This module has what several of
//! these tests need.

mod sensitive_changes;
mod set_up;
mod sign_in;
mod staff;

use crate::support::{Client, Reply, TestPortal};
use serde_json::{Value, json};
use totp_rs::{Builder, Totp};

/// The password of the users of the tests.
const PASSWORD: &str = "secret-of-theirs";

async fn log_in(portal: &TestPortal, name: &str) -> Reply {
    let form = json!({"email": format!("{name}@example.lk"), "password": PASSWORD});
    portal.guest().post("/auth/login", &form).await
}

async fn prove(portal: &TestPortal, challenge: &Value, proof: (&str, Value)) -> Reply {
    portal.guest().post("/auth/second-factor", &json!({"challenge": challenge, proof.0: proof.1})).await
}

/// The challenge of a login whose password was right.
async fn challenge(portal: &TestPortal, name: &str) -> Value {
    let reply = log_in(portal, name).await.expect(202);
    assert!(reply["data"]["token"].is_null());
    reply["data"]["challenge"].clone()
}

fn code(app: &Totp, portal: &TestPortal) -> String {
    app.generate(u64::try_from(portal.state.clock.now().as_second()).unwrap()).to_string()
}

/// Sets up an authenticator app. Returns the app and the recovery codes.
pub async fn set_up_totp(portal: &TestPortal, user: &Client) -> (Totp, Vec<String>) {
    let set_up = user.post("/auth/totp", &json!({"password": PASSWORD})).await.expect(200);
    let url = set_up["data"]["url"].as_str().unwrap();
    let app = Totp::from_url(url).unwrap();
    assert!(url.starts_with("otpauth://totp/Serendib%20Tenders:"), "{url}");
    let typed = totp_rs::Secret::try_from_base32(set_up["data"]["secret"].as_str().unwrap()).unwrap();
    let typed = Builder::new().with_secret(typed).with_account_name("x").build().unwrap();
    assert_eq!(code(&typed, portal), code(&app, portal));
    user.put("/auth/totp", &json!({"code": "000000"})).await.expect_error(422);
    let confirmed = user.put("/auth/totp", &json!({"code": code(&app, portal)})).await.expect(200);
    let codes = confirmed["data"]["recoveryCodes"].as_array().unwrap().iter();
    (app, codes.map(|code| code.as_str().unwrap().to_owned()).collect())
}

/// Asks for a challenge in an open session.
async fn session_challenge(user: &Client) -> Value {
    user.post("/auth/second-factor/challenge", &json!({})).await.expect(200)["data"].clone()
}
