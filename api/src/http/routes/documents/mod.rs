//! Documents: files that publishers attach to their tenders.

pub(crate) mod address;
pub(crate) mod attach;
pub(crate) mod read;
pub(crate) mod remove;
pub(crate) mod text;

use super::tenders::read::count_view;
use crate::{
    app::state::AppState,
    domain::{document::Document, error::ServiceError},
    http::extract::MaybeUser,
    services::entitlement::Entitlement,
    storage::{documents, tenders},
};
use uuid::Uuid;

/// Authorises and counts a download. A download also counts as a view of the tender, unless the
/// caller has already opened the tender in this period.
async fn authorise_download(
    state: &AppState,
    caller: &MaybeUser,
    tender: Uuid,
    id: Uuid,
) -> Result<Document, ServiceError> {
    let entitlement = Entitlement::of_user(caller.user(), state).await?;
    let found = tenders::current(&state.db, tender).await?;
    let found = found.filter(|found| found.tender.status.is_public() || entitlement.owns(found.owner_id));
    let found = found.ok_or(ServiceError::NotFound("Tender"))?;
    if let Some(stub) = entitlement.stub(&found.tender, found.owner_id) {
        return Err(stub.into());
    }
    let document = documents::get(&state.db, id).await?.filter(|document| document.tender_id == tender);
    let document = document.ok_or(ServiceError::NotFound("Document"))?;
    entitlement.permit_documents(found.owner_id)?;
    if let Some(user) = entitlement.account
        && !entitlement.owns(found.owner_id)
    {
        count_view(state, &entitlement, user, tender).await?;
        let (_, period) = entitlement.detail_quota();
        documents::count_download(&state.db, user, id, period, state.clock.now()).await?;
    }
    Ok(document)
}
