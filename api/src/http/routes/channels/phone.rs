//! PUT and DELETE /channels/phone: sets or deletes the telephone. Alerts are sent to a telephone
//! only after it is confirmed with a code.

use super::require_direct_alerts;
use crate::{
    app::state::AppState,
    base::{i18n::mail_texts::MailTexts, secret::secret_hash},
    domain::{
        channel::{Channel, DirectChannel},
        error::{FieldError, ServiceError},
        phone_number::PhoneNumber,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    storage::{
        self,
        deliveries::{self, SealedMessage},
        phones, users,
    },
};
use axum::extract::State;
use jiff::SignedDuration;
use serde::Deserialize;
use utoipa::ToSchema;

/// How long a code is valid.
const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// The maximum number of codes in 24 hours. All codes that were sent to the user or to the number
/// count.
const MAX_CODES: i64 = 5;

/// The telephone for alerts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PhoneForm)]
pub struct PhoneForm {
    /// A mobile number, with country code or in Sri Lankan national format.
    #[schema(max_length = 40)]
    number: String,
}

/// Set the telephone
///
/// A code of six digits is sent to the number. No other message is sent to a new number until the
/// code is entered.
#[utoipa::path(put, path = "/channels/phone", tag = "channels", operation_id = "putPhone",
request_body = PhoneForm, security(("session" = [])), responses(
    (status = 200, description = "A code is queued for sending", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes alerts by mail only", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The number is not a mobile number, or the portal offers neither SMS nor \
        WhatsApp", body = FailureBody),
    (status = 429, description = "Too many codes in the last 24 hours", body = FailureBody),
))]
pub async fn put_phone(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<PhoneForm>,
) -> ApiResult<NoData> {
    require_direct_alerts(&state, &caller).await?;
    let fault = |message: &'static str| ServiceError::Invalid(vec![FieldError::new("number", message)]);
    let number: PhoneNumber = form.number.parse().map_err(fault)?;
    let channel = state.channels().into_iter().find(|channel| *channel != DirectChannel::Webhook);
    let channel = channel.ok_or_else(|| fault("The portal sends no such messages"))?;
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    users::lock(&mut tx, caller.id).await?;
    let day_ago = now.saturating_sub(SignedDuration::from_hours(24)).map_err(anyhow::Error::from)?;
    if phones::count_codes_since(&mut *tx, caller.id, number.as_str(), day_ago).await? >= MAX_CODES {
        return Err(ServiceError::RateLimited { retry_after_seconds: 24 * 60 * 60 });
    }
    let code = state.random.digits(6);
    let until = now.saturating_add(CODE_LIFETIME).map_err(anyhow::Error::from)?;
    phones::put(&mut *tx, caller.id, number.as_str(), (&secret_hash(&code), until)).await?;
    let id = state.random.id(&state.clock);
    let address = format!("{}:{number}", channel.as_str());
    let sealed =
        SealedMessage { id, user_id: Some(caller.id), channel: Channel::Direct(channel), address: &address };
    let text = MailTexts::of(caller.language).phone.code.with(&[("code", &code)]);
    deliveries::insert_sealed(&mut tx, &sealed, &id.simple().to_string(), text.as_bytes(), now).await?;
    tx.commit().await?;
    Ok(Envelope::with_message("A code is on its way to your telephone", NoData {}))
}

/// Delete the telephone
#[utoipa::path(delete, path = "/channels/phone", tag = "channels", operation_id = "deletePhone",
security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "No telephone is set", body = FailureBody),
))]
pub async fn delete_phone(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<NoData> {
    match phones::remove(&state.db, caller.id).await? {
        true => Ok(Envelope::with_message("Telephone removed", NoData {})),
        false => Err(ServiceError::NotFound("Telephone")),
    }
}
