//! Looks up organisations and titles for a text being typed.

use crate::{
    cluster::Cluster,
    filters::{all, listed},
    mapping::field_name,
    terms::tender_of,
    text_query::term,
};
use index::{
    IndexError,
    query::SearchField,
    search::{MAX_ORGANIZATIONS, MAX_TITLES, SuggestionSource, TypedPrefix},
};
use serde_json::{Value, json};
use uuid::Uuid;

/// How many tenders are read for the suggested titles, because titles repeat.
const MAX_TITLES_READ: usize = 2 * MAX_TITLES;
/// The maximum number of words that an unfinished word may be completed to.
const MAX_COMPLETIONS: usize = 1000;

/// The index as the source of suggestions.
pub(crate) struct IndexSuggestions<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) index: &'a str,
}

impl SuggestionSource for IndexSuggestions<'_> {
    fn organizations(&self, typed: &TypedPrefix<'_>) -> Result<Vec<String>, IndexError> {
        let field = field_name(SearchField::Organization);
        let named = if typed.joined.contains(' ') {
            let query = json!({"query": typed.joined, "max_expansions": MAX_COMPLETIONS});
            json!({"match_phrase_prefix": {field: query}})
        } else {
            json!({"prefix": {field: {"value": typed.joined}}})
        };
        let order = json!([{"_count": "desc"}, {"_key": "asc"}]);
        let body = json!({
            "size": 0, "track_total_hits": false, "query": all(&[listed(), named]),
            "aggs": {"names": {
                "terms": {"field": "organization_key", "size": MAX_ORGANIZATIONS, "order": order},
                "aggs": {"spelling": {"terms": {"field": "organization_name", "size": 1}}},
            }},
        });
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        let buckets = answer["aggregations"]["names"]["buckets"].as_array().into_iter().flatten();
        let spelling = |bucket: &Value| Some(bucket["spelling"]["buckets"][0]["key"].as_str()?.to_owned());
        Ok(buckets.filter_map(spelling).collect())
    }

    fn titles(&self, typed: &TypedPrefix<'_>) -> Result<Vec<(Uuid, String)>, IndexError> {
        let mut filters = vec![listed()];
        filters.extend(typed.complete.iter().map(|word| term(SearchField::Title, word)));
        if let Some(prefix) = typed.unfinished {
            filters.push(json!({"prefix": {field_name(SearchField::Title): {"value": prefix}}}));
        }
        let body = json!({
            "size": MAX_TITLES_READ, "track_total_hits": false, "query": all(&filters), "_source": ["json"],
            "sort": [{"published_at": {"order": "desc", "missing": "_last"}}, {"id": "desc"}],
        });
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        let hits = answer["hits"]["hits"].as_array().into_iter().flatten();
        let title = |hit: &Value| {
            let tender = tender_of(&hit["_source"])?;
            Ok((tender.id, tender.title))
        };
        hits.map(title).collect()
    }
}
