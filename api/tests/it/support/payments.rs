//! Subscriptions with the sandbox provider, as a user buys them.

use super::{Client, TestPortal, wait_for};
use api::services::billing::lifecycle;
use reqwest::redirect::Policy;
use serde_json::{Value, json};

pub const GOOD_CARD: &str = "4242 4242 4242 4242";
pub const DECLINED_CARD: &str = "4000 0000 0000 0002";
pub const CHALLENGED_CARD: &str = "4000 0027 6000 3184";
pub const LATER_DECLINED_CARD: &str = "4000 0000 0000 0341";
pub const DAY: i64 = 24 * 3600;

/// Starts a portal with the sandbox provider.
pub async fn start_portal() -> TestPortal {
    TestPortal::start_with(&["--demo", "--company-name", "Serendib Tenders (Pvt) Ltd"]).await
}

/// Requests a payment page, or submits a form to the page. Returns the status, the redirect's URL
/// and the page.
pub async fn request_page(
    portal: &TestPortal,
    url: &str,
    form: Option<&[(&str, &str)]>,
) -> (u16, String, String) {
    let http = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    // The URL contains the portal's public address. The test connects to the listen address.
    let path = &url[url.find("/payments").unwrap()..];
    let url = format!("http://{}{path}", portal.address);
    let request = match form {
        Some(form) => {
            let body = encode_form(form);
            http.post(url).header("content-type", "application/x-www-form-urlencoded").body(body)
        }
        None => http.get(url),
    };
    let response = request.send().await.unwrap();
    let location = response.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (response.status().as_u16(), location.unwrap_or_default(), response.text().await.unwrap())
}

/// Encodes a form whose values need no escapes except for spaces.
pub fn encode_form(form: &[(&str, &str)]) -> String {
    form.iter()
        .map(|(name, value)| format!("{name}={}", value.replace(' ', "+")))
        .collect::<Vec<_>>()
        .join("&")
}

/// Submits a card on the sandbox's payment page. Returns what [`request_page`] returns.
pub async fn pay_by_card(portal: &TestPortal, url: &str, number: &str) -> (u16, String, String) {
    request_page(portal, url, Some(&[("number", number), ("expiry", "12/34"), ("cvc", "123")])).await
}

/// Starts a checkout for a plan and returns the URL of its payment page.
pub async fn start_checkout(user: &Client, plan: &str) -> String {
    let wish = json!({"planId": plan});
    let reply = user.post("/subscriptions/create-checkout-session", &wish).await.expect(200);
    reply["data"]["url"].as_str().unwrap().to_owned()
}

/// Returns the session id in the URL of the success page.
pub fn session_id_in(location: &str) -> String {
    location.split("session_id=").nth(1).unwrap().to_owned()
}

/// Buys a plan with a good card. Returns the provider's id of the checkout and the invoice's id.
pub async fn buy_plan(portal: &TestPortal, user: &Client, plan: &str) -> (String, String) {
    let (_, location, _) = pay_by_card(portal, &start_checkout(user, plan).await, GOOD_CARD).await;
    let session = session_id_in(&location);
    user.get(&format!("/subscriptions/verify-session/{session}")).await.expect(200);
    let invoices = user.get("/subscriptions/invoices").await.expect(200);
    (session, invoices["data"]["invoices"][0]["_id"].as_str().unwrap().to_owned())
}

pub async fn current_subscription(user: &Client) -> Value {
    user.get("/subscriptions/user/current").await.expect(200)["data"]["subscription"].clone()
}

pub async fn list_invoices(user: &Client) -> Vec<Value> {
    let reply = user.get("/subscriptions/invoices").await.expect(200);
    reply["data"]["invoices"].as_array().unwrap().clone()
}

/// Moves the clock forward by days, runs the billing work that is due, and signs in again.
pub async fn pass_days(portal: &TestPortal, days: i64, name: &str) -> Client {
    // Before the clock moves, the provider must have received all instructions.
    wait_for(&portal.state.db, "select not exists (select from payment_task where done_at is null)").await;
    portal.advance(days * DAY);
    // The portal's own job may be making charges. `run_due` waits for them.
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    portal.sign_in(name).await
}
