//! Workers match many alerts, each a part of them: how long they load, how much memory they need, how
//! fast they match, and how long it takes until another worker matches after a kill.

mod worker;

use crate::{
    mails::{portal, smtp::MailServer, store::Store, wait_until},
    server::Server,
    workload::{Workload, uuid_of},
};
use anyhow::{Context, Result, ensure};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::json;
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};
use tender_model::vocabulary::{Moment, TenderStatus};
use uuid::Uuid;
use worker::Worker;

/// The alerts that one statement stores.
const ALERTS_PER_STATEMENT: usize = 20_000;
/// After the alerts, the numbers of tenders begin here.
const FIRST_TENDER: usize = 1 << 40;

/// What to run.
#[derive(Debug, Clone)]
pub struct TakeoverPlan {
    /// The portal's executable, a release build.
    pub api: PathBuf,
    /// The number of users, who own the alerts in turn.
    pub users: usize,
    /// The number of shards of the alerts.
    pub shards: u16,
    /// The number of workers. The first one is killed.
    pub workers: usize,
    /// The number of tenders that are matched before the kill. One more is matched after it.
    pub tenders: usize,
    /// The timeout of each wait.
    pub timeout: Duration,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct TakeoverMeasurement {
    alerts: usize,
    shards: u16,
    /// The workers when all were ready.
    workers: Vec<WorkerMeasurement>,
    /// The number of matches before the kill.
    matches: i64,
    /// The time from the publication of all tenders until they were matched and the matches stored, divided
    /// by their number.
    matched_ms_per_tender: f64,
    /// The time from the kill of the first worker until a tender was matched with all alerts that was
    /// published right after the kill.
    takeover_s: f64,
}

#[derive(Debug, Serialize)]
struct WorkerMeasurement {
    /// For each load, the number of alerts and the time from the query to the last alert in memory.
    loads: Vec<worker::Load>,
    /// The time from the start of the process until it was ready.
    ready_s: f64,
    /// The resident memory without alerts, when all alerts were loaded, and its peak, in MB.
    rss_mb: f64,
    peak_mb: f64,
}

/// Runs the measurement.
pub fn run(plan: &TakeoverPlan, workload: &Workload, server: &Server) -> Result<TakeoverMeasurement> {
    ensure!(plan.workers > 1, "there is no worker that could take over");
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start()?;
    let mut store = Store::create(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    store.fill_users(plan.users)?;
    let mut alerts = 0;
    let mut batch = Vec::with_capacity(ALERTS_PER_STATEMENT);
    for alert in workload.alerts()? {
        batch.push((uuid_of(alerts), alert?));
        alerts += 1;
        if batch.len() == ALERTS_PER_STATEMENT {
            store.fill_alerts(plan.users, &batch)?;
            batch.clear();
        }
    }
    if !batch.is_empty() {
        store.fill_alerts(plan.users, &batch)?;
    }
    store.mark_matched()?;
    store.analyze()?;

    let mut workers = Vec::new();
    for nth in 0..plan.workers {
        let folder = folder.path().join(nth.to_string());
        workers.push(Worker::start(plan, store.url(), &folder, mail.url())?);
    }
    wait_until("the shards to be held", plan.timeout, || store.is_matched())?;
    wait_until("the last loads", plan.timeout, || {
        let loaded: usize = workers.iter().map(|worker| Ok(worker.loads()?.len())).sum::<Result<usize>>()?;
        Ok(loaded >= plan.workers.max(plan.shards.into()))
    })?;
    let measured = workers.iter().map(Worker::measure).collect::<Result<Vec<_>>>()?;

    let published = Instant::now();
    publish(&mut store, workload, 0..plan.tenders)?;
    wait_until("the matcher", plan.timeout, || store.is_matched())?;
    let matched = published.elapsed();
    let matches = store.count_matches()?;
    workers.remove(0).kill();
    let killed = Instant::now();
    publish(&mut store, workload, plan.tenders..plan.tenders + 1)?;
    wait_until("another worker", plan.timeout, || store.is_matched())?;
    Ok(TakeoverMeasurement {
        alerts,
        shards: plan.shards,
        workers: measured,
        matches,
        matched_ms_per_tender: rounded(matched.as_secs_f64() * 1e3 / plan.tenders.max(1) as f64),
        takeover_s: rounded(killed.elapsed().as_secs_f64()),
    })
}

/// Stores tenders of the workload as published now.
fn publish(store: &mut Store, workload: &Workload, numbers: std::ops::Range<usize>) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = Timestamp::now();
    let closing = Moment::new(now + SignedDuration::from_hours(24 * 30));
    let records = numbers.map(|number| {
        let tender = workload.tenders.get(number % workload.tenders.len()).context("there is no tender")?;
        let mut tender = tender.clone();
        tender.id = tender_id(number);
        tender.status = TenderStatus::Published;
        tender.published_at = Some(Moment::new(now));
        tender.dates.closing = Some(closing);
        Ok(json!(tender).to_string())
    });
    store.fill_tenders(&records.collect::<Result<Vec<_>>>()?)
}

fn tender_id(number: usize) -> Uuid {
    uuid_of(FIRST_TENDER + number)
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
