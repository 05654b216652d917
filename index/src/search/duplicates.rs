//! Finds tenders that may be the same as a new one. Candidates are found by reference and by title,
//! and then compared one by one. An earlier notice of the same tender must be found despite OCR
//! errors and in another language.

use crate::{analysis::stem, document::to_tender, error::IndexError, query::fuzzy_terms, schema::Fields};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use tantivy::{
    Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{BooleanQuery, Query, TermQuery, TermSetQuery},
    schema::IndexRecordOption,
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
pub(crate) fn duplicates(
    searcher: &Searcher,
    fields: &Fields,
    tender: &Tender,
    limit: usize,
) -> Result<Vec<Duplicate>, IndexError> {
    let mut candidates: BTreeMap<Uuid, Tender> = BTreeMap::new();
    for (query, most) in [
        (by_reference(searcher, fields, tender)?, MAX_BY_REFERENCE),
        (by_title(searcher, fields, tender)?, MAX_BY_TITLE),
    ] {
        let Some(query) = query else { continue };
        for (_, address) in searcher.search(&query, &TopDocs::with_limit(most).order_by_score())? {
            let document: TantivyDocument = searcher.doc(address)?;
            let candidate = to_tender(&document, fields)?;
            candidates.insert(candidate.id, candidate);
        }
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

/// A query for tenders with the same reference or, if it is long, a reference within two edits.
fn by_reference(
    searcher: &Searcher,
    fields: &Fields,
    tender: &Tender,
) -> tantivy::Result<Option<Box<dyn Query>>> {
    /// Shorter references are within two edits of too many others.
    const MIN_FUZZY_LENGTH: usize = 6;
    let joined = remove_separators(tender.reference_no.as_deref().unwrap_or_default());
    if joined.is_empty() {
        return Ok(None);
    }
    let distance = if joined.chars().count() >= MIN_FUZZY_LENGTH { 2 } else { 0 };
    let mut references: BTreeSet<String> = BTreeSet::from([joined.clone()]);
    if distance > 0 {
        let near = fuzzy_terms(&joined, distance, fields.solid_reference, searcher)?;
        references.extend(near.into_keys().take(MAX_BY_REFERENCE));
    }
    let terms = references.iter().map(|reference| Term::from_field_text(fields.solid_reference, reference));
    Ok(Some(Box::new(TermSetQuery::new(terms))))
}

/// A query for tenders with any of the title's rarest words. Tenders with more of them score
/// higher. A long word that no title or organisation contains may be an OCR error, so it is also
/// corrected.
fn by_title(
    searcher: &Searcher,
    fields: &Fields,
    tender: &Tender,
) -> tantivy::Result<Option<Box<dyn Query>>> {
    let words = Words::of(&tender.title);
    let words: BTreeSet<&str> = words.iter().take(MAX_TITLE_WORDS).collect();
    let mut rarest = Vec::new();
    for word in words {
        rarest.push((searcher.doc_freq(&Term::from_field_text(fields.title_stems, &stem(word)))?, word));
    }
    rarest.sort_unstable();
    rarest.truncate(RAREST_WORDS);
    let mut ways: Vec<Box<dyn Query>> = Vec::new();
    for (count, word) in rarest {
        let term = |word: &str| Term::from_field_text(fields.title_stems, &stem(word));
        let mut terms = vec![term(word)];
        let is_long = word.chars().count() >= 4 && !word.starts_with(|c: char| c.is_ascii_digit());
        if is_long && count == 0 {
            let forms = fuzzy_terms(word, 1, fields.title, searcher)?;
            let mut forms: Vec<_> = forms.into_iter().map(|(form, count)| (Reverse(count), form)).collect();
            forms.sort_unstable();
            terms.extend(forms.iter().take(MAX_FORMS).map(|(_, form)| term(form)));
        }
        ways.extend(
            terms
                .into_iter()
                .map(|term| Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn Query>),
        );
    }
    Ok((!ways.is_empty()).then(|| Box::new(BooleanQuery::union(ways)) as Box<dyn Query>))
}
