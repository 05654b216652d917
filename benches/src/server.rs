//! The Postgres server of the benchmarks: a private one, or the one at a URL. [`Backend`] measures
//! CPU time and memory of a connection's server process.

use crate::measure;
use anyhow::{Context, Result, bail};
use postgres::{Client, NoTls};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Settings of a private server, which may use more memory than by default.
const SETTINGS: &[&str] = &[
    "alter system set shared_buffers = '1GB'",
    "alter system set maintenance_work_mem = '512MB'",
    "alter system set max_wal_size = '4GB'",
];

/// A server. A private one is stopped when dropped.
pub struct Server {
    /// The URL without a database.
    pub url: String,
    is_private: bool,
}

impl Server {
    /// Uses the server at a URL, or starts a private one below `target`.
    pub fn new(url: Option<&str>) -> Result<Self> {
        if let Some(url) = url {
            return Ok(Self { url: url.to_owned(), is_private: false });
        }
        let mut server = Self { url: run_script(&["start", &folder(), "--fast"])?, is_private: true };
        let mut client = server.connect()?;
        if client.query_one("show shared_buffers", &[])?.get::<_, String>(0) == "1GB" {
            return Ok(server);
        }
        for setting in SETTINGS {
            client.batch_execute(setting)?;
        }
        drop(client);
        run_script(&["stop", &folder()])?;
        server.url = run_script(&["start", &folder(), "--fast"])?;
        Ok(server)
    }

    /// Uses the server at a URL, or starts a private one below `target` that writes each commit to the disk.
    pub fn durable(url: Option<&str>) -> Result<Self> {
        if let Some(url) = url {
            return Ok(Self { url: url.to_owned(), is_private: false });
        }
        Ok(Self { url: run_script(&["start", &folder()])?, is_private: true })
    }

    /// Connects to the database `postgres`.
    pub fn connect(&self) -> Result<Client> {
        let url = format!("{}/postgres", self.url);
        Client::connect(&url, NoTls).with_context(|| format!("no connection to {url}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.is_private {
            drop(run_script(&["stop", &folder()]));
            // The data may be elsewhere, and the folder has a link to it.
            let folder = repository().join(folder());
            drop(fs::canonicalize(folder.join("postgres")).map(fs::remove_dir_all));
            drop(fs::remove_dir_all(folder));
        }
    }
}

/// Returns the folder of the private server, relative to the repository. Concurrent runs have
/// different folders.
fn folder() -> String {
    format!("target/benches-{}", std::process::id())
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs `.make/postgres` and returns its output.
fn run_script(arguments: &[&str]) -> Result<String> {
    let root = repository();
    let output = Command::new(root.join(".make/postgres"))
        .args(arguments)
        .current_dir(&root)
        .output()
        .context(".make/postgres can't be run")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The server process of a connection, on this machine.
pub struct Backend(String);

impl Backend {
    /// Finds the process of a connection.
    pub fn of(client: &mut Client) -> Result<Self> {
        let process: i32 = client.query_one("select pg_backend_pid()", &[])?.get(0);
        Ok(Self(process.to_string()))
    }

    /// Returns the CPU time so far.
    pub fn cpu_time(&self) -> Result<Duration> {
        let path = format!("/proc/{}/schedstat", self.0);
        let text = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
        let nanoseconds = text.split(' ').next().context("the file in /proc is empty")?.parse()?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Returns the resident memory in MB, including buffers shared with other processes.
    pub fn memory(&self) -> Result<f64> {
        measure::resident(&self.0)
    }
}
