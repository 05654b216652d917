//! A process that runs the jobs of the portal.

use super::{TakeoverPlan, WorkerMeasurement, rounded};
use crate::{
    mails::{
        portal::{portal_command, responds_ok},
        wait_until,
    },
    measure,
};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value;
use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Instant,
};

/// A time in seconds that is longer than any run. No message is sealed.
const LONGER_THAN_RUN: &str = "86400";

/// A running worker. It is killed when dropped.
pub(super) struct Worker {
    child: Child,
    log: PathBuf,
    ready_s: f64,
}

/// The load of a shard.
#[derive(Debug, Serialize)]
pub(super) struct Load {
    alerts: u64,
    ms: u64,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub(super) fn start(plan: &TakeoverPlan, database: &str, folder: &Path, smtp: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let log = folder.join("log");
        let started = Instant::now();
        let child = portal_command(&plan.api)
            .args(["work", "--metrics-listen", &address, "--public-url", "https://portal.example"])
            .args(["--matcher-shards", &plan.shards.to_string(), "--log-json"])
            .args(["--collect-quiet-seconds", LONGER_THAN_RUN, "--collect-limit-seconds", LONGER_THAN_RUN])
            .env("DATABASE_URL", database)
            .env("DATA", folder)
            .env("SMTP_URL", smtp)
            .env("CANARY_MINUTES", "0")
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .spawn()
            .with_context(|| format!("{} can't be run", plan.api.display()))?;
        let mut worker = Self { child, log, ready_s: 0.0 };
        wait_until("a worker to start", plan.timeout, || {
            if let Some(status) = worker.child.try_wait()? {
                bail!("a worker ended with {status}: {}", fs::read_to_string(&worker.log)?);
            }
            Ok(responds_ok(&address, "/readyz"))
        })?;
        worker.ready_s = started.elapsed().as_secs_f64();
        Ok(worker)
    }

    /// The loads that the worker has logged.
    pub(super) fn loads(&self) -> Result<Vec<Load>> {
        let log = fs::read_to_string(&self.log)?;
        let lines = log.lines().filter(|line| line.contains("loaded the stored alerts"));
        let load = |line: &str| {
            let line: Value = serde_json::from_str(line)?;
            let number = |name: &str| {
                line[name]
                    .as_u64()
                    .or(line["fields"][name].as_u64())
                    .context("the log has no number of a load")
            };
            Ok(Load { alerts: number("alerts")?, ms: number("duration_ms")? })
        };
        lines.map(load).collect()
    }

    pub(super) fn measure(&self) -> Result<WorkerMeasurement> {
        let process = self.child.id().to_string();
        Ok(WorkerMeasurement {
            loads: self.loads()?,
            ready_s: rounded(self.ready_s),
            rss_mb: rounded(measure::resident(&process)?),
            peak_mb: rounded(measure::peak_resident(&process)?),
        })
    }

    /// Sends SIGKILL.
    pub(super) fn kill(self) {
        drop(self);
    }
}
