//! Suggestions while typing: categories, places, organisations and the newest titles. The work per
//! request is bounded. Only text that everyone may read is suggested.

use super::snapshot::Snapshot;
use crate::{document::to_tender, error::IndexError, schema::Fields};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    io,
};
use tantivy::{
    DocAddress, DocId, DocSet, SegmentReader, TERMINATED, TantivyDocument, index::InvertedIndexReader,
    postings::TermInfo, schema::IndexRecordOption,
};
use tender_model::{
    text::{Words, normalise},
    vocabulary::{Category, District, gazetteer},
};
use uuid::Uuid;

/// The number of suggestions of each kind.
const CATEGORIES: usize = 2;
const PLACES: usize = 2;
const ORGANIZATIONS: usize = 3;
const TITLES: usize = 5;
/// The maximum number of typed words that are used.
const MOST_WORDS: usize = 8;
/// An unfinished word is searched in titles from this length.
const SHORTEST_BEGINNING: usize = 2;
/// How many completions of a word are read per segment, and how many of them are used.
const MOST_TERMS: usize = 1024;
const MOST_SOUGHT: usize = 32;
/// How many of the latest tenders of each segment are searched first, how many of the others at
/// most, and how many titles are read.
const RECENT: DocId = 2048;
const MOST_TENDERS: usize = 50_000;
const MOST_READ: usize = 10;

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// A category.
    Category(Category),
    /// A district, with its name in the typed script.
    Place(District, String),
    /// The name of an organisation.
    Organization(String),
    /// A tender with its title.
    Title(Uuid, String),
}

/// Computes the suggestions: categories, then places, organisations and titles.
pub(crate) fn suggest(
    snapshot: &Snapshot,
    fields: &Fields,
    text: &str,
) -> Result<Vec<Suggestion>, IndexError> {
    let words = Words::of(text);
    let words: Vec<&str> = words.iter().take(MOST_WORDS).collect();
    let Some(last) = words.last() else { return Ok(Vec::new()) };
    let joined = words.join(" ");
    let begins = |name: &str| {
        let name = normalise(name);
        name.starts_with(&joined) || name.contains(&format!(" {joined}"))
    };
    let categories = Category::ALL.iter().filter(|category| begins(category.as_str()));
    let mut suggestions: Vec<Suggestion> =
        categories.take(CATEGORIES).map(|category| Suggestion::Category(*category)).collect();
    let places = gazetteer::districts().filter(|(name, _)| normalise(name).starts_with(&joined));
    suggestions
        .extend(places.take(PLACES).map(|(name, district)| Suggestion::Place(district, name.to_owned())));
    suggestions.extend(organizations(snapshot, &joined));
    suggestions.extend(titles(snapshot, fields, &words, last, text.ends_with(char::is_whitespace))?);
    Ok(suggestions)
}

/// The organisations with the most tenders.
fn organizations(snapshot: &Snapshot, joined: &str) -> Vec<Suggestion> {
    let names = &snapshot.dictionary.organizations;
    let codes: BTreeSet<u32> = snapshot.organizations.with(joined).collect();
    let mut best = BinaryHeap::new();
    for code in codes {
        let count = snapshot.organization_counts.get(code as usize).copied().unwrap_or_default();
        if count > 0 {
            best.push(Reverse((count, Reverse(code))));
        }
        if best.len() > ORGANIZATIONS {
            best.pop();
        }
    }
    let best = best.into_sorted_vec();
    let spelling = |Reverse((_, Reverse(code))): Reverse<(u32, Reverse<u32>)>| names.spelling(code as usize);
    best.into_iter().filter_map(spelling).map(|name| Suggestion::Organization(name.to_owned())).collect()
}

