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

/// The maximum number of suggested categories.
const MAX_CATEGORIES: usize = 2;
/// The maximum number of suggested places.
const MAX_PLACES: usize = 2;
/// The maximum number of suggested organisations.
const MAX_ORGANIZATIONS: usize = 3;
/// The maximum number of suggested titles.
const MAX_TITLES: usize = 5;
/// The maximum number of typed words that are used.
const MAX_WORDS: usize = 8;
/// A single unfinished word is searched for in titles if it has at least this many characters.
const MIN_PREFIX_LENGTH: usize = 2;
/// How many completions of an unfinished word are read per segment.
const MAX_COMPLETIONS_READ: usize = 1024;
/// How many of the completions that were read are used.
const MAX_COMPLETIONS_USED: usize = 32;
/// How many of the tenders that were last added to each segment are searched first.
const RECENT_TENDERS: DocId = 2048;
/// The maximum number of postings that are read when all tenders are searched.
const MAX_POSTINGS_READ: usize = 50_000;
/// The maximum number of tenders whose titles are read.
const MAX_TITLES_READ: usize = 10;

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// A category.
    Category(Category),
    /// A district, with its name in the script of the typed text.
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
    let words: Vec<&str> = words.iter().take(MAX_WORDS).collect();
    let Some(last) = words.last() else { return Ok(Vec::new()) };
    let joined = words.join(" ");
    let begins = |name: &str| {
        let name = normalise(name);
        name.starts_with(&joined) || name.contains(&format!(" {joined}"))
    };
    let categories = Category::ALL.iter().filter(|category| begins(category.as_str()));
    let mut suggestions: Vec<Suggestion> =
        categories.take(MAX_CATEGORIES).map(|category| Suggestion::Category(*category)).collect();
    let places = gazetteer::districts().filter(|(name, _)| normalise(name).starts_with(&joined));
    suggestions
        .extend(places.take(MAX_PLACES).map(|(name, district)| Suggestion::Place(district, name.to_owned())));
    suggestions.extend(suggest_organizations(snapshot, &joined));
    suggestions.extend(suggest_titles(snapshot, fields, &words, last, text.ends_with(char::is_whitespace))?);
    Ok(suggestions)
}

/// The organisations with the most tenders among those that have `joined` at the start of a word.
fn suggest_organizations(snapshot: &Snapshot, joined: &str) -> Vec<Suggestion> {
    let names = &snapshot.dictionary.organizations;
    let codes: BTreeSet<u32> = snapshot.organizations.starting_with(joined).collect();
    let mut best = BinaryHeap::new();
    for code in codes {
        let count = snapshot.organization_counts.get(code as usize).copied().unwrap_or_default();
        if count > 0 {
            best.push(Reverse((count, Reverse(code))));
        }
        if best.len() > MAX_ORGANIZATIONS {
            best.pop();
        }
    }
    let best = best.into_sorted_vec();
    let spelling = |Reverse((_, Reverse(code))): Reverse<(u32, Reverse<u32>)>| names.spelling(code as usize);
    best.into_iter().filter_map(spelling).map(|name| Suggestion::Organization(name.to_owned())).collect()
}

/// The newest titles with all the words. The last word may be unfinished, unless a space follows
/// it. First, only [`RECENT_TENDERS`] of each segment are searched. All tenders are searched if too
/// few titles are found.
fn suggest_titles(
    snapshot: &Snapshot,
    fields: &Fields,
    words: &[&str],
    last: &str,
    ended: bool,
) -> Result<Vec<Suggestion>, IndexError> {
    let complete = if ended { words } else { &words[..words.len() - 1] };
    if complete.is_empty() && last.chars().count() < MIN_PREFIX_LENGTH {
        return Ok(Vec::new());
    }
    let prefix = (!ended).then_some(last);
    let mut newest = BinaryHeap::new();
    for (share, most) in [(RECENT_TENDERS, usize::MAX), (u32::MAX, MAX_POSTINGS_READ)] {
        newest.clear();
        let mut left = most;
        for (ordinal, (reader, columns)) in snapshot.segments().enumerate() {
            let from = reader.max_doc().saturating_sub(share);
            for document in find_titles(reader, fields, complete, prefix, from, &mut left)? {
                let published = columns.row(document).hot.published_at;
                newest.push(Reverse((published, ordinal as u32, document)));
                if newest.len() > MAX_TITLES_READ {
                    newest.pop();
                }
            }
        }
        if newest.len() >= MAX_TITLES_READ {
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
        if titles.len() == MAX_TITLES {
            break;
        }
    }
    Ok(titles)
}

/// The tenders of a segment from document `from` on, with all complete words and one completion of
/// `prefix` in their title. `left` is the number of postings of the rarest word that may be read.
fn find_titles(
    reader: &SegmentReader,
    fields: &Fields,
    complete: &[&str],
    prefix: Option<&str>,
    from: DocId,
    left: &mut usize,
) -> tantivy::Result<Vec<DocId>> {
    let inverted = reader.inverted_index(fields.title)?;
    let mut choices: Vec<Vec<TermInfo>> = Vec::new();
    for word in complete {
        choices.push(inverted.terms().get(word)?.into_iter().collect());
    }
    if let Some(prefix) = prefix {
        choices.push(completions(&inverted, prefix)?);
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

/// The most frequent words among the first [`MAX_COMPLETIONS_READ`] that start with `prefix`.
fn completions(inverted: &InvertedIndexReader, prefix: &str) -> io::Result<Vec<TermInfo>> {
    let mut terms = inverted.terms().range().ge(prefix).into_stream()?;
    let mut found = Vec::new();
    while let Some((_, info)) = terms.next().filter(|(term, _)| term.starts_with(prefix.as_bytes())) {
        found.push(info.clone());
        if found.len() >= MAX_COMPLETIONS_READ {
            break;
        }
    }
    found.sort_unstable_by_key(|info| Reverse(info.doc_freq));
    found.truncate(MAX_COMPLETIONS_USED);
    Ok(found)
}
