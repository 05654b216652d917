//! Anchors: each pattern is filed under one thing that a text must hold for the pattern to match, the rarest it has, so that a
//! tender's words lead to the few patterns worth reading.

use super::{
    common::{GRAM, grams, is_common, is_common_gram},
    hash::{self, HashedMap, Rolling},
};
use crate::{
    query::{Pattern, Side},
    text::LONGEST_WORD,
};
use std::ops::Range;

/// An atom's number.
pub(super) type AtomId = u32;

/// What a pattern is filed under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole word.
    Whole,
    /// Two whole words side by side, where both are common.
    Pair,
    /// The beginning of a word.
    Prefix,
    /// The end of a word.
    Suffix,
    /// A run of characters in a word.
    Gram,
}

const KINDS: usize = 5;

/// One pattern's anchor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) kind: Kind,
    hash: u64,
    /// Bytes of a prefix or suffix, characters of a gram.
    length: u16,
    /// Where in the pattern the anchor's word begins, or for a suffix ends.
    pub(super) offset: u16,
    /// What must stand beside a whole word or a gram; see [`Hint`].
    hint: Hint,
}

/// A trace of what stands beside the anchor, 0 for nothing: it rules out most patterns without reading them. For a whole word, of
/// the word before or after; for a gram, of the byte before and the two after.
type Hint = u32;

/// An atom in an anchor's list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filed {
    pub(super) atom: AtomId,
    pub(super) hint: Hint,
}

/// The hint that the word before has this hash.
pub(super) const fn before(hash: u64) -> Hint {
    (hash >> 32) as Hint & !1 | 2
}

/// The hint that the word after has this hash.
pub(super) const fn after(hash: u64) -> Hint {
    (hash >> 32) as Hint | 3
}

/// The hint of what stands around a gram in a pattern.
fn around(word: &[u8], gram: Range<usize>) -> Hint {
    let before = gram.start.checked_sub(1).and_then(|index| word.get(index));
    let sides = [before, word.get(gram.end), word.get(gram.end + 1)];
    sides.iter().enumerate().fold(0, |hint, (side, byte)| {
        byte.map_or(hint, |byte| hint | 1 << side | u32::from(*byte) << (8 * (side + 1)))
    })
}

/// Whether a gram's hint agrees with what stands around the gram in a word.
pub(super) fn fits(hint: Hint, word: &[u8], gram: &Range<usize>) -> bool {
    let here = around(word, gram.clone());
    let mask = (0..3)
        .fold(7, |mask, side| if hint & 1 << side == 0 { mask } else { mask | 0xff << (8 * (side + 1)) });
    // All that the hint asks for must be there, and be the same.
    hint & 7 & !here == 0 && (hint ^ here) & mask & !7 == 0
}

/// Every anchor with its atoms.
#[derive(Default)]
pub(super) struct Anchors {
    lists: [HashedMap<Vec<Filed>>; KINDS],
    /// How many prefixes and suffixes there are of each length in bytes, and grams in characters.
    prefixes: Lengths,
    suffixes: Lengths,
    grams: [u32; GRAM + 1],
}

struct Lengths {
    counts: [u32; LONGEST_WORD + 1],
    longest: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { counts: [0; LONGEST_WORD + 1], longest: 0 }
    }
}

impl Lengths {
    fn add(&mut self, length: u16) {
        self.counts[usize::from(length)] += 1;
        self.longest = self.longest.max(usize::from(length));
    }

    fn subtract(&mut self, length: u16) {
        self.counts[usize::from(length)] -= 1;
        while self.longest > 0 && self.counts[self.longest] == 0 {
            self.longest -= 1;
        }
    }

    /// The hash of each beginning of `bytes` whose length is in use.
    fn hashes(&self, bytes: impl Iterator<Item = u8>) -> impl Iterator<Item = u64> {
        let mut rolling = Rolling::new();
        bytes.take(self.longest).enumerate().filter_map(move |(index, byte)| {
            rolling.push(byte);
            (self.counts[index + 1] > 0).then(|| rolling.value())
        })
    }
}

impl Anchors {
    /// The best anchor of a pattern, now.
    pub(super) fn choose(&self, pattern: &Pattern) -> Anchor {
        let parts: Vec<(usize, &str, Side)> = pattern.parts().collect();
        let whole =
            parts.iter().enumerate().filter(|(_, (_, _, side))| *side == Side::Whole).max_by_key(
                |(index, (_, word, _))| (!is_common(word), word.len(), std::cmp::Reverse(*index)),
            );
        if let Some((index, (start, word, _))) = whole {
            let mut single = Anchor::new(Kind::Whole, hash::forwards(word.as_bytes()), word.len(), *start);
            single.hint = hint(&parts, index);
            if !is_common(word) {
                return single;
            }
            return open_end(&parts).filter(|open| open.length > 3).or(common_pair(&parts)).unwrap_or(single);
        }
        // What is left is a single word, or two whose outer sides are open.
        open_end(&parts).unwrap_or_else(|| self.rarest_gram(pattern.as_str()))
    }

    fn rarest_gram(&self, word: &str) -> Anchor {
        let load = |hash: u64| self.lists[Kind::Gram as usize].get(&hash).map_or(0, Vec::len);
        let candidates = grams(word).map(|(gram, start)| (hash::forwards(gram.as_bytes()), start, gram));
        let rarest = candidates.min_by_key(|(hash, ..)| (is_common_gram(*hash), load(*hash)));
        let (hash, start, gram) = rarest.unwrap_or((0, 0, word));
        let hint = around(word.as_bytes(), start..start + gram.len());
        Anchor { hint, ..Anchor::new(Kind::Gram, hash, gram.chars().count(), 0) }
    }

