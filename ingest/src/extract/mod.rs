//! Extraction: from the text of a clip to a tender. Each value has a confidence and the printed
//! words it was read from. Nothing is guessed, and contradicting places make a field doubtful.
//!
//! [`rules`] has one file per group of fields, [`classifier`] adds what the rules miss, and
//! [`pipeline`] combines them.

pub(crate) mod alternatives;
pub mod classifier;
pub(crate) mod confidence;
mod gazetteer;
pub(crate) mod grounding;
mod language;
mod page_header;
pub(crate) mod pipeline;
mod printed;
pub(crate) mod rules;
mod states;
pub(crate) mod tender_builder;

pub use confidence::CONFIDENCE_LINE;
pub use gazetteer::{Gazetteer, GazetteerError, LEARNT_BY, LEARNT_FROM, MAX_BYTES as MAX_GAZETTEER_BYTES};
pub use page_header::{HEADER_HEIGHT, PageHeader, head};
pub use pipeline::{Extracted, RULES_VERSION, extract, extract_by, extract_with};
pub use printed::{Found, MAX_TEXT, Printed};
pub use rules::fallback_title::name_untitled;
pub use rules::heading::headings;
pub use rules::kind::Reason;
pub use states::{KEY_FIELDS, doubts, field_states, has_title, is_doubted_as_notice};

#[cfg(test)]
mod tests;
