//! [`NgramIndex`]: indexes each needle under one n-gram of its bytes. A rare n-gram is chosen, so
//! that few needles must be checked for a text. A Bloom filter rejects nearly all n-grams without
//! needles. The caller chooses at which positions of a text n-grams are looked up.

use super::{
    common_words::is_common,
    ngram::{WORD_LENGTHS, key_of, long_key, short_key},
};

/// The number of an atom, which is a distinct needle.
pub(super) type AtomId = u32;

/// The n-gram lengths for needles of several words. Each text is scanned once per length. Fewer
/// lengths than [`WORD_LENGTHS`] suffice, because needles of several words are long.
const PHRASE_LENGTHS: &[usize] = &[2, 4, 5, 6, 8, 12];

/// The number of bytes that must follow the end of a text.
pub(super) const PADDING: usize = 24;

/// The maximum number of n-grams of a needle that are compared to choose one.
const MAX_COMPARED_NGRAMS: usize = 48;

/// The cost of an n-gram by its length. Short n-grams cost more, because they occur more often in
/// texts. Each needle that is already indexed under the n-gram adds one to the cost.
const NGRAM_COST: [usize; 7] = [0, 1024, 256, 64, 16, 4, 0];

/// The minimum number of filter bits per needle.
const FILTER_BITS: usize = 16;

/// Needles by their n-grams.
#[derive(Debug)]
pub(super) struct NgramIndex {
    lengths: &'static [usize],
    /// One index for each of `lengths`.
    classes: Vec<LengthIndex>,
    /// Whether needles are indexed only under n-grams that start with the space before a word.
    at_words: bool,
}

/// The n-gram under which a needle is indexed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NgramPosition {
    /// The offset of the n-gram in the needle.
    pub(super) offset: u16,
    /// The index of the n-gram's length in `NgramIndex::lengths`.
    class: u8,
}

/// The n-grams of one length.
#[derive(Debug, Default)]
struct LengthIndex {
    /// A Bloom filter, with two bits in one word for each n-gram. Removed n-grams stay until the
    /// filter is rebuilt.
    filter: Vec<u64>,
    /// The number of needles removed since the filter was built.
    stale: usize,
    /// A hash table with open addressing and linear probing. It has one entry per needle.
    table: Vec<NgramEntry>,
    /// By how many bits a tag is shifted to the right to get a table position.
    shift: u32,
    /// The number of entries in the table.
    used: usize,
}

/// A needle under its n-gram, with a probe: up to four bytes of the needle, far from the n-gram. If
/// the text differs from the probe, the needle is not loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct NgramEntry {
    /// Half of the hash of the n-gram.
    tag: u32,
    /// The needle's number plus one, or 0 for an empty entry.
    atom: u32,
    probe: [u8; PROBE_BYTES],
    /// The offset of the probe relative to the n-gram.
    probe_at: i16,
    /// How many bytes of the probe are valid.
    probed: u8,
}

/// The maximum size of a probe.
const PROBE_BYTES: usize = 4;
/// The maximum distance of a probe from the n-gram.
const MAX_PROBE_DISTANCE: usize = 1 << 12;

impl NgramEntry {
    fn new(tag: u32, atom: AtomId, needle: &[u8], window: std::ops::Range<usize>) -> Self {
        let (length, offset) = (needle.len(), window.start);
        let probed = length.min(PROBE_BYTES);
        // The probe is at the end of the needle that is farther from the n-gram, or at the maximum
        // distance.
        let start = if length.saturating_sub(window.end) > offset {
            (length - probed).min(offset + MAX_PROBE_DISTANCE)
        } else {
            offset.saturating_sub(MAX_PROBE_DISTANCE).min(length - probed)
        };
        let mut probe = [0; PROBE_BYTES];
        probe[..probed].copy_from_slice(&needle[start..start + probed]);
        let probe_at = (start as isize - offset as isize) as i16;
        Self { tag, atom: atom + 1, probe, probe_at, probed: probed as u8 }
    }

    /// Whether the needle may occur in the text if its n-gram is at position `at`. [`PADDING`]
    /// bytes must follow the text.
    #[inline]
    fn may_occur(&self, text: &[u8], at: u32) -> bool {
        let at = (at as usize).wrapping_add_signed(self.probe_at.into());
        let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk()) else { return false };
        let unused = 8 * (PROBE_BYTES as u32 - u32::from(self.probed));
        (u32::from_le_bytes(*here) ^ u32::from_le_bytes(self.probe)).checked_shl(unused).unwrap_or(0) == 0
    }
}

