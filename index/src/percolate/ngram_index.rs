//! NgramIndex: each needle is filed under a short run of its bytes, the rarest it has, so that the windows of a tender's text lead to the few needles
//! worth reading. A small filter of bits answers for nearly all windows that lead nowhere. Which windows of a text are looked at, its
//! reader says.

use super::common_words::is_common;

/// A needle's number.
pub(super) type AtomId = u32;

/// The lengths of windows in bytes, for needles that lie within a word. A needle is filed under the longest that fits in it.
pub(super) const IN_WORDS: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 12];

/// Those for needles that run over several words, which are long: fewer of them, as every text is looked through for each.
const OVER_WORDS: &[usize] = &[2, 4, 5, 6, 8, 12];

/// How many bytes must stand behind the last byte of a text that is read.
pub(super) const PADDING: usize = 24;

/// At most so many windows of a needle are compared to find the rarest.
const MOST_WINDOWS: usize = 48;

/// What a window of so many bytes weighs against one more needle under the same window: the shorter, the more often it stands in a text.
const BURDEN: [usize; 7] = [0, 1024, 256, 64, 16, 4, 0];

/// Bits of the filter for each needle, at least.
const FILTER_BITS: usize = 16;

/// All windows in use.
#[derive(Debug)]
pub(super) struct NgramIndex {
    lengths: &'static [usize],
    /// By length.
    classes: Vec<LengthIndex>,
    /// Whether only windows that begin with the space before a word will be looked at.
    at_words: bool,
}

/// Where a needle is filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NgramPosition {
    /// Where in the needle it begins.
    pub(super) offset: u16,
    /// Its length's place among the lengths.
    class: u8,
}

/// The windows of one length.
#[derive(Debug, Default)]
struct LengthIndex {
    /// Two bits in one word for each window in use, by its hash, and for some that were.
    filter: Vec<u64>,
    /// Needles taken out since the filter was made.
    stale: usize,
    /// Open addressing with linear probing; one entry a needle.
    table: Vec<NgramEntry>,
    /// How far a tag is shifted to be a place in the table.
    shift: u32,
    used: usize,
}

/// A needle under its window, and four of its bytes far from there: where the text has others, the needle need not be looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct NgramEntry {
    /// Half of the window's hash.
    tag: u32,
    /// One more than the needle's number; 0 for a free place.
    atom: u32,
    probe: [u8; PROBE],
    /// Where they stand, counted from the window.
    probe_at: i16,
    /// How many of them count.
    probed: u8,
}

/// How many bytes of a needle an entry holds, and how far from the window at most.
const PROBE: usize = 4;
const FAR: usize = 1 << 12;

impl NgramEntry {
    fn new(tag: u32, atom: AtomId, needle: &[u8], window: std::ops::Range<usize>) -> Self {
        let (length, offset) = (needle.len(), window.start);
        let probed = length.min(PROBE);
        // The end of the needle that is farther from the window, or what is far enough on the way there.
        let start = if length.saturating_sub(window.end) > offset {
            (length - probed).min(offset + FAR)
        } else {
            offset.saturating_sub(FAR).min(length - probed)
        };
        let mut probe = [0; PROBE];
        probe[..probed].copy_from_slice(&needle[start..start + probed]);
        let probe_at = (start as isize - offset as isize) as i16;
        Self { tag, atom: atom + 1, probe, probe_at, probed: probed as u8 }
    }

    /// Whether the text may hold the needle, if its window stands at this place. The text ends with [`PADDING`] bytes.
    #[inline]
    fn may_stand(&self, text: &[u8], at: u32) -> bool {
        let at = (at as usize).wrapping_add_signed(self.probe_at.into());
        let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk()) else { return false };
        let unused = 8 * (PROBE as u32 - u32::from(self.probed));
        (u32::from_le_bytes(*here) ^ u32::from_le_bytes(self.probe)).checked_shl(unused).unwrap_or(0) == 0
    }
}

/// A needle that may stand in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) atom: AtomId,
    /// Where its window stands.
    pub(super) at: u32,
}

impl NgramIndex {
    /// NgramIndex that will be looked at wherever they stand.
    pub(super) fn anywhere() -> Self {
        Self {
            lengths: IN_WORDS,
            classes: IN_WORDS.iter().map(|_| LengthIndex::default()).collect(),
            at_words: false,
        }
    }

    /// NgramIndex that will be looked at only where they begin with the space before a word: for needles of several words.
    pub(super) fn at_words() -> Self {
        let classes = OVER_WORDS.iter().map(|_| LengthIndex::default()).collect();
        Self { lengths: OVER_WORDS, classes, at_words: true }
    }

