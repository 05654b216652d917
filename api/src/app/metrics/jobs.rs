//! Metrics of the supervised jobs.

use super::families::{Counters, registered};
use prometheus_client::{
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};
use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A job that failed counts as down until it has run for this long. A job that fails at each start
/// would otherwise look as if it worked.
const RECOVERY: Duration = Duration::from_secs(10);

/// The jobs of this process.
pub struct JobTable {
    restarts: Counters<1>,
    jobs: Mutex<BTreeMap<&'static str, Arc<JobMetrics>>>,
}

impl JobTable {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let restarts =
            registered(registry, "job_restarts", "Restarts of a job after a failure", Family::default());
        Self { restarts, jobs: Mutex::default() }
    }

    /// Returns the metrics of a job.
    #[must_use]
    pub fn of(&self, name: &'static str) -> Arc<JobMetrics> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let restarts = || self.restarts.get_or_create_owned(&[("job_name", name)]);
        let job = jobs
            .entry(name)
            .or_insert_with(|| Arc::new(JobMetrics { name, restarts: restarts(), state: Mutex::default() }));
        job.clone()
    }

    /// The states of all jobs.
    #[must_use]
    pub fn states(&self) -> Vec<JobState> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.values().map(|job| job.state(Instant::now())).collect()
    }
}

/// The metrics of one job.
pub struct JobMetrics {
    name: &'static str,
    restarts: Counter,
    state: Mutex<JobRun>,
}

#[derive(Default)]
struct JobRun {
    /// Since when the job runs. `None`: it does not run.
    since: Option<Instant>,
    has_failed: bool,
    last_activity: Option<Instant>,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobState {
    /// The name of the job.
    pub name: &'static str,
    /// Whether the job runs, and has not failed in the last seconds.
    pub is_up: bool,
    /// How long the job has waited for its next step. `None`: it has never run.
    pub idle: Option<Duration>,
}

impl JobMetrics {
    /// The name of the job.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Runs the job, and records when it does something: whenever the runtime polls it.
    pub async fn watch<E>(&self, job: impl Future<Output = Result<(), E>>) -> Result<(), E> {
        self.run().since = Some(Instant::now());
        let mut job = pin!(job);
        let done = poll_fn(|context| {
            self.run().last_activity = Some(Instant::now());
            job.as_mut().poll(context)
        })
        .await;
        let mut run = self.run();
        run.since = None;
        run.has_failed |= done.is_err();
        drop(run);
        if done.is_err() {
            self.restarts.inc();
        }
        done
    }

    fn run(&self) -> MutexGuard<'_, JobRun> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self, now: Instant) -> JobState {
        let run = self.run();
        let is_stable = |since: Instant| !run.has_failed || now.duration_since(since) >= RECOVERY;
        JobState {
            name: self.name,
            is_up: run.since.is_some_and(is_stable),
            idle: run.last_activity.map(|last| now.duration_since(last)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> JobTable {
        JobTable::new(&mut Registry::default())
    }

    #[tokio::test]
    async fn job_that_failed_is_down_until_it_has_run_for_a_while() {
        let table = table();
        let job = table.of("send");
        let up = |job: &JobMetrics, after: Duration| job.state(Instant::now() + after).is_up;
        assert!(!up(&job, Duration::ZERO), "it has not started");
        let _: Result<(), ()> = job.watch(async { Err(()) }).await;
        assert_eq!((up(&job, RECOVERY), job.restarts.get()), (false, 1));
        let again = job.watch(async {
            assert!(!up(&job, Duration::ZERO), "it has only just restarted");
            assert!(up(&job, RECOVERY));
            Ok::<(), ()>(())
        });
        again.await.unwrap();
        assert!(!up(&job, RECOVERY), "it has ended");
    }

    #[tokio::test]
    async fn job_is_idle_while_it_waits() {
        let table = table();
        let job = table.of("send");
        assert_eq!(job.state(Instant::now()).idle, None);
        job.watch(async { Ok::<(), ()>(()) }).await.unwrap();
        let idle = job.state(Instant::now() + Duration::from_secs(60)).idle.unwrap();
        assert!(idle >= Duration::from_secs(60), "{idle:?}");
        assert_eq!(table.states().len(), 1);
    }
}
