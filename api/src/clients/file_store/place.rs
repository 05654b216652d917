//! One place of files: the data folder, or a bucket.

use super::{
    bucket::{Patience, open_bucket},
    error::{FileError, FileErrorCause},
    incoming::{IncomingFile, delete_unfinished},
    name::{FileName, folder_name},
    observer::{FileOperation, Observed},
    stored::{ListedFile, OpenFile, is_old},
};
use crate::{
    base::config::{DataConfig, FilePlace, S3Config},
    storage::stored_files::FileFolder,
};
use anyhow::Context;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    Error as StoreError, GetOptions, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt,
    local::LocalFileSystem, path::Path as ObjectPath,
};
use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::task::spawn_blocking;

/// A place of files. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    objects: Arc<dyn ObjectStore>,
    kind: PlaceKind,
    /// The name for messages.
    pub(super) name: String,
    /// Records the requests.
    pub(super) observed: Observed,
}

#[derive(Debug, Clone)]
enum PlaceKind {
    /// The data folder.
    Folder(PathBuf),
    /// A bucket. Files are received in this folder before they are sent to the bucket.
    Bucket { incoming: PathBuf },
}

impl Place {
    pub(super) fn open(data: &DataConfig, place: &FilePlace, s3: &S3Config) -> anyhow::Result<Self> {
        match place {
            FilePlace::DataFolder => Self::in_folder(&data.data),
            FilePlace::Bucket(bucket) => {
                let objects = open_bucket(bucket, s3, Patience::Short).context("FILES")?;
                Ok(Self::of_objects(objects, data.incoming_files(), place.to_string()))
            }
        }
    }

    fn in_folder(data: &Path) -> anyhow::Result<Self> {
        let shown = data.display().to_string();
        std::fs::create_dir_all(data).with_context(|| format!("creating {shown}"))?;
        let objects = LocalFileSystem::new_with_prefix(data).with_context(|| format!("opening {shown}"))?;
        Ok(Self {
            objects: Arc::new(objects),
            kind: PlaceKind::Folder(data.to_owned()),
            name: shown,
            observed: Observed::default(),
        })
    }

    pub(super) fn of_objects(objects: Arc<dyn ObjectStore>, incoming: PathBuf, name: String) -> Self {
        Self { objects, kind: PlaceKind::Bucket { incoming }, name, observed: Observed::default() }
    }

    pub(super) async fn receive(&self, folder: FileFolder) -> Result<IncomingFile, FileError> {
        let path = match &self.kind {
            PlaceKind::Folder(data) => data.join(folder_name(folder)),
            PlaceKind::Bucket { incoming } => incoming.clone(),
        };
        IncomingFile::begin(&path)
            .await
            .map_err(|error| FileError::new(format!("creating a file in {}", path.display()), error))
    }

    pub(super) async fn keep(&self, incoming: IncomingFile, name: &FileName) -> Result<(), FileError> {
        match &self.kind {
            PlaceKind::Folder(data) => {
                let path = data.join(name.to_string());
                let kept = self.observed.request(FileOperation::Write, incoming.keep(&path)).await;
                kept.map_err(|error| self.failure("storing", name, error))
            }
            PlaceKind::Bucket { .. } => {
                let object = name.object();
                let sent = incoming.send(&self.objects, &object);
                let sent = self.observed.request(FileOperation::Write, sent).await;
                sent.map_err(|error| self.failure("storing", name, error))
            }
        }
    }

    pub(super) async fn put(&self, name: &FileName, bytes: Bytes) -> Result<(), FileError> {
        match &self.kind {
            PlaceKind::Folder(_) => {
                let mut incoming = self.receive(name.folder()).await?;
                let written = incoming.write(&bytes).await;
                written.map_err(|error| self.failure("storing", name, error))?;
                self.keep(incoming, name).await
            }
            PlaceKind::Bucket { .. } => {
                let object = name.object();
                let put = self.objects.put(&object, bytes.into());
                let put = self.observed.request(FileOperation::Write, put).await;
                put.map(drop).map_err(|error| self.failure("storing", name, error))
            }
        }
    }

