//! Suggestions while someone types: categories, places, organisations, and the newest titles. The work for one is bounded whatever is
//! typed. Only what may be read of every tender is suggested: titles and organisations.

use super::view::View;
use crate::{
    catalogue::IndexError,
    document::to_tender,
    schema::Fields,
    text::{Words, normalise},
    vocabulary::{Category, District, gazetteer},
};
use std::{cmp::Reverse, collections::BTreeSet, collections::BinaryHeap};
use tantivy::{
    DocAddress, DocSet, SegmentReader, TERMINATED, TantivyDocument, Term,
    query::{BooleanQuery, EnableScoring, Occur, Query, TermQuery, TermSetQuery},
    schema::IndexRecordOption,
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
const MOST_TERMS: usize = 4096;
const MOST_SOUGHT: usize = 128;
/// How many tenders are looked at, and of how many the title is read.
const MOST_TENDERS: usize = 200_000;
const MOST_READ: usize = 24;

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
pub(crate) fn suggest(view: &View, fields: &Fields, text: &str) -> Result<Vec<Suggestion>, IndexError> {
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
fn organizations(view: &View, joined: &str) -> Vec<Suggestion> {
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

/// The newest titles with all the words; the last may go on, unless a space follows.
fn titles(
    view: &View,
    fields: &Fields,
    words: &[&str],
    last: &str,
    ended: bool,
) -> Result<Vec<Suggestion>, IndexError> {
    let complete = if ended { words } else { &words[..words.len() - 1] };
    let is_short = last.chars().count() < SHORTEST_BEGINNING;
    if complete.is_empty() && is_short {
        return Ok(Vec::new());
    }
    let term = |word: &&str| {
        let term = Term::from_field_text(fields.title, word);
        (Occur::Must, Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>)
    };
    let complete_queries: Vec<_> = complete.iter().map(term).collect();
    let mut newest = BinaryHeap::new();
    let mut left = MOST_TENDERS;
    for (ordinal, (reader, table)) in view.segments().enumerate() {
        let mut queries: Vec<(Occur, Box<dyn Query>)> =
            complete_queries.iter().map(|(occur, query)| (*occur, query.box_clone())).collect();
        if !ended && !is_short {
            queries.push((Occur::Must, Box::new(TermSetQuery::new(going_on(reader, fields, last)?))));
        }
        let query = BooleanQuery::new(queries);
        let weight = query.weight(EnableScoring::disabled_from_searcher(&view.searcher))?;
        let mut found = weight.scorer(reader, 1.0)?;
        while found.doc() != TERMINATED && left > 0 {
            left -= 1;
            let document = found.doc();
            if reader.alive_bitset().is_none_or(|alive| alive.is_alive(document)) {
                let published = table.row(document).hot.published_at;
                newest.push(Reverse((published, ordinal as u32, document)));
                if newest.len() > MOST_READ {
                    newest.pop();
                }
            }
            found.advance();
        }
    }
    let mut titles = Vec::new();
    let mut seen = BTreeSet::new();
    for Reverse((_, ordinal, document)) in newest.into_sorted_vec() {
        let document: TantivyDocument = view.searcher.doc(DocAddress::new(ordinal, document))?;
        let tender = to_tender(&document, fields)?;
        let title = Words::of(&tender.title);
        let has_last = ended || title.iter().any(|word| word.starts_with(last));
        if has_last && seen.insert(title.as_str().to_owned()) {
            titles.push(Suggestion::Title(tender.id, tender.title));
        }
        if titles.len() == TITLES {
            break;
        }
    }
    Ok(titles)
}

/// The words of a segment's titles that go on from a beginning, the most frequent ones.
fn going_on(reader: &SegmentReader, fields: &Fields, beginning: &str) -> tantivy::Result<Vec<Term>> {
    let inverted = reader.inverted_index(fields.title)?;
    let mut terms = inverted.terms().range().ge(beginning).into_stream()?;
    let mut found = Vec::new();
    while let Some((term, info)) = terms.next().filter(|(term, _)| term.starts_with(beginning.as_bytes())) {
        if let Ok(word) = std::str::from_utf8(term) {
            found.push((Reverse(info.doc_freq), word.to_owned()));
        }
        if found.len() >= MOST_TERMS {
            break;
        }
    }
    found.sort_unstable();
    let sought = found.into_iter().take(MOST_SOUGHT);
    Ok(sought.map(|(_, word)| Term::from_field_text(fields.title, &word)).collect())
}
