//! Backups of a running portal and their restore, in a directory and in an S3 bucket.

use crate::{
    documents::{attach_document, pdf, wait_until_read},
    newspaper_pages::upload_page,
    support::{
        Client, TestDatabase, TestPortal, publishing,
        s3::Bucket,
        server::{self, Server},
        smtp::{Behaviour, SmtpServer},
        wait_for,
    },
};
use api::{
    app::unsubscribe_links::{UnsubscribeLinks, UnsubscribeTarget},
    base::{clock::Clock, signing_key::SigningKey},
    storage::subscriptions,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sqlx::PgPool;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
};
use uuid::Uuid;

/// Runs a command of the binary. Returns whether it succeeded, and its output including errors.
pub fn run(command: &mut Command, url: &str, data: &Path) -> (bool, String) {
    let output = command.env("DATABASE_URL", url).env("DATA", data).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Runs a command that must succeed, and returns its output.
#[track_caller]
pub fn run_ok(arguments: &[&str], url: &str, data: &Path) -> String {
    let (succeeded, output) = run(server::command().args(arguments), url, data);
    assert!(succeeded, "{arguments:?}: {output}");
    output
}

/// The number of rows and a hash of the rows of each table.
async fn contents(db: &PgPool) -> BTreeMap<String, (i64, Option<String>)> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
            and relpersistence = 'p' and relname not in ('_sqlx_migrations', 'portal_state')",
    )
    .fetch_all(db)
    .await
    .unwrap();
    let mut contents = BTreeMap::new();
    for table in tables {
        let sql =
            format!("select count(*), md5(string_agg(t::text, E'\\n' order by t::text)) from {table} t");
        let row = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_one(db).await.unwrap();
        contents.insert(table, row);
    }
    contents
}

/// The files of a data folder that a backup contains, with their content.
fn files(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in ["clips", "documents", "newspaper-pages"] {
        for entry in fs::read_dir(data.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found.insert("signing.key".to_owned(), fs::read(data.join("signing.key")).unwrap());
    found
}

/// Rows of payments, and a message that is being sent.
const PAYMENT_ROWS: &str = "
    insert into invoice (id, number, user_id, subscription_id, provider, charge, issued_at, currency, lines, net_cents, vat_cents,
            total_cents, seller, buyer)
        select md5('i')::uuid, '2026-1', user_id, id, 'stripe', 'ch_1', created_at, 'LKR', '[{\"a\": \"tab\\tline\\nend \\\\\"}]', 100, 0, 100,
            '{}', '{}' from subscription limit 1;
    insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome)
        values ('stripe', 'evt_1', '{}', '2026-11-20Z', '2026-11-20Z', 'ignored');
    insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, try_at)
        select md5(state)::uuid, id, 'email', 'letter', 'immediate', email, state, '2026-11-20Z', '2026-11-20Z', state || '@portal.test',
            convert_to('letter', 'UTF8'), '2026-11-20Z', '2099-01-01Z' from users, unnest(array['leased', 'retry']) as of (state) where email like 'nimali@%'";

