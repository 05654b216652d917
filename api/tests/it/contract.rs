//! The committed contract is the one the code tells.

/// `api openapi > api/openapi.json` writes it anew.
#[test]
fn the_committed_contract_is_fresh() {
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).unwrap();
    let told = api::commands::contract().unwrap();
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
    let document = serde_json::to_value(api::router::document()).unwrap();
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
