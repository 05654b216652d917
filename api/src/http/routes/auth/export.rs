//! GET /auth/export: all that is kept of the caller, as a file.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{CurrentUser, rate_limit::SignInLimit},
    },
    services::accounts::export,
};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use index::vocabulary::Moment;
use serde::Serialize;
use serde_json::Value;
use tokio_util::io::ReaderStream;
use utoipa::ToSchema;

/// All that is kept of a user, each list oldest first. Left out is what would open the account: hashes, and the words of mails.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountExport {
    /// When it was put together.
    exported_at: Moment,
    /// Name, address, role.
    profile: Value,
    /// Addresses that mail may go to.
    addresses: Vec<Value>,
    /// Connected accounts at Google.
    google: Vec<Value>,
    /// Where the user was or is signed in.
    sessions: Vec<Value>,
    /// Plans held.
    subscriptions: Vec<Value>,
    /// What was asked to be paid.
    checkouts: Vec<Value>,
    /// What was paid.
    invoices: Vec<Value>,
    /// Tenders made, with every revision.
    tenders: Vec<Value>,
    /// Alerts, with every revision.
    alerts: Vec<Value>,
    /// What the alerts matched.
    matches: Vec<Value>,
    /// Mails sent, and for which tenders.
    mails: Vec<Value>,
    /// Details opened.
    views: Vec<Value>,
    /// Intentions to bid.
    intentions: Vec<Value>,
    /// Tenders kept.
    saved_tenders: Vec<Value>,
    /// Searches saved.
    saved_searches: Vec<Value>,
    /// Reports kept.
    reports: Vec<Value>,
    /// Files attached to tenders; the files themselves are fetched there.
    documents: Vec<Value>,
    /// Files fetched.
    downloads: Vec<Value>,
    /// What was written to the portal.
    contact_messages: Vec<Value>,
    /// Links that were mailed.
    mailed_links: Vec<Value>,
    /// The telephone and the webhook that alerts go to.
    channels: Vec<Value>,
    /// API keys, without their secrets.
    keys: Vec<Value>,
    /// Calls made with them, by period.
    key_calls: Vec<Value>,
    /// The team that one owns or belongs to, and whom one invited.
    team: Vec<Value>,
}

/// Take everything along
///
/// The file itself, without an envelope.
#[utoipa::path(get, path = "/auth/export", tag = "auth", operation_id = "exportAccount", security(("session" = [])), responses(
    (status = 200, description = "A file to be kept", body = AccountExport),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn export_account(
    _: SignInLimit,
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Result<Response, ServiceError> {
    let (file, length) = export::of_user(&state, caller.id).await?;
    let name = format!("attachment; filename=\"serendib-tenders-{}.json\"", state.clock.moment().day());
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
}
