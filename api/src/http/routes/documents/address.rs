//! GET /tenders/{id}/documents/{document}: returns a signed URL of a document.

use super::authorise_download;
use crate::{
    app::state::AppState,
    clients::document_file,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{MaybeUser, PathIds},
    },
};
use anyhow::Context;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The URL of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentAddress {
    /// The signed URL. It is valid for an hour and needs no session.
    url: String,
}

/// Get a document's URL
///
/// The request counts as a download, once per user, document and period.
#[utoipa::path(get, path = "/tenders/{id}/documents/{document}", tag = "documents", operation_id = "addressDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender"),
("document" = Uuid, Path, description = "`_id` of the document")),
security((), ("session" = [])), responses(
    (status = 200, description = "The document's URL", body = Envelope<DocumentAddress>),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The tender is locked for this user, or the plan includes no downloads",
        body = FailureBody),
    (status = 404, description = "Not found, or not visible to this user", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn get_document_url(
    State(state): State<AppState>,
    caller: MaybeUser,
    PathIds(tender, id): PathIds,
) -> ApiResult<DocumentAddress> {
    let document = authorise_download(&state, &caller, tender, id).await?;
    let url = document_file::signed_url(&state.signing_key, document.id, state.clock.now());
    Ok(Envelope::of(DocumentAddress { url: url.context("signing a document's URL")? }))
}
