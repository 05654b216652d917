//! GET /tenders/{id}/documents/{document}: where a document can be fetched, for whoever may.

use super::fetch;
use crate::{
    app::state::AppState,
    clients::document_store,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Ids, MaybeUser},
    },
};
use anyhow::Context;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Where a document can be fetched.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentAddress {
    /// Good for an hour, without the session.
    url: String,
}

/// Where a document can be fetched
///
/// Counts as a download, once a user, document and month.
#[utoipa::path(get, path = "/tenders/{id}/documents/{document}", tag = "documents", operation_id = "addressDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender"), ("document" = Uuid, Path, description = "`_id` of the document")),
security((), ("session" = [])), responses(
    (status = 200, description = "Its address", body = Envelope<DocumentAddress>),
    (status = 401, description = "The session sent with it has ended", body = FailureBody),
    (status = 403, description = "Locked to this reader, or the plan permits no downloads", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this reader", body = FailureBody),
    (status = 422, description = "An id is no UUID", body = FailureBody),
))]
pub async fn address_document(
    State(state): State<AppState>,
    caller: MaybeUser,
    Ids(tender, id): Ids,
) -> Answer<DocumentAddress> {
    let document = fetch(&state, &caller, tender, id).await?;
    let url = document_store::signed_address(&state.signing_key, document.id, state.clock.now());
    Ok(Envelope::of(DocumentAddress { url: url.context("signing a document's address")? }))
}
