//! [`PatternQuery`] matches exactly the documents whose field contains a [`Pattern`]. Prefix,
//! suffix and infix words are expanded to all matching terms of a segment, so no match is lost.

use crate::query::{Pattern, WordMatch};
use std::io;
use tantivy::{
    DocId, DocSet, Score, SegmentReader, TERMINATED,
    index::InvertedIndexReader,
    postings::{Postings, SegmentPostings, TermInfo},
    query::{ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight},
    schema::{Field, IndexRecordOption},
};

/// A pattern in a field with positions.
#[derive(Debug, Clone)]
pub(crate) struct PatternQuery {
    field: Field,
    pattern: Pattern,
}

impl PatternQuery {
    pub(crate) const fn new(field: Field, pattern: Pattern) -> Self {
        Self { field, pattern }
    }

    /// The documents of a segment in ascending order, including deleted ones.
    fn documents(&self, reader: &SegmentReader) -> tantivy::Result<Vec<DocId>> {
        let inverted = reader.inverted_index(self.field)?;
        let mut parts = Vec::new();
        for (_, word, side) in self.pattern.parts() {
            let terms = find_terms(&inverted, word.as_bytes(), side)?;
            if terms.is_empty() {
                return Ok(Vec::new());
            }
            parts.push(terms);
        }
        let mut by_cost: Vec<&Vec<TermInfo>> = parts.iter().collect();
        by_cost.sort_by_key(|terms| terms.iter().map(|term| u64::from(term.doc_freq)).sum::<u64>());
        let mut candidates: Option<Vec<DocId>> = None;
        for terms in by_cost {
            let documents = find_documents(&inverted, terms, candidates.as_deref())?;
            candidates = Some(documents);
        }
        let candidates = candidates.unwrap_or_default();
        if parts.len() == 1 || candidates.is_empty() {
            return Ok(candidates);
        }
        let mut starts: Option<Vec<(DocId, u32)>> = None;
        for (index, terms) in parts.iter().enumerate() {
            let here = phrase_starts(&inverted, terms, &candidates, index as u32)?;
            starts = Some(match starts {
                None => here,
                Some(mut before) => {
                    before.retain(|start| here.binary_search(start).is_ok());
                    before
                }
            });
        }
        let mut documents: Vec<DocId> =
            starts.unwrap_or_default().into_iter().map(|(document, _)| document).collect();
        documents.dedup();
        Ok(documents)
    }
}

/// The terms that match a word of a pattern.
fn find_terms(inverted: &InvertedIndexReader, word: &[u8], side: WordMatch) -> io::Result<Vec<TermInfo>> {
    let dictionary = inverted.terms();
    let mut found = Vec::new();
    match side {
        WordMatch::Whole => found.extend(dictionary.get(word)?),
        WordMatch::Prefix => {
            let mut stream = dictionary.range().ge(word).into_stream()?;
            while let Some((_, info)) = stream.next().filter(|(term, _)| term.starts_with(word)) {
                found.push(info.clone());
            }
        }
        WordMatch::Suffix | WordMatch::Infix => {
            let inside = |term: &[u8]| term.windows(word.len()).any(|window| window == word);
            let mut stream = dictionary.stream()?;
            while let Some((term, info)) = stream.next() {
                if if side == WordMatch::Suffix { term.ends_with(word) } else { inside(term) } {
                    found.push(info.clone());
                }
            }
        }
    }
    Ok(found)
}

/// The documents with any of the terms, in ascending order. If `candidates` are given, only these
/// documents are considered.
fn find_documents(
    inverted: &InvertedIndexReader,
    terms: &[TermInfo],
    candidates: Option<&[DocId]>,
) -> io::Result<Vec<DocId>> {
    let mut documents = Vec::new();
    for term in terms {
        let mut postings = inverted.read_postings_from_terminfo(term, IndexRecordOption::Basic)?;
        match candidates {
            Some(candidates) => {
                visit_candidates(&mut postings, candidates, |_, document| documents.push(document))
            }
            None => {
                let mut document = postings.doc();
                while document != TERMINATED {
                    documents.push(document);
                    document = postings.advance();
                }
            }
        }
    }
    documents.sort_unstable();
    documents.dedup();
    Ok(documents)
}

/// The documents and positions at which the phrase starts if its word number `index` is one of the
/// terms, in ascending order.
fn phrase_starts(
    inverted: &InvertedIndexReader,
    terms: &[TermInfo],
    candidates: &[DocId],
    index: u32,
) -> io::Result<Vec<(DocId, u32)>> {
    let (mut starts, mut positions) = (Vec::new(), Vec::new());
    for term in terms {
        let mut postings =
            inverted.read_postings_from_terminfo(term, IndexRecordOption::WithFreqsAndPositions)?;
        visit_candidates(&mut postings, candidates, |postings, document| {
            postings.positions(&mut positions);
            starts.extend(positions.iter().filter_map(|at| Some((document, at.checked_sub(index)?))));
        });
    }
    starts.sort_unstable();
    Ok(starts)
}

/// Calls `visit` for each candidate in the posting list.
fn visit_candidates(
    postings: &mut SegmentPostings,
    candidates: &[DocId],
    mut visit: impl FnMut(&mut SegmentPostings, DocId),
) {
    let mut rest = candidates;
    while let Some(&candidate) = rest.first() {
        let mut document = postings.doc();
        if document < candidate {
            document = postings.seek(candidate);
        }
        if document == candidate {
            visit(postings, document);
            rest = &rest[1..];
        } else if document == TERMINATED {
            return;
        } else {
            rest = &rest[rest.partition_point(|candidate| *candidate < document)..];
        }
    }
}

impl Query for PatternQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for PatternQuery {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let documents = Documents { documents: self.documents(reader)?, at: 0 };
        Ok(Box::new(ConstScorer::new(documents, boost)))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        match self.documents(reader)?.binary_search(&document) {
            Ok(_) => Ok(Explanation::new("PatternQuery", 1.0)),
            Err(_) => {
                Err(tantivy::TantivyError::InvalidArgument(format!("document {document} does not match")))
            }
        }
    }
}

/// A list of documents in ascending order.
struct Documents {
    documents: Vec<DocId>,
    at: usize,
}

impl DocSet for Documents {
    fn advance(&mut self) -> DocId {
        self.at = (self.at + 1).min(self.documents.len());
        self.doc()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.at += self.documents[self.at..].partition_point(|document| *document < target);
        self.doc()
    }

    fn doc(&self) -> DocId {
        self.documents.get(self.at).copied().unwrap_or(TERMINATED)
    }

    fn size_hint(&self) -> u32 {
        u32::try_from(self.documents.len()).unwrap_or(u32::MAX)
    }
}
