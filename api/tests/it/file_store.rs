//! The same tests for each kind of place: the data folder, a bucket in memory that fails, and a bucket of
//! a server of the S3 protocol.

use crate::support::s3::Bucket;
use api::{
    base::config::{DataConfig, FilePlace, FilesConfig, S3Config},
    clients::file_store::{FileName, FileStore, ListedFile, hash},
    domain::clip::MediaType,
    storage::stored_files::FileFolder,
};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    CopyOptions, Error as StoreError, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, memory::InMemory,
    path::Path as ObjectPath,
};
use std::{
    fmt,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;

type StoreResult<T> = object_store::Result<T>;

/// A bucket in memory, of whose requests some fail.
#[derive(Debug, Default)]
struct FailingBucket {
    objects: InMemory,
    /// The number of requests that fail next.
    failures: AtomicUsize,
}

impl FailingBucket {
    fn attempt(&self) -> StoreResult<()> {
        let take = |left: usize| left.checked_sub(1);
        match self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take) {
            Ok(_) => Err(StoreError::Generic { store: "bucket", source: "503 Slow Down".into() }),
            Err(_) => Ok(()),
        }
    }
}

impl fmt::Display for FailingBucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failing bucket")
    }
}

#[async_trait::async_trait]
impl ObjectStore for FailingBucket {
    async fn put_opts(
        &self,
        at: &ObjectPath,
        bytes: PutPayload,
        options: PutOptions,
    ) -> StoreResult<PutResult> {
        self.attempt()?;
        self.objects.put_opts(at, bytes, options).await
    }

