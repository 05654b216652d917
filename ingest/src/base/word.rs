//! A word with its place on the page.

use index::tender::PageBox;
use serde::{Deserialize, Serialize};

/// A word and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// As printed, without spaces.
    pub text: String,
    /// On the page, in fractions of it: `[x, y, width, height]`. All zero where it is unknown.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// How sure the reader is, 0 to 1.
    pub confidence: f64,
}
