//! [`Matcher`]: matches one tender against the stored alerts. Bitmaps yield the alerts whose
//! filters admit the tender. The n-grams of the tender's texts are looked up to find atoms, which
//! are the distinct keywords of all alerts. The hits are the admitted alerts that subscribe to an
//! atom in the texts and whose bounds on value and days hold.

use super::{
    alert_store::AlertStore,
    atoms::Subscriber,
    filter_bitmaps::{self, Slot},
    ngram_index::{Candidate, NgramHit},
    percolation::{AlertHit, MatchedPassage, Percolation, PercolationCounters},
    tender_limits::TenderLimits,
    tokens::TenderTokens,
    word_cache::WordCache,
};
use crate::query::{FilterValues, name_hash};
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, Rates},
};

/// Working memory, reused for each tender.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub(super) tokens: TenderTokens,
    /// One bit per alert slot. It is set if the filters admit the tender and no excluded keyword
    /// was found.
    admitted: Vec<u64>,
    word_cache: WordCache,
    ngram_hits: Vec<NgramHit>,
    candidates: Vec<Candidate>,
    /// One bit per atom, set if the atom was found.
    seen: Vec<u64>,
    verified_atoms: Vec<VerifiedAtom>,
    keyword_hits: Vec<KeywordHit>,
    /// One bit per alert slot, set if a keyword matches.
    matched_alerts: Vec<u64>,
    /// The number of set bits before each word of `matched_alerts`.
    ranks: Vec<u32>,
    /// The first keyword hit of each alert, by slot.
    first: Vec<KeywordHit>,
}

/// The number of words looked up at a time.
const WORDS_PER_LOOKUP: usize = 64;

/// An atom that occurs in the text, with its first position.
#[derive(Debug, Clone, Copy)]
struct VerifiedAtom {
    start: u32,
    end: u32,
    /// The index of the word in which the atom starts, if known.
    word: Option<u32>,
    /// The position in the tender's own text, computed on demand.
    origin: Option<MatchedPassage>,
}

/// A keyword of an alert that occurs in the text.
#[derive(Debug, Clone, Copy, Default)]
struct KeywordHit {
    slot: Slot,
    /// The index of the keyword in the alert, from 0.
    keyword: u32,
    /// The index of the atom in `Matcher::verified_atoms`.
    verified_atom: u32,
}

/// The input of one percolation.
#[derive(Debug, Clone, Copy)]
pub(super) struct PercolationRequest<'a> {
    pub(super) tender: &'a Tender,
    pub(super) now: Moment,
    pub(super) rates: &'a Rates,
}

impl Matcher {
    /// The hits of a tender. `tokens` must already contain its texts.
    pub(super) fn percolate(&mut self, store: &AlertStore, request: &PercolationRequest<'_>) -> Percolation {
        let values = FilterValues::of(request.tender).at(request.now);
        let days = values.days_until_closing(request.now);
        store.bitmaps.compute_admitted(&values, &mut self.admitted);
        store.bitmaps.retain_body(|| name_hash(&request.tender.organization.name), &mut self.admitted);
        if self.admitted.iter().all(|word| *word == 0) {
            return Percolation::default();
        }
        let candidates = self.verify_atoms(store);
        let hits = self.hits(store, request, &TenderLimits::of(&values, days, request.rates));
        let counters =
            PercolationCounters { candidates, verified: self.verified_atoms.len(), matched: hits.len() };
        Percolation { hits, counters }
    }

    /// Finds the atoms in the text, each with its first position, and collects the keywords of
    /// admitted alerts. Alerts that exclude an atom in the text are removed from the admitted ones.
    /// Returns the number of candidates.
    fn verify_atoms(&mut self, store: &AlertStore) -> usize {
        let Self {
            tokens,
            admitted,
            word_cache,
            ngram_hits,
            candidates,
            seen,
            verified_atoms,
            keyword_hits,
            ..
        } = self;
        let (text, atoms) = (tokens.bytes(), &store.atoms);
        seen.clear();
        seen.resize(atoms.id_bound().div_ceil(64), 0);
        verified_atoms.clear();
        word_cache.begin(atoms);
        let (mut tried, mut count) = (0, 0);
        for (block, words) in tokens.words().chunks(WORDS_PER_LOOKUP).enumerate() {
            for (number, inside) in word_cache.look_up(atoms, text, words) {
                tried += inside.len();
                // The position of the space before the word.
                let space = words[number].start.saturating_sub(1) as u32;
                for (found, subscribers, excluders) in inside {
                    if filter_bitmaps::is_set(seen, found.atom) {
                        continue;
                    }
                    filter_bitmaps::set(seen, found.atom);
                    exclude(admitted, excluders);
                    count =
                        add_keyword_hits(admitted, subscribers, verified_atoms.len(), keyword_hits, count);
                    if found.has_many {
                        exclude(admitted, atoms.excluders(found.atom));
                        let (first, others) = atoms.subscribers(found.atom);
                        count = add_keyword_hits(
                            admitted,
                            first.as_slice(),
                            verified_atoms.len(),
                            keyword_hits,
                            count,
                        );
                        count = add_keyword_hits(admitted, others, verified_atoms.len(), keyword_hits, count);
                    }
                    let start = space + found.offset;
                    let word = Some((block * WORDS_PER_LOOKUP + number) as u32);
                    verified_atoms.push(VerifiedAtom {
                        start,
                        end: start + found.length,
                        word,
                        origin: None,
                    });
                }
            }
        }
        candidates.clear();
        let spaces = tokens.words().iter().map(|word| word.start.saturating_sub(1));
        atoms.phrase_ngrams.find_candidates(text, spaces, ngram_hits, candidates);
        tried += candidates.len();
        atoms.retain_occurring(text, candidates);
        for Candidate { atom, at } in candidates.iter().copied() {
            if filter_bitmaps::is_set(seen, atom) {
                continue;
            }
            filter_bitmaps::set(seen, atom);
            exclude(admitted, atoms.excluders(atom));
            let (first, others) = atoms.subscribers(atom);
            count = add_keyword_hits(admitted, first.as_slice(), verified_atoms.len(), keyword_hits, count);
            count = add_keyword_hits(admitted, others, verified_atoms.len(), keyword_hits, count);
            let keyword = atoms.keyword_range(atom);
            let (start, end) = (at + keyword.start as u32, at + keyword.end as u32);
            verified_atoms.push(VerifiedAtom { start, end, word: None, origin: None });
        }
        keyword_hits.truncate(count);
        tried
    }

