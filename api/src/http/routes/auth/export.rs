//! GET /auth/export: exports all data of the caller as a file.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{error::FailureBody, extract::CurrentUser},
    services::accounts::export,
};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;
use tender_model::vocabulary::Moment;
use tokio_util::io::ReaderStream;
use utoipa::ToSchema;

/// All data of a user, each list oldest first. Hashes of secrets and the text of mails are left
/// out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountExport {
    /// When the export was created.
    exported_at: Moment,
    /// The account's name, address, role and settings.
    profile: Value,
    /// The account's mail addresses, and addresses of alerts, confirmed or not.
    addresses: Vec<Value>,
    /// Connected Google accounts.
    google: Vec<Value>,
    /// Current and past sessions.
    sessions: Vec<Value>,
    /// Second factors, without their secrets.
    second_factors: Vec<Value>,
    /// Subscriptions.
    subscriptions: Vec<Value>,
    /// Checkouts.
    checkouts: Vec<Value>,
    /// Invoices.
    invoices: Vec<Value>,
    /// The user's own tenders, with every revision.
    tenders: Vec<Value>,
    /// Alerts, with every revision.
    alerts: Vec<Value>,
    /// Matches of the alerts.
    matches: Vec<Value>,
    /// Mails and other messages, with their tenders.
    mails: Vec<Value>,
    /// Tender details opened.
    views: Vec<Value>,
    /// Intentions to bid.
    intentions: Vec<Value>,
    /// Saved tenders.
    saved_tenders: Vec<Value>,
    /// Saved searches.
    saved_searches: Vec<Value>,
    /// Saved reports.
    reports: Vec<Value>,
    /// Files attached to tenders, without their content. Download the files from the tenders.
    documents: Vec<Value>,
    /// Files downloaded.
    downloads: Vec<Value>,
    /// Messages to the portal.
    contact_messages: Vec<Value>,
    /// Mailed links, without their tokens.
    mailed_links: Vec<Value>,
    /// The telephone and the webhook for alerts.
    channels: Vec<Value>,
    /// API keys, without their secrets.
    keys: Vec<Value>,
    /// Requests with API keys, by period.
    key_calls: Vec<Value>,
    /// The team that the user owns or belongs to, and the invitations that the user has sent.
    team: Vec<Value>,
    /// The profile of the company, if the user has entered one.
    company: Vec<Value>,
    /// The bids on the user's board, with their notes, tasks and history.
    bids: Vec<Value>,
    /// The user's notes on bids of another board.
    bid_notes: Vec<Value>,
    /// When and how the user is reminded of the deadlines of bids.
    bid_reminders: Vec<Value>,
}

/// Export all data of the account
///
/// The response is the file itself, without an envelope.
#[utoipa::path(get, path = "/auth/export", tag = "auth", operation_id = "exportAccount",
security(("session" = [])), responses(
    (status = 200, description = "The export as a JSON file", body = AccountExport),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn export_account(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Result<Response, ServiceError> {
    let (file, length) = export::write_to_disk(&state, caller.id).await?;
    let name = format!("attachment; filename=\"serendib-tenders-{}.json\"", state.clock.moment().day());
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
}
