//! Checks that error messages for users have translations.

use super::Reply;
use tender_model::vocabulary::Language;

/// Parts of error messages that address programmers. Such messages are not translated.
const PROGRAM_MESSAGES: [&str; 13] = [
    "JSON",
    "The form ",
    "The query string",
    "This address does not support",
    "UUID",
    "a code of three letters",
    "a sector (such as construction)",
    "at most one of",
    "` is not a",
    "multipart/form-data",
    "must be a number from",
    "This API key",
    "This request needs a session",
];

/// Parts of parser errors, which users must not see.
const PARSER_ERRORS: [&str; 14] = [
    "missing field",
    "unknown field",
    "duplicate field",
    "unknown variant",
    "invalid type",
    "invalid value",
    "invalid length",
    "digit found",
    "float literal",
    "too large to fit",
    "provided string was not",
    "untagged enum",
    "EOF while",
    ", expected",
];

/// Fails if an error message has no translation, or if the response shows a parser error. Routes
/// for operators and payment providers are exempt, because programs call them.
#[track_caller]
pub fn assert_translated(path: &str, reply: &Reply) {
    if reply.status.is_success() {
        return;
    }
    if ["/ingest", "/mail", "/webhooks"].iter().any(|prefix| path.starts_with(prefix)) {
        return;
    }
    for part in PARSER_ERRORS {
        assert!(!reply.text().contains(part), "{path}: {}", reply.text());
    }
    let body = reply.json();
    let errors = body["errors"].as_array().into_iter().flatten();
    let messages = errors.chain([&body]).filter_map(|error| error["message"].as_str());
    let is_english =
        |message: &&str| !message.chars().any(|letter| ('\u{b80}'..='\u{dff}').contains(&letter));
    let is_for_people = |message: &&str| !PROGRAM_MESSAGES.iter().any(|part| message.contains(part));
    for message in messages.filter(is_english).filter(is_for_people) {
        for language in [Language::Sinhala, Language::Tamil] {
            let translation = api::base::i18n::messages::translate(message, language);
            assert!(translation.is_some(), "{path}: {message:?} has no translation in {language}");
        }
    }
}
