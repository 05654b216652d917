//! Runs a whole portal under random traffic while its processes are killed at random, and then
//! checks that nothing was lost and nothing was done twice.

mod answers;
pub mod audit;
pub mod chaos;
mod client;
mod digest_time;
mod inbox;
pub mod layout;
pub mod ledger;
mod link;
pub mod mail_items;
mod object_store;
pub mod observed;
mod outages;
pub mod processes;
mod rebuilds;
mod receiver;
mod scripts;
mod search_nodes;
pub mod sink;
mod site;
pub mod sms;
mod stage;
mod table;
mod traffic;
pub mod webhooks;
pub mod words;

use anyhow::{Result, ensure};
use audit::AuditReport;
use chaos::Attack;
use client::{Loss, World};
use inbox::Inbox;
use layout::{Layout, Victim};
use ledger::{Ledger, LedgerContent};
use outages::AttackEffect;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rebuilds::Rebuilds;
use serde::Serialize;
use sms::ReceivedMessages;
use stage::{POLL_INTERVAL, Stage};
use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::time;
use traffic::TrafficPlan;

/// The time limit for the end of all work after the last kill, unless the run was longer. Leases of
/// pages last two minutes, and messages are retried after some minutes. A long run can leave many
/// messages.
const CATCH_UP_LIMIT: Duration = Duration::from_secs(20 * 60);

/// A cluster has a listing again within this time, in seconds.
const LONGEST_OUTAGE_S: f64 = 30.0;

/// The members that a team can have in addition to its owner.
const TEAM_SEATS: usize = 4;

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
    /// The processes of the portal.
    pub layout: Layout,
    /// The only kinds of attacks. If there are none, all kinds occur.
    pub only: Vec<Attack>,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub struct SoakReport {
    /// The seed.
    pub seed: u64,
    /// How long the processes were killed, in seconds.
    pub duration_s: f64,
    /// The processes of the portal.
    pub layout: Layout,
    /// The attacks by victim and kind, and what users noticed.
    pub attacks: BTreeMap<String, AttackEffect>,
    /// The attacks that were left out, because no other search node could have answered alone.
    pub left_out: usize,
    /// The attacks that end a process, per hour.
    pub kills_per_hour: f64,
    /// How often each process was started.
    pub starts: BTreeMap<Victim, u64>,
    /// The rebuilds of the index of a cluster.
    pub rebuilds: Rebuilds,
    /// The responses to requests that change nothing.
    pub reads: u64,
    /// The requests without a response.
    pub lost_responses: usize,
    /// The responses with status 500.
    pub internal_errors: usize,
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
        self.audit.violations.is_empty() && self.unnoticed_defects.is_empty() && self.is_available()
    }

    /// The longest time without a listing, in seconds.
    #[must_use]
    pub fn longest_outage_s(&self) -> f64 {
        self.attacks.values().map(|effect| effect.longest_outage_s).fold(0.0, f64::max)
    }

    /// Whether the listing of a cluster always came back in time. Other layouts depend on the speed of one
    /// machine.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.layout != Layout::Cluster || self.longest_outage_s() <= LONGEST_OUTAGE_S
    }
}

/// Runs the soak.
pub async fn run(plan: &SoakPlan) -> Result<SoakReport> {
    ensure!(!plan.folder.exists(), "{} exists; choose another folder", plan.folder.display());
    ensure!(!plan.layout.attacks(&plan.only).is_empty(), "no process of this layout is attacked like that");
    fs::create_dir_all(&plan.folder)?;
    let mut random = StdRng::seed_from_u64(plan.seed);
    let (sms, messages) = sms::start().await?;
    let stage = Stage::start(plan, sms, &mut random).await?;
    let result = soak(plan, &stage, messages, &mut random).await;
    let is_clean = result.as_ref().is_ok_and(SoakReport::is_clean);
    let stopped = stage.stop(!is_clean).await;
    let report = result?;
    stopped?;
    Ok(report)
}

