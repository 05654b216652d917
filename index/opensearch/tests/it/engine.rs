//! The engine under test: a new index in the cluster that the environment names, as README.md says.

use crate::support::{Engine, EngineGuard};
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use reqwest::{Certificate, Method, blocking::Client};
use serde_json::Value;
use std::{
    env, fs, process,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
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
        credentials: env::var("OPENSEARCH_CREDENTIALS").ok().map(|credentials| {
            let (user, password) = credentials.split_once(':').expect("write USER:PASSWORD");
            (user.to_owned(), password.to_owned())
        }),
        certificates: env::var("OPENSEARCH_CA_FILE").ok().map(|path| fs::read(path).unwrap()),
        shards: env::var("OPENSEARCH_SHARDS").map_or(1, |shards| shards.parse().unwrap()),
        replicas: 0,
        search_timeout: Duration::from_secs(10),
        write_timeout: Duration::from_secs(30),
    }
}

/// A new engine with an empty index, and what must live as long.
pub(crate) fn new_engine() -> (EngineGuard, Engine) {
    let config = config();
    let guard = DeletedIndex(config.clone());
    let engine = OpenSearchEngine::new(config).unwrap();
    let engine: Engine = Arc::new(engine);
    // Opening a writer creates the index.
    drop(engine.writer().unwrap());
    engine.refresh().unwrap();
    (Box::new(guard), engine)
}

/// Deletes an index when it is dropped.
pub(crate) struct DeletedIndex(ClusterConfig);

impl DeletedIndex {
    fn delete(&self) -> reqwest::Result<()> {
        let Self(config) = self;
        let mut client = Client::builder();
        if let Some(pem) = &config.certificates {
            client = client.tls_certs_merge(Certificate::from_pem_bundle(pem)?);
        }
        let client = client.build()?;
        let send = |method: Method, path: &str| {
            let mut request = client.request(method, format!("{}/{path}", config.nodes[0]));
            if let Some((user, password)) = &config.credentials {
                request = request.basic_auth(user, Some(password));
            }
            request.send()?.error_for_status()
        };
        // A cluster may refuse to delete indexes by a pattern.
        let indexes: Value = send(Method::GET, &format!("{}-*/_alias", config.index))?.json()?;
        for name in indexes.as_object().into_iter().flat_map(|indexes| indexes.keys()) {
            send(Method::DELETE, name)?;
        }
        Ok(())
    }
}

impl Drop for DeletedIndex {
    fn drop(&mut self) {
        let deleted = self.delete();
        if !thread::panicking() {
            deleted.unwrap();
        }
    }
}

/// The folder of the fixtures.
pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
