//! A search index that several processes share: one of them writes to it, another takes over, and the portal
//! goes on when the search cluster does not respond.

use crate::{
    support::{
        Client, TestDatabase, TestPortal, mailbox,
        publishing::{notice, store_sample_tender, try_send},
        shared_engine::SharedEngine,
        wait_until,
    },
    tenders::store,
};
use api::{
    app::state::{AppParts, AppState},
    base::random::Random,
    cli::serve,
    domain::heartbeats::Heartbeats,
    jobs::index_changes,
    storage::{changes, index_writers},
};
use axum::http::Method;
use index::{LogPosition, SearchEngine};
use serde_json::json;
use sqlx::PgPool;
use std::{sync::Arc, time::Duration};
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The name of the index of [`SharedEngine`].
const INDEX: &str = "tenders-test";

/// The state of a second process of a portal, with this engine.
fn second_process(portal: &TestPortal, engine: Arc<dyn SearchEngine>) -> AppState {
    let mut parts = AppParts::clone(&portal.state);
    parts.context.search_engine = engine;
    parts.context.progress = Arc::default();
    parts.context.random = Random::seeded(8);
    // The process closes its connections when it ends.
    parts.context.db = portal.database.pool();
    parts.job_db = portal.database.pool();
    AppState::new(parts)
}

async fn writer(db: &PgPool) -> Option<Uuid> {
    index_writers::writer(db, INDEX).await.unwrap().map(|heartbeats| heartbeats.process)
}

async fn wait_until_listed(client: &Client, expected: usize) {
    wait_until("the tenders are listed", async || {
        let listing = client.get("/tenders").await.expect(200);
        listing["data"]["tenders"].as_array().unwrap().len() == expected
    })
    .await;
}

#[tokio::test]
async fn one_process_writes_and_another_takes_over_when_it_stops() {
    let (_folder, engine) = SharedEngine::create();
    let portal = TestPortal::start_with_engine(TestDatabase::fresh().await, &[], engine.clone()).await;
    portal.wait_until_indexed().await;
    let db = &portal.state.db;
    let first = writer(db).await.unwrap();
    let second = second_process(&portal, engine);
    let stop = CancellationToken::new();
    let running = tokio::spawn(serve::serve(second.clone(), None, stop.clone()));
    // The second process sees what the first one writes.
    store_sample_tender(&portal, "Repair of a bridge", |_| {}).await;
    portal.wait_until_indexed().await;
    let head = portal.state.progress.index.borrow().position;
    assert!(second.progress.wait_until_indexed(head, Duration::from_secs(20)).await);
    assert_eq!(writer(db).await, Some(first));
    // The first process loses its place, and nobody writes.
    let other = Uuid::from_u128(9);
    wait_until("another process takes the place of the writer", async || {
        let seen = index_writers::writer(db, INDEX).await.unwrap();
        index_writers::claim(db, INDEX, other, seen).await.unwrap()
    })
    .await;
    store_sample_tender(&portal, "Repair of a road", |_| {}).await;
    // When the place is free, the first or the second process takes it, and both see the change.
    index_writers::release(db, INDEX, other).await.unwrap();
    portal.wait_until_indexed().await;
    let head = portal.state.progress.index.borrow().position;
    assert!(second.progress.wait_until_indexed(head, Duration::from_secs(20)).await);
    let last = writer(db).await.unwrap();
    assert!(last != first && last != other, "a process is another writer each time");
    stop.cancel();
    running.await.unwrap();
    // Whichever process wrote, the first one does now.
    store_sample_tender(&portal, "Repair of a school", |_| {}).await;
    portal.wait_until_indexed().await;
    wait_until_listed(&portal.guest(), 3).await;
}

#[tokio::test]
async fn index_of_another_portal_is_left_alone() {
    let portal = TestPortal::start().await;
    store_sample_tender(&portal, "Repair of a bridge", |_| {}).await;
    let (_folder, engine) = SharedEngine::create();
    let theirs = LogPosition { position: 5, change_id: Uuid::from_u128(5) };
    engine.writer().unwrap().commit(theirs).unwrap();
    let state = second_process(&portal, engine.clone());
    let stop = CancellationToken::new();
    let refused = index_changes::follow(&state, &stop).await.unwrap_err();
    assert!(refused.to_string().contains("belongs to another portal"), "{refused:#}");
    assert_eq!(engine.position(), Some(theirs));
    // An index that this portal has built, for example before a restore, is built again.
    index_writers::record_built(&state.db, INDEX).await.unwrap();
    let following = tokio::spawn(async move {
        let (state, stop) = (state.clone(), stop.clone());
        index_changes::follow(&state, &stop).await
    });
    let head = changes::head(&portal.state.db).await.unwrap();
    wait_until("the index is built again", async || engine.position() == Some(head)).await;
    following.abort();
}

#[tokio::test]
async fn silent_writer_is_replaced() {
    let database = TestDatabase::fresh().await;
    let (pool, dead) = (database.pool(), Uuid::from_u128(9));
    assert!(index_writers::claim(&pool, INDEX, dead, None).await.unwrap());
    let (_folder, engine) = SharedEngine::create();
    let portal = TestPortal::start_with_engine(database, &[], engine).await;
    assert_eq!(portal.guest().get_unchecked("/readyz").await.status, 503, "the index is missing");
    portal.wait_until_indexed().await;
    let writer = writer(&portal.state.db).await.unwrap();
    assert_ne!(writer, dead);
    // When the silent process wakes up, it finds that it is no longer the writer, and cannot release the
    // index.
    assert!(!index_writers::beat(&pool, INDEX, dead).await.unwrap());
    index_writers::release(&pool, INDEX, dead).await.unwrap();
    store_sample_tender(&portal, "Repair of a bridge", |_| {}).await;
    portal.wait_until_indexed().await;
}

