//! The index directory after kills and damage, with foreign files and other versions, and with
//! several open stores.

use crate::support::now;
use index::{IndexError, IndexStore, ListingRequest, LogPosition};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};
use tempfile::TempDir;
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

fn at(position: i64) -> LogPosition {
    LogPosition { position, change_id: Uuid::from_u128(position as u128 + 1000) }
}

fn tender(number: u128) -> Tender {
    Tender {
        id: Uuid::from_u128(number),
        title: format!("Tender number {number}"),
        status: TenderStatus::Published,
        ..Tender::default()
    }
}

fn count(store: &IndexStore) -> usize {
    let total = store.listing(&ListingRequest::default(), now()).unwrap().total;
    assert_eq!(store.stats(now()).unwrap().total, total);
    total
}

/// A directory with an index of three tenders at position 3.
fn filled_index() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = IndexStore::open_or_create(directory.path()).unwrap();
    assert_eq!(store.position(), None);
    let mut writer = store.writer().unwrap();
    (1..=3).for_each(|number| writer.put(&tender(number)).unwrap());
    writer.commit(at(3)).unwrap();
    assert_eq!((store.position(), count(&store)), (Some(at(3)), 3));
    directory
}

fn generations(directory: &Path) -> Vec<String> {
    let names =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with('g')).collect();
    names.sort();
    names
}

fn current_generation(directory: &Path) -> PathBuf {
    directory.join(fs::read_to_string(directory.join("CURRENT")).unwrap().trim())
}

#[test]
fn only_committed_changes_survive_a_dropped_writer() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    let mut writer = store.writer().unwrap();
    writer.put(&tender(4)).unwrap();
    writer.remove(Uuid::from_u128(1)).unwrap();
    assert_eq!(count(&store), 3);
    drop(writer);
    assert_eq!((store.position(), count(&store)), (Some(at(3)), 3));
    let mut writer = store.writer().unwrap();
    writer.put(&tender(4)).unwrap();
    writer.rollback().unwrap();
    writer.put(&Tender { title: "Another title".to_owned(), ..tender(2) }).unwrap();
    writer.put(&Tender { status: TenderStatus::Withdrawn, ..tender(3) }).unwrap();
    writer.put(&Tender { status: TenderStatus::Draft, ..tender(5) }).unwrap();
    writer.commit(at(7)).unwrap();
    let store = IndexStore::open(directory.path()).unwrap();
    assert_eq!((store.position(), count(&store)), (Some(at(7)), 2));
    assert_eq!(store.get(Uuid::from_u128(2)).unwrap().unwrap().title, "Another title");
    assert_eq!(store.get(Uuid::from_u128(4)).unwrap(), None);
}

#[test]
fn there_is_one_writer_at_a_time() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    let writer = store.writer().unwrap();
    assert!(matches!(store.writer(), Err(IndexError::Busy)));
    drop(writer);
    assert!(store.writer().is_ok());
}

#[test]
fn a_dropped_writer_releases_its_lock_while_processes_start() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    Command::new("true").status().unwrap();
                }
            });
        }
        let refused = (0..1000).find_map(|_| store.writer().err());
        is_done.store(true, Ordering::Relaxed);
        assert!(refused.is_none(), "{refused:?}");
    });
}

#[test]
fn a_missing_index_is_detected_and_created() {
    let directory = tempfile::tempdir().unwrap();
    let inner = directory.path().join("not/yet");
    assert!(matches!(IndexStore::open(&inner), Err(IndexError::Missing(_))));
    assert!(matches!(
        IndexStore::open(directory.path()),
        Err(IndexError::Missing(_)) | Err(IndexError::Foreign { .. })
    ));
    assert_eq!(IndexStore::open_or_create(&inner).unwrap().position(), None);
    assert_eq!(IndexStore::open(&inner).unwrap().position(), None);
}

