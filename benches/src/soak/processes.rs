//! The processes of a run, each with a supervisor that starts it again after its end, as an init
//! system does.

use super::{layout::Victim, search_nodes::SEARCH_REPLICAS, site::Site, sms};
use anyhow::Result;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    path::PathBuf,
    process::Stdio,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{process::Command, task::JoinHandle, time};

/// The pause before a process is started again. It doubles with each start that fails at once.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// A process that has run for this long did not fail at once.
const STABLE_AFTER: Duration = Duration::from_secs(3);
/// The interval at which a process is observed that is not a child of the supervisor.
const OBSERVE_INTERVAL: Duration = Duration::from_millis(50);

/// A supervised process.
pub(super) struct Supervised {
    /// The running process; 0 while none runs.
    process: Arc<AtomicU64>,
    starts: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Supervised {
    /// Starts a process and its supervisor. `command` makes the command of each start.
    pub(super) fn start(
        victim: Victim,
        command: impl Fn() -> Result<Command> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let supervised = Arc::new(Self::new());
        let (process, starts, ends) =
            (supervised.process.clone(), supervised.starts.clone(), supervised.ends.clone());
        let task = tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            while !ends.load(Ordering::SeqCst) {
                let began = time::Instant::now();
                let child = command().and_then(|mut command| Ok(command.kill_on_drop(true).spawn()?));
                match child {
                    Ok(mut child) => {
                        starts.fetch_add(1, Ordering::SeqCst);
                        process.store(child.id().unwrap_or_default().into(), Ordering::SeqCst);
                        let ended = child.wait().await;
                        process.store(0, Ordering::SeqCst);
                        drop(ended);
                    }
                    Err(error) => eprintln!("soak: {victim} can't be started: {error:#}"),
                }
                pause = next_pause(pause, began.elapsed());
                time::sleep(pause).await;
            }
        });
        *supervised.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        supervised
    }

    fn new() -> Self {
        Self { process: Arc::default(), starts: Arc::default(), ends: Arc::default(), task: Mutex::default() }
    }

    /// Supervises a process that is no child of this one. `restart` starts it again, and returns its id.
    pub(super) fn observe<F>(started: u64, restart: impl Fn() -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<u64>> + Send,
    {
        let supervised = Arc::new(Self::new());
        let (process, starts, ends) =
            (supervised.process.clone(), supervised.starts.clone(), supervised.ends.clone());
        starts.fetch_add(1, Ordering::SeqCst);
        process.store(started, Ordering::SeqCst);
        let task = tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            while !ends.load(Ordering::SeqCst) {
                let process_now = process.load(Ordering::SeqCst);
                if process_now != 0 && is_alive(process_now) {
                    time::sleep(OBSERVE_INTERVAL).await;
                    continue;
                }
                process.store(0, Ordering::SeqCst);
                // A process that has ended still exists until its parent has waited for it.
                match restart().await {
                    Ok(started) if is_alive(started) => {
                        starts.fetch_add(1, Ordering::SeqCst);
                        process.store(started, Ordering::SeqCst);
                        pause = FIRST_PAUSE;
                    }
                    _ => {
                        time::sleep(pause).await;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                }
            }
        });
        *supervised.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        supervised
    }

    /// Ends the supervision of a process that goes on.
    pub(super) async fn end_observation(&self) {
        self.ends.store(true, Ordering::SeqCst);
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            drop(task.await);
        }
    }

    /// Whether the process runs.
    pub(super) fn is_running(&self) -> bool {
        self.process.load(Ordering::SeqCst) != 0
    }

    pub(super) fn starts(&self) -> u64 {
        self.starts.load(Ordering::SeqCst)
    }

    /// Sends a signal. Returns false if the process does not run. A pause includes the children, such as the
    /// processes of Postgres that serve connections.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let number = self.process.load(Ordering::SeqCst);
        let send = |number: u64| {
            let process = i32::try_from(number).ok().and_then(Pid::from_raw);
            process.is_some_and(|process| kill_process(process, signal).is_ok())
        };
        let is_sent = send(number);
        if is_sent && matches!(signal, Signal::STOP | Signal::CONT) {
            for child in children_of(number) {
                send(child);
            }
        }
        is_sent
    }

    /// Ends the process and its supervisor.
    pub(super) async fn stop(&self, signal: Signal) {
        self.ends.store(true, Ordering::SeqCst);
        self.signal(Signal::CONT);
        self.signal(signal);
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // After a supervisor has been stopped, its process is killed with it.
            if time::timeout(Duration::from_secs(60), task).await.is_err() {
                self.signal(Signal::KILL);
            }
        }
    }
}

/// Returns the pause before the next start of a process that has run for some time.
fn next_pause(pause: Duration, ran_for: Duration) -> Duration {
    if ran_for > STABLE_AFTER { FIRST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) }
}

