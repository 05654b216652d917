//! GET /auth/me: reads the signed-in user and their plan.

use super::UserView;
use crate::http::{
    envelope::{ApiResult, Envelope},
    error::FailureBody,
    extract::CurrentUser,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The signed-in user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// The user with the current plan.
    pub(super) user: UserView,
}

/// Read the signed-in user
#[utoipa::path(get, path = "/auth/me", tag = "auth", operation_id = "me", security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<Me>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_me(caller: CurrentUser) -> ApiResult<Me> {
    Ok(Envelope::of(Me { user: caller.0.user.into() }))
}
