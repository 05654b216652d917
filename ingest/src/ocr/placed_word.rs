//! A word with its box in the coordinates of its clip.

use crate::base::Word;

/// A word and its box `[left, top, right, bottom]`, in any unit that is the same for both axes.
#[derive(Debug, Clone)]
pub(super) struct PlacedWord {
    pub(super) word: Word,
    pub(super) place: [f64; 4],
}

impl PlacedWord {
    pub(super) fn height(&self) -> f64 {
        self.place[3] - self.place[1]
    }
}
