//! GET /auth/sessions and DELETE /auth/sessions/{id}: where the caller is signed in, and signing out there.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id},
    },
    storage::refresh_tokens,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Where the caller is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// This one first, then the last used.
    sessions: Vec<SessionView>,
}

/// One sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Its family of refresh tokens.
    #[serde(rename = "_id")]
    id: Uuid,
    /// What it was begun with, as the browser calls itself.
    #[schema(required)]
    user_agent: Option<String>,
    /// When it was begun.
    begun_at: Moment,
    /// When its token was renewed last.
    used_at: Moment,
    /// It is the one that asks.
    is_current: bool,
}

/// Where one is signed in
#[utoipa::path(get, path = "/auth/sessions", tag = "auth", operation_id = "listSessions", security(("session" = [])), responses(
    (status = 200, description = "The sessions that have not ended", body = Envelope<Sessions>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn list_sessions(State(state): State<AppState>, caller: CurrentUser) -> Answer<Sessions> {
    let found = refresh_tokens::sessions(&state.db, caller.id, state.clock.now()).await?;
    let mut sessions: Vec<SessionView> = found
        .into_iter()
        .map(|session| SessionView {
            id: session.family,
            user_agent: session.user_agent,
            begun_at: Moment::new(session.begun_at),
            used_at: Moment::new(session.used_at),
            is_current: session.family == caller.0.session,
        })
        .collect();
    sessions.sort_by_key(|session| !session.is_current);
    Ok(Envelope::of(Sessions { sessions }))
}

/// Sign out elsewhere
#[utoipa::path(delete, path = "/auth/sessions/{id}", tag = "auth", operation_id = "endSession",
params(("id" = Uuid, Path, description = "`_id` of the session")), security(("session" = [])), responses(
    (status = 200, description = "Signed out there", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such session", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn end_session(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    let now = state.clock.now();
    let mine = refresh_tokens::sessions(&state.db, caller.id, now).await?;
    if mine.iter().all(|session| session.family != id) {
        return Err(ServiceError::NotFound("Session"));
    }
    refresh_tokens::revoke_family(&state.db, id, now).await?;
    Ok(Envelope::saying("Signed out there", Empty {}))
}
