//! Rewrites parser errors into plain words. All messages of the extractors pass through here.

use crate::domain::error::FieldError;

/// Plain words for what a parser expected, by the start of its own term.
const KINDS: [(&str, &str); 16] = [
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

/// Rewrites a parser's message for the field at this path; `.` is the whole input, called `whole`.
/// Our own messages stay unchanged.
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
    let message = of_value(&field, message).unwrap_or_else(|| message.to_owned());
    FieldError::new(field, message)
}

/// Rewrites a parser's message about a value. `None` for our own messages.
fn of_value(field: &str, message: &str) -> Option<String> {
    let kind = |kind: &str| Some(format!("{field} must be {kind}"));
    if let Some((_, expected)) = expectation(message, "unknown variant") {
        let words: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        return Some(format!("{field} must be one of: {}", words.join(", ")));
    }
    for beginning in ["invalid type", "invalid value", "invalid length"] {
        if let Some((_, expected)) = expectation(message, beginning) {
            let known = KINDS.iter().find(|(begin, _)| expected.starts_with(begin));
            return match known {
                Some((_, words)) if beginning != "invalid length" => kind(words),
                _ => unfitting(field),
            };
        }
    }
    if message.starts_with("UUID parsing failed") {
        return kind("a UUID");
    }
    match message {
        "invalid digit found in string"
        | "cannot parse integer from empty string"
        | "number too large to fit in target type"
        | "number too small to fit in target type"
        | "number would be zero for non-zero type" => kind("a whole number"),
        "invalid float literal" | "cannot parse float from empty string" => kind("a number"),
        "provided string was not `true` or `false`" => kind("true or false"),
        _ if message.starts_with("data did not match any variant") => unfitting(field),
        _ => None,
    }
}

fn unfitting(field: &str) -> Option<String> {
    Some(format!("{field} is not of the kind that is expected here"))
}

/// Returns the name after a prefix that ends in a backquote.
fn quoted<'a>(message: &'a str, beginning: &str) -> Option<&'a str> {
    message.strip_prefix(beginning)?.split('`').next()
}

/// Returns the texts around "expected" in a message with this prefix.
fn expectation<'a>(message: &'a str, beginning: &str) -> Option<(&'a str, &'a str)> {
    message.strip_prefix(beginning)?.rsplit_once(", expected ").or_else(|| {
        // A variant's name may contain "expected": then only the prefix counts.
        message.starts_with(beginning).then_some((message, ""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

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
    #[case(
        "invalid length 3, expected fewer elements",
        "a",
        "a",
        "a is not of the kind that is expected here"
    )]
    #[case(
        "unknown variant `x`, expected `best` or `newest`",
        "sort",
        "sort",
        "sort must be one of: best, newest"
    )]
    #[case("unknown variant `x`, expected one of `a`, `b`, `c`", "s", "s", "s must be one of: a, b, c")]
    #[case("invalid digit found in string", "page", "page", "page must be a whole number")]
    #[case("provided string was not `true` or `false`", "isLive", "isLive", "isLive must be true or false")]
    #[case(
        "data did not match any variant of untagged enum X",
        "a",
        "a",
        "a is not of the kind that is expected here"
    )]
    #[case("UUID parsing failed: invalid length", "id", "id", "id must be a UUID")]
    #[case("must be a number from 1 to 50", "limit", "limit", "must be a number from 1 to 50")]
    fn parser_errors_become_plain(
        #[case] said: &str,
        #[case] path: &str,
        #[case] field: &str,
        #[case] told: &str,
    ) {
        assert_eq!(field_error(path, "body", said), FieldError::new(field, told));
    }
}
