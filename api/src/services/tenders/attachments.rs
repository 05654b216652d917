//! Attaching documents to a tender, reading their text and removing them. Attaching and removing are
//! edits, so a published tender shows when they happened. Only documents added right after the
//! publication are not shown as edits.

use super::publishing::{Editor, lock_own_tender, save_edit};
use crate::{
    app::context::Context,
    clients::{document_file::Documents, file_store::FileError},
    domain::{
        document::{
            Document, MAX_DOCUMENT_BYTES_PER_ACCOUNT, MAX_DOCUMENTS_PER_DAY, MAX_DOCUMENTS_PER_TENDER,
            UnreadDocument,
        },
        error::{FieldError, ServiceError},
        tender::CurrentTender,
        user::{Role, User},
    },
    storage::{
        self, changes, documents,
        stored_today::{self, StoredToday},
        tenders, users,
    },
};
use jiff::SignedDuration;
use tender_model::{
    tender::{self, Tender},
    vocabulary::TenderStatus,
};
use uuid::Uuid;

/// How often the text of a document is tried to be read. Only the death of the server or a defect of the
/// reader makes a further attempt necessary.
const MAX_READ_ATTEMPTS: i16 = 3;
/// The time after which a document whose reader has died is read again. It is longer than the time limit
/// of the reader.
const READ_CLAIM_LIFETIME: SignedDuration = SignedDuration::from_mins(2);

/// Checks whether the caller may attach a document, and counts the upload. The check runs before the
/// upload is read, so that interrupted and refused uploads count too.
///
/// # Errors
/// 404 if the caller may not see the tender. 403 if it belongs to another user. 409 if it is
/// withdrawn or has the maximum number of documents, or the caller has uploaded too many today.
pub async fn may_attach(context: &Context, caller: &User, id: Uuid) -> Result<(), ServiceError> {
    let (mut tx, found) = lock_own_tender(context, caller, id).await?;
    check_attachable(&found.tender)?;
    if caller.role != Role::Admin {
        let one = StoredToday { drafts: 0, documents: 1 };
        let today = context.clock.moment().day();
        if stored_today::add(&mut tx, caller.id, today, one).await?.documents > MAX_DOCUMENTS_PER_DAY {
            return Err(ServiceError::Conflict(format!(
                "You can upload at most {MAX_DOCUMENTS_PER_DAY} documents a day. Please upload the others tomorrow"
            )));
        }
    }
    tx.commit().await?;
    Ok(())
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

/// Reads the text of the document that has waited longest. Returns whether there was one.
///
/// # Errors
/// If the document's file or the reader is not usable. The document is then read again later.
pub async fn read_next_text(context: &Context, files: &Documents) -> anyhow::Result<bool> {
    let now = context.clock.now();
    let claimed_before = now.saturating_sub(READ_CLAIM_LIFETIME).unwrap_or(now);
    let claimed = documents::claim_unread(&context.db, MAX_READ_ATTEMPTS, claimed_before, now).await?;
    let Some(UnreadDocument { id, tender_id, hash }) = claimed else { return Ok(false) };
    let text = match files.extract_text(&hash).await {
        Err(error) if error.is::<FileError>() => {
            // The document is not to blame. It is claimed again later, however long this takes.
            documents::give_attempt_back(&context.db, id).await?;
            return Err(error);
        }
        read => read?,
    };
    let mut tx = storage::begin(&context.db).await?;
    tenders::lock(&mut tx, tender_id).await?;
    if !documents::set_text(&mut tx, id, text.as_deref()).await? {
        return Ok(true);
    }
    let found = tenders::current(&mut *tx, tender_id).await?;
    let mut revision = None;
    if let Some(CurrentTender { mut tender, .. }) = found.filter(|_| text.is_some())
        && let Some(document) = tender.documents.iter_mut().find(|document| document.id == id)
    {
        document.has_text = true;
        revision = tenders::revise(&mut tx, &tender, context.clock.now()).await?;
    }
    changes::commit(tx, revision.as_slice(), &context.clock, &context.random).await?;
    Ok(true)
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
