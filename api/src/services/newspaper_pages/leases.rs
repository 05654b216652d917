//! Leases of pages, which workers take and end.

use crate::{
    app::context::Context,
    domain::{
        error::{FieldError, ServiceError},
        newspaper_page::{MAX_PAGES_PER_FILE, PageFile},
        validation,
    },
    services::search::recency,
    storage::{
        self, newspaper_pages as stored, page_boxes,
        page_leases::{self, LeasedPage, NewLease},
    },
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use tender_model::{
    page_reading::{DecidedBox, PageTask},
    terminal_text::single_line,
    vocabulary::Moment,
};
use uuid::Uuid;

/// How long a lease lasts without a heartbeat.
const LEASE_TIME: SignedDuration = SignedDuration::from_secs(120);
/// How long a page waits after its first failure. The time grows with each attempt.
const RETRY_DELAY: SignedDuration = SignedDuration::from_secs(30);
/// How long a worker is remembered after it has asked for a page.
const WORKER_MEMORY: SignedDuration = SignedDuration::from_hours(24);
/// The maximum number of characters of a worker's name.
const MAX_WORKER_LENGTH: usize = 100;
/// The maximum number of characters of a failure.
const MAX_FAILURE_LENGTH: usize = 500;

/// Gives the oldest waiting page to a worker. `None`: no page waits, or the index is being built, so that
/// the notices of a page would be refused. Only a worker that knows the
/// boxes about which people have decided (`reads_boxes`) gets a page with such boxes.
///
/// # Errors
/// Invalid if the name of the worker is missing or too long.
pub async fn take(
    context: &Context,
    worker: &str,
    reads_boxes: bool,
) -> Result<Option<PageTask>, ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("worker", message)]);
    let worker = validation::parse_line(worker, "Worker", MAX_WORKER_LENGTH).map_err(invalid)?;
    if worker.is_empty() {
        return Err(invalid("Worker is required".into()));
    }
    let now = context.clock.now();
    let until = later(now, LEASE_TIME);
    let mut tx = storage::begin(&context.db).await?;
    page_leases::note_worker(&mut tx, &worker, later(now, -WORKER_MEMORY), now).await?;
    page_leases::end_expired(&mut tx, now).await?;
    if recency::recent_position(context, &mut tx).await?.is_none() {
        tx.commit().await?;
        return Ok(None);
    }
    let lease = NewLease { id: context.random.id(&context.clock), worker: &worker, until, reads_boxes };
    let taken = page_leases::take(&mut tx, lease, now).await?;
    let marks = match &taken {
        Some(page) => page_boxes::of_page(&mut *tx, page.id).await?,
        None => Vec::new(),
    };
    tx.commit().await?;
    let boxes = marks.into_iter().map(|mark| mark.decided).collect();
    taken.map(|page| to_task(lease.id, until, page, boxes)).transpose()
}

fn to_task(
    lease: Uuid,
    until: Timestamp,
    page: LeasedPage,
    boxes: Vec<DecidedBox>,
) -> Result<PageTask, ServiceError> {
    Ok(PageTask {
        lease,
        until: Moment::new(until),
        file_name: page.file.name,
        file_hash: page.file.hash,
        file_size: u64::try_from(page.file.size).map_err(anyhow::Error::from)?,
        number: u32::try_from(page.number).map_err(anyhow::Error::from)?,
        publication: page.file.publication,
        date: page.file.issue_date,
        boxes,
    })
}

/// Extends a lease, and adds the further pages of the file if the worker knows their number. Returns
/// the new end of the lease.
///
/// # Errors
/// A conflict if the lease was lost, and invalid for an impossible number of pages.
pub async fn extend(context: &Context, lease: Uuid, page_count: Option<u32>) -> Result<Moment, ServiceError> {
    let until = later(context.clock.now(), LEASE_TIME);
    let mut tx = storage::begin(&context.db).await?;
    if !page_leases::extend(&mut *tx, lease, until).await? {
        return Err(lost());
    }
    if let Some(page_count) = page_count {
        let page = page_leases::find(&mut *tx, lease).await?.ok_or_else(lost)?;
        add_pages(context, &mut tx, page.file.id, page_count).await?;
    }
    tx.commit().await?;
    Ok(Moment::new(until))
}

/// Adds the further pages of a file when its number of pages becomes known.
///
/// # Errors
/// Invalid for an impossible number of pages.
pub(super) async fn add_pages(
    context: &Context,
    tx: &mut PgConnection,
    file_id: Uuid,
    page_count: u32,
) -> Result<(), ServiceError> {
    if page_count == 0 || page_count > MAX_PAGES_PER_FILE {
        let message = format!("A file has 1 to {MAX_PAGES_PER_FILE} pages");
        return Err(ServiceError::Invalid(vec![FieldError::new("pageCount", message)]));
    }
    let count = i32::try_from(page_count).map_err(anyhow::Error::from)?;
    if stored::files::set_page_count(tx, file_id, count).await? {
        let now = context.clock.now();
        for number in 2..=count {
            stored::insert_page(tx, context.random.id(&context.clock), file_id, number, now).await?;
        }
    }
    Ok(())
}

/// Returns the file of a lease's page.
///
/// # Errors
/// A conflict if the lease was lost.
pub async fn file(context: &Context, lease: Uuid) -> Result<PageFile, ServiceError> {
    Ok(page_leases::find(&context.db, lease).await?.ok_or_else(lost)?.file)
}

/// Ends a lease because the page could not be read. The page is tried again later, or set aside
/// after the last attempt.
///
/// # Errors
/// A conflict if the lease was lost, and invalid without a reason.
pub async fn fail(context: &Context, lease: Uuid, reason: &str) -> Result<(), ServiceError> {
    let reason: String = single_line(reason).trim().chars().take(MAX_FAILURE_LENGTH).collect();
    if reason.is_empty() {
        let error = FieldError::new("reason", "Reason is required");
        return Err(ServiceError::Invalid(vec![error]));
    }
    let mut tx = storage::begin(&context.db).await?;
    let page = page_leases::lock(&mut tx, lease).await?.filter(|page| !page.is_read).ok_or_else(lost)?;
    let due_at = later(context.clock.now(), RETRY_DELAY * page.attempts);
    page_leases::fail(&mut tx, lease, &reason, due_at).await?;
    tx.commit().await?;
    context.metrics.portal.record_page_failure();
    tracing::warn!(page = %page.id, reason, "a newspaper page could not be read");
    Ok(())
}

/// Gives the page of a lease back. The page does not count as tried.
///
/// # Errors
/// A conflict if the lease was lost.
pub async fn give_back(context: &Context, lease: Uuid) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    page_leases::lock(&mut tx, lease).await?.filter(|page| !page.is_read).ok_or_else(lost)?;
    page_leases::give_back(&mut tx, lease, context.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

pub(super) fn lost() -> ServiceError {
    ServiceError::Conflict("This lease has ended: its page waits again, or another worker reads it".into())
}

fn later(now: Timestamp, wait: SignedDuration) -> Timestamp {
    now.checked_add(wait).unwrap_or(now)
}
