//! The way of one tender through the stored alerts: rows of bits say which alerts admit it, the windows of its text lead to atoms, and the
//! subscribers of those that stand in the text are hits, where a bit is set for them and their bounds hold.

use super::{
    AlertHit, MatchedPassage, Percolation, PercolationCounters,
    alert_bounds::AlertBounds,
    alert_store::AlertStore,
    atoms::Subscriber,
    filter_bitmaps::{self, Slot},
    ngram_index::{Candidate, NgramHit},
    tokens::TenderTokens,
    word_cache::WordCache,
};
use crate::query::TenderFacts;
use tender_model::{
    tender::Tender,
    vocabulary::{AlertCurrency, Converter, Millions, Moment, Rates},
};

/// Room to work in, kept from tender to tender.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub(super) paper: TenderTokens,
    /// The alerts that admit the tender.
    admitted: Vec<u64>,
    lexicon: WordCache,
    places: Vec<NgramHit>,
    candidates: Vec<Candidate>,
    /// One bit an atom, for those that were found.
    seen: Vec<u64>,
    truths: Vec<VerifiedAtom>,
    met: Vec<KeywordHit>,
    /// One bit an alert, for those that were met.
    row: Vec<u64>,
    /// How many alerts were met before each word of the row.
    ranks: Vec<u32>,
    first: Vec<KeywordHit>,
}

/// How many words are looked up at a time.
const BLOCK: usize = 64;

/// Where an atom that stands in the text first does.
#[derive(Debug, Clone, Copy)]
struct VerifiedAtom {
    start: u32,
    end: u32,
    /// The word it begins in, if that is known.
    word: Option<u32>,
    /// Where its words came from, once somebody wants to know.
    origin: Option<MatchedPassage>,
}

/// A keyword of an alert that stands in the text.
#[derive(Debug, Clone, Copy, Default)]
struct KeywordHit {
    slot: Slot,
    keyword: u32,
    truth: u32,
}

/// What is asked of a reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct PercolationRequest<'a> {
    pub(super) tender: &'a Tender,
    pub(super) now: Moment,
    pub(super) rates: &'a Rates,
    /// Only the alerts whose upper bound on the days until closing is just met.
    pub(super) entering: bool,
}

impl Matcher {
    /// The hits of the tender whose texts are in `paper` already.
    pub(super) fn percolate(&mut self, store: &AlertStore, asked: &PercolationRequest<'_>) -> Percolation {
        let facts = TenderFacts::of(asked.tender).at(asked.now);
        let days = facts.days_until_closing(asked.now);
        store.rows.admit(&facts, &mut self.admitted);
        if asked.entering {
            self.keep_entering(store, days);
        }
        if self.admitted.iter().all(|word| *word == 0) {
            return Percolation::default();
        }
        let candidates = self.find_truths(store);
        let hits = self.hits(store, asked, &TenderLimits::of(&facts, days, asked.rates));
        let counters = PercolationCounters { candidates, verified: self.truths.len(), matched: hits.len() };
        Percolation { hits, counters }
    }

    /// Of the alerts that admit the tender, keeps those whose upper bound on the days until closing is this.
    fn keep_entering(&mut self, store: &AlertStore, days: Option<i64>) {
        let bound = days.and_then(|days| u16::try_from(days).ok());
        let slots = bound.and_then(|days| store.by_maximum_days.get(&days));
        let entering = std::mem::take(&mut self.row);
        let all = std::mem::replace(&mut self.admitted, entering);
        self.admitted.clear();
        self.admitted.resize(all.len(), 0);
        for slot in slots.into_iter().flatten().filter(|slot| filter_bitmaps::holds(&all, **slot)) {
            filter_bitmaps::set(&mut self.admitted, *slot);
        }
        self.row = all;
    }

    /// The atoms that stand in the text, each with its first place, and the keywords of admitted alerts that they are. What they exclude is no
    /// longer admitted. Answers how many atoms were tried.
    fn find_truths(&mut self, store: &AlertStore) -> usize {
        let Self { paper, admitted, lexicon, places, candidates, seen, truths, met, .. } = self;
        let (text, atoms) = (paper.bytes(), &store.atoms);
        seen.clear();
        seen.resize(atoms.bound().div_ceil(64), 0);
        truths.clear();
        lexicon.begin(atoms);
        let (mut tried, mut count) = (0, 0);
        for (block, words) in paper.words().chunks(BLOCK).enumerate() {
            for (number, inside) in lexicon.look_up(atoms, text, words) {
                tried += inside.len();
                // The space before it.
                let space = words[number].start.saturating_sub(1) as u32;
                for (found, subscribers, excluders) in inside {
                    if filter_bitmaps::holds(seen, found.atom) {
                        continue;
                    }
                    filter_bitmaps::set(seen, found.atom);
                    exclude(admitted, excluders);
                    count = meet(admitted, subscribers, truths.len(), met, count);
                    if found.has_many {
                        exclude(admitted, atoms.excluders(found.atom));
                        let (first, others) = atoms.subscribers(found.atom);
                        count = meet(admitted, first.as_slice(), truths.len(), met, count);
                        count = meet(admitted, others, truths.len(), met, count);
                    }
                    let start = space + found.offset;
                    let word = Some((block * BLOCK + number) as u32);
                    truths.push(VerifiedAtom { start, end: start + found.length, word, origin: None });
                }
            }
        }
        candidates.clear();
        let spaces = paper.words().iter().map(|word| word.start.saturating_sub(1));
        atoms.phrases.read(text, spaces, places, candidates);
        tried += candidates.len();
        atoms.keep_standing(text, candidates);
        for Candidate { atom, at } in candidates.iter().copied() {
            if filter_bitmaps::holds(seen, atom) {
                continue;
            }
            filter_bitmaps::set(seen, atom);
            exclude(admitted, atoms.excluders(atom));
            let (first, others) = atoms.subscribers(atom);
            count = meet(admitted, first.as_slice(), truths.len(), met, count);
            count = meet(admitted, others, truths.len(), met, count);
            let words = atoms.words(atom);
            let (start, end) = (at + words.start as u32, at + words.end as u32);
            truths.push(VerifiedAtom { start, end, word: None, origin: None });
        }
        met.truncate(count);
        tried
    }

