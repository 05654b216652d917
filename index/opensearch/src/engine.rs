//! [`OpenSearchEngine`]: the index of a portal in a cluster.

use crate::{
    alert_matches,
    cluster::{Cluster, ClusterConfig, RequestKind},
    facets::{read_stats, stats_aggregations},
    filters::{all, listed},
    listing,
    mapping::{MAPPING_VERSION, create_request},
    suggestions::IndexSuggestions,
    terms::{Terms, tender_of},
    text_query::Conditions,
    writer::{BulkWriter, read_position},
};
use index::{
    AlertMatches, Duplicate, IndexError, IndexRebuild, IndexWriter, Listing, ListingRequest, LogPosition,
    NodeCounts, SearchEngine, SimilarHit, Stats, Suggestion, search,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// The number of tenders per request of a scan.
const SCAN_SIZE: usize = 500;
/// An unfinished index of a rebuild is deleted when it is this old, in milliseconds.
const MAX_REBUILD_AGE_MS: i64 = 24 * 3_600_000;

/// The index of a portal in a cluster. Clones share their state.
///
/// The cluster need not be reachable when the engine is created. Searches then fail with
/// [`IndexError::Unavailable`] until it is.
#[derive(Clone)]
pub struct OpenSearchEngine {
    shared: Arc<Shared>,
}

struct Shared {
    cluster: Cluster,
    /// The name under which the index is searched. It contains the versions of fields and analysis, so
    /// that two versions of the program use an index each.
    alias: String,
    known: RwLock<KnownIndex>,
    rebuilding: AtomicBool,
}

/// What this process last saw.
#[derive(Debug, Clone, Default)]
struct KnownIndex {
    /// The index behind the alias.
    name: Option<String>,
    position: Option<LogPosition>,
}

impl OpenSearchEngine {
    /// The engine of a portal.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the HTTP client cannot be set up.
    pub fn new(config: ClusterConfig) -> Result<Self, IndexError> {
        let alias = format!("{}-v{MAPPING_VERSION}.{}", config.index, index::ANALYSIS_VERSION);
        let cluster = Cluster::new(config)?;
        let shared = Shared { cluster, alias, known: RwLock::default(), rebuilding: AtomicBool::new(false) };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The name under which the index is searched. Only one process at a time may write to it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.alias
    }

    fn known(&self) -> KnownIndex {
        self.shared.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_known(&self, known: KnownIndex) {
        *self.shared.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Returns the name of the index that the alias points to. Creates an empty index if there is
    /// none.
    fn resolve(&self) -> Result<String, IndexError> {
        if let Some(name) = self.aliased()? {
            return Ok(name);
        }
        let name = self.next_name()?;
        self.create(&name)?;
        // If another process was faster, its alias stays, and this index is deleted.
        match self.aliased()? {
            Some(other) => {
                self.delete(&name)?;
                Ok(other)
            }
            None => {
                self.swap(&name)?;
                Ok(name)
            }
        }
    }

    fn aliased(&self) -> Result<Option<String>, IndexError> {
        let Shared { cluster, alias, .. } = &*self.shared;
        let answer = cluster.send(
            RequestKind::Search,
            &Method::GET,
            &format!("{alias}-*/_alias/{alias}?local=true"),
            None,
        )?;
        // A node answers from its own state, because the node that manages the cluster may hang. A change of
        // an alias is acknowledged by all nodes, or taken for unknown. After a race of two processes, the higher
        // number counts.
        Ok(answer.as_ref().and_then(Value::as_object).and_then(|names| names.keys().max().cloned()))
    }

    /// A new name of an index: the alias, the next number, and a part that no other process chooses.
    fn next_name(&self) -> Result<String, IndexError> {
        let alias = &self.shared.alias;
        let numbers = self.all_indexes()?.into_iter().filter_map(|(name, _)| number_of(alias, &name));
        let (number, unique) = (numbers.max().unwrap_or_default() + 1, Uuid::new_v4().simple().to_string());
        Ok(format!("{alias}-{number:06}-{}", &unique[..8]))
    }

    /// All indexes of the portal with their times of creation, in milliseconds since 1970.
    fn all_indexes(&self) -> Result<Vec<(String, i64)>, IndexError> {
        let Shared { cluster, alias, .. } = &*self.shared;
        let path = format!("{alias}-*/_settings/index.creation_date?local=true");
        let answer = cluster.send(RequestKind::Search, &Method::GET, &path, None)?;
        let created =
            |settings: &Value| settings["settings"]["index"]["creation_date"].as_str()?.parse().ok();
        let indexes = answer.as_ref().and_then(Value::as_object).into_iter().flatten();
        Ok(indexes.map(|(name, settings)| (name.clone(), created(settings).unwrap_or(i64::MAX))).collect())
    }

    fn create(&self, name: &str) -> Result<(), IndexError> {
        let cluster = &self.shared.cluster;
        let body = create_request(&cluster.config);
        match cluster.send(RequestKind::Write, &Method::PUT, name, Some(&body)) {
            // No other process knows the name, so an earlier attempt without an answer has created the index.
            Err(IndexError::Refused(reason)) if reason.contains("resource_already_exists_exception") => {
                Ok(())
            }
            result => result.map(drop),
        }
    }

    fn delete(&self, name: &str) -> Result<(), IndexError> {
        self.shared.cluster.send(RequestKind::Write, &Method::DELETE, name, None)?;
        Ok(())
    }

    /// Lets the alias point to one index only, in one step.
    fn swap(&self, to: &str) -> Result<(), IndexError> {
        let Shared { cluster, alias, .. } = &*self.shared;
        let remove = json!({"remove": {"index": format!("{alias}-*"), "alias": alias, "must_exist": false}});
        let add = json!({"add": {"index": to, "alias": alias}});
        let body = json!({"actions": [remove, add]});
        let answer = cluster.send(RequestKind::Write, &Method::POST, "_aliases", Some(&body))?;
        let answer = answer.ok_or(IndexError::Superseded)?;
        match answer["acknowledged"].as_bool() {
            Some(true) => Ok(()),
            _ => Err(IndexError::Unavailable("not all nodes have taken the new index".into())),
        }
    }

    /// Deletes the remains of rebuilds that were interrupted long ago.
    fn delete_remains(&self, current: &str) -> Result<(), IndexError> {
        #[expect(clippy::disallowed_methods, reason = "compared with a time of the cluster")]
        let oldest = jiff::Timestamp::now().as_millisecond() - MAX_REBUILD_AGE_MS;
        for (name, created) in self.all_indexes()? {
            if name != current && created < oldest {
                self.delete(&name)?;
            }
        }
        Ok(())
    }

    /// Runs a search that reads only texts that everyone may read.
    fn with_terms<T>(&self, search: impl FnOnce(&Terms<'_>) -> T) -> T {
        let rates = Rates::default();
        // Neither the time nor the rates matter to such a search.
        let now = Moment::new(jiff::Timestamp::UNIX_EPOCH);
        let Shared { cluster, alias, .. } = &*self.shared;
        search(&Terms::new(cluster, alias, Conditions { now, rates: &rates }, None, None))
    }
}

/// The number in the name of an index.
fn number_of(alias: &str, name: &str) -> Option<u32> {
    let numbered = name.strip_prefix(alias)?.strip_prefix('-')?;
    numbered.split('-').next()?.parse().ok()
}

impl SearchEngine for OpenSearchEngine {
    fn shared_name(&self) -> Option<&str> {
        Some(self.name())
    }

    fn nodes(&self) -> Option<NodeCounts> {
        Some(self.shared.cluster.node_counts())
    }

    fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        listing::listing(&self.shared.cluster, &self.shared.alias, request, now)
    }

    fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        alert_matches::matching(&self.shared.cluster, &self.shared.alias, alert, (now, rates), limit)
    }

    fn similar(&self, tender: &Tender, now: Moment, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        self.with_terms(|terms| search::similar(terms, tender, now, limit))
    }

    fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        self.with_terms(|terms| search::duplicates(terms, tender, limit))
    }

    fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        let Shared { cluster, alias, .. } = &*self.shared;
        search::suggest(&IndexSuggestions { cluster, index: alias }, text)
    }

    fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        let body = json!({
            "size": 0, "query": all(&[listed()]), "track_total_hits": true, "aggs": stats_aggregations(now),
        });
        let answer = self.shared.cluster.search(&format!("{}/_search", self.shared.alias), &body)?;
        let total = answer["hits"]["total"]["value"].as_u64().unwrap_or_default() as usize;
        Ok(read_stats(total, &answer["aggregations"]))
    }

    fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        let path = format!("{}/_doc/{id}?realtime=false&_source_includes=json", self.shared.alias);
        let answer = self.shared.cluster.send(RequestKind::Search, &Method::GET, &path, None)?;
        let source = answer.as_ref().map(|answer| &answer["_source"]);
        // A removed tender has no record.
        source.filter(|source| source["json"].is_string()).map(tender_of).transpose()
    }

    fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        let mut after: Option<Value> = None;
        loop {
            let mut body = json!({
                "size": SCAN_SIZE, "track_total_hits": false, "_source": ["json"],
                "query": {"exists": {"field": "id"}}, "sort": [{"id": "asc"}],
            });
            if let Some(after) = &after {
                body["search_after"] = json!([after]);
            }
            let answer = self.shared.cluster.search(&format!("{}/_search", self.shared.alias), &body)?;
            let hits = answer["hits"]["hits"].as_array().map_or(&[][..], Vec::as_slice);
            let Some(last) = hits.last() else { return Ok(()) };
            for hit in hits {
                visit(tender_of(&hit["_source"])?);
            }
            after = Some(last["sort"][0].clone());
        }
    }

    fn position(&self) -> Option<LogPosition> {
        self.known().position
    }

    fn check(&self) -> Result<(), IndexError> {
        let Shared { cluster, alias, .. } = &*self.shared;
        let path = format!("_cluster/health/{alias}?timeout=1s");
        let answer = cluster.send(RequestKind::Search, &Method::GET, &path, None)?;
        let status = answer.as_ref().and_then(|answer| answer["status"].as_str()).unwrap_or("red");
        if status == "red" {
            let what = "a part of the index has no copy in the cluster".to_owned();
            return Err(IndexError::Damaged { path: alias.into(), what });
        }
        let count = json!({"size": 0, "query": {"match_all": {}}, "track_total_hits": true});
        cluster.search(&format!("{alias}/_search"), &count).map(drop)
    }

    fn refresh(&self) -> Result<bool, IndexError> {
        let name = self.aliased()?;
        let position = match &name {
            Some(name) => read_position(&self.shared.cluster, name)?,
            None => None,
        };
        let before = self.known();
        let is_replaced = before.name.is_some() && before.name != name;
        self.set_known(KnownIndex { name, position });
        Ok(is_replaced)
    }

    fn writer(&self) -> Result<Box<dyn IndexWriter>, IndexError> {
        let name = match self.known().name {
            Some(name) => name,
            None => self.resolve()?,
        };
        Ok(Box::new(EngineWriter { engine: self.clone(), bulk: BulkWriter::new(name) }))
    }

    fn rebuild(&self) -> Result<Box<dyn IndexRebuild>, IndexError> {
        if self.shared.rebuilding.swap(true, Ordering::AcqRel) {
            return Err(IndexError::Busy);
        }
        let turn = RebuildTurn(self.clone());
        // Without an alias, nothing tells which index is current.
        if let Some(current) = self.aliased()? {
            self.delete_remains(&current)?;
        }
        let name = self.next_name()?;
        self.create(&name)?;
        Ok(Box::new(EngineRebuild { turn, bulk: BulkWriter::patient(name), may_be_current: false }))
    }
}

