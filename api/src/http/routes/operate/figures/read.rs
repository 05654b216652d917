//! GET /operate/figures: the figures of the portal by day.

use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        figures::{EmptySearch, Figure, FigureSeries, Queue, QueueState, Total, Unit},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::daily_figures,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Day, Moment};
use utoipa::{IntoParams, ToSchema};

/// The requested days.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FiguresQuery {
    /// The last day, in Colombo time. Without it, today.
    #[param(value_type = Option<String>, format = Date)]
    to: Option<String>,
}

/// A figure and its last 90 days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FigureSeries)]
pub struct FigureSeriesView {
    /// The figure.
    figure: Figure,
    /// The unit of all values.
    unit: Unit,
    /// How the days become `value`.
    total: Total,
    /// The sum of the days, or the value of the last day. `null`: it is not known.
    #[schema(required)]
    value: Option<f64>,
    /// The earlier value to compare with. `null`: it is not known, or a comparison says little.
    #[schema(required)]
    before: Option<f64>,
    /// The number of days between `before` and `value`: a sum is compared with the sum of the 90 days
    /// before, and a last value with the value 28 days before. `null`: there is no comparison.
    #[schema(required)]
    before_days: Option<i64>,
    /// The value of each day, earliest first. `null`: the value of the day is not known.
    #[schema(min_items = 90, max_items = 90)]
    values: Vec<Option<f64>>,
}

/// The present state of a queue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QueueState)]
pub struct QueueStateView {
    /// The queue.
    queue: Queue,
    /// The number of waiting items.
    waiting: i64,
    /// Since when the oldest item is waiting. `null`: the queue is empty.
    #[schema(required)]
    oldest_since: Option<Moment>,
}

/// A text that was searched several times and found nothing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EmptySearch)]
pub struct EmptySearchView {
    /// The text in lower case, at most 80 characters.
    text: String,
    /// The number of searches.
    searches: i64,
}

/// The figures of the portal over 90 days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// The first day of the series.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last day of the series.
    #[schema(value_type = String, format = Date)]
    to: Day,
    /// The series of all figures.
    figures: Vec<FigureSeriesView>,
    /// The present states of the queues.
    queues: Vec<QueueStateView>,
    /// The texts that were searched most often without a result, at most 20, most frequent first. A
    /// text that was searched fewer than three times, or that may be a mail address or a number of a
    /// person, is not included.
    empty_searches: Vec<EmptySearchView>,
}

/// Read the figures of the portal
///
/// A day is in Colombo time. The figures of a day are recorded when the day is over, and do not
/// change later.
#[utoipa::path(get, path = "/operate/figures", tag = "operate", operation_id = "readFigures",
params(FiguresQuery), security(("session" = [])), responses(
    (status = 200, description = "The figures", body = Envelope<Figures>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid, or the day has not begun", body = FailureBody),
))]
pub async fn read_figures(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<FiguresQuery>,
) -> ApiResult<Figures> {
    let to = query.to.map(|to| to.parse::<Day>()).transpose().map_err(|_| {
        ServiceError::Invalid(vec![FieldError::new("to", "to: must be a day such as 2026-11-20")])
    })?;
    let report = daily_figures::read(&state, to).await?;
    Ok(Envelope::of(Figures {
        from: report.from,
        to: report.to,
        figures: report.series.into_iter().map(FigureSeriesView::from).collect(),
        queues: report.queues.into_iter().map(QueueStateView::from).collect(),
        empty_searches: report.empty_searches.into_iter().map(EmptySearchView::from).collect(),
    }))
}

impl From<FigureSeries> for FigureSeriesView {
    fn from(FigureSeries { figure, value, before, values }: FigureSeries) -> Self {
        let (unit, total, before_days) = (figure.unit(), figure.total(), figure.compared_after());
        Self { figure, unit, total, value, before, before_days, values }
    }
}

impl From<QueueState> for QueueStateView {
    fn from(state: QueueState) -> Self {
        let oldest_since = state.oldest_since.map(Moment::new);
        Self { queue: state.queue, waiting: state.waiting, oldest_since }
    }
}

impl From<EmptySearch> for EmptySearchView {
    fn from(EmptySearch { text, searches }: EmptySearch) -> Self {
        Self { text, searches }
    }
}
