//! Checks that every failure message has translations.

use super::Reply;
use index::vocabulary::Language;

/// Messages for programs, which stay English.
const FOR_PROGRAMS: [&str; 13] = [
    "JSON",
    "The form ",
    "The query string",
    "This address does not take",
    "UUID",
    "a code of three letters",
    "a sector (such as construction)",
    "at most one of",
    "` is not a",
    "multipart/form-data",
    "must be a number from",
    "This API key",
    "No API key opens",
];

/// Parser messages, which users never see.
const OF_PARSERS: [&str; 14] = [
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

/// Fails if a message lacks a translation. Routes of operators and payment providers are for
/// programs.
#[track_caller]
pub fn hold(path: &str, reply: &Reply) {
    if reply.status.is_success() {
        return;
    }
    if ["/ingest", "/mail", "/webhooks"].iter().any(|calls| path.starts_with(calls)) {
        return;
    }
    for words in OF_PARSERS {
        assert!(!reply.text().contains(words), "{path}: {}", reply.text());
    }
    let body = reply.json();
    let errors = body["errors"].as_array().into_iter().flatten();
    let messages = errors.chain([&body]).filter_map(|said| said["message"].as_str());
    let is_english =
        |message: &&str| !message.chars().any(|letter| ('\u{b80}'..='\u{dff}').contains(&letter));
    let is_for_people = |message: &&str| !FOR_PROGRAMS.iter().any(|words| message.contains(words));
    for message in messages.filter(is_english).filter(is_for_people) {
        for language in [Language::Sinhala, Language::Tamil] {
            let words = api::base::i18n::messages::translated(message, language);
            assert!(words.is_some(), "{path} says {message:?}, for which there are no words in {language}");
        }
    }
}
