//! Attaching documents to a tender and removing them. Both are edits, so a published tender shows
//! when they happened. Only documents added right after the publication are not shown as edits.

use super::publishing::{Editor, lock_own_tender, save_edit};
use crate::{
    app::context::Context,
    domain::{
        document::{Document, MAX_DOCUMENT_BYTES_PER_ACCOUNT, MAX_DOCUMENTS_PER_TENDER},
        error::{FieldError, ServiceError},
        tender::CurrentTender,
        user::{Role, User},
    },
    storage::{documents, users},
};
use tender_model::{
    tender::{self, Tender},
    vocabulary::TenderStatus,
};
use uuid::Uuid;

/// Checks whether the caller may attach a document. The check runs before the upload is read.
///
/// # Errors
/// 404 if the caller may not see the tender. 403 if it belongs to another user. 409 if it is
/// withdrawn or has the maximum number of documents.
pub async fn may_attach(context: &Context, caller: &User, id: Uuid) -> Result<(), ServiceError> {
    load_attachable(context, caller, id).await.map(drop)
}

/// Attaches a file whose bytes are already stored. Returns the document, and whether it is new. If
/// the same bytes were attached before, the existing document is returned.
///
/// # Errors
/// The errors of [`may_attach`], and 422 if the caller's documents would exceed the total size
/// limit.
pub async fn attach(
    context: &Context,
    editor: Editor<'_>,
    document: Document,
) -> Result<(tender::Document, bool), ServiceError> {
    let (id, caller) = (document.tender_id, editor.user);
    let (mut tx, CurrentTender { tender: before, owner_id, .. }) =
        lock_own_tender(context, caller, id).await?;
    let same = documents::hashes(&mut *tx, id).await?.get(&document.hash).copied();
    if let Some(same) = before.documents.iter().find(|there| Some(there.id) == same) {
        return Ok((same.clone(), false));
    }
    check_attachable(&before)?;
    // The total size is read under the account's lock, so that concurrent uploads cannot exceed the
    // limit.
    users::lock(&mut tx, caller.id).await?;
    let size = u64::try_from(document.size).map_err(anyhow::Error::from)?;
    let stored = documents::total_size_of_owner(&mut *tx, caller.id).await?;
    if caller.role != Role::Admin && stored.saturating_add(size) > MAX_DOCUMENT_BYTES_PER_ACCOUNT {
        let message =
            format!("Your documents may have at most {} MB together", MAX_DOCUMENT_BYTES_PER_ACCOUNT >> 20);
        return Err(ServiceError::Invalid(vec![FieldError::new("file", message)]));
    }
    documents::insert(&mut tx, &document, context.clock.now()).await?;
    let attached = tender::Document {
        id: document.id,
        name: document.name,
        media_type: document.media_type,
        size,
        has_text: document.text.is_some(),
    };
    let mut tender = before.clone();
    tender.documents.push(attached.clone());
    save_edit(context, tx, editor, (&before, owner_id), tender).await?;
    Ok((attached, true))
}

/// Removes a document from its tender. Removing it twice is not an error.
///
/// # Errors
/// 404 if the caller may not see the tender, 403 if it belongs to another user, 409 if it is
/// withdrawn.
pub async fn detach(
    context: &Context,
    editor: Editor<'_>,
    id: Uuid,
    document: Uuid,
) -> Result<(), ServiceError> {
    let (mut tx, CurrentTender { tender: before, owner_id, .. }) =
        lock_own_tender(context, editor.user, id).await?;
    if before.status == TenderStatus::Withdrawn {
        return Err(ServiceError::Conflict("A withdrawn tender cannot be edited".into()));
    }
    let mut tender = before.clone();
    tender.documents.retain(|there| there.id != document);
    if tender == before {
        return Ok(());
    }
    documents::remove(&mut tx, document, context.clock.now()).await?;
    save_edit(context, tx, editor, (&before, owner_id), tender).await?;
    Ok(())
}

async fn load_attachable(context: &Context, caller: &User, id: Uuid) -> Result<Tender, ServiceError> {
    let (tx, found) = lock_own_tender(context, caller, id).await?;
    tx.rollback().await?;
    check_attachable(&found.tender)?;
    Ok(found.tender)
}

fn check_attachable(tender: &Tender) -> Result<(), ServiceError> {
    if tender.status == TenderStatus::Withdrawn {
        return Err(ServiceError::Conflict("A withdrawn tender cannot be edited".into()));
    }
    if tender.documents.len() >= MAX_DOCUMENTS_PER_TENDER {
        return Err(ServiceError::Conflict(format!(
            "A tender can have at most {MAX_DOCUMENTS_PER_TENDER} documents"
        )));
    }
    Ok(())
}
