//! [`WordCache`]: caches which atoms occur in a word, and their subscribers. A keyword of one word
//! can only occur within one word of a text, and tenders mostly use the same few thousand words.
//! The data of a word is contiguous in each list, so that reading it costs a few cache misses
//! instead of one per atom.

use super::{
    atoms::{Atoms, Subscriber},
    filter_bitmaps::Slot,
    ngram_index::{self, AtomId, Candidate, PADDING},
};
use hashbrown::HashTable;
use std::ops::Range;
use tender_model::text::Word;

/// When the cache contains this many words, it is cleared.
const MAX_WORDS: usize = 1 << 17;
/// When the cache contains this many bytes of long words, it is cleared.
const MAX_BYTES: usize = 1 << 22;
/// When the cache contains this many atoms, it is cleared.
const MAX_ATOMS: usize = 1 << 20;
/// When the cache contains this many subscribers or this many excluders, it is cleared.
const MAX_SUBSCRIBERS: usize = 1 << 21;

/// Longer lists of subscribers or excluders are not cached; see [`WordAtom::has_many`].
const MAX_CACHED_SUBSCRIBERS: usize = 64;

/// The cache. It is valid for one version of the atoms.
#[derive(Debug, Default)]
pub(super) struct WordCache {
    version: u64,
    entries: HashTable<CacheEntry>,
    /// The bytes of the words that do not fit into a key.
    words: Vec<u8>,
    cached: CachedAtoms,
    /// The number of the current tender. A word that occurs in the tender twice is looked up once.
    tender: u32,
    /// The words that the last lookup returned, as index and cached data.
    looked_up: Vec<(usize, CachedWord)>,
    scratch: Scratch,
}

/// A cached word.
#[derive(Debug)]
struct CacheEntry {
    key: WordKey,
    /// The start of the word's bytes in `WordCache::words`, if they do not fit into the key.
    start: u32,
    place: CachedWord,
    /// The number of the last tender in which the word was looked up.
    tender: u32,
}

/// Where the data of a word starts in each list of [`CachedAtoms`], and the number of its atoms.
#[derive(Debug, Clone, Copy)]
struct CachedWord {
    atoms: u32,
    count: u32,
    subscribers: u32,
    excluders: u32,
}

/// The atoms of all words, their subscribers and the alerts that exclude them. In each list, a
/// word's data is contiguous.
#[derive(Debug, Default)]
struct CachedAtoms {
    atoms: Vec<WordAtom>,
    subscribers: Vec<Subscriber>,
    excluders: Vec<Slot>,
}

/// The key of a word: its first bytes, length and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WordKey {
    head: [u64; 2],
    hash: u64,
    length: u32,
}

/// The number of a word's first bytes in its key.
const HEAD_BYTES: usize = 16;

/// An atom within a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordAtom {
    pub(super) atom: AtomId,
    /// The offset of the keyword's first occurrence, counted from the space before the word.
    pub(super) offset: u32,
    /// The length of the keyword in bytes.
    pub(super) length: u32,
    /// How many of the word's cached subscribers belong to this atom.
    subscribers: u8,
    /// How many of the word's cached excluders belong to this atom.
    excluders: u8,
    /// Whether the list of subscribers or the list of excluders is too long to cache. The caller
    /// then reads both from [`Atoms`].
    pub(super) has_many: bool,
}

/// The atoms of one word, each with its cached subscribers and excluders.
#[derive(Debug)]
pub(super) struct WordAtoms<'l> {
    atoms: &'l [WordAtom],
    subscribers: &'l [Subscriber],
    excluders: &'l [Slot],
}

impl WordAtoms<'_> {
    pub(super) const fn len(&self) -> usize {
        self.atoms.len()
    }
}

impl<'l> Iterator for WordAtoms<'l> {
    type Item = (&'l WordAtom, &'l [Subscriber], &'l [Slot]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (inside, atoms) = self.atoms.split_first()?;
        let (its_subscribers, subscribers) = self.subscribers.split_at_checked(inside.subscribers.into())?;
        let (its_excluders, excluders) = self.excluders.split_at_checked(inside.excluders.into())?;
        *self = Self { atoms, subscribers, excluders };
        Some((inside, its_subscribers, its_excluders))
    }
}

#[derive(Debug, Default)]
struct Scratch {
    text: Vec<u8>,
    found: Vec<ngram_index::NgramHit>,
    candidates: Vec<Candidate>,
}

impl WordCache {
    /// Starts a tender. Clears the cache if the atoms have changed.
    pub(super) fn begin(&mut self, atoms: &Atoms) {
        if self.version != atoms.version || self.tender == u32::MAX {
            self.clear();
            self.version = atoms.version;
        }
        self.tender += 1;
    }

