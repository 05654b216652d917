//! Groups many notices into tenders. Notices are processed in print order; each is compared with
//! the tenders found so far.

use super::{
    compose::{Role, TenderNotice, compose},
    decide::{Candidate, Decision, Doubt, decide, reference_key},
    readings::printed_day,
};
use crate::{
    tender::Tender,
    text::Words,
    vocabulary::{Kind, Moment, TenderStatus},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// A tender with the notices it was composed from.
#[derive(Debug, Clone, PartialEq)]
pub struct TenderGroup {
    /// The composed tender. Its id is that of its original notice.
    pub tender: Tender,
    /// The role of each notice and its index in the input. The first is the original.
    pub notices: Vec<(Role, usize)>,
    /// Why a person should decide whether this is a separate tender, and the candidates.
    pub doubt: Option<(Doubt, Vec<Candidate>)>,
}

/// The maximum number of tenders with a similar title that are compared with a notice.
const MAX_BY_TITLE: usize = 30;

/// Groups notices into tenders. Each notice must have its own id. It belongs to exactly one
/// tender. A doubtful notice becomes a separate tender.
///
/// Notices without a print date are processed first. Corrigenda that need review are tried again at
/// the end. Input order matters only between notices of one day. In the changes of a tender, `now`
/// replaces a missing print date.
#[must_use]
pub fn gather(notices: &[Tender], now: Moment) -> Vec<TenderGroup> {
    let mut order: Vec<usize> = (0..notices.len()).collect();
    order.sort_by_key(|&nth| printed_day(&notices[nth]));
    let mut grouping = Grouping {
        notices,
        now,
        tenders: Vec::new(),
        positions: HashMap::new(),
        titles: HashMap::new(),
        references: HashMap::new(),
    };
    let mut early = Vec::new();
    for nth in order {
        match grouping.decide(nth) {
            Decision::Review(..) if notices[nth].kind == Kind::Corrigendum => early.push(nth),
            decision => grouping.add(nth, decision),
        }
    }
    for nth in early {
        let decision = grouping.decide(nth);
        grouping.add(nth, decision);
    }
    grouping.tenders
}

/// The tenders found so far, with lookup tables.
struct Grouping<'n> {
    notices: &'n [Tender],
    now: Moment,
    tenders: Vec<TenderGroup>,
    positions: HashMap<Uuid, usize>,
    titles: HashMap<String, BTreeSet<usize>>,
    references: HashMap<String, BTreeSet<usize>>,
}

impl Grouping<'_> {
    fn decide(&self, nth: usize) -> Decision {
        let notice = &self.notices[nth];
        let known: Vec<Tender> =
            self.candidates(notice).into_iter().map(|at| self.tenders[at].tender.clone()).collect();
        decide(notice, &known)
    }

    /// The tenders a notice may belong to: those with its reference, and at most [`MAX_BY_TITLE`]
    /// with the most similar titles. Rare words count more.
    fn candidates(&self, notice: &Tender) -> BTreeSet<usize> {
        let key = reference_key(notice.reference_no.as_deref());
        let mut found = key.and_then(|key| self.references.get(&key)).cloned().unwrap_or_default();
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        for word in title_words(notice) {
            let Some(with) = self.titles.get(&word) else { continue };
            #[expect(clippy::cast_precision_loss, reason = "counts of tenders are far below 2^52")]
            let rarity = (self.tenders.len() as f64 / with.len() as f64).ln_1p();
            for &at in with {
                *weights.entry(at).or_default() += rarity;
            }
        }
        let mut likeliest: Vec<(usize, f64)> = weights.into_iter().collect();
        likeliest.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        found.extend(likeliest.into_iter().take(MAX_BY_TITLE).map(|(at, _)| at));
        found
    }

    fn add(&mut self, nth: usize, decision: Decision) {
        let at = |id: Uuid| self.positions.get(&id).copied();
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
                self.positions.insert(tender.id, self.tenders.len());
                self.tenders.push(TenderGroup { tender, notices: vec![(Role::Original, nth)], doubt });
                self.tenders.len() - 1
            }
        };
        // The title of a corrigendum describes the change, not the subject.
        if self.tenders[at].notices.last().is_some_and(|(role, _)| *role != Role::Correction) {
            for word in title_words(notice) {
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
            // The print date replaces the time when the notice became known.
            TenderNotice {
                role,
                at: printed_day(&notice).and_then(Moment::start_of).unwrap_or(self.now),
                notice,
            }
        };
        let parts: Vec<TenderNotice> = gathered.notices.iter().map(part).collect();
        // The effects of corrigenda are computed again.
        let current =
            Tender { status: TenderStatus::Published, changes: Vec::new(), ..gathered.tender.clone() };
        if let Some(tender) = compose(&current, &parts) {
            self.tenders[at].tender = tender;
        }
    }
}

fn title_words(notice: &Tender) -> BTreeSet<String> {
    Words::of(&notice.title).iter().map(str::to_owned).collect()
}
