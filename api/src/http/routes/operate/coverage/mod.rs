//! Routes with which operators see which newspapers were read, and say which are expected.

pub(crate) mod absences;
pub(crate) mod holidays;
pub(crate) mod papers;
pub(crate) mod read;

use crate::domain::coverage::{ExpectedPaper, Holiday, HolidayKind, Issue, IssueState, Weekday};
use jiff::Timestamp;
use serde::Serialize;
use tender_model::vocabulary::{Day, Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// A newspaper that is expected.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ExpectedPaper)]
pub struct PaperView {
    /// The id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name.
    name: String,
    /// Further spellings of the name. Only their words count: `daily-lanka` is `Daily Lanka`.
    spellings: Vec<String>,
    /// The days of the week on which the newspaper appears, from Monday.
    weekdays: Vec<Weekday>,
    /// The time of day in Colombo by which its pages are expected, as in `06:30`.
    due_time: String,
    /// The number of pages that an issue has at least.
    min_pages: i32,
    /// Whether the newspaper appears on Poya days.
    prints_on_poya: bool,
    /// Whether the newspaper appears on other public holidays.
    prints_on_holidays: bool,
    /// The first day on which the newspaper is expected.
    #[schema(value_type = String, format = Date)]
    active_from: Day,
    /// From this day on, the newspaper is not expected.
    #[schema(value_type = Option<String>, format = Date, required)]
    paused_from: Option<Day>,
    /// The number of changes. Send it with the next change.
    version: i32,
}

impl From<ExpectedPaper> for PaperView {
    fn from(paper: ExpectedPaper) -> Self {
        let schedule = paper.schedule;
        Self {
            id: paper.id,
            name: schedule.name,
            spellings: schedule.spellings,
            weekdays: schedule.weekdays,
            due_time: schedule.due_time.strftime("%H:%M").to_string(),
            min_pages: schedule.min_pages,
            prints_on_poya: schedule.prints_on_poya,
            prints_on_holidays: schedule.prints_on_holidays,
            active_from: schedule.active_from,
            paused_from: paper.paused_from,
            version: paper.version,
        }
    }
}

/// A holiday.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Holiday)]
pub struct HolidayView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    date: Day,
    /// The name.
    name: String,
    /// Whether newspapers appear.
    kind: HolidayKind,
}

impl From<Holiday> for HolidayView {
    fn from(holiday: Holiday) -> Self {
        Self { date: holiday.day, name: holiday.name, kind: holiday.kind }
    }
}

/// A newspaper on a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Issue)]
pub struct IssueView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    date: Day,
    /// How far the issue is.
    state: IssueState,
    /// Whether the hour has passed, nothing was read, and nobody noted that the newspaper did not
    /// appear.
    is_gap: bool,
    /// When the pages are due. `null`: the newspaper is not expected.
    #[schema(required)]
    due_at: Option<Moment>,
    /// The number of pages that were read.
    read: i64,
    /// The number of pages that wait or are being read.
    waiting: i64,
    /// The number of pages that were set aside.
    failed: i64,
    /// The number of notices, also of those whose pages the portal does not know.
    notices: i64,
    /// The note of the person who noted that the newspaper did not appear. It may be empty. `null`:
    /// nobody did.
    #[schema(required)]
    absence: Option<String>,
}

impl IssueView {
    fn new(issue: Issue, min_pages: i32, now: Timestamp) -> Self {
        Self {
            date: issue.day,
            state: issue.state(min_pages, now),
            is_gap: issue.is_gap(now),
            due_at: issue.due_at.map(Moment::new),
            read: issue.content.read,
            waiting: issue.content.waiting,
            failed: issue.content.failed,
            notices: issue.content.notices,
            absence: issue.absence,
        }
    }
}
