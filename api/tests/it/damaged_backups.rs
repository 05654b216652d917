//! Backups with damaged files and tables, failed backups, and what killed backups leave behind.

use crate::{
    backup::{full_portal, run, run_ok},
    support::{TestDatabase, TestPortal, publishing, s3::Bucket, server, wait_for},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// The SHA-256 of "a picture".
const PICTURE: &str = "92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b";

/// The stored files of a place of backups, in order.
fn stored_files(place: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(place.join("files")).unwrap().map(|folder| folder.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// The object of the newest backup whose name begins like this.
fn object(place: &Path, start: &str) -> PathBuf {
    let backups = fs::read_dir(place.join("backups")).unwrap().map(|backup| backup.unwrap().path());
    let objects = fs::read_dir(backups.max().unwrap()).unwrap().map(|object| object.unwrap().path());
    objects.into_iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(start)).unwrap()
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn damaged_files_are_copied_again() {
    let (portal, _) = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    // A picture has no size in the database.
    let picture = data.join("newspaper-pages").join(PICTURE);
    fs::write(&picture, b"a picture").unwrap();
    sqlx::query("update page set picture = $1").bind(PICTURE).execute(&portal.state.db).await.unwrap();
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("4 files (4 new)"), "{output}");
    let verify_fails = |problems: &str, advice: &str| {
        let (succeeded, output) = run(server::command().args(["backup", "verify", dest]), &url, &data);
        assert!(!succeeded && output.contains(problems) && output.contains(advice), "{output}");
    };

    for file in stored_files(place.path()) {
        change(&file, |bytes| bytes.truncate(1));
    }
    verify_fails("has 4 damaged files", "api backup DEST --repair");
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("4 files (4 new)"), "a truncated file is copied again: {output}");
    assert!(run_ok(&["backup", "verify", dest], &url, &data).ends_with("is whole\n"));

    // Without reading it, a backup cannot see that a file of the right size is damaged.
    for file in stored_files(place.path()) {
        change(&file, |bytes| bytes[0] ^= 1);
    }
    verify_fails("has 4 damaged files", "api backup DEST --repair");
    let output = run_ok(&["backup", dest, "--repair"], &url, &data);
    assert!(output.contains("4 files (4 new)"), "{output}");
    let listed = run_ok(&["backup", "list", dest], &url, &data);
    for backup in listed.lines() {
        let id = backup.split('\t').next().unwrap();
        assert!(run_ok(&["backup", "verify", dest, "--at", id], &url, &data).ends_with("is whole\n"));
    }
    let output = run_ok(&["backup", dest, "--repair"], &url, &data);
    assert!(output.contains("4 files (0 new)"), "whole files are not copied: {output}");

    // The stored copy of a file that the server has lost counts only if it is whole.
    fs::remove_file(&picture).unwrap();
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("4 files (0 new)"), "{output}");
    fs::write(&picture, b"not the picture").unwrap();
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("4 files (0 new)"), "{output}");
    let copy = stored_files(place.path()).into_iter().find(|file| file.ends_with(PICTURE)).unwrap();
    change(&copy, |bytes| bytes[0] ^= 1);
    let (succeeded, output) = run(server::command().args(["backup", dest]), &url, &data);
    assert!(!succeeded && output.contains("3 files (0 new)") && output.contains(PICTURE), "{output}");
}

#[tokio::test]
async fn restore_names_damaged_files_and_restores_the_others() {
    let (portal, _) = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &url, &data);
    let files = stored_files(place.path());
    change(&files[0], |bytes| bytes[0] ^= 1);
    fs::remove_file(&files[1]).unwrap();

    let database = TestDatabase::fresh().await;
    let folder = tempfile::tempdir().unwrap();
    let (succeeded, output) =
        run(server::command().args(["restore", dest, "--no-send"]), &database.url(), folder.path());
    assert!(!succeeded && output.contains("restored ") && output.contains("(1 copied)"), "{output}");
    assert!(output.contains("the restore is complete except 2 files"), "{output}");
    for file in &files[..2] {
        let hash = file.file_name().unwrap().to_str().unwrap();
        let is_named = |line: &str| line.starts_with("not in the backup") && line.contains(hash);
        assert!(output.lines().any(is_named), "{hash}: {output}");
    }
    // The restore is finished: commands and servers accept the database and the folder.
    run_ok(&["admin", "plan", "list"], &database.url(), folder.path());
    assert!(!folder.path().join("restore-unfinished").exists());
}

