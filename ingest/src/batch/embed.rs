//! An index on this machine, without any server: it holds what the notices under one output folder come to, prints of one tender
//! put together and corrigenda applied, and is made anew from them each time, so that a kill leaves the former one. An index that
//! follows a portal's change log is left untouched.

use super::{BatchError, desk::entries, lock, store, write_page::read_tender};
use index::{
    IndexError, IndexStore, LogPosition,
    notices::{Gathered, Role, gather},
    tender::Tender,
    vocabulary::Moment,
};
use serde::Serialize;
use std::{
    fs, io,
    path::{Path, PathBuf},
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
    /// It is another folder's.
    #[error("{}: this index is of the notices in another output folder; choose another directory with --index, or remove this one if that folder has moved", .0.display())]
    Others(PathBuf),
    /// The output folder has no path.
    #[error("{}: this folder cannot be found ({source}); choose another", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Indexed {
    /// Tenders.
    pub tenders: usize,
    /// Notices that are further prints of one of them.
    pub merged: usize,
    /// Corrigenda that changed one of them.
    pub corrected: usize,
    /// Notices that may belong to another of them, or to one that is not there; each stands by itself.
    pub doubtful: usize,
}

/// An index that `ingest` fills.
pub struct Embedded {
    catalogue: IndexStore,
    out: PathBuf,
    next: LogPosition,
    clock: fn() -> Moment,
}

impl Embedded {
    /// Opens or begins the index in a directory for the notices of an output folder. What is new to it when it is filled counts as
    /// published then, by `clock`.
    ///
    /// # Errors
    /// See [`EmbedError`].
    pub fn open(directory: &Path, out: &Path, clock: fn() -> Moment) -> Result<Self, EmbedError> {
        let place = |source| EmbedError::Out { path: out.to_owned(), source };
        let absolute = fs::create_dir_all(out).and_then(|()| fs::canonicalize(out)).map_err(place)?;
        let change_id = mark(&absolute);
        let catalogue = IndexStore::open_or_create(directory)?;
        let position = match catalogue.position() {
            Some(at) if !is_mark(at.change_id) => return Err(EmbedError::Portals(directory.to_owned())),
            Some(at) if at.change_id != change_id => return Err(EmbedError::Others(directory.to_owned())),
            Some(at) => at.position + 1,
            None => 1,
        };
        Ok(Self { catalogue, out: absolute, next: LogPosition { position, change_id }, clock })
    }

    /// Puts an index of all notices that may be published in the place of the former one. Also says which notices could not be read,
    /// and so are not in it.
    ///
    /// # Errors
    /// Where the folder cannot be listed or the index fails.
    pub(super) fn fill(&self) -> Result<(Indexed, Vec<BatchError>), BatchError> {
        let (mut notices, mut unread) = (Vec::new(), Vec::new());
        for entry in entries(&self.out)?.iter().filter(|entry| entry.standing().is_open()) {
            let Some(id) = id(&entry.notice.key) else { continue };
            match read_tender(&entry.files().markdown) {
                Ok(tender) => notices.push(Tender { id, ..tender }),
                Err(error) => unread.push(error),
            }
        }
        // The empty place of a share that went meanwhile is not what there is.
        lock::marked(&self.out)?;
        let now = (self.clock)();
        let gathered = gather(&notices, now);
        self.replace(&gathered, &notices, now).map_err(EmbedError::Index)?;
        let count =
            |wanted| gathered.iter().flat_map(|one| &one.notices).filter(|(role, _)| *role == wanted).count();
        let indexed = Indexed {
            tenders: gathered.len(),
            merged: count(Role::Source),
            corrected: count(Role::Correction),
            doubtful: gathered.iter().filter(|one| one.doubt.is_some()).count(),
        };
        Ok((indexed, unread))
    }

    fn replace(&self, gathered: &[Gathered], notices: &[Tender], now: Moment) -> Result<(), IndexError> {
        let mut rebuild = self.catalogue.rebuild()?;
        for one in gathered {
            // An earlier print that is read later gives the tender its id; it was published all the same.
            let mut published_at = None;
            for (_, nth) in &one.notices {
                let before = self.catalogue.get(notices[*nth].id)?.and_then(|before| before.published_at);
                published_at = published_at.into_iter().chain(before).min();
            }
            rebuild.put(&Tender { published_at: published_at.or(Some(now)), ..one.tender.clone() })?;
        }
        rebuild.publish(self.next)
    }
}

/// Stands in the place of a change's id, where no log stands behind: half zeros, half the output folder. No change has such an id, since
/// theirs begin with the time.
fn mark(out: &Path) -> Uuid {
    let digest = store::digest(out.as_os_str().as_encoded_bytes());
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&digest[..8]);
    Uuid::from_bytes(bytes)
}

fn is_mark(change_id: Uuid) -> bool {
    change_id.as_bytes().starts_with(&[0; 8])
}