#[test]
fn a_foreign_directory_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("thesis.odt"), "years of work").unwrap();
    for opened in [IndexStore::open(directory.path()), IndexStore::open_or_create(directory.path())] {
        let error = opened.err().unwrap();
        assert!(
            matches!(error, IndexError::Foreign { .. }) && error.to_string().contains("thesis.odt"),
            "{error}"
        );
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn damage_to_any_file_is_detected() {
    let whole = filled_index();
    let files: Vec<PathBuf> = fs::read_dir(current_generation(whole.path()))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'))
        .collect();
    assert!(files.len() > 4, "{files:?}");
    for file in files {
        let name = file.file_name().unwrap();
        let bytes = fs::read(&file).unwrap();
        let half = bytes[..bytes.len() / 2].to_vec();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 3] ^= 0x40;
        for damage in [half, flipped, Vec::new()] {
            let directory = copy_index(whole.path());
            fs::write(current_generation(directory.path()).join(name), damage).unwrap();
            let error = IndexStore::open(directory.path()).err();
            let is_repairable = error.as_ref().is_some_and(IndexError::is_fixed_by_rebuild);
            assert!(is_repairable, "{}: {error:?}", name.display());
            let store = IndexStore::open_or_create(directory.path()).unwrap();
            assert_eq!((store.position(), count(&store)), (None, 0));
            assert_eq!(generations(directory.path()).len(), 1);
        }
        let directory = copy_index(whole.path());
        fs::remove_file(current_generation(directory.path()).join(name)).unwrap();
        assert!(
            matches!(IndexStore::open(directory.path()), Err(IndexError::Damaged { .. })),
            "{} is missing",
            name.display()
        );
    }
}

#[test]
fn opening_does_not_verify_unchanged_files_again() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    store.check().unwrap();
    let file = fs::read_dir(current_generation(directory.path())).unwrap().map(|entry| entry.unwrap().path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "store")).unwrap();
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    let mut bytes = fs::read(&file).unwrap();
    bytes[3] ^= 1;
    // The new file is written beside the old one, which is still mapped.
    let other = file.with_extension("other");
    fs::write(&other, bytes).unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(written).unwrap();
    fs::rename(&other, &file).unwrap();
    let store = IndexStore::open(directory.path()).unwrap();
    assert!(matches!(store.check(), Err(IndexError::Damaged { .. })));
    // A changed modification time causes the file to be verified again.
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(written + Duration::from_secs(1))
        .unwrap();
    assert!(matches!(IndexStore::open(directory.path()), Err(IndexError::Damaged { .. })));
}

/// Searches run during commits and merges. Each commit is visible completely or not at all.
#[test]
fn searches_run_while_tenders_are_committed() {
    let directory = tempfile::tempdir().unwrap();
    let store = IndexStore::open_or_create(directory.path()).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut writer = store.writer().unwrap();
            for commit in 1..=30 {
                (1..=10).for_each(|number| writer.put(&tender(commit * 100 + number)).unwrap());
                writer.remove(Uuid::from_u128((commit - 1) * 100 + 1)).unwrap();
                writer.commit(at(commit as i64)).unwrap();
            }
            done.store(true, Ordering::Release);
        });
        let mut last = 0;
        while !done.load(Ordering::Acquire) {
            let listing = store.listing(&ListingRequest { limit: 5, ..Default::default() }, now()).unwrap();
            assert!(listing.total == 0 || listing.total % 9 == 1, "{listing:?}");
            assert!(listing.total >= last);
            last = listing.total;
        }
    });
    assert_eq!(count(&store), 30 * 9 + 1);
}

fn copy_index(from: &Path) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (current_generation(from), directory.path().join("g00000001"));
    fs::create_dir(&to).unwrap();
    for entry in fs::read_dir(&from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    fs::write(directory.path().join("CURRENT"), "g00000001\n").unwrap();
    directory
}

#[test]
fn a_damaged_current_file_is_detected() {
    for rubbish in
        ["", "g1", "../../etc", "g00000009", "g00000001\ng00000002", "\u{fffd}\0", &"g".repeat(1000)]
    {
        let directory = filled_index();
        fs::write(directory.path().join("CURRENT"), rubbish).unwrap();
        let error = IndexStore::open(directory.path()).err();
        assert!(matches!(error, Some(IndexError::Damaged { .. })), "{rubbish:?}: {error:?}");
        assert_eq!(IndexStore::open_or_create(directory.path()).unwrap().position(), None);
    }
}

