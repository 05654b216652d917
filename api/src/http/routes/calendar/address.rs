//! GET, PUT and DELETE /calendar/address: reads, renews and revokes the address of the caller's
//! calendar.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::entitlement::Entitlement,
    storage::calendar_feeds,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// The address of the caller's calendar.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarAddress {
    /// The secret URL of the calendar, or `null` without one. Anyone who has the URL sees the deadlines of
    /// the caller's bids and saved tenders.
    #[schema(required)]
    feed_url: Option<String>,
    /// When the calendar got this address.
    #[schema(required)]
    created_at: Option<Moment>,
    /// Whether the caller's plan includes the address.
    is_included: bool,
}

/// Read the address of the calendar
#[utoipa::path(get, path = "/calendar/address", tag = "calendar", operation_id = "readCalendarAddress",
security(("session" = [])), responses(
    (status = 200, description = "The address, if there is one", body = Envelope<CalendarAddress>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_address(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<CalendarAddress> {
    let feed = calendar_feeds::of_user(&state.db, caller.id).await?;
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let url = |key: String| format!("{}/api/feeds/calendar/{key}.ics", state.config.base_url());
    let (feed_url, created_at) = match feed {
        Some(feed) => (Some(url(feed.feed_key)), Some(Moment::new(feed.created_at))),
        None => (None, None),
    };
    let is_included = entitlement.permit_calendar().is_ok();
    Ok(Envelope::of(CalendarAddress { feed_url, created_at, is_included }))
}

/// Give the calendar a new address
///
/// An earlier address becomes invalid.
#[utoipa::path(put, path = "/calendar/address", tag = "calendar", operation_id = "renewCalendarAddress",
security(("session" = [])), responses(
    (status = 200, description = "The new address", body = Envelope<CalendarAddress>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include the address", body = FailureBody),
))]
pub async fn renew_address(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<CalendarAddress> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_calendar()?;
    let key = state.random.secret();
    calendar_feeds::renew(&state.db, caller.id, &key, state.clock.now()).await?;
    read_address(State(state), caller).await
}

/// Revoke the address of the calendar
#[utoipa::path(delete, path = "/calendar/address", tag = "calendar", operation_id = "revokeCalendarAddress",
security(("session" = [])), responses(
    (status = 200, description = "The calendar has no address", body = Envelope<CalendarAddress>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn revoke_address(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<CalendarAddress> {
    calendar_feeds::revoke(&state.db, caller.id).await?;
    read_address(State(state), caller).await
}
