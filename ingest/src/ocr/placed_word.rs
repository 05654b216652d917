//! [`PlacedWord`] is a word with its place in a clip.

use crate::base::Word;

/// A word and its box in the coordinates of its clip.
#[derive(Debug, Clone)]
pub(super) struct PlacedWord {
    pub(super) word: Word,
    /// The box: `[left, top, right, bottom]`. Both axes have the same unit.
    pub(super) place: [f64; 4],
}

impl PlacedWord {
    pub(super) fn height(&self) -> f64 {
        self.place[3] - self.place[1]
    }
}
