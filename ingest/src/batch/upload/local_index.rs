//! [`LocalIndex`]: a search index without a server. It holds the tenders of one output folder, with
//! repeated notices merged and corrigenda applied. Each run rebuilds the index. If the process is
//! killed during a rebuild, the former index remains. An index that follows the change log of a
//! portal is never overwritten.

use crate::{
    base::digest::sha256,
    batch::{
        BatchError, LocalIndexError,
        output::{file_io::read_tender, lock},
        review::review_store::stored_notices,
    },
};
use index::{IndexError, IndexStore, LogPosition};
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tender_model::{
    deduplication::{Role, TenderGroup, gather},
    tender::Tender,
    vocabulary::Moment,
};
use uuid::Uuid;

/// The content of a local index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexCounts {
    /// Tenders.
    pub tenders: usize,
    /// Notices that repeat a tender and were merged into it.
    pub merged: usize,
    /// Corrigenda that were applied to a tender.
    pub corrected: usize,
    /// Notices that may belong to another tender. Each is a tender of its own.
    pub doubtful: usize,
}

/// A local search index.
pub struct LocalIndex {
    store: IndexStore,
    out: PathBuf,
    next: LogPosition,
    clock: fn() -> Moment,
}

impl LocalIndex {
    /// Opens or creates the index for an output folder. The publication time of a new tender is the
    /// time of `clock` when the index is filled.
    pub fn open(directory: &Path, out: &Path, clock: fn() -> Moment) -> Result<Self, LocalIndexError> {
        let place = |source| LocalIndexError::Out { path: out.to_owned(), source };
        let absolute = fs::create_dir_all(out).and_then(|()| fs::canonicalize(out)).map_err(place)?;
        let change_id = local_change_id(&absolute);
        let store = IndexStore::open_or_create(directory)?;
        let position = match store.position() {
            Some(at) if !is_local(at.change_id) => {
                return Err(LocalIndexError::FollowsPortal(directory.to_owned()));
            }
            Some(at) if at.change_id != change_id => {
                return Err(LocalIndexError::OtherOutput(directory.to_owned()));
            }
            Some(at) => at.position + 1,
            None => 1,
        };
        Ok(Self { store, out: absolute, next: LogPosition { position, change_id }, clock })
    }

    /// Rebuilds the index from all notices that may be published. Also returns errors for notices
    /// that could not be read.
    pub(crate) fn fill(&self) -> Result<(IndexCounts, Vec<BatchError>), BatchError> {
        let (mut notices, mut unread) = (Vec::new(), Vec::new());
        for entry in stored_notices(&self.out)?.iter().filter(|entry| entry.review_state().may_be_published())
        {
            let Some(id) = tender_id(&entry.notice.key) else { continue };
            match read_tender(&entry.files().markdown) {
                Ok(tender) => notices.push(Tender { id, ..tender }),
                Err(error) => unread.push(error),
            }
        }
        // An unavailable share leaves an empty mount point, which must not be indexed.
        lock::check_run_lock_file(&self.out)?;
        let now = (self.clock)();
        let gathered = gather(&notices, now);
        self.replace(&gathered, &notices, now).map_err(LocalIndexError::Index)?;
        let count =
            |wanted| gathered.iter().flat_map(|one| &one.notices).filter(|(role, _)| *role == wanted).count();
        let indexed = IndexCounts {
            tenders: gathered.len(),
            merged: count(Role::Source),
            corrected: count(Role::Correction),
            doubtful: gathered.iter().filter(|one| one.doubt.is_some()).count(),
        };
        Ok((indexed, unread))
    }

    fn replace(&self, gathered: &[TenderGroup], notices: &[Tender], now: Moment) -> Result<(), IndexError> {
        let mut rebuild = self.store.rebuild()?;
        for one in gathered {
            // If a later run reads an earlier notice of a tender, the tender gets the id of that
            // notice, but its publication time does not change.
            let mut published_at = None;
            for (_, nth) in &one.notices {
                let before = self.store.get(notices[*nth].id)?.and_then(|before| before.published_at);
                published_at = published_at.into_iter().chain(before).min();
            }
            rebuild.put(&Tender { published_at: published_at.or(Some(now)), ..one.tender.clone() })?;
        }
        rebuild.publish(self.next)
    }
}

/// The change id of an index without a change log: eight zero bytes and a hash of the path of the
/// output folder. The change id of a portal begins with the time and never has this form.
fn local_change_id(out: &Path) -> Uuid {
    let digest = sha256(out.as_os_str().as_encoded_bytes());
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&digest[..8]);
    Uuid::from_bytes(bytes)
}

fn is_local(change_id: Uuid) -> bool {
    change_id.as_bytes().starts_with(&[0; 8])
}