/// Changes the current index.
struct EngineWriter {
    engine: OpenSearchEngine,
    bulk: BulkWriter,
}

impl IndexWriter for EngineWriter {
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, position: i64) -> Result<(), IndexError> {
        self.bulk.put(&self.engine.shared.cluster, tender, owner, position)
    }

    fn remove(&mut self, id: Uuid, position: i64) -> Result<(), IndexError> {
        self.bulk.remove(&self.engine.shared.cluster, id, position)
    }

    fn commit(&mut self, at: LogPosition) -> Result<(), IndexError> {
        self.bulk.commit(&self.engine.shared.cluster, at)?;
        let name = self.engine.aliased()?;
        if name.as_deref() != Some(self.bulk.index()) {
            return Err(IndexError::Superseded);
        }
        self.engine.set_known(KnownIndex { name, position: Some(at) });
        Ok(())
    }
}

/// Allows another rebuild when it is dropped.
struct RebuildTurn(OpenSearchEngine);

impl Drop for RebuildTurn {
    fn drop(&mut self) {
        self.0.shared.rebuilding.store(false, Ordering::Release);
    }
}

/// A new index under construction.
struct EngineRebuild {
    turn: RebuildTurn,
    bulk: BulkWriter,
    /// Whether the alias may point to the index.
    may_be_current: bool,
}