/// The newest titles with all the words. The last word may be unfinished, unless a space follows
/// it. The latest tenders are searched first, and the others only if those are not enough.
fn titles(
    snapshot: &Snapshot,
    fields: &Fields,
    words: &[&str],
    last: &str,
    ended: bool,
) -> Result<Vec<Suggestion>, IndexError> {
    let complete = if ended { words } else { &words[..words.len() - 1] };
    if complete.is_empty() && last.chars().count() < SHORTEST_BEGINNING {
        return Ok(Vec::new());
    }
    let beginning = (!ended).then_some(last);
    let mut newest = BinaryHeap::new();
    for (share, most) in [(RECENT, usize::MAX), (u32::MAX, MOST_TENDERS)] {
        newest.clear();
        let mut left = most;
        for (ordinal, (reader, columns)) in snapshot.segments().enumerate() {
            let from = reader.max_doc().saturating_sub(share);
            for document in with_words(reader, fields, complete, beginning, from, &mut left)? {
                let published = columns.row(document).hot.published_at;
                newest.push(Reverse((published, ordinal as u32, document)));
                if newest.len() > MOST_READ {
                    newest.pop();
                }
            }
        }
        if newest.len() >= MOST_READ {
            break;
        }
    }
    let mut titles = Vec::new();
    let mut seen = BTreeSet::new();
    for Reverse((_, ordinal, document)) in newest.into_sorted_vec() {
        let document: TantivyDocument = snapshot.searcher.doc(DocAddress::new(ordinal, document))?;
        let tender = to_tender(&document, fields)?;
        if seen.insert(normalise(&tender.title)) {
            titles.push(Suggestion::Title(tender.id, tender.title));
        }
        if titles.len() == TITLES {
            break;
        }
    }
    Ok(titles)
}

/// The tenders of a segment from document `from` on, with all complete words and one completion of
/// `beginning` in their title. Each posting read is deducted from `left`.
fn with_words(
    reader: &SegmentReader,
    fields: &Fields,
    complete: &[&str],
    beginning: Option<&str>,
    from: DocId,
    left: &mut usize,
) -> tantivy::Result<Vec<DocId>> {
    let inverted = reader.inverted_index(fields.title)?;
    let mut choices: Vec<Vec<TermInfo>> = Vec::new();
    for word in complete {
        choices.push(inverted.terms().get(word)?.into_iter().collect());
    }
    if let Some(beginning) = beginning {
        choices.push(going_on(&inverted, beginning)?);
    }
    let frequency = |terms: &Vec<TermInfo>| terms.iter().map(|term| u64::from(term.doc_freq)).sum::<u64>();
    choices.sort_by_key(frequency);
    let mut found: Option<Vec<DocId>> = None;
    for terms in choices {
        let mut here = Vec::new();
        for term in terms {
            let mut postings = inverted.read_postings_from_terminfo(&term, IndexRecordOption::Basic)?;
            match &found {
                Some(before) => here.extend(before.iter().filter(|document| {
                    postings.doc() <= **document && {
                        let at = if postings.doc() < **document {
                            postings.seek(**document)
                        } else {
                            postings.doc()
                        };
                        at == **document
                    }
                })),
                None => {
                    let mut document =
                        if postings.doc() < from { postings.seek(from) } else { postings.doc() };
                    while document != TERMINATED && *left > 0 {
                        *left -= 1;
                        here.push(document);
                        document = postings.advance();
                    }
                }
            }
        }
        here.sort_unstable();
        here.dedup();
        found = Some(here);
    }
    let mut found = found.unwrap_or_default();
    found.retain(|document| reader.alive_bitset().is_none_or(|alive| alive.is_alive(*document)));
    Ok(found)
}

/// The most frequent words that start with `beginning`.
fn going_on(inverted: &InvertedIndexReader, beginning: &str) -> io::Result<Vec<TermInfo>> {
    let mut terms = inverted.terms().range().ge(beginning).into_stream()?;
    let mut found = Vec::new();
    while let Some((_, info)) = terms.next().filter(|(term, _)| term.starts_with(beginning.as_bytes())) {
        found.push(info.clone());
        if found.len() >= MOST_TERMS {
            break;
        }
    }
    found.sort_unstable_by_key(|info| Reverse(info.doc_freq));
    found.truncate(MOST_SOUGHT);
    Ok(found)
}
