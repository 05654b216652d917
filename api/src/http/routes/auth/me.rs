//! GET /auth/me: the signed-in user with its plan.

use super::UserView;
use crate::http::{
    envelope::{Answer, Envelope},
    error::FailureBody,
    extract::CurrentUser,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The signed-in user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// With the plan held now.
    pub(super) user: UserView,
}

/// Who is signed in
#[utoipa::path(get, path = "/auth/me", tag = "auth", operation_id = "me", security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<Me>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn me(caller: CurrentUser) -> Answer<Me> {
    Ok(Envelope::of(Me { user: caller.0.user.into() }))
}
