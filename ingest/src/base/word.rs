//! A word and its position on the page.

use serde::{Deserialize, Serialize};
use tender_model::tender::PageBox;

/// A word and its position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The printed text, without spaces.
    pub text: String,
    /// The box of the word as fractions of the page: `[x, y, width, height]`. All zero if unknown.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// The confidence of the reader, 0 to 1.
    pub confidence: f64,
    /// What another recogniser, or the same recogniser in another size, read here instead. `None`
    /// if the readings agree or the word was read once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_choice: Option<String>,
}

impl Word {
    /// A word without a second choice.
    #[must_use]
    pub const fn new(text: String, area: PageBox, confidence: f64) -> Self {
        Self { text, area, confidence, second_choice: None }
    }
}
