//! What operators do with newspaper files and their pages. Each action and its entry in the audit
//! log are one transaction.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        error::ServiceError,
        newspaper_page::{PageFile, PageState},
    },
    storage::{
        self, audit_log,
        newspaper_pages::{
            self as stored,
            files::{self, LockedFile},
        },
    },
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tender_model::vocabulary::Day;
use uuid::Uuid;

const UNKNOWN_PAGE: ServiceError = ServiceError::NotFound("Page");

/// Adds a file whose bytes are already stored. Its first page waits for a worker. Returns the id of
/// the file, and whether the file is new. A file that was uploaded before keeps its newspaper and
/// its issue date, and its forgotten pages wait again.
pub async fn add_file(
    context: &Context,
    actor: &Actor,
    file: &PageFile,
) -> Result<(Uuid, bool), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let new = files::insert(&mut tx, file, true, now).await?;
    // The row can be missing only if the file was forgotten in the meantime.
    let LockedFile { id, page_count, .. } =
        files::lock(&mut tx, &file.hash).await?.ok_or_else(being_forgotten)?;
    if new.is_none() {
        files::mark_stored(&mut tx, id).await?;
    }
    for number in 1..=page_count.unwrap_or(1) {
        stored::insert_page(&mut tx, context.random.id(&context.clock), id, number, now).await?;
    }
    if new.is_some() {
        let after = json!({
            "file": file.name, "publication": file.publication, "date": file.issue_date.map(|day| day.to_string()),
        });
        record(context, &mut tx, actor, AuditAction::UploadPages, id, after).await?;
    }
    tx.commit().await?;
    Ok((id, new.is_some()))
}

pub(super) fn being_forgotten() -> ServiceError {
    ServiceError::Conflict("This file is being forgotten. Please upload it again".into())
}

/// Lets a page be read again, also one that was set aside. Its last result stays until then.
///
/// # Errors
/// 404 for an unknown page, and a conflict if the portal has no file of the page.
pub async fn read_again(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let page = stored::lock(&mut tx, id, now).await?.ok_or(UNKNOWN_PAGE)?;
    if !page.is_stored {
        return Err(no_file());
    }
    if page.state != PageState::Waiting {
        stored::wait_again(&mut tx, id, now).await?;
        record(context, &mut tx, actor, AuditAction::RereadPage, id, Value::Null).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Corrects the newspaper and the issue date of the file of a page. All pages of the file are read
/// again, so that their notices get the corrected issue. An empty newspaper, or no date, is read from
/// the pages.
///
/// # Errors
/// 404 for an unknown page, and a conflict if the portal has no file of the page.
pub async fn correct_issue(
    context: &Context,
    actor: &Actor,
    id: Uuid,
    publication: &str,
    date: Option<Day>,
) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let (file_id, is_stored) = files::of_page(&mut *tx, id).await?.ok_or(UNKNOWN_PAGE)?;
    if !is_stored {
        return Err(no_file());
    }
    stored::lock_pages(&mut tx, file_id).await?;
    let before = stored::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_PAGE)?;
    files::set_issue(&mut tx, file_id, publication, date, now).await?;
    let issue = |publication: &str, date: Option<Day>| json!({"publication": publication, "date": date.map(|day| day.to_string())});
    let entry = NewAuditEntry {
        actor,
        action: AuditAction::CorrectIssue,
        subject: AuditSubject::Page,
        subject_id: &id.to_string(),
        before: Some(issue(&before.publication, before.issue_date)),
        after: Some(issue(publication, date)),
    };
    audit_log::insert(&mut *tx, &entry, now).await?;
    tx.commit().await?;
    Ok(())
}

fn no_file() -> ServiceError {
    ServiceError::Conflict(
        "The portal does not have the file of this page. Upload the file to read it again".into(),
    )
}

/// Forgets a page that was not read. Its file is deleted with its last page.
///
/// # Errors
/// 404 for an unknown page, and a conflict if the page is being read or was read.
pub async fn forget(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let page = stored::lock(&mut tx, id, now).await?.ok_or(UNKNOWN_PAGE)?;
    if matches!(page.state, PageState::Leased | PageState::Read) {
        return Err(ServiceError::Conflict(
            "Only a page that is not being read and was not read can be forgotten".into(),
        ));
    }
    let before = stored::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_PAGE)?;
    stored::delete(&mut tx, id, page.file_id).await?;
    let values = json!({"file": before.file_name, "page": before.number});
    record(context, &mut tx, actor, AuditAction::ForgetPage, id, values).await?;
    tx.commit().await?;
    Ok(())
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    id: Uuid,
    values: Value,
) -> Result<(), ServiceError> {
    let values = Some(values).filter(|values| !values.is_null());
    let (before, after) = if action == AuditAction::ForgetPage { (values, None) } else { (None, values) };
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::Page,
        subject_id: &id.to_string(),
        before,
        after,
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}
