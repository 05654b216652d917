//! Many requests at once, and a database that is slow or in use. The server answers quickly, and a
//! healthy process stays ready.

use crate::support::{TestPortal, publishing::store_sample_tender, wait_for};
use api::{
    domain::user::{NewUser, Role},
    storage::{self, subscriptions, users},
};
use jiff::SignedDuration;
use serde_json::json;
use std::time::Duration;
use tender_model::vocabulary::Language;

/// An address whose page and whose API call need the database.
const UNKNOWN_TENDER: &str = "/tenders/00000000-0000-7000-8000-000000000000";
/// A bound that is higher than DATABASE_WAIT_SECONDS and lower than the time limit of a request.
const QUICK: Duration = Duration::from_secs(15);

#[tokio::test]
async fn busy_connections_do_not_make_the_server_unready() {
    let portal =
        TestPortal::start_with(&["--database-connections", "4", "--database-wait-seconds", "1"]).await;
    std::fs::create_dir(portal.folder.path().join("web")).unwrap();
    std::fs::write(portal.folder.path().join("web/index.html"), "<head></head><body></body>").unwrap();
    let guest = portal.guest();
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(portal.state.db.acquire().await.unwrap());
    }
    assert_eq!(guest.get_unchecked("/readyz").await.status, 200);
    assert_eq!(guest.get("/health").await.expect(200)["data"]["database"], true);
    let refused = async {
        let call = guest.get(UNKNOWN_TENDER).await;
        assert!(call.expect_error(503).contains("cannot reach its database"));
        assert_eq!(call.header("retry-after"), "5");
        let page = guest.get_unchecked(UNKNOWN_TENDER).await;
        assert_eq!((page.status.as_u16(), page.header("retry-after")), (503, "5"));
        assert!(page.text().contains("<body>"), "the application is not served");
    };
    tokio::time::timeout(QUICK, refused).await.expect("the answers are not quick");
    // Jobs have connections of their own.
    assert_eq!(guest.get("/health").await.expect(200)["data"]["services"]["matching"], true);
    drop(held);
    guest.get(UNKNOWN_TENDER).await.expect_error(404);
}

#[tokio::test]
async fn statements_of_requests_have_time_limits_but_those_of_jobs_do_not() {
    let settings = ["--statement-seconds", "7", "--lock-seconds", "5", "--idle-in-transaction-seconds", "9"];
    let portal = TestPortal::start_with(&settings).await;
    for (setting, of_requests, of_jobs) in [
        ("statement_timeout", "7s", "0"),
        ("lock_timeout", "5s", "0"),
        ("idle_in_transaction_session_timeout", "9s", "10min"),
    ] {
        for (pool, expected) in [(&portal.state.db, of_requests), (&portal.state.job_db, of_jobs)] {
            let value: String =
                sqlx::query_scalar("select current_setting($1)").bind(setting).fetch_one(pool).await.unwrap();
            assert_eq!(value, expected, "{setting}");
        }
    }
    let commands = storage::connect(&portal.state.config.database).await.unwrap();
    let value: String =
        sqlx::query_scalar("select current_setting('statement_timeout')").fetch_one(&commands).await.unwrap();
    assert_eq!(value, "0");
}

#[tokio::test]
async fn request_that_a_deadlock_ends_gets_503() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "buyer").await;
    // Postgres ends one of two transactions that wait for each other with this error.
    let deadlock = "create function deadlock() returns trigger language plpgsql as
            $$ begin raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end $$;
        create trigger deadlock before update on users for each row execute function deadlock()";
    sqlx::raw_sql(deadlock).execute(&portal.state.db).await.unwrap();
    let refused = user.put("/auth/profile", &json!({"firstName": "Nimal", "lastName": "Perera"})).await;
    assert_eq!(refused.expect_error(503), "Something else was changed at the same moment. Please try again.");
    assert_eq!(refused.header("retry-after"), "5");
}

#[tokio::test]
async fn request_that_waits_too_long_for_a_lock_gets_503() {
    let portal = TestPortal::start_with(&["--lock-seconds", "1"]).await;
    let user = portal.user("nimal", "buyer").await;
    let mut tx = storage::begin(&portal.state.job_db).await.unwrap();
    sqlx::query("select from users for update").execute(&mut *tx).await.unwrap();
    let change = json!({"firstName": "Nimal", "lastName": "Perera"});
    let refused = user.put("/auth/profile", &change).await;
    assert_eq!(refused.expect_error(503), "The request took too long. Please try again.");
    assert_eq!(refused.header("retry-after"), "5");
    tx.rollback().await.unwrap();
    user.put("/auth/profile", &change).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_summaries_are_sealed_with_few_connections() {
    let portal = TestPortal::start_with(&["--job-database-connections", "4"]).await;
    let nimal = portal.subscriber("nimal", "buyer", Some("professional")).await;
    let alert =
        json!({"name": "Daily", "keywords": [{"term": "bridge"}], "emailSettings": {"frequency": "daily"}});
    nimal.post("/alerts", &alert).await.expect(201);
    let state = &portal.state;
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await.unwrap();
    for nth in 0..200 {
        let user = NewUser {
            email: &format!("reader{nth}@example.lk"),
            password_hash: None,
            first_name: "Reader",
            last_name: "Perera",
            phone: None,
            company: None,
            role: Role::Buyer,
            language: Language::English,
            email_verified: true,
        };
        let [user_id, plan_id] = [(); 2].map(|()| state.random.id(&state.clock));
        assert!(users::insert(&mut tx, user_id, &user, now).await.unwrap());
        let end = now + SignedDuration::from_hours(24 * 365);
        subscriptions::insert_given(&mut tx, plan_id, user_id, "basic".parse().unwrap(), now, end)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    store_sample_tender(&portal, "Repair of a bridge", |tender| {
        tender.published_at = Some(state.clock.moment());
    })
    .await;
    portal.wait_until_indexed().await;
    portal.wait_until_matched().await;
    let mut sealing = state.progress.sealing.subscribe();
    state.clock.set("2026-11-23T09:00:00+05:30".parse().unwrap());
    let sealed = "select (select count(*) from delivery where kind = 'summary' and state <> 'open') = 200
        and (select count(*) from delivery where kind = 'alerts' and state <> 'open') = 1";
    tokio::select! {
        () = wait_for(&state.db, sealed) => {}
        _ = sealing.wait_for(|job| !job.ready) => panic!("the job has failed"),
    }
}
