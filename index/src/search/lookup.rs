//! Loads one tender by its id or address.

use crate::{document::to_tender, error::IndexError, schema::Fields};
use tantivy::{
    DocAddress, Searcher, TantivyDocument, Term, collector::TopDocs, query::TermQuery,
    schema::IndexRecordOption,
};
use tender_model::tender::Tender;
use uuid::Uuid;

/// Loads a tender by its id.
pub(crate) fn get(searcher: &Searcher, fields: &Fields, id: Uuid) -> Result<Option<Tender>, IndexError> {
    let term = Term::from_field_text(fields.id, &id.to_string());
    let query = TermQuery::new(term, IndexRecordOption::Basic);
    let found = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
    found.first().map(|(_, address)| tender_at(searcher, fields, *address)).transpose()
}

pub(super) fn tender_at(
    searcher: &Searcher,
    fields: &Fields,
    address: DocAddress,
) -> Result<Tender, IndexError> {
    let document: TantivyDocument = searcher.doc(address)?;
    Ok(to_tender(&document, fields)?)
}
