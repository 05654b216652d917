//! Loads one tender by its id or address.

use super::{document::to_tender, schema::Fields};
use crate::error::IndexError;
use tantivy::{
    DocAddress, Searcher, TantivyDocument, TantivyError, Term, collector::TopDocs, query::TermQuery,
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

/// Calls `visit` with each tender of the index, in no particular order.
pub(crate) fn scan(
    searcher: &Searcher,
    fields: &Fields,
    visit: &mut dyn FnMut(Tender),
) -> Result<(), IndexError> {
    for segment in searcher.segment_readers() {
        let documents = segment.get_store_reader(1).map_err(TantivyError::from)?;
        for document in documents.iter::<TantivyDocument>(segment.alive_bitset()) {
            visit(to_tender(&document?, fields)?);
        }
    }
    Ok(())
}

pub(super) fn tender_at(
    searcher: &Searcher,
    fields: &Fields,
    address: DocAddress,
) -> Result<Tender, IndexError> {
    let document: TantivyDocument = searcher.doc(address)?;
    Ok(to_tender(&document, fields)?)
}
