//! [`SearchNode`]: a private OpenSearch node for measurements.

use crate::measure;
use anyhow::{Context, Result, bail, ensure};
use opensearch_engine::ClusterConfig;
use reqwest::{Method, blocking::Client};
use serde_json::Value;
use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// The port of the node is the one after this.
const PORT: u16 = 29_200;
/// The heap of the node.
const HEAP: &str = "4g";
/// The time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(600);

/// A private node, which is stopped when dropped, and its data deleted.
pub struct SearchNode {
    folder: PathBuf,
    address: String,
    client: Client,
    indexes: Cell<usize>,
    /// The largest CPU time so far.
    cpu_time: Cell<Duration>,
}

impl SearchNode {
    /// Starts a node.
    pub fn start() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("serendib-benches-{}", std::process::id()));
        let address = run_script(&["start".as_ref(), &folder, "1".as_ref(), PORT.to_string().as_ref()])?;
        let client = Client::builder().timeout(TIMEOUT).no_proxy().build()?;
        Ok(Self { folder, address, client, indexes: Cell::new(0), cpu_time: Cell::default() })
    }

    /// How to reach a new index on the node.
    pub fn config(&self) -> ClusterConfig {
        ClusterConfig {
            nodes: vec![self.address.clone()],
            index: format!("measured-{}", self.indexes.replace(self.indexes.get() + 1)),
            credentials: None,
            certificates: None,
            shards: 1,
            replicas: 0,
            search_timeout: TIMEOUT,
            write_timeout: TIMEOUT,
        }
    }

    /// Sends a request, and returns the response.
    pub fn send(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Result<Value> {
        let mut request = self.client.request(method, format!("{}/{path}", self.address));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let response = request.send()?;
        let (status, text) = (response.status(), response.text()?);
        ensure!(status.is_success(), "{path}: {status}: {}", text.chars().take(1000).collect::<String>());
        Ok(serde_json::from_str(&text)?)
    }

    fn process(&self) -> Result<String> {
        Ok(fs::read_to_string(self.folder.join("n1/pid"))?.trim().to_owned())
    }

    /// Returns the CPU time of the threads of the node so far. The time of a thread that has ended is missing,
    /// so the sum may be a little too small, but it never falls.
    pub fn cpu_time(&self) -> Result<Duration> {
        let mut nanoseconds = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.process()?))? {
            let Ok(text) = fs::read_to_string(task?.path().join("schedstat")) else { continue };
            nanoseconds += text.split(' ').next().context("the file in /proc is empty")?.parse::<u64>()?;
        }
        self.cpu_time.set(self.cpu_time.get().max(Duration::from_nanos(nanoseconds)));
        Ok(self.cpu_time.get())
    }

    /// Returns the resident memory of the node in MB.
    pub fn memory(&self) -> Result<f64> {
        measure::resident(&self.process()?)
    }

    /// Returns the size of the node's data on disk in bytes.
    pub fn bytes(&self) -> Result<u64> {
        measure::size_of(&self.folder.join("n1/data"))
    }
}

impl Drop for SearchNode {
    fn drop(&mut self) {
        drop(run_script(&["stop".as_ref(), &self.folder]));
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Runs `.make/opensearch` and returns its output.
fn run_script(arguments: &[&Path]) -> Result<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.make/opensearch");
    let output = Command::new(script).env("HEAP", HEAP).args(arguments).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
