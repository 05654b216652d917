//! Looks up suggestions. The work per request is bounded.

use super::{document::to_tender, schema::Fields, snapshot::Snapshot};
use crate::{
    error::IndexError,
    search::{MAX_ORGANIZATIONS, SuggestionSource, TypedPrefix},
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    io,
};
use tantivy::{
    DocAddress, DocId, DocSet, SegmentReader, TERMINATED, TantivyDocument, index::InvertedIndexReader,
    postings::TermInfo, schema::IndexRecordOption,
};
use uuid::Uuid;

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

/// A snapshot as the source of suggestions.
pub(super) struct SnapshotSuggestions<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) fields: &'a Fields,
}

impl SuggestionSource for SnapshotSuggestions<'_> {
    /// The organisations with the most tenders among those that have the text at the start of a
    /// word.
    fn organizations(&self, typed: &TypedPrefix<'_>) -> Result<Vec<String>, IndexError> {
        let snapshot = self.snapshot;
        let names = &snapshot.dictionary.organizations;
        let codes: BTreeSet<u32> = snapshot.organizations.starting_with(&typed.joined).collect();
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
        let best = best.into_sorted_vec().into_iter();
        let spelling =
            |Reverse((_, Reverse(code))): Reverse<(u32, Reverse<u32>)>| names.spelling(code as usize);
        Ok(best.filter_map(spelling).map(str::to_owned).collect())
    }

    /// First, only [`RECENT_TENDERS`] of each segment are searched. All tenders are searched if too
    /// few titles are found.
    fn titles(&self, typed: &TypedPrefix<'_>) -> Result<Vec<(Uuid, String)>, IndexError> {
        let Self { snapshot, fields } = *self;
        let mut newest = BinaryHeap::new();
        for (share, most) in [(RECENT_TENDERS, usize::MAX), (u32::MAX, MAX_POSTINGS_READ)] {
            newest.clear();
            let mut left = most;
            for (ordinal, (reader, columns)) in snapshot.segments().enumerate() {
                let from = reader.max_doc().saturating_sub(share);
                for document in
                    find_titles(reader, fields, &typed.complete, typed.unfinished, from, &mut left)?
                {
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
        let title = |Reverse((_, ordinal, document))| {
            let document: TantivyDocument = snapshot.searcher.doc(DocAddress::new(ordinal, document))?;
            let tender = to_tender(&document, fields)?;
            Ok((tender.id, tender.title))
        };
        newest.into_sorted_vec().into_iter().map(title).collect()
    }
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