    /// The atoms in the given words, by word index. A word that already occurred in the tender is
    /// skipped, except after the cache was cleared. [`PADDING`] bytes must follow the words in
    /// `text`.
    pub(super) fn look_up(
        &mut self,
        atoms: &Atoms,
        text: &[u8],
        words: &[Word],
    ) -> impl Iterator<Item = (usize, WordAtoms<'_>)> {
        if self.is_full() {
            let tender = self.tender;
            self.clear();
            self.tender = tender;
        }
        self.looked_up.clear();
        // All lookups come first, so that the processor can load several entries at once.
        for (number, word) in words.iter().enumerate() {
            let (key, bytes) = (WordKey::of(text, word.start..word.end), &text[word.start..word.end]);
            let same = |entry: &CacheEntry| {
                let (start, end) = (entry.start as usize, entry.start as usize + bytes.len());
                entry.key == key && (bytes.len() <= HEAD_BYTES || self.words.get(start..end) == Some(bytes))
            };
            match self.entries.find_mut(key.hash, same) {
                Some(entry) if entry.tender == self.tender => {}
                Some(entry) => {
                    entry.tender = self.tender;
                    self.looked_up.push((number, entry.place));
                }
                None => {
                    let place = self.insert(atoms, key, bytes);
                    self.looked_up.push((number, place));
                }
            }
        }
        let cached = &self.cached;
        super::prefetch::touch(self.looked_up.iter().map(|(_, place)| {
            let inside = cached.atoms.get(place.atoms as usize).map_or(0, |inside| inside.atom);
            inside ^ cached.subscribers.get(place.subscribers as usize).map_or(0, |one| one.slot)
        }));
        self.looked_up.iter().map(|(number, place)| (*number, cached.at(*place)))
    }

    /// Adds a word to the cache.
    fn insert(&mut self, atoms: &Atoms, key: WordKey, word: &[u8]) -> CachedWord {
        let place = self.scratch.find_atoms(atoms, word, &mut self.cached);
        let start = self.words.len() as u32;
        if word.len() > HEAD_BYTES {
            self.words.extend_from_slice(word);
        }
        let entry = CacheEntry { key, start, place, tender: self.tender };
        self.entries.insert_unique(key.hash, entry, |entry| entry.key.hash);
        place
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= MAX_WORDS
            || self.words.len() >= MAX_BYTES
            || self.cached.atoms.len() >= MAX_ATOMS
            || self.cached.subscribers.len() >= MAX_SUBSCRIBERS
            || self.cached.excluders.len() >= MAX_SUBSCRIBERS
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.cached.atoms.clear();
        self.cached.subscribers.clear();
        self.cached.excluders.clear();
        self.tender = 0;
    }
}

impl CachedAtoms {
    fn at(&self, place: CachedWord) -> WordAtoms<'_> {
        let start = place.atoms as usize;
        WordAtoms {
            atoms: &self.atoms[start..start + place.count as usize],
            subscribers: &self.subscribers[place.subscribers as usize..],
            excluders: &self.excluders[place.excluders as usize..],
        }
    }

    /// Adds an atom with its subscribers and excluders.
    fn push(&mut self, atoms: &Atoms, found: &Candidate) {
        let ((first, others), excluders) = (atoms.subscribers(found.atom), atoms.excluders(found.atom));
        let keyword = atoms.keyword_range(found.atom);
        let has_many = others.len() >= MAX_CACHED_SUBSCRIBERS || excluders.len() > MAX_CACHED_SUBSCRIBERS;
        let mut inside = WordAtom {
            atom: found.atom,
            offset: found.at + keyword.start as u32,
            length: keyword.len() as u32,
            subscribers: 0,
            excluders: 0,
            has_many,
        };
        if !has_many {
            let before = self.subscribers.len();
            self.subscribers.extend(first.iter().chain(others));
            self.excluders.extend_from_slice(excluders);
            inside.subscribers = (self.subscribers.len() - before) as u8;
            inside.excluders = excluders.len() as u8;
        }
        self.atoms.push(inside);
    }
}

impl Scratch {
    /// Finds the atoms within a word and adds them to `cached`.
    fn find_atoms(&mut self, atoms: &Atoms, word: &[u8], cached: &mut CachedAtoms) -> CachedWord {
        let Self { text, found, candidates } = self;
        text.clear();
        text.push(b' ');
        text.extend_from_slice(word);
        text.push(b' ');
        let positions = 0..text.len();
        text.extend_from_slice(&[0; PADDING]);
        candidates.clear();
        atoms.word_ngrams.find_candidates(text, positions, found, candidates);
        atoms.retain_occurring(text, candidates);
        candidates.sort_unstable_by_key(|candidate| (candidate.atom, candidate.at));
        candidates.dedup_by_key(|candidate| candidate.atom);
        let place = CachedWord {
            atoms: cached.atoms.len() as u32,
            count: candidates.len() as u32,
            subscribers: cached.subscribers.len() as u32,
            excluders: cached.excluders.len() as u32,
        };
        candidates.iter().for_each(|found| cached.push(atoms, found));
        place
    }
}

impl WordKey {
    fn of(text: &[u8], word: Range<usize>) -> Self {
        let part = |at: usize| {
            let eight = text
                .get(at..)
                .and_then(|rest| rest.first_chunk())
                .map_or(0, |eight| u64::from_le_bytes(*eight));
            let length = word.end.saturating_sub(at);
            if length < 8 { eight & !(u64::MAX << (8 * length)) } else { eight }
        };
        let mix = |hash: u64, part: u64| (hash.rotate_left(29) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let head = [part(word.start), part(word.start + 8)];
        let mut hash = mix(mix(word.len() as u64, head[0]), head[1]);
        let mut at = word.start + HEAD_BYTES;
        while at < word.end {
            hash = mix(hash, part(at));
            at += 8;
        }
        Self { head, hash: hash ^ hash >> 32, length: word.len() as u32 }
    }
}