fn is_alive(process: u64) -> bool {
    // A killed process that nobody has waited for is still listed.
    state_and_parent(process).is_some_and(|(state, _)| state != "Z")
}

/// The state of a process, and the id of its parent.
fn state_and_parent(process: u64) -> Option<(String, u64)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut words = stat.rsplit(')').next()?.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
}

/// The processes that a process has started.
fn children_of(process: u64) -> Vec<u64> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|other| state_and_parent(*other).is_some_and(|(_, parent)| parent == process))
        .collect()
}

/// Starts the server with this number.
pub(super) fn start_server(site: &Site, number: usize) -> Option<(Victim, Arc<Supervised>)> {
    let victim = *site.layout.servers().get(number)?;
    let listen = site.servers.get(number)?.to_string();
    let mut arguments = vec!["serve".to_owned(), "--listen".to_owned(), listen];
    if !site.layout.job_processes().is_empty() {
        arguments.push("--jobs-elsewhere".to_owned());
    }
    Some((victim, start_portal(site, victim, site.index(number), arguments)))
}

/// Starts the process with this number that only runs the jobs.
pub(super) fn start_jobs(site: &Site, number: usize) -> Option<(Victim, Arc<Supervised>)> {
    let victim = *site.layout.job_processes().get(number)?;
    let probe = site.probes.get(number)?.to_string();
    let arguments = ["work", "--metrics-listen", &probe].map(str::to_owned).to_vec();
    let index = site.index(site.servers.len() + number);
    Some((victim, start_portal(site, victim, index, arguments)))
}

/// Starts a process of the portal.
fn start_portal(site: &Site, victim: Victim, index: PathBuf, arguments: Vec<String>) -> Arc<Supervised> {
    let site = site.clone();
    Supervised::start(victim, move || {
        let mut command = site.program("api");
        command
            .args(&arguments)
            .args(["--migrate", "--demo", "--webhooks-to-private", "--public-url", "http://localhost"])
            .args(["--rate-limit-factor", "1000", "--sign-ins-a-minute", "1000000"])
            .args(["--failed-sign-ins-an-hour", "1000000", "--guest-details-a-day", "1000000"])
            .args(["--previews-a-minute", "1000000", "--reports-a-minute", "1000000"])
            .args(["--key-calls-a-minute", "1000000"])
            // Short times, so that leases expire while processes are down.
            .args(["--mail-a-minute-per-domain", "0", "--smtp-timeout-seconds", "2"])
            .args(["--collect-quiet-seconds", "1", "--collect-limit-seconds", "3"])
            .env("DATABASE_URL", &site.databases[&victim])
            .envs(site.files.clone())
            .env("DATA", site.data())
            .env("INDEX", &index)
            .env("WEB", site.web())
            .env("SMTP_URL", format!("smtp://{}", site.mail))
            .env("TWILIO_ACCOUNT_SID", sms::ACCOUNT)
            .env("TWILIO_AUTH_TOKEN", "soak")
            .env("TWILIO_URL", format!("http://{}", site.sms))
            .env("SMS_FROM", "Soak")
            .stderr(site.log(&victim.to_string())?);
        if !site.layout.job_processes().is_empty() {
            // All processes have to fit into the connections of one Postgres.
            command.args(["--database-connections", "10", "--job-database-connections", "8"]);
            command.args(["--matcher-shards", "2"]);
        }
        if let Some(nodes) = &site.search_nodes {
            command.args(["--search-nodes", nodes, "--search-replicas", SEARCH_REPLICAS]);
        }
        Ok(command)
    })
}

/// The mail server.
pub(super) fn start_mail_server(site: &Site) -> Arc<Supervised> {
    let site = site.clone();
    Supervised::start(Victim::MailServer, move || {
        let mut command = Command::new(&site.own);
        command.arg("mail-server").arg(site.mail.to_string()).arg(site.mails()).arg(site.trap());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(site.log("mail-server")?);
        Ok(command)
    })
}

/// A worker that reads newspaper pages.
pub(super) fn start_worker(site: &Site) -> Arc<Supervised> {
    let site = site.clone();
    Supervised::start(Victim::Worker, move || {
        let mut command = site.program("ingest");
        command
            .args(["work", "--jobs", "1", "--name", "soak", "--hold-doubtful", "--portal"])
            .arg(format!("http://{}", site.servers[0]))
            .arg("--token-file")
            .arg(site.token())
            .stderr(site.log("worker")?);
        Ok(command)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_of_a_process_that_always_fails_stays_short() {
        let mut pause = FIRST_PAUSE;
        for _ in 0..100 {
            pause = next_pause(pause, Duration::ZERO);
        }
        assert_eq!(pause, LONGEST_PAUSE);
        assert_eq!(next_pause(pause, STABLE_AFTER * 2), FIRST_PAUSE);
    }
}