#[test]
fn another_version_is_detected() {
    let directory = filled_index();
    let meta = current_generation(directory.path()).join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let versions = [("analysis", index::ANALYSIS_VERSION), ("schema", index::SCHEMA_VERSION)];
    for (name, version) in versions {
        let ours = format!(r#"\"{name}\":{version}"#);
        assert!(text.contains(&ours), "{text}");
        fs::write(&meta, text.replace(&ours, &format!(r#"\"{name}\":999"#))).unwrap();
        assert!(matches!(IndexStore::open(directory.path()), Err(IndexError::OtherVersion { .. })));
    }
    assert!(text.contains(r#""closing""#), "{text}");
    fs::write(&meta, text.replace(r#""closing""#, r#""clothing""#)).unwrap();
    assert!(matches!(
        IndexStore::open(directory.path()),
        Err(IndexError::OtherVersion { .. } | IndexError::Damaged { .. })
    ));
}

#[test]
fn a_rebuild_replaces_the_index_for_open_readers() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    let reader = store.clone();
    let mut writer = store.writer().unwrap();
    let mut rebuild = store.rebuild().unwrap();
    assert!(matches!(store.rebuild(), Err(IndexError::Busy)));
    (1..=5).for_each(|number| rebuild.put(&tender(number)).unwrap());
    rebuild.remove(Uuid::from_u128(5)).unwrap();
    assert_eq!(count(&reader), 3);
    rebuild.publish(at(9)).unwrap();
    assert_eq!((reader.position(), count(&reader)), (Some(at(9)), 4));
    // The writer of the old index gets an error, and the new index can be written.
    writer.put(&tender(6)).unwrap();
    assert!(matches!(writer.commit(at(10)), Err(IndexError::Superseded)));
    assert_eq!((reader.position(), count(&reader)), (Some(at(9)), 4));
    drop(writer);
    assert_eq!(generations(directory.path()), ["g00000002"]);
    store.writer().unwrap().commit(at(10)).unwrap();
    assert_eq!(IndexStore::open(directory.path()).unwrap().position(), Some(at(10)));
}

#[test]
fn a_dropped_rebuild_leaves_no_files() {
    let directory = filled_index();
    let store = IndexStore::open(directory.path()).unwrap();
    let mut rebuild = store.rebuild().unwrap();
    rebuild.put(&tender(9)).unwrap();
    assert_eq!(generations(directory.path()).len(), 2);
    drop(rebuild);
    assert_eq!((generations(directory.path()).len(), count(&store)), (1, 3));
    assert!(store.rebuild().is_ok());
}

/// The state after a kill between the commit and the swap of a rebuild: a complete generation that
/// nothing refers to, and a partly written `CURRENT.next`.
#[test]
fn a_kill_between_commit_and_swap_leaves_the_old_index() {
    let directory = filled_index();
    let other = filled_index();
    let stray = directory.path().join("g00000002");
    fs::rename(current_generation(other.path()), &stray).unwrap();
    fs::write(directory.path().join("CURRENT.next"), "g0000").unwrap();
    let store = IndexStore::open(directory.path()).unwrap();
    assert_eq!((store.position(), count(&store)), (Some(at(3)), 3));
    assert_eq!(generations(directory.path()), ["g00000001"]);
    let rebuild = store.rebuild().unwrap();
    rebuild.publish(at(4)).unwrap();
    assert_eq!((store.position(), count(&store)), (Some(at(4)), 0));
}

#[test]
fn readers_follow_a_rebuild_by_another_store() {
    let directory = filled_index();
    let ours = IndexStore::open(directory.path()).unwrap();
    let theirs = IndexStore::open(directory.path()).unwrap();
    assert!(!ours.refresh().unwrap());
    let mut rebuild = theirs.rebuild().unwrap();
    // Opening deletes leftovers, but not a generation that is being filled.
    drop(IndexStore::open(directory.path()).unwrap());
    rebuild.put(&tender(8)).unwrap();
    rebuild.publish(at(8)).unwrap();
    // The old generation stays until its reader switches to the new one.
    assert_eq!((ours.position(), count(&ours)), (Some(at(3)), 3));
    assert!(ours.refresh().unwrap());
    assert_eq!((ours.position(), count(&ours)), (Some(at(8)), 1));
    assert_eq!(generations(directory.path()), ["g00000002"]);
}
