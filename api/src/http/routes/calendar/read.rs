//! GET /calendar: the deadlines of the caller's bids and saved tenders on some days.
//! GET /calendar/holidays: the holidays on some days, which everyone may read.

use crate::{
    app::state::AppState,
    domain::{
        bid::{BidStage, DueTask},
        coverage::{Holiday, HolidayKind},
        deadlines::DeadlineKind,
        error::{FieldError, ServiceError},
        validation,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Query},
    },
    services::{
        calendar::{self, CalendarEntry},
        entitlement::Entitlement,
    },
};
use axum::extract::State;
use jiff::ToSpan;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Day, Moment};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The maximum number of days that are read at once.
const MAX_DAYS: i64 = 62;

/// The days to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CalendarDays {
    /// The first day.
    #[param(format = Date, example = "2026-12-01")]
    from: String,
    /// The last day, at most 61 days later.
    #[param(format = Date, example = "2026-12-31")]
    to: String,
}

impl CalendarDays {
    fn validate(&self) -> Result<(Day, Day), ServiceError> {
        let day = |field: &str, text: &str| {
            let invalid = |message| ServiceError::Invalid(vec![FieldError::new(field, message)]);
            validation::parse_day(text).map_err(invalid)
        };
        let (from, to) = (day("from", &self.from)?, day("to", &self.to)?);
        let last = from.saturating_add(MAX_DAYS.days());
        if to < from || to >= last {
            let message = format!("Please choose at most {MAX_DAYS} days");
            return Err(ServiceError::Invalid(vec![FieldError::new("to", message)]));
        }
        Ok((from, to))
    }
}

/// A deadline in the calendar.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CalendarEntry)]
struct EntryView {
    /// The tender's id.
    tender_id: Uuid,
    /// The tender's title.
    title: String,
    /// The name of the organisation.
    organization: String,
    /// The step.
    kind: DeadlineKind,
    /// When.
    at: Moment,
    /// Whether the notice states the hour.
    has_hour: bool,
    /// Whether the field was read with doubt.
    is_doubtful: bool,
    /// Whether the tender was cancelled or withdrawn.
    is_cancelled: bool,
    /// The id of the bid on the caller's board; `null`: the tender is only saved.
    #[schema(required)]
    bid_id: Option<Uuid>,
    /// The stage of the bid.
    #[schema(required)]
    stage: Option<BidStage>,
}

impl From<CalendarEntry> for EntryView {
    fn from(entry: CalendarEntry) -> Self {
        let (bid_id, stage) = entry.bid.unzip();
        Self {
            tender_id: entry.tender_id,
            title: entry.title,
            organization: entry.organization,
            kind: entry.kind,
            at: entry.at,
            has_hour: entry.has_hour,
            is_doubtful: entry.is_doubtful,
            is_cancelled: entry.is_cancelled,
            bid_id,
            stage,
        }
    }
}

/// A task of a bid in the calendar.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CalendarTask)]
struct DueTaskView {
    /// The task's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The title.
    title: String,
    /// The last day on which it can be done.
    #[schema(value_type = String, format = Date)]
    due: Day,
    /// The name of who does it; `null`: nobody.
    #[schema(required)]
    assignee: Option<String>,
    /// The id of the bid.
    bid_id: Uuid,
    /// The stage of the bid.
    stage: BidStage,
    /// The id of the bid's tender.
    tender_id: Uuid,
    /// The tender's title.
    tender_title: String,
    /// The name of the organisation.
    organization: String,
}

impl From<DueTask> for DueTaskView {
    fn from(task: DueTask) -> Self {
        Self {
            id: task.id,
            title: task.title,
            due: task.due,
            assignee: task.assignee.map(|person| person.name),
            bid_id: task.bid_id,
            stage: task.stage,
            tender_id: task.tender_id,
            tender_title: task.tender_title,
            organization: task.organization,
        }
    }
}

/// A Poya day or another public holiday.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CalendarHoliday)]
struct HolidayView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    day: Day,
    /// The name.
    name: String,
    /// Whether it is a Poya day.
    #[serde(rename = "isPoya")]
    is_poya: bool,
}

/// The calendar of some days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TenderCalendar)]
pub struct CalendarView {
    /// The deadlines in order.
    entries: Vec<EntryView>,
    /// The tasks of bids in work that are not done, in order.
    tasks: Vec<DueTaskView>,
    /// The Poya days and the other public holidays in order.
    holidays: Vec<HolidayView>,
}

/// Read the calendar
#[utoipa::path(get, path = "/calendar", tag = "calendar", operation_id = "readCalendar", params(CalendarDays),
security(("session" = [])), responses(
    (status = 200, description = "The deadlines of the caller's bids and saved tenders on these days, the tasks \
        that are due, and the holidays", body = Envelope<CalendarView>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A day is invalid, or there are too many days", body = FailureBody),
))]
pub async fn read_calendar(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(days): Query<CalendarDays>,
) -> ApiResult<CalendarView> {
    let (from, to) = days.validate()?;
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let entries = calendar::entries(&state, &caller, &entitlement).await?.into_iter();
    let entries = entries.filter(|entry| (from..=to).contains(&entry.at.day())).map(EntryView::from);
    let holidays = holiday_views(&state, from, to).await?;
    let tasks = calendar::due_tasks(&state, &caller, &entitlement, (from, to)).await?;
    let tasks = tasks.into_iter().map(DueTaskView::from).collect();
    Ok(Envelope::of(CalendarView { entries: entries.collect(), tasks, holidays }))
}

/// The holidays of some days.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarHolidays {
    /// The Poya days and the other public holidays in order.
    holidays: Vec<HolidayView>,
}

/// List the Poya days and the other public holidays
#[utoipa::path(get, path = "/calendar/holidays", tag = "calendar", operation_id = "listHolidays", params(CalendarDays),
responses(
    (status = 200, description = "The holidays on these days", body = Envelope<CalendarHolidays>),
    (status = 422, description = "A day is invalid, or there are too many days", body = FailureBody),
))]
pub async fn list_holidays(
    State(state): State<AppState>,
    Query(days): Query<CalendarDays>,
) -> ApiResult<CalendarHolidays> {
    let (from, to) = days.validate()?;
    Ok(Envelope::of(CalendarHolidays { holidays: holiday_views(&state, from, to).await? }))
}

/// The holidays on which offices are closed.
async fn holiday_views(state: &AppState, from: Day, to: Day) -> Result<Vec<HolidayView>, ServiceError> {
    let holidays = calendar::holidays_between(state, from, to).await?.into_iter();
    let views = holidays.filter_map(|Holiday { day, name, kind }| match kind {
        HolidayKind::Poya => Some(HolidayView { day, name, is_poya: true }),
        HolidayKind::Public => Some(HolidayView { day, name, is_poya: false }),
        HolidayKind::NoPapers => None,
    });
    Ok(views.collect())
}
