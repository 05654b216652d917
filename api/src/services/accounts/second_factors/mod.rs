//! Second factors of an account: an authenticator app, passkeys and recovery codes. Setting up the
//! first one also proves it for the current session, and creates recovery codes.

pub(crate) mod challenge;
pub(crate) mod passkeys;
pub(crate) mod proof_check;
pub(crate) mod recovery_codes;
pub(crate) mod session_proof;
pub(crate) mod sign_in;
pub(crate) mod totp;

use crate::{
    app::context::Context,
    domain::{
        error::{FieldError, ServiceError},
        user::User,
    },
    services::accounts::security_mails::{self, SecurityEvent},
    storage::{second_factors, sessions},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// The session in which a user changes the second factors.
#[derive(Debug, Clone, Copy)]
pub struct ChangingSession {
    /// Its id.
    pub id: Uuid,
    /// Whether all other sessions of the user end with the change.
    pub ends_others: bool,
}

/// Ends the set-up of a second factor: it counts as proved in this session. Returns recovery codes if
/// the user has none.
async fn complete_set_up(
    context: &Context,
    tx: &mut PgConnection,
    (user, session): (&User, ChangingSession),
    event: SecurityEvent<'_>,
) -> Result<Vec<String>, ServiceError> {
    sessions::mark_second_factor(tx, session.id, context.clock.now()).await?;
    // A secret or a challenge that waits here may have been asked for by somebody else.
    second_factors::remove_unfinished_set_ups(tx, user.id).await?;
    complete_change(context, tx, (user, session), event).await?;
    if second_factors::of_user(&mut *tx, user.id).await?.recovery_codes_left > 0 {
        return Ok(Vec::new());
    }
    Ok(recovery_codes::replace(context, tx, user.id).await?)
}

/// Ends a change of the second factors: ends the other sessions if the user wants it, and seals the mail
/// about the change.
async fn complete_change(
    context: &Context,
    tx: &mut PgConnection,
    (user, session): (&User, ChangingSession),
    event: SecurityEvent<'_>,
) -> Result<(), ServiceError> {
    if session.ends_others {
        sessions::end_others(tx, user.id, Some(session.id), context.clock.now()).await?;
    }
    security_mails::seal(context, tx, user, event).await
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}
