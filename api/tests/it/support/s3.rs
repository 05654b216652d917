//! A server of the S3 protocol with one bucket, whose objects are files of a folder. It checks the
//! signature of each request. Tests can let requests fail or wait.

use api::base::config::S3Config;
use hyper::{Request, Response, StatusCode, body::Incoming, service::Service, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use s3s::{
    auth::SimpleAuth,
    service::{S3Service, S3ServiceBuilder},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex},
};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::Notify};

/// The name of the bucket.
const NAME: &str = "bucket";
/// The id and the secret of the access key.
const KEY: [&str; 2] = ["test-key", "test-secret"];

/// The bucket. Clones share it.
#[derive(Clone)]
pub struct Bucket {
    folder: Arc<TempDir>,
    /// Requests for objects whose names contain this text wait forever.
    stalled: Arc<Mutex<Option<String>>>,
    /// Requests for objects whose names contain this text are refused.
    refused: Arc<Mutex<Option<String>>>,
    reached: Arc<Notify>,
    endpoint: String,
}

impl Bucket {
    /// Starts a server with an empty bucket.
    pub async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join(NAME)).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(KEY[0], KEY[1]));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bucket = Self {
            folder: Arc::new(folder),
            stalled: Arc::default(),
            refused: Arc::default(),
            reached: Arc::default(),
            endpoint: format!("http://{}", listener.local_addr().unwrap()),
        };
        tokio::spawn(bucket.clone().serve(listener, service));
        bucket
    }

    async fn serve(self, listener: TcpListener, service: S3Service) {
        while let Ok((socket, _)) = listener.accept().await {
            let (bucket, service) = (self.clone(), service.clone());
            let answer = service_fn(move |request| {
                let (bucket, service) = (bucket.clone(), service.clone());
                async move { bucket.answer(&service, request).await }
            });
            tokio::spawn(async move {
                let server = auto::Builder::new(TokioExecutor::new());
                drop(server.serve_connection(TokioIo::new(socket), answer).await);
            });
        }
    }

    async fn answer(
        &self,
        service: &S3Service,
        request: Request<Incoming>,
    ) -> Result<Response<s3s::Body>, s3s::HttpError> {
        let path = request.uri().path().to_owned();
        let concerns = |part: &Mutex<Option<String>>| {
            part.lock().unwrap().as_ref().is_some_and(|part| path.contains(part))
        };
        if concerns(&self.refused) {
            let mut refused = Response::new(s3s::Body::empty());
            *refused.status_mut() = StatusCode::FORBIDDEN;
            return Ok(refused);
        }
        if concerns(&self.stalled) {
            self.reached.notify_one();
            std::future::pending::<()>().await;
        }
        Service::call(service, request).await
    }

    /// Adds the variables with which programs find the server.
    pub fn configure<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("AWS_ENDPOINT", &self.endpoint)
            .env("AWS_REGION", "test-1")
            .env("AWS_ACCESS_KEY_ID", KEY[0])
            .env("AWS_SECRET_ACCESS_KEY", KEY[1])
    }

    /// The settings with which a portal finds the server.
    pub fn settings(&self) -> [String; 4] {
        [
            format!("--aws-endpoint={}", self.endpoint),
            "--aws-region=test-1".to_owned(),
            format!("--aws-access-key-id={}", KEY[0]),
            format!("--aws-secret-access-key={}", KEY[1]),
        ]
    }

    /// The endpoint and the access key.
    pub fn config(&self) -> S3Config {
        S3Config {
            aws_access_key_id: Some(KEY[0].to_owned()),
            aws_secret_access_key: Some(KEY[1].into()),
            aws_region: Some("test-1".to_owned()),
            aws_endpoint: Some(self.endpoint.clone()),
            aws_instance_credentials: false,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(NAME).join(name)
    }

    /// The names of all objects.
    pub fn names(&self) -> Vec<String> {
        let (root, mut names) = (self.path(""), Vec::new());
        collect_files(&root, &mut |file| {
            names.push(file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
        });
        names.sort();
        names
    }

    /// Changes the bytes of an object.
    pub fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(self.path(name)).unwrap();
        change(&mut bytes);
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Removes an object.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Lets requests for objects wait if their names contain this text.
    pub fn stall(&self, part: Option<&str>) {
        *self.stalled.lock().unwrap() = part.map(str::to_owned);
    }

    /// Refuses requests for objects if their names contain this text.
    pub fn refuse(&self, part: Option<&str>) {
        *self.refused.lock().unwrap() = part.map(str::to_owned);
    }

    /// Waits until a request waits.
    pub async fn wait_until_stalled(&self) {
        let reached = self.reached.notified();
        tokio::time::timeout(std::time::Duration::from_secs(60), reached).await.unwrap();
    }
}

fn collect_files(folder: &Path, add: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect_files(&path, add) } else { add(&path) }
    }
}