    /// Each alert that was met and whose bounds hold, once, with its first keyword.
    fn hits(
        &mut self,
        store: &AlertStore,
        asked: &PercolationRequest<'_>,
        limits: &TenderLimits,
    ) -> Vec<AlertHit> {
        self.sort_by_slot();
        let Self { first, truths, paper, admitted, .. } = self;
        super::touch(first.iter().map(|met| u32::from(store.cards[met.slot as usize].bounds.is_open())));
        first.retain(|met| {
            filter_bitmaps::holds(admitted, met.slot) && limits.admit(&store.cards[met.slot as usize].bounds)
        });
        for met in first.iter() {
            let truth = &mut truths[met.truth as usize];
            if truth.origin.is_none() {
                let range = truth.start as usize..truth.end as usize;
                truth.origin = paper.origin(asked.tender, range, truth.word);
            }
        }
        let hit = |met: &KeywordHit| {
            let passage = truths[met.truth as usize].origin?;
            Some(AlertHit {
                alert: store.cards[met.slot as usize].id,
                keyword: met.keyword as usize,
                passage,
            })
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
            filter_bitmaps::set(row, met.slot);
        }
        ranks.clear();
        let mut before = 0;
        ranks.extend(row.iter().map(|word| {
            let rank = before;
            before += word.count_ones();
            rank
        }));
        first.clear();
        first.resize(before as usize, KeywordHit { slot: 0, keyword: u32::MAX, truth: 0 });
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

/// Takes out the alerts that exclude what stands in the text.
fn exclude(admitted: &mut [u64], excluders: &[Slot]) {
    excluders.iter().for_each(|slot| filter_bitmaps::clear(admitted, *slot));
}

/// Adds the keywords of admitted alerts to the `count` that were met already; answers how many there are now. Whether an alert admits the
/// tender is anybody's guess: so each is written down, and kept or overwritten by the next, which spares the processor the guessing.
#[inline]
fn meet(
    admitted: &[u64],
    subscribers: &[Subscriber],
    truth: usize,
    met: &mut Vec<KeywordHit>,
    mut count: usize,
) -> usize {
    if met.len() < count + subscribers.len() {
        met.resize(2 * (count + subscribers.len()), KeywordHit::default());
    }
    for subscriber in subscribers {
        met[count] = KeywordHit { slot: subscriber.slot, keyword: subscriber.keyword, truth: truth as u32 };
        count += usize::from(filter_bitmaps::holds(admitted, subscriber.slot));
    }
    count
}

/// What a tender's value and days are held against, worked out once.
struct TenderLimits {
    value: Option<Millions>,
    /// From each of the alerts' currencies into the tender's.
    converters: [Option<Converter>; AlertCurrency::ALL.len()],
    days: Option<i64>,
    /// Whether it closes on a day that was not read.
    is_closing_unread: bool,
}

impl TenderLimits {
    fn of(facts: &TenderFacts, days: Option<i64>, rates: &Rates) -> Self {
        let mut converters = [None; AlertCurrency::ALL.len()];
        for (converter, from) in converters.iter_mut().zip(AlertCurrency::ALL) {
            *converter = facts.value.and_then(|(_, to)| rates.converter((*from).into(), to));
        }
        let value = facts.value.map(|(value, _)| value);
        Self { value, converters, days, is_closing_unread: facts.is_closing_unread() }
    }

    fn admit(&self, bounds: &AlertBounds) -> bool {
        bounds.is_open() || (self.admit_days(bounds) && self.admit_value(bounds))
    }

    fn admit_days(&self, bounds: &AlertBounds) -> bool {
        match self.days {
            None => self.is_closing_unread || !bounds.has_days(),
            Some(days) => bounds.admit_days(days),
        }
    }

    fn admit_value(&self, bounds: &AlertBounds) -> bool {
        let (minimum, maximum) = (bounds.minimum(), bounds.maximum());
        let Some(value) = self.value.filter(|_| minimum.is_some() || maximum.is_some()) else { return true };
        let Some(converter) = self.converters[bounds.currency as usize].as_ref() else { return true };
        let bound = |bound: Option<Millions>| bound.and_then(|bound| converter.convert(bound));
        bound(minimum).is_none_or(|minimum| minimum <= value)
            && bound(maximum).is_none_or(|maximum| value <= maximum)
    }
}
