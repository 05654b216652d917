//! Tantivy with its defaults: tokenizer, query parser, and BM25 over title and body.

use super::{Collection, RESULT_DEPTH};
use anyhow::{Context, Result};
use tantivy::{
    Index, IndexWriter, TantivyDocument,
    collector::TopDocs,
    query::QueryParser,
    schema::{INDEXED, STORED, Schema, TEXT, Value},
};

pub(super) fn rank(collection: &Collection, queries: &[&str]) -> Result<Vec<Vec<String>>> {
    let mut builder = Schema::builder();
    let place = builder.add_u64_field("place", INDEXED | STORED);
    let title = builder.add_text_field("title", TEXT);
    let body = builder.add_text_field("body", TEXT);
    let index = Index::create_in_ram(builder.build());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 100_000_000)?;
    for (number, tender) in collection.tenders.iter().enumerate() {
        let mut document = TantivyDocument::default();
        document.add_u64(place, number as u64);
        document.add_text(title, &tender.title);
        document.add_text(body, super::collection::body_text(tender));
        writer.add_document(document)?;
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this is not the portal's index, so it has no log position"
    )]
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let parser = QueryParser::for_index(&index, vec![title, body]);
    let one = |text: &&str| {
        let (query, _) = parser.parse_query_lenient(text);
        let found = searcher.search(&query, &TopDocs::with_limit(RESULT_DEPTH).order_by_score())?;
        let id = |(_, address): (f32, tantivy::DocAddress)| {
            let document: TantivyDocument = searcher.doc(address)?;
            let number = document
                .get_first(place)
                .and_then(|value| value.as_u64())
                .context("the document has no number")?;
            collection.ids.get(number as usize).cloned().context("the number is unknown")
        };
        found.into_iter().map(id).collect()
    };
    queries.iter().map(one).collect()
}