/// A needle that may occur in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) atom: AtomId,
    /// The position of the n-gram in the text. Verification replaces it by the start of the needle.
    pub(super) at: u32,
}

impl NgramIndex {
    /// An index whose n-grams may start at any byte, for needles within one word.
    pub(super) fn anywhere() -> Self {
        Self {
            lengths: WORD_LENGTHS,
            classes: WORD_LENGTHS.iter().map(|_| LengthIndex::default()).collect(),
            at_words: false,
        }
    }

    /// An index whose n-grams start with the space before a word, for needles of several words.
    pub(super) fn at_words() -> Self {
        let classes = PHRASE_LENGTHS.iter().map(|_| LengthIndex::default()).collect();
        Self { lengths: PHRASE_LENGTHS, classes, at_words: true }
    }

    /// The n-gram with the lowest cost for a needle. The cost depends on the needles in the index.
    pub(super) fn choose_ngram(&self, needle: &[u8]) -> NgramPosition {
        let last = needle.len().saturating_sub(1);
        let starts = (0..=last.min(u16::MAX.into()))
            .filter(|at| !self.at_words || (needle[*at] == b' ' && *at < last));
        let windows = starts.take(MAX_COMPARED_NGRAMS).map(|at| {
            let class =
                self.lengths.iter().rposition(|length| *length <= needle.len() - at).unwrap_or_default();
            NgramPosition { offset: at as u16, class: class as u8 }
        });
        let rarest = windows.min_by_key(|window| {
            let (class, key) = self.key(needle, *window);
            let length = self.lengths[class];
            let cost = NGRAM_COST[length.min(NGRAM_COST.len() - 1)] + 4 * usize::from(is_common(length, key));
            (self.classes[class].get(tag_of(key)).count() + cost, window.offset)
        });
        rarest.unwrap_or_default()
    }

    pub(super) fn insert(&mut self, needle: &[u8], window: NgramPosition, atom: AtomId) {
        let (class, entry) = self.entry(needle, window, atom);
        self.classes[class].insert(entry);
    }

    pub(super) fn remove(&mut self, needle: &[u8], window: NgramPosition, atom: AtomId) {
        let (class, entry) = self.entry(needle, window, atom);
        self.classes[class].remove(entry);
    }

    fn entry(&self, needle: &[u8], window: NgramPosition, atom: AtomId) -> (usize, NgramEntry) {
        let (class, key) = self.key(needle, window);
        let start = usize::from(window.offset);
        (class, NgramEntry::new(tag_of(key), atom, needle, start..start + self.lengths[class]))
    }

    /// The index of an n-gram's length, and the n-gram's key.
    fn key(&self, needle: &[u8], window: NgramPosition) -> (usize, u64) {
        let class = usize::from(window.class);
        (class, key_of(&needle[usize::from(window.offset)..], self.lengths[class]))
    }

    /// Appends to `candidates` the needles that may occur because their n-gram is at one of
    /// `positions`. The order is by n-gram length and then by position. [`PADDING`] bytes must
    /// follow the text. `found` is working memory.
    pub(super) fn find_candidates(
        &self,
        text: &[u8],
        positions: impl Iterator<Item = usize> + Clone,
        found: &mut Vec<NgramHit>,
        candidates: &mut Vec<Candidate>,
    ) {
        found.resize(text.len(), NgramHit::default());
        for (length, windows) in
            self.lengths.iter().zip(&self.classes).filter(|(_, windows)| windows.used > 0)
        {
            let positions = positions.clone();
            let count = match length {
                1 => windows.scan::<1>(text, positions, found),
                2 => windows.scan::<2>(text, positions, found),
                3 => windows.scan::<3>(text, positions, found),
                4 => windows.scan::<4>(text, positions, found),
                5 => windows.scan::<5>(text, positions, found),
                6 => windows.scan::<6>(text, positions, found),
                7 => windows.scan::<7>(text, positions, found),
                8 => windows.scan::<8>(text, positions, found),
                _ => windows.scan::<12>(text, positions, found),
            };
            let found = &found[..count];
            super::prefetch::touch(found.iter().map(|hit| windows.table[windows.home(hit.tag)].tag));
            for hit in found {
                let entries = windows.get(hit.tag).filter(|entry| entry.may_occur(text, hit.at));
                candidates.extend(entries.map(|entry| Candidate { atom: entry.atom - 1, at: hit.at }));
            }
        }
    }
}

