//! The portal of a run: its processes and its data.

use super::{
    SoakPlan, answers,
    client::World,
    ledger::{LedgerContent, Micros},
    observed::{self, DIGESTS, Observed},
    processes::{self, Postgres, Site, Supervised, Victim},
};
use anyhow::{Context, Result, bail, ensure};
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
    database: String,
    postgres: Postgres,
    pub(super) processes: BTreeMap<Victim, Arc<Supervised>>,
}

impl Stage {
    /// Starts the portal, which sends SMS to the receiver at the address `sms`.
    pub(super) async fn start(plan: &SoakPlan, sms: SocketAddr, random: &mut StdRng) -> Result<Self> {
        let folder = fs::canonicalize(&plan.folder)?;
        let postgres = Postgres::start(&folder).await?;
        let site = Site {
            folder,
            programs: fs::canonicalize(&plan.programs).context("the folder of the programs")?,
            own: std::env::current_exe()?,
            portal: processes::free_port(random)?,
            mail: processes::free_port(random)?,
            sms,
        };
        let (admin, database) = (format!("{}/postgres", postgres.url), format!("{}/soak", postgres.url));
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
        let api = processes::start_api(&site, &database);
        let worker = processes::start_worker(&site);
        let processes = BTreeMap::from([
            (Victim::Postgres, Arc::clone(&postgres.supervised)),
            (Victim::MailServer, mail),
            (Victim::Api, api),
            (Victim::Worker, worker),
        ]);
        Ok(Self { site, database, postgres, processes })
    }

    /// Waits until the server is ready.
    pub(super) async fn wait_until_ready(&self) -> Result<()> {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?;
        let url = format!("http://{}/readyz", self.site.portal);
        let began = Instant::now();
        while !http.get(&url).send().await.is_ok_and(|response| response.status().is_success()) {
            ensure!(began.elapsed() < START_LIMIT, "the portal does not become ready; see its log");
            time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until the portal has nothing left to do. Daily mails that are still collected at the end are
    /// made due, and the moments at which this happened are returned.
    pub(super) async fn wait_until_idle(&self, limit: Duration) -> Result<Vec<Micros>> {
        let began = Instant::now();
        let mut forced_digests = Vec::new();
        loop {
            let (database, data) = (self.database.clone(), self.site.data());
            let open = tokio::task::spawn_blocking(move || {
                let mut open = observed::open_work(&database)?;
                let behind = observed::log_head(&database)? - index_position(&data)?;
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

    /// Runs `api check`. Returns its output if it finds problems.
    async fn run_check(&self) -> Result<Option<String>> {
        let mut command = Command::new(self.site.programs.join("api"));
        let command = command.arg("check").env("DATABASE_URL", &self.database).env("DATA", self.site.data());
        let output = command.output().await?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        fs::write(self.site.folder.join("check.log"), &text)?;
        Ok((!output.status.success()).then_some(text))
    }

    /// Stops all processes. Deletes the data of the portal and of Postgres unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        for victim in [Victim::Worker, Victim::Api] {
            self.processes[&victim].stop(Signal::TERM).await;
        }
        self.processes[&Victim::MailServer].stop(Signal::KILL).await;
        self.postgres.stop(keeps_data).await?;
        if !keeps_data {
            fs::remove_dir_all(self.site.data())?;
        }
        Ok(())
    }
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

/// Returns the log position of the index's last commit.
fn index_position(data: &Path) -> Result<i64> {
    let index = data.join("index");
    let current = fs::read_to_string(index.join("CURRENT")).context("there is no index")?;
    let metas = fs::read_to_string(index.join(current.trim()).join("meta.json"))?;
    let metas: serde_json::Value = serde_json::from_str(&metas)?;
    let payload: serde_json::Value = serde_json::from_str(metas["payload"].as_str().unwrap_or("{}"))?;
    Ok(payload["position"].as_i64().unwrap_or_default())
}
