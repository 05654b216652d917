//! Plain Tantivy: a one-document index in memory for each tender, against which each alert's query
//! runs. Queries are built when an alert is registered. Tenders are normalised when they are
//! matched.

use super::Engine;
use crate::{
    plain::{self, FACET_COUNT, PlainAlert, PlainTender},
    workload::Workload,
};
use anyhow::Result;
use index::{
    percolate::PercolationCounters,
    query::{Pattern, WordMatch},
};
use std::{collections::HashMap, ops::Bound};
use tantivy::{
    DocSet, Index, TERMINATED, TantivyDocument, Term,
    directory::RamDirectory,
    query::{
        BooleanQuery, EmptyQuery, EnableScoring, Occur, PhraseQuery, Query, RangeQuery, RegexPhraseQuery,
        RegexQuery, TermQuery,
    },
    schema::{FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{TextAnalyzer, TokenizerManager, WhitespaceTokenizer},
};
use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::Currency};

/// The memory budget of a writer in bytes, the smallest that Tantivy accepts.
const WRITER_BUDGET: usize = 15_000_000;

pub(super) struct Tantivy<'a> {
    workload: &'a Workload,
    currencies: Vec<Currency>,
    schema: Schema,
    fields: TenderFields,
    tokenizers: TokenizerManager,
    alerts: Vec<Box<dyn Query>>,
}

struct TenderFields {
    words: Field,
    facets: [Field; FACET_COUNT],
    /// Contains the text `none` if the tender states no value.
    no_value: Field,
    values: HashMap<String, Field>,
    days: Field,
}

impl<'a> Tantivy<'a> {
    pub(super) fn new(workload: &'a Workload) -> Self {
        let currencies = plain::currencies(&workload.tenders);
        let mut builder = Schema::builder();
        let positions = TextFieldIndexing::default()
            .set_tokenizer("words")
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let fields = TenderFields {
            words: builder.add_text_field("words", TextOptions::default().set_indexing_options(positions)),
            facets: std::array::from_fn(|facet| builder.add_text_field(&format!("facet{facet}"), STRING)),
            no_value: builder.add_text_field("no_value", STRING),
            values: currencies
                .iter()
                .map(|currency| {
                    let code = currency.as_str();
                    (code.to_owned(), builder.add_i64_field(&format!("value{code}"), INDEXED | FAST))
                })
                .collect(),
            days: builder.add_i64_field("days", INDEXED | FAST),
        };
        let tokenizers = TokenizerManager::default();
        tokenizers.register("words", TextAnalyzer::from(WhitespaceTokenizer::default()));
        Self { workload, currencies, schema: builder.build(), fields, tokenizers, alerts: Vec::new() }
    }

