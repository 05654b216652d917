//! GET /operate/coverage: lists the issues of all newspapers on some days.

use super::{HolidayView, IssueView, PaperView};
use crate::{
    app::state::AppState,
    domain::{
        coverage::Issue,
        error::{FieldError, ServiceError},
        validation,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    services::coverage::overview,
    storage::holidays,
};
use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Day, Moment};
use utoipa::{IntoParams, ToSchema};

/// The requested days.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct CoverageQuery {
    /// The first day. Without it, the last two weeks up to `to` are listed.
    #[param(format = Date)]
    from: Option<String>,
    /// The last day, at most 62 days. Without it, two weeks from `from` are listed, or the days up
    /// to today.
    #[param(format = Date)]
    to: Option<String>,
}

/// The issues of all newspapers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The first day.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last day.
    #[schema(value_type = String, format = Date)]
    to: Day,
    /// Today in Colombo.
    #[schema(value_type = String, format = Date)]
    today: Day,
    /// The holidays among the days, in order.
    holidays: Vec<HolidayView>,
    /// The last holiday of the calendar. Later holidays are unknown.
    #[schema(value_type = Option<String>, format = Date, required)]
    holidays_until: Option<Day>,
    /// The expected newspapers by name.
    papers: Vec<PaperCoverage>,
    /// Other newspapers of which there are pages or notices, by name, at most 100.
    unlisted: Vec<UnlistedPaper>,
    /// The number of pages, added since the first day, whose newspaper or issue date is unknown.
    unknown_issues: i64,
}

/// An expected newspaper with its issues.
#[derive(Debug, Serialize, ToSchema)]
struct PaperCoverage {
    /// The newspaper.
    paper: PaperView,
    /// An issue for each day, in order.
    issues: Vec<IssueView>,
}

/// A newspaper that is not in the table of expected newspapers.
#[derive(Debug, Serialize, ToSchema)]
struct UnlistedPaper {
    /// The name as read.
    name: String,
    /// An issue for each day, in order.
    issues: Vec<IssueView>,
}

/// List which newspapers were read
///
/// An issue that was read completely, in part or not at all, or that is missing, is due or is not
/// expected.
#[utoipa::path(get, path = "/operate/coverage", tag = "operate", operation_id = "coverage",
params(CoverageQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The issues of all newspapers", body = Envelope<Coverage>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_coverage(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<CoverageQuery>,
) -> ApiResult<Coverage> {
    let mut errors = Vec::new();
    let mut parse = |field: &str, text: Option<String>| {
        let parsed = text.as_deref().map(validation::parse_day).transpose();
        parsed.unwrap_or_else(|message| {
            errors.push(FieldError::new(field, message));
            None
        })
    };
    let (from, to) = (parse("from", query.from), parse("to", query.to));
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let now = state.clock.now();
    let today = Moment::new(now).day();
    let range = overview::range(from, to, today)?;
    let mut db = state.db.acquire().await?;
    let found = overview::read(&mut db, range, now).await?;
    let holidays_until = holidays::last_day(&mut *db).await?;
    drop(db);
    let unknown_issues = overview::count_unknown_issues(&state, range.0).await?;
    let papers = found.papers.into_iter().map(|(paper, issues)| {
        let issues = views(issues, paper.schedule.min_pages, now);
        PaperCoverage { paper: paper.into(), issues }
    });
    let unlisted = found
        .unlisted
        .into_iter()
        .map(|(name, issues)| UnlistedPaper { name, issues: views(issues, 0, now) });
    Ok(Envelope::of(Coverage {
        from: range.0,
        to: range.1,
        today,
        holidays: found.holidays.into_iter().map(HolidayView::from).collect(),
        holidays_until,
        papers: papers.collect(),
        unlisted: unlisted.collect(),
        unknown_issues,
    }))
}

fn views(issues: Vec<Issue>, min_pages: i32, now: Timestamp) -> Vec<IssueView> {
    issues.into_iter().map(|issue| IssueView::new(issue, min_pages, now)).collect()
}
