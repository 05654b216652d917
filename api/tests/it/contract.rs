//! The committed contract is the one the code tells.

use crate::support::TestPortal;
use axum::http::Method;
use serde_json::json;

/// `api openapi > api/openapi.json` writes it anew.
#[test]
fn the_committed_contract_is_fresh() {
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).unwrap();
    let told = api::cli::commands::contract().unwrap();
    assert!(
        committed == told,
        "api/openapi.json is stale; write it anew with: cargo run -p api -- openapi > api/openapi.json"
    );
}

/// Calls that do something and need to be told nothing.
const BODILESS: [&str; 10] = [
    "/alerts/{id}/matches/{tender}/irrelevance",
    "/alerts/{id}/send-test-email",
    "/alerts/{id}/test",
    "/alerts/{id}/toggle",
    "/auth/resend-verification",
    "/channels/webhook/secret",
    "/channels/webhook/test",
    "/saved/tenders/{id}",
    "/subscriptions/user/keep",
    "/tenders/{id}/intention",
];

/// A call that can be refused says so, in the one shape that refusals have.
#[test]
fn every_call_declares_its_refusals_in_the_same_shape() {
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut responses = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["operationId"].is_string(), "{method} {path} has no operationId");
            let sends =
                ["post", "put", "patch"].contains(&method.as_str()) && !BODILESS.contains(&path.as_str());
            assert_eq!(
                operation["requestBody"].is_object(),
                sends,
                "{method} {path}: its body is told wrongly"
            );
            for (status, response) in operation["responses"].as_object().unwrap() {
                responses += 1;
                if status.starts_with(['4', '5']) {
                    let schema = &response["content"]["application/json"]["schema"]["$ref"];
                    assert_eq!(schema, "#/components/schemas/Failure", "{method} {path} {status}");
                }
            }
        }
    }
    assert!(responses > 20, "{responses} responses: the document is all but empty");
}

/// A call that answers anyone says so, and one that wants somebody refuses a guest.
#[tokio::test]
async fn what_a_call_wants_of_its_caller_is_declared_truthfully() {
    const NOBODY: &str = "00000000-0000-7000-8000-000000000000";
    let portal = TestPortal::start().await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut calls = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let place = path.split('/').map(|part| if part.starts_with('{') { NOBODY } else { part });
        let place = place.collect::<Vec<_>>().join("/");
        for (method, operation) in item.as_object().unwrap() {
            let Some(security) = operation["security"].as_array() else { continue };
            calls += 1;
            let answers_anyone = security.iter().any(|wanted| wanted.as_object().unwrap().is_empty());
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let guest = portal.guest();
            let request = guest.request(method.clone(), &place).json(&serde_json::json!({}));
            let reply = guest.send(request, method.clone(), &place).await;
            assert_eq!(reply.status == 401, !answers_anyone, "{method} {path}: {}", reply.text());
        }
    }
    assert!(calls > 50, "{calls} calls");
}

/// What the contract bounds, the code bounds: a value beyond is refused by the name of its field, one at the bound is not.
#[tokio::test]
async fn bounds_of_a_tenders_form_are_the_codes() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let schemas = &document["components"]["schemas"];
    let mut bounded = 0;
    for (schema, place) in [
        ("TenderForm", ""),
        ("OrganizationForm", "organization"),
        ("ContactForm", "organization.contactPerson"),
        ("ValueForm", "financials.estimatedValue"),
        ("BondForm", "financials.bidBond"),
        ("LocationForm", "location"),
        ("DatesForm", "dates"),
        ("EligibilityForm", "eligibility"),
        ("ExperienceForm", "eligibility.experience"),
        ("TurnoverForm", "eligibility.turnover"),
    ] {
        for (name, rule) in schemas[schema]["properties"].as_object().unwrap() {
            let field = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            let has_parts = rule["oneOf"].is_array();
            let mut beyond = Vec::new();
            if let Some(most) = rule["maxItems"].as_u64() {
                beyond.push(json!(vec!["x"; most as usize + 1]));
            }
            if let Some(longest) = rule["maxLength"].as_u64() {
                beyond.push(json!("x".repeat(longest as usize + 1)));
            }
            if let Some(most) = rule["maximum"].as_f64() {
                beyond.extend([json!(most + 1.0), json!(-1)]);
            }
            if rule["pattern"].is_string() {
                beyond.push(json!("?"));
            }
            assert_eq!(beyond.is_empty(), has_parts, "{schema}.{name} has no bound: {rule}");
            for value in beyond {
                bounded += 1;
                let mut body = json!({"status": "published"});
                let last = field.split('.').next_back().unwrap();
                let mut part = &mut body;
                for step in field.split('.').take_while(|step| *step != last) {
                    part[step] = json!({});
                    part = &mut part[step];
                }
                part[last] = value;
                let refused = supplier.post("/tenders", &body).await;
                refused.refused(422);
                assert_eq!(refused.json()["errors"][0]["field"], field, "{}", refused.text());
            }
        }
    }
    assert!(bounded > 40, "{bounded} bounds");
}