/// A position in a text at which an n-gram passed the filter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NgramHit {
    at: u32,
    tag: u32,
}

/// The tag of an n-gram: half of a hash of its key.
const fn tag_of(key: u64) -> u32 {
    ((key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The filter word of a tag. `mask` is the number of words minus one.
const fn word_of(tag: u32, mask: usize) -> usize {
    tag as usize >> 12 & mask
}

/// The two bits of a tag in its filter word.
const fn bits_of(tag: u32) -> u64 {
    1 << (tag & 63) | 1 << (tag >> 6 & 63)
}

impl LengthIndex {
    /// Writes the positions whose n-grams pass the filter to `found`, and returns their number.
    fn scan<const LENGTH: usize>(
        &self,
        text: &[u8],
        positions: impl Iterator<Item = usize>,
        found: &mut [NgramHit],
    ) -> usize {
        let filter = self.filter.as_slice();
        let mask = filter.len().wrapping_sub(1);
        let mut count = 0;
        for at in positions {
            let Some(window) = text.get(at..).and_then(|rest| rest.first_chunk()) else { continue };
            let key = if LENGTH <= 8 { short_key::<LENGTH>(window) } else { long_key(window) };
            let tag = tag_of(key);
            let bits = bits_of(tag);
            let known = filter.get(word_of(tag, mask)).is_some_and(|word| word & bits == bits);
            found[count] = NgramHit { at: at as u32, tag };
            count += usize::from(known);
        }
        count
    }

    /// The needles whose n-gram has this tag.
    fn get(&self, tag: u32) -> impl Iterator<Item = &NgramEntry> {
        let mask = self.table.len().wrapping_sub(1);
        let mut at = self.home(tag);
        std::iter::from_fn(move || {
            loop {
                let entry = self.table.get(at & mask).filter(|entry| entry.atom != 0)?;
                at += 1;
                if entry.tag == tag {
                    return Some(entry);
                }
            }
        })
    }

    /// The first table position of a tag.
    const fn home(&self, tag: u32) -> usize {
        (tag >> self.shift) as usize
    }

    fn insert(&mut self, entry: NgramEntry) {
        if 2 * (self.used + 1) > self.table.len() {
            self.grow();
        }
        self.put_entry(entry);
        self.used += 1;
        self.mark(entry.tag);
        self.maintain_filter();
    }

    /// Removes an entry, and moves later entries up so that linear probing still finds them.
    fn remove(&mut self, gone: NgramEntry) {
        let mask = self.table.len().wrapping_sub(1);
        let mut hole = self.home(gone.tag);
        while self.table.get(hole).is_some_and(|entry| *entry != gone && entry.atom != 0) {
            hole = (hole + 1) & mask;
        }
        if self.table.get(hole) != Some(&gone) {
            return;
        }
        let mut at = (hole + 1) & mask;
        while self.table[at].atom != 0 {
            let home = self.home(self.table[at].tag);
            // An entry may move into the hole if its first position is not after the hole.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.table[hole] = self.table[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        self.table[hole] = NgramEntry::default();
        self.used -= 1;
        self.stale += 1;
        self.maintain_filter();
    }

    /// Inserts an entry. The table must have room.
    fn put_entry(&mut self, entry: NgramEntry) {
        let mut at = self.home(entry.tag);
        while self.table[at].atom != 0 {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at] = entry;
    }

    fn grow(&mut self) {
        let length = (2 * self.table.len()).max(64);
        let old = std::mem::replace(&mut self.table, vec![NgramEntry::default(); length]);
        self.shift = 32 - length.trailing_zeros();
        for entry in old.into_iter().filter(|entry| entry.atom != 0) {
            self.put_entry(entry);
        }
    }

    fn mark(&mut self, tag: u32) {
        let mask = self.filter.len().wrapping_sub(1);
        if let Some(word) = self.filter.get_mut(word_of(tag, mask)) {
            *word |= bits_of(tag);
        }
    }

    /// Rebuilds the filter if it is too small or holds too many removed n-grams.
    fn maintain_filter(&mut self) {
        if self.used * FILTER_BITS <= self.filter.len() * 64 && self.stale <= self.used + 64 {
            return;
        }
        self.filter = vec![0; (2 * self.used * FILTER_BITS / 64).next_power_of_two().max(64)];
        self.stale = 0;
        for at in 0..self.table.len() {
            if self.table[at].atom != 0 {
                self.mark(self.table[at].tag);
            }
        }
    }
}
