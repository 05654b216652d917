//! Opens the search engine of the settings: an index in a folder of this process, or one that all
//! processes share in a cluster.

use crate::{
    base::{
        config::{DataConfig, SearchConfig},
        log_throttle::LogThrottle,
    },
    domain::error::ServiceError,
};
use index::{IndexError, IndexStore, SearchEngine};
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use secrecy::ExposeSecret;
use std::{path::PathBuf, sync::Arc, time::Duration};

/// The time limit of a write in the cluster.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);

/// Opens the search engine. A missing or invalid index in a folder is replaced by an empty one, which the
/// index follower then rebuilds. A cluster need not be reachable.
///
/// # Errors
/// If the folder or the certificates of the cluster cannot be used.
pub fn open(data: &DataConfig, search: &SearchConfig) -> Result<Arc<dyn SearchEngine>, IndexError> {
    Ok(match search.has_cluster() {
        true => Arc::new(OpenSearchEngine::new(cluster_config(search)?)?),
        false => Arc::new(IndexStore::open_or_create(&data.index())?),
    })
}

/// Opens the search engine to read the last commit of its index. Blocks the thread.
///
/// # Errors
/// If there is no index, or it cannot be read.
pub fn open_existing(data: &DataConfig, search: &SearchConfig) -> Result<Arc<dyn SearchEngine>, IndexError> {
    if !search.has_cluster() {
        return Ok(Arc::new(IndexStore::open(&data.index())?));
    }
    let engine = OpenSearchEngine::new(cluster_config(search)?)?;
    engine.refresh()?;
    Ok(Arc::new(engine))
}

/// Where the index is, for messages.
#[must_use]
pub fn place(data: &DataConfig, search: &SearchConfig) -> String {
    match search.has_cluster() {
        true => format!("the cluster at {}", search.search_nodes.join(", ")),
        false => data.index().display().to_string(),
    }
}

fn cluster_config(search: &SearchConfig) -> Result<ClusterConfig, IndexError> {
    let read =
        |path: &PathBuf| std::fs::read(path).map_err(|source| IndexError::Io { path: path.clone(), source });
    let credentials = search.search_user.clone().zip(search.search_password.as_ref());
    Ok(ClusterConfig {
        nodes: search.search_nodes.clone(),
        index: search.search_index.clone(),
        credentials: credentials.map(|(user, password)| (user, password.expose_secret().to_owned())),
        certificates: search.search_ca_file.as_ref().map(read).transpose()?,
        shards: search.search_shards,
        replicas: search.search_replicas,
        search_timeout: Duration::from_millis(search.search_timeout_ms.into()),
        write_timeout: WRITE_TIMEOUT,
    })
}

/// Limits the log lines about an outage, because every search fails meanwhile.
static OUTAGE_LOG: LogThrottle = LogThrottle::new(Duration::from_secs(10));

impl From<IndexError> for ServiceError {
    fn from(error: IndexError) -> Self {
        let IndexError::Unavailable(reason) = error else {
            return Self::Internal(anyhow::Error::new(error).context("searching"));
        };
        if OUTAGE_LOG.is_due() {
            tracing::error!(reason, "the search engine is not available");
        }
        Self::Unavailable(
            "The search is not available at the moment. Your account, your alerts and single tenders work as \
            usual. Please try again in a minute.",
        )
    }
}

/// Converts an error that may be one of the search engine.
pub fn service_error(error: anyhow::Error) -> ServiceError {
    error.downcast::<IndexError>().map_or_else(ServiceError::Internal, ServiceError::from)
}