    pub(super) async fn size(&self, name: &FileName) -> Result<Option<u64>, FileError> {
        let found = self.find(&name.object()).await;
        Ok(found.map_err(|error| self.failure("looking for", name, error))?.map(|meta| meta.size))
    }

    async fn find(&self, path: &ObjectPath) -> Result<Option<ObjectMeta>, StoreError> {
        let request = async { present(self.objects.head(path).await) };
        self.observed.request(FileOperation::Find, request).await
    }

    pub(super) async fn open_file(
        &self,
        name: &FileName,
        range: Option<Range<u64>>,
    ) -> Result<Option<OpenFile>, FileError> {
        let started = Instant::now();
        let found = self.get(name, GetOptions::new().with_range(range)).await?;
        let observed = self.observed.clone();
        Ok(found.map(|result| OpenFile {
            size: result.meta.size,
            range: result.range.clone(),
            content: result
                .into_stream()
                .inspect(move |part| {
                    if part.is_err() {
                        observed.record(FileOperation::Read, part, started.elapsed());
                    }
                })
                .boxed(),
        }))
    }

    pub(super) async fn read(&self, name: &FileName) -> Result<Option<Bytes>, FileError> {
        let Some(found) = self.get(name, GetOptions::new()).await? else { return Ok(None) };
        let bytes = found.bytes().await;
        bytes.map(Some).map_err(|error| self.failure("reading", name, error))
    }

    async fn get(&self, name: &FileName, options: GetOptions) -> Result<Option<GetResult>, FileError> {
        let object = name.object();
        let request = async { present(self.objects.get_opts(&object, options).await) };
        let found = self.observed.request(FileOperation::Read, request).await;
        found.map_err(|error| self.failure("opening", name, error))
    }

    pub(super) fn list(&self, folder: FileFolder) -> BoxStream<'static, Result<ListedFile, FileError>> {
        let folder = folder_name(folder);
        let name = self.name.clone();
        let listed = self.objects.list(Some(&ObjectPath::from(folder)));
        let listed =
            listed.map_ok(|meta| ListedFile { path: meta.location, written_at: meta.last_modified.into() });
        listed.map_err(move |error| FileError::new(format!("listing {folder} in {name}"), error)).boxed()
    }

    pub(super) async fn delete(&self, path: &ObjectPath) -> Result<bool, FileError> {
        let request = async { present(self.objects.delete(path).await) };
        let deleted = self.observed.request(FileOperation::Delete, request).await;
        let deleted = deleted.map_err(|error| self.failure("deleting", path, error))?;
        Ok(deleted.is_some())
    }

    pub(super) async fn is_old(&self, path: &ObjectPath, min_age: Duration) -> Result<bool, FileError> {
        let found = self.find(path).await;
        let found = found.map_err(|error| self.failure("looking for", path, error))?;
        Ok(found.is_some_and(|meta| is_old(meta.last_modified.into(), min_age)))
    }

    pub(super) async fn delete_unfinished(&self, min_age: Duration) -> Result<usize, FileError> {
        let folders = match &self.kind {
            PlaceKind::Folder(data) => {
                FileFolder::ALL.into_iter().map(|folder| data.join(folder_name(folder))).collect()
            }
            PlaceKind::Bucket { incoming } => vec![incoming.clone()],
        };
        let mut deleted = 0;
        for folder in folders {
            let shown = folder.display().to_string();
            let delete = spawn_blocking(move || delete_unfinished(&folder, min_age)).await;
            let result = delete.unwrap_or_else(|error| Err(error.into()));
            deleted += result.map_err(|error| FileError::new(format!("cleaning {shown}"), error))?;
        }
        Ok(deleted)
    }

    fn failure(&self, action: &str, name: &impl ToString, error: impl Into<FileErrorCause>) -> FileError {
        FileError::new(format!("{action} {} in {}", name.to_string(), self.name), error)
    }
}

/// Separates a missing object from other errors.
fn present<T>(result: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
