//! The committed OpenAPI document matches the code, and the portal behaves as the document
//! declares.

use crate::support::TestPortal;
use axum::http::Method;
use serde_json::{Value, json};

/// Run `api openapi > api/openapi.json` to update the committed document.
#[test]
fn committed_openapi_document_is_up_to_date() {
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).unwrap();
    let generated = api::cli::commands::openapi_json().unwrap();
    assert!(
        committed == generated,
        "api/openapi.json is stale; update it with: cargo run -p api -- openapi > api/openapi.json"
    );
}

/// Routes for POST, PUT or PATCH requests without a body.
const ROUTES_WITHOUT_BODY: [&str; 20] = [
    "/alerts/{id}/matches/{tender}/irrelevance",
    "/alerts/{id}/send-test-email",
    "/alerts/{id}/test",
    "/alerts/{id}/toggle",
    "/auth/google/nonce",
    "/auth/resend-verification",
    "/auth/second-factor/challenge",
    "/calendar/address",
    "/channels/webhook/secret",
    "/channels/webhook/test",
    "/operate/batches/{id}/undo",
    "/operate/review/undo",
    "/operate/review/{key}/claim",
    "/operate/review/{key}/skip",
    "/operate/mail/dead/{id}/retry",
    "/operate/pages/{id}/reading",
    "/operate/users/{id}/confirmation",
    "/saved/tenders/{id}",
    "/subscriptions/user/keep",
    "/tenders/{id}/intention",
];

#[test]
fn every_route_declares_its_id_body_and_failure_schema() {
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut responses = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["operationId"].is_string(), "{method} {path} has no operationId");
            let sends = ["post", "put", "patch"].contains(&method.as_str())
                && !ROUTES_WITHOUT_BODY.contains(&path.as_str());
            assert_eq!(
                operation["requestBody"].is_object(),
                sends,
                "{method} {path}: its request body is declared wrongly"
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
    assert!(responses > 20, "{responses} responses: the document is nearly empty");
}

/// A list for administrators is read with a cursor: an offset would repeat or skip entries when the
/// list changes, and would read everything before the page.
#[test]
fn lists_for_administrators_have_cursors_and_no_offsets() {
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let resolve = |schema: &Value| {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.map_or_else(|| schema.clone(), |name| document["components"]["schemas"][name].clone())
    };
    let mut lists = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(operation) = item.get("get").filter(|_| path.starts_with("/operate")) else { continue };
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> = parameters.iter().filter_map(|given| given["name"].as_str()).collect();
        for offset in ["offset", "skip", "page", "pageNumber"] {
            assert!(!names.contains(&offset), "{path} has the parameter {offset}");
        }
        let reply = resolve(&operation["responses"]["200"]["content"]["application/json"]["schema"]);
        let data = resolve(&reply["properties"]["data"]);
        // A single page of a newspaper names the page after it.
        if data["properties"].get("next").is_some() && !path.contains('{') {
            lists.push(path.as_str());
            assert!(names.contains(&"after") || names.contains(&"before"), "{path} has no cursor");
        }
    }
    assert!(lists.len() >= 11, "{lists:?}");
}

/// A guest gets status 401 exactly from the routes that require a sign-in according to the
/// document. Routes that declare no security are skipped.
#[tokio::test]
async fn declared_security_matches_behaviour() {
    const UNKNOWN_ID: &str = "00000000-0000-7000-8000-000000000000";
    let portal = TestPortal::start().await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut calls = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let concrete_path = path.split('/').map(|part| if part.starts_with('{') { UNKNOWN_ID } else { part });
        let concrete_path = concrete_path.collect::<Vec<_>>().join("/");
        for (method, operation) in item.as_object().unwrap() {
            let Some(security) = operation["security"].as_array() else { continue };
            calls += 1;
            let allows_guests = security.iter().any(|wanted| wanted.as_object().unwrap().is_empty());
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let guest = portal.guest();
            let request = guest.request(method.clone(), &concrete_path).json(&serde_json::json!({}));
            let reply = guest.send(request, method.clone(), &concrete_path).await;
            assert_eq!(reply.status == 401, !allows_guests, "{method} {path}: {}", reply.text());
        }
    }
    assert!(calls > 50, "{calls} calls");
}

/// A value beyond a documented limit is refused, and the error names the field of the value.
#[tokio::test]
async fn documented_limits_match_the_code() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let schemas = &document["components"]["schemas"];
    let mut bounded = 0;
    for (schema, parent) in [
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
            let field = if parent.is_empty() { name.clone() } else { format!("{parent}.{name}") };
            let has_parts = rule["oneOf"].is_array();
            let mut beyond = Vec::new();
            if let Some(most) = rule["maxItems"].as_u64() {
                let has_rows = rule["items"]["$ref"].is_string();
                let entry = if has_rows { json!({}) } else { json!("x") };
                beyond.push(json!(vec![entry; most as usize + 1]));
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
                refused.expect_error(422);
                assert_eq!(refused.json()["errors"][0]["field"], field, "{}", refused.text());
            }
        }
    }
    assert!(bounded > 40, "{bounded} bounds");
}
