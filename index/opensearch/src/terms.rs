//! [`Terms`]: the terms of the index for one search. What was read once is kept until the search ends,
//! so that a search takes few requests.

use crate::{
    cluster::Cluster,
    filters::{all, any, listed},
    mapping::field_name,
    similarity,
    text_query::{Conditions, references, term, to_query},
};
use index::{
    IndexError,
    query::{FieldTerm, Scope, SearchField, TermIndex, TextQuery},
    search::{CandidateSearch, TermStatistics},
};
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The maximum number of terms in one request.
const TERMS_PER_REQUEST: usize = 400;
/// The maximum number of terms near a mistyped one that are read.
const MAX_SIMILAR_TERMS: usize = 1000;

/// The terms of the index, as one viewer may see them.
pub(crate) struct Terms<'a> {
    cluster: &'a Cluster,
    index: &'a str,
    conditions: Conditions<'a>,
    /// The tenders that the viewer may read in full. `None`: all of them.
    readable: Option<Value>,
    /// The statistics of the first page of a listing.
    pinned: Option<&'a TermStatistics>,
    known: RefCell<Known>,
}

/// What was read so far.
#[derive(Default)]
struct Known {
    frequencies: HashMap<FieldTerm, u64>,
    occurring: HashMap<FieldTerm, bool>,
    state: Option<IndexState>,
    recorded: TermStatistics,
}

/// The state of the index when a listing starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexState {
    /// The number of listed tenders.
    pub(crate) tenders: u64,
    /// The newest publication, as time and id.
    pub(crate) newest: (i64, Uuid),
}

impl<'a> Terms<'a> {
    pub(crate) fn new(
        cluster: &'a Cluster,
        index: &'a str,
        conditions: Conditions<'a>,
        readable: Option<Value>,
        pinned: Option<&'a TermStatistics>,
    ) -> Self {
        Self { cluster, index, conditions, readable, pinned, known: RefCell::default() }
    }

    /// The state of the index, read with the first terms.
    pub(crate) fn state(&self) -> Result<IndexState, IndexError> {
        if let Some(state) = self.known.borrow().state {
            return Ok(state);
        }
        self.read(&[])?;
        self.known.borrow().state.ok_or_else(|| IndexError::Unavailable("the answer lacks the state".into()))
    }

    /// The inverse document frequency of a term, by the statistics of the first page of the listing.
    pub(crate) fn idf(&self, field: SearchField, term: &str) -> Result<f64, IndexError> {
        let key = TermStatistics::term_key(field as u32, term.as_bytes());
        let tenders = match self.pinned {
            Some(pinned) => pinned.tenders,
            None => self.state()?.tenders,
        };
        let frequency = match self.pinned.and_then(|pinned| pinned.frequencies.get(&key)) {
            Some(frequency) => *frequency,
            None => self.frequency(field, term)?,
        };
        let recorded = &mut self.known.borrow_mut().recorded;
        recorded.tenders = tenders;
        if recorded.frequencies.len() < TermStatistics::MAX_TERMS {
            recorded.frequencies.insert(key, frequency);
        }
        Ok(similarity::idf(tenders, frequency))
    }

    /// The statistics that [`Terms::idf`] used.
    pub(crate) fn statistics(&self) -> TermStatistics {
        self.known.borrow().recorded.clone()
    }

    /// Reads the frequencies of terms, and with the first of them the state of the index. Each has a search
    /// of its own, which reads the tenders with the term only.
    fn read(&self, terms: &[FieldTerm]) -> Result<(), IndexError> {
        let count =
            |query: Value| json!({"size": 0, "track_total_hits": true, "query": all(&[listed(), query])});
        let is_limited =
            |wanted: &FieldTerm| self.readable.as_ref().filter(|_| is_hidden_when_locked(wanted.field));
        let mut searches = Vec::new();
        for wanted in terms {
            let having = term(wanted.field, &wanted.term);
            if let Some(readable) = is_limited(wanted) {
                searches.push(count(any(vec![all(&[having.clone(), readable.clone()]), stub_term(wanted)])));
            }
            searches.push(count(having));
        }
        if self.known.borrow().state.is_none() {
            searches.push(json!({"size": 0, "track_total_hits": true, "query": listed()}));
            searches.push(json!({
                "size": 1, "track_total_hits": false, "_source": false, "query": all(&[listed()]),
                "sort": [{"published_at": {"order": "desc", "missing": "_last"}}, {"id": "desc"}],
            }));
        }
        let answers = self.cluster.search_all(self.index, &searches)?;
        let mut answers = answers.iter();
        let mut next = || answers.next().unwrap_or(&Value::Null);
        let total = |answer: &Value| answer["hits"]["total"]["value"].as_u64().unwrap_or_default();
        let known = &mut *self.known.borrow_mut();
        for wanted in terms {
            let visible = is_limited(wanted).map(|_| total(next()));
            let frequency = total(next());
            known.frequencies.insert(wanted.clone(), frequency);
            known.occurring.insert(wanted.clone(), visible.unwrap_or(frequency) > 0);
        }
        known.state.get_or_insert_with(|| {
            let tenders = total(next());
            let newest = &next()["hits"]["hits"][0]["sort"];
            let id = newest[1].as_str().and_then(|id| id.parse().ok());
            IndexState {
                tenders,
                newest: (newest[0].as_i64().unwrap_or(i64::MIN), id.unwrap_or(Uuid::max())),
            }
        });
        Ok(())
    }

    /// The best tenders for a query.
    fn best(&self, query: &Value, most: usize) -> Result<Vec<Tender>, IndexError> {
        let body = json!({
            "size": most, "query": query, "track_total_hits": false, "_source": ["json"],
            "sort": [{"_score": "desc"}, {"id": "desc"}],
        });
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        let hits = answer["hits"]["hits"].as_array().into_iter().flatten();
        hits.map(|hit| tender_of(&hit["_source"])).collect()
    }
}

