//! The real `api` binary as a process that tests kill and restart with the same data.

use super::smtp::SmtpServer;
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A running server. It is killed when dropped.
pub struct Server {
    child: Child,
    pub base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts `api serve` on a database and a data folder, and waits until the server responds. If
    /// `ready` is set, it also waits until `/readyz` is successful. The server logs to
    /// `server.log` in the data folder.
    pub async fn start(database_url: &str, data: &Path, smtp: &SmtpServer, ready: bool) -> Self {
        Self::start_with(database_url, data, smtp, ready, &[]).await
    }

    /// Like [`Server::start`], with more command-line arguments.
    pub async fn start_with(
        database_url: &str,
        data: &Path,
        smtp: &SmtpServer,
        ready: bool,
        settings: &[&str],
    ) -> Self {
        Self::start_command(command(), database_url, data, smtp, ready, settings).await
    }

    /// Starts `api work`, and waits until it is ready. Its base address is that of its metrics.
    pub async fn start_worker(database_url: &str, data: &Path, smtp: &SmtpServer, settings: &[&str]) -> Self {
        let mut command = command();
        command.args(["work", "--metrics-listen", "127.0.0.1:0"]);
        Self::spawn(command, database_url, data, smtp, ("serving metrics", true), settings).await
    }

    /// Like [`Server::start_with`], with a command to which the arguments are appended.
    pub async fn start_command(
        mut command: Command,
        database_url: &str,
        data: &Path,
        smtp: &SmtpServer,
        ready: bool,
        settings: &[&str],
    ) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        Self::spawn(command, database_url, data, smtp, ("listening", ready), settings).await
    }

    /// Starts a process, and waits until it responds at the address in its first log line with this text.
    async fn spawn(
        mut command: Command,
        database_url: &str,
        data: &Path,
        smtp: &SmtpServer,
        (announcement, ready): (&str, bool),
        settings: &[&str],
    ) -> Self {
        let path = data.join("server.log");
        let log = File::options().create(true).append(true).open(&path).unwrap();
        let before = log.metadata().unwrap().len();
        // A demonstration requires a loopback URL.
        let public_url = if settings.contains(&"--demo") { "http://localhost" } else { "http://portal.test" };
        let child = command
            .args(["--public-url", public_url, "--mail-from", "Portal <alerts@portal.test>"])
            .env("SMTP_TIMEOUT_SECONDS", "10")
            .env("HOLD_FIRST_PUBLICATION", "false")
            .args(settings)
            .env("COLLECT_QUIET_SECONDS", "0")
            .env("COLLECT_LIMIT_SECONDS", "0")
            // The canary would add matches and mails to those that tests count.
            .env("CANARY_MINUTES", "0")
            // Tests read what they have just written.
            .env("GUEST_CACHE_MS", "0")
            .env("DATABASE_URL", database_url)
            .env("DATA", data)
            .env("SMTP_URL", &smtp.url)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut server = Self { child, base: String::new() };
        server.base = format!("http://{}", server.read_address(&path, before, announcement).await);
        server.wait_until_ok(if ready { "/readyz" } else { "/livez" }).await;
        server
    }

    /// Waits for the listen address in the log and returns it. Skips the first `before` bytes,
    /// which earlier processes wrote.
    async fn read_address(&mut self, log: &Path, before: u64, announcement: &str) -> String {
        let started = Instant::now();
        loop {
            let mut text = String::new();
            let mut file = File::open(log).unwrap();
            file.seek(SeekFrom::Start(before)).unwrap();
            file.read_to_string(&mut text).unwrap();
            let line =
                text.split_inclusive('\n').find(|line| line.contains(announcement) && line.ends_with('\n'));
            if let Some((_, address)) = line.and_then(|line| line.split_once("127.0.0.1:")) {
                let port: String = address.chars().take_while(char::is_ascii_digit).collect();
                return format!("127.0.0.1:{port}");
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("the server ended with {status}: {text}");
            }
            assert!(started.elapsed() < Duration::from_secs(30), "the server does not listen: {text}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Polls a path until its response is successful.
    async fn wait_until_ok(&mut self, path: &str) {
        let started = Instant::now();
        let url = format!("{}{path}", self.base);
        while !reqwest::get(&url).await.is_ok_and(|response| response.status().is_success()) {
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("the server ended with {status}");
            }
            assert!(started.elapsed() < Duration::from_secs(30), "{url} does not succeed within 30 seconds");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Sends SIGKILL and waits until the process has ended.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops the process with SIGSTOP, so that it keeps its connections but does nothing.
    pub fn pause(&self) {
        self.send_signal("-STOP");
    }

    /// Lets a paused process go on.
    pub fn resume(&self) {
        self.send_signal("-CONT");
    }

    fn send_signal(&self, signal: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }

    /// Sends SIGTERM, waits until the process has ended, and returns its exit status.
    pub fn stop(mut self) -> std::process::ExitStatus {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        self.child.wait().unwrap()
    }
}

/// Returns a command for the binary. Of this process's environment variables, it keeps only
/// `PATH`.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// Runs the binary with these arguments and returns its standard output. Fails if the command
/// fails.
pub fn run(database_url: &str, data: &Path, arguments: &[&str]) -> String {
    let output =
        command().args(arguments).env("DATABASE_URL", database_url).env("DATA", data).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
