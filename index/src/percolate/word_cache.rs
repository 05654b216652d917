//! [`WordCache`]: which atoms stand in a word and who subscribes to them, found out once for each word. Whether a needle without a space
//! stands in a text is decided by the text's words one by one, and the words of tenders are mostly the same few thousand. What is known of a
//! word lies side by side, so that the processor waits for memory once a word, not once an atom and once more for its subscribers.

use super::{
    atoms::{Atoms, Subscriber},
    filter_bitmaps::Slot,
    ngram_index::{self, AtomId, Candidate, PADDING},
};
use hashbrown::HashTable;
use std::ops::Range;
use tender_model::text::Word;

/// The most words, bytes of words, atoms in words, subscribers and excluders that are kept, but for a few words. When there are more, all is forgotten and begun again.
const MOST_WORDS: usize = 1 << 17;
const MOST_BYTES: usize = 1 << 22;
const MOST_ATOMS: usize = 1 << 20;
const MOST_SUBSCRIBERS: usize = 1 << 21;

/// An atom of more subscribers or excluders than this is asked for them itself.
const FEW: usize = 64;

/// What is known of words, as of one version of the atoms.
#[derive(Debug, Default)]
pub(super) struct WordCache {
    version: u64,
    entries: HashTable<CacheEntry>,
    words: Vec<u8>,
    known: CachedAtoms,
    /// The tender being read: a word that it holds twice is looked at once.
    turn: u32,
    /// What was looked up last: of each word its number and what is known of it.
    looked_up: Vec<(usize, CachedWord)>,
    scratch: Scratch,
}

/// A word.
#[derive(Debug)]
struct CacheEntry {
    key: Key,
    /// Where its bytes begin, where the key does not hold them all.
    start: u32,
    place: CachedWord,
    turn: u32,
}

/// Where what is known of a word begins, and how many atoms stand in it.
#[derive(Debug, Clone, Copy)]
struct CachedWord {
    atoms: u32,
    count: u32,
    subscribers: u32,
    excluders: u32,
}

/// The atoms in all words, their subscribers, and the alerts that exclude them; each word's side by side.
#[derive(Debug, Default)]
struct CachedAtoms {
    atoms: Vec<WordAtom>,
    subscribers: Vec<Subscriber>,
    excluders: Vec<Slot>,
}

/// What a word is known by: its first bytes, its length, and a hash of it all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    head: [u64; 2],
    hash: u64,
    length: u32,
}

/// How many bytes of a word a key holds.
const HEAD: usize = 16;

/// An atom that stands in a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordAtom {
    pub(super) atom: AtomId,
    /// Where the keyword's part of the word first begins, counted from the space before the word.
    pub(super) offset: u32,
    /// How long that is.
    pub(super) length: u32,
    /// How many of the word's subscribers and excluders are its.
    subscribers: u8,
    excluders: u8,
    /// There are too many of both to be kept here: the atom must be asked.
    pub(super) has_many: bool,
}

/// The atoms in one word, each with its subscribers and excluders, but for those that have many.
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
    /// Begins a tender: forgets what was known of other atoms than these.
    pub(super) fn begin(&mut self, atoms: &Atoms) {
        if self.version != atoms.version || self.turn == u32::MAX {
            self.forget();
            self.version = atoms.version;
        }
        self.turn += 1;
    }

    /// The atoms that stand in some words of the tender, by the words' numbers, each once a word; mostly only where the tender did not hold
    /// the word before. `text` goes on for [`PADDING`] bytes behind the words.
    pub(super) fn look_up(
        &mut self,
        atoms: &Atoms,
        text: &[u8],
        words: &[Word],
    ) -> impl Iterator<Item = (usize, WordAtoms<'_>)> {
        if self.is_full() {
            let turn = self.turn;
            self.forget();
            self.turn = turn;
        }
        self.looked_up.clear();
        // All of them first: so the processor can wait for many at once.
        for (number, word) in words.iter().enumerate() {
            let (key, bytes) = (Key::of(text, word.start..word.end), &text[word.start..word.end]);
            let same = |entry: &CacheEntry| {
                let (start, end) = (entry.start as usize, entry.start as usize + bytes.len());
                entry.key == key && (bytes.len() <= HEAD || self.words.get(start..end) == Some(bytes))
            };
            match self.entries.find_mut(key.hash, same) {
                Some(entry) if entry.turn == self.turn => {}
                Some(entry) => {
                    entry.turn = self.turn;
                    self.looked_up.push((number, entry.place));
                }
                None => {
                    let place = self.learn(atoms, key, bytes);
                    self.looked_up.push((number, place));
                }
            }
        }
        let known = &self.known;
        super::touch(self.looked_up.iter().map(|(_, place)| {
            let inside = known.atoms.get(place.atoms as usize).map_or(0, |inside| inside.atom);
            inside ^ known.subscribers.get(place.subscribers as usize).map_or(0, |one| one.slot)
        }));
        self.looked_up.iter().map(|(number, place)| (*number, known.at(*place)))
    }

    /// Notes a word that is not known yet.
    fn learn(&mut self, atoms: &Atoms, key: Key, word: &[u8]) -> CachedWord {
        let place = self.scratch.read(atoms, word, &mut self.known);
        let start = self.words.len() as u32;
        if word.len() > HEAD {
            self.words.extend_from_slice(word);
        }
        let entry = CacheEntry { key, start, place, turn: self.turn };
        self.entries.insert_unique(key.hash, entry, |entry| entry.key.hash);
        place
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= MOST_WORDS
            || self.words.len() >= MOST_BYTES
            || self.known.atoms.len() >= MOST_ATOMS
            || self.known.subscribers.len() >= MOST_SUBSCRIBERS
            || self.known.excluders.len() >= MOST_SUBSCRIBERS
    }

    fn forget(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.known.atoms.clear();
        self.known.subscribers.clear();
        self.known.excluders.clear();
        self.turn = 0;
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

    /// Adds an atom and its audience.
    fn push(&mut self, atoms: &Atoms, found: &Candidate) {
        let ((first, others), excluders) = (atoms.subscribers(found.atom), atoms.excluders(found.atom));
        let words = atoms.words(found.atom);
        let has_many = others.len() >= FEW || excluders.len() > FEW;
        let mut inside = WordAtom {
            atom: found.atom,
            offset: found.at + words.start as u32,
            length: words.len() as u32,
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
    /// Finds the atoms that stand in a word by itself; answers where they were put.
    fn read(&mut self, atoms: &Atoms, word: &[u8], known: &mut CachedAtoms) -> CachedWord {
        let Self { text, found, candidates } = self;
        text.clear();
        text.push(b' ');
        text.extend_from_slice(word);
        text.push(b' ');
        let places = 0..text.len();
        text.extend_from_slice(&[0; PADDING]);
        candidates.clear();
        atoms.parts.read(text, places, found, candidates);
        atoms.keep_standing(text, candidates);
        candidates.sort_unstable_by_key(|candidate| (candidate.atom, candidate.at));
        candidates.dedup_by_key(|candidate| candidate.atom);
        let place = CachedWord {
            atoms: known.atoms.len() as u32,
            count: candidates.len() as u32,
            subscribers: known.subscribers.len() as u32,
            excluders: known.excluders.len() as u32,
        };
        candidates.iter().for_each(|found| known.push(atoms, found));
        place
    }
}

impl Key {
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
        let mut at = word.start + HEAD;
        while at < word.end {
            hash = mix(hash, part(at));
            at += 8;
        }
        Self { head, hash: hash ^ hash >> 32, length: word.len() as u32 }
    }
}
