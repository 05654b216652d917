//! Checks responses against the OpenAPI document.

use super::{client::Reply, schema};
use axum::http::Method;
use serde_json::Value;
use std::sync::LazyLock;

/// The OpenAPI document, generated from the tested code.
static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(api::http::router::document()).unwrap());

/// Fails if the OpenAPI document does not declare this response, or if the response has no request
/// id. Undeclared paths and methods must be answered with 404 or 405.
#[track_caller]
pub fn assert_declared(method: &Method, path: &str, reply: &Reply) {
    assert!(!reply.header("x-request-id").is_empty(), "the response has no request id");
    let Some(operation) = find_operation(method, path) else {
        assert!(
            matches!(reply.status.as_u16(), 404 | 405),
            "{method} {path} returns the undeclared status {}",
            reply.status
        );
        return assert_schema("Failure", method, path, reply);
    };
    let status = reply.status.as_str();
    let declared = &operation["responses"][status];
    assert!(!declared.is_null(), "{method} {path} returns the undeclared status {status}: {}", reply.text());
    let Some(content) = declared["content"].as_object() else {
        assert!(reply.bytes.is_empty(), "{method} {path} {status} has an undeclared body");
        return;
    };
    let media_type = reply.header("content-type").split(';').next().unwrap_or_default().trim();
    let declared = content.get(media_type);
    let declared = declared
        .unwrap_or_else(|| panic!("{method} {path} {status} has the undeclared media type {media_type}"));
    if media_type == "application/json" {
        let errors = schema::check(&DOCUMENT, &declared["schema"], &reply.json());
        assert!(errors.is_empty(), "{method} {path} {status}:\n{}\n{}", errors.join("\n"), reply.text());
    }
}

#[track_caller]
fn assert_schema(name: &str, method: &Method, path: &str, reply: &Reply) {
    let reference = serde_json::json!({"$ref": format!("#/components/schemas/{name}")});
    let errors = schema::check(&DOCUMENT, &reference, &reply.json());
    assert!(errors.is_empty(), "{method} {path} {}:\n{}\n{}", reply.status, errors.join("\n"), reply.text());
}

fn find_operation(method: &Method, path: &str) -> Option<&'static Value> {
    let paths = DOCUMENT["paths"].as_object()?;
    // Paths without placeholders take precedence.
    let found = paths.get(path).or_else(|| {
        paths.iter().find(|(template, _)| matches_template(template, path)).map(|(_, item)| item)
    })?;
    Some(&found[method.as_str().to_lowercase()]).filter(|operation| !operation.is_null())
}

fn matches_template(template: &str, path: &str) -> bool {
    let (template, path): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), path.split('/').collect());
    template.len() == path.len()
        && template.iter().zip(&path).all(|(expected, part)| expected.starts_with('{') || expected == part)
}