    /// The alerts that have a matching keyword and whose bounds admit the tender. Each comes with
    /// its first matching keyword.
    fn hits(
        &mut self,
        store: &AlertStore,
        request: &PercolationRequest<'_>,
        limits: &TenderLimits,
    ) -> Vec<AlertHit> {
        self.remove_hits_outside_scope(store);
        self.sort_by_slot();
        let Self { first, verified_atoms, tokens, admitted, .. } = self;
        super::prefetch::touch(
            first
                .iter()
                .map(|keyword_hit| u32::from(store.cards[keyword_hit.slot as usize].bounds.is_unbounded())),
        );
        first.retain(|keyword_hit| {
            filter_bitmaps::is_set(admitted, keyword_hit.slot)
                && limits.admit(&store.cards[keyword_hit.slot as usize].bounds)
        });
        for keyword_hit in first.iter() {
            let verified_atom = &mut verified_atoms[keyword_hit.verified_atom as usize];
            if verified_atom.origin.is_none() {
                let range = verified_atom.start as usize..verified_atom.end as usize;
                verified_atom.origin = tokens.origin(request.tender, range, verified_atom.word);
            }
        }
        let hit = |keyword_hit: &KeywordHit| {
            let passage = verified_atoms[keyword_hit.verified_atom as usize].origin?;
            Some(AlertHit {
                alert: store.cards[keyword_hit.slot as usize].id,
                keyword: keyword_hit.keyword as usize,
                passage,
            })
        };
        let mut hits = Vec::with_capacity(first.len());
        hits.extend(first.iter().filter_map(hit));
        // Usually sorted already, because alerts are created and loaded in the order of their ids.
        hits.sort_by_key(|hit| hit.alert);
        hits
    }

    /// Removes the keyword hits outside the title and the scope of alerts that are limited to them. These
    /// texts come first, and each atom has its first position.
    fn remove_hits_outside_scope(&mut self, store: &AlertStore) {
        if store.limited_to_scope.is_empty() {
            return;
        }
        let Self { keyword_hits, verified_atoms, tokens, .. } = self;
        let end = tokens.scope_end();
        keyword_hits.retain(|hit| {
            (verified_atoms[hit.verified_atom as usize].start as usize) < end
                || !store.limited_to_scope.contains(hit.slot)
        });
    }

    /// Sorts the keyword hits by slot and keeps the first keyword of each alert. The sort counts
    /// bits instead of comparing slots (counting sort).
    fn sort_by_slot(&mut self) {
        let Self { keyword_hits, matched_alerts, ranks, first, admitted, .. } = self;
        matched_alerts.clear();
        matched_alerts.resize(admitted.len(), 0);
        for keyword_hit in keyword_hits.iter() {
            filter_bitmaps::set(matched_alerts, keyword_hit.slot);
        }
        ranks.clear();
        let mut before = 0;
        ranks.extend(matched_alerts.iter().map(|word| {
            let rank = before;
            before += word.count_ones();
            rank
        }));
        first.clear();
        first.resize(before as usize, KeywordHit { slot: 0, keyword: u32::MAX, verified_atom: 0 });
        for keyword_hit in keyword_hits.iter() {
            let word = keyword_hit.slot as usize / 64;
            let below = matched_alerts[word] & ((1 << (keyword_hit.slot % 64)) - 1);
            let place = &mut first[(ranks[word] + below.count_ones()) as usize];
            if keyword_hit.keyword <= place.keyword {
                *place = *keyword_hit;
            }
        }
    }
}

/// Removes alerts from the admitted ones, because they exclude a needle in the text.
fn exclude(admitted: &mut [u64], excluders: &[Slot]) {
    excluders.iter().for_each(|slot| filter_bitmaps::clear(admitted, *slot));
}

/// Adds the keywords of admitted alerts after the `count` existing ones, and returns the new count.
/// Each keyword is written, and then kept or overwritten by the next one. This avoids mispredicted
/// branches.
#[inline]
fn add_keyword_hits(
    admitted: &[u64],
    subscribers: &[Subscriber],
    verified_atom: usize,
    keyword_hits: &mut Vec<KeywordHit>,
    mut count: usize,
) -> usize {
    if keyword_hits.len() < count + subscribers.len() {
        keyword_hits.resize(2 * (count + subscribers.len()), KeywordHit::default());
    }
    for subscriber in subscribers {
        keyword_hits[count] = KeywordHit {
            slot: subscriber.slot,
            keyword: subscriber.keyword,
            verified_atom: verified_atom as u32,
        };
        count += usize::from(filter_bitmaps::is_set(admitted, subscriber.slot));
    }
    count
}
