//! PUT and POST /bids/{id}/checklist, DELETE /bids/{id}/checklist/{row}: ticks rows of the checklist of a bid,
//! and adds and deletes rows.

use super::{BidDetails, PersonView};
use crate::{
    app::state::AppState,
    domain::{
        bid::checklist::{CheckedRow, RowContent, Tick},
        error::ServiceError,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId, PathIds},
    },
    services::bids::{Board, checklist::TickInput},
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use tender_model::{checklist::ChecklistRow, vocabulary::Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who ticked a row.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChecklistTick)]
pub(super) struct TickView {
    /// When it was ticked.
    at: Moment,
    /// Who ticked it; `null`: the account was deleted.
    #[schema(required)]
    by: Option<PersonView>,
}

impl From<Tick> for TickView {
    fn from(tick: Tick) -> Self {
        Self { at: Moment::new(tick.at), by: tick.actor.map(PersonView::from) }
    }
}

/// A row that a user added.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnChecklistRow)]
pub(super) struct OwnRowView {
    /// The row's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// What is to be ready.
    title: String,
}

/// A row of the checklist: either one that follows from the tender, or one that a user added.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidChecklistRow)]
pub(super) struct RowView {
    /// The key, for ticking.
    key: String,
    /// Changes if the value of the row changes.
    fingerprint: String,
    /// What follows from the tender. Absent: a user added the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<ChecklistRow>,
    /// What a user added.
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<OwnRowView>,
    /// Who ticked the row; `null`: it is not done.
    #[schema(required)]
    tick: Option<TickView>,
    /// Who ticked the row before its value changed. It is not done any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    outdated_tick: Option<TickView>,
}

impl From<CheckedRow> for RowView {
    fn from(row: CheckedRow) -> Self {
        let key = row.key();
        let (derived, own) = match row.content {
            RowContent::Derived(row) => (Some(*row), None),
            RowContent::Own(row) => (None, Some(OwnRowView { id: row.id, title: row.title })),
        };
        Self {
            key,
            fingerprint: row.fingerprint,
            derived,
            own,
            tick: row.tick.map(TickView::from),
            outdated_tick: row.outdated_tick.map(TickView::from),
        }
    }
}

/// The tick of a row.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TickForm {
    /// The key of the row.
    #[schema(max_length = 60)]
    key: String,
    /// The fingerprint that the user saw.
    #[schema(max_length = 16)]
    fingerprint: String,
    /// Whether it is done.
    is_done: bool,
}

/// A row to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RowForm {
    /// What is to be ready.
    #[schema(max_length = 200)]
    title: String,
}

/// Tick a row of the checklist
///
/// If the tender was changed since the user read the checklist, the row is not ticked.
#[utoipa::path(put, path = "/bids/{id}/checklist", tag = "bids", operation_id = "tickBidRow",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = TickForm,
security(("session" = [])), responses(
    (status = 200, description = "The bid with the changed row", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid, or its checklist no such row", body = FailureBody),
    (status = 409, description = "The row has another value now", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn tick_row(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<TickForm>,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    let TickForm { key, fingerprint, is_done } = form;
    board.tick(id, &TickInput { key, fingerprint, is_done }).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}

/// Add a row to the checklist
#[utoipa::path(post, path = "/bids/{id}/checklist", tag = "bids", operation_id = "addBidRow",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = RowForm,
security(("session" = [])), responses(
    (status = 201, description = "The bid with the row", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "The checklist has too many added rows", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn add_row(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<RowForm>,
) -> Result<(StatusCode, Envelope<BidDetails>), ServiceError> {
    let board = Board::of(&state, &caller).await?;
    board.add_row(id, &form.title).await?;
    Ok((StatusCode::CREATED, Envelope::of(BidDetails::load(&state, &board, id).await?)))
}

/// Delete an added row of the checklist
#[utoipa::path(delete, path = "/bids/{id}/checklist/{row}", tag = "bids", operation_id = "deleteBidRow",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("row" = Uuid, Path, description = "`_id` of the row")), security(("session" = [])), responses(
    (status = 200, description = "The bid without the row", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid, or its checklist no such row", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn delete_row(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, row): PathIds,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.remove_row(bid, row).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, bid).await?))
}
