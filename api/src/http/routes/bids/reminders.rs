//! GET and PUT /bids/reminders, PUT and DELETE /bids/{id}/reminders: when and how the caller is reminded of the
//! deadlines of bids.

use super::BidDetails;
use crate::{
    app::state::AppState,
    domain::{bid::reminders::ReminderSetting, channel::Channel, error::ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::bids::Board,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// When and how a user is reminded. Times are hours before a deadline.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReminderForm {
    /// `email`, `sms`, `whatsapp` or `webhook`. Empty: the user is not reminded.
    #[schema(value_type = Vec<String>, max_items = 4)]
    channels: Vec<Channel>,
    /// The hours before the sale of the documents ends.
    #[schema(max_items = 5)]
    sale_ends: Vec<i32>,
    /// The hours before the meeting or site visit.
    #[schema(max_items = 5)]
    pre_bid: Vec<i32>,
    /// The hours before bids close.
    #[schema(max_items = 5)]
    closing: Vec<i32>,
}

impl From<ReminderSetting> for ReminderForm {
    fn from(setting: ReminderSetting) -> Self {
        let ReminderSetting { channels, sale_ends, pre_bid, closing } = setting;
        Self { channels, sale_ends, pre_bid, closing }
    }
}

impl From<ReminderForm> for ReminderSetting {
    fn from(form: ReminderForm) -> Self {
        let ReminderForm { channels, sale_ends, pre_bid, closing } = form;
        Self { channels, sale_ends, pre_bid, closing }
    }
}

/// The caller's reminders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BidReminders {
    /// What the caller chose for the bid; `null`: the choice for all bids counts.
    #[schema(required)]
    own: Option<ReminderForm>,
    /// What the caller chose for all bids. Without channels: nothing.
    all: ReminderForm,
    /// The channels that the caller has.
    #[schema(value_type = Vec<String>)]
    channels: Vec<Channel>,
}

impl BidReminders {
    pub(super) async fn load(board: &Board<'_>, bid: Option<uuid::Uuid>) -> Result<Self, ServiceError> {
        let own = match bid {
            Some(bid) => board.reminders_of(bid).await?.map(ReminderForm::from),
            None => None,
        };
        Ok(Self { own, all: board.default_reminders().await?.into(), channels: board.channels().await? })
    }
}

/// Read the reminders for all bids
#[utoipa::path(get, path = "/bids/reminders", tag = "bids", operation_id = "readBidReminders",
security(("session" = [])), responses(
    (status = 200, description = "The reminders", body = Envelope<BidReminders>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_reminders(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<BidReminders> {
    let board = Board::of(&state, &caller).await?;
    Ok(Envelope::of(BidReminders::load(&board, None).await?))
}

/// Choose the reminders for all bids
///
/// They count for each bid of the board for which the caller has chosen no others.
#[utoipa::path(put, path = "/bids/reminders", tag = "bids", operation_id = "putBidReminders",
request_body = ReminderForm, security(("session" = [])), responses(
    (status = 200, description = "The reminders", body = Envelope<BidReminders>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include a channel", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn put_reminders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<ReminderForm>,
) -> ApiResult<BidReminders> {
    let board = Board::of(&state, &caller).await?;
    board.set_reminders(None, form.into()).await?;
    Ok(Envelope::of(BidReminders::load(&board, None).await?))
}

/// Choose the reminders of a bid
#[utoipa::path(put, path = "/bids/{id}/reminders", tag = "bids", operation_id = "putRemindersOfBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = ReminderForm,
security(("session" = [])), responses(
    (status = 200, description = "The bid", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include a channel", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn put_reminders_of_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<ReminderForm>,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.set_reminders(Some(id), form.into()).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}

/// Give up the reminders of a bid, so that those for all bids count
#[utoipa::path(delete, path = "/bids/{id}/reminders", tag = "bids", operation_id = "deleteRemindersOfBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), security(("session" = [])), responses(
    (status = 200, description = "The bid", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_reminders_of_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.reset_reminders(id).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}
