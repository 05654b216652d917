//! Attacks processes and their networks at random moments.

use super::{
    layout::{Victim, WeightedAttack},
    ledger::{Micros, now},
    link::{Link, LinkState},
    processes::Supervised,
    search_nodes,
    site::Site,
};
use rand::{Rng, rngs::StdRng};
use rustix::process::Signal;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time;

const SHORTEST_GAP: Duration = Duration::from_millis(200);
/// How long a process is stopped, or a network disturbed, in milliseconds. Leases of mails last eight seconds.
const PAUSES: std::ops::Range<u64> = 1_000..14_000;

/// How a process is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display, clap::ValueEnum, Serialize)]
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
    /// SIGKILL, of this node of the search cluster and another one.
    KillWithAnother,
    /// SIGSTOP, of this node of the search cluster and another one, and SIGCONT some seconds later.
    PauseWithAnother,
    /// The mail server dies after it has taken the next message, before it responds.
    DieAfterMessage,
    /// The network between the process and Postgres passes nothing for some seconds. What was under way
    /// arrives afterwards.
    CutFromDatabase,
    /// The store answers with status 503 for some seconds.
    Overload,
    /// The store is slow for some seconds.
    SlowDown,
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
    /// How long it lasted.
    pub duration: Micros,
    /// Whether the process wrote to the index that all processes share.
    pub wrote_index: bool,
}

impl fmt::Display for AttackRecord {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writer = if self.wrote_index { " (index writer)" } else { "" };
        write!(to, "{}{writer}: {}", self.victim, self.attack)
    }
}

impl AttackRecord {
    /// Whether the process ends.
    pub fn is_kill(&self) -> bool {
        self.duration == 0
    }

    /// An attack without a duration.
    pub const fn at_once(at: Micros, victim: Victim, attack: Attack) -> Self {
        Self { at, victim, attack, duration: 0, wrote_index: false }
    }

    /// Whether the attack can have had an effect at this time, if effects last for `window` afterwards.
    pub const fn is_near(&self, at: Micros, window: Micros) -> bool {
        self.at - window <= at && at <= self.at + self.duration + window
    }
}

/// What is attacked.
#[derive(Clone, Default)]
pub(super) struct Targets {
    /// The processes.
    pub(super) processes: BTreeMap<Victim, Arc<Supervised>>,
    /// The network between a process and Postgres, or between all processes and a store.
    pub(super) links: BTreeMap<Victim, Arc<Link>>,
}

impl Targets {
    /// The other node of the search cluster that an attack on a node also hits.
    fn another_node(&self, victim: Victim, attack: Attack) -> Option<Victim> {
        if !matches!(attack, Attack::KillWithAnother | Attack::PauseWithAnother) {
            return None;
        }
        let mut others = Victim::SEARCH_NODES.into_iter().filter(|other| *other != victim);
        others.find(|other| self.processes.get(other).is_some_and(|process| process.is_running()))
    }
}

/// A disturbance that ends by itself.
enum Disturbance {
    Pause(Arc<Supervised>),
    Link(Arc<Link>),
}

impl Disturbance {
    fn end(&self) {
        match self {
            Self::Pause(process) => {
                process.signal(Signal::CONT);
            }
            Self::Link(link) => link.set(LinkState::Open),
        }
    }
}

/// Chooses an attack at random.
fn choose(attacks: &[WeightedAttack], random: &mut StdRng) -> (Victim, Attack) {
    let mut left = random.random_range(0..attacks.iter().map(|(_, _, weight)| weight).sum());
    for (victim, attack, weight) in attacks {
        match left.checked_sub(*weight) {
            Some(rest) => left = rest,
            None => return (*victim, *attack),
        }
    }
    unreachable!("the number is smaller than the sum of the weights")
}

