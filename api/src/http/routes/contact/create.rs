//! POST /contact: stores a message to the operator, and mails it to the contact address if one is
//! configured.

use crate::{
    app::state::AppState,
    domain::{
        contact::NewContactMessage,
        error::{FieldError, ServiceError},
        validation::{self, Email},
    },
    http::{
        envelope::{Envelope, NoData},
        error::FailureBody,
        extract::{Body, MaybeUser},
    },
    services::notifications::account_mail::{self, AccountMail, Recipient},
    storage::{self, contact, review_queue, tenders},
};
use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum length of a message, in characters.
const MAX_MESSAGE_LENGTH: usize = 5000;

/// The contact form.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ContactMessage {
    /// The sender's name. Required, at most 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// The address for replies. Required.
    #[schema(format = Email, max_length = 254)]
    email: String,
    /// The message. Required, at most 5000 characters.
    #[schema(max_length = 5000)]
    message: String,
    /// The tender's `_id`, if the message reports a mistake in a tender.
    #[serde(default, rename = "tenderId")]
    tender_id: Option<Uuid>,
}

/// Send a message to the portal
#[utoipa::path(post, path = "/contact", tag = "contact", operation_id = "contact",
request_body = ContactMessage, security((), ("session" = [])), responses(
    (status = 201, description = "The message was stored. It is mailed to the operator if a contact address is \
        configured", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn send_message(
    State(state): State<AppState>,
    caller: MaybeUser,
    Body(form): Body<ContactMessage>,
) -> Result<(StatusCode, Envelope<NoData>), ServiceError> {
    let (name, email, text) = validate(&form).map_err(ServiceError::Invalid)?;
    let about = match form.tender_id {
        Some(id) => Some(describe_tender(&state, id).await?),
        None => None,
    };
    let message = NewContactMessage {
        tender_id: form.tender_id,
        user_id: caller.user().map(|user| user.id),
        name: &name,
        email: email.as_str(),
        message: &text,
        is_priority: caller.user().is_some_and(|user| user.plan.priority_support),
    };
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    contact::insert(&mut tx, state.random.id(&state.clock), &message, now).await?;
    if let Some(tender_id) = form.tender_id {
        review_queue::put_mistake(&mut tx, tender_id, now).await?;
    }
    if let Some(to) = &state.config.company.contact_email {
        let (subject, link) = subject_and_link(&message, about.is_some());
        let text = match &about {
            Some(about) => format!("{text}\n\n{about}"),
            None => text.clone(),
        };
        let mail = AccountMail {
            first_name: "colleague",
            subject: &subject,
            text: &text,
            action: "Answer",
            link: &link,
            note: "Sent by the contact form.",
            unsubscribe: None,
        };
        account_mail::seal(&state, &mut tx, Recipient::operator(to), &mail).await?;
    }
    tx.commit().await?;
    let reply = "Thank you. We reply within 24 hours on business days.";
    Ok((StatusCode::CREATED, Envelope::with_message(reply, NoData {})))
}

/// Returns the lines of the mail that name the tender with the reported mistake.
async fn describe_tender(state: &AppState, id: Uuid) -> Result<String, ServiceError> {
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    let found = found
        .ok_or_else(|| ServiceError::Invalid(vec![FieldError::new("tenderId", "There is no such tender")]))?;
    Ok(format!("About: {}\n{}/tenders/{id}", found.tender.title, state.config.base_url()))
}

/// Returns the mail's subject and the link of its button.
fn subject_and_link(message: &NewContactMessage<'_>, reports_mistake: bool) -> (String, String) {
    let priority = if message.is_priority { "[Priority] " } else { "" };
    let what = if reports_mistake { "reports a mistake" } else { "writes" };
    // Otherwise, an address such as `a?bcc=b@c.lk` could add recipients to the answer.
    let encoded: String = form_urlencoded::byte_serialize(message.email.as_bytes()).collect();
    let link = format!("mailto:{}", encoded.replace("%40", "@"));
    (format!("{priority}{} <{}> {what}", message.name, message.email), link)
}

fn validate(form: &ContactMessage) -> Result<(String, Email, String), Vec<FieldError>> {
    let mut errors = Vec::new();
    let name = validation::parse_name(&form.name, "Name", 100).unwrap_or_else(|message| {
        errors.push(FieldError::new("name", message));
        String::new()
    });
    if name.is_empty() && errors.is_empty() {
        errors.push(FieldError::new("name", "Name is required"));
    }
    let email = form.email.parse::<Email>().map_err(|message| errors.push(FieldError::new("email", message)));
    let text = validation::without_format_controls(&form.message.replace("\r\n", "\n")).trim().to_owned();
    if text.is_empty() {
        errors.push(FieldError::new("message", "Message is required"));
    } else if text.chars().count() > MAX_MESSAGE_LENGTH {
        errors.push(FieldError::new(
            "message",
            format!("Message cannot exceed {MAX_MESSAGE_LENGTH} characters"),
        ));
    } else if text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
        errors.push(FieldError::new("message", "Message must not contain control characters"));
    }
    match email {
        Ok(email) if errors.is_empty() => Ok((name, email, text)),
        _ => Err(errors),
    }
}
