//! Limits processes to a share of a core. They run in turn and are paused in between, because this works
//! without the rights that control groups need.

use anyhow::{Context, Result};
use rustix::{
    process::{Pid, Signal, kill_process},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The time in which each process runs once.
const PERIOD: Duration = Duration::from_millis(50);

/// Processes with a share of a core each. When dropped, they run without a limit.
pub(super) struct CpuShare {
    is_over: Arc<AtomicBool>,
    turns: Option<JoinHandle<()>>,
}

impl Drop for CpuShare {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(turns) = self.turns.take() {
            turns.join().ok();
        }
    }
}

impl CpuShare {
    /// Limits processes, each of which runs on one core only. Their shares must not exceed 1 together.
    pub(super) fn limit(processes: &[u32], share: f64) -> Result<Self> {
        let processes = processes
            .iter()
            .map(|id| i32::try_from(*id).ok().and_then(Pid::from_raw).context("a process has no usable id"));
        let processes = processes.collect::<Result<Vec<Pid>>>()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let turns = thread::spawn(move || {
            // A process that has ended cannot be reached.
            let signal = |process: Pid, signal| {
                kill_process(process, signal).ok();
            };
            processes.iter().for_each(|process| signal(*process, Signal::STOP));
            while !over.load(Ordering::Relaxed) {
                let begin = Instant::now();
                for process in &processes {
                    signal(*process, Signal::CONT);
                    thread::sleep(PERIOD.mul_f64(share));
                    signal(*process, Signal::STOP);
                }
                thread::sleep(PERIOD.saturating_sub(begin.elapsed()));
            }
            processes.iter().for_each(|process| signal(*process, Signal::CONT));
        });
        Ok(Self { is_over, turns: Some(turns) })
    }
}

/// Runs `start` so that the process that it starts has only one core. The cores are used in turn.
pub(super) fn on_one_core<T>(nth: usize, start: impl FnOnce() -> Result<T>) -> Result<T> {
    let all = sched_getaffinity(None)?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| all.is_set(*core)).collect();
    let mut one = CpuSet::new();
    one.set(*cores.get(nth % cores.len().max(1)).context("there is no core")?);
    sched_setaffinity(None, &one)?;
    let started = start();
    sched_setaffinity(None, &all)?;
    started
}
