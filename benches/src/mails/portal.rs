//! The portal as a separate process.

use super::{Collecting, MailsPlan, usage::Usage, wait_until};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A time in seconds that is longer than any run.
const LONGER_THAN_RUN: &str = "86400";

/// A running portal. It is killed when dropped.
pub(crate) struct Portal {
    child: Child,
    data: PathBuf,
    address: String,
    base: String,
}

impl Drop for Portal {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Portal {
    /// Starts a portal and waits until it responds and its jobs run.
    pub(crate) fn start(plan: &MailsPlan, database: &str, data: &Path, smtp: &str) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let log = match &plan.log {
            Some(path) => Stdio::from(File::create(path).with_context(|| path.display().to_string())?),
            None => Stdio::null(),
        };
        // The requests call only the API, so the web application is an empty file.
        let web = data.with_extension("web");
        fs::create_dir_all(&web)?;
        fs::write(web.join("index.html"), "")?;
        let mut command = portal_command(&plan.api);
        command
            .args(["serve", "--listen", &address, "--public-url", "https://portal.example"])
            .args(["--mail-a-minute-per-domain", "0"])
            .args(match plan.collecting {
                Collecting::Waited => vec![],
                Collecting::Ended => {
                    vec![
                        "--collect-quiet-seconds",
                        LONGER_THAN_RUN,
                        "--collect-limit-seconds",
                        LONGER_THAN_RUN,
                    ]
                }
                Collecting::Off => vec!["--collect-quiet-seconds", "0", "--collect-limit-seconds", "0"],
            })
            .args(&plan.settings)
            .env("DATABASE_URL", database)
            .env("DATA", data)
            .env("WEB", web)
            .env("SMTP_URL", smtp)
            .stdout(Stdio::null())
            .stderr(log);
        let child = command.spawn().with_context(|| format!("{} can't be run", plan.api.display()))?;
        let mut portal = Self { child, data: data.to_owned(), base: format!("http://{address}"), address };
        wait_until("the portal to start", plan.timeout, || portal.is_ready())?;
        Ok(portal)
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn usage(&self) -> Result<Usage> {
        Usage::of(self.child.id())
    }

    fn is_ready(&mut self) -> Result<bool> {
        if let Some(status) = self.child.try_wait()? {
            bail!("the portal ended with {status}; use --log FILE to keep its log");
        }
        Ok(responds_ok(&self.address, "/readyz"))
    }

    /// Returns the log position of the index's last commit.
    pub(crate) fn index_position(&self) -> Result<i64> {
        let index = self.data.join("index");
        let current = fs::read_to_string(index.join("CURRENT")).context("there is no index")?;
        let metas = fs::read_to_string(index.join(current.trim()).join("meta.json"))?;
        let metas: Value = serde_json::from_str(&metas)?;
        let payload: Value = serde_json::from_str(metas["payload"].as_str().unwrap_or("{}"))?;
        // Before the first commit there is no position.
        Ok(payload["position"].as_i64().unwrap_or_default())
    }
}

/// Whether an HTTP server responds to a path with 200.
pub(crate) fn responds_ok(address: &str, path: &str) -> bool {
    get(address, path)
        .is_ok_and(|answer| answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.0 200"))
}

fn get(address: &str, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Runs a command of the portal and returns its output.
pub(crate) fn run(api: &Path, database: &str, arguments: &[&str]) -> Result<String> {
    let output = portal_command(api).args(arguments).env("DATABASE_URL", database).output();
    let output = output.with_context(|| format!("{} can't be run", api.display()))?;
    if !output.status.success() {
        bail!("api {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns a command for the portal. Of this process's environment variables, it gets only `PATH`
/// and `RUST_LOG`.
pub(crate) fn portal_command(api: &Path) -> Command {
    let mut command = Command::new(api);
    command.env_clear();
    for name in ["PATH", "RUST_LOG"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command
}
