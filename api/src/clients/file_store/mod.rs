//! The files of the portal: clips, documents, newspaper files and the pictures of their pages. They are
//! in the data folder, or in a bucket of an S3-compatible service. A file is named by the hash of its
//! content, so its content never changes. It is stored at once: it is complete, or not there.
//!
//! While files are moved to another place, new files are stored there, and a file that is not there yet
//! is read from the earlier place.

mod bucket;
mod error;
mod incoming;
mod name;
mod observer;
mod place;
mod stored;

pub use bucket::{Patience, open_bucket};
pub use error::FileError;
pub use incoming::IncomingFile;
pub use name::{FileName, folder_name, hash, is_hash};
pub use observer::{FileObserver, FileOperation, FileOutcome};
pub use stored::{ListedFile, OpenFile};

use crate::{
    base::config::{DataConfig, FilesConfig},
    storage::stored_files::FileFolder,
};
use bytes::Bytes;
use futures::stream::BoxStream;
use object_store::ObjectStore;
use observer::Observed;
use place::Place;
use std::{ops::Range, path::PathBuf, sync::Arc, time::Duration};

/// The places of the files of a portal. Clones share them.
#[derive(Debug, Clone)]
pub struct FileStore {
    place: Place,
    /// The place from which the files are being moved.
    earlier: Option<Place>,
}

impl FileStore {
    /// Opens the places of the settings. Requests to a bucket are made later, so that a portal starts while
    /// its bucket does not answer.
    ///
    /// # Errors
    /// Fails if the data folder can't be created, or if the settings of a bucket are incomplete.
    pub fn open(data: &DataConfig, files: &FilesConfig) -> anyhow::Result<Self> {
        let place = Place::open(data, &files.files, &files.s3)?;
        let earlier = match &files.files_moved_from {
            Some(earlier) if *earlier != files.files => Some(Place::open(data, earlier, &files.s3)?),
            _ => None,
        };
        Ok(Self { place, earlier })
    }

    /// Uses these objects as a bucket. Files are received in the folder `incoming`.
    #[must_use]
    pub fn of_objects(objects: Arc<dyn ObjectStore>, incoming: PathBuf) -> Self {
        Self { place: Place::of_objects(objects, incoming, "the bucket".to_owned()), earlier: None }
    }

    /// The same places, whose requests are observed.
    #[must_use]
    pub fn observed_by(mut self, observer: &Arc<impl FileObserver + 'static>) -> Self {
        for place in std::iter::once(&mut self.place).chain(&mut self.earlier) {
            place.observed = Observed::by(observer.clone());
        }
        self
    }

    /// The same place, with a place from which the files are being moved.
    #[must_use]
    pub fn moved_from(self, earlier: Self) -> Self {
        Self { place: self.place, earlier: Some(earlier.place) }
    }

    /// The place of new files alone.
    #[must_use]
    pub fn current(&self) -> Self {
        Self { place: self.place.clone(), earlier: None }
    }

    /// The place from which the files are being moved. `None`: no files are being moved.
    #[must_use]
    pub fn earlier(&self) -> Option<Self> {
        self.earlier.clone().map(|place| Self { place, earlier: None })
    }

    /// The name of the place of new files, for messages.
    #[must_use]
    pub fn place_name(&self) -> &str {
        &self.place.name
    }

    /// Begins to receive a file.
    ///
    /// # Errors
    /// Fails if no temporary file can be created.
    pub async fn receive(&self, folder: FileFolder) -> Result<IncomingFile, FileError> {
        self.place.receive(folder).await
    }

    /// Stores a received file under this name. A file of this name is replaced, so that its age counts
    /// from now.
    ///
    /// # Errors
    /// Fails if the file can't be stored. Nothing is stored then.
    pub async fn keep(&self, incoming: IncomingFile, name: &FileName) -> Result<(), FileError> {
        self.place.keep(incoming, name).await
    }

    /// Stores these bytes. A file of this name is replaced, so that its age counts from now.
    ///
    /// # Errors
    /// Fails if the file can't be stored. Nothing is stored then.
    pub async fn put(&self, name: &FileName, bytes: impl Into<Bytes>) -> Result<(), FileError> {
        self.place.put(name, bytes.into()).await
    }

    /// Stores these bytes, unless the place of new files has a file of this name and size.
    ///
    /// # Errors
    /// Fails if the file can't be stored. Nothing is stored then.
    pub async fn put_missing(&self, name: &FileName, bytes: impl Into<Bytes>) -> Result<(), FileError> {
        let bytes = bytes.into();
        if self.place.size(name).await? == Some(bytes.len() as u64) {
            return Ok(());
        }
        self.place.put(name, bytes).await
    }

    /// The size of a file in bytes. `None`: there is no such file.
    ///
    /// # Errors
    /// Fails if a place can't be read.
    pub async fn size(&self, name: &FileName) -> Result<Option<u64>, FileError> {
        match (self.place.size(name).await?, &self.earlier) {
            (None, Some(earlier)) => earlier.size(name).await,
            (found, _) => Ok(found),
        }
    }

    /// Opens a file, or a range of its bytes, which must be within the file. `None`: there is no such file.
    ///
    /// # Errors
    /// Fails if a place can't be read.
    pub async fn open_file(
        &self,
        name: &FileName,
        range: Option<Range<u64>>,
    ) -> Result<Option<OpenFile>, FileError> {
        match (self.place.open_file(name, range.clone()).await?, &self.earlier) {
            (None, Some(earlier)) => earlier.open_file(name, range).await,
            (found, _) => Ok(found),
        }
    }

    /// Reads a whole file. `None`: there is no such file.
    ///
    /// # Errors
    /// Fails if a place can't be read.
    pub async fn read(&self, name: &FileName) -> Result<Option<Bytes>, FileError> {
        match (self.place.read(name).await?, &self.earlier) {
            (None, Some(earlier)) => earlier.read(name).await,
            (found, _) => Ok(found),
        }
    }

    /// Lists the files of a folder in the place of new files. The listing may contain files that are still
    /// being written.
    #[must_use]
    pub fn list(&self, folder: FileFolder) -> BoxStream<'static, Result<ListedFile, FileError>> {
        self.place.list(folder)
    }

    /// Deletes a file from the place of new files. Returns `false` if there is no such file.
    ///
    /// # Errors
    /// Fails if the file can't be deleted.
    pub async fn delete(&self, name: &FileName) -> Result<bool, FileError> {
        self.place.delete(&name.object()).await
    }

    /// Deletes a listed file, unless it was written again less than `min_age` ago. Returns whether it was
    /// deleted.
    ///
    /// # Errors
    /// Fails if the file can't be deleted.
    pub async fn delete_if_old(&self, file: &ListedFile, min_age: Duration) -> Result<bool, FileError> {
        Ok(self.place.is_old(&file.path, min_age).await? && self.place.delete(&file.path).await?)
    }

    /// Deletes what was being received when a process died, at least `min_age` ago. Returns the number of
    /// files.
    ///
    /// # Errors
    /// Fails if a folder can't be read.
    pub async fn delete_unfinished(&self, min_age: Duration) -> Result<usize, FileError> {
        self.place.delete_unfinished(min_age).await
    }
}
