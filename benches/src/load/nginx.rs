//! nginx as a separate process that serves a folder. It is stopped when dropped.

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::mails::wait_until;

/// The time limit for the start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// A running nginx.
pub(super) struct Nginx {
    child: Child,
    base: String,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The main process ends its workers.
        if let Some(process) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            kill_process(process, Signal::TERM).ok();
        }
        self.child.wait().ok();
    }
}

impl Nginx {
    /// Serves the folder `files` with as many workers as cores. The other files of nginx are written
    /// to `folder`.
    pub(super) fn start(folder: &Path, files: &Path, workers: usize) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let config = folder.join("nginx.conf");
        fs::write(&config, configuration(folder, files, &address, workers))?;
        let child = Command::new(program())
            .arg("-e")
            .arg(folder.join("nginx-errors"))
            .arg("-c")
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .context("nginx can't be run; run `.make/setup load`")?;
        let mut nginx = Self { child, base: format!("http://{address}") };
        wait_until("nginx to start", START_TIMEOUT, || {
            if let Some(status) = nginx.child.try_wait()? {
                bail!("nginx ended with {status}");
            }
            Ok(TcpStream::connect(&address).is_ok())
        })?;
        Ok(nginx)
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }
}

/// Debian installs nginx in a folder that is not on the path of every user.
fn program() -> PathBuf {
    let installed = PathBuf::from("/usr/sbin/nginx");
    if installed.exists() { installed } else { "nginx".into() }
}

/// The configuration. nginx writes no access log and keeps the files open, so that it is as fast as it
/// can be. It never closes a connection after a number of requests, and the portal does not either.
fn configuration(folder: &Path, files: &Path, address: &str, workers: usize) -> String {
    let (folder, files) = (folder.display(), files.display());
    // Workers of root would run as another user, who can't read the folder.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {folder}/nginx-{name};"))
        .collect();
    format!(
        "{user}
daemon off;
worker_processes {workers};
worker_rlimit_nofile 65536;
pid {folder}/nginx.pid;
events {{ worker_connections 4096; }}
http {{
  {temporary}
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  open_file_cache max=100000 inactive=1h;
  open_file_cache_valid 1h;
  default_type application/json;
  server {{ listen {address} backlog=4096; root {files}; }}
}}
"
    )
}
