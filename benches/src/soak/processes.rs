//! The processes of a run, each with a supervisor that starts it again after its end, as an init
//! system does.

use super::sms;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
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
/// The interval at which the server process of Postgres is observed, which is not a child of the
/// supervisor.
const OBSERVE_INTERVAL: Duration = Duration::from_millis(50);
/// The ports below the ephemeral ones, so that no outgoing connection takes the port of a process
/// that is being started again.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A process that is killed during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Victim {
    /// The server.
    Api,
    /// A worker that reads newspaper pages.
    Worker,
    /// The server process of Postgres.
    Postgres,
    /// The mail server.
    MailServer,
}

/// The addresses and files of a run.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// The folder of the run.
    pub(super) folder: PathBuf,
    /// The folder with `api` and `ingest`.
    pub(super) programs: PathBuf,
    /// The executable of the soak itself, which is also the mail server.
    pub(super) own: PathBuf,
    pub(super) portal: SocketAddr,
    pub(super) mail: SocketAddr,
    /// The receiver of SMS.
    pub(super) sms: SocketAddr,
}

impl Site {
    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }
    /// The folder that the server serves as the web application. The traffic calls only the API.
    pub(super) fn web(&self) -> PathBuf {
        self.folder.join("web")
    }
    pub(super) fn mails(&self) -> PathBuf {
        self.folder.join("mails.jsonl")
    }
    /// The file that makes the mail server die after the next message.
    pub(super) fn trap(&self) -> PathBuf {
        self.folder.join("mail-trap")
    }
    pub(super) fn ledger(&self) -> PathBuf {
        self.folder.join("ledger.jsonl")
    }
    pub(super) fn token(&self) -> PathBuf {
        self.folder.join("operator.token")
    }
    fn log(&self, name: &str) -> Result<Stdio> {
        let path = self.folder.join(format!("{name}.log"));
        Ok(File::options().create(true).append(true).open(&path).context("the log")?.into())
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.env_clear();
        command.envs(std::env::var_os("PATH").map(|value| ("PATH", value)));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// Finds a free port below the ephemeral ones.
pub(super) fn free_port(random: &mut impl rand::Rng) -> Result<SocketAddr> {
    for _ in 0..1000 {
        let address = SocketAddr::from(([127, 0, 0, 1], random.random_range(PORTS)));
        if TcpListener::bind(address).is_ok() {
            return Ok(address);
        }
    }
    bail!("no port is free")
}

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

    /// Whether the process runs.
    pub(super) fn is_running(&self) -> bool {
        self.process.load(Ordering::SeqCst) != 0
    }

    pub(super) fn starts(&self) -> u64 {
        self.starts.load(Ordering::SeqCst)
    }

    /// Sends a signal. Returns false if the process does not run.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let process = i32::try_from(self.process.load(Ordering::SeqCst)).ok().and_then(Pid::from_raw);
        process.is_some_and(|process| kill_process(process, signal).is_ok())
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

/// The server of the portal.
pub(super) fn start_api(site: &Site, database: &str) -> Arc<Supervised> {
    let (site, database) = (site.clone(), database.to_owned());
    Supervised::start(Victim::Api, move || {
        let mut command = site.program("api");
        command
            .args(["serve", "--migrate", "--demo", "--webhooks-to-private"])
            .args(["--listen", &site.portal.to_string(), "--public-url", "http://localhost"])
            .args(["--rate-limit-factor", "1000", "--sign-ins-a-minute", "1000000"])
            .args(["--failed-sign-ins-an-hour", "1000000", "--guest-details-a-day", "1000000"])
            .args(["--previews-a-minute", "1000000", "--reports-a-minute", "1000000"])
            .args(["--key-calls-a-minute", "1000000"])
            // Short times, so that leases expire while processes are down.
            .args(["--mail-a-minute-per-domain", "0", "--smtp-timeout-seconds", "2"])
            .args(["--collect-quiet-seconds", "1", "--collect-limit-seconds", "3"])
            .env("DATABASE_URL", &database)
            .env("DATA", site.data())
            .env("WEB", site.web())
            .env("SMTP_URL", format!("smtp://{}", site.mail))
            .env("TWILIO_ACCOUNT_SID", sms::ACCOUNT)
            .env("TWILIO_AUTH_TOKEN", "soak")
            .env("TWILIO_URL", format!("http://{}", site.sms))
            .env("SMS_FROM", "Soak")
            .stderr(site.log("api")?);
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
            .arg(format!("http://{}", site.portal))
            .arg("--token-file")
            .arg(site.token())
            .stderr(site.log("worker")?);
        Ok(command)
    })
}

/// A private Postgres server with durable commits, and its supervisor.
pub(super) struct Postgres {
    pub(super) supervised: Arc<Supervised>,
    /// The URL without a database.
    pub(super) url: String,
    folder: PathBuf,
}

impl Postgres {
    pub(super) async fn start(folder: &Path) -> Result<Self> {
        let url = run_script("start", folder).await?;
        let home = fs::canonicalize(folder.join("postgres"))?;
        let supervised = Arc::new(Supervised::new());
        let (process, starts, ends) =
            (supervised.process.clone(), supervised.starts.clone(), supervised.ends.clone());
        let own = folder.to_owned();
        starts.fetch_add(1, Ordering::SeqCst);
        process.store(read_process(&home)?, Ordering::SeqCst);
        let task = tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            while !ends.load(Ordering::SeqCst) {
                let process_now = process.load(Ordering::SeqCst);
                if process_now != 0 && is_alive(process_now) {
                    time::sleep(OBSERVE_INTERVAL).await;
                    continue;
                }
                process.store(0, Ordering::SeqCst);
                // Right after a kill, the start fails while processes of the killed server still end.
                // A process that has ended still exists until its parent has waited for it.
                match run_script("start", &own).await.and_then(|_| read_process(&home)) {
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
        Ok(Self { supervised, url, folder: folder.to_owned() })
    }

    /// Stops the server, and deletes its data unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        self.supervised.ends.store(true, Ordering::SeqCst);
        let task = self.supervised.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            drop(task.await);
        }
        run_script("stop", &self.folder).await?;
        if !keeps_data {
            let home = fs::canonicalize(self.folder.join("postgres"))?;
            fs::remove_dir_all(&home)?;
            // The folder may be a link to a folder that the user of Postgres can enter.
            drop(fs::remove_file(self.folder.join("postgres")));
        }
        Ok(())
    }
}

fn read_process(home: &Path) -> Result<u64> {
    let text = fs::read_to_string(home.join("data/postmaster.pid"))?;
    Ok(text.lines().next().context("postmaster.pid is empty")?.trim().parse()?)
}

fn is_alive(process: u64) -> bool {
    // A killed process that nobody has waited for is still listed.
    fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

async fn run_script(command: &str, folder: &Path) -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(root.join(".make/postgres")).arg(command).arg(folder).output().await?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
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
