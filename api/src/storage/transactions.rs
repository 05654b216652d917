//! Transactions that leave nothing behind if they are cancelled while they begin.
//!
//! If `PgPool::begin` is cancelled, because a client disconnects, it returns the connection to the pool inside
//! the transaction (sqlx issue 4393). Later requests would write into that transaction, which nobody commits.
//! Checking every connection that returns costs about a tenth of the throughput, so only those are checked
//! that return after a cancellation. A transaction on a connection of a pool begins here, and not with
//! `Connection::begin`; a connection that is not from a pool does not return to one.

use sqlx::{Connection, PgConnection, PgPool, Postgres, SqlSafeStr, Transaction};
use std::{
    mem,
    sync::atomic::{AtomicU32, Ordering},
};

/// How many connections are still checked when they return to their pool.
static CHECKS: AtomicU32 = AtomicU32::new(0);
/// How many connections are checked after a cancellation. The one in question returns at once, but others may
/// overtake it.
const CHECKS_AFTER_CANCELLATION: u32 = 1000;

/// Begins a transaction. The caller may be cancelled meanwhile.
///
/// # Errors
/// Fails if there is no connection in time, or the server does not answer.
pub async fn begin(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    begin_with(db, None).await
}

/// Begins a read-only transaction on a snapshot of the database. The caller may be cancelled meanwhile.
///
/// # Errors
/// See [`begin`].
pub async fn snapshot(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    begin_with(db, Some("begin isolation level repeatable read, read only")).await
}

async fn begin_with(
    db: &PgPool,
    statement: Option<&'static str>,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let connection = db.acquire().await?;
    let mut transaction = Transaction::begin(connection, statement.map(SqlSafeStr::into_sql_str));
    // Declared later than the connection, so that it is dropped before the connection returns.
    let unfinished = UnfinishedBegin;
    let begun = (&mut transaction).await;
    mem::forget(unfinished);
    begun
}

/// A transaction that begins. If it is dropped, the beginning was cancelled.
struct UnfinishedBegin;

impl Drop for UnfinishedBegin {
    fn drop(&mut self) {
        CHECKS.store(CHECKS_AFTER_CANCELLATION, Ordering::Release);
    }
}

/// Whether a connection that returns to its pool is outside a transaction.
pub(super) async fn is_reusable(connection: &mut PgConnection) -> bool {
    let take_check = |left: u32| left.checked_sub(1);
    if CHECKS.fetch_update(Ordering::AcqRel, Ordering::Acquire, take_check).is_err() {
        return true;
    }
    // After each statement, the server reports whether a transaction is open. Only `begin_with` looks at this
    // report. The statement begins no transaction, and fails in one that has failed.
    let is_outside = matches!(connection.begin_with("select 1").await, Err(sqlx::Error::BeginFailed));
    if !is_outside {
        tracing::info!("a database connection is closed, because a request was cancelled");
    }
    is_outside
}
