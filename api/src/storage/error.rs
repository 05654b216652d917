//! Converts database errors to service errors.

use crate::domain::error::{NOT_SIGNED_IN, ServiceError};

impl From<sqlx::Error> for ServiceError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                tracing::error!(%error, "the database cannot be reached");
                Self::Unavailable("The portal cannot reach its database. Please try again in a moment.")
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

/// Whether a violated foreign key links a row to the account of the caller.
fn is_caller_constraint(constraint: &str) -> bool {
    constraint.ends_with("_user_id_fkey") || constraint == "tender_owner_id_fkey"
}

/// Whether Postgres rolled the transaction back because of a deadlock. The caller may retry it.
#[must_use]
pub fn is_deadlock(error: &ServiceError) -> bool {
    let ServiceError::Internal(error) = error else { return false };
    let code =
        error.chain().find_map(|cause| cause.downcast_ref::<sqlx::Error>()?.as_database_error()?.code());
    code.as_deref() == Some("40P01")
}