#[tokio::test]
async fn index_of_a_process_that_died_after_its_rebuild_is_known_as_its_own() {
    let database = TestDatabase::fresh().await;
    let db = database.pool();
    let (_folder, engine) = SharedEngine::create_dying();
    index_changes::rebuild(&db, &engine).await.unwrap_err();
    assert!(engine.position().is_some(), "the index was replaced");
    assert!(index_writers::has_built(&db, INDEX).await.unwrap());
}

#[tokio::test]
async fn place_of_a_writer_is_taken_only_if_it_is_still_silent() {
    let database = TestDatabase::fresh().await;
    let db = database.pool();
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    assert_eq!(index_writers::writer(&db, INDEX).await.unwrap(), None);
    assert!(index_writers::claim(&db, INDEX, one, None).await.unwrap());
    assert!(!index_writers::claim(&db, INDEX, other, None).await.unwrap());
    let seen = index_writers::writer(&db, INDEX).await.unwrap();
    assert_eq!(seen, Some(Heartbeats { process: one, count: 0 }));
    assert!(index_writers::beat(&db, INDEX, one).await.unwrap());
    assert!(!index_writers::claim(&db, INDEX, other, seen).await.unwrap(), "it has counted on");
    let seen = index_writers::writer(&db, INDEX).await.unwrap();
    assert!(index_writers::claim(&db, INDEX, other, seen).await.unwrap());
    assert!(!index_writers::beat(&db, INDEX, one).await.unwrap());
    // Another index, such as that of the next release, has a writer of its own.
    assert!(index_writers::claim(&db, "tenders-next", one, None).await.unwrap());
    index_writers::release(&db, INDEX, other).await.unwrap();
    assert_eq!(index_writers::writer(&db, INDEX).await.unwrap(), None);
}

#[tokio::test]
async fn processes_go_on_when_another_program_rebuilds_the_index() {
    let (_folder, engine) = SharedEngine::create();
    let portal = TestPortal::start_with_engine(TestDatabase::fresh().await, &[], engine.clone()).await;
    portal.wait_until_indexed().await;
    store_sample_tender(&portal, "Repair of a bridge", |_| {}).await;
    for number in 0..3 {
        index_changes::rebuild(&portal.state.db, &engine).await.unwrap();
        store_sample_tender(&portal, &format!("Bridge {number}"), |_| {}).await;
        portal.wait_until_indexed().await;
    }
    wait_until_listed(&portal.guest(), 4).await;
}

/// Starts a portal whose search cluster refuses connections.
async fn start_without_cluster() -> TestPortal {
    TestPortal::start_with(&["--search-nodes", "http://127.0.0.1:9"]).await
}

#[tokio::test]
async fn without_the_cluster_only_the_search_is_missing() {
    let portal = start_without_cluster().await;
    let tender =
        Tender { title: "Repair of a bridge".into(), status: TenderStatus::Published, ..Tender::default() };
    let id = store(&portal, tender, None).await;
    let guest = portal.guest();
    let message = guest.get("/tenders").await.expect_error(503);
    assert!(message.starts_with("The search is not available"), "{message}");
    for path in ["/tenders/stats", "/tenders/suggestions?text=bridge"] {
        assert_eq!(guest.get(path).await.expect_error(503), message, "{path}");
    }
    for language in ["si", "ta"] {
        let request = guest.request(Method::GET, "/tenders").header("accept-language", language);
        let translated = guest.send(request, Method::GET, "/tenders").await.expect_error(503);
        assert_ne!(translated, message, "{language}");
    }
    // A notice is refused, because it may belong to a tender that only a search finds. The worker sends it
    // again.
    let base = format!("http://{}", portal.address);
    let refused = try_send(&base, &portal.operator_token().await, 1, notice(1, "Repair of a road")).await;
    assert_eq!(refused.unwrap().status(), 503);
    let details = guest.get(&format!("/tenders/{id}")).await.expect(200);
    assert_eq!(details["data"]["tender"]["title"], "Repair of a bridge");
    portal.user("nimal", "supplier").await;
    portal.sign_in("nimal").await.get("/auth/me").await.expect(200);
    wait_until("the process is ready", async || guest.get_unchecked("/readyz").await.status == 200).await;
    let health = guest.get("/health").await.expect(200);
    assert_eq!(health["data"]["services"]["search"], json!(false));
}

#[tokio::test]
async fn without_the_cluster_alerts_are_mailed() {
    let portal = start_without_cluster().await;
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let alert = json!({"name": "Bridges", "keywords": [{"term": "bridge"}]});
    nimal.post("/alerts", &alert).await.expect(201);
    let message = nimal.post("/alerts/preview", &alert).await.expect_error(503);
    assert!(message.starts_with("The search is not available"), "{message}");
    store_sample_tender(&portal, "Repair of a bridge", |_| {}).await;
    portal.wait_until_matched().await;
    portal.advance(60);
    mailbox::find_mail(&portal, "nimal@example.lk", "Repair of a bridge").await;
}
