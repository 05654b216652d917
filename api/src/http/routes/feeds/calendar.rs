//! GET /feeds/calendar/{file}: returns the calendar of a user as a file that calendar programs
//! subscribe to. The secret key in the path replaces a session; the user can renew or revoke it.

use crate::{
    app::state::AppState,
    clients::file_store,
    domain::error::ServiceError,
    http::{error::FailureBody, extract::PathName},
    services::{
        calendar::{self, file},
        entitlement::Entitlement,
    },
    storage::{calendar_feeds, users},
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

/// The length of a key.
const KEY_LENGTH: usize = 43;

/// Read a calendar as a file
#[utoipa::path(get, path = "/feeds/calendar/{file}", tag = "feeds", operation_id = "feedCalendar",
params(("file" = String, Path, description = "The key in the calendar's `feedUrl`, with the ending `.ics`")), responses(
    (status = 200, description = "The calendar", body = String, content_type = "text/calendar"),
    (status = 304, description = "Not modified"),
    (status = 403, description = "The owner's plan no longer includes the calendar", body = FailureBody),
    (status = 404, description = "No calendar has this key", body = FailureBody),
))]
pub async fn feed_calendar(
    State(state): State<AppState>,
    PathName(name): PathName,
    headers: HeaderMap,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Calendar");
    let key = name.strip_suffix(".ics").unwrap_or(&name);
    // Keys in another format were never issued, and the database may reject their characters.
    let is_well_formed = key.len() == KEY_LENGTH
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_well_formed {
        return Err(NOT_FOUND);
    }
    let user = calendar_feeds::user_of(&state.db, key).await?.ok_or(NOT_FOUND)?;
    let user = users::by_id(&state.db, user, state.clock.now()).await?.ok_or(NOT_FOUND)?;
    if user.is_locked {
        return Err(NOT_FOUND);
    }
    let entitlement = Entitlement::of_user(Some(&user), &state).await?;
    entitlement.permit_calendar()?;
    let entries = calendar::entries(&state, &user, &entitlement).await?;
    let text = file::write(&entries, user.language, &state.config.base_url());
    let tag = format!("\"{}\"", file_store::hash(text.as_bytes()));
    let cache_headers =
        [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "private, max-age=300".to_owned())];
    let cached = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    if cached.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == tag) {
        return Ok((StatusCode::NOT_MODIFIED, cache_headers).into_response());
    }
    let media_type = [(header::CONTENT_TYPE, format!("{}; charset=utf-8", file::MEDIA_TYPE))];
    Ok((cache_headers, media_type, Body::from(text)).into_response())
}
