//! [`Paper`]: a tender's texts as the percolator reads them: all words in one string, a line a text, each distinct word once with all
//! its places.

use super::hash::forwards;
use crate::{
    document::{TextField, texts},
    tender::Tender,
    text::Words,
};
use std::ops::Range;

/// A tender's words.
pub(super) struct Paper<'a> {
    /// Every text's words joined by one space, a line break after each text.
    pub(super) joined: String,
    texts: Vec<Text<'a>>,
    /// Every word in order.
    pub(super) places: Vec<Place>,
    /// Each distinct word.
    pub(super) distinct: Vec<Distinct>,
}

struct Text<'a> {
    field: TextField,
    original: &'a str,
    words: Words,
    /// Its first byte in `joined`.
    start: usize,
}

/// One place of a word.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) hash: u64,
    /// The next place of the same word, or [`NONE`].
    next: u32,
}

/// A word that occurs.
pub(super) struct Distinct {
    pub(super) hash: u64,
    first: u32,
    last: u32,
}

/// No further place.
const NONE: u32 = u32::MAX;

impl<'a> Paper<'a> {
    pub(super) fn of(tender: &'a Tender) -> Self {
        let mut paper =
            Self { joined: String::new(), texts: Vec::new(), places: Vec::new(), distinct: Vec::new() };
        for (field, original) in texts(tender).filter(|(_, text)| !text.is_empty()) {
            let words = Words::of(original);
            let start = paper.joined.len();
            paper.joined.push_str(words.as_str());
            paper.joined.push('\n');
            paper.places.extend(words.places().iter().map(|word| Place {
                start: start + word.start,
                end: start + word.end,
                hash: forwards(&words.as_str().as_bytes()[word.start..word.end]),
                next: NONE,
            }));
            paper.texts.push(Text { field, original, words, start });
        }
        paper.find_distinct();
        paper
    }

    /// Chains the places of equal words, by open addressing in a table at most half full.
    fn find_distinct(&mut self) {
        let size = (2 * self.places.len()).next_power_of_two();
        let mut table = vec![NONE; size];
        for index in 0..self.places.len() {
            let place = self.places[index];
            let mut slot = place.hash as usize & (size - 1);
            loop {
                let Some(known) = self.distinct.get_mut(table[slot] as usize) else {
                    table[slot] = self.distinct.len() as u32;
                    self.distinct.push(Distinct {
                        hash: place.hash,
                        first: index as u32,
                        last: index as u32,
                    });
                    break;
                };
                let first = &self.places[known.first as usize];
                let same = known.hash == place.hash
                    && self.joined[first.start..first.end] == self.joined[place.start..place.end];
                if same {
                    self.places[known.last as usize].next = index as u32;
                    known.last = index as u32;
                    break;
                }
                slot = (slot + 1) & (size - 1);
            }
        }
    }

    /// The word itself.
    pub(super) fn word(&self, distinct: &Distinct) -> &str {
        let place = &self.places[distinct.first as usize];
        &self.joined[place.start..place.end]
    }

    /// All places of a word, in order.
    pub(super) fn places_of(&self, distinct: &Distinct) -> impl Iterator<Item = &Place> {
        let mut next = distinct.first;
        std::iter::from_fn(move || {
            let place = self.places.get(next as usize)?;
            next = place.next;
            Some(place)
        })
    }

    /// The hashes of the words before and after each place of a word, whichever text they belong to.
    pub(super) fn neighbours_of(
        &self,
        distinct: &Distinct,
    ) -> impl Iterator<Item = (Option<u64>, Option<u64>)> {
        let hash = |index: Option<usize>| self.places.get(index?).map(|place| place.hash);
        let mut next = distinct.first;
        std::iter::from_fn(move || {
            let index = next as usize;
            next = self.places.get(index)?.next;
            Some((hash(index.checked_sub(1)), hash(index.checked_add(1))))
        })
    }

    /// The text that a range of `joined` lies in, and the bytes there that it came from.
    pub(super) fn origin(&self, range: Range<usize>) -> Option<(TextField, Range<usize>)> {
        let text =
            &self.texts[self.texts.partition_point(|text| text.start <= range.start).checked_sub(1)?];
        let inner = range.start - text.start..range.end - text.start;
        Some((text.field, text.words.origin(text.original, inner)))
    }
}
