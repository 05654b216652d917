//! [`ObjectStore`]: a server that speaks the protocol of S3, for the files of the portal.

use super::{
    layout::Victim,
    link::{Destination, Link},
    processes::Supervised,
    scripts, site,
};
use anyhow::Result;
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};
use tokio::process::Command;

const BUCKET: &str = "soak";
const ACCESS_KEY: &str = "soak";
const SECRET_KEY: &str = "soak-secret";

/// The server, its supervisor, and the network between it and the portal.
pub(super) struct ObjectStore {
    pub(super) supervised: Arc<Supervised>,
    pub(super) link: Arc<Link>,
    buckets: PathBuf,
}

impl ObjectStore {
    /// Starts the server at this address with an empty bucket below `folder`.
    pub(super) async fn start(folder: &Path, address: SocketAddr) -> Result<Self> {
        let (folder, buckets) = (folder.to_owned(), folder.join("s3"));
        fs::create_dir_all(buckets.join(BUCKET))?;
        let link = Link::start(Destination::Tcp(address)).await?;
        let served = buckets.clone();
        let supervised = Supervised::start(Victim::ObjectStore, move || {
            let mut command = Command::new(scripts::tool("s3s-fs"));
            command
                .args(["--host", &address.ip().to_string(), "--port", &address.port().to_string()])
                .args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY])
                .arg(&served)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(site::log(&folder, "object-store")?);
            Ok(command)
        });
        Ok(Self { supervised, link, buckets })
    }

    /// The variables that tell a process of the portal where its files are.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("FILES", format!("s3://{BUCKET}/files")),
            ("AWS_ENDPOINT", format!("http://{}", self.link.address)),
            ("AWS_REGION", "local".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// Stops the server, and deletes its files unless they are kept.
    pub(super) async fn stop(&self, keeps_data: bool) -> Result<()> {
        self.supervised.stop(rustix::process::Signal::TERM).await;
        if !keeps_data {
            fs::remove_dir_all(&self.buckets)?;
        }
        Ok(())
    }
}
