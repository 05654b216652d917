//! A decision as published: one line of JSON.

use super::plain;
use serde::Deserialize;
use tender_model::vocabulary::Day;

/// The longest line of a file of decisions, in bytes.
pub const MAX_LINE_BYTES: usize = 256 * 1024;

/// A published decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The key at the source.
    pub key: String,
    /// The title.
    pub title: String,
    /// The day of the decision.
    pub decided_on: Day,
    /// The number of the decision on its day.
    pub number: u32,
    /// Where it is published.
    pub source_url: String,
    /// The text.
    pub details: String,
}

/// A line that is not a decision.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// The line is too long.
    #[error("the line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// The line is not UTF-8.
    #[error("the line is not UTF-8")]
    Encoding,
    /// The line is not the JSON of a decision.
    #[error("the line is not a decision: {0}")]
    Json(#[from] serde_json::Error),
    /// A field is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
}

/// The fields of a line. Further fields are ignored.
#[derive(Deserialize)]
struct Line {
    key: String,
    title: String,
    date_str: Day,
    decision_num: u32,
    source_url: String,
    decision_details: String,
}

impl Decision {
    /// Parses a line.
    ///
    /// # Errors
    /// [`DecisionError`] says why the line is not a decision.
    pub fn parse(line: &[u8]) -> Result<Self, DecisionError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(DecisionError::TooLong);
        }
        let line = std::str::from_utf8(line).map_err(|_| DecisionError::Encoding)?;
        let line: Line = serde_json::from_str(line)?;
        for (field, value) in
            [("key", &line.key), ("title", &line.title), ("decision_details", &line.decision_details)]
        {
            if value.trim().is_empty() {
                return Err(DecisionError::Empty(field));
            }
        }
        Ok(Self {
            key: line.key.trim().to_owned(),
            title: plain(&line.title),
            decided_on: line.date_str,
            number: line.decision_num,
            source_url: line.source_url.trim().to_owned(),
            details: line.decision_details,
        })
    }
}
