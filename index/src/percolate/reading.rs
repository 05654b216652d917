//! The way of one tender through the stored alerts: rows of bits say which alerts admit it, the windows of its text lead to atoms, and the
//! subscribers of those that stand in the text are hits, where a bit is set for them and their bounds hold.

use super::{
    Counters, Hit, Passage, Percolation,
    bounds::Bounds,
    lexicon::Lexicon,
    paper::Paper,
    rows::{self, Slot},
    store::Store,
    windows::{AtomId, Candidate, Place},
};
use crate::{
    query::Facts,
    tender::Tender,
    vocabulary::{AlertCurrency, Converter, Millions, Moment, Rates},
};

/// Room to work in, kept from tender to tender.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) paper: Paper,
    /// The alerts that admit the tender.
    admitted: Vec<u64>,
    lexicon: Lexicon,
    places: Vec<Place>,
    candidates: Vec<Candidate>,
    /// One bit an atom, for those that were found.
    seen: Vec<u64>,
    truths: Vec<Truth>,
    met: Vec<Met>,
    /// One bit an alert, for those that were met.
    row: Vec<u64>,
    /// How many alerts were met before each word of the row.
    ranks: Vec<u32>,
    first: Vec<Met>,
}

/// An atom that stands in the text, and where it first does.
#[derive(Debug, Clone, Copy)]
struct Truth {
    atom: AtomId,
    start: u32,
    /// The word it begins in, if that is known.
    word: Option<u32>,
    /// Where its words came from, once somebody wants to know.
    origin: Option<Passage>,
}

/// A keyword of an alert that stands in the text.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    slot: Slot,
    keyword: u32,
    truth: u32,
}

/// What is asked of a reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) tender: &'a Tender,
    pub(super) now: Moment,
    pub(super) rates: &'a Rates,
    /// Only the alerts whose upper bound on the days until closing is just met.
    pub(super) entering: bool,
}

impl Scratch {
    /// The hits of the tender whose texts are in `paper` already.
    pub(super) fn percolate(&mut self, store: &Store, asked: &Asked<'_>) -> Percolation {
        let facts = Facts::of(asked.tender).at(asked.now);
        let days = facts.days_until_closing(asked.now);
        store.rows.admit(&facts, &mut self.admitted);
        if asked.entering {
            self.keep_entering(store, days);
        }
        if self.admitted.iter().all(|word| *word == 0) {
            return Percolation::default();
        }
        let candidates = self.find_truths(store);
        self.meet(store);
        let hits = self.hits(store, asked, &Limits::of(&facts, days, asked.rates));
        let counters = Counters { candidates, verified: self.truths.len(), matched: hits.len() };
        Percolation { hits, counters }
    }

    /// Of the alerts that admit the tender, keeps those whose upper bound on the days until closing is this.
    fn keep_entering(&mut self, store: &Store, days: Option<i64>) {
        let bound = days.and_then(|days| u16::try_from(days).ok());
        let slots = bound.and_then(|days| store.by_maximum_days.get(&days));
        let entering = std::mem::take(&mut self.row);
        let all = std::mem::replace(&mut self.admitted, entering);
        self.admitted.clear();
        self.admitted.resize(all.len(), 0);
        for slot in slots.into_iter().flatten().filter(|slot| rows::holds(&all, **slot)) {
            rows::set(&mut self.admitted, *slot);
        }
        self.row = all;
    }

    /// The atoms that stand in the text, each with its first place. Answers how many were tried.
    fn find_truths(&mut self, store: &Store) -> usize {
        let Self { paper, lexicon, places, candidates, seen, truths, .. } = self;
        let (text, atoms) = (paper.bytes(), &store.atoms);
        seen.clear();
        seen.resize(atoms.bound().div_ceil(64), 0);
        truths.clear();
        lexicon.begin(atoms);
        let mut tried = 0;
        for (number, word) in (0..).zip(paper.words()) {
            // Counted from the space before the word.
            let start = word.start.saturating_sub(1) as u32;
            let inside = lexicon.look_up(atoms, text, word.start..word.end);
            tried += inside.len();
            for found in inside {
                if !rows::holds(seen, found.atom) {
                    rows::set(seen, found.atom);
                    let start = start + found.offset;
                    truths.push(Truth { atom: found.atom, start, word: Some(number), origin: None });
                }
            }
        }
        candidates.clear();
        let spaces = paper.words().iter().map(|word| word.start.saturating_sub(1));
        atoms.phrases.read(text, spaces, places, candidates);
        tried += candidates.len();
        atoms.keep_standing(text, candidates);
        for candidate in candidates.iter() {
            if !rows::holds(seen, candidate.atom) {
                rows::set(seen, candidate.atom);
                let start = candidate.at;
                truths.push(Truth { atom: candidate.atom, start, word: None, origin: None });
            }
        }
        tried
    }

