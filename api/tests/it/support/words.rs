//! Whatever people are refused can be said to them in every language of the portal.

use super::Reply;
use index::vocabulary::Language;

/// Words of what only a program can get wrong: they stay English.
const FOR_PROGRAMS: [&str; 23] = [
    "JSON",
    "The form ",
    "The query string",
    "This address does not take",
    "UUID",
    "a code of three letters",
    "a sector (such as construction)",
    "at most one of",
    "digit found",
    "invalid length",
    "invalid type",
    "` is not a",
    "missing field",
    "multipart/form-data",
    "must be a number from",
    "number too large",
    "provided string was not",
    "unknown field",
    "unknown variant",
    "invalid value",
    "duplicate field",
    "This API key",
    "No API key opens",
];

/// Fails on a message that a catalogue lacks. Operators' calls are a program's, and so are those of providers of payments.
#[track_caller]
pub fn hold(path: &str, reply: &Reply) {
    if reply.status.is_success()
        || ["/ingest", "/mail", "/webhooks"].iter().any(|calls| path.starts_with(calls))
    {
        return;
    }
    let body = reply.json();
    let errors = body["errors"].as_array().into_iter().flatten();
    let messages = errors.chain([&body]).filter_map(|said| said["message"].as_str());
    let is_english =
        |message: &&str| !message.chars().any(|letter| ('\u{b80}'..='\u{dff}').contains(&letter));
    let is_for_people = |message: &&str| !FOR_PROGRAMS.iter().any(|words| message.contains(words));
    for message in messages.filter(is_english).filter(is_for_people) {
        for language in [Language::Sinhala, Language::Tamil] {
            let words = api::locales::translated(message, language);
            assert!(words.is_some(), "{path} says {message:?}, for which there are no words in {language}");
        }
    }
}
