//! Second factors of an account: an authenticator app, passkeys and recovery codes. Setting up the
//! first one also proves it for the current session, and creates recovery codes.

pub(crate) mod challenge;
pub(crate) mod passkeys;
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
    storage::{second_factors, sessions},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Ends the set-up of a second factor: it counts as proved in this session. Returns recovery codes if
/// the user has none.
async fn complete_set_up(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    session: Uuid,
) -> Result<Vec<String>, ServiceError> {
    sessions::mark_second_factor(tx, session, context.clock.now()).await?;
    if second_factors::of_user(&mut *tx, user.id).await?.recovery_codes_left > 0 {
        return Ok(Vec::new());
    }
    Ok(recovery_codes::replace(context, tx, user.id).await?)
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}
