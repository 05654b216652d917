//! Rewrites the parser errors of request bodies and queries in plain English.

use crate::domain::error::FieldError;

/// How a parser's term for an expected type begins, and the plain name of the type.
const TYPE_NAMES: [(&str, &str); 16] = [
    ("a string", "text"),
    ("string", "text"),
    ("a borrowed string", "text"),
    ("a character", "text"),
    ("a number", "a number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("u", "a whole number"),
    ("i", "a whole number"),
    ("nonzero", "a whole number"),
    ("a nonzero", "a whole number"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("struct ", "an object"),
    ("a map", "an object"),
    ("an object", "an object"),
];

/// Rewrites a parser's message for the field at this path. The path `.` is the whole input, for
/// which the returned error names the field `whole`. Our own messages stay unchanged.
pub(crate) fn field_error(path: &str, whole: &str, message: &str) -> FieldError {
    // The path of an unknown or duplicate field already ends in its name.
    let inner = |name: &str| match path {
        "." => name.to_owned(),
        _ if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        _ => format!("{path}.{name}"),
    };
    if let Some(name) = quoted(message, "missing field `") {
        let field = inner(name);
        let message = format!("{field} is missing");
        return FieldError::new(field, message);
    }
    if let Some(name) = quoted(message, "unknown field `") {
        let field = inner(name);
        let message = format!("There is no field {field}");
        return FieldError::new(field, message);
    }
    if let Some(name) = quoted(message, "duplicate field `") {
        let field = inner(name);
        let message = format!("{field} is given twice");
        return FieldError::new(field, message);
    }
    let field = if path == "." { whole.to_owned() } else { path.to_owned() };
    let message = value_message(&field, message).unwrap_or_else(|| message.to_owned());
    FieldError::new(field, message)
}

/// Rewrites a parser's message about a value. `None` for our own messages.
fn value_message(field: &str, message: &str) -> Option<String> {
    let kind = |kind: &str| Some(format!("{field} must be {kind}"));
    if let Some((_, expected)) = expectation(message, "unknown variant") {
        let words: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        return Some(format!("{field} must be one of: {}", words.join(", ")));
    }
    for beginning in ["invalid type", "invalid value", "invalid length"] {
        if let Some((_, expected)) = expectation(message, beginning) {
            let known = TYPE_NAMES.iter().find(|(begin, _)| expected.starts_with(begin));
            return match known {
                Some((_, words)) if beginning != "invalid length" => kind(words),
                _ => invalid_value(field),
            };
        }
    }
    if message.starts_with("UUID parsing failed") {
        return kind("a UUID");
    }
    // The errors of dates.
    let is_of_a_date = |begin: &&str| message.starts_with(begin);
    if ["failed to parse ", "parsed ", "expected four digit year"].iter().any(is_of_a_date) {
        return Some("Please enter the date as in 2026-11-20".to_owned());
    }
    match message {
        "invalid digit found in string"
        | "cannot parse integer from empty string"
        | "number too large to fit in target type"
        | "number too small to fit in target type"
        | "number would be zero for non-zero type" => kind("a whole number"),
        "invalid float literal" | "cannot parse float from empty string" => kind("a number"),
        "provided string was not `true` or `false`" => kind("true or false"),
        _ if message.starts_with("data did not match any variant") => invalid_value(field),
        _ => None,
    }
}

fn invalid_value(field: &str) -> Option<String> {
    Some(format!("{field} has the wrong type or length"))
}

/// Returns the name after a prefix that ends in a backquote.
fn quoted<'a>(message: &'a str, beginning: &str) -> Option<&'a str> {
    message.strip_prefix(beginning)?.split('`').next()
}

/// Splits a message with this prefix at its last ", expected ". Returns the texts before and
/// after.
fn expectation<'a>(message: &'a str, beginning: &str) -> Option<(&'a str, &'a str)> {
    message.strip_prefix(beginning)?.rsplit_once(", expected ").or_else(|| {
        // A message without an expected type is returned whole.
        message.starts_with(beginning).then_some((message, ""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("20.11.2026")]
    #[case("2026-13-01")]
    #[case("2026-02-30")]
    #[case("2026-11-20x")]
    #[case("")]
    fn a_date_is_explained_by_an_example(#[case] text: &str) {
        let error = text.parse::<tender_model::vocabulary::Day>().unwrap_err().to_string();
        let explained = field_error("date", "body", &error);
        assert_eq!(explained.message, "Please enter the date as in 2026-11-20", "{error}");
    }

    #[rstest]
    #[case("missing field `planId`", ".", "planId", "planId is missing")]
    #[case("missing field `term`", "keywords[1]", "keywords[1].term", "keywords[1].term is missing")]
    #[case("unknown field `x`, expected `a` or `b`", ".", "x", "There is no field x")]
    #[case("unknown field `x`, expected `a`", "dates.x", "dates.x", "There is no field dates.x")]
    #[case("unknown field `x`, there are no fields", "dates", "dates.x", "There is no field dates.x")]
    #[case("duplicate field `a`", ".", "a", "a is given twice")]
    #[case("invalid type: integer `7`, expected a string", "title", "title", "title must be text")]
    #[case("invalid type: null, expected u32", "page", "page", "page must be a whole number")]
    #[case("invalid type: string \"a, expected b\", expected a number", "a", "a", "a must be a number")]
    #[case("invalid type: map, expected a sequence", "tags", "tags", "tags must be a list")]
    #[case("invalid type: sequence, expected struct TenderForm", ".", "body", "body must be an object")]
    #[case("invalid length 3, expected fewer elements", "a", "a", "a has the wrong type or length")]
    #[case(
        "unknown variant `x`, expected `best` or `newest`",
        "sort",
        "sort",
        "sort must be one of: best, newest"
    )]
    #[case("unknown variant `x`, expected one of `a`, `b`, `c`", "s", "s", "s must be one of: a, b, c")]
    #[case("invalid digit found in string", "page", "page", "page must be a whole number")]
    #[case("provided string was not `true` or `false`", "isLive", "isLive", "isLive must be true or false")]
    #[case("data did not match any variant of untagged enum X", "a", "a", "a has the wrong type or length")]
    #[case("UUID parsing failed: invalid length", "id", "id", "id must be a UUID")]
    #[case("must be a number from 1 to 50", "limit", "limit", "must be a number from 1 to 50")]
    fn parser_errors_are_rewritten_in_plain_english(
        #[case] parser_message: &str,
        #[case] path: &str,
        #[case] field: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(field_error(path, "body", parser_message), FieldError::new(field, expected));
    }
}
