//! Whatever people are refused can be said to them in every language of the portal.

use super::Reply;
use index::vocabulary::Language;

/// Words of what only a program can get wrong: they stay English.
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

/// Words of parsers, which nobody is told.
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

/// Fails on a message that a catalogue lacks. Operators' calls are a program's, and so are those of providers of payments.
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