async fn soak(
    plan: &SoakPlan,
    stage: &Stage,
    sms: ReceivedMessages,
    random: &mut StdRng,
) -> Result<SoakReport> {
    stage.wait_until_ready().await?;
    let (webhooks, calls) = webhooks::start().await?;
    let site = &stage.site;
    let ledger = Ledger::create(&site.ledger())?;
    let world = Arc::new(World::new(site.servers.clone(), ledger, Inbox::new(site.mails()), sms)?);
    let traffic = TrafficPlan { seed: random.random(), webhooks: format!("http://{webhooks}") };
    let stop_attacks = Arc::new(AtomicBool::new(false));
    let own = StdRng::seed_from_u64(random.random());
    let (targets, attacked, stop) = (stage.targets.clone(), site.clone(), Arc::clone(&stop_attacks));
    let began = Instant::now();
    let probing = tokio::spawn(outages::probe(Arc::clone(&world)));
    let choices = plan.layout.attacks(&plan.only);
    let attacking = tokio::spawn(async move { chaos::run(&targets, &attacked, &choices, own, stop).await });
    let rebuilding = {
        let (site, database) = (site.clone(), stage.database.clone());
        let (own, stop) = (StdRng::seed_from_u64(plan.seed), Arc::clone(&stop_attacks));
        tokio::spawn(async move { rebuilds::run(&site, &database, own, stop).await })
    };
    let running = {
        let world = Arc::clone(&world);
        tokio::spawn(async move { traffic::run(&world, &traffic).await })
    };
    while began.elapsed() < plan.duration && !running.is_finished() {
        time::sleep(POLL_INTERVAL).await;
    }
    let duration = began.elapsed();
    stop_attacks.store(true, Ordering::SeqCst);
    let (attacks, left_out) = attacking.await?;
    let quiet = Instant::now();
    stage.wait_until_ready().await?;
    let rebuilds = rebuilding.await??;
    world.stop.store(true, Ordering::SeqCst);
    running.await??;
    let probes = probing.await?;
    let forced_digests = stage.wait_until_idle(plan.duration.max(CATCH_UP_LIMIT)).await?;
    let catch_up = quiet.elapsed();
    let content = LedgerContent::read(&site.ledger())?;
    let mut observed = stage.observe(&world, &content).await?;
    observed.forced_digests = forced_digests;
    observed.attacks = attacks;
    observed.sms = world.sms.lock().unwrap_or_else(PoisonError::into_inner).clone();
    observed.calls = calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let exchanges = world.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let servers = plan.layout.servers();
    let timeline = outages::timeline(&observed.attacks, &probes, &exchanges, servers);
    fs::write(site.folder.join("timeline.txt"), timeline)?;
    let (unnoticed, applied) = audit::tamperings::unnoticed_tamperings(&content, &observed);
    Ok(SoakReport {
        seed: plan.seed,
        layout: plan.layout,
        duration_s: duration.as_secs_f64(),
        attacks: outages::effects(&observed.attacks, &probes, &exchanges, servers),
        left_out,
        kills_per_hour: observed.attacks.iter().filter(|attack| attack.is_kill()).count() as f64
            / duration.as_secs_f64()
            * 3600.0,
        starts: stage.targets.processes.iter().map(|(victim, process)| (*victim, process.starts())).collect(),
        rebuilds,
        reads: world.reads.load(Ordering::Relaxed),
        lost_responses: exchanges.iter().filter(|exchange| exchange.loss.is_some()).count(),
        internal_errors: exchanges
            .iter()
            .filter(|exchange| exchange.loss == Some(Loss::InternalError))
            .count(),
        catch_up_s: catch_up.as_secs_f64(),
        noticed_defects: applied - unnoticed.len(),
        unnoticed_defects: unnoticed.into_iter().map(str::to_owned).collect(),
        audit: audit::audit(&content, &observed),
    })
}
