//! The engine under test: a new index in the cluster that `OPENSEARCH_URL` names.

use crate::support::{Engine, EngineGuard};
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use reqwest::blocking::Client;
use std::{
    env, process,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// The number of the next index of this process.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// How to reach the cluster, and a new index in it.
pub(crate) fn config() -> ClusterConfig {
    let nodes = env::var("OPENSEARCH_URL").expect("set OPENSEARCH_URL to the addresses of a cluster");
    ClusterConfig {
        nodes: nodes.split(',').map(str::to_owned).collect(),
        index: format!("test-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)),
        credentials: None,
        certificates: None,
        shards: env::var("OPENSEARCH_SHARDS").map_or(1, |shards| shards.parse().unwrap()),
        replicas: 0,
        search_timeout: Duration::from_secs(10),
        write_timeout: Duration::from_secs(30),
    }
}

/// A new engine with an empty index, and what must live as long.
pub(crate) fn new_engine() -> (EngineGuard, Engine) {
    let config = config();
    let guard = DeletedIndex { node: config.nodes[0].clone(), index: config.index.clone() };
    let engine = OpenSearchEngine::new(config).unwrap();
    let engine: Engine = Arc::new(engine);
    // Opening a writer creates the index.
    drop(engine.writer().unwrap());
    engine.refresh().unwrap();
    (Box::new(guard), engine)
}

/// Deletes an index when it is dropped.
pub(crate) struct DeletedIndex {
    node: String,
    index: String,
}

impl Drop for DeletedIndex {
    fn drop(&mut self) {
        let _ = Client::new().delete(format!("{}/{}-*", self.node, self.index)).send();
    }
}

/// The folder of the fixtures.
pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
