//! [`Site`]: the addresses and files of a run.

use super::layout::{Layout, Victim};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
};
use tokio::process::Command;

/// The ports below the ephemeral ones, so that no outgoing connection takes the port of a process
/// that is being started again.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// The addresses and files of a run.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// The folder of the run.
    pub(super) folder: PathBuf,
    /// The folder with `api` and `ingest`.
    pub(super) programs: PathBuf,
    /// The executable of the soak itself, which is also the mail server.
    pub(super) own: PathBuf,
    pub(super) layout: Layout,
    /// The servers.
    pub(super) servers: Vec<SocketAddr>,
    /// The processes that only run the jobs answer probes here.
    pub(super) probes: Vec<SocketAddr>,
    /// The nodes of the search cluster, separated by commas. `None`: each process has an index of its own.
    pub(super) search_nodes: Option<String>,
    /// The address of the database for each process of the portal.
    pub(super) databases: BTreeMap<Victim, String>,
    /// The variables that tell a process of the portal where its files are. None: in the data folder.
    pub(super) files: Vec<(&'static str, String)>,
    pub(super) mail: SocketAddr,
    /// The receiver of SMS.
    pub(super) sms: SocketAddr,
}

impl Site {
    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }
    /// The folder that the server serves as the web application. The traffic calls only the API.
    pub(super) fn web(&self) -> PathBuf {
        self.folder.join("web")
    }
    pub(super) fn mails(&self) -> PathBuf {
        self.folder.join("mails.jsonl")
    }
    /// The file that makes the mail server die after the next message.
    pub(super) fn trap(&self) -> PathBuf {
        self.folder.join("mail-trap")
    }
    pub(super) fn ledger(&self) -> PathBuf {
        self.folder.join("ledger.jsonl")
    }
    pub(super) fn token(&self) -> PathBuf {
        self.folder.join("operator.token")
    }
    /// The index of the server or job process with this number.
    pub(super) fn index(&self, number: usize) -> PathBuf {
        self.data().join(format!("index-{number}"))
    }
    pub(super) fn log(&self, name: &str) -> Result<Stdio> {
        log(&self.folder, name)
    }

    /// The process that writes to the index of all processes, by its log.
    pub(super) fn index_writer(&self) -> Option<Victim> {
        self.search_nodes.as_ref()?;
        let victims = self.layout.servers().iter().chain(self.layout.job_processes());
        let last_beginning = |victim: &Victim| {
            let log = fs::read_to_string(self.folder.join(format!("{victim}.log"))).ok()?;
            let line = log.lines().rev().find(|line| line.contains("writes to the search index now"))?;
            // The time, in a form whose order is that of the text.
            Some((line.split_whitespace().next()?.to_owned(), *victim))
        };
        victims.filter_map(last_beginning).max().map(|(_, victim)| victim)
    }

    pub(super) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.env_clear();
        command.envs(std::env::var_os("PATH").map(|value| ("PATH", value)));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// A log in the folder of a run.
pub(super) fn log(folder: &Path, name: &str) -> Result<Stdio> {
    let path = folder.join(format!("{name}.log"));
    Ok(File::options().create(true).append(true).open(&path).context("the log")?.into())
}

/// Finds a free port below the ephemeral ones.
pub(super) fn free_port(random: &mut impl rand::Rng) -> Result<SocketAddr> {
    for _ in 0..1000 {
        let address = SocketAddr::from(([127, 0, 0, 1], random.random_range(PORTS)));
        if TcpListener::bind(address).is_ok() {
            return Ok(address);
        }
    }
    bail!("no port is free")
}
