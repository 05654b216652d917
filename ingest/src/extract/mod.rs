//! Extracts a tender from the text of a clip. Most values have a confidence, and the printed words
//! as evidence. Values that contradict each other become doubtful.
//!
//! The [`rules`] read fields with patterns. The [`classifier`] supplies values that the rules do
//! not find or are not certain of. The [`pipeline`] combines both.

pub(crate) mod alternatives;
pub mod classifier;
pub(crate) mod confidence;
mod field_states;
mod gazetteer;
pub(crate) mod grounding;
mod language;
mod notice_words;
mod page_header;
pub(crate) mod pipeline;
mod printed;
pub(crate) mod rules;
mod second_choices;
pub(crate) mod tender_builder;

pub use confidence::CONFIDENCE_THRESHOLD;
pub use field_states::{KEY_FIELDS, doubts, field_states, has_title, is_doubted_as_notice};
pub use gazetteer::{
    Gazetteer, GazetteerError, MAX_BYTES as MAX_GAZETTEER_BYTES, MIN_AGREEING_NOTICES, MIN_LEARNED_CONFIDENCE,
};
pub(crate) use notice_words::notice_words;
pub use page_header::{HEADER_HEIGHT, PageHeader, find_page_header};
pub use pipeline::{
    Extracted, RULES_VERSION, extract, extract_confirmed, extract_with_classifier, extract_with_gazetteer,
};
pub use printed::{Found, MAX_TEXT, Printed};
pub use rules::fallback_title::add_fallback_title;
pub use rules::heading::headings;
pub use rules::kind::RejectionReason;

#[cfg(test)]
mod tests;