/// A portal with users, tenders, alerts, matches, mails, a clip, a document, a page and payments.
pub async fn full_portal() -> (TestPortal, Client) {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimali", "supplier", Some("professional")).await;
    let id: Uuid = sqlx::query_scalar("select id from users where email like 'nimali@%'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    publishing::save_alert(&portal.state.db, id, "bridge").await;
    let base = format!("http://{}", portal.address);
    publishing::publish(&base, &portal.operator_token().await, 1, "Construction of a bridge").await;
    let form = json!({"title": "Supply of steel chairs", "description": "Two hundred.", "referenceNo": "D/1", "organization": {"name": "Town Council"},
        "category": "Furniture", "status": "published", "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-20"}});
    let tender =
        user.post("/tenders", &form).await.expect(201)["data"]["tender"]["_id"].as_str().unwrap().to_owned();
    attach_document(&user, &format!("/tenders/{tender}"), "Bidding.pdf", pdf("Bidding document")).await;
    wait_until_read(&portal).await;
    upload_page(&portal.operator().await, "a page").await;
    sqlx::raw_sql(PAYMENT_ROWS).execute(&portal.state.db).await.unwrap();
    portal.wait_until_indexed().await;
    portal.wait_until_matched().await;
    (portal, user)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restored_portal_is_the_original() {
    let (portal, user) = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    // Nothing is sent or sealed any more, so that the rows stay as they are.
    run_ok(&["admin", "sending", "off"], &url, &data);
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().join("backups");
    let dest = dest.to_str().unwrap();
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("(3 new)"), "{output}");
    let output = run_ok(&["backup", dest], &url, &data);
    assert!(output.contains("(0 new)"), "an unchanged file is copied once: {output}");
    let recorded = sqlx::query_scalar("select backed_up_at is not null from portal_state");
    let is_recorded: bool = recorded.fetch_one(&portal.state.db).await.unwrap();
    assert!(is_recorded, "monitoring shows the time of the backup");
    assert_eq!(run_ok(&["backup", "list", dest], &url, &data).lines().count(), 2);
    assert!(run_ok(&["backup", "verify", dest], &url, &data).ends_with("is whole\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(Path::new(dest)), 0o700);
        let id = fs::read_dir(format!("{dest}/backups")).unwrap().next().unwrap().unwrap().path();
        assert_eq!(mode(&id.join("signing.key")), 0o600);
    }

    let database = TestDatabase::empty().await;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("data");
    let output = run_ok(&["restore", dest, "--no-send"], &database.url(), &target);
    assert!(output.contains("unsent by email: ") && output.contains(" 1 being sent"), "{output}");
    assert!(output.contains("sending is off") && output.contains("api admin sending on"), "{output}");
    let db = database.pool();
    assert_eq!(contents(&db).await, contents(&portal.state.db).await);
    db.close().await;
    assert_eq!(files(&target), files(&data));

    // A session and a link that the original signed are valid in the copy.
    let links = UnsubscribeLinks::new(String::new(), portal.state.signing_key.clone());
    let unsubscribed = UnsubscribeTarget::Delivery(Uuid::from_u128(7));
    let link = links.link(unsubscribed);
    let copied = SigningKey::load(&target.join("signing.key")).unwrap().unwrap();
    let token = link.rsplit('/').next().unwrap();
    assert_eq!(UnsubscribeLinks::new(String::new(), copied).verify(token), Some(unsubscribed));
    let restored = TestPortal::start_on_data(database, &target).await;
    restored.wait_until_indexed().await;
    let found = restored.guest().get("/tenders?search=chairs").await.expect(200);
    assert_eq!(found["data"]["pagination"]["totalCount"], 1);
    assert_eq!(restored.same_user(&user).get("/auth/me").await.status.as_u16(), 200);
    let health = restored.guest().get("/health").await.expect(200);
    assert_eq!(health["data"]["services"]["sendingOff"], true);
    // Nothing is sent, although a message becomes due.
    let leased = "select count(*) from delivery where state = 'sent'";
    let before: i64 = sqlx::query_scalar(leased).fetch_one(&restored.state.db).await.unwrap();
    sqlx::query("update delivery set try_at = '2000-01-01Z' where state in ('leased', 'retry')")
        .execute(&restored.state.db)
        .await
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(sqlx::query_scalar::<_, i64>(leased).fetch_one(&restored.state.db).await.unwrap(), before);
    run_ok(&["admin", "sending", "on"], &restored.database_url(), &target);
    crate::support::wait_for(
        &restored.state.db,
        "select not exists (select from delivery where state in ('leased', 'retry'))",
    )
    .await;
}

#[tokio::test]
async fn restore_refuses_a_used_target_and_bounds_what_is_sent() {
    let (portal, _) = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["admin", "sending", "off"], &url, &data);
    run_ok(&["backup", dest], &url, &data);

    let database = TestDatabase::fresh().await;
    let used = database.pool();
    publishing::create_subscriber(&used, "bridge").await;
    used.close().await;
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], url: &str, data: &Path, part: &str| {
        let (succeeded, output) = run(server::command().args(arguments), url, data);
        assert!(!succeeded && output.contains(part), "{arguments:?}: {output}");
    };
    refused(&["restore", dest], &url, folder.path(), "other sessions; stop the servers");
    refused(&["restore", dest], &database.url(), folder.path(), "the database is not empty");
    // An unfinished restore of this data folder does not permit to replace another database.
    fs::write(folder.path().join("restore-unfinished"), "x").unwrap();
    refused(&["restore", dest], &database.url(), folder.path(), "the database is not empty");
    fs::remove_file(folder.path().join("restore-unfinished")).unwrap();
    let empty = TestDatabase::fresh().await;
    refused(&["restore", dest], &empty.url(), &data, "is not empty; give an empty data folder");
    refused(&["restore", dest, "--at", "x"], &empty.url(), folder.path(), "no complete backup x");
    refused(
        &["restore", "/nowhere"],
        &empty.url(),
        folder.path(),
        "opening the directory /nowhere: No such file",
    );
    refused(
        &["restore", dest, "--drop-unsent", "--unsent-after", "2026-11-20T06:00:00Z"],
        &empty.url(),
        folder.path(),
        "cannot be used with",
    );
    refused(&["restore", dest, "--unsent-after", "soon"], &empty.url(), folder.path(), "--unsent-after");
    refused(&["backup"], &url, &data, "<DEST>");
    refused(&["backup", dest], &url, Path::new("/nowhere"), "/nowhere is not a folder");
    refused(&["backup", dest, "--keep", "0"], &url, &data, "--keep");
    refused(&["backup", "ftp://x"], &url, &data, "is not a place for backups");
    refused(&["backup", "list", "/nowhere"], &url, &data, "opening the directory /nowhere: No such file");

    let output = run_ok(
        &["restore", dest, "--replace", "--unsent-after", "2098-01-01T00:00:00Z"],
        &database.url(),
        folder.path(),
    );
    assert!(output.contains("given up: ") && !output.contains("unsent by"), "{output}");
    let output = run_ok(&["restore", dest, "--drop-unsent"], &empty.url(), &folder.path().join("second"));
    assert!(output.contains("given up: ") && !output.contains("unsent by"), "{output}");
    let db = empty.pool();
    let retriable = "select count(*) from delivery where state = 'dead' and content is not null";
    assert_eq!(sqlx::query_scalar::<_, i64>(retriable).fetch_one(&db).await.unwrap(), 0);
    db.close().await;
}