#[tokio::test]
async fn replacing_restore_of_a_damaged_table_changes_nothing() {
    let portal = TestPortal::start().await;
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &portal.database_url(), &portal.state.config.data.data);
    change(&object(place.path(), "table.plan."), |bytes| bytes.truncate(20));

    let database = TestDatabase::fresh().await;
    let used = database.pool();
    publishing::create_subscriber(&used, "bridge").await;
    used.close().await;
    let folder = tempfile::tempdir().unwrap();
    let (succeeded, output) =
        run(server::command().args(["restore", dest, "--replace"]), &database.url(), folder.path());
    assert!(!succeeded && output.contains("the table plan: ") && output.contains("is damaged"), "{output}");
    assert!(output.contains("nothing was changed"), "{output}");
    let db = database.pool();
    let users: i64 = sqlx::query_scalar("select count(*) from users").fetch_one(&db).await.unwrap();
    db.close().await;
    assert_eq!(users, 1);
    run_ok(&["admin", "plan", "list"], &database.url(), folder.path());
    assert!(!folder.path().join("restore-unfinished").exists());
}

/// Whether no process holds the lock of backups.
const BACKUPS_ARE_UNLOCKED: &str = "select not exists (select from pg_locks
    where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = 7205114001
        and database = (select oid from pg_database where datname = current_database()))";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_backup_names_the_object_that_could_not_be_written() {
    let portal = TestPortal::start().await;
    // More than one part, and more than the buffers of the connection to Postgres.
    sqlx::query(
        "insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome)
        select 'stripe', nth::text, to_jsonb(repeat('x', 1 << 20)), '2026-11-20Z', '2026-11-20Z', 'ignored'
        from generate_series(1, 40) as nth",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let bucket = Bucket::start().await;
    let back_up = async || {
        let mut command = server::command();
        bucket.configure(&mut command).args(["backup", "s3://bucket/portal"]);
        let (url, data) = (url.clone(), data.clone());
        tokio::task::spawn_blocking(move || run(&mut command, &url, &data)).await.unwrap()
    };
    bucket.refuse(Some("table.payment_event.000000"));
    let (succeeded, output) = back_up().await;
    assert!(!succeeded && output.starts_with("api: writing backups/"), "{output}");
    assert!(output.contains("table.payment_event.000000.gz in s3://bucket/portal: "), "{output}");
    bucket.refuse(None);
    // The lock is free when Postgres has noticed that the connection has ended.
    wait_for(&portal.state.db, BACKUPS_ARE_UNLOCKED).await;
    let (succeeded, output) = back_up().await;
    assert!(succeeded, "{output}");
}

#[tokio::test]
async fn next_backup_deletes_what_killed_backups_left() {
    let portal = TestPortal::start().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &url, &data);
    let killed = place.path().join("backups/20261120T063000Z-00000000");
    let (hash, id) = ("0".repeat(64), Uuid::nil());
    let files = place.path().join("files");
    for folder in [&killed, &files.join("00"), &files.join("01")] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(killed.join("table.users.000000.gz#1"), "half").unwrap();
    fs::write(files.join("00").join(format!("{hash}#12")), "half").unwrap();
    // Neither a program's temporary file nor an object of a backup.
    let other = place.path().join(format!("{id}#1"));
    fs::write(&other, "other").unwrap();

    let output = run_ok(&["backup", dest, "--keep", "1"], &url, &data);
    assert!(output.contains("deleted 2 temporary files of interrupted backups"), "{output}");
    assert!(!killed.exists() && !files.join("00").exists() && !files.join("01").exists());
    assert!(other.exists());
    assert!(run_ok(&["backup", "verify", dest], &url, &data).ends_with("is whole\n"));
    let output = run_ok(&["backup", dest, "--keep", "1"], &url, &data);
    assert!(!output.contains("temporary"), "{output}");
}
