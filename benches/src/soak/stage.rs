//! The portal of a run: its processes and its data.

use super::{
    SoakPlan, answers,
    chaos::Targets,
    client::World,
    layout::{Layout, Victim},
    ledger::{LedgerContent, Micros},
    link::{Destination, Link},
    object_store::ObjectStore,
    observed::{self, DIGESTS, Observed},
    processes,
    scripts::{Postgres, SearchNodes},
    site::{Site, free_port},
};
use anyhow::{Context, Result, bail, ensure};
use index::SearchEngine;
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use rand::rngs::StdRng;
use rustix::process::Signal;
use std::{
    collections::BTreeMap,
    fs,
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{process::Command, time};

/// The interval at which progress is polled.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// The time limit for the start of the portal.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The running portal.
pub(super) struct Stage {
    pub(super) site: Site,
    pub(super) database: String,
    postgres: Postgres,
    search: Option<SearchNodes>,
    files: Option<ObjectStore>,
    pub(super) targets: Targets,
}

impl Stage {
    /// Starts the portal, which sends SMS to the receiver at the address `sms`.
    pub(super) async fn start(plan: &SoakPlan, sms: SocketAddr, random: &mut StdRng) -> Result<Self> {
        let folder = fs::canonicalize(&plan.folder)?;
        let postgres = Postgres::start(&folder).await?;
        let search = match plan.layout {
            Layout::Cluster => Some(SearchNodes::start(&folder, free_port(random)?.port()).await?),
            Layout::One | Layout::Several => None,
        };
        let mut ports =
            |victims: &[Victim]| victims.iter().map(|_| free_port(random)).collect::<Result<Vec<_>>>();
        let (servers, probes) = (ports(plan.layout.servers())?, ports(plan.layout.job_processes())?);
        let files = match plan.layout {
            Layout::Cluster => Some(ObjectStore::start(&folder, free_port(random)?).await?),
            Layout::One | Layout::Several => None,
        };
        let database = format!("{}/soak", postgres.url);
        let (links, databases) = link_databases(plan.layout, &postgres, &database).await?;
        let site = Site {
            folder,
            layout: plan.layout,
            servers,
            probes,
            search_nodes: search.as_ref().map(|search| search.addresses.clone()),
            databases,
            files: files.as_ref().map(ObjectStore::variables).unwrap_or_default(),
            programs: fs::canonicalize(&plan.programs).context("the folder of the programs")?,
            own: std::env::current_exe()?,
            mail: free_port(random)?,
            sms,
        };
        let admin = format!("{}/postgres", postgres.url);
        tokio::task::spawn_blocking(move || {
            let mut client = postgres::Client::connect(&admin, postgres::NoTls)?;
            client.batch_execute("create database soak")
        })
        .await??;
        run_portal(&site, &database, &["migrate"]).await?;
        let token = run_portal(&site, &database, &["admin", "token", "create", "soak"]).await?;
        fs::write(site.token(), token.trim())?;
        fs::create_dir(site.web())?;
        fs::write(site.web().join("index.html"), "")?;
        let mail = processes::start_mail_server(&site);
        let servers = (0..site.servers.len()).filter_map(|n| processes::start_server(&site, n));
        let jobs = (0..site.probes.len()).filter_map(|n| processes::start_jobs(&site, n));
        let mut targets = Targets { processes: servers.chain(jobs).collect(), links };
        targets.processes.insert(Victim::Postgres, Arc::clone(&postgres.supervised));
        targets.processes.insert(Victim::MailServer, mail);
        targets.processes.insert(Victim::Worker, processes::start_worker(&site));
        targets.processes.extend(search.iter().flat_map(|search| search.supervised.clone()));
        if let Some(files) = &files {
            targets.processes.insert(Victim::ObjectStore, Arc::clone(&files.supervised));
            targets.links.insert(Victim::ObjectStore, Arc::clone(&files.link));
        }
        Ok(Self { site, database, postgres, search, files, targets })
    }

    /// Waits until all processes of the portal are ready.
    pub(super) async fn wait_until_ready(&self) -> Result<()> {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?;
        let began = Instant::now();
        for address in self.site.servers.iter().chain(&self.site.probes) {
            let url = format!("http://{address}/readyz");
            while !http.get(&url).send().await.is_ok_and(|response| response.status().is_success()) {
                ensure!(began.elapsed() < START_LIMIT, "{url} does not become ready; see the logs");
                time::sleep(POLL_INTERVAL).await;
            }
        }
        Ok(())
    }

    /// Waits until the portal has nothing left to do. Daily mails that are still collected at the end are
    /// made due, and the moments at which this happened are returned.
    pub(super) async fn wait_until_idle(&self, limit: Duration) -> Result<Vec<Micros>> {
        let began = Instant::now();
        let mut forced_digests = Vec::new();
        loop {
            let (database, site) = (self.database.clone(), self.site.clone());
            let open = tokio::task::spawn_blocking(move || {
                let mut open = observed::open_work(&database)?;
                let behind = observed::log_head(&database)? - index_position(&site)?;
                open.insert("changes for the index", behind);
                anyhow::Ok(open)
            })
            .await?;
            match open {
                Ok(open) if open.values().all(|count| *count == 0) => return Ok(forced_digests),
                left if began.elapsed() > limit => bail!("the portal does not finish: {left:?}"),
                Ok(open) if open.iter().all(|(work, count)| *work == DIGESTS || *count == 0) => {
                    let database = self.database.clone();
                    let forcing = tokio::task::spawn_blocking(move || observed::make_digests_due(&database));
                    forced_digests.extend(forcing.await??);
                }
                _ => {}
            }
            time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Reads what the run has left behind.
    pub(super) async fn observe(&self, world: &Arc<World>, ledger: &LedgerContent) -> Result<Observed> {
        let (site, database) = (self.site.clone(), self.database.clone());
        let mut observed = tokio::task::spawn_blocking(move || Observed::read(&site, &database)).await??;
        answers::search_tenders(world, &mut observed).await?;
        observed.check_problems = self.run_check().await?;
        answers::try_passwords(world, ledger, &mut observed).await?;
        answers::try_sessions(world, &mut observed).await?;
        Ok(observed)
    }

    /// Runs `api check` for each index. Returns the output if it finds problems.
    async fn run_check(&self) -> Result<Option<String>> {
        let mut output = String::new();
        let mut is_clean = true;
        let indexes = match self.site.search_nodes {
            Some(_) => 1,
            None => self.site.servers.len() + self.site.probes.len(),
        };
        for number in 0..indexes {
            let mut command = Command::new(self.site.programs.join("api"));
            command
                .arg("check")
                .env("DATABASE_URL", &self.database)
                .env("DATA", self.site.data())
                .envs(self.site.files.clone());
            command.env("INDEX", self.site.index(number));
            if let Some(nodes) = &self.site.search_nodes {
                command.env("SEARCH_NODES", nodes);
            }
            let checked = command.output().await?;
            is_clean &= checked.status.success();
            output += &String::from_utf8_lossy(&[checked.stdout, checked.stderr].concat());
        }
        fs::write(self.site.folder.join("check.log"), &output)?;
        Ok((!is_clean).then_some(output))
    }

    /// Stops all processes. Deletes the data of the portal and of Postgres unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        self.targets.processes[&Victim::Worker].stop(Signal::TERM).await;
        for victim in self.site.layout.servers().iter().chain(self.site.layout.job_processes()) {
            self.targets.processes[victim].stop(Signal::TERM).await;
        }
        self.targets.processes[&Victim::MailServer].stop(Signal::KILL).await;
        if let Some(files) = &self.files {
            files.stop(keeps_data).await?;
        }
        if let Some(search) = &self.search {
            search.stop(keeps_data).await?;
        }
        self.postgres.stop(keeps_data).await?;
        if !keeps_data {
            fs::remove_dir_all(self.site.data())?;
        }
        Ok(())
    }
}

/// The network between Postgres and each process of the portal, and the address of the database that the
/// process uses. A portal of one process has no network.
async fn link_databases(
    layout: Layout,
    postgres: &Postgres,
    database: &str,
) -> Result<(BTreeMap<Victim, Arc<Link>>, BTreeMap<Victim, String>)> {
    let (mut links, mut databases) = (BTreeMap::new(), BTreeMap::new());
    for victim in layout.servers().iter().chain(layout.job_processes()) {
        let mut address = database.to_owned();
        if layout != Layout::One {
            let link = Link::start(Destination::Unix(postgres.socket()?)).await?;
            address = format!("postgres://postgres@{}/soak?sslmode=disable", link.address);
            links.insert(*victim, link);
        }
        databases.insert(*victim, address);
    }
    Ok((links, databases))
}

/// Runs a command of the portal and returns its output.
async fn run_portal(site: &Site, database: &str, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(site.programs.join("api"));
    let output = command.args(arguments).env("DATABASE_URL", database).output().await?;
    if !output.status.success() {
        bail!("api {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the log position of the index that is furthest behind.
fn index_position(site: &Site) -> Result<i64> {
    if let Some(nodes) = &site.search_nodes {
        return cluster_position(nodes);
    }
    let positions =
        (0..site.servers.len() + site.probes.len()).map(|number| folder_position(&site.index(number)));
    Ok(positions.collect::<Result<Vec<i64>>>()?.into_iter().min().unwrap_or_default())
}

/// Returns the log position of an index in the cluster.
fn cluster_position(nodes: &str) -> Result<i64> {
    let engine = OpenSearchEngine::new(ClusterConfig {
        nodes: nodes.split(',').map(str::to_owned).collect(),
        index: "tenders".to_owned(),
        credentials: None,
        certificates: None,
        shards: 1,
        replicas: 1,
        search_timeout: Duration::from_secs(5),
        write_timeout: Duration::from_secs(5),
    })?;
    engine.refresh()?;
    Ok(engine.position().context("the cluster has no index")?.position)
}

/// Returns the log position of the last commit of an index in a folder.
fn folder_position(index: &Path) -> Result<i64> {
    let current = fs::read_to_string(index.join("CURRENT")).context("there is no index")?;
    let metas = fs::read_to_string(index.join(current.trim()).join("meta.json"))?;
    let metas: serde_json::Value = serde_json::from_str(&metas)?;
    let payload: serde_json::Value = serde_json::from_str(metas["payload"].as_str().unwrap_or("{}"))?;
    Ok(payload["position"].as_i64().unwrap_or_default())
}
