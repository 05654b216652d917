//! A Postgres server for the benchmarks: one that is named, or a private one of this run, tuned; and how much CPU time and memory the
//! process behind a connection uses.

use crate::measure;
use anyhow::{Context, Result, bail};
use postgres::{Client, NoTls};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Settings of a private server: what a machine with some memory to spare would have.
const SETTINGS: &[&str] = &[
    "alter system set shared_buffers = '1GB'",
    "alter system set maintenance_work_mem = '512MB'",
    "alter system set max_wal_size = '4GB'",
];

/// A server, stopped when it is dropped if it is this run's own.
pub struct Server {
    /// Without a database.
    pub url: String,
    own: bool,
}

impl Server {
    /// The server at a URL; without one, a private one below `target`.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn new(url: Option<&str>) -> Result<Self> {
        if let Some(url) = url {
            return Ok(Self { url: url.to_owned(), own: false });
        }
        let mut server = Self { url: script(&["start", &place(), "--fast"])?, own: true };
        let mut client = server.connect()?;
        if client.query_one("show shared_buffers", &[])?.get::<_, String>(0) == "1GB" {
            return Ok(server);
        }
        for setting in SETTINGS {
            client.batch_execute(setting)?;
        }
        drop(client);
        script(&["stop", &place()])?;
        server.url = script(&["start", &place(), "--fast"])?;
        Ok(server)
    }

    /// A connection to its first database.
    ///
    /// # Errors
    /// When the server isn't there.
    pub fn connect(&self) -> Result<Client> {
        let url = format!("{}/postgres", self.url);
        Client::connect(&url, NoTls).with_context(|| format!("no connection to {url}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.own {
            drop(script(&["stop", &place()]));
            drop(fs::remove_dir_all(root().join(place())));
        }
    }
}

/// Where the private server lives, from the repository's root: two runs at a time don't share one.
fn place() -> String {
    format!("target/benches-{}", std::process::id())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs `.make/postgres`; answers what it printed.
fn script(arguments: &[&str]) -> Result<String> {
    let root = root();
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

/// The process that serves a connection. It must run on this machine.
pub struct Backend(String);

impl Backend {
    /// Of a connection.
    ///
    /// # Errors
    /// When the server doesn't answer.
    pub fn of(client: &mut Client) -> Result<Self> {
        let process: i32 = client.query_one("select pg_backend_pid()", &[])?.get(0);
        Ok(Self(process.to_string()))
    }

    /// Its CPU time so far.
    ///
    /// # Errors
    /// When it runs on another machine.
    pub fn time(&self) -> Result<Duration> {
        let path = format!("/proc/{}/schedstat", self.0);
        let text = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
        let nanoseconds = text.split(' ').next().context("the scheduler says nothing")?.parse()?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Its resident memory, in MB, buffers shared with other processes included.
    ///
    /// # Errors
    /// When it runs on another machine.
    pub fn memory(&self) -> Result<f64> {
        measure::resident(&self.0)
    }
}
