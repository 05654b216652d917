//! Suggestions while someone types: categories, places, organisations, and the newest titles. The work for one is bounded whatever is
//! typed. Only what may be read of every tender is suggested: titles and organisations.

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

/// How many of each kind.
const CATEGORIES: usize = 2;
const PLACES: usize = 2;
const ORGANIZATIONS: usize = 3;
const TITLES: usize = 5;
/// How many words of a typed text are looked at.
const MOST_WORDS: usize = 8;
/// A word that is still being typed is looked for in titles from this many letters on.
const SHORTEST_BEGINNING: usize = 2;
/// How many words of a segment that go on from what is typed are looked at, and how many of them are looked for.
const MOST_TERMS: usize = 1024;
const MOST_SOUGHT: usize = 32;
/// How many of the tenders that were last added to a segment are looked at first; how many of all others at most; and of how many
/// the title is read.
const RECENT: DocId = 2048;
const MOST_TENDERS: usize = 50_000;
const MOST_READ: usize = 10;

/// Something to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// A category by its name.
    Category(Category),
    /// A district, and its name in the script that is being typed.
    Place(District, String),
    /// An organisation's name.
    Organization(String),
    /// A tender and its title.
    Title(Uuid, String),
}

/// The organisations' names by the beginnings of their words.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    /// Each name's normalised words, by code.
    names: Vec<String>,
    /// Where each word begins: code and byte, in the order of what stands there.
    beginnings: Vec<(u32, u32)>,
}

impl NameIndex {
    /// Indexes names in the order of their codes, the first of which is 1.
    pub(super) fn new<'a>(spellings: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<String> = std::iter::once(String::new()).chain(spellings.map(normalise)).collect();
        let mut beginnings = Vec::new();
        for (code, name) in names.iter().enumerate() {
            let words = name.split(' ').filter(|word| !word.is_empty());
            let at = words.map(|word| word.as_ptr() as usize - name.as_ptr() as usize);
            beginnings.extend(at.map(|at| (code as u32, at as u32)));
        }
        let mut index = Self { names, beginnings: Vec::new() };
        beginnings.sort_unstable_by(|one, other| index.rest(*one).cmp(index.rest(*other)));
        index.beginnings = beginnings;
        index
    }

    /// How many codes are known.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    fn rest(&self, (code, at): (u32, u32)) -> &str {
        self.names.get(code as usize).and_then(|name| name.get(at as usize..)).unwrap_or_default()
    }

    /// The codes of the names in which something stands at the beginning of a word.
    fn with(&self, beginning: &str) -> impl Iterator<Item = u32> {
        let first = self.beginnings.partition_point(|at| self.rest(*at) < beginning);
        let here =
            self.beginnings[first..].iter().take_while(move |at| self.rest(**at).starts_with(beginning));
        here.map(|(code, _)| *code)
    }
}

/// What someone may be typing: categories first, then places, organisations and titles.
pub(crate) fn suggest(view: &Snapshot, fields: &Fields, text: &str) -> Result<Vec<Suggestion>, IndexError> {
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
    suggestions.extend(organizations(view, &joined));
    suggestions.extend(titles(view, fields, &words, last, text.ends_with(char::is_whitespace))?);
    Ok(suggestions)
}

/// The organisations with most tenders.
fn organizations(view: &Snapshot, joined: &str) -> Vec<Suggestion> {
    let names = &view.dictionary.organizations;
    let codes: BTreeSet<u32> = view.organizations.with(joined).collect();
    let mut best = BinaryHeap::new();
    for code in codes {
        let count = view.organization_counts.get(code as usize).copied().unwrap_or_default();
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

/// The newest titles with all the words; the last may go on, unless a space follows. Tenders that were added last are looked at
/// first, and the others only where those don't do.
fn titles(
    view: &Snapshot,
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
        for (ordinal, (reader, table)) in view.segments().enumerate() {
            let from = reader.max_doc().saturating_sub(share);
            for document in with_words(reader, fields, complete, beginning, from, &mut left)? {
                let published = table.row(document).hot.published_at;
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
        let document: TantivyDocument = view.searcher.doc(DocAddress::new(ordinal, document))?;
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

/// The tenders of a segment, from one on, that have all the complete words in their title, and one that goes on from the beginning.
/// No more than `left` are looked at, of which those that were are taken off.
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

/// The words that go on from a beginning, the most frequent ones.
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
