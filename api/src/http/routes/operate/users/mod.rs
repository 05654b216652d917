//! Routes with which administrators manage users.

pub(crate) mod confirmation;
pub(crate) mod list;
pub(crate) mod lock;
pub(crate) mod role;
pub(crate) mod second_factors;
pub(crate) mod sessions;

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        plan::PlanName,
        user::{ListedUser, Role},
    },
    http::envelope::{ApiResult, Envelope},
    storage::user_directory,
};
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// A user as administrators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedUser)]
pub struct ListedUserView {
    /// The user's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The mail address.
    email: String,
    /// Whether the address is confirmed.
    email_verified: bool,
    /// The given name.
    first_name: String,
    /// The family name.
    last_name: String,
    /// The name of the company.
    #[schema(required)]
    company: Option<String>,
    /// The role.
    role: Role,
    /// The plan, of the user or of the user's team.
    plan: PlanName,
    /// When the user registered.
    created_at: Moment,
    /// When a session of the user was last begun or renewed.
    #[schema(required)]
    signed_in_at: Option<Moment>,
    /// Since when the account is locked.
    #[schema(required)]
    locked_at: Option<Moment>,
    /// Why the account is locked.
    #[schema(required)]
    lock_reason: Option<String>,
}

/// A user after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneListedUser {
    /// The user.
    user: ListedUserView,
}

impl From<ListedUser> for ListedUserView {
    fn from(user: ListedUser) -> Self {
        Self {
            id: user.id,
            email: user.email,
            email_verified: user.email_verified,
            first_name: user.first_name,
            last_name: user.last_name,
            company: user.company,
            role: user.role,
            plan: user.plan,
            created_at: Moment::new(user.created_at),
            signed_in_at: user.signed_in_at.map(Moment::new),
            locked_at: user.locked_at.map(Moment::new),
            lock_reason: user.lock_reason,
        }
    }
}

/// Responds with a user as it is after a change.
async fn user_response(state: &AppState, id: Uuid) -> ApiResult<OneListedUser> {
    let found = user_directory::find(&state.db, id, state.clock.now()).await?;
    let user = found.ok_or(ServiceError::NotFound("User"))?.into();
    Ok(Envelope::of(OneListedUser { user }))
}
