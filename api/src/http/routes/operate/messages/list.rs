//! GET /operate/messages: lists messages of the contact form.

use crate::{
    app::state::AppState,
    domain::{
        contact::{ContactMessage, MessageCursor, MessageFilter, ReportedTender},
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::search::list_query,
    storage::contact,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Moment, TenderStatus};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessagesQuery {
    /// Answered messages instead of open ones.
    #[serde(default)]
    #[param(default = false)]
    is_answered: bool,
    /// A part of the name, the mail address or the text.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Only messages after this position: `next` of the previous part.
    #[param(max_length = 60)]
    after: Option<String>,
}

/// The tender in which a message reports a mistake.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportedTender)]
pub struct ReportedTenderView {
    /// The tender's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The title.
    title: String,
    /// The status.
    status: TenderStatus,
}

/// A message of the contact form.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReceivedMessage)]
pub struct ReceivedMessageView {
    /// The message's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// When it was sent.
    at: Moment,
    /// The id of the sender's account. `null`: the sender was not signed in.
    #[schema(required)]
    user_id: Option<Uuid>,
    /// The sender's name, as entered.
    name: String,
    /// The sender's mail address, as entered.
    email: String,
    /// The text.
    message: String,
    /// Whether the sender's plan includes priority support.
    is_priority: bool,
    /// The tender in which the message reports a mistake.
    #[schema(required)]
    tender: Option<ReportedTenderView>,
    /// When the message was marked as answered. `null`: it is open.
    #[schema(required)]
    answered_at: Option<Moment>,
    /// The mail address of the administrator who marked it as answered.
    #[schema(required)]
    answered_by: Option<String>,
    /// A note for other administrators.
    #[schema(required)]
    note: Option<String>,
}

/// A part of the list of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivedMessages {
    /// The messages. Of the open ones, those with priority come first, and then the oldest. Of the
    /// answered ones, the latest comes first.
    messages: Vec<ReceivedMessageView>,
    /// Send this position as `after` to read the next part. `null`: there are no more messages.
    #[schema(required)]
    next: Option<String>,
}

/// The number of messages in a response.
const PAGE_SIZE: usize = 50;

/// List messages of the contact form
#[utoipa::path(get, path = "/operate/messages", tag = "operate", operation_id = "contactMessages",
params(MessagesQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ReceivedMessages>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_messages(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<MessagesQuery>,
) -> ApiResult<ReceivedMessages> {
    let mut errors = Vec::new();
    let search = list_query::read_text(query.search.as_deref(), &mut errors);
    let after = query.after.map(|after| after.parse::<MessageCursor>()).transpose();
    let after = after.unwrap_or_else(|_| {
        errors.push(FieldError::new("after", "The position in the address is invalid"));
        None
    });
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    // A text in Postgres can't contain NUL.
    let search = search.map(|text| text.replace('\0', ""));
    let filter = MessageFilter { is_answered: query.is_answered, search };
    let mut found = contact::page(&state.db, &filter, after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.cursor().to_string());
    let messages = found.into_iter().map(ReceivedMessageView::from).collect();
    Ok(Envelope::of(ReceivedMessages { messages, next }))
}

impl From<ReportedTender> for ReportedTenderView {
    fn from(ReportedTender { id, title, status }: ReportedTender) -> Self {
        Self { id, title, status }
    }
}

impl From<ContactMessage> for ReceivedMessageView {
    fn from(message: ContactMessage) -> Self {
        Self {
            id: message.id,
            at: Moment::new(message.at),
            user_id: message.user_id,
            name: message.name,
            email: message.email,
            message: message.message,
            is_priority: message.is_priority,
            tender: message.tender.map(ReportedTenderView::from),
            answered_at: message.answered_at.map(Moment::new),
            answered_by: message.answered_by,
            note: message.note,
        }
    }
}
