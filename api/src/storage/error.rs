//! Converts database errors to service errors.

use crate::{
    base::log_throttle::LogThrottle,
    domain::error::{NOT_SIGNED_IN, ServiceError},
};
use sqlx::error::DatabaseError;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

impl From<sqlx::Error> for ServiceError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                unreachable_database(&error)
            }
            sqlx::Error::Database(database) if is_outage(&*database) => {
                unreachable_database(&sqlx::Error::Database(database))
            }
            sqlx::Error::Database(error) if is_timeout(&*error) => {
                tracing::warn!(error = error.message(), "a statement exceeded its time limit");
                Self::Busy("The request took too long. Please try again.")
            }
            sqlx::Error::Database(error) if error.code().as_deref() == Some(DEADLOCK) => {
                tracing::warn!(error = error.message(), "a call was rolled back because of a deadlock");
                Self::Deadlock
            }
            // The account was deleted during the call.
            sqlx::Error::Database(error)
                if error.is_foreign_key_violation()
                    && error.constraint().is_some_and(is_caller_constraint) =>
            {
                NOT_SIGNED_IN
            }
            error => Self::Internal(error.into()),
        }
    }
}

/// The codes of Postgres for a shutdown, a crash, a start, and too many connections.
const OUTAGES: [&str; 4] = ["57P01", "57P02", "57P03", "53300"];
/// The codes of Postgres for a statement, a lock and an idle transaction that exceeded their time
/// limits.
const TIMEOUTS: [&str; 3] = ["57014", "55P03", "25P03"];
/// The code of Postgres for a deadlock.
const DEADLOCK: &str = "40P01";

/// Limits the log lines about an outage, because every request fails meanwhile.
static OUTAGE_LOG: LogThrottle = LogThrottle::new(Duration::from_secs(10));

/// The number of calls of this process that found no free connection, or no database.
static WITHOUT_DATABASE: AtomicU64 = AtomicU64::new(0);

/// Returns how many calls of this process found no free connection, or no database.
#[must_use]
pub fn calls_without_database() -> u64 {
    WITHOUT_DATABASE.load(Ordering::Relaxed)
}

fn unreachable_database(error: &sqlx::Error) -> ServiceError {
    WITHOUT_DATABASE.fetch_add(1, Ordering::Relaxed);
    if OUTAGE_LOG.is_due() {
        tracing::error!(%error, "the database cannot be reached");
    }
    ServiceError::Busy("The portal cannot reach its database. Please try again in a moment.")
}

fn is_outage(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| OUTAGES.contains(&&*code))
}

fn is_timeout(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| TIMEOUTS.contains(&&*code))
}

/// Whether a violated foreign key links a row to the account of the caller.
fn is_caller_constraint(constraint: &str) -> bool {
    constraint.ends_with("_user_id_fkey") || constraint == "tender_owner_id_fkey"
}

/// Whether Postgres rolled the transaction back because of a deadlock. The caller may retry it.
#[must_use]
pub fn is_deadlock(error: &ServiceError) -> bool {
    let ServiceError::Internal(error) = error else { return matches!(error, ServiceError::Deadlock) };
    let code =
        error.chain().find_map(|cause| cause.downcast_ref::<sqlx::Error>()?.as_database_error()?.code());
    code.as_deref() == Some(DEADLOCK)
}
