//! A proxy to Postgres, for tests that cut a process off from its database.

use sqlx::{ConnectOptions, postgres::PgConnectOptions};
use std::{
    io::{Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// A proxy to Postgres that can stop to forward without closing its connections.
pub struct DatabaseProxy {
    folder: tempfile::TempDir,
    is_frozen: Arc<AtomicBool>,
}

impl DatabaseProxy {
    /// Starts a proxy to the server of a database.
    pub fn start(database_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let is_frozen = Arc::new(AtomicBool::new(false));
        let options: PgConnectOptions = database_url.parse().unwrap();
        let name = format!(".s.PGSQL.{}", options.get_port());
        let listener = UnixListener::bind(folder.path().join(&name)).unwrap();
        let home = options.get_socket().map_or_else(|| options.get_host().into(), PathBuf::clone);
        let (target, frozen) = (home.join(name), Arc::clone(&is_frozen));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), UnixStream::connect(&target).unwrap());
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let frozen = Arc::clone(&frozen);
                    std::thread::spawn(move || forward(&from, &to, &frozen));
                }
            }
        });
        Self { folder, is_frozen }
    }

    /// The URL of a database behind the proxy.
    pub fn url(&self, database_url: &str) -> String {
        let options: PgConnectOptions = database_url.parse().unwrap();
        options.socket(self.folder.path()).to_url_lossy().to_string()
    }

    /// Stops to forward, or goes on.
    pub fn freeze(&self, is_frozen: bool) {
        self.is_frozen.store(is_frozen, Ordering::Relaxed);
    }
}

impl Drop for DatabaseProxy {
    fn drop(&mut self) {
        self.freeze(false);
    }
}

fn forward(mut from: &UnixStream, mut to: &UnixStream, is_frozen: &AtomicBool) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        while is_frozen.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
