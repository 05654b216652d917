//! GET /auth/second-factors: reads the caller's second factors. Common forms of their changes.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::accounts::{reauthentication::Proof, second_factors::ChangingSession},
    storage::second_factors,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's second factors.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorsView {
    /// When the authenticator app was set up; `null` if there is none.
    #[schema(required)]
    totp_since: Option<Moment>,
    /// The passkeys, oldest first.
    passkeys: Vec<PasskeyView>,
    /// The number of recovery codes that were not used.
    recovery_codes_left: i64,
    /// Whether this portal offers passkeys.
    offers_passkeys: bool,
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Passkey)]
pub struct PasskeyView {
    /// Its id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name that the user chose.
    name: String,
    /// When it was added.
    created_at: Moment,
    /// When it was last used for a sign-in.
    #[schema(required)]
    used_at: Option<Moment>,
}

/// The proof for a change of the second factors.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorChange {
    #[serde(flatten)]
    pub(super) proof: Proof,
    /// Whether all other sessions end with the change.
    #[serde(default)]
    pub(super) end_other_sessions: bool,
}

/// The caller's session, in which the second factors change.
pub(super) const fn changing_session(caller: &CurrentUser, ends_others: bool) -> ChangingSession {
    ChangingSession { id: caller.0.session, ends_others }
}

/// New recovery codes. They are shown only once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// The codes. Empty if the user has codes already.
    pub recovery_codes: Vec<String>,
}

/// Read the second factors
#[utoipa::path(get, path = "/auth/second-factors", tag = "auth", operation_id = "readSecondFactors",
security(("session" = [])), responses(
    (status = 200, description = "The second factors", body = Envelope<SecondFactorsView>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_second_factors(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<SecondFactorsView> {
    let factors = second_factors::of_user(&mut *state.db.acquire().await?, caller.id).await?;
    let passkeys = factors.passkeys.into_iter().map(|passkey| PasskeyView {
        id: passkey.id,
        name: passkey.name,
        created_at: Moment::new(passkey.created_at),
        used_at: passkey.used_at.map(Moment::new),
    });
    Ok(Envelope::of(SecondFactorsView {
        totp_since: factors.totp_since.map(Moment::new),
        passkeys: passkeys.collect(),
        recovery_codes_left: factors.recovery_codes_left,
        offers_passkeys: state.passkeys.verifier().is_some(),
    }))
}