/// Paid subscriptions of four users: one whose paid period has ended, one that was cancelled, one whose
/// provider stopped charging, and one that is paid for another day.
const PAID_SUBSCRIPTIONS: &str = "
    update subscription set provider = 'stripe', agreement = 'sub_' || id, auto_renew = true,
        start_date = now() - interval '31 days', end_date = now() - interval '1 day', holds_until = now() + interval '6 days';
    update subscription set auto_renew = false where user_id = (select id from users where email like 'kamal@%');
    update subscription set agreement_ended_at = now() where user_id = (select id from users where email like 'sunil@%');
    update subscription set end_date = now() + interval '1 day', holds_until = now() + interval '8 days'
        where user_id = (select id from users where email like 'ruwani@%')";

#[tokio::test]
async fn restore_says_whether_it_sends_and_which_payments_may_be_missing() {
    let portal = TestPortal::start().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    for name in ["nimali", "kamal", "sunil", "ruwani"] {
        portal.subscriber(name, "supplier", Some("professional")).await;
    }
    // While sending is off, no subscription ends.
    run_ok(&["admin", "sending", "off", "--reason", "moving to another machine"], &url, &data);
    sqlx::raw_sql(PAID_SUBSCRIPTIONS).execute(&portal.state.db).await.unwrap();
    sqlx::raw_sql(PAYMENT_ROWS).execute(&portal.state.db).await.unwrap();
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &url, &data);
    let database = TestDatabase::empty().await;
    let folder = tempfile::tempdir().unwrap();
    let output = run_ok(&["restore", dest], &database.url(), folder.path());
    assert!(output.contains("sending is off (moving to another machine)"), "{output}");
    assert!(output.contains("unsent by email") && !output.contains("will send these messages"), "{output}");
    assert!(output.contains("1 renewing subscription may have been paid since the backup"), "{output}");
    let uncertain = async |since: Timestamp, now: Timestamp| {
        subscriptions::uncertain_renewals(&portal.state.db, since, now).await.unwrap().count
    };
    let (now, day) = (Clock::system().now(), SignedDuration::from_hours(24));
    assert_eq!(uncertain(now - day * 2, now).await, 1, "the period ended after the backup");
    assert_eq!(uncertain(now - day * 2, now - day * 2).await, 0, "the period has not ended");
    assert_eq!(
        uncertain(now + day * 7, now + day * 7).await,
        1,
        "one plan ended before the backup, another did not"
    );
    run_ok(&["admin", "sending", "on"], &url, &data);
    run_ok(&["backup", dest], &url, &data);
    let output = run_ok(&["restore", dest, "--replace"], &database.url(), folder.path());
    assert!(output.contains("will send these messages") && !output.contains("sending is off"), "{output}");
}

