//! A private Postgres cluster, for tests that crash it.

use sqlx::{Connection, PgConnection};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// A running cluster. Dropping this value stops the cluster and removes its files.
pub struct Cluster {
    pub url: String,
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts a cluster with durable commits.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = postgres().arg("start").arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let url = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        Self { url, folder }
    }

    /// Stops Postgres until [`Self::resume`].
    pub fn pause(&self) {
        self.control("stop");
    }

    /// Starts Postgres again, at the same address.
    pub fn resume(&self) {
        self.control("start");
    }

    fn control(&self, command: &str) {
        let output = postgres().arg(command).arg(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Kills one backend process. Postgres then ends all other backends, recovers, and accepts
    /// connections on the same port again.
    pub async fn crash(&self) {
        let url = format!("{}/postgres", self.url);
        let mut victim = PgConnection::connect(&url).await.unwrap();
        let mut other = PgConnection::connect(&url).await.unwrap();
        let process: i32 =
            sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut victim).await.unwrap();
        assert!(Command::new("kill").args(["-9", &process.to_string()]).status().unwrap().success());
        // Wait until all clients are disconnected.
        while other.ping().await.is_ok() {}
        // Wait until new connections are accepted.
        let started = Instant::now();
        while let Err(error) = PgConnection::connect(&url).await {
            assert!(started.elapsed() < Duration::from_secs(60), "Postgres does not recover: {error}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The cluster is in `folder`, or in a linked folder if the user that runs Postgres cannot
        // enter `folder`.
        let home: PathBuf = std::fs::canonicalize(self.folder.path().join("postgres")).unwrap();
        let stopped = postgres().arg("stop").arg(self.folder.path()).status();
        if !home.starts_with(self.folder.path()) {
            let _ = std::fs::remove_dir_all(&home);
        }
        assert!(stopped.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}

fn postgres() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.make/postgres"))
}