/// The tender of a document.
pub(crate) fn tender_of(source: &Value) -> Result<Tender, IndexError> {
    Ok(serde_json::from_str(source["json"].as_str().unwrap_or_default())?)
}

/// Whether a field contains texts that are hidden when a tender is locked.
const fn is_hidden_when_locked(field: SearchField) -> bool {
    matches!(field, SearchField::Words | SearchField::Stems)
}

/// A query for a word or stem in the texts that everyone may read.
fn stub_term(wanted: &FieldTerm) -> Value {
    match wanted.field {
        SearchField::Stems => term(SearchField::TitleStems, &wanted.term),
        _ => {
            let public = [SearchField::Title, SearchField::Organization, SearchField::Reference];
            any(public.iter().map(|field| term(*field, &wanted.term)).collect())
        }
    }
}

impl TermIndex for Terms<'_> {
    fn prefetch(&self, terms: &[FieldTerm]) -> Result<(), IndexError> {
        let mut seen = HashSet::new();
        let unknown: Vec<FieldTerm> = {
            let known = self.known.borrow();
            let unknown = terms.iter().filter(|term| !known.frequencies.contains_key(*term));
            unknown.filter(|term| seen.insert(*term)).cloned().collect()
        };
        unknown.chunks(TERMS_PER_REQUEST).try_for_each(|terms| self.read(terms))
    }

    fn frequency(&self, field: SearchField, term: &str) -> Result<u64, IndexError> {
        let wanted = FieldTerm::new(field, term);
        self.prefetch(std::slice::from_ref(&wanted))?;
        Ok(self.known.borrow().frequencies.get(&wanted).copied().unwrap_or_default())
    }

    fn occurs(&self, field: SearchField, term: &str) -> Result<bool, IndexError> {
        let wanted = FieldTerm::new(field, term);
        self.prefetch(std::slice::from_ref(&wanted))?;
        Ok(self.known.borrow().occurring.get(&wanted).copied().unwrap_or_default())
    }

    fn similar_terms(
        &self,
        field: SearchField,
        term: &str,
        distance: u8,
    ) -> Result<HashMap<String, u64>, IndexError> {
        let suggester = json!({
            "field": field_name(field), "analyzer": "words", "suggest_mode": "always",
            "max_edits": distance, "prefix_length": 0, "min_word_length": 1, "accuracy": 0.0,
            "max_term_freq": 1e9, "size": MAX_SIMILAR_TERMS, "shard_size": MAX_SIMILAR_TERMS,
            "string_distance": "damerau_levenshtein",
        });
        let body = json!({"size": 0, "suggest": {"near": {"text": term, "term": suggester}}});
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        let options = answer["suggest"]["near"][0]["options"].as_array().into_iter().flatten();
        let near = options
            .filter_map(|option| Some((option["text"].as_str()?.to_owned(), option["freq"].as_u64()?)));
        Ok(near.collect())
    }

    fn references_with_prefix(&self, prefix: &str, most: usize) -> Result<Vec<String>, IndexError> {
        let field = field_name(SearchField::SolidReference);
        let body = json!({
            "size": 0, "query": {"prefix": {field: {"value": prefix}}},
            "aggs": {"references": {"terms": {"field": field, "size": most, "order": {"_key": "asc"}}}},
        });
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        let buckets = answer["aggregations"]["references"]["buckets"].as_array().into_iter().flatten();
        Ok(buckets.filter_map(|bucket| bucket["key"].as_str()).map(str::to_owned).collect())
    }

    fn finds_any(&self, query: &TextQuery) -> Result<bool, IndexError> {
        let body = json!({
            "size": 0, "terminate_after": 1, "track_total_hits": 1,
            "query": all(&[listed(), visible_query(query, self.conditions, self.readable.as_ref())]),
        });
        let answer = self.cluster.search(&format!("{}/_search", self.index), &body)?;
        Ok(answer["hits"]["total"]["value"].as_u64().unwrap_or_default() > 0)
    }
}

/// The query for tenders that a text finds by texts that the viewer may read.
pub(crate) fn visible_query(
    query: &TextQuery,
    conditions: Conditions<'_>,
    readable: Option<&Value>,
) -> Value {
    let everything = to_query(query, conditions, Scope::Everything);
    let Some(readable) = readable else { return everything };
    let stub = to_query(query, conditions, Scope::Stub);
    any(vec![all(&[everything, readable.clone()]), stub])
}

impl CandidateSearch for Terms<'_> {
    fn terms(&self) -> &dyn TermIndex {
        self
    }

    fn count(&self) -> Result<u64, IndexError> {
        Ok(self.state()?.tenders)
    }

    fn with_references(&self, wanted: &[String], most: usize) -> Result<Vec<Tender>, IndexError> {
        self.best(&all(&[listed(), references(wanted)]), most)
    }

    fn with_terms(
        &self,
        field: SearchField,
        terms: &[(String, f32)],
        at_least: usize,
        most: usize,
    ) -> Result<Vec<Tender>, IndexError> {
        let wanted: Vec<FieldTerm> = terms.iter().map(|(term, _)| FieldTerm::new(field, term)).collect();
        self.prefetch(&wanted)?;
        let mut ways = Vec::new();
        for (term, weight) in terms {
            let boost = f64::from(*weight) * self.idf(field, term)?;
            ways.push(json!({"term": {field_name(field): {"value": term, "boost": boost}}}));
        }
        let query = json!({
            "bool": {"filter": [listed()], "should": ways, "minimum_should_match": at_least},
        });
        self.best(&query, most)
    }
}
