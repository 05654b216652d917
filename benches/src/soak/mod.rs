//! Runs a whole portal under random traffic while its processes are killed at random, and then
//! checks that nothing was lost and nothing was done twice.

pub mod audit;
pub mod chaos;
mod client;
mod inbox;
pub mod ledger;
pub mod mail_items;
pub mod observed;
pub mod processes;
pub mod sink;
mod table;
mod traffic;
pub mod webhooks;
pub mod words;

use anyhow::{Context, Result, bail, ensure};
use audit::AuditReport;
use chaos::AttackRecord;
use client::{Reply, Request, World};
use inbox::Inbox;
use ledger::{Ledger, LedgerContent};
use observed::Observed;
use processes::{Postgres, Site, Supervised, Victim};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rustix::process::Signal;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{process::Command, time};
use traffic::TrafficPlan;

/// The interval at which progress is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// The time limit for the start of the portal.
const START_LIMIT: Duration = Duration::from_secs(120);
/// The time limit for the end of all work after the last kill, unless the run was longer. Leases of
/// pages last two minutes, and messages are retried after some minutes. A long run can leave many
/// messages.
const CATCH_UP_LIMIT: Duration = Duration::from_secs(20 * 60);

/// The parameters of a run.
#[derive(Debug, Clone)]
pub struct SoakPlan {
    /// The folder of the programs `api` and `ingest`.
    pub programs: PathBuf,
    /// The folder of the run, which must not exist.
    pub folder: PathBuf,
    /// How long the processes are killed.
    pub duration: Duration,
    /// The seed of the random choices.
    pub seed: u64,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub struct SoakReport {
    /// The seed.
    pub seed: u64,
    /// How long the processes were killed, in seconds.
    pub duration_s: f64,
    /// The attacks by victim and kind.
    pub attacks: BTreeMap<String, usize>,
    /// The attacks that end a process, per hour.
    pub kills_per_hour: f64,
    /// How often each process was started.
    pub starts: BTreeMap<Victim, u64>,
    /// The responses to requests that change nothing.
    pub reads: u64,
    /// The requests without a response.
    pub lost_responses: u64,
    /// The responses with status 500.
    pub internal_errors: u64,
    /// From the last kill to the end of all work, in seconds.
    pub catch_up_s: f64,
    /// The simulated defects that the audit has noticed, and those that it has not.
    pub noticed_defects: usize,
    /// The simulated defects that the audit has not noticed.
    pub unnoticed_defects: Vec<String>,
    /// The result of the audit.
    pub audit: AuditReport,
}

impl SoakReport {
    /// Whether the portal has lost and doubled nothing, and the audit would have noticed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.audit.violations.is_empty() && self.unnoticed_defects.is_empty()
    }
}

/// The running portal.
struct Stage {
    site: Site,
    database: String,
    postgres: Postgres,
    processes: BTreeMap<Victim, Arc<Supervised>>,
}

/// Runs the soak.
pub async fn run(plan: &SoakPlan) -> Result<SoakReport> {
    ensure!(!plan.folder.exists(), "{} exists; choose another folder", plan.folder.display());
    fs::create_dir_all(&plan.folder)?;
    let mut random = StdRng::seed_from_u64(plan.seed);
    let stage = Stage::start(plan, &mut random).await?;
    let result = soak(plan, &stage, &mut random).await;
    let is_clean = result.as_ref().is_ok_and(SoakReport::is_clean);
    let stopped = stage.stop(!is_clean).await;
    let report = result?;
    stopped?;
    Ok(report)
}

async fn soak(plan: &SoakPlan, stage: &Stage, random: &mut StdRng) -> Result<SoakReport> {
    stage.wait_until_ready().await?;
    let (webhooks, calls) = webhooks::start().await?;
    let site = &stage.site;
    let ledger = Ledger::create(&site.ledger())?;
    let world = Arc::new(World::new(site.portal, ledger, Inbox::new(site.mails()))?);
    let traffic = TrafficPlan { seed: random.random(), webhooks: format!("http://{webhooks}") };
    let stop_attacks = Arc::new(AtomicBool::new(false));
    let own = StdRng::seed_from_u64(random.random());
    let (processes, trap, stop) = (stage.processes.clone(), site.trap(), Arc::clone(&stop_attacks));
    let began = Instant::now();
    let attacking = tokio::spawn(async move { chaos::run(&processes, &trap, own, stop).await });
    let running = {
        let world = Arc::clone(&world);
        tokio::spawn(async move { traffic::run(&world, &traffic).await })
    };
    while began.elapsed() < plan.duration && !running.is_finished() {
        time::sleep(POLL_INTERVAL).await;
    }
    let duration = began.elapsed();
    stop_attacks.store(true, Ordering::SeqCst);
    let attacks = attacking.await?;
    let quiet = Instant::now();
    stage.wait_until_ready().await?;
    world.stop.store(true, Ordering::SeqCst);
    running.await??;
    stage.wait_until_idle(plan.duration.max(CATCH_UP_LIMIT)).await?;
    let catch_up = quiet.elapsed();
    let content = LedgerContent::read(&site.ledger())?;
    let mut observed = stage.observe(&world).await?;
    try_passwords(&world, &content, &mut observed).await?;
    try_sessions(&world, &mut observed).await?;
    observed.attacks = attacks;
    observed.calls = calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let (unnoticed, applied) = audit::tamperings::unnoticed_tamperings(&content, &observed);
    Ok(SoakReport {
        seed: plan.seed,
        duration_s: duration.as_secs_f64(),
        attacks: count_attacks(&observed.attacks),
        kills_per_hour: observed.attacks.iter().filter(|attack| attack.is_kill()).count() as f64
            / duration.as_secs_f64()
            * 3600.0,
        starts: stage.processes.iter().map(|(victim, process)| (*victim, process.starts())).collect(),
        reads: world.reads.load(Ordering::Relaxed),
        lost_responses: world.lost_responses.load(Ordering::Relaxed),
        internal_errors: world.internal_errors.load(Ordering::Relaxed),
        catch_up_s: catch_up.as_secs_f64(),
        noticed_defects: applied - unnoticed.len(),
        unnoticed_defects: unnoticed.into_iter().map(str::to_owned).collect(),
        audit: audit::audit(&content, &observed),
    })
}

