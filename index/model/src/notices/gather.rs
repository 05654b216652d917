//! Many notices at once: which of them are one tender, and what each tender says. What one notice is to the others is `decide`'s
//! business and what comes of them `compose`'s; here every notice meets the tenders that it may have to do with, in the order of print.

use super::{Candidate, Decision, Doubt, Part, Role, compose, decide, printed_day, reference_key};
use crate::{
    tender::Tender,
    text::Words,
    vocabulary::{Kind, Moment, TenderStatus},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// A tender, and the notices it was put together from.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathered {
    /// What it says. Its id is its first notice's.
    pub tender: Tender,
    /// What each of its notices is to it, by the notice's place among those given; the first is the original.
    pub notices: Vec<(Role, usize)>,
    /// Why a person should say whether it is a tender of its own, and the tenders that come into question.
    pub doubt: Option<(Doubt, Vec<Candidate>)>,
}

/// Of how many tenders a notice's title may be another's; the likeliest are compared.
const BY_TITLE: usize = 30;

/// Puts notices together. Each has an id of its own, and each belongs to one tender: what is in doubt, to one by itself. A notice
/// without a day of print counts as the earliest; a corrigendum may come before its tender. The order in which notices are given
/// matters only between those of one day. `now` stands for the day of print where none is known.
#[must_use]
pub fn gather(notices: &[Tender], now: Moment) -> Vec<Gathered> {
    let mut order: Vec<usize> = (0..notices.len()).collect();
    order.sort_by_key(|&nth| printed_day(&notices[nth]));
    let mut table = Table {
        notices,
        now,
        tenders: Vec::new(),
        places: HashMap::new(),
        titles: HashMap::new(),
        references: HashMap::new(),
    };
    let mut early = Vec::new();
    for nth in order {
        match table.decide(nth) {
            Decision::Review(..) if notices[nth].kind == Kind::Corrigendum => early.push(nth),
            decision => table.take(nth, decision),
        }
    }
    for nth in early {
        let decision = table.decide(nth);
        table.take(nth, decision);
    }
    table.tenders
}

/// The tenders there are so far, and where to look for them.
struct Table<'n> {
    notices: &'n [Tender],
    now: Moment,
    tenders: Vec<Gathered>,
    places: HashMap<Uuid, usize>,
    titles: HashMap<String, BTreeSet<usize>>,
    references: HashMap<String, BTreeSet<usize>>,
}

impl Table<'_> {
    fn decide(&self, nth: usize) -> Decision {
        let notice = &self.notices[nth];
        let known: Vec<Tender> =
            self.candidates(notice).into_iter().map(|at| self.tenders[at].tender.clone()).collect();
        decide(notice, &known)
    }

    /// The tenders a notice may have to do with: those of its reference, and those whose titles share its rarest words.
    fn candidates(&self, notice: &Tender) -> BTreeSet<usize> {
        let key = reference_key(notice.reference_no.as_deref());
        let mut found = key.and_then(|key| self.references.get(&key)).cloned().unwrap_or_default();
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        for word in words(notice) {
            let Some(with) = self.titles.get(&word) else { continue };
            #[expect(clippy::cast_precision_loss, reason = "counts of tenders are far below 2^52")]
            let rarity = (self.tenders.len() as f64 / with.len() as f64).ln_1p();
            for &at in with {
                *weights.entry(at).or_default() += rarity;
            }
        }
        let mut likeliest: Vec<(usize, f64)> = weights.into_iter().collect();
        likeliest.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        found.extend(likeliest.into_iter().take(BY_TITLE).map(|(at, _)| at));
        found
    }

    fn take(&mut self, nth: usize, decision: Decision) {
        let at = |id: Uuid| self.places.get(&id).copied();
        let (place, doubt) = match decision {
            Decision::New => (None, None),
            Decision::Source(id) => (at(id).map(|at| (at, Role::Source)), None),
            Decision::Correction(id) => (at(id).map(|at| (at, Role::Correction)), None),
            Decision::Review(doubt, candidates) => (None, Some((doubt, candidates))),
        };
        let notice = &self.notices[nth];
        let at = match place {
            Some((at, role)) => {
                self.tenders[at].notices.push((role, nth));
                self.compose(at);
                at
            }
            None => {
                let tender = Tender { status: TenderStatus::Published, ..notice.clone() };
                self.places.insert(tender.id, self.tenders.len());
                self.tenders.push(Gathered { tender, notices: vec![(Role::Original, nth)], doubt });
                self.tenders.len() - 1
            }
        };
        // A corrigendum says in its title what it changes, not what is bought.
        if self.tenders[at].notices.last().is_some_and(|(role, _)| *role != Role::Correction) {
            for word in words(notice) {
                self.titles.entry(word).or_default().insert(at);
            }
            if let Some(key) = reference_key(notice.reference_no.as_deref()) {
                self.references.entry(key).or_default().insert(at);
            }
        }
    }

    fn compose(&mut self, at: usize) {
        let gathered = &self.tenders[at];
        let part = |&(role, nth): &(Role, usize)| {
            let notice = self.notices[nth].clone();
            // The day of print stands for the moment since when it is known.
            Part { role, at: printed_day(&notice).and_then(Moment::start_of).unwrap_or(self.now), notice }
        };
        let parts: Vec<Part> = gathered.notices.iter().map(part).collect();
        // What corrigenda made of it is found anew.
        let current =
            Tender { status: TenderStatus::Published, changes: Vec::new(), ..gathered.tender.clone() };
        if let Some(tender) = compose(&current, &parts) {
            self.tenders[at].tender = tender;
        }
    }
}

fn words(notice: &Tender) -> BTreeSet<String> {
    Words::of(&notice.title).iter().map(str::to_owned).collect()
}
