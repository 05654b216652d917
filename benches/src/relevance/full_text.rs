//! Postgres's English full text search. The title has the highest weight, then organisation and
//! reference, then the body. Results are ordered by `ts_rank_cd` divided by 1 plus the logarithm
//! of the length.

use super::{Collection, RESULT_DEPTH};
use anyhow::Result;
use postgres::{Client, NoTls, binary_copy::BinaryCopyInWriter, types::Type};

pub(super) fn rank(collection: &Collection, queries: &[&str], database: &str) -> Result<Vec<Vec<String>>> {
    let mut client = Client::connect(database, NoTls)?;
    client.batch_execute("create temp table notice (place int, title text, names text, body text)")?;
    let sink = client.copy_in("copy notice from stdin (format binary)")?;
    let mut writer = BinaryCopyInWriter::new(sink, &[Type::INT4, Type::TEXT, Type::TEXT, Type::TEXT]);
    for (place, tender) in collection.tenders.iter().enumerate() {
        let reference = tender.reference_no.as_deref().unwrap_or_default();
        let names = format!("{} {reference}", tender.organization.name);
        writer.write(&[&i32::try_from(place)?, &tender.title, &names, &tender.full_text_markdown])?;
    }
    writer.finish()?;
    client.batch_execute(
        "alter table notice add column document tsvector;
         update notice set document = setweight(to_tsvector('english', title), 'A')
             || setweight(to_tsvector('english', names), 'B') || setweight(to_tsvector('english', body), 'C')",
    )?;
    let limit = i64::try_from(RESULT_DEPTH)?;
    let mut ranked = Vec::new();
    for query in queries {
        let rows = client.query(
            "select place from notice, websearch_to_tsquery('english', $1) as query where document @@ query
             order by ts_rank_cd(document, query, 1) desc, place limit $2",
            &[query, &limit],
        )?;
        let places = rows.iter().map(|row| row.get::<_, i32>(0) as usize);
        ranked.push(places.filter_map(|place| collection.ids.get(place).cloned()).collect());
    }
    Ok(ranked)
}
