//! Validates values against the subset of JSON Schema that utoipa writes. An unknown keyword is an
//! error, so that no rule is skipped. An undeclared property is an error too.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Schema keywords that do not restrict values.
const ANNOTATIONS: [&str; 8] =
    ["description", "title", "default", "example", "examples", "deprecated", "readOnly", "contentMediaType"];

/// Validates a value and returns its errors, each with the path of the invalid part.
pub fn check(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let mut declared_paths = BTreeSet::new();
    collect_errors(document, schema, value, "$", &mut errors, &mut declared_paths);
    collect_undeclared(value, "$", &declared_paths, &mut errors);
    errors
}

/// Adds the errors of a value to `errors`, and the paths of all declared properties to
/// `declared_paths`.
fn collect_errors(
    document: &Value,
    schema: &Value,
    value: &Value,
    path: &str,
    errors: &mut Vec<String>,
    declared_paths: &mut BTreeSet<String>,
) {
    let Some(schema) = schema.as_object() else {
        if schema != &Value::Bool(true) {
            errors.push(format!("{path}: not a schema: {schema}"));
        }
        return;
    };
    if schema.keys().all(|key| ANNOTATIONS.contains(&key.as_str())) {
        // The schema accepts any value, so all of its content is declared.
        declared_paths.insert(format!("{path}.**"));
    }
    for (keyword, rule) in schema {
        match keyword.as_str() {
            "$ref" => match rule.as_str().and_then(|at| document.pointer(at.trim_start_matches('#'))) {
                Some(named) => collect_errors(document, named, value, path, errors, declared_paths),
                None => errors.push(format!("{path}: {rule} does not exist")),
            },
            "type" => {
                let types: Vec<&str> = match rule {
                    Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                    one => one.as_str().into_iter().collect(),
                };
                if !types.iter().any(|name| has_type(value, name)) {
                    errors.push(format!("{path}: {value} is not of type {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().is_some_and(|values| values.contains(value)) {
                    errors.push(format!("{path}: {value} is not one of {rule}"));
                }
            }
            "properties" => check_properties(document, rule, value, path, errors, declared_paths),
            "required" => {
                for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|object| !object.contains_key(name)) {
                        errors.push(format!("{path}.{name}: missing"));
                    }
                }
            }
            "additionalProperties" => {
                let declared = schema.get("properties").and_then(Value::as_object);
                for (name, item) in value.as_object().unwrap_or(&Map::new()) {
                    if declared.is_none_or(|declared| !declared.contains_key(name)) {
                        declared_paths.insert(format!("{path}.{name}"));
                        collect_errors(
                            document,
                            rule,
                            item,
                            &format!("{path}.{name}"),
                            errors,
                            declared_paths,
                        );
                    }
                }
            }
            "propertyNames" => {
                for name in value.as_object().unwrap_or(&Map::new()).keys() {
                    collect_errors(
                        document,
                        rule,
                        &Value::from(name.as_str()),
                        &format!("{path}.{name}"),
                        errors,
                        declared_paths,
                    );
                }
            }
            "items" => {
                for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
                    collect_errors(document, rule, item, &format!("{path}[{nth}]"), errors, declared_paths);
                }
            }
            "allOf" => {
                for part in rule.as_array().into_iter().flatten() {
                    collect_errors(document, part, value, path, errors, declared_paths);
                }
            }
            "oneOf" | "anyOf" => {
                let fitting = rule.as_array().into_iter().flatten().find_map(|part| {
                    let (mut part_errors, mut part_paths) = (Vec::new(), BTreeSet::new());
                    collect_errors(document, part, value, path, &mut part_errors, &mut part_paths);
                    part_errors.is_empty().then_some(part_paths)
                });
                match fitting {
                    Some(paths) => declared_paths.extend(paths),
                    None => errors.push(format!("{path}: {value} matches no part of {rule}")),
                }
            }
            "minimum" | "maximum" => {
                let beyond = value.as_f64().zip(rule.as_f64()).is_some_and(|(value, bound)| {
                    if keyword == "minimum" { value < bound } else { value > bound }
                });
                if beyond {
                    errors.push(format!("{path}: {value} violates {keyword} {rule}"));
                }
            }
            "minItems" | "maxItems" => {
                let count = value.as_array().map(|items| items.len() as u64).zip(rule.as_u64());
                if count.is_some_and(|(n, bound)| if keyword == "minItems" { n < bound } else { n > bound }) {
                    errors.push(format!("{path}: violates {keyword} {rule}"));
                }
            }
            "minLength" | "maxLength" => {
                let count = value.as_str().map(|text| text.chars().count() as u64).zip(rule.as_u64());
                if count.is_some_and(|(n, bound)| if keyword == "minLength" { n < bound } else { n > bound })
                {
                    errors.push(format!("{path}: violates {keyword} {rule}"));
                }
            }
            "pattern" => {
                let pattern = regex::Regex::new(rule.as_str().unwrap_or_default()).unwrap();
                if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                    errors.push(format!("{path}: {value} does not match {rule}"));
                }
            }
            "format" => check_format(rule.as_str().unwrap_or_default(), value, path, errors),
            annotation if ANNOTATIONS.contains(&annotation) => {}
            unknown => errors.push(format!("{path}: unknown schema keyword {unknown}")),
        }
    }
}

fn check_properties(
    document: &Value,
    rule: &Value,
    value: &Value,
    path: &str,
    errors: &mut Vec<String>,
    declared_paths: &mut BTreeSet<String>,
) {
    for (name, schema) in rule.as_object().unwrap_or(&Map::new()) {
        let at = format!("{path}.{name}");
        if let Some(item) = value.get(name) {
            collect_errors(document, schema, item, &at, errors, declared_paths);
        }
        declared_paths.insert(at);
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

fn check_format(name: &str, value: &Value, path: &str, errors: &mut Vec<String>) {
    let Some(text) = value.as_str() else { return };
    let fits = match name {
        "uuid" => uuid::Uuid::try_parse(text).is_ok(),
        "date-time" => text.parse::<jiff::Timestamp>().is_ok(),
        "date" => text.parse::<jiff::civil::Date>().is_ok(),
        "email" => text.contains('@'),
        _ => true,
    };
    if !fits {
        errors.push(format!("{path}: {text:?} is not a valid {name}"));
    }
}

fn collect_undeclared(
    value: &Value,
    path: &str,
    declared_paths: &BTreeSet<String>,
    errors: &mut Vec<String>,
) {
    if declared_paths.contains(&format!("{path}.**")) {
        return;
    }
    match value {
        Value::Object(object) => {
            for (name, item) in object {
                let at = format!("{path}.{name}");
                if declared_paths.contains(&at) {
                    collect_undeclared(item, &at, declared_paths, errors);
                } else {
                    errors.push(format!("{at}: undeclared"));
                }
            }
        }
        Value::Array(items) => {
            for (nth, item) in items.iter().enumerate() {
                collect_undeclared(item, &format!("{path}[{nth}]"), declared_paths, errors);
            }
        }
        _ => {}
    }
}