    /// The keywords of admitted alerts that stand in the text.
    fn meet(&mut self, store: &Store) {
        let Self { truths, admitted, met, .. } = self;
        for truth in truths.iter() {
            for slot in store.atoms.excluders(truth.atom) {
                rows::clear(admitted, *slot);
            }
        }
        store.atoms.touch_subscribers(truths.iter().map(|truth| truth.atom));
        // Whether an alert admits the tender is anybody's guess: so each is written down, and kept or overwritten by the next, which spares the
        // processor the guessing.
        let mut count = 0;
        for (number, truth) in (0..).zip(truths.iter()) {
            let (first, others) = store.atoms.subscribers(truth.atom);
            if met.len() < count + others.len() + 1 {
                met.resize(2 * (count + others.len() + 1), Met::default());
            }
            for subscriber in first.iter().chain(others) {
                met[count] = Met { slot: subscriber.slot, keyword: subscriber.keyword, truth: number };
                count += usize::from(rows::holds(admitted, subscriber.slot));
            }
        }
        met.truncate(count);
    }

    /// Each alert that was met and whose bounds hold, once, with its first keyword.
    fn hits(&mut self, store: &Store, asked: &Asked<'_>, limits: &Limits) -> Vec<Hit> {
        self.sort_by_slot();
        let Self { first, truths, paper, .. } = self;
        super::touch(first.iter().map(|met| u32::from(store.bounds[met.slot as usize].is_open())));
        super::touch(first.iter().map(|met| u32::from(store.ids[met.slot as usize].as_bytes()[0])));
        first.retain(|met| limits.admit(&store.bounds[met.slot as usize]));
        for met in first.iter() {
            let truth = &mut truths[met.truth as usize];
            if truth.origin.is_none() {
                let words = store.atoms.words(truth.atom);
                let start = truth.start as usize;
                let range = start + words.start..start + words.end;
                truth.origin = paper.origin(asked.tender, range, truth.word);
            }
        }
        let hit = |met: &Met| {
            let passage = truths[met.truth as usize].origin?;
            Some(Hit { alert: store.ids[met.slot as usize], keyword: met.keyword as usize, passage })
        };
        let mut hits = Vec::with_capacity(first.len());
        hits.extend(first.iter().filter_map(hit));
        // Mostly in order already, as alerts are made and loaded in the order of their ids.
        hits.sort_by_key(|hit| hit.alert);
        hits
    }

    /// Brings what was met into the order of slots, each once, by counting bits instead of comparing.
    fn sort_by_slot(&mut self) {
        let Self { met, row, ranks, first, admitted, .. } = self;
        row.clear();
        row.resize(admitted.len(), 0);
        for met in met.iter() {
            rows::set(row, met.slot);
        }
        ranks.clear();
        let mut before = 0;
        ranks.extend(row.iter().map(|word| {
            let rank = before;
            before += word.count_ones();
            rank
        }));
        first.clear();
        first.resize(before as usize, Met { slot: 0, keyword: u32::MAX, truth: 0 });
        for met in met.iter() {
            let word = met.slot as usize / 64;
            let below = row[word] & ((1 << (met.slot % 64)) - 1);
            let place = &mut first[(ranks[word] + below.count_ones()) as usize];
            if met.keyword <= place.keyword {
                *place = *met;
            }
        }
    }
}

/// What a tender's value and days are held against, worked out once.
struct Limits {
    value: Option<Millions>,
    /// From each of the alerts' currencies into the tender's.
    converters: [Option<Converter>; AlertCurrency::ALL.len()],
    days: Option<i64>,
}

impl Limits {
    fn of(facts: &Facts, days: Option<i64>, rates: &Rates) -> Self {
        let mut converters = [None; AlertCurrency::ALL.len()];
        for (converter, from) in converters.iter_mut().zip(AlertCurrency::ALL) {
            *converter = facts.value.and_then(|(_, to)| rates.converter((*from).into(), to));
        }
        Self { value: facts.value.map(|(value, _)| value), converters, days }
    }

    fn admit(&self, bounds: &Bounds) -> bool {
        bounds.is_open() || (self.admit_days(bounds) && self.admit_value(bounds))
    }

    fn admit_days(&self, bounds: &Bounds) -> bool {
        match self.days {
            None => !bounds.has_days(),
            Some(days) => bounds.admit_days(days),
        }
    }

    fn admit_value(&self, bounds: &Bounds) -> bool {
        let (minimum, maximum) = (bounds.minimum(), bounds.maximum());
        let Some(value) = self.value.filter(|_| minimum.is_some() || maximum.is_some()) else { return true };
        let Some(converter) = self.converters[bounds.currency as usize].as_ref() else { return true };
        let bound = |bound: Option<Millions>| bound.and_then(|bound| converter.convert(bound));
        bound(minimum).is_none_or(|minimum| minimum <= value)
            && bound(maximum).is_none_or(|maximum| value <= maximum)
    }
}
