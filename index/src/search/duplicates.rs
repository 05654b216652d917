//! Finds tenders that may be the same as a new one. Candidates are found by reference and by title,
//! and then compared one by one. An earlier notice of the same tender must be found despite OCR
//! errors and in another language.

use super::candidates::CandidateSearch;
use crate::{
    analysis::stem,
    error::IndexError,
    query::{FieldTerm, SearchField},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use tender_model::{
    likeness::{Grounds, likeness, remove_separators},
    tender::Tender,
    text::Words,
};
use uuid::Uuid;

/// A tender that may be the same as the given one.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    /// The tender.
    pub id: Uuid,
    /// The likelihood that both tenders are the same, 0 to 1. See
    /// [`tender_model::likeness::LIKELY_DUPLICATE`].
    pub likeness: f64,
    /// The evidence.
    pub grounds: Grounds,
}

/// The maximum number of candidates found by reference.
const MAX_BY_REFERENCE: usize = 50;
/// The maximum number of candidates found by title.
const MAX_BY_TITLE: usize = 30;
/// The maximum number of title words that are read.
const MAX_TITLE_WORDS: usize = 24;
/// How many of the rarest title words are searched for.
const RAREST_WORDS: usize = 8;
/// The maximum number of corrected forms per word.
const MAX_FORMS: usize = 4;
/// Candidates with a lower likeness are dropped.
const MIN_LIKENESS: f64 = 0.3;

/// Finds duplicates, the most likely first.
///
/// # Errors
/// [`IndexError::Unavailable`] if the engine does not answer.
pub fn duplicates(
    index: &dyn CandidateSearch,
    tender: &Tender,
    limit: usize,
) -> Result<Vec<Duplicate>, IndexError> {
    let mut candidates: BTreeMap<Uuid, Tender> = BTreeMap::new();
    for candidate in by_reference(index, tender)?.into_iter().chain(by_title(index, tender)?) {
        candidates.insert(candidate.id, candidate);
    }
    candidates.remove(&tender.id);
    let compare = |candidate: &Tender| {
        let (likeness, grounds) = likeness(tender, candidate);
        Duplicate { id: candidate.id, likeness, grounds }
    };
    let mut found: Vec<Duplicate> =
        candidates.values().map(compare).filter(|duplicate| duplicate.likeness >= MIN_LIKENESS).collect();
    found.sort_by(|one, other| other.likeness.total_cmp(&one.likeness).then(other.id.cmp(&one.id)));
    found.truncate(limit);
    Ok(found)
}

/// The tenders with the same reference or, if it is long, a reference within two edits.
fn by_reference(index: &dyn CandidateSearch, tender: &Tender) -> Result<Vec<Tender>, IndexError> {
    /// Shorter references are within two edits of too many others.
    const MIN_FUZZY_LENGTH: usize = 6;
    let joined = remove_separators(tender.reference_no.as_deref().unwrap_or_default());
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    let mut references: BTreeSet<String> = BTreeSet::from([joined.clone()]);
    if joined.chars().count() >= MIN_FUZZY_LENGTH {
        let near = index.terms().similar_terms(SearchField::SolidReference, &joined, 2)?;
        references.extend(near.into_keys().take(MAX_BY_REFERENCE));
    }
    index.with_references(&Vec::from_iter(references), MAX_BY_REFERENCE)
}

/// The tenders with any of the title's rarest words. Tenders with more of them come first. A long
/// word that no title or organisation contains may be an OCR error, so it is also corrected.
fn by_title(index: &dyn CandidateSearch, tender: &Tender) -> Result<Vec<Tender>, IndexError> {
    let words = Words::of(&tender.title);
    let words: BTreeSet<&str> = words.iter().take(MAX_TITLE_WORDS).collect();
    let stems: Vec<FieldTerm> =
        words.iter().map(|word| FieldTerm::new(SearchField::TitleStems, &stem(word))).collect();
    index.terms().prefetch(&stems)?;
    let mut rarest = Vec::new();
    for word in words {
        rarest.push((index.terms().frequency(SearchField::TitleStems, &stem(word))?, word));
    }
    rarest.sort_unstable();
    rarest.truncate(RAREST_WORDS);
    let mut terms: Vec<(String, f32)> = Vec::new();
    for (count, word) in rarest {
        terms.push((stem(word), 1.0));
        let is_long = word.chars().count() >= 4 && !word.starts_with(|c: char| c.is_ascii_digit());
        if is_long && count == 0 {
            let forms = index.terms().similar_terms(SearchField::Title, word, 1)?;
            let mut forms: Vec<_> = forms.into_iter().map(|(form, count)| (Reverse(count), form)).collect();
            forms.sort_unstable();
            terms.extend(forms.iter().take(MAX_FORMS).map(|(_, form)| (stem(form), 1.0)));
        }
    }
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    index.with_terms(SearchField::TitleStems, &terms, 1, MAX_BY_TITLE)
}
