//! Tenders like a given one: those that share its rarest words in their titles and organisations' names, the only texts that may be
//! read of every tender. Whether two are the same is `likeness`' question.

use crate::{document::to_tender, error::IndexError, query::stem, schema::Fields};
use std::collections::{BTreeMap, BTreeSet};
use tantivy::{
    Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{BooleanQuery, BoostQuery, Query, TermQuery},
    schema::IndexRecordOption,
};
use tender_model::{tender::Tender, text::Words};
use uuid::Uuid;

/// A tender like another, by what may be read of every tender.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarHit {
    /// The tender.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// The organisation's name.
    pub organization: String,
}

/// How many words are looked for, and how many of a description are weighed.
const MOST_WORDS: usize = 16;
const MOST_DESCRIBING: usize = 100;
/// What a word counts for by where the given tender has it.
const TITLE: f32 = 3.0;
const DESCRIPTION: f32 = 1.0;
/// Of the words looked for, one in this many must be shared.
const SHARED: usize = 4;

/// The tenders most like one, which itself is not among them, however often it was printed: titles that say the same are told once.
pub(crate) fn similar(
    searcher: &Searcher,
    fields: &Fields,
    tender: &Tender,
    limit: usize,
) -> Result<Vec<SimilarHit>, IndexError> {
    let rare = rarest(searcher, fields, tender)?;
    if rare.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let at_least = rare.len().div_ceil(SHARED).max(2).min(rare.len());
    let ways = rare.into_iter().map(|(stem, weight)| {
        let term = Term::from_field_text(fields.title_stems, &stem);
        let term = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
        Box::new(BoostQuery::new(term, weight)) as Box<dyn Query>
    });
    let query = BooleanQuery::union_with_minimum_required_clauses(ways.collect(), at_least);
    let mut seen = BTreeSet::from([Words::of(&tender.title).as_str().to_owned()]);
    let mut found = Vec::new();
    let most = limit.saturating_mul(4).clamp(1, 400);
    for (_, address) in searcher.search(&query, &TopDocs::with_limit(most).order_by_score())? {
        let document: TantivyDocument = searcher.doc(address)?;
        let other = to_tender(&document, fields)?;
        if other.id != tender.id && seen.insert(Words::of(&other.title).as_str().to_owned()) {
            found.push(SimilarHit {
                id: other.id,
                title: other.title,
                organization: other.organization.name,
            });
        }
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// The stems of a tender that say most of it: each one's weight times how rare it is.
fn rarest(searcher: &Searcher, fields: &Fields, tender: &Tender) -> tantivy::Result<Vec<(String, f32)>> {
    let mut weights: BTreeMap<String, f32> = BTreeMap::new();
    let mut add = |text: &str, most: usize, weight: f32| {
        for word in Words::of(text).iter().take(most) {
            // Numbers and single letters make no tender like another.
            if word.chars().nth(1).is_some() && !word.starts_with(|c: char| c.is_ascii_digit()) {
                let highest = weights.entry(stem(word)).or_default();
                *highest = highest.max(weight);
            }
        }
    };
    add(&tender.title, MOST_DESCRIBING, TITLE);
    add(&tender.description, MOST_DESCRIBING, DESCRIPTION);
    let all = searcher.num_docs() as f32;
    let mut rare = Vec::new();
    for (stem, weight) in weights {
        let count = searcher.doc_freq(&Term::from_field_text(fields.title_stems, &stem))? as f32;
        // A word that only this tender has finds nothing; one that a tenth of all have says nothing.
        if count >= 1.0 && (count <= all / 10.0 || all < 100.0) {
            rare.push((stem, weight, weight * (1.0 + all / count).ln()));
        }
    }
    rare.sort_by(|one, other| other.2.total_cmp(&one.2).then_with(|| one.0.cmp(&other.0)));
    Ok(rare.into_iter().take(MOST_WORDS).map(|(stem, weight, _)| (stem, weight)).collect())
}