    fn query(&self, alert: &PlainAlert) -> Result<Box<dyn Query>> {
        if alert.keywords.is_empty() {
            return Ok(Box::new(EmptyQuery));
        }
        let fields = &self.fields;
        let keywords =
            alert.keywords.iter().map(|pattern| Ok((Occur::Should, pattern_query(pattern, fields.words)?)));
        let keywords = BooleanQuery::new(keywords.collect::<Result<_>>()?);
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = vec![(Occur::Must, Box::new(keywords))];
        for (field, accepted) in fields.facets.iter().zip(&alert.accepts) {
            if let Some(accepted) = accepted {
                // A `TermSetQuery` would build a finite state machine each time it runs.
                let terms = accepted.iter().map(|term| (Occur::Should, term_query(*field, term)));
                clauses.push((Occur::Must, Box::new(BooleanQuery::new(terms.collect()))));
            }
        }
        if !alert.values.is_empty() {
            let mut accepted_values = vec![(Occur::Should, term_query(fields.no_value, "none"))];
            for bounds in &alert.values {
                if let Some(field) = fields.values.get(&bounds.currency) {
                    accepted_values.push((Occur::Should, range_query(*field, bounds.min, bounds.max)));
                }
            }
            clauses.push((Occur::Must, Box::new(BooleanQuery::new(accepted_values))));
        }
        if let Some((min, max)) = alert.days {
            clauses.push((Occur::Must, range_query(fields.days, min, max)));
        }
        for pattern in &alert.excludes {
            clauses.push((Occur::MustNot, pattern_query(pattern, fields.words)?));
        }
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    fn document(&self, tender: &PlainTender) -> TantivyDocument {
        let fields = &self.fields;
        let mut document = TantivyDocument::default();
        for text in &tender.texts {
            document.add_text(fields.words, text);
        }
        for (field, terms) in fields.facets.iter().zip(&tender.terms) {
            for term in terms {
                document.add_text(*field, term);
            }
        }
        match &tender.value {
            None => document.add_text(fields.no_value, "none"),
            Some((currency, minor)) => {
                if let Some(field) = fields.values.get(currency) {
                    document.add_i64(*field, *minor);
                }
            }
        }
        if let Some(days) = tender.days {
            document.add_i64(fields.days, days);
        }
        document
    }
}

impl Engine for Tantivy<'_> {
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()> {
        let plain = PlainAlert::of(query, &self.currencies, &self.workload.rates);
        let query = self.query(&plain)?;
        match self.alerts.get_mut(alert as usize) {
            Some(old) => *old = query,
            None => self.alerts.push(query),
        }
        Ok(())
    }

    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters> {
        let Some(plain) = PlainTender::of(tender, self.workload.now) else {
            return Ok(PercolationCounters::default());
        };
        let mut writer = Index::builder()
            .schema(self.schema.clone())
            .tokenizers(self.tokenizers.clone())
            .single_segment_index_writer(RamDirectory::default(), WRITER_BUDGET)?;
        writer.add_document(self.document(&plain))?;
        let searcher = writer.finalize()?.reader()?.searcher();
        let before = found.len();
        for (number, query) in self.alerts.iter().enumerate() {
            let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
            for segment in searcher.segment_readers() {
                if weight.scorer(segment, 1.0)?.doc() != TERMINATED {
                    found.push(number as u32);
                }
            }
        }
        Ok(PercolationCounters {
            candidates: self.alerts.len(),
            verified: self.alerts.len(),
            matched: found.len() - before,
        })
    }
}

/// Converts a pattern to a Tantivy query: a term or a phrase. A pattern with an open side becomes a
/// regular expression or a phrase of them.
fn pattern_query(pattern: &Pattern, field: Field) -> Result<Box<dyn Query>> {
    // Words contain only letters, marks and digits, so nothing needs escaping.
    let expression = |word: &str, side| match side {
        WordMatch::Whole => word.to_owned(),
        WordMatch::Prefix => format!("{word}.*"),
        WordMatch::Suffix => format!(".*{word}"),
        WordMatch::Infix => format!(".*{word}.*"),
    };
    let parts: Vec<(&str, WordMatch)> = pattern.parts().map(|(_, word, side)| (word, side)).collect();
    Ok(match parts.as_slice() {
        [(word, WordMatch::Whole)] => term_query(field, word),
        [(word, side)] => Box::new(RegexQuery::from_pattern(&expression(word, *side), field)?),
        words if words.iter().all(|(_, side)| *side == WordMatch::Whole) => {
            let terms = words.iter().map(|(word, _)| Term::from_field_text(field, word));
            Box::new(PhraseQuery::new(terms.collect()))
        }
        words => {
            let expressions = words.iter().map(|(word, side)| expression(word, *side));
            let mut query = RegexPhraseQuery::new(field, expressions.collect());
            query.set_max_expansions(u32::MAX);
            Box::new(query)
        }
    })
}

fn term_query(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::Basic))
}

fn range_query(field: Field, min: i64, max: i64) -> Box<dyn Query> {
    let bound = |bound| Bound::Included(Term::from_field_i64(field, bound));
    Box::new(RangeQuery::new(bound(min), bound(max)))
}
