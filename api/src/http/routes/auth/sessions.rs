//! GET and DELETE /auth/sessions, DELETE /auth/sessions/{id}: lists and ends the caller's sessions.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::{self, sessions},
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The sessions: the current one first, then the others by last use.
    sessions: Vec<SessionView>,
}

/// One session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// The id of the session.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The user agent of the browser that signed in.
    #[schema(required)]
    user_agent: Option<String>,
    /// When the session began.
    begun_at: Moment,
    /// When the session's tokens were last renewed.
    used_at: Moment,
    /// Whether this is the session of the request.
    is_current: bool,
}

/// List sessions
#[utoipa::path(get, path = "/auth/sessions", tag = "auth", operation_id = "listSessions",
security(("session" = [])), responses(
    (status = 200, description = "Active sessions", body = Envelope<Sessions>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn list_sessions(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<Sessions> {
    let found = sessions::open_of_user(&state.db, caller.id, state.clock.now()).await?;
    let mut sessions: Vec<SessionView> = found
        .into_iter()
        .map(|session| SessionView {
            id: session.id,
            user_agent: session.user_agent,
            begun_at: Moment::new(session.begun_at),
            used_at: Moment::new(session.used_at),
            is_current: session.id == caller.0.session,
        })
        .collect();
    sessions.sort_by_key(|session| !session.is_current);
    Ok(Envelope::of(Sessions { sessions }))
}

/// End all other sessions
#[utoipa::path(delete, path = "/auth/sessions", tag = "auth", operation_id = "endOtherSessions",
security(("session" = [])), responses(
    (status = 200, description = "All sessions except the caller's were ended", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn end_other_sessions(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<NoData> {
    let mut tx = storage::begin(&state.db).await?;
    sessions::end_others(&mut tx, caller.id, Some(caller.0.session), state.clock.now()).await?;
    tx.commit().await?;
    tracing::info!(user = %caller.id, "a user ended all other sessions");
    Ok(Envelope::with_message("All other sessions were ended", NoData {}))
}

/// End a session
#[utoipa::path(delete, path = "/auth/sessions/{id}", tag = "auth", operation_id = "endSession",
params(("id" = Uuid, Path, description = "`_id` of the session")), security(("session" = [])), responses(
    (status = 200, description = "The session was ended", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such session", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn end_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let now = state.clock.now();
    let mine = sessions::open_of_user(&state.db, caller.id, now).await?;
    if mine.iter().all(|session| session.id != id) {
        return Err(ServiceError::NotFound("Session"));
    }
    sessions::end(&state.db, id, now).await?;
    Ok(Envelope::with_message("The session was ended", NoData {}))
}
