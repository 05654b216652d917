//! GET /operate/mail/suppressed and DELETE /operate/mail/suppressed/{id}: list suppressed addresses,
//! and lift a suppression.

use super::read_filter;
use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        suppression::{SuppressedAddress, SuppressionReason},
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, PathNumber, Query},
    },
    services::notifications::undelivered,
    storage::suppressions,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested addresses.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SuppressedQuery {
    /// Only suppressions before the suppression with this id.
    before: Option<i64>,
    /// A part of the address or of the mail server's message.
    #[param(max_length = 500)]
    search: Option<String>,
}

/// An address that gets only account mails.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SuppressedAddress)]
pub struct SuppressedAddressView {
    /// The id of the suppression.
    #[serde(rename = "_id")]
    id: i64,
    /// The address in lower case.
    address: String,
    /// Why it is suppressed.
    reason: SuppressionReason,
    /// The mail server's message, or a text that names the complaint.
    detail: String,
    /// When it was suppressed.
    at: Moment,
    /// The id of the account with this address.
    #[schema(required)]
    user_id: Option<Uuid>,
}

/// A part of the list of suppressed addresses.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuppressedAddresses {
    /// The addresses, last suppressed first.
    addresses: Vec<SuppressedAddressView>,
    /// Send this id as `before` to read the next part. `null`: there are no more addresses.
    #[schema(required)]
    next: Option<i64>,
}

/// The number of addresses in a response.
const PAGE_SIZE: usize = 50;

/// List suppressed addresses
#[utoipa::path(get, path = "/operate/mail/suppressed", tag = "operate", operation_id = "suppressedAddresses",
params(SuppressedQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<SuppressedAddresses>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_suppressed(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<SuppressedQuery>,
) -> ApiResult<SuppressedAddresses> {
    let mut errors = Vec::new();
    let search = read_filter("search", query.search.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let mut found =
        suppressions::page(&state.db, search.as_deref(), query.before, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let addresses = found.into_iter().map(SuppressedAddressView::from).collect();
    Ok(Envelope::of(SuppressedAddresses { addresses, next }))
}

/// Lift a suppression
///
/// The address stays unconfirmed. Its owner gets only account mails until the owner confirms it
/// again.
#[utoipa::path(delete, path = "/operate/mail/suppressed/{id}", tag = "operate", operation_id = "liftSuppression",
params(("id" = i64, Path, description = "`_id` of the suppression")), security(("session" = [])), responses(
    (status = 200, description = "The suppression is lifted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such suppression", body = FailureBody),
    (status = 422, description = "The id is not a number", body = FailureBody),
))]
pub async fn lift_suppression(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathNumber(id): PathNumber,
) -> ApiResult<NoData> {
    undelivered::lift_suppression(&state.db, &state.clock, &actor, id).await?;
    Ok(Envelope::of(NoData {}))
}

impl From<SuppressedAddress> for SuppressedAddressView {
    fn from(suppressed: SuppressedAddress) -> Self {
        Self {
            id: suppressed.id,
            address: suppressed.address,
            reason: suppressed.reason,
            detail: suppressed.detail,
            at: Moment::new(suppressed.at),
            user_id: suppressed.user_id,
        }
    }
}