/// A notice's id is its key, so that the same notice of the same page is always the same tender.
fn id(key: &str) -> Option<Uuid> {
    let bytes = <[u8; 16]>::try_from(hex::decode(key).ok()?).ok()?;
    Some(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        batch::{Lock, NoticeFiles, NoticeRecord, PageRecord, PublicationRule, RECORD, write_atomically},
        markdown,
    };
    use index::{ListingRequest, tender::Source, vocabulary::Kind};
    use std::collections::BTreeMap;

    fn now() -> Moment {
        "2026-11-20T09:00:00+05:30".parse().unwrap()
    }

    /// A page with one notice of some paper and day.
    fn page(out: &Path, name: &str, tender: &Tender) -> PathBuf {
        let files = NoticeFiles::of(out, &format!("{name}-01"));
        write_atomically(&files.markdown, markdown::write(tender, None).unwrap().as_bytes()).unwrap();
        let notice = NoticeRecord {
            name: format!("{name}-01"),
            extractor: "embedded".into(),
            key: store::key(name, 1, [0.0; 4]),
            kind: tender.kind,
            title: tender.title.clone(),
            doubts: Vec::new(),
            waits: false,
        };
        let record = PageRecord {
            hash: name.into(),
            version: String::new(),
            file: format!("{name}.jpg"),
            page: 1,
            from: String::new(),
            notices: vec![notice],
            rejected: Vec::new(),
            seconds: BTreeMap::new(),
            rule: PublicationRule::default(),
        };
        let path = out.join(format!("{name}{RECORD}"));
        write_atomically(&path, &serde_json::to_vec(&record).unwrap()).unwrap();
        path
    }

    fn tender(paper: &str, day: &str) -> Tender {
        let source =
            Source { publication: paper.into(), date: day.parse().ok(), page: 1, ..Source::default() };
        let mut tender = Tender {
            title: "Repair of bridges at Elpitiya".into(),
            reference_no: Some("RDA/SP/2026/117".into()),
            full_text_markdown: "Bids are invited for the repair of bridges.".into(),
            sources: vec![source],
            ..Tender::default()
        };
        tender.organization.name = "Road Development Authority".into();
        tender.dates.closing = "2026-12-15T14:00:00+05:30".parse().ok();
        tender
    }

    fn fill(directory: &Path, out: &Path) -> Indexed {
        let _lock = Lock::run(out).unwrap();
        let (indexed, unread) = Embedded::open(directory, out, now).unwrap().fill().unwrap();
        assert!(unread.is_empty(), "{unread:?}");
        indexed
    }

    fn found(directory: &Path) -> Vec<Tender> {
        let catalogue = IndexStore::open(directory).unwrap();
        let request = ListingRequest { text: Some("bridge".into()), limit: 10, ..ListingRequest::default() };
        let listing = catalogue.listing(&request, now()).unwrap();
        listing.tenders.iter().map(|one| catalogue.get(one.id()).unwrap().unwrap()).collect()
    }

    #[test]
    fn prints_and_corrigenda_are_one_tender_however_often_and_in_whatever_order_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        let mut extended = Tender { kind: Kind::Corrigendum, ..tender("Weekly", "2026-12-01") };
        extended.dates.closing = "2026-12-29T14:00:00+05:30".parse().ok();
        page(&out, "p3", &extended);
        assert_eq!(fill(&directory, &out), Indexed { tenders: 1, doubtful: 1, ..Indexed::default() });
        page(&out, "p2", &tender("Weekly", "2026-11-27"));
        fill(&directory, &out);
        let first = page(&out, "p1", &tender("Daily", "2026-11-20"));
        for _ in 0..2 {
            let whole = Indexed { tenders: 1, merged: 1, corrected: 1, doubtful: 0 };
            assert_eq!(fill(&directory, &out), whole);
        }
        let tenders = found(&directory);
        assert_eq!(tenders.len(), 1);
        assert_eq!(tenders[0].sources.len(), 3);
        assert_eq!(tenders[0].dates.closing, extended.dates.closing);
        assert_eq!(tenders[0].changes[0].field, "dates.closing");
        fs::remove_file(first).unwrap();
        assert_eq!(fill(&directory, &out).merged, 0);
        assert_eq!(found(&directory)[0].sources.len(), 2, "a page that is gone takes its print along");
    }

    #[test]
    fn a_notice_that_cannot_be_read_is_named_and_the_others_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        page(&out, "p1", &tender("Daily", "2026-11-20"));
        page(
            &out,
            "p2",
            &Tender { title: "Culverts".into(), reference_no: None, ..tender("Daily", "2026-11-20") },
        );
        fs::write(out.join("p2-01.md"), "rubbish").unwrap();
        let _lock = Lock::run(&out).unwrap();
        let (indexed, unread) = Embedded::open(&directory, &out, now).unwrap().fill().unwrap();
        assert_eq!((indexed.tenders, unread.len()), (1, 1));
        assert!(unread[0].to_string().contains("p2-01.md"), "{}", unread[0]);
    }

    #[test]
    fn an_index_of_anything_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        page(&out, "p1", &tender("Daily", "2026-11-20"));
        fill(&directory, &out);
        let other = Embedded::open(&directory, &folder.path().join("other"), now);
        assert!(matches!(other, Err(EmbedError::Others(_))));
        assert_eq!(found(&directory).len(), 1);

        let portals = folder.path().join("portals");
        let mut writer = IndexStore::open_or_create(&portals).unwrap().writer().unwrap();
        let change_id = Uuid::parse_str("01939999-0000-7000-8000-000000000001").unwrap();
        writer.commit(LogPosition { position: 7, change_id }).unwrap();
        drop(writer);
        assert!(matches!(Embedded::open(&portals, &out, now), Err(EmbedError::Portals(_))));
    }
}
