//! Extracts a tender from the text of a clip. Each value has a confidence, and the printed words as
//! evidence. Contradictions in the text make a field doubtful.
//!
//! [`rules`] has one file per group of fields, [`classifier`] adds what the rules miss, and
//! [`pipeline`] combines them.

pub(crate) mod alternatives;
pub mod classifier;
pub(crate) mod confidence;
mod field_states;
mod gazetteer;
pub(crate) mod grounding;
mod language;
mod page_header;
pub(crate) mod pipeline;
mod printed;
pub(crate) mod rules;
pub(crate) mod tender_builder;

pub use confidence::CONFIDENCE_THRESHOLD;
pub use field_states::{KEY_FIELDS, doubts, field_states, has_title, is_doubted_as_notice};
pub use gazetteer::{
    Gazetteer, GazetteerError, MAX_BYTES as MAX_GAZETTEER_BYTES, MIN_AGREEING_NOTICES, MIN_LEARNED_CONFIDENCE,
};
pub use page_header::{HEADER_HEIGHT, PageHeader, find_page_header};
pub use pipeline::{Extracted, RULES_VERSION, extract, extract_with_classifier, extract_with_gazetteer};
pub use printed::{Found, MAX_TEXT, Printed};
pub use rules::fallback_title::add_fallback_title;
pub use rules::heading::headings;
pub use rules::kind::Reason;

#[cfg(test)]
mod tests;
