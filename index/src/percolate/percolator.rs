//! [`Percolator`]: stored alerts, indexed by their keywords, and the way of one tender through them: its words lead to atoms, true
//! atoms to subscribers, masks sieve those, and the few left are read in full.

use super::{
    Why,
    anchors::{self, AtomId, Filed},
    atoms::{Atoms, Subscriber},
    paper::{Distinct, Paper},
};
use crate::{
    alert::{AlertError, AlertQuery},
    query::{Facts, Filters},
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use std::collections::HashMap;
use uuid::Uuid;

/// Stored alerts, ready to meet a tender. Putting, replacing and removing one costs only its own keywords.
///
/// ```
/// use index::{alert::AlertQuery, percolate::Percolator, tender::Tender, vocabulary::{Rates, TenderStatus}};
/// use uuid::Uuid;
///
/// let query: AlertQuery = serde_json::from_str(r#"{"keywords":[{"term":"bridge","matchType":"starts_with"}]}"#)?;
/// let mut percolator = Percolator::new();
/// percolator.put(Uuid::from_u128(7), &query)?;
///
/// let tender = Tender {
///     title: "Repair of five Bridges".into(),
///     status: TenderStatus::Published,
///     ..Tender::default()
/// };
/// let now = "2026-11-20T09:00:00+05:30".parse()?;
/// let found = percolator.percolate(&tender, now, &Rates::default());
/// assert_eq!(found.hits[0].alert, Uuid::from_u128(7));
/// assert_eq!(&tender.title[found.hits[0].why.start..found.hits[0].why.end], "Bridge");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Percolator {
    atoms: Atoms,
    alerts: Vec<Option<Alert>>,
    free: Vec<u32>,
    numbers: HashMap<Uuid, u32>,
}

struct Alert {
    id: Uuid,
    filters: Filters,
    subscriptions: Vec<Subscription>,
    excludes: Vec<AtomId>,
}

/// One keyword of an alert, and where it is filed.
struct Subscription {
    term: Box<str>,
    atom: AtomId,
    place: usize,
}

/// What percolating one tender found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Percolation {
    /// The alerts that match, by id.
    pub hits: Vec<Hit>,
    /// What it took.
    pub counters: Counters,
}

/// An alert that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The alert.
    pub alert: Uuid,
    /// Its first keyword that was found, and where.
    pub why: Why,
}

/// How many patterns and alerts were looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Patterns that the tender's words led to.
    pub candidates: usize,
    /// Of those, patterns that stand in the tender.
    pub verified: usize,
    /// Alerts that match.
    pub matched: usize,
}

impl Percolator {
    /// No alerts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts an alert, in the place of its former self if there is one.
    ///
    /// # Errors
    /// [`AlertError`] when it can't be matched; then nothing has changed.
    pub fn put(&mut self, alert: Uuid, query: &AlertQuery) -> Result<(), AlertError> {
        let patterns = query.patterns()?;
        self.remove(alert);
        let number = self.free.pop().unwrap_or_else(|| {
            self.alerts.push(None);
            (self.alerts.len() - 1) as u32
        });
        let filters = Filters::of(query);
        let mut subscriptions: Vec<Subscription> = Vec::with_capacity(patterns.len());
        for (index, (pattern, keyword)) in patterns.iter().zip(&query.keywords).enumerate() {
            if patterns[..index].contains(pattern) {
                continue;
            }
            let subscriber = Subscriber {
                traits: filters.traits,
                places: filters.places,
                alert: number,
                subscription: subscriptions.len() as u32,
            };
            let (atom, place) = self.atoms.subscribe(pattern.clone(), subscriber);
            subscriptions.push(Subscription { term: keyword.term.as_str().into(), atom, place });
        }
        let excludes = query.excludes().into_iter().map(|pattern| self.atoms.exclude(pattern)).collect();
        self.numbers.insert(alert, number);
        self.alerts[number as usize] = Some(Alert { id: alert, filters, subscriptions, excludes });
        Ok(())
    }

    /// Removes an alert, if it is there.
    pub fn remove(&mut self, alert: Uuid) {
        let Some(number) = self.numbers.remove(&alert) else { return };
        let Some(gone) = self.alerts[number as usize].take() else { return };
        self.free.push(number);
        for subscription in gone.subscriptions {
            let moved = self.atoms.unsubscribe(subscription.atom, subscription.place);
            let Some(moved) = moved else { continue };
            if let Some(other) = &mut self.alerts[moved.alert as usize] {
                other.subscriptions[moved.subscription as usize].place = subscription.place;
            }
        }
        for atom in gone.excludes {
            self.atoms.include(atom);
        }
    }

    /// How many alerts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no alert.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many distinct patterns the alerts have.
    #[must_use]
    pub fn patterns(&self) -> usize {
        self.atoms.len()
    }

