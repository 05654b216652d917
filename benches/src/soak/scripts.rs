//! Processes that scripts start, and that are therefore no children of the soak: Postgres, and the nodes of
//! the search cluster.

use super::{layout::Victim, processes::Supervised};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::process::Command;

/// A private Postgres server with durable commits, and its supervisor.
pub(super) struct Postgres {
    pub(super) supervised: Arc<Supervised>,
    /// The URL without a database.
    pub(super) url: String,
    folder: PathBuf,
}

impl Postgres {
    pub(super) async fn start(folder: &Path) -> Result<Self> {
        let url = run_script("postgres", &["start".as_ref(), folder.as_ref()]).await?;
        let home = fs::canonicalize(folder.join("postgres"))?;
        let own = folder.to_owned();
        let supervised = Supervised::observe(read_process(&home)?, move || {
            let (own, home) = (own.clone(), home.clone());
            // Right after a kill, the start fails while processes of the killed server still end.
            async move {
                run_script("postgres", &["start".as_ref(), own.as_ref()]).await?;
                read_process(&home)
            }
        });
        Ok(Self { supervised, url, folder: folder.to_owned() })
    }

    /// The socket at which the server listens.
    pub(super) fn socket(&self) -> Result<PathBuf> {
        let config: postgres::Config = self.url.parse()?;
        let port = config.get_ports().first().context("the URL has no port")?;
        match config.get_hosts().first() {
            Some(postgres::config::Host::Unix(folder)) => Ok(folder.join(format!(".s.PGSQL.{port}"))),
            _ => bail!("Postgres does not listen at a socket"),
        }
    }

    /// Stops the server, and deletes its data unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        self.supervised.end_observation().await;
        run_script("postgres", &["stop".as_ref(), self.folder.as_ref()]).await?;
        if !keeps_data {
            let home = fs::canonicalize(self.folder.join("postgres"))?;
            fs::remove_dir_all(&home)?;
            // The folder may be a link to a folder that the user of Postgres can enter.
            drop(fs::remove_file(self.folder.join("postgres")));
        }
        Ok(())
    }
}

/// The nodes of a search cluster, and their supervisors.
pub(super) struct SearchNodes {
    pub(super) supervised: BTreeMap<Victim, Arc<Supervised>>,
    /// Their addresses, separated by commas.
    pub(super) addresses: String,
    folder: PathBuf,
}

impl SearchNodes {
    /// Starts the nodes. The ports of their HTTP servers are the three after `port`.
    pub(super) async fn start(folder: &Path, port: u16) -> Result<Self> {
        let folder = folder.join("search");
        let (count, port) = (Victim::SEARCH_NODES.len().to_string(), port.to_string());
        let start = ["start".as_ref(), folder.as_os_str(), count.as_ref(), port.as_ref()];
        let addresses = run_script("opensearch", &start).await?;
        let mut supervised = BTreeMap::new();
        for (number, victim) in (1..).zip(Victim::SEARCH_NODES) {
            let (folder, own) = (folder.clone(), folder.join(format!("n{number}/pid")));
            let node = Supervised::observe(read_first_line(&own)?, move || {
                let (folder, own, number) = (folder.clone(), own.clone(), number.to_string());
                async move {
                    let start = ["start-node".as_ref(), folder.as_os_str(), number.as_ref()];
                    run_script("opensearch", &start).await?;
                    read_first_line(&own)
                }
            });
            supervised.insert(victim, node);
        }
        Ok(Self { supervised, addresses, folder })
    }

    /// Stops the nodes, and deletes their data unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        for node in self.supervised.values() {
            node.end_observation().await;
        }
        run_script("opensearch", &["stop".as_ref(), self.folder.as_os_str()]).await?;
        if !keeps_data {
            fs::remove_dir_all(&self.folder)?;
        }
        Ok(())
    }
}

fn read_process(home: &Path) -> Result<u64> {
    read_first_line(&home.join("data/postmaster.pid"))
}

/// The number in the first line of a file.
fn read_first_line(path: &Path) -> Result<u64> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().next().context("the file is empty")?.trim().parse()?)
}

/// A program that the set-up of the project has installed, or that is on the path.
pub(super) fn tool(name: &str) -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.data/tools/bin").join(name);
    if installed.exists() { installed } else { name.into() }
}

/// Runs a script of the project, and returns its output.
async fn run_script(name: &str, arguments: &[&OsStr]) -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(root.join(".make").join(name)).args(arguments).output().await?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
