//! Finds tenders similar to a given one. The rarest words of its title and description are searched
//! for in the titles and organisations of other tenders. Everyone may read these texts, the status
//! and the closing date, even of locked tenders.

use super::candidates::CandidateSearch;
use crate::{
    analysis::stem,
    error::IndexError,
    query::{FieldTerm, SearchField},
};
use std::collections::{BTreeMap, BTreeSet};
use tender_model::{
    tender::Tender,
    text::Words,
    vocabulary::{Category, Moment, TenderStatus},
};
use uuid::Uuid;

/// A similar tender, with what everyone may read.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarHit {
    /// The tender.
    pub id: Uuid,
    /// The title of the tender.
    pub title: String,
    /// The organisation's name.
    pub organization: String,
    /// The status at the moment of the search.
    pub status: TenderStatus,
    /// When bids close.
    pub closing: Option<Moment>,
}

/// The maximum number of words that are searched for.
const MAX_SEARCH_WORDS: usize = 16;
/// The maximum number of words read from each text of the given tender.
const MAX_WORDS_READ: usize = 100;
/// The weight of a word from the title of the given tender.
const TITLE_WEIGHT: f32 = 3.0;
/// The weight of a word from the description of the given tender.
const DESCRIPTION_WEIGHT: f32 = 1.0;
/// The number of tenders that may have a word, if there are so few tenders that a tenth of them is less.
const COMMON_IN_FEW: f32 = 6.0;
/// One in this many search words must match, but at least two words unless only one is searched
/// for.
const ONE_MATCH_IN: usize = 4;

/// The most similar tenders: open ones first, because a reader can still bid for these. The given
/// tender, notices of another kind or sector, those without a significant word of its title in theirs, and
/// repeated titles of an organisation are left out.
///
/// # Errors
/// [`IndexError::Unavailable`] if the engine does not answer.
pub fn similar(
    index: &dyn CandidateSearch,
    tender: &Tender,
    now: Moment,
    limit: usize,
) -> Result<Vec<SimilarHit>, IndexError> {
    let rare = significant_stems(index, tender)?;
    if rare.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let at_least = rare.len().div_ceil(ONE_MATCH_IN).max(2).min(rare.len());
    let name = |tender: &Tender| {
        let words = |text: &str| Words::of(text).as_str().to_owned();
        (words(&tender.title), words(&tender.organization.name))
    };
    let mut seen = BTreeSet::from([name(tender)]);
    let of_title: BTreeSet<String> =
        stems(&tender.title).filter(|stem| rare.iter().any(|(rare, _)| rare == stem)).collect();
    let mut found = Vec::new();
    let most = limit.saturating_mul(4).clamp(1, 400);
    for other in index.with_terms(SearchField::TitleStems, &rare, at_least, most)? {
        if other.id != tender.id
            && other.kind == tender.kind
            && may_share_sector(tender, &other)
            && stems(&other.title).any(|stem| of_title.contains(&stem))
            && seen.insert(name(&other))
        {
            found.push(SimilarHit {
                id: other.id,
                status: other.effective_status(now),
                closing: other.dates.closing,
                title: other.title,
                organization: other.organization.name,
            });
        }
    }
    found.sort_by_key(|other| other.status != TenderStatus::Published);
    found.truncate(limit);
    Ok(found)
}

/// Whether another tender is of the given tender's sector, or also of none. If the given tender's category is
/// unknown, only the words decide.
fn may_share_sector(given: &Tender, other: &Tender) -> bool {
    let sector = |tender: &Tender| tender.category.and_then(Category::sector);
    given.category.is_none() || sector(given) == sector(other)
}

/// The stems of a text. Numbers and single letters do not make tenders similar.
fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = Words::of(text);
    let is_word =
        |word: &&str| word.chars().nth(1).is_some() && !word.starts_with(|c: char| c.is_ascii_digit());
    let stems: Vec<String> = words.iter().take(MAX_WORDS_READ).filter(is_word).map(stem).collect();
    stems.into_iter()
}

/// The most significant stems of a tender, by weight times inverse document frequency.
fn significant_stems(index: &dyn CandidateSearch, tender: &Tender) -> Result<Vec<(String, f32)>, IndexError> {
    let mut weights: BTreeMap<String, f32> = BTreeMap::new();
    for (text, weight) in [(&tender.title, TITLE_WEIGHT), (&tender.description, DESCRIPTION_WEIGHT)] {
        for stem in stems(text) {
            let highest = weights.entry(stem).or_default();
            *highest = highest.max(weight);
        }
    }
    let terms: Vec<FieldTerm> =
        weights.keys().map(|stem| FieldTerm::new(SearchField::TitleStems, stem)).collect();
    index.terms().prefetch(&terms)?;
    let all = index.count()? as f32;
    let mut rare = Vec::new();
    for (stem, weight) in weights {
        let count = index.terms().frequency(SearchField::TitleStems, &stem)? as f32;
        // A word that no tender has finds nothing. A word in more than a tenth of the tenders is too common.
        if count >= 1.0 && count <= (all / 10.0).max(COMMON_IN_FEW) {
            rare.push((stem, weight, weight * (1.0 + all / count).ln()));
        }
    }
    rare.sort_by(|one, other| other.2.total_cmp(&one.2).then_with(|| one.0.cmp(&other.0)));
    Ok(rare.into_iter().take(MAX_SEARCH_WORDS).map(|(stem, weight, _)| (stem, weight)).collect())
}
