//! POST /bids/{id}/tasks, PUT and DELETE /bids/{id}/tasks/{task}: adds, changes and deletes tasks of a
//! bid.

use super::BidDetails;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId, PathIds},
    },
    services::bids::{Board, parts::TaskInput},
};
use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A task to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TaskForm {
    /// The title.
    #[schema(max_length = 200)]
    title: String,
    /// The last day on which it can be done.
    #[serde(default)]
    #[schema(format = Date)]
    due: Option<String>,
    /// Who does it: a user of the board.
    #[serde(default)]
    assignee_id: Option<Uuid>,
}

/// A changed task. What the form leaves out is deleted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TaskChangeForm {
    /// The title.
    #[schema(max_length = 200)]
    title: String,
    /// The last day on which it can be done.
    #[serde(default)]
    #[schema(format = Date)]
    due: Option<String>,
    /// Who does it: a user of the board.
    #[serde(default)]
    assignee_id: Option<Uuid>,
    /// Whether it is done.
    is_done: bool,
}

/// Add a task to a bid
#[utoipa::path(post, path = "/bids/{id}/tasks", tag = "bids", operation_id = "addBidTask",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = TaskForm,
security(("session" = [])), responses(
    (status = 201, description = "The bid with the task", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "The bid has too many tasks", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn add_task(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<TaskForm>,
) -> Result<(StatusCode, Envelope<BidDetails>), ServiceError> {
    let board = Board::of(&state, &caller).await?;
    let TaskForm { title, due, assignee_id } = form;
    board.add_task(id, TaskInput { title, due, assignee_id }).await?;
    Ok((StatusCode::CREATED, Envelope::of(BidDetails::load(&state, &board, id).await?)))
}

/// Change a task of a bid
///
/// The last change counts, so that two users can tick the same task.
#[utoipa::path(put, path = "/bids/{id}/tasks/{task}", tag = "bids", operation_id = "updateBidTask",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("task" = Uuid, Path, description = "`_id` of the task")), request_body = TaskChangeForm,
security(("session" = [])), responses(
    (status = 200, description = "The bid with the changed task", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such task", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn update_task(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, task): PathIds,
    Body(form): Body<TaskChangeForm>,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    let TaskChangeForm { title, due, assignee_id, is_done } = form;
    board.change_task((bid, task), TaskInput { title, due, assignee_id }, is_done).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, bid).await?))
}

/// Delete a task of a bid
#[utoipa::path(delete, path = "/bids/{id}/tasks/{task}", tag = "bids", operation_id = "deleteBidTask",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("task" = Uuid, Path, description = "`_id` of the task")), security(("session" = [])), responses(
    (status = 200, description = "The bid without the task", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such task", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn delete_task(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, task): PathIds,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.remove_task(bid, task).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, bid).await?))
}