fn count_attacks(attacks: &[AttackRecord]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for AttackRecord { victim, attack, .. } in attacks {
        *counts.entry(format!("{victim}: {attack}")).or_default() += 1;
    }
    counts
}

impl Stage {
    async fn start(plan: &SoakPlan, random: &mut StdRng) -> Result<Self> {
        let folder = fs::canonicalize(&plan.folder)?;
        let postgres = Postgres::start(&folder).await?;
        let site = Site {
            folder,
            programs: fs::canonicalize(&plan.programs).context("the folder of the programs")?,
            own: std::env::current_exe()?,
            portal: processes::free_port(random)?,
            mail: processes::free_port(random)?,
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
    async fn wait_until_ready(&self) -> Result<()> {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?;
        let url = format!("http://{}/readyz", self.site.portal);
        let began = Instant::now();
        while !http.get(&url).send().await.is_ok_and(|response| response.status().is_success()) {
            ensure!(began.elapsed() < START_LIMIT, "the portal does not become ready; see its log");
            time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until the portal has nothing left to do.
    async fn wait_until_idle(&self, limit: Duration) -> Result<()> {
        let began = Instant::now();
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
                Ok(open) if open.values().all(|count| *count == 0) => return Ok(()),
                left if began.elapsed() > limit => bail!("the portal does not finish: {left:?}"),
                _ => time::sleep(POLL_INTERVAL).await,
            }
        }
    }

    /// Reads what the run has left behind.
    async fn observe(&self, world: &Arc<World>) -> Result<Observed> {
        let (site, database) = (self.site.clone(), self.database.clone());
        let mut observed = tokio::task::spawn_blocking(move || Observed::read(&site, &database)).await??;
        let form = json!({"email": "enterprise@demo.test", "password": "demo-portal"});
        let reply = read(world, &Request::post("/api/auth/login", form), None).await?;
        let token = client::text_at(&reply.json(), "/data/token")?;
        for marker in observed.tender_markers() {
            let request = Request::get(format!("/api/tenders?search={marker}"));
            let list = read(world, &request, None).await?.json();
            let tenders = list["data"]["tenders"].as_array().cloned().unwrap_or_default();
            let is_it = |tender: &&serde_json::Value| {
                tender["title"].as_str().is_some_and(|title| title.starts_with(&marker))
            };
            let found: Vec<_> = tenders.iter().filter(is_it).collect();
            observed.found.insert(marker.clone(), found.len());
            let Some(id) = found.first().and_then(|tender| tender["_id"].as_str()) else { continue };
            download_documents(world, &token, id, &mut observed.downloads).await?;
        }
        let check = self.run_check().await?;
        observed.check_problems = check;
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
    async fn stop(&self, keeps_data: bool) -> Result<()> {
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

/// Downloads the documents of a tender, and records their hashes.
async fn download_documents(
    world: &Arc<World>,
    token: &str,
    tender: &str,
    downloads: &mut BTreeMap<String, String>,
) -> Result<()> {
    let details = read(world, &Request::get(format!("/api/tenders/{tender}")), Some(token)).await?.json();
    let documents = details["data"]["tender"]["documents"].as_array().cloned().unwrap_or_default();
    for document in documents {
        let id = client::text_at(&document, "/_id")?;
        let address = Request::get(format!("/api/tenders/{tender}/documents/{id}"));
        let address = read(world, &address, Some(token)).await?.json();
        let url = client::text_at(&address, "/data/url")?;
        let path = url.find("/api/").map_or(url.as_str(), |place| &url[place..]);
        let file = read(world, &Request::get(path), None).await?;
        let hash = hex::encode(Sha256::digest(file.bytes()));
        // A file with other bytes has another hash, and is then missing under its own one.
        downloads.insert(hash.clone(), hash);
    }
    Ok(())
}

/// Tries which of the passwords that a user has had open the account.
async fn try_passwords(world: &Arc<World>, ledger: &LedgerContent, observed: &mut Observed) -> Result<()> {
    for write in &ledger.writes {
        let Some(email) = write.key.strip_prefix("password/") else { continue };
        let form = json!({"email": email, "password": write.value});
        let reply = read(world, &Request::post("/api/auth/login", form), None).await?;
        if let (200, Some(password)) = (reply.status(), &write.value) {
            observed.records.entry(write.key.clone()).or_default().push(password.clone());
        }
    }
    Ok(())
}

/// Tries which sessions are still open.
async fn try_sessions(world: &Arc<World>, observed: &mut Observed) -> Result<()> {
    let sessions = world.sessions.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (key, token) in sessions {
        let request = Request::post("/api/auth/refresh", json!({"refreshToken": token}));
        if read(world, &request, None).await?.status() == 200 {
            observed.records.insert(key, vec![json!(true)]);
        }
    }
    Ok(())
}

async fn read(world: &Arc<World>, request: &Request, token: Option<&str>) -> Result<Reply> {
    world.read(request, token).await.with_context(|| format!("no response to {request:?}"))
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
