//! Migrations of databases with data from earlier schema versions.

use crate::{
    notice_sources::{ORIGINAL_NOTICE, TestNotice, current_tender, publications, send_notice},
    support::{TestDatabase, TestPortal},
};
use api::{
    base::{clock::Clock, random::Random},
    storage::{
        self, MIGRATIONS,
        changes::{self, NewRevision, Subject},
        schema_version,
    },
};
use sqlx::{PgPool, types::Json};
use tender_model::{deduplication::reference_key, tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

/// The last schema version with one notice per tender.
const LAST_SINGLE_NOTICE_VERSION: i64 = 4;

/// Publishes a notice as version [`LAST_SINGLE_NOTICE_VERSION`] did.
async fn publish_notice(db: &PgPool, number: u32, tender: Tender) -> Uuid {
    let (clock, random) = (Clock::system(), Random::from_system());
    let tender = Tender {
        id: random.id(&clock),
        status: TenderStatus::Published,
        published_at: Some(clock.moment()),
        ..tender
    };
    let mut tx = storage::begin(db).await.unwrap();
    // The statements name the columns of [`LAST_SINGLE_NOTICE_VERSION`].
    sqlx::query(
        "insert into tender (id, revision, status, published_at, created_at, updated_at) values ($1, 1, 'published', now(), now(), now())",
    )
    .bind(tender.id)
    .execute(&mut *tx)
    .await
    .unwrap();
    sqlx::query("insert into tender_revision (tender_id, revision, record, at) values ($1, 1, $2, now())")
        .bind(tender.id)
        .bind(Json(&tender))
        .execute(&mut *tx)
        .await
        .unwrap();
    let revision = NewRevision { subject: Subject::Tender, id: tender.id, revision: 1 };
    let clip_hash = format!("{number:064x}");
    sqlx::query("insert into clip (hash, media_type, size, created_at) values ($1, 'image/jpeg', 9, now())")
        .bind(&clip_hash)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("insert into notice (key, tender_id, content_hash, clip_hash, received_at) values ($1, $2, $3, $4, now())")
        .bind(format!("{number:032x}"))
        .bind(tender.id)
        .bind(vec![0_u8; 32])
        .bind(&clip_hash)
        .execute(&mut *tx)
        .await
        .unwrap();
    changes::commit(tx, &[revision], &clock, &random).await.unwrap();
    tender.id
}

fn read(notice: TestNotice<'_>) -> Tender {
    ingest::markdown::read(&notice.file()).unwrap()
}

#[tokio::test]
async fn migrated_tenders_accept_further_notices() {
    let database = TestDatabase::of_version(LAST_SINGLE_NOTICE_VERSION).await;
    let db = database.pool();
    let references =
        ["RDA/SP/2026/117", "rda-sp 2O26.118", "ලංවිම/2026/44", "", "பி/12/2026", "Q-Z/tjl.9 (Re-bid)"];
    let mut ids = Vec::new();
    for (reference, number) in references.iter().zip(1..) {
        ids.push(publish_notice(&db, number, read(TestNotice { reference, ..ORIGINAL_NOTICE })).await);
    }
    MIGRATIONS.run(&db).await.unwrap();
    let stored: Vec<(Uuid, Option<String>, sqlx::types::Json<Tender>)> =
        sqlx::query_as("select tender_id, reference_key, record from notice order by key")
            .fetch_all(&db)
            .await
            .unwrap();
    for ((id, key, record), (wanted, reference)) in stored.iter().zip(ids.iter().zip(references)) {
        assert_eq!((id, key), (wanted, &reference_key(Some(reference))), "{reference}");
        assert_eq!(record.reference_no.as_deref().unwrap_or_default(), reference);
    }
    db.close().await;

    let portal = TestPortal::start_on(database, &[]).await;
    let operator = portal.operator().await;
    let again = TestNotice {
        newspaper: "Weekly Test",
        reference: "RDA-SP-2026-117",
        day: "2026-11-27",
        ..ORIGINAL_NOTICE
    };
    let sent = send_notice(&operator, 20, again).await;
    assert_eq!(sent, serde_json::json!({"_id": ids[0], "outcome": "merged"}));
    assert_eq!(publications(&current_tender(&portal, &sent).await), ["Daily Test", "Weekly Test"]);
    // A new text under the key of the first notice updates that notice.
    let longer = TestNotice { text: "Sealed bids are invited for the road.", ..ORIGINAL_NOTICE };
    let sent = send_notice(&operator, 1, longer).await;
    assert_eq!(sent, serde_json::json!({"_id": ids[0], "outcome": "updated"}));
    assert_eq!(current_tender(&portal, &sent).await.sources.len(), 2);
}

/// The last schema version with one open message for each alert, address and frequency.
const LAST_VERSION_WITH_SEVERAL_OPEN_MESSAGES: i64 = 17;

#[tokio::test]
async fn migration_merges_open_messages_of_an_alert() {
    let database = TestDatabase::of_version(LAST_VERSION_WITH_SEVERAL_OPEN_MESSAGES).await;
    let db = database.pool();
    sqlx::raw_sql(
        "insert into users (id, email, first_name, last_name, role, created_at, updated_at)
            values (md5('u')::uuid, 'nimali@example.lk', 'Nimali', 'Perera', 'supplier', now(), now());
        insert into alert (id, user_id, revision, name, is_active, email_enabled, frequency, created_at, updated_at, query)
            select md5(name)::uuid, md5('u')::uuid, 1, name, true, true, 'daily', now(), now(), '{}'
            from unnest(array['two', 'one', 'none']) as of (name);
        insert into tender (id, revision, status, created_at, updated_at)
            select md5(nth::text)::uuid, 1, 'published', now(), now() from generate_series(1, 3) as nth;
        insert into tender_revision (tender_id, revision, record, at) select id, 1, '{}', now() from tender;
        insert into match (alert_id, tender_id, tender_revision, position, why, at)
            select a.id, t.id, 1, 1, '{}', now() from alert a, tender t;
        insert into delivery (id, user_id, alert_id, channel, frequency, address, state, opened_at, seal_at)
            select md5(name || address || frequency)::uuid, md5('u')::uuid, md5(name)::uuid, 'email', frequency, address, 'open', now(), seal_at::timestamptz
            from (values ('two', 'old@example.lk', 'daily', '2026-11-21Z'), ('two', 'new@example.lk', 'daily', '2026-11-22Z'),
                ('two', 'new@example.lk', 'weekly', '2026-11-23Z'), ('one', 'new@example.lk', 'daily', '2026-11-24Z'))
                as of (name, address, frequency, seal_at);
        insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
            select d.alert_id, md5(nth::text)::uuid, 1, 'new', d.address, d.id, now()
            from (select *, row_number() over (partition by alert_id order by seal_at) as nth from delivery) as d",
    )
    .execute(&db)
    .await
    .unwrap();
    MIGRATIONS.run(&db).await.unwrap();
    let left: Vec<(String, String, i64)> = sqlx::query_as(
        "select a.name, (d.seal_at at time zone 'utc')::date::text, count(*)
        from alert a join delivery d on d.alert_id = a.id join delivery_item i on i.delivery_id = d.id
        group by a.name, d.id, d.seal_at order by a.name",
    )
    .fetch_all(&db)
    .await
    .unwrap();
    let expected = [("one", "2026-11-24", 1), ("two", "2026-11-21", 3)];
    assert_eq!(left, expected.map(|(name, day, items)| (name.to_owned(), day.to_owned(), items)));
}

#[tokio::test]
async fn account_with_a_publication_is_approved_by_the_migration() {
    let database = TestDatabase::of_version(37).await;
    let db = database.pool();
    for (id, email) in [(1, "old@example.lk"), (2, "new@example.lk")] {
        let user = format!(
            "insert into users (id, email, first_name, last_name, role, language, created_at, updated_at)
            values ('00000000-0000-7000-8000-00000000000{id}', '{email}', 'A', 'B', 'supplier', 'en', now(), now())"
        );
        sqlx::query(sqlx::AssertSqlSafe(user)).execute(&db).await.unwrap();
        let published_at = if id == 1 { "now()" } else { "null" };
        let tender = format!(
            "insert into tender (id, owner_id, revision, status, published_at, created_at, updated_at)
            select gen_random_uuid(), id, 1, 'withdrawn', {published_at}, now(), now() from users where email = '{email}'"
        );
        sqlx::query(sqlx::AssertSqlSafe(tender)).execute(&db).await.unwrap();
    }
    MIGRATIONS.run(&db).await.unwrap();
    let approved: Vec<String> =
        sqlx::query_scalar("select email from users where publisher_approved_at is not null")
            .fetch_all(&db)
            .await
            .unwrap();
    assert_eq!(approved, ["old@example.lk"]);
}

/// Rows as programs of earlier versions stored them. Each set is inserted when the database has this
/// schema version. `publish_notice` adds a tender with its notice and clip at version 4.
const ROWS_OF_VERSIONS: [(i64, &str); 4] = [
    (
        4,
        "insert into users (id, email, password_hash, first_name, last_name, role, created_at, updated_at)
            select md5(name)::uuid, name || '@example.lk', 'x', name, 'Perera', role, now(), now()
            from (values ('nimali', 'supplier'), ('ravi', 'buyer'), ('kamala', 'admin')) as of (name, role);
        insert into address (user_id, email, verified_at, created_at) select id, email, now(), now() from users;
        insert into refresh_token (id, family_id, user_id, token_hash, created_at, expires_at)
            select id, id, id, decode(md5(email), 'hex'), now(), now() + interval '30 days' from users;
        insert into operator_token (id, name, token_hash, created_at) values (md5('t')::uuid, 'desk', 'x', now());
        insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, created_at, updated_at)
            values (md5('s')::uuid, md5('nimali')::uuid, 'professional', 'active', 'yearly', now(), now() + interval '1 year', now(), now());
        insert into alert (id, user_id, revision, name, is_active, email_enabled, frequency, created_at, updated_at)
            values (md5('a')::uuid, md5('nimali')::uuid, 1, 'Roads', true, true, 'daily', now(), now());
        insert into alert_revision (alert_id, revision, query, at) values (md5('a')::uuid, 1, '{}', now());
        insert into match (alert_id, tender_id, tender_revision, position, why, at)
            select md5('a')::uuid, id, 1, 1, '{}', now() from tender;
        insert into delivery (id, user_id, alert_id, channel, frequency, address, state, opened_at, seal_at)
            values (md5('d')::uuid, md5('nimali')::uuid, md5('a')::uuid, 'email', 'daily', 'nimali@example.lk', 'open', now(), now() + interval '1 day');
        insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
            select alert_id, tender_id, 1, 'new', 'nimali@example.lk', md5('d')::uuid, now() from match",
    ),
    (
        13,
        "insert into mailed_link (token_hash, purpose, user_id, email, created_at, expires_at)
            values ('x', 'reset', md5('nimali')::uuid, 'nimali@example.lk', now(), now() + interval '1 hour');
        insert into document (id, tender_id, hash, name, media_type, size, created_at)
            select md5('doc')::uuid, id, repeat('a', 64), 'bid.pdf', 'application/pdf', 9, now() from tender;
        insert into tender_view (viewer, period_start, tender_id, at) select md5('guest')::uuid, now(), id, now() from tender",
    ),
    (
        23,
        "insert into webhook (user_id, url, secret, created_at)
            values (md5('nimali')::uuid, 'https://hook.example.lk/', decode(repeat('07', 24), 'hex'), now());
        insert into phone (user_id, number, verified_at) values (md5('nimali')::uuid, '+94770000000', now());
        insert into invoice (id, number, user_id, subscription_id, provider, charge, issued_at, currency, lines, net_cents,
                vat_cents, total_cents, seller, buyer)
            values (md5('i')::uuid, '2026-1', md5('nimali')::uuid, md5('s')::uuid, 'stripe', 'ch_1', now(), 'LKR', '[]', 100, 0, 100, '{}', '{}');
        insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome)
            values ('stripe', 'evt_1', '{}', now(), now(), 'ignored')",
    ),
    (
        35,
        "insert into page_file (id, hash, name, media_type, size, publication, is_stored, created_at)
            values (md5('f')::uuid, repeat('b', 64), 'page.pdf', 'application/pdf', 9, 'Daily Test', true, now());
        insert into page (id, file_id, number, state, due_at, created_at)
            values (md5('p')::uuid, md5('f')::uuid, 1, 'waiting', now(), now())",
    ),
];

