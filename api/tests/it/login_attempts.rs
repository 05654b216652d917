//! The limits of attempts with passwords and other secrets.

use crate::support::TestDatabase;
use api::{
    app::{
        login_attempts::{LoginAttempts, SignInSource},
        shared_limit::{self, AttemptKey},
    },
    base::clock::Clock,
    domain::error::ServiceError,
};
use jiff::Timestamp;
use sqlx::PgPool;
use std::{net::IpAddr, num::NonZeroU32};
use uuid::Uuid;

/// A limit of ten attempts per hour.
async fn attempts() -> (LoginAttempts, Clock, PgPool, TestDatabase) {
    let database = TestDatabase::fresh().await;
    let (db, clock) = (database.pool(), Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap()));
    (LoginAttempts::per_hour(NonZeroU32::new(10).unwrap(), &db, &clock), clock, db, database)
}

fn advance(clock: &Clock, seconds: i64) {
    clock.set(Timestamp::from_second(clock.now().as_second() + seconds).unwrap());
}

async fn count_keys(db: &PgPool) -> i64 {
    sqlx::query_scalar("select count(*) from attempt").fetch_one(db).await.unwrap()
}

#[tokio::test]
async fn ten_attempts_are_allowed_and_one_more_every_six_minutes() {
    let (attempts, clock, db, _database) = attempts().await;
    let (one, other) = (AttemptKey::new(["a", "b", "c"]), AttemptKey::new(["a", "b", "d"]));
    for _ in 0..10 {
        attempts.try_acquire(one).await.unwrap();
    }
    let refused = attempts.try_acquire(one).await.unwrap_err();
    assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 361 }), "{refused:?}");
    attempts.try_acquire(other).await.unwrap();
    advance(&clock, 359);
    attempts.try_acquire(one).await.unwrap_err();
    advance(&clock, 1);
    attempts.try_acquire(one).await.unwrap();
    attempts.try_acquire(one).await.unwrap_err();
    attempts.forget(one).await.unwrap();
    for _ in 0..10 {
        attempts.try_acquire(one).await.unwrap();
    }

    // Only keys that limit nothing any more are deleted.
    shared_limit::delete_full(&db, &clock).await.unwrap();
    assert_eq!(count_keys(&db).await, 1);
    attempts.try_acquire(one).await.unwrap_err();
    advance(&clock, 3600);
    shared_limit::delete_full(&db, &clock).await.unwrap();
    assert_eq!(count_keys(&db).await, 0);
    attempts.try_acquire(one).await.unwrap();
}

#[tokio::test]
async fn guesses_from_many_networks_are_limited_but_not_those_of_a_device() {
    let (attempts, clock, _db, _database) = attempts().await;
    let network = |nth: u8| SignInSource::Network(IpAddr::from([203, 0, 113, nth]));
    let email = "Nimal@example.lk";
    for nth in 0..50 {
        attempts.begin_sign_in(email, network(nth)).await.unwrap();
    }
    let refused = attempts.begin_sign_in("nimal@example.lk", network(50)).await.unwrap_err();
    assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 73 }), "{refused:?}");
    attempts.begin_sign_in("kamala@example.lk", network(50)).await.unwrap();
    let device = attempts.begin_sign_in(email, SignInSource::Device(Uuid::nil())).await.unwrap();
    attempts.accept_sign_in(device).await.unwrap();
    attempts.begin_sign_in(email, network(51)).await.unwrap_err();
    advance(&clock, 72);
    let correct = attempts.begin_sign_in(email, network(52)).await.unwrap();
    attempts.accept_sign_in(correct).await.unwrap();
    // The owner's attempt is given back, and no more.
    attempts.begin_sign_in(email, network(53)).await.unwrap();
    attempts.begin_sign_in(email, network(54)).await.unwrap_err();
}

#[tokio::test]
async fn correct_sign_ins_limit_nothing() {
    let (attempts, clock, db, _database) = attempts().await;
    for _ in 0..200 {
        let source = SignInSource::Network(IpAddr::from([9, 9, 9, 9]));
        let attempt = attempts.begin_sign_in("a@b.lk", source).await.unwrap();
        attempts.accept_sign_in(attempt).await.unwrap();
    }
    shared_limit::delete_full(&db, &clock).await.unwrap();
    assert_eq!(count_keys(&db).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_attempts_of_several_processes_do_not_bypass_the_limit() {
    let (first, clock, db, _database) = attempts().await;
    let second = LoginAttempts::per_hour(NonZeroU32::new(10).unwrap(), &db, &clock);
    let key = AttemptKey::new(["login", "nimal@example.lk", "9.9.9.9"]);
    let tries = (0..40).map(|nth| if nth % 2 == 0 { &first } else { &second }.try_acquire(key));
    let allowed = futures::future::join_all(tries).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(allowed, 10);
}