/// Attacks the targets until `stop` is set. Returns the attacks, and the number of those that were left out
/// because no other node of the search cluster could have answered alone. All processes run on afterwards.
pub(super) async fn run(
    targets: &Targets,
    site: &Site,
    choices: &[WeightedAttack],
    mut random: StdRng,
    stop: Arc<AtomicBool>,
) -> (Vec<AttackRecord>, usize) {
    let trap = site.trap();
    let (mut attacks, mut left_out) = (Vec::new(), 0);
    let mut disturbances: Vec<(time::Instant, Disturbance)> = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        // The gaps of a Poisson process.
        let gap = site.layout.mean_gap().mul_f64(-(1.0 - random.random::<f64>()).ln()).max(SHORTEST_GAP);
        let until = time::Instant::now() + gap;
        loop {
            let due = disturbances.iter().map(|(due, _)| *due).min().map_or(until, |due| due.min(until));
            time::sleep_until(due).await;
            disturbances.retain(|(due, disturbance)| {
                let is_over = *due <= time::Instant::now();
                if is_over {
                    disturbance.end();
                }
                !is_over
            });
            if time::Instant::now() >= until {
                break;
            }
        }
        let (mut victim, attack) = choose(choices, &mut random);
        let mut wrote_index = false;
        // Half of the cuts hit the process that writes to the index of all.
        if attack == Attack::CutFromDatabase
            && let Some(writer) = site.index_writer()
        {
            victim = if random.random_bool(0.5) { writer } else { victim };
            wrote_index = victim == writer;
        }
        let pause = Duration::from_millis(random.random_range(PAUSES));
        let Some(process) = targets.processes.get(&victim).filter(|process| process.is_running()) else {
            continue;
        };
        let another = targets.another_node(victim, attack);
        if Victim::SEARCH_NODES.contains(&victim) {
            let hit: Vec<Victim> = [Some(victim), another].into_iter().flatten().collect();
            let nodes = site.search_nodes.as_deref().unwrap_or_default();
            if !search_nodes::leave_a_whole_node(nodes, &hit).await {
                left_out += 1;
                continue;
            }
        }
        let disturb = |state: LinkState| {
            let link = targets.links.get(&victim).filter(|link| link.is_open())?;
            link.set(state);
            Some(Disturbance::Link(Arc::clone(link)))
        };
        if matches!(attack, Attack::Kill | Attack::Quit | Attack::Terminate | Attack::KillWithAnother) {
            // The children of a paused process would stay paused after its end.
            process.signal(Signal::CONT);
        }
        let at = now();
        let mut begun = Vec::new();
        let hits = match attack {
            Attack::Kill => process.signal(Signal::KILL),
            Attack::KillWithAnother => {
                if let Some(other) = another.and_then(|other| targets.processes.get(&other)) {
                    other.signal(Signal::KILL);
                }
                process.signal(Signal::KILL)
            }
            Attack::PauseWithAnother => {
                if let Some(other) = another.and_then(|other| targets.processes.get(&other)) {
                    begun.push(Disturbance::Pause(Arc::clone(other)));
                    other.signal(Signal::STOP);
                }
                begun.push(Disturbance::Pause(Arc::clone(process)));
                process.signal(Signal::STOP)
            }
            Attack::Terminate => process.signal(Signal::TERM),
            Attack::Quit => process.signal(Signal::QUIT),
            Attack::Pause => {
                begun.push(Disturbance::Pause(Arc::clone(process)));
                process.signal(Signal::STOP)
            }
            Attack::CutFromDatabase | Attack::Overload | Attack::SlowDown => {
                begun.extend(disturb(match attack {
                    Attack::Overload => LinkState::Overloaded,
                    Attack::SlowDown => LinkState::Slow,
                    _ => LinkState::Cut,
                }));
                !begun.is_empty()
            }
            Attack::DieAfterMessage => !trap.exists() && File::create(&trap).is_ok(),
        };
        if hits {
            let duration = if begun.is_empty() { 0 } else { pause.as_micros() as Micros };
            attacks.push(AttackRecord { at, victim, attack, duration, wrote_index });
            let until = time::Instant::now() + pause;
            disturbances.extend(begun.into_iter().map(|disturbance| (until, disturbance)));
        } else {
            begun.iter().for_each(Disturbance::end);
        }
    }
    for (_, disturbance) in disturbances {
        disturbance.end();
    }
    drop(std::fs::remove_file(&trap));
    (attacks, left_out)
}
