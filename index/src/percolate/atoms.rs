//! Atoms: the distinct needles of all alerts. Each atom lists the alerts that subscribe to it and
//! those that exclude it. Equal keywords of any number of alerts share one atom.

use super::{
    filter_bitmaps::Slot,
    list_arena::{ListArena, ListHandle},
    needle,
    ngram_index::{AtomId, Candidate, NgramIndex, NgramPosition, PADDING},
};
use hashbrown::HashTable;
use std::{
    hash::{BuildHasher, RandomState},
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// The number of needle bytes stored inline in an atom.
const HEAD_BYTES: usize = 24;

const _: () = assert!(HEAD_BYTES <= PADDING);

/// A needle and its subscribers. An atom fills one cache line, which contains most of the data that
/// is read for a candidate.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Atom {
    /// The first bytes of the needle, for comparison in one step.
    head: [u64; HEAD_BYTES / 8],
    /// The length of the needle. If the needle does not fit into the head, the handle also locates
    /// its bytes in [`Atoms::long`].
    needle: ListHandle,
    /// The n-gram under which the needle is indexed.
    window: NgramPosition,
    /// The first subscriber, inline; the others are in a list.
    first: Option<Subscriber>,
    others: ListHandle,
    excluders: ListHandle,
}

const _: () = assert!(size_of::<Atom>() == 64);

/// A keyword of an alert that subscribes to an atom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Subscriber {
    pub(super) slot: Slot,
    /// The index of the keyword in the alert, from 0.
    pub(super) keyword: u32,
}

/// All atoms.
#[derive(Debug)]
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    free: Vec<AtomId>,
    /// The atoms by the hash of their needles.
    by_needle: HashTable<AtomId>,
    hasher: RandomState,
    /// The needles that are longer than [`HEAD_BYTES`].
    long: ListArena<u8>,
    subscribers: ListArena<Subscriber>,
    excluders: ListArena<Slot>,
    /// The n-grams of needles within one word.
    pub(super) word_ngrams: NgramIndex,
    /// The n-grams of needles of several words.
    pub(super) phrase_ngrams: NgramIndex,
    /// A number that changes with every modification. No other [`Atoms`] ever has the same number.
    pub(super) version: u64,
}

impl Default for Atoms {
    fn default() -> Self {
        Self {
            atoms: Vec::new(),
            free: Vec::new(),
            by_needle: HashTable::new(),
            hasher: RandomState::new(),
            long: ListArena::default(),
            subscribers: ListArena::default(),
            excluders: ListArena::default(),
            word_ngrams: NgramIndex::anywhere(),
            phrase_ngrams: NgramIndex::at_words(),
            version: next_version(),
        }
    }
}

fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Atoms {
    /// Keeps the candidates whose needles occur in the text. The position of each is changed from
    /// the n-gram to the start of the needle.
    pub(super) fn retain_occurring(&self, text: &[u8], candidates: &mut Vec<Candidate>) {
        // Branch-free: each candidate is written and then kept or overwritten, so that several
        // atoms are loaded at once.
        let mut count = 0;
        let mut long = false;
        for index in 0..candidates.len() {
            let candidate = candidates[index];
            let atom = &self.atoms[candidate.atom as usize];
            let start = candidate.at.wrapping_sub(u32::from(atom.window.offset));
            let here = text.get(start as usize..).map_or([0; HEAD_BYTES / 8], head_words);
            let masks = &MASKS[atom.needle.len().min(HEAD_BYTES)];
            let differ = |part: usize| (here[part] & masks[part]) ^ atom.head[part];
            let different = (0..HEAD_BYTES / 8).fold(0, |different, part| different | differ(part));
            candidates[count] = Candidate { at: start, ..candidate };
            count += usize::from(different == 0);
            long |= atom.needle.len() > HEAD_BYTES;
        }
        candidates.truncate(count);
        if long {
            candidates.retain(|candidate| {
                let (needle, start) = (self.atoms[candidate.atom as usize].needle, candidate.at as usize);
                needle.len() <= HEAD_BYTES
                    || text.get(start..start + needle.len()) == Some(self.long.get(needle))
            });
        }
    }

    /// The byte range of the keyword in its needle, without the leading or trailing space that
    /// marks a word boundary.
    pub(super) fn keyword_range(&self, id: AtomId) -> Range<usize> {
        let atom = &self.atoms[id as usize];
        let last = atom.needle.len().saturating_sub(1);
        let byte = |at: usize| atom.head[at / 8].to_le_bytes()[at % 8];
        let end =
            if last < HEAD_BYTES { Some(byte(last)) } else { self.long.get(atom.needle).last().copied() };
        usize::from(byte(0) == b' ')..last + usize::from(end != Some(b' '))
    }

    /// The first subscriber of an atom, and the others.
    pub(super) fn subscribers(&self, id: AtomId) -> (Option<Subscriber>, &[Subscriber]) {
        let atom = &self.atoms[id as usize];
        (atom.first, self.subscribers.get(atom.others))
    }

    pub(super) fn excluders(&self, id: AtomId) -> &[Slot] {
        self.excluders.get(self.atoms[id as usize].excluders)
    }

    /// The number of distinct needles.
    pub(super) fn len(&self) -> usize {
        self.by_needle.len()
    }

    /// One more than the highest id that was ever assigned.
    pub(super) fn id_bound(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn subscribe(&mut self, needle: &[u8], subscriber: Subscriber) -> AtomId {
        let id = self.intern(needle);
        let atom = &mut self.atoms[id as usize];
        match atom.first {
            None => atom.first = Some(subscriber),
            Some(_) => self.subscribers.push(&mut atom.others, subscriber),
        }
        id
    }

    pub(super) fn unsubscribe(&mut self, id: AtomId, subscriber: Subscriber) {
        let atom = &mut self.atoms[id as usize];
        if atom.first == Some(subscriber) {
            atom.first = self.subscribers.pop(&mut atom.others);
        } else {
            self.subscribers.remove(&mut atom.others, &subscriber);
        }
        self.remove_if_unused(id);
    }

    /// Registers an alert that excludes the needle.
    pub(super) fn add_excluder(&mut self, needle: &[u8], slot: Slot) -> AtomId {
        let id = self.intern(needle);
        self.excluders.push(&mut self.atoms[id as usize].excluders, slot);
        id
    }

    /// Reverts one [`Atoms::add_excluder`].
    pub(super) fn remove_excluder(&mut self, id: AtomId, slot: Slot) {
        self.excluders.remove(&mut self.atoms[id as usize].excluders, &slot);
        self.remove_if_unused(id);
    }

    fn intern(&mut self, needle: &[u8]) -> AtomId {
        self.version = next_version();
        let hash = self.hasher.hash_one(needle);
        let head = head_of(needle);
        let (atoms, long, hasher) = (&self.atoms, &self.long, &self.hasher);
        let same = |id: &AtomId| {
            let atom = &atoms[*id as usize];
            atom.head == head
                && atom.needle.len() == needle.len()
                && (needle.len() <= HEAD_BYTES || long.get(atom.needle) == needle)
        };
        if let Some(id) = self.by_needle.find(hash, same) {
            return *id;
        }
        let id = self.free.pop().unwrap_or(self.atoms.len() as AtomId);
        self.by_needle.insert_unique(hash, id, |id| hasher.hash_one(&*bytes_of(&atoms[*id as usize], long)));
        let windows = if needle::is_phrase(needle) { &mut self.phrase_ngrams } else { &mut self.word_ngrams };
        let window = windows.choose_ngram(needle);
        windows.insert(needle, window, id);
        let needle = if needle.len() <= HEAD_BYTES {
            ListHandle::of_length(needle.len())
        } else {
            self.long.create(needle)
        };
        let atom = Atom { head, needle, window, ..Atom::default() };
        match self.atoms.get_mut(id as usize) {
            Some(place) => *place = atom,
            None => self.atoms.push(atom),
        }
        id
    }

    fn remove_if_unused(&mut self, id: AtomId) {
        self.version = next_version();
        let atom = self.atoms[id as usize];
        if atom.first.is_some() || !atom.excluders.is_empty() {
            return;
        }
        let needle = bytes_of(&atom, &self.long);
        let windows =
            if needle::is_phrase(&needle) { &mut self.phrase_ngrams } else { &mut self.word_ngrams };
        windows.remove(&needle, atom.window, id);
        if let Ok(entry) = self.by_needle.find_entry(self.hasher.hash_one(&*needle), |other| *other == id) {
            entry.remove();
        }
        if atom.needle.len() > HEAD_BYTES {
            self.long.free(atom.needle);
        }
        self.free.push(id);
    }
}

/// The bytes of a needle.
fn bytes_of<'a>(atom: &Atom, long: &'a ListArena<u8>) -> std::borrow::Cow<'a, [u8]> {
    if atom.needle.len() > HEAD_BYTES {
        return long.get(atom.needle).into();
    }
    let head = atom.head.iter().flat_map(|part| part.to_le_bytes());
    head.take(atom.needle.len()).collect::<Vec<u8>>().into()
}

fn head_of(needle: &[u8]) -> [u64; HEAD_BYTES / 8] {
    let mut padded = [0; HEAD_BYTES];
    padded.iter_mut().zip(needle).for_each(|(padded, byte)| *padded = *byte);
    head_words(&padded)
}

/// The first [`HEAD_BYTES`] of a needle or text as numbers. All 0 if there are fewer bytes.
fn head_words(bytes: &[u8]) -> [u64; HEAD_BYTES / 8] {
    match bytes.first_chunk::<HEAD_BYTES>().map(|head| head.as_chunks::<8>().0) {
        Some(&[a, b, c]) => [a, b, c].map(u64::from_le_bytes),
        _ => [0; HEAD_BYTES / 8],
    }
}

/// For each needle length, the bits of the head that count.
static MASKS: [[u64; HEAD_BYTES / 8]; HEAD_BYTES + 1] = {
    let mut masks = [[0; HEAD_BYTES / 8]; HEAD_BYTES + 1];
    let mut length = 0;
    while length <= HEAD_BYTES {
        let mut byte = 0;
        while byte < length {
            masks[length][byte / 8] |= 0xff << (8 * (byte % 8));
            byte += 1;
        }
        length += 1;
    }
    masks
};