/// The tender id of a notice. It is derived from the key, so that the same notice always has the
/// same id.
fn tender_id(key: &str) -> Option<Uuid> {
    let bytes = <[u8; 16]>::try_from(hex::decode(key).ok()?).ok()?;
    Some(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::files::write_atomically,
        batch::{
            Lock, NoticeFiles, NoticeRecord, PageRecord, PublicationRule, RECORD_SUFFIX, output::record,
        },
        markdown,
    };
    use index::ListingRequest;
    use std::collections::BTreeMap;
    use tender_model::{tender::Source, vocabulary::Kind};

    fn now() -> Moment {
        "2026-11-20T09:00:00+05:30".parse().unwrap()
    }

    /// Writes a page with one notice.
    fn write_page(out: &Path, name: &str, tender: &Tender) -> PathBuf {
        let files = NoticeFiles::of(out, &format!("{name}-01"));
        write_atomically(&files.markdown, markdown::write(tender, None).unwrap().as_bytes()).unwrap();
        let notice = NoticeRecord {
            name: format!("{name}-01"),
            extractor: "embedded".into(),
            key: record::key(name, 1, [0.0; 4]),
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
        let path = out.join(format!("{name}{RECORD_SUFFIX}"));
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

    fn fill(directory: &Path, out: &Path) -> IndexCounts {
        let _lock = Lock::acquire_run(out).unwrap();
        let (indexed, unread) = LocalIndex::open(directory, out, now).unwrap().fill().unwrap();
        assert!(unread.is_empty(), "{unread:?}");
        indexed
    }

    fn found(directory: &Path) -> Vec<Tender> {
        let store = IndexStore::open(directory).unwrap();
        let request = ListingRequest { text: Some("bridge".into()), limit: 10, ..ListingRequest::default() };
        let listing = store.listing(&request, now()).unwrap();
        listing.tenders.iter().map(|one| store.get(one.id()).unwrap().unwrap()).collect()
    }

    #[test]
    fn repeated_notices_and_corrigenda_are_merged_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        let mut extended = Tender { kind: Kind::Corrigendum, ..tender("Weekly", "2026-12-01") };
        extended.dates.closing = "2026-12-29T14:00:00+05:30".parse().ok();
        write_page(&out, "p3", &extended);
        assert_eq!(fill(&directory, &out), IndexCounts { tenders: 1, doubtful: 1, ..IndexCounts::default() });
        write_page(&out, "p2", &tender("Weekly", "2026-11-27"));
        fill(&directory, &out);
        let first = write_page(&out, "p1", &tender("Daily", "2026-11-20"));
        for _ in 0..2 {
            let whole = IndexCounts { tenders: 1, merged: 1, corrected: 1, doubtful: 0 };
            assert_eq!(fill(&directory, &out), whole);
        }
        let tenders = found(&directory);
        assert_eq!(tenders.len(), 1);
        assert_eq!(tenders[0].sources.len(), 3);
        assert_eq!(tenders[0].dates.closing, extended.dates.closing);
        assert_eq!(tenders[0].changes[0].field, "dates.closing");
        fs::remove_file(first).unwrap();
        assert_eq!(fill(&directory, &out).merged, 0);
        assert_eq!(found(&directory)[0].sources.len(), 2, "the source of a removed page is removed");
    }

    #[test]
    fn an_unreadable_notice_is_reported_and_the_others_are_indexed() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        write_page(&out, "p1", &tender("Daily", "2026-11-20"));
        write_page(
            &out,
            "p2",
            &Tender { title: "Culverts".into(), reference_no: None, ..tender("Daily", "2026-11-20") },
        );
        fs::write(out.join("p2-01.md"), "rubbish").unwrap();
        let _lock = Lock::acquire_run(&out).unwrap();
        let (indexed, unread) = LocalIndex::open(&directory, &out, now).unwrap().fill().unwrap();
        assert_eq!((indexed.tenders, unread.len()), (1, 1));
        assert!(unread[0].to_string().contains("p2-01.md"), "{}", unread[0]);
    }

    #[test]
    fn a_foreign_index_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let (directory, out) = (folder.path().join("index"), folder.path().join("out"));
        write_page(&out, "p1", &tender("Daily", "2026-11-20"));
        fill(&directory, &out);
        let other = LocalIndex::open(&directory, &folder.path().join("other"), now);
        assert!(matches!(other, Err(LocalIndexError::OtherOutput(_))));
        assert_eq!(found(&directory).len(), 1);

        let portals = folder.path().join("portals");
        let mut writer = IndexStore::open_or_create(&portals).unwrap().writer().unwrap();
        let change_id = Uuid::parse_str("01939999-0000-7000-8000-000000000001").unwrap();
        writer.commit(LogPosition { position: 7, change_id }).unwrap();
        drop(writer);
        assert!(matches!(LocalIndex::open(&portals, &out, now), Err(LocalIndexError::FollowsPortal(_))));
    }
}
