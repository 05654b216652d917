//! GET /operate/holidays, PUT and DELETE /operate/holidays/{day}: the calendar of holidays.

use super::HolidayView;
use crate::{
    app::state::AppState,
    domain::{
        coverage::HolidayKind,
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, PathDay, Query, Reviewer},
    },
    services::coverage::holidays,
    storage,
};
use axum::extract::State;
use jiff::civil::date;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};

/// The requested holidays.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HolidaysQuery {
    /// The year, by default the present one.
    #[param(minimum = 2000, maximum = 2100)]
    year: Option<i16>,
}

/// The holidays of a year.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedHolidays {
    /// The year.
    year: i16,
    /// The holidays in order.
    holidays: Vec<HolidayView>,
}

/// A holiday.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HolidayForm {
    /// The name.
    #[schema(max_length = 100)]
    name: String,
    /// Whether newspapers appear.
    kind: HolidayKind,
}

/// List holidays
#[utoipa::path(get, path = "/operate/holidays", tag = "operate", operation_id = "holidays",
params(HolidaysQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The holidays of a year", body = Envelope<ListedHolidays>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "The year is invalid", body = FailureBody),
))]
pub async fn list_holidays(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<HolidaysQuery>,
) -> ApiResult<ListedHolidays> {
    let year = query.year.unwrap_or_else(|| Moment::new(state.clock.now()).day().year());
    if !(2000..=2100).contains(&year) {
        let error = FieldError::new("year", "Please enter a year between 2000 and 2100");
        return Err(ServiceError::Invalid(vec![error]));
    }
    let found = storage::holidays::between(&state.db, date(year, 1, 1), date(year, 12, 31)).await?;
    Ok(Envelope::of(ListedHolidays { year, holidays: found.into_iter().map(HolidayView::from).collect() }))
}

/// Add or change a holiday
#[utoipa::path(put, path = "/operate/holidays/{day}", tag = "operate", operation_id = "setHoliday",
params(("day" = String, Path, description = "The day", format = Date)),
request_body = HolidayForm, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The holiday is in the calendar", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The day, the name or the kind is invalid", body = FailureBody),
))]
pub async fn set_holiday(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathDay(day): PathDay,
    Body(form): Body<HolidayForm>,
) -> ApiResult<NoData> {
    holidays::set(&state, &actor, day, &form.name, form.kind).await?;
    Ok(Envelope::of(NoData {}))
}

/// Remove a holiday
#[utoipa::path(delete, path = "/operate/holidays/{day}", tag = "operate", operation_id = "removeHoliday",
params(("day" = String, Path, description = "The day", format = Date)),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The day is no holiday", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "The day was no holiday", body = FailureBody),
    (status = 422, description = "The day is invalid", body = FailureBody),
))]
pub async fn remove_holiday(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathDay(day): PathDay,
) -> ApiResult<NoData> {
    holidays::remove(&state, &actor, day).await?;
    Ok(Envelope::of(NoData {}))
}