    async fn put_multipart_opts(
        &self,
        at: &ObjectPath,
        options: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        self.attempt()?;
        self.objects.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &ObjectPath, options: GetOptions) -> StoreResult<GetResult> {
        self.attempt()?;
        self.objects.get_opts(at, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, StoreResult<ObjectPath>>,
    ) -> BoxStream<'static, StoreResult<ObjectPath>> {
        match self.attempt() {
            Ok(()) => self.objects.delete_stream(paths),
            Err(error) => futures::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        match self.attempt() {
            Ok(()) => self.objects.list(prefix),
            Err(error) => futures::stream::iter([Err(error)]).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> StoreResult<ListResult> {
        self.objects.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &ObjectPath, to: &ObjectPath, options: CopyOptions) -> StoreResult<()> {
        self.objects.copy_opts(from, to, options).await
    }
}

/// A place of each kind, with its name.
async fn places(folder: &TempDir) -> Vec<(&'static str, FileStore)> {
    let data = DataConfig { data: folder.path().to_owned(), index: None };
    let s3 = Bucket::start().await.config();
    let open = |files: FilePlace| {
        FileStore::open(&data, &FilesConfig { files, files_moved_from: None, s3: s3.clone() }).unwrap()
    };
    let memory = FileStore::of_objects(Arc::new(InMemory::new()), data.incoming_files());
    vec![
        ("folder", open(FilePlace::DataFolder)),
        ("memory", memory),
        ("S3", open(FilePlace::Bucket("bucket/portal".to_owned()))),
    ]
}

async fn read_range(files: &FileStore, name: &FileName, range: Option<Range<u64>>) -> Option<(u64, Vec<u8>)> {
    let file = files.open_file(name, range).await.unwrap()?;
    let parts: Vec<Bytes> = file.content.try_collect().await.unwrap();
    assert_eq!(parts.iter().map(|part| part.len() as u64).sum::<u64>(), file.range.end - file.range.start);
    Some((file.size, parts.concat()))
}

async fn list(files: &FileStore, folder: FileFolder) -> Vec<ListedFile> {
    files.list(folder).try_collect().await.unwrap()
}

#[tokio::test]
async fn each_place_stores_reads_lists_and_deletes_files() {
    let folder = TempDir::new().unwrap();
    for (place, files) in places(&folder).await {
        let name = FileName::document(hash(b"0123456789"));
        assert!(files.size(&name).await.unwrap().is_none(), "{place}");
        assert!(read_range(&files, &name, None).await.is_none(), "{place}");
        assert_eq!(list(&files, FileFolder::Documents).await, [], "{place}");

        let mut incoming = files.receive(FileFolder::Documents).await.unwrap();
        incoming.write(b"01234").await.unwrap();
        incoming.write(b"56789").await.unwrap();
        assert_eq!(incoming.hash(), name.hash());
        assert_eq!(
            files.size(&name).await.unwrap(),
            None,
            "{place}: a file that is being received is unseen"
        );
        files.keep(incoming, &name).await.unwrap();
        assert_eq!(files.size(&name).await.unwrap(), Some(10), "{place}");
        assert_eq!(read_range(&files, &name, None).await, Some((10, b"0123456789".to_vec())), "{place}");
        assert_eq!(read_range(&files, &name, Some(3..7)).await, Some((10, b"3456".to_vec())), "{place}");
        assert_eq!(read_range(&files, &name, Some(9..10)).await, Some((10, b"9".to_vec())), "{place}");

        let clip = FileName::clip(hash(b"clip"), MediaType::Png);
        files.put_missing(&clip, b"clip".as_slice()).await.unwrap();
        files.put_missing(&clip, b"clip".as_slice()).await.unwrap();
        assert_eq!(files.read(&clip).await.unwrap().as_deref(), Some(b"clip".as_slice()), "{place}");
        let listed = list(&files, FileFolder::Clips).await;
        assert_eq!(listed.len(), 1, "{place}");
        assert_eq!((listed[0].stem(), listed[0].to_string()), (clip.hash(), clip.to_string()), "{place}");

        let [document] = &list(&files, FileFolder::Documents).await[..] else { panic!("{place}") };
        assert!(!files.delete_if_old(document, Duration::from_hours(1)).await.unwrap(), "{place}");
        assert!(files.delete_if_old(document, Duration::ZERO).await.unwrap(), "{place}");
        assert!(!files.delete_if_old(document, Duration::ZERO).await.unwrap(), "{place}");
        assert_eq!(files.size(&name).await.unwrap(), None, "{place}");
        assert_eq!(files.delete_unfinished(Duration::ZERO).await.unwrap(), 0, "{place}");
    }
}

#[tokio::test]
async fn large_file_is_sent_to_a_bucket_in_parts() {
    let folder = TempDir::new().unwrap();
    // Larger than two parts of an upload.
    let bytes: Vec<u8> = (0..17 << 20).map(|nth: u32| (nth % 251) as u8).collect();
    let name = FileName::newspaper_page(hash(&bytes));
    for (place, files) in places(&folder).await {
        let mut incoming = files.receive(FileFolder::NewspaperPages).await.unwrap();
        for part in bytes.chunks(1 << 20) {
            incoming.write(part).await.unwrap();
        }
        files.keep(incoming, &name).await.unwrap();
        assert!(files.read(&name).await.unwrap().is_some_and(|read| read == bytes), "{place}");
        let middle = read_range(&files, &name, Some(8_388_600..8_388_620)).await.unwrap();
        assert_eq!(middle, (17 << 20, bytes[8_388_600..8_388_620].to_vec()), "{place}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path().join("incoming-files")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn bucket_that_fails_gives_errors_and_keeps_nothing_halfway() {
    let folder = TempDir::new().unwrap();
    let bucket = Arc::new(FailingBucket::default());
    let files = FileStore::of_objects(bucket.clone(), folder.path().to_owned());
    let fail_next = || bucket.failures.store(1, Ordering::SeqCst);
    let small = FileName::document(hash(b"small"));
    let large_bytes = vec![7; 9 << 20];
    let large = FileName::document(hash(&large_bytes));
    for (name, bytes) in [(&small, b"small".as_slice()), (&large, &large_bytes)] {
        let mut incoming = files.receive(FileFolder::Documents).await.unwrap();
        incoming.write(bytes).await.unwrap();
        fail_next();
        let error = anyhow::Error::from(files.keep(incoming, name).await.unwrap_err());
        let error = format!("{error:#}");
        assert!(error.contains("503 Slow Down") && error.contains(name.hash()), "{error}");
        assert_eq!(files.size(name).await.unwrap(), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the received file is deleted");
    }
    files.put(&small, b"small".as_slice()).await.unwrap();
    fail_next();
    assert!(files.size(&small).await.is_err(), "a bucket that fails does not lack the file");
    fail_next();
    assert!(files.read(&small).await.is_err());
    fail_next();
    assert!(files.open_file(&small, None).await.is_err());
    fail_next();
    assert!(files.list(FileFolder::Documents).try_collect::<Vec<_>>().await.is_err());
    fail_next();
    assert!(files.delete(&small).await.is_err());
    assert_eq!(files.read(&small).await.unwrap().as_deref(), Some(b"small".as_slice()));
}

#[tokio::test]
async fn wrong_access_key_is_an_error_and_not_a_missing_file() {
    let folder = TempDir::new().unwrap();
    let data = DataConfig { data: folder.path().to_owned(), index: None };
    let s3 = S3Config { aws_secret_access_key: Some("another".into()), ..Bucket::start().await.config() };
    let place = FilePlace::Bucket("bucket".to_owned());
    let files = FileStore::open(&data, &FilesConfig { files: place, files_moved_from: None, s3 }).unwrap();
    assert!(files.size(&FileName::document(hash(b"x"))).await.is_err());
    assert!(files.put(&FileName::document(hash(b"x")), b"x".as_slice()).await.is_err());
}

#[tokio::test]
async fn files_are_read_from_the_earlier_place_while_they_are_moved() {
    let folder = TempDir::new().unwrap();
    let place = || FileStore::of_objects(Arc::new(InMemory::new()), folder.path().to_owned());
    let (new, earlier) = (place(), place());
    let files = new.clone().moved_from(earlier.clone());
    let name = FileName::document(hash(b"old"));
    earlier.put(&name, b"old".as_slice()).await.unwrap();
    assert_eq!(files.size(&name).await.unwrap(), Some(3));
    assert_eq!(files.read(&name).await.unwrap().as_deref(), Some(b"old".as_slice()));
    assert_eq!(read_range(&files, &name, Some(1..2)).await, Some((3, b"l".to_vec())));
    assert!(files.current().read(&name).await.unwrap().is_none());
    files.put_missing(&name, b"old".as_slice()).await.unwrap();
    assert!(new.read(&name).await.unwrap().is_some(), "a file that is sent again is stored in the new place");
    assert!(
        !files
            .earlier()
            .unwrap()
            .list(FileFolder::Documents)
            .try_collect::<Vec<_>>()
            .await
            .unwrap()
            .is_empty()
    );
}
