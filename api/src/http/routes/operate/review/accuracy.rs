//! GET /operate/review/accuracy: how accurately notices were read, by week and field.

use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    storage::field_checks::{self, WeeklyAccuracy},
};
use axum::extract::State;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Day;
use utoipa::{IntoParams, ToSchema};

/// The maximum number of weeks of a response.
const MAX_WEEKS: u32 = 53;
const DEFAULT_WEEKS: u32 = 12;

/// The requested accuracy.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccuracyQuery {
    /// The number of weeks up to now, from 1 to 53.
    #[param(minimum = 1, maximum = 53, default = 12)]
    weeks: Option<u32>,
    /// Only notices that were checked at random. Those in the queue for another reason are harder to
    /// read than most notices.
    #[serde(default)]
    #[param(default = false)]
    only_samples: bool,
}

/// How accurately a field was read in a week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccuracyOfField {
    /// The Monday of the week in Colombo.
    #[schema(value_type = String, format = Date)]
    week: Day,
    /// The path of the field. `notice`: whether the text is a tender notice.
    field: String,
    /// The number of right values.
    right: i64,
    /// The number of wrong values.
    wrong: i64,
    /// The number of printed values that were not read.
    missed: i64,
    /// Of the right and the wrong values, those that were marked as certain.
    certain: i64,
    /// Of the wrong values, those that were marked as certain.
    certain_wrong: i64,
}

/// The accuracy of the readers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accuracy {
    /// One entry for each field and week, latest week first.
    fields: Vec<AccuracyOfField>,
}

/// Show how accurately notices were read
///
/// The figures come from the decisions of reviewers. A notice that was checked before is not counted
/// again.
#[utoipa::path(get, path = "/operate/review/accuracy", tag = "review", operation_id = "readingAccuracy",
params(AccuracyQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The accuracy", body = Envelope<Accuracy>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_accuracy(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<AccuracyQuery>,
) -> ApiResult<Accuracy> {
    let weeks = query.weeks.unwrap_or(DEFAULT_WEEKS);
    if !(1..=MAX_WEEKS).contains(&weeks) {
        return Err(ServiceError::Invalid(vec![FieldError::new(
            "weeks",
            "weeks: must be a number from 1 to 53",
        )]));
    }
    let now = state.clock.now();
    let since = now.checked_sub(SignedDuration::from_hours(7 * 24 * i64::from(weeks))).unwrap_or(now);
    let found = field_checks::by_week(&state.db, since, query.only_samples).await?;
    let view = |WeeklyAccuracy { week, field, counts }| AccuracyOfField {
        week,
        field,
        right: counts.right,
        wrong: counts.wrong,
        missed: counts.missed,
        certain: counts.certain,
        certain_wrong: counts.certain_wrong,
    };
    Ok(Envelope::of(Accuracy { fields: found.into_iter().map(view).collect() }))
}
