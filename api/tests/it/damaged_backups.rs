//! Failed backups.

use crate::{
    backup::run,
    support::{TestPortal, s3::Bucket, server, wait_for},
};

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