/// A database of every earlier schema version, with rows, migrates to the newest version. The
/// portal then starts, and serves the tender.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_of_every_version_migrates_and_serves() {
    let stages = TestDatabase::empty().await;
    for migration in MIGRATIONS.iter() {
        stages.migrate_to(migration.version).await;
        let db = stages.pool();
        if migration.version == LAST_SINGLE_NOTICE_VERSION {
            publish_notice(&db, 1, read(ORIGINAL_NOTICE)).await;
        }
        for (_, rows) in ROWS_OF_VERSIONS.iter().filter(|(version, _)| *version == migration.version) {
            sqlx::raw_sql(*rows).execute(&db).await.unwrap();
        }
        db.close().await;
        let database = stages.copy().await;
        database.migrate_to(i64::MAX).await;
        let portal = TestPortal::start_on(database, &[]).await;
        schema_version::check(&portal.state.db).await.unwrap();
        portal.wait_until_indexed().await;
        let listed = portal.guest().get("/tenders").await.expect(200);
        let expected = i64::from(migration.version >= LAST_SINGLE_NOTICE_VERSION);
        assert_eq!(listed["data"]["pagination"]["totalCount"], expected, "from {}", migration.version);
    }
}

/// The foreign keys whose columns are not the first ones of an index. An index with a condition counts
/// only if the condition is that the column is not null.
const FOREIGN_KEYS_WITHOUT_INDEX: &str = r"
    select conrelid::regclass || '.' || attname
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid <> 'plan'::regclass and not exists (
        select from pg_index where indrelid = conrelid and indisvalid
            and (indkey::int2[])[0:array_length(conkey, 1) - 1] @> conkey
            and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)')
    )
    order by 1";

#[tokio::test]
async fn every_foreign_key_has_an_index() {
    let database = TestDatabase::fresh().await;
    let missing: Vec<String> =
        sqlx::query_scalar(FOREIGN_KEYS_WITHOUT_INDEX).fetch_all(&database.pool()).await.unwrap();
    assert_eq!(missing, Vec::<String>::new(), "add indexes, so that deletions do not read whole tables");
}
