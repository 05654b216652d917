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
}
