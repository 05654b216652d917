//! Notices straight into an index on this machine, without any server. Such an index belongs to `ingest` alone: one that
//! follows a portal's change log is left untouched.

use super::{
    BatchError, Standing,
    store::{NoticeFiles, NoticeRecord},
    write_page::read_tender,
};
use index::{Catalogue, IndexError, LogPosition, Writer, vocabulary::Moment};
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// Why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The index itself.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// It is a portal's.
    #[error("{}: this index follows a portal's changes and must not be written by hand; choose another directory with --index, or --publish to that portal", .0.display())]
    Portals(PathBuf),
}

/// An index that `ingest` fills.
pub struct Embedded {
    catalogue: Catalogue,
    writer: Mutex<Writer>,
    next: i64,
    now: Moment,
}

impl Embedded {
    /// Opens or begins the index in a directory. `now` is when notices that are new to it count as published.
    ///
    /// # Errors
    /// See [`EmbedError`].
    pub fn open(directory: &Path, now: Moment) -> Result<Self, EmbedError> {
        let catalogue = Catalogue::open_or_begin(directory)?;
        let next = match catalogue.position() {
            // No change of a log has this id: it marks what no log stands behind.
            Some(at) if !at.change_id.is_nil() => return Err(EmbedError::Portals(directory.to_owned())),
            Some(at) => at.position + 1,
            None => 1,
        };
        let writer = Mutex::new(catalogue.writer()?);
        Ok(Self { catalogue, writer, next, now })
    }

    /// Puts the notices of a page that may be published in the place of their former selves, and removes those that a
    /// person has rejected.
    ///
    /// # Errors
    /// Where a notice's file or the index fails.
    pub(super) fn put(&self, folder: &Path, notices: &[NoticeRecord]) -> Result<(), BatchError> {
        for notice in notices {
            match notice.standing(folder) {
                Standing::Ready | Standing::Accepted => {}
                Standing::Rejected { .. } => {
                    self.remove(std::iter::once(notice))?;
                    continue;
                }
                Standing::Waiting { .. } => continue,
            }
            let path = NoticeFiles::of(folder, &notice.name).markdown;
            let mut tender = read_tender(&path)?;
            let Some(id) = id(&notice.key) else { continue };
            let before = self.catalogue.get(id).map_err(EmbedError::Index)?;
            tender.id = id;
            tender.published_at = before.and_then(|before| before.published_at).or(Some(self.now));
            self.writer().put(&tender).map_err(EmbedError::Index)?;
        }
        Ok(())
    }

    /// Removes notices that a page no longer has.
    ///
    /// # Errors
    /// Where the index fails.
    pub(super) fn remove<'n>(&self, gone: impl Iterator<Item = &'n NoticeRecord>) -> Result<(), BatchError> {
        for id in gone.filter_map(|notice| id(&notice.key)) {
            self.writer().remove(id).map_err(EmbedError::Index)?;
        }
        Ok(())
    }

    /// Lets all that was put be seen. Until then, nothing of this batch is.
    ///
    /// # Errors
    /// Where the index fails.
    pub(super) fn commit(&self) -> Result<(), BatchError> {
        let at = LogPosition { position: self.next, change_id: Uuid::nil() };
        Ok(self.writer().commit(at).map_err(EmbedError::Index)?)
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A notice's id is its key, so that the same notice of the same page is always the same tender.
fn id(key: &str) -> Option<Uuid> {
    let bytes = <[u8; 16]>::try_from(hex::decode(key).ok()?).ok()?;
    Some(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{batch::write_atomically, markdown};
    use index::{
        ListingRequest,
        tender::Tender,
        vocabulary::{Kind, TenderStatus},
    };

    fn now() -> Moment {
        "2026-11-20T09:00:00+05:30".parse().unwrap()
    }

    fn notice(folder: &Path) -> NoticeRecord {
        let tender = Tender {
            title: "Repair of bridges".into(),
            status: TenderStatus::Published,
            ..Tender::default()
        };
        let files = NoticeFiles::of(folder, "p1-01");
        write_atomically(&files.markdown, markdown::write(&tender, None).unwrap().as_bytes()).unwrap();
        NoticeRecord {
            name: "p1-01".into(),
            extractor: "embedded".into(),
            key: "0b".repeat(16),
            kind: Kind::Purchase,
            title: tender.title,
            doubts: Vec::new(),
        }
    }

    fn titles(directory: &Path) -> Vec<String> {
        let catalogue = Catalogue::open(directory).unwrap();
        let request = ListingRequest { text: Some("bridge".into()), limit: 10, ..ListingRequest::default() };
        let listing = catalogue.listing(&request, now()).unwrap();
        listing.tenders.into_iter().map(|tender| tender.title().to_owned()).collect()
    }

    #[test]
    fn what_is_put_is_found_once_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("index");
        let notice = notice(folder.path());
        for _ in 0..2 {
            let embedded = Embedded::open(&directory, now()).unwrap();
            embedded.put(folder.path(), std::slice::from_ref(&notice)).unwrap();
            embedded.commit().unwrap();
            assert_eq!(titles(&directory), ["Repair of bridges"]);
        }
        let embedded = Embedded::open(&directory, now()).unwrap();
        embedded.remove([&notice].into_iter()).unwrap();
        embedded.commit().unwrap();
        assert!(titles(&directory).is_empty());
    }

    #[test]
    fn a_portals_index_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Catalogue::open_or_begin(folder.path()).unwrap().writer().unwrap();
        writer.commit(LogPosition { position: 7, change_id: Uuid::from_u128(5) }).unwrap();
        drop(writer);
        assert!(matches!(Embedded::open(folder.path(), now()), Err(EmbedError::Portals(_))));
    }
}