    /// Files an atom; answers its place in its list.
    pub(super) fn insert(&mut self, anchor: Anchor, atom: AtomId) -> usize {
        match anchor.kind {
            Kind::Whole | Kind::Pair => {}
            Kind::Prefix => self.prefixes.add(anchor.length),
            Kind::Suffix => self.suffixes.add(anchor.length),
            Kind::Gram => self.grams[usize::from(anchor.length)] += 1,
        }
        let list = self.lists[anchor.kind as usize].entry(anchor.hash).or_default();
        list.push(Filed { atom, hint: anchor.hint });
        list.len() - 1
    }

    /// Takes an atom out of its place; answers the atom that stands there now.
    pub(super) fn remove(&mut self, anchor: Anchor, place: usize) -> Option<AtomId> {
        match anchor.kind {
            Kind::Whole | Kind::Pair => {}
            Kind::Prefix => self.prefixes.subtract(anchor.length),
            Kind::Suffix => self.suffixes.subtract(anchor.length),
            Kind::Gram => self.grams[usize::from(anchor.length)] -= 1,
        }
        let lists = &mut self.lists[anchor.kind as usize];
        let list = lists.get_mut(&anchor.hash)?;
        list.swap_remove(place);
        let moved = list.get(place).map(|filed| filed.atom);
        if list.is_empty() {
            lists.remove(&anchor.hash);
        }
        moved
    }

    /// The atoms filed under a whole word.
    pub(super) fn whole(&self, hash: u64) -> &[Filed] {
        self.list(Kind::Whole, hash)
    }

    /// The atoms filed under two words side by side.
    pub(super) fn pair(&self, first: u64, second: u64) -> &[Filed] {
        self.list(Kind::Pair, hash::pair(first, second))
    }

    /// Whether any atom is filed under a pair.
    pub(super) fn has_pairs(&self) -> bool {
        !self.lists[Kind::Pair as usize].is_empty()
    }

    /// The atoms filed under a beginning of the word.
    pub(super) fn prefixes(&self, word: &str) -> impl Iterator<Item = &[Filed]> {
        self.prefixes.hashes(word.bytes()).map(|hash| self.list(Kind::Prefix, hash))
    }

    /// The atoms filed under an end of the word.
    pub(super) fn suffixes(&self, word: &str) -> impl Iterator<Item = &[Filed]> {
        self.suffixes.hashes(word.bytes().rev()).map(|hash| self.list(Kind::Suffix, hash))
    }

    /// The atoms filed under a run of characters in the word, and where that runs.
    pub(super) fn grams(&self, word: &str) -> impl Iterator<Item = (&[Filed], Range<usize>)> {
        let any = self.grams.iter().any(|count| *count > 0);
        let starts = word.char_indices().take(if any { usize::MAX } else { 0 });
        starts.flat_map(move |(start, _)| {
            let (mut rolling, mut end) = (Rolling::new(), start);
            word[start..].chars().take(GRAM).enumerate().filter_map(move |(index, c)| {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| rolling.push(byte));
                end += c.len_utf8();
                (self.grams[index + 1] > 0).then(|| (self.list(Kind::Gram, rolling.value()), start..end))
            })
        })
    }

    fn list(&self, kind: Kind, hash: u64) -> &[Filed] {
        self.lists[kind as usize].get(&hash).map_or(&[], Vec::as_slice)
    }
}

impl Anchor {
    fn new(kind: Kind, hash: u64, length: usize, offset: usize) -> Self {
        let narrow = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Self { kind, hash, length: narrow(length), offset: narrow(offset), hint: 0 }
    }
}

/// What must stand beside the whole word number `index`.
fn hint(parts: &[(usize, &str, Side)], index: usize) -> Hint {
    let whole = |index: Option<usize>| {
        let (_, word, _) = parts.get(index?).filter(|(_, _, side)| *side == Side::Whole)?;
        Some(hash::forwards(word.as_bytes()))
    };
    whole(Some(index + 1)).map(after).or_else(|| whole(index.checked_sub(1)).map(before)).unwrap_or(0)
}

/// The longer of the words with one open side.
fn open_end(parts: &[(usize, &str, Side)]) -> Option<Anchor> {
    let open = parts.iter().filter(|(_, _, side)| matches!(side, Side::Prefix | Side::Suffix));
    let (start, word, side) = *open.max_by_key(|(_, word, _)| word.len())?;
    Some(match side {
        Side::Suffix => {
            Anchor::new(Kind::Suffix, hash::backwards(word.as_bytes()), word.len(), start + word.len())
        }
        _ => Anchor::new(Kind::Prefix, hash::forwards(word.as_bytes()), word.len(), start),
    })
}

/// The longest two whole words side by side.
fn common_pair(parts: &[(usize, &str, Side)]) -> Option<Anchor> {
    let pairs = parts.windows(2).filter(|pair| pair.iter().all(|(_, _, side)| *side == Side::Whole));
    let longest = pairs.max_by_key(|pair| pair[0].1.len() + pair[1].1.len())?;
    let hash = hash::pair(hash::forwards(longest[0].1.as_bytes()), hash::forwards(longest[1].1.as_bytes()));
    Some(Anchor::new(Kind::Pair, hash, 0, longest[0].0))
}
