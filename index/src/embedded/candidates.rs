//! Searches for tenders by terms. Implements [`CandidateSearch`] for the embedded engine.

use super::{document::to_tender, search_context::SearchContext};
use crate::{
    error::IndexError,
    query::{SearchField, TermIndex},
    search::CandidateSearch,
};
use tantivy::{
    Term,
    collector::TopDocs,
    query::{BooleanQuery, BoostQuery, Query, TermQuery, TermSetQuery},
    schema::IndexRecordOption,
};
use tender_model::tender::Tender;

impl CandidateSearch for SearchContext<'_> {
    fn terms(&self) -> &dyn TermIndex {
        self
    }

    fn count(&self) -> Result<u64, IndexError> {
        Ok(self.searcher.num_docs())
    }

    fn with_references(&self, references: &[String], most: usize) -> Result<Vec<Tender>, IndexError> {
        let field = self.fields.solid_reference;
        let terms = references.iter().map(|reference| Term::from_field_text(field, reference));
        self.best(&TermSetQuery::new(terms), most)
    }

    fn with_terms(
        &self,
        field: SearchField,
        terms: &[(String, f32)],
        at_least: usize,
        most: usize,
    ) -> Result<Vec<Tender>, IndexError> {
        let ways = terms.iter().map(|(term, weight)| {
            let term = TermQuery::new(self.term(field, term), IndexRecordOption::WithFreqs);
            Box::new(BoostQuery::new(Box::new(term), *weight)) as Box<dyn Query>
        });
        let query = BooleanQuery::union_with_minimum_required_clauses(ways.collect(), at_least);
        self.best(&query, most)
    }
}

impl SearchContext<'_> {
    /// The tenders with the highest scores.
    fn best(&self, query: &dyn Query, most: usize) -> Result<Vec<Tender>, IndexError> {
        let found = self.searcher.search(query, &TopDocs::with_limit(most).order_by_score())?;
        let tender = |(_, address)| Ok(to_tender(&self.searcher.doc(address)?, self.fields)?);
        found.into_iter().map(tender).collect()
    }
}
