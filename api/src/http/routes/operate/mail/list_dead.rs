//! GET /operate/mail/dead: lists messages that could not be delivered.

use super::read_filter;
use crate::{
    app::state::AppState,
    domain::{
        channel::Channel,
        delivery::{DeadDelivery, DeadFilter},
        error::ServiceError,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::notifications::undelivered,
    storage::deliveries::sending,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeadMessagesQuery {
    /// Only messages after the message with this id.
    after: Option<Uuid>,
    /// A part of the address.
    #[param(max_length = 500)]
    address: Option<String>,
    /// A part of the reason.
    #[param(max_length = 500)]
    reason: Option<String>,
}

/// A message that could not be delivered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeadMessage)]
pub struct DeadMessageView {
    /// The message's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The channel.
    #[schema(value_type = String)]
    channel: Channel,
    /// The recipient's address.
    address: String,
    /// The subject of a mail.
    #[schema(required)]
    subject: Option<String>,
    /// Why the message was given up.
    reason: String,
    /// The number of attempts.
    attempts: i32,
    /// When the message was composed.
    at: Moment,
    /// Whether the address is suppressed. Such a message cannot be sent again.
    is_suppressed: bool,
    /// Whether the message can be sent again.
    can_retry: bool,
}

/// A part of the list of undelivered messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeadMessages {
    /// The messages, latest first.
    messages: Vec<DeadMessageView>,
    /// How many messages that pass the filters can be sent again.
    retriable: i64,
    /// Send this id as `after` to read the next part. `null`: there are no more messages.
    #[schema(required)]
    next: Option<Uuid>,
}

/// The number of messages in a response.
const PAGE_SIZE: usize = 50;

/// List undelivered messages
///
/// These messages were refused, or failed until the last attempt. They are not sent again unless an
/// operator asks for it.
#[utoipa::path(get, path = "/operate/mail/dead", tag = "operate", operation_id = "deadMessages",
params(DeadMessagesQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<DeadMessages>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_dead_messages(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<DeadMessagesQuery>,
) -> ApiResult<DeadMessages> {
    let mut errors = Vec::new();
    let address = read_filter("address", query.address.as_deref(), &mut errors);
    let reason = read_filter("reason", query.reason.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let filter = DeadFilter { id: None, address, reason };
    let retriable = sending::count_retriable(&state.db, &filter).await?;
    let mut found = sending::page_of_dead(&state.db, &filter, query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let messages = found.into_iter().map(DeadMessageView::from).collect();
    Ok(Envelope::of(DeadMessages { messages, retriable, next }))
}

impl From<DeadDelivery> for DeadMessageView {
    fn from(dead: DeadDelivery) -> Self {
        Self {
            subject: undelivered::subject(&dead).filter(|_| dead.channel == Channel::Email),
            can_retry: dead.beginning.is_some() && !dead.is_suppressed,
            id: dead.id,
            channel: dead.channel,
            address: dead.address,
            reason: dead.last_error,
            attempts: dead.attempts,
            at: Moment::new(dead.at),
            is_suppressed: dead.is_suppressed,
        }
    }
}