    /// The alerts that match a tender at a moment, by id. A draft or a withdrawn tender matches none.
    #[must_use]
    pub fn percolate(&self, tender: &Tender, now: Moment, rates: &Rates) -> Percolation {
        if !tender.status.is_public() {
            return Percolation::default();
        }
        let facts = Facts::of(tender).at(now);
        let paper = Paper::of(tender);
        let (truths, mut counters) = self.truths(&paper);
        let mut hits: Vec<Hit> = self
            .candidates(&truths, &facts)
            .into_iter()
            .filter_map(|candidate| {
                let alert = self.alerts[candidate.alert as usize].as_ref()?;
                let excluded = |atom: &AtomId| truths.binary_search_by_key(atom, |truth| truth.atom).is_ok();
                if !alert.filters.admit(&facts, now, rates) || alert.excludes.iter().any(excluded) {
                    return None;
                }
                let subscription = &alert.subscriptions[candidate.subscription as usize];
                let length = self.atoms.get(subscription.atom)?.pattern.as_str().len();
                let (field, origin) = paper.origin(candidate.start..candidate.start + length)?;
                let keyword = subscription.term.to_string();
                let why = Why { keyword, field: field.to_string(), start: origin.start, end: origin.end };
                Some(Hit { alert: alert.id, why })
            })
            .collect();
        hits.sort_unstable_by_key(|hit| hit.alert);
        counters.matched = hits.len();
        Percolation { hits, counters }
    }

    /// The atoms that stand in the paper, by number, each with its first place.
    fn truths(&self, paper: &Paper<'_>) -> (Vec<Truth>, Counters) {
        let mut reading =
            Reading { percolator: self, paper, hints: Vec::new(), truths: Vec::new(), candidates: 0 };
        let anchors = &self.atoms.anchors;
        for distinct in &paper.distinct {
            let word = paper.word(distinct);
            reading.try_whole(anchors.whole(distinct.hash), distinct);
            anchors.prefixes(word).for_each(|atoms| reading.try_atoms(atoms, distinct));
            anchors.suffixes(word).for_each(|atoms| reading.try_atoms(atoms, distinct));
            for (atoms, gram) in anchors.grams(word) {
                let fitting = atoms.iter().filter(|filed| anchors::fits(filed.hint, word.as_bytes(), &gram));
                fitting.for_each(|filed| reading.try_atom(filed.atom, distinct));
            }
        }
        if anchors.has_pairs() {
            for pair in paper.places.windows(2) {
                for filed in anchors.pair(pair[0].hash, pair[1].hash) {
                    reading.candidates += 1;
                    let found = self.atoms.get(filed.atom).and_then(|known| known.stands_by(paper, &pair[0]));
                    reading.truths.extend(found.map(|start| Truth { atom: filed.atom, start }));
                }
            }
        }
        let Reading { mut truths, candidates, .. } = reading;
        truths.sort_unstable();
        truths.dedup_by_key(|truth| truth.atom);
        let counters = Counters { candidates, verified: truths.len(), matched: 0 };
        (truths, counters)
    }

    /// The alerts whose masks admit the tender, each once with its first keyword that is true.
    fn candidates(&self, truths: &[Truth], facts: &Facts) -> Vec<Candidate> {
        let (traits, places) = (facts.traits, facts.place_test());
        let mut candidates = Vec::new();
        for truth in truths {
            let Some(atom) = self.atoms.get(truth.atom) else { continue };
            let admitted = atom
                .subscribers
                .iter()
                .filter(|subscriber| traits & !subscriber.traits == 0 && places & subscriber.places != 0);
            candidates.extend(admitted.map(|subscriber| Candidate {
                alert: subscriber.alert,
                subscription: subscriber.subscription,
                start: truth.start,
            }));
        }
        candidates.sort_unstable();
        candidates.dedup_by_key(|candidate| candidate.alert);
        candidates
    }
}

/// A pattern that stands in the paper, and its first place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Truth {
    atom: AtomId,
    start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    alert: u32,
    subscription: u32,
    start: usize,
}

struct Reading<'a> {
    percolator: &'a Percolator,
    paper: &'a Paper<'a>,
    /// What stands beside the word being looked at, at all its places.
    hints: Vec<u32>,
    truths: Vec<Truth>,
    candidates: usize,
}

impl Reading<'_> {
    /// Tries the atoms filed under a whole word, leaving out those whose hint says that another word would have to stand beside it.
    fn try_whole(&mut self, atoms: &[Filed], word: &Distinct) {
        self.hints.clear();
        if atoms.iter().any(|filed| filed.hint != 0) {
            let neighbours = self.paper.neighbours_of(word);
            let hints =
                neighbours.flat_map(|(left, right)| [left.map(anchors::before), right.map(anchors::after)]);
            self.hints.extend(hints.flatten());
        }
        for filed in atoms {
            if filed.hint == 0 || self.hints.contains(&filed.hint) {
                self.try_atom(filed.atom, word);
            }
        }
    }

    fn try_atoms(&mut self, atoms: &[Filed], word: &Distinct) {
        atoms.iter().for_each(|filed| self.try_atom(filed.atom, word));
    }

    fn try_atom(&mut self, atom: AtomId, word: &Distinct) {
        self.candidates += 1;
        let found = self.percolator.atoms.get(atom).and_then(|known| known.find(self.paper, word));
        self.truths.extend(found.map(|start| Truth { atom, start }));
    }
}
