//! [`Lexicon`]: which atoms stand in a word, found out once for each word. Whether a needle without a space stands in a text is decided by the
//! text's words one by one, and the words of tenders are mostly the same few thousand.

use super::{
    atoms::Atoms,
    windows::{AtomId, Candidate, PADDING, Place},
};
use hashbrown::HashTable;
use std::ops::Range;

/// The most words and the most atoms in words that are kept. When there are more, all is forgotten and begun again.
const MOST_WORDS: usize = 1 << 17;
const MOST_ATOMS: usize = 1 << 20;

/// What is known of words, as of one version of the atoms.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    version: u64,
    entries: HashTable<Entry>,
    words: Vec<u8>,
    atoms: Vec<Inside>,
    /// The tender being read: a word that it holds twice is looked at once.
    turn: u32,
    scratch: Scratch,
}

/// A word.
#[derive(Debug)]
struct Entry {
    key: Key,
    /// Where its bytes begin, where the key does not hold them all.
    start: u32,
    atoms: Range<u32>,
    turn: u32,
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
pub(super) struct Inside {
    pub(super) atom: AtomId,
    /// Where the needle first begins, counted from the space before the word.
    pub(super) offset: u32,
}

#[derive(Debug, Default)]
struct Scratch {
    text: Vec<u8>,
    found: Vec<Place>,
    candidates: Vec<Candidate>,
}

impl Lexicon {
    /// Begins a tender: forgets what was known of other atoms than these.
    pub(super) fn begin(&mut self, atoms: &Atoms) {
        let full = self.entries.len() > MOST_WORDS || self.atoms.len() > MOST_ATOMS || self.turn == u32::MAX;
        if full || self.version != atoms.version {
            self.entries.clear();
            self.words.clear();
            self.atoms.clear();
            self.version = atoms.version;
            self.turn = 0;
        }
        self.turn += 1;
    }

    /// The atoms that stand in a word of the tender, each once; none when the tender held the word before. `text` goes on for
    /// [`PADDING`] bytes behind the word.
    pub(super) fn look_up(&mut self, atoms: &Atoms, text: &[u8], word: Range<usize>) -> &[Inside] {
        let (key, bytes) = (Key::of(text, &word), &text[word]);
        let words = &self.words;
        let same = |entry: &Entry| {
            let rest = || words.get(entry.start as usize..entry.start as usize + bytes.len()) == Some(bytes);
            entry.key == key && (bytes.len() <= HEAD || rest())
        };
        let inside = match self.entries.find_mut(key.hash, same) {
            Some(entry) if entry.turn == self.turn => 0..0,
            Some(entry) => {
                entry.turn = self.turn;
                entry.atoms.clone()
            }
            None => {
                let inside = self.scratch.read(atoms, bytes, &mut self.atoms);
                let start = self.words.len() as u32;
                if bytes.len() > HEAD {
                    self.words.extend_from_slice(bytes);
                }
                let entry = Entry { key, start, atoms: inside.clone(), turn: self.turn };
                self.entries.insert_unique(key.hash, entry, |entry| entry.key.hash);
                inside
            }
        };
        &self.atoms[inside.start as usize..inside.end as usize]
    }
}

impl Scratch {
    /// Finds the atoms that stand in a word by itself; answers where they were put.
    fn read(&mut self, atoms: &Atoms, word: &[u8], known: &mut Vec<Inside>) -> Range<u32> {
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
        let start = known.len() as u32;
        known.extend(candidates.iter().map(|found| Inside { atom: found.atom, offset: found.at }));
        start..known.len() as u32
    }
}

impl Key {
    fn of(text: &[u8], word: &Range<usize>) -> Self {
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
