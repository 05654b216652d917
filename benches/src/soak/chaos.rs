//! Kills processes at random moments.

use super::{
    layout::Victim,
    ledger::{Micros, now},
    processes::Supervised,
    site::Site,
};
use rand::{Rng, rngs::StdRng};
use rustix::process::Signal;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs::File,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time;

const SHORTEST_GAP: Duration = Duration::from_millis(200);
/// How long a stopped process is stopped. Leases of mails last eight seconds.
const PAUSES: std::ops::Range<u64> = 1_000..14_000;

/// How a process is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display, Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Attack {
    /// SIGKILL.
    Kill,
    /// SIGTERM.
    Terminate,
    /// SIGQUIT: Postgres stops at once, without a checkpoint.
    Quit,
    /// SIGSTOP, and SIGCONT some seconds later.
    Pause,
    /// The mail server dies after it has taken the next message, before it responds.
    DieAfterMessage,
}

/// An attack on a process.
#[derive(Debug, Clone, Serialize)]
pub struct AttackRecord {
    /// When it began.
    pub at: Micros,
    /// The process.
    pub victim: Victim,
    /// The attack.
    pub attack: Attack,
}

impl AttackRecord {
    /// Whether the process ends.
    pub fn is_kill(&self) -> bool {
        self.attack != Attack::Pause
    }
}

/// Attacks the processes until `stop` is set. Returns the attacks. All processes run on afterwards.
pub(super) async fn run(
    processes: &BTreeMap<Victim, Arc<Supervised>>,
    site: &Site,
    mut random: StdRng,
    stop: Arc<AtomicBool>,
) -> Vec<AttackRecord> {
    let trap = site.trap();
    let mut attacks = Vec::new();
    let mut paused: Vec<(time::Instant, Arc<Supervised>)> = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        // The gaps of a Poisson process.
        let gap = site.layout.mean_gap().mul_f64(-(1.0 - random.random::<f64>()).ln()).max(SHORTEST_GAP);
        let until = time::Instant::now() + gap;
        loop {
            let due = paused.iter().map(|(due, _)| *due).min().map_or(until, |due| due.min(until));
            time::sleep_until(due).await;
            paused.retain(|(due, process)| {
                let is_over = *due <= time::Instant::now();
                if is_over {
                    process.signal(Signal::CONT);
                }
                !is_over
            });
            if time::Instant::now() >= until {
                break;
            }
        }
        let (victim, attack) = site.layout.choose_attack(&mut random);
        let pause = Duration::from_millis(random.random_range(PAUSES));
        let Some(process) = processes.get(&victim).filter(|process| process.is_running()) else { continue };
        let at = now();
        let hits = match attack {
            Attack::Kill => process.signal(Signal::KILL),
            Attack::Terminate => process.signal(Signal::TERM),
            Attack::Quit => process.signal(Signal::QUIT),
            Attack::Pause => process.signal(Signal::STOP),
            Attack::DieAfterMessage => !trap.exists() && File::create(&trap).is_ok(),
        };
        if hits {
            attacks.push(AttackRecord { at, victim, attack });
            match attack {
                Attack::Pause => paused.push((time::Instant::now() + pause, Arc::clone(process))),
                // A paused process ends only after it goes on.
                Attack::Terminate => drop(process.signal(Signal::CONT)),
                _ => {}
            }
        }
    }
    for (_, process) in paused {
        process.signal(Signal::CONT);
    }
    drop(std::fs::remove_file(&trap));
    attacks
}
