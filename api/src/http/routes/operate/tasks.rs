//! GET /operate/tasks: counts what waits for the people who work for the portal.

use crate::{
    app::state::AppState,
    domain::operator_tasks::{OperatorTask, WaitingWork},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Reviewer,
    },
    services::{coverage::overview, operator_tasks},
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// How much of a kind of work waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OperatorTask)]
pub struct WaitingWorkView {
    /// The kind of work.
    task: OperatorTask,
    /// The number of items.
    waiting: i64,
    /// Since when the oldest item waits. `null`: there are no items, or their age is not known.
    #[schema(required)]
    oldest_since: Option<Moment>,
}

impl From<WaitingWork> for WaitingWorkView {
    fn from(WaitingWork { task, waiting, oldest_since }: WaitingWork) -> Self {
        Self { task, waiting, oldest_since: oldest_since.map(Moment::new) }
    }
}

/// What waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorTasks {
    /// All kinds of work that the caller may do, also those of which nothing waits.
    tasks: Vec<WaitingWorkView>,
}

/// Count what waits
///
/// A reviewer and an operator token see the work of a reviewer; an administrator sees all work.
#[utoipa::path(get, path = "/operate/tasks", tag = "operate", operation_id = "operatorTasks",
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The numbers", body = Envelope<OperatorTasks>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
))]
pub async fn count_tasks(State(state): State<AppState>, caller: Reviewer) -> ApiResult<OperatorTasks> {
    let today = Moment::new(state.clock.now()).day();
    let gaps = overview::count_gaps(&state, today).await?;
    let waiting = operator_tasks::waiting(&state, caller.role, gaps).await?;
    Ok(Envelope::of(OperatorTasks { tasks: waiting.into_iter().map(WaitingWorkView::from).collect() }))
}