#[tokio::test]
async fn restore_by_a_user_who_is_no_superuser_prints_no_notices() {
    let portal = TestPortal::start().await;
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &portal.database_url(), &portal.state.config.data.data);
    let database = TestDatabase::empty().await;
    let folder = tempfile::tempdir().unwrap();
    let role = format!("serendib_restore_{}", std::process::id());
    let execute = async |sql: String| {
        let db = database.pool();
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&db).await.unwrap();
        db.close().await;
    };
    execute(format!("create role {role}; grant all on schema public to {role}")).await;
    let url = format!("{}&options=-c%20role%3D{role}", database.url());
    let output = run_ok(&["restore", dest], &url, folder.path());
    let db = database.pool();
    let analyzed = "select bool_and(reltuples >= 0) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
            and relname <> '_sqlx_migrations'";
    let is_analyzed: bool = sqlx::query_scalar(analyzed).fetch_one(&db).await.unwrap();
    db.close().await;
    execute(format!("drop owned by {role} cascade; drop role {role}")).await;
    assert!(output.starts_with("restored ") && !output.contains("skipping"), "{output}");
    assert!(is_analyzed, "the planner has no statistics of the restored tables");
}

#[tokio::test]
async fn restore_waits_for_a_session_that_is_about_to_end() {
    let portal = TestPortal::start().await;
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap();
    run_ok(&["backup", dest], &portal.database_url(), &portal.state.config.data.data);
    let database = TestDatabase::fresh().await;
    let (ending, folder) = (database.pool(), tempfile::tempdir().unwrap());
    sqlx::query("select 1").execute(&ending).await.unwrap();
    let restore = server::command()
        .args(["restore", dest])
        .env("DATABASE_URL", database.url())
        .env("DATA", folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The restore has looked for other sessions.
    wait_for(
        &ending,
        "select exists (select from pg_stat_activity where datname = current_database()
            and query like '%backend_type = ''client backend''%' and pid <> pg_backend_pid())",
    )
    .await;
    ending.close().await;
    let output = restore.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether the rows of a database agree with each other and with the files, as at one moment.
async fn assert_consistent(db: &PgPool, data: &Path) {
    let (head, changes, last): (i64, i64, i64) = sqlx::query_as(
        "select (select position from change_head), (select count(*) from change), (select max(position) from change)",
    )
    .fetch_one(db)
    .await
    .unwrap();
    assert_eq!((head, head), (changes, last), "the change log has gaps");
    let orphans: i64 = sqlx::query_scalar(
        "select count(*) from tender t where not exists (select from change c where c.subject_id = t.id and c.revision = t.revision)",
    )
    .fetch_one(db)
    .await
    .unwrap();
    assert_eq!(orphans, 0);
    let clips: Vec<String> = sqlx::query_scalar("select hash from clip").fetch_all(db).await.unwrap();
    for clip in clips {
        assert!(data.join("clips").join(format!("{clip}.jpg")).exists(), "{clip} is missing");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_during_writes_is_one_moment() {
    let portal = TestPortal::start().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let (base, token) = (format!("http://{}", portal.address), portal.operator_token().await);
    let writer = tokio::spawn(async move {
        for nth in 1.. {
            publishing::publish(&base, &token, nth, &format!("Construction of bridge {nth}")).await;
        }
    });
    wait_for(&portal.state.db, "select position > 0 from change_head").await;
    let place = tempfile::tempdir().unwrap();
    let dest = place.path().to_str().unwrap().to_owned();
    for _ in 0..3 {
        let (dest, url, data) = (dest.clone(), url.clone(), data.clone());
        tokio::task::spawn_blocking(move || run_ok(&["backup", &dest, "--keep", "2"], &url, &data))
            .await
            .unwrap();
    }
    writer.abort();
    assert_eq!(run_ok(&["backup", "list", &dest], &url, &data).lines().count(), 2);
    let database = TestDatabase::empty().await;
    let folder = tempfile::tempdir().unwrap();
    run_ok(&["restore", &dest], &database.url(), folder.path());
    let db = database.pool();
    assert_consistent(&db, folder.path()).await;
    // Each restored row of the log is a row of the original.
    let log = "select md5(string_agg(c::text, ',' order by position)) from change c where position <= $1";
    let head: i64 = sqlx::query_scalar("select position from change_head").fetch_one(&db).await.unwrap();
    let of = async |db: &PgPool| sqlx::query_scalar::<_, String>(log).bind(head).fetch_one(db).await.unwrap();
    assert_eq!(of(&db).await, of(&portal.state.db).await);
    db.close().await;
}

/// Starts a command that works with the bucket, as a process that can be killed.
fn start(bucket: &Bucket, arguments: &[&str], url: &str, data: &Path) -> Child {
    let mut command = server::command();
    bucket.configure(&mut command).args(arguments).env("DATABASE_URL", url).env("DATA", data);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_backup_is_never_whole_and_killed_restore_is_repeated() {
    let (portal, _) = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let bucket = Bucket::start().await;
    let run_s3 = async |arguments: &[&str], url: &str, data: &Path| {
        let mut command = server::command();
        bucket.configure(&mut command).args(arguments);
        let (url, data) = (url.to_owned(), data.to_owned());
        tokio::task::spawn_blocking(move || run(&mut command, &url, &data)).await.unwrap()
    };
    let dest = "s3://bucket/portal";
    bucket.stall(Some("files.gz"));
    let mut killed = start(&bucket, &["backup", dest], &url, &data);
    bucket.wait_until_stalled().await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    bucket.stall(None);
    let (_, listed) = run_s3(&["backup", "list", dest], &url, &data).await;
    assert!(listed.contains("incomplete"), "{listed}");
    let target = TestDatabase::empty().await;
    let folder = tempfile::tempdir().unwrap();
    let (succeeded, output) = run_s3(&["restore", dest], &target.url(), folder.path()).await;
    assert!(!succeeded && output.contains("no complete backup"), "{output}");
    let (succeeded, output) = run_s3(&["backup", dest, "--keep", "1"], &url, &data).await;
    assert!(succeeded && output.contains("deleted 0 older backups, 1 incomplete backup and"), "{output}");
    let (_, listed) = run_s3(&["backup", "list", dest], &url, &data).await;
    assert!(!listed.contains("incomplete") && listed.lines().count() == 1, "{listed}");

    for stalled in ["table.tender.", "files/"] {
        bucket.stall(Some(stalled));
        let arguments = ["restore", dest, "--no-send", "--drop-unsent"];
        let mut killed = start(&bucket, &arguments, &target.url(), folder.path());
        bucket.wait_until_stalled().await;
        killed.kill().unwrap();
        killed.wait().unwrap();
        bucket.stall(None);
        for command in
            [&["serve", "--mail-to-disk", "--listen", "127.0.0.1:0"][..], &["admin", "plan", "list"]]
        {
            let (succeeded, output) = run(server::command().args(command), &target.url(), folder.path());
            let id = listed.split('\t').next().unwrap();
            let advice =
                format!("is unfinished; run `api restore SOURCE --at {id} --no-send --drop-unsent` again");
            assert!(!succeeded && output.contains(&advice), "{stalled}: {output}");
        }
        let db = target.pool();
        crate::support::wait_for(
            &db,
            "select count(*) = 1 from pg_stat_activity where datname = current_database()",
        )
        .await;
        db.close().await;
    }
    // A bucket that refuses to answer has no damaged files.
    bucket.refuse(Some("/files/"));
    let (succeeded, output) = run_s3(&["restore", dest, "--no-send"], &target.url(), folder.path()).await;
    assert!(!succeeded && output.contains("reading files/") && !output.contains("restored"), "{output}");
    bucket.refuse(None);
    // The copy would send although the operator asked for a copy that does not.
    for arguments in [&["restore", dest][..], &["restore", dest, "--replace"]] {
        let (succeeded, output) = run_s3(arguments, &target.url(), folder.path()).await;
        assert!(!succeeded && output.contains("was begun with --no-send"), "{output}");
    }
    // Either of the two records is enough.
    fs::remove_file(folder.path().join("restore-unfinished")).unwrap();
    let (succeeded, output) = run_s3(&["restore", dest], &target.url(), folder.path()).await;
    assert!(!succeeded && output.contains("was begun with --no-send"), "{output}");
    let (succeeded, output) =
        run_s3(&["restore", dest, "--no-send", "--replace"], &target.url(), folder.path()).await;
    assert!(succeeded && output.contains("sending is off"), "{output}");
    let db = target.pool();
    assert_consistent(&db, folder.path()).await;
    db.close().await;
    let smtp = SmtpServer::start(Behaviour::Accept).await;
    let server = Server::start(&target.url(), folder.path(), &smtp, true).await;
    assert!(server.stop().success());

    let (_, output) = run_s3(&["backup", "verify", dest], &url, &data).await;
    assert!(output.contains("is whole"), "{output}");
    let names = bucket.names();
    let mut files = names.iter().filter(|name| name.contains("/files/"));
    let (file, missing) = (files.next().unwrap(), files.next().unwrap());
    let table = names.iter().find(|name| name.contains("table.users.")).unwrap();
    bucket.remove(missing);
    let second = TestDatabase::empty().await;
    let (succeeded, output) = run_s3(&["restore", dest], &second.url(), &folder.path().join("second")).await;
    assert!(!succeeded && output.contains("the restore is complete except 1 file"), "{output}");

    bucket.change(file, |bytes| bytes[0] ^= 1);
    bucket.change(table, |bytes| bytes.truncate(20));
    let (succeeded, output) = run_s3(&["backup", "verify", dest], &url, &data).await;
    assert!(!succeeded && output.contains("3 problems") && output.contains("the table users"), "{output}");
    let third = TestDatabase::empty().await;
    let (succeeded, output) = run_s3(&["restore", dest], &third.url(), &folder.path().join("third")).await;
    assert!(!succeeded && output.contains("is damaged"), "{output}");
}
