//! Rebuilds of the index of a cluster while the portal runs, as an operator makes them.

use super::{layout::Layout, search_nodes::SEARCH_REPLICAS, site::Site};
use anyhow::{Context, Result, ensure};
use rand::{Rng, rngs::StdRng};
use serde::Serialize;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{process::Command, time};

/// The time between two rebuilds.
const INTERVAL: Duration = Duration::from_secs(15);
/// A rebuild during which a store stops ends with an error, or waits as long as that store does.
const LIMIT: Duration = Duration::from_secs(120);
/// The share of rebuilds that are killed, and how long they run, in milliseconds.
const KILLED_SHARE: f64 = 0.25;
const KILLED_AFTER: std::ops::Range<u64> = 50..3_000;

/// How the rebuilds of the index ended.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Rebuilds {
    /// Those that replaced the index.
    pub completed: usize,
    /// Those that ended with an error, because a store was attacked.
    pub failed: usize,
    /// Those that were killed.
    pub killed: usize,
}

/// Rebuilds the index of a cluster until `stop` is set, and then once more, which must succeed.
pub(super) async fn run(
    site: &Site,
    database: &str,
    mut random: StdRng,
    stop: Arc<AtomicBool>,
) -> Result<Rebuilds> {
    let mut rebuilds = Rebuilds::default();
    if site.layout != Layout::Cluster {
        return Ok(rebuilds);
    }
    let mut next = time::Instant::now() + INTERVAL;
    while !stop.load(Ordering::SeqCst) {
        time::sleep(super::POLL_INTERVAL).await;
        if time::Instant::now() < next {
            continue;
        }
        let limit = match random.random_bool(KILLED_SHARE) {
            true => Duration::from_millis(random.random_range(KILLED_AFTER)),
            false => LIMIT,
        };
        // A process that is dropped is killed.
        match time::timeout(limit, reindex(site, database)?.status()).await {
            Ok(status) => {
                *if status?.success() { &mut rebuilds.completed } else { &mut rebuilds.failed } += 1;
            }
            Err(_) => rebuilds.killed += 1,
        }
        next = time::Instant::now() + INTERVAL;
    }
    let status = time::timeout(LIMIT, reindex(site, database)?.status()).await;
    ensure!(status.context("the last rebuild of the index does not end")??.success(), "see rebuilds.log");
    rebuilds.completed += 1;
    Ok(rebuilds)
}

/// The command that rebuilds the index.
fn reindex(site: &Site, database: &str) -> Result<Command> {
    let mut command = site.program("api");
    command.arg("reindex").env("DATABASE_URL", database).env("DATA", site.data()).kill_on_drop(true);
    command.envs(site.search_nodes.as_ref().map(|nodes| ("SEARCH_NODES", nodes.as_str())));
    command.env("SEARCH_REPLICAS", SEARCH_REPLICAS);
    command.stderr(site.log("rebuilds")?);
    Ok(command)
}