impl IndexRebuild for EngineRebuild {
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, position: i64) -> Result<(), IndexError> {
        self.bulk.put(&self.turn.0.shared.cluster, tender, owner, position)
    }

    fn remove(&mut self, id: Uuid, position: i64) -> Result<(), IndexError> {
        self.bulk.remove(&self.turn.0.shared.cluster, id, position)
    }

    fn publish(mut self: Box<Self>, at: LogPosition) -> Result<(), IndexError> {
        let engine = self.turn.0.clone();
        self.bulk.commit(&engine.shared.cluster, at)?;
        let before = engine.aliased()?;
        let name = self.bulk.index().to_owned();
        if let Err(error) = engine.swap(&name) {
            // The manager may have made the change all the same, or may still make it.
            self.may_be_current = !matches!(error, IndexError::Refused(_) | IndexError::Superseded);
            if engine.aliased()?.as_deref() != Some(&name) {
                return Err(error);
            }
        }
        self.may_be_current = true;
        engine.set_known(KnownIndex { name: Some(name), position: Some(at) });
        if let Some(before) = before.filter(|before| before != self.bulk.index())
            && let Err(error) = engine.delete(&before)
        {
            tracing::warn!(index = before, %error, "the replaced index could not be deleted");
        }
        Ok(())
    }
}

impl Drop for EngineRebuild {
    fn drop(&mut self) {
        if self.may_be_current {
            return;
        }
        // It may be dropped on a thread of an async runtime, which must not wait for the cluster. What stays
        // after a failure is deleted by a later rebuild.
        let (engine, index) = (self.turn.0.clone(), self.bulk.index().to_owned());
        thread::spawn(move || {
            if let Err(error) = engine.delete(&index) {
                tracing::warn!(index, %error, "an unfinished index could not be deleted");
            }
        });
    }
}
