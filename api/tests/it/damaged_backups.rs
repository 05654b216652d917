//! Failed backups, and what killed backups leave behind.

use crate::{
    backup::{run, run_ok},
    support::{TestPortal, s3::Bucket, server, wait_for},
};
use std::fs;
use uuid::Uuid;

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
