//! POST /channels/phone/confirm: confirms a telephone with the code sent to it.

use super::require_direct_alerts;
use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    storage::phones,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The number of wrong attempts after which a new code is needed.
const MAX_FAILURES: i32 = 5;

/// The code that confirms a telephone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PhoneCode)]
pub struct PhoneCode {
    /// The six digits of the code.
    #[schema(max_length = 20)]
    code: String,
}

/// Confirm the telephone
#[utoipa::path(post, path = "/channels/phone/confirm", tag = "channels", operation_id = "confirmPhone",
request_body = PhoneCode,
security(("session" = [])), responses(
    (status = 200, description = "The telephone is confirmed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes alerts by mail only", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The code is wrong or expired, or too many wrong codes were entered",
        body = FailureBody),
))]
pub async fn confirm_phone(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<PhoneCode>,
) -> ApiResult<NoData> {
    require_direct_alerts(&state, &caller).await?;
    let code: String = form.code.chars().filter(|c| !c.is_whitespace()).take(20).collect();
    let hash = secret_hash(&code);
    match phones::confirm(&state.db, caller.id, &hash, MAX_FAILURES, state.clock.now()).await? {
        true => Ok(Envelope::with_message("Telephone confirmed", NoData {})),
        false => {
            let fault = FieldError::new("code", "The code is wrong or too old; have another sent");
            Err(ServiceError::Invalid(vec![fault]))
        }
    }
}