    /// The best window for a needle, now.
    pub(super) fn choose(&self, needle: &[u8]) -> NgramPosition {
        let last = needle.len().saturating_sub(1);
        let starts = (0..=last.min(u16::MAX.into()))
            .filter(|at| !self.at_words || (needle[*at] == b' ' && *at < last));
        let windows = starts.take(MOST_WINDOWS).map(|at| {
            let class =
                self.lengths.iter().rposition(|length| *length <= needle.len() - at).unwrap_or_default();
            NgramPosition { offset: at as u16, class: class as u8 }
        });
        let rarest = windows.min_by_key(|window| {
            let (class, key) = self.key(needle, *window);
            let length = self.lengths[class];
            let burden = BURDEN[length.min(BURDEN.len() - 1)] + 4 * usize::from(is_common(length, key));
            (self.classes[class].get(tag_of(key)).count() + burden, window.offset)
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

    /// A window's class, and its key in a needle.
    fn key(&self, needle: &[u8], window: NgramPosition) -> (usize, u64) {
        let class = usize::from(window.class);
        (class, key_of(&needle[usize::from(window.offset)..], self.lengths[class]))
    }

    /// Appends to `candidates` the needles whose windows stand in the text at one of these places, for each length of windows in the order
    /// of the places. The text ends with [`PADDING`] bytes that are no part of it; `found` is room to work in.
    pub(super) fn read(
        &self,
        text: &[u8],
        places: impl Iterator<Item = usize> + Clone,
        found: &mut Vec<NgramHit>,
        candidates: &mut Vec<Candidate>,
    ) {
        found.resize(text.len(), NgramHit::default());
        for (length, windows) in
            self.lengths.iter().zip(&self.classes).filter(|(_, windows)| windows.used > 0)
        {
            let places = places.clone();
            let count = match length {
                1 => windows.sift::<1>(text, places, found),
                2 => windows.sift::<2>(text, places, found),
                3 => windows.sift::<3>(text, places, found),
                4 => windows.sift::<4>(text, places, found),
                5 => windows.sift::<5>(text, places, found),
                6 => windows.sift::<6>(text, places, found),
                7 => windows.sift::<7>(text, places, found),
                8 => windows.sift::<8>(text, places, found),
                _ => windows.sift::<12>(text, places, found),
            };
            let found = &found[..count];
            super::touch(found.iter().map(|place| windows.table[windows.home(place.tag)].tag));
            for place in found {
                let entries = windows.get(place.tag).filter(|entry| entry.may_stand(text, place.at));
                candidates.extend(entries.map(|entry| Candidate { atom: entry.atom - 1, at: place.at }));
            }
        }
    }
}

/// Where a window stands that may be in use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NgramHit {
    at: u32,
    tag: u32,
}

/// The key of the window of a length at the beginning of `bytes`: the bytes themselves, where eight hold them.
pub(super) fn key_of(bytes: &[u8], length: usize) -> u64 {
    let mut padded = [0; 16];
    padded[..length].copy_from_slice(&bytes[..length]);
    if length <= 8 { short_key::<8>(&padded) } else { long_key(&padded) }
}

fn short_key<const LENGTH: usize>(window: &[u8; 16]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *window;
    u64::from_le_bytes([a, b, c, d, e, f, g, h]) & (u64::MAX >> (64 - 8 * LENGTH))
}

fn long_key(window: &[u8; 16]) -> u64 {
    let [_, _, _, _, _, _, _, _, a, b, c, d, ..] = *window;
    let tail = u64::from(u32::from_le_bytes([a, b, c, d]));
    short_key::<8>(window) ^ (tail.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(23)
}

/// What a window is known by: half of a hash of its key.
const fn tag_of(key: u64) -> u32 {
    ((key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// A tag's word in a filter of so many words, less one.
const fn word_of(tag: u32, mask: usize) -> usize {
    tag as usize >> 12 & mask
}

/// A tag's two bits in its word of the filter.
const fn bits_of(tag: u32) -> u64 {
    1 << (tag & 63) | 1 << (tag >> 6 & 63)
}

impl LengthIndex {
    /// Writes into `found` at which of the places windows stand that may be in use, and answers how many there are.
    fn sift<const LENGTH: usize>(
        &self,
        text: &[u8],
        places: impl Iterator<Item = usize>,
        found: &mut [NgramHit],
    ) -> usize {
        let filter = self.filter.as_slice();
        let mask = filter.len().wrapping_sub(1);
        let mut count = 0;
        for at in places {
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

    /// The needles whose windows have this tag.
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

    /// Where a tag's probing begins.
    const fn home(&self, tag: u32) -> usize {
        (tag >> self.shift) as usize
    }

    fn insert(&mut self, entry: NgramEntry) {
        if 2 * (self.used + 1) > self.table.len() {
            self.grow();
        }
        self.place(entry);
        self.used += 1;
        self.mark(entry.tag);
        self.tend_filter();
    }

    /// Frees a needle's place, and moves up whoever was kept from it.
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
            // It may move if its home does not lie behind the hole.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.table[hole] = self.table[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        self.table[hole] = NgramEntry::default();
        self.used -= 1;
        self.stale += 1;
        self.tend_filter();
    }

    /// Puts an entry into a table that has room.
    fn place(&mut self, entry: NgramEntry) {
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
            self.place(entry);
        }
    }

    fn mark(&mut self, tag: u32) {
        let mask = self.filter.len().wrapping_sub(1);
        if let Some(word) = self.filter.get_mut(word_of(tag, mask)) {
            *word |= bits_of(tag);
        }
    }

    /// Makes the filter anew where it is too small, or holds too much that is gone.
    fn tend_filter(&mut self) {
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
