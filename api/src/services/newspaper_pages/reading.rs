//! The results of pages.

use super::{
    leases::{add_pages, lost},
    manage::being_forgotten,
};
use crate::{
    app::{context::Context, metrics::portal::PageReader},
    clients::file_store::{self, FileName},
    domain::{
        error::{FieldError, ServiceError},
        newspaper_page::{MAX_PAGES_PER_FILE, PageFile},
    },
    storage::{
        self,
        newspaper_pages::{
            self as stored,
            files::{self, LockedFile},
        },
        page_leases,
    },
};
use jiff::Timestamp;
use std::time::Duration;
use tender_model::page_reading::{BlockOutcome, PageReading, ReadBlock, ReportedPage};
use uuid::Uuid;

/// The maximum number of blocks of a page.
const MAX_BLOCKS: usize = 2000;
/// The maximum number of characters of a newspaper's name.
const MAX_PUBLICATION_LENGTH: usize = 100;
/// The maximum number of characters of a file's name.
const MAX_FILE_NAME_LENGTH: usize = 200;
/// The maximum number of characters of a title or a reason.
const MAX_TEXT_LENGTH: usize = 500;
/// How far a box may reach over the edge of the page, because of rounding.
const EDGE_TOLERANCE: f64 = 0.01;

/// Stores the picture of a page. Returns its hash. The row that refers to it is stored later, so a picture
/// that exists is written again: its age counts from now.
///
/// # Errors
/// 503 if the place of the files can't be reached.
pub async fn store_picture(context: &Context, picture: Vec<u8>) -> Result<String, ServiceError> {
    let hash = file_store::hash(&picture);
    context.files.put(&FileName::newspaper_page(&hash), picture).await?;
    Ok(hash)
}

/// Stores the result of a lease's page, and ends the lease. The picture, given by its hash, is
/// already stored. A result that was stored before changes nothing.
///
/// # Errors
/// A conflict if the lease was lost.
pub async fn store(
    context: &Context,
    lease: Uuid,
    reading: &PageReading,
    picture: &str,
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let page = page_leases::lock(&mut tx, lease).await?.ok_or_else(lost)?;
    if page.is_read {
        return Ok(());
    }
    add_pages(context, &mut tx, page.file.id, reading.page_count).await?;
    let now = context.clock.now();
    stored::store_reading(&mut tx, page.id, reading, picture, now).await?;
    tx.commit().await?;
    count_page(context, PageReader::Worker, lease_age(lease, now), reading);
    tracing::info!(page = %page.id, blocks = reading.blocks.len(), "a newspaper page was read");
    Ok(())
}

/// Stores the result of a page that was read elsewhere. The picture, given by its hash, is already
/// stored. A worker that reads the page loses its lease.
pub async fn store_reported(
    context: &Context,
    page: &ReportedPage,
    picture: &str,
) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let number = i32::try_from(page.number).map_err(anyhow::Error::from)?;
    let page_count = i32::try_from(page.reading.page_count).map_err(anyhow::Error::from)?;
    let file = PageFile {
        id: context.random.id(&context.clock),
        hash: page.file_hash.clone(),
        name: page.file_name.clone(),
        media_type: "application/octet-stream".to_owned(),
        size: i64::try_from(page.file_size).map_err(anyhow::Error::from)?,
        publication: String::new(),
        issue_date: None,
    };
    let mut tx = storage::begin(&context.db).await?;
    files::insert(&mut tx, &file, false, now).await?;
    let LockedFile { id: file_id, is_stored, .. } =
        files::lock(&mut tx, &file.hash).await?.ok_or_else(being_forgotten)?;
    if is_stored {
        add_pages(context, &mut tx, file_id, page.reading.page_count).await?;
    } else {
        // No worker can read the further pages, because the portal does not have the file.
        files::set_page_count(&mut tx, file_id, page_count).await?;
    }
    stored::insert_page(&mut tx, context.random.id(&context.clock), file_id, number, now).await?;
    let id = stored::lock_page_of_file(&mut tx, file_id, number).await?.ok_or_else(being_forgotten)?;
    stored::wait_again(&mut tx, id, now).await?;
    stored::store_reading(&mut tx, id, &page.reading, picture, now).await?;
    tx.commit().await?;
    count_page(context, PageReader::Reporter, None, &page.reading);
    tracing::info!(page = %id, blocks = page.reading.blocks.len(), "a newspaper page was reported");
    Ok(())
}

/// Counts a page for monitoring.
fn count_page(context: &Context, reader: PageReader, duration: Option<Duration>, reading: &PageReading) {
    let outcomes = reading.blocks.iter().map(|block| block.outcome);
    context.metrics.portal.record_page(reader, duration, outcomes);
}

/// How long ago a lease began. The id of a lease contains this time.
fn lease_age(lease: Uuid, now: Timestamp) -> Option<Duration> {
    let (seconds, nanoseconds) = lease.get_timestamp()?.to_unix();
    let began = Timestamp::new(i64::try_from(seconds).ok()?, i32::try_from(nanoseconds).ok()?).ok()?;
    Duration::try_from(now.duration_since(began)).ok()
}

/// Checks a page that was read elsewhere, and shortens long texts. `key` is the key of the page.
///
/// # Errors
/// Invalid if a value is not possible, or if the key belongs to another page.
pub fn check_reported(key: &str, page: ReportedPage) -> Result<ReportedPage, ServiceError> {
    let count = page.reading.page_count;
    if page.number == 0 || page.number > count || count > MAX_PAGES_PER_FILE {
        let message = format!("A file has 1 to {MAX_PAGES_PER_FILE} pages");
        return Err(invalid("page.number", message));
    }
    let digest = hex::decode(&page.file_hash).ok().filter(|_| file_store::is_hash(&page.file_hash));
    let digest = digest.ok_or_else(|| {
        invalid("page.fileHash", "The hash of a file has 64 lower-case hex digits".to_owned())
    })?;
    if file_store::hash(&[digest.as_slice(), &page.number.to_be_bytes()].concat()) != key {
        return Err(invalid("key", "The key does not belong to this page".to_owned()));
    }
    let file_name = clean(&page.file_name, MAX_FILE_NAME_LENGTH);
    if file_name.is_empty() || page.file_size == 0 {
        return Err(invalid("page.fileName", "A file has a name and a size".to_owned()));
    }
    Ok(ReportedPage { file_name, reading: check(page.reading)?, ..page })
}

/// Checks a result, and shortens long texts.
///
/// # Errors
/// Invalid if a value is not possible.
pub fn check(reading: PageReading) -> Result<PageReading, ServiceError> {
    if reading.blocks.len() > MAX_BLOCKS {
        return Err(invalid("blocks", format!("A page has at most {MAX_BLOCKS} blocks")));
    }
    for (nth, block) in reading.blocks.iter().enumerate() {
        check_block(block)
            .map_err(|(field, message)| invalid(&format!("blocks[{nth}].{field}"), message.into()))?;
    }
    let shorten =
        |text: Option<String>| text.map(|text| clean(&text, MAX_TEXT_LENGTH)).filter(|text| !text.is_empty());
    let blocks = reading
        .blocks
        .into_iter()
        .map(|block| ReadBlock { reason: shorten(block.reason), title: shorten(block.title), ..block })
        .collect();
    Ok(PageReading { publication: clean(&reading.publication, MAX_PUBLICATION_LENGTH), blocks, ..reading })
}

fn check_block(block: &ReadBlock) -> Result<(), (&'static str, &'static str)> {
    let [x, y, width, height] = block.area;
    let within = |from: f64, length: f64| {
        from >= -EDGE_TOLERANCE && length > 0.0 && from + length <= 1.0 + EDGE_TOLERANCE
    };
    if !within(x, width) || !within(y, height) {
        return Err(("box", "The box is not on the page"));
    }
    if block.outcome == BlockOutcome::Rejected {
        return Err(("outcome", "Only the portal rejects notices"));
    }
    match (&block.key, block.outcome.is_notice()) {
        (Some(key), true) if is_key(key) => Ok(()),
        (None, false) => Ok(()),
        (Some(_), true) => Err(("key", "The key must be 32 lower-case hex digits")),
        (Some(_), false) => Err(("key", "Only a notice has a key")),
        (None, true) => Err(("key", "A notice needs its key")),
    }
}

fn is_key(key: &str) -> bool {
    key.len() == 32 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The text in one line. Control characters, which Postgres cannot store, are replaced.
fn clean(text: &str, length: usize) -> String {
    let line = tender_model::terminal_text::single_line(text);
    line.trim().chars().take(length).collect()
}

fn invalid(field: &str, message: String) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(area: [f64; 4], outcome: BlockOutcome, key: Option<&str>) -> ReadBlock {
        ReadBlock { area, outcome, reason: None, key: key.map(str::to_owned), title: None }
    }

    #[test]
    fn impossible_blocks_are_refused() {
        let key = "0a".repeat(16);
        let (whole, tender, other) = ([0.0, 0.0, 1.0, 1.0], BlockOutcome::Tender, BlockOutcome::NotANotice);
        for (block, field) in [
            (block(whole, tender, Some(&key)), None),
            (block([-0.001, 0.2, 0.5, 0.805], other, None), None),
            (block([0.0, 0.0, 1.2, 1.0], other, None), Some("blocks[0].box")),
            (block([0.0, -0.5, 1.0, 1.0], other, None), Some("blocks[0].box")),
            (block([0.0, 0.0, f64::NAN, 1.0], other, None), Some("blocks[0].box")),
            (block([0.0, 0.0, 0.0, 1.0], other, None), Some("blocks[0].box")),
            (block([f64::INFINITY, 0.0, 1.0, 1.0], other, None), Some("blocks[0].box")),
            (block(whole, tender, None), Some("blocks[0].key")),
            (block(whole, tender, Some("0A")), Some("blocks[0].key")),
            (block(whole, other, Some(&key)), Some("blocks[0].key")),
            (block(whole, BlockOutcome::Rejected, Some(&key)), Some("blocks[0].outcome")),
        ] {
            let shown = format!("{block:?}");
            let checked = check(PageReading { page_count: 1, blocks: vec![block], ..PageReading::default() });
            let refused = match checked {
                Err(ServiceError::Invalid(errors)) => Some(errors[0].field.clone()),
                _ => None,
            };
            assert_eq!(refused.as_deref(), field, "{shown}");
        }
    }

    #[test]
    fn long_texts_are_shortened_and_blank_ones_dropped() {
        let block = ReadBlock {
            title: Some("a\nb\0".repeat(400)),
            reason: Some(" ".into()),
            ..block([0.0, 0.0, 1.0, 1.0], BlockOutcome::NotANotice, None)
        };
        let reading =
            PageReading { publication: "x".repeat(300), blocks: vec![block], ..PageReading::default() };
        let checked = check(reading).unwrap();
        assert_eq!(checked.publication.len(), 100);
        assert_eq!(checked.blocks[0].title.as_deref().map(|title| title.chars().count()), Some(500));
        assert!(!checked.blocks[0].title.as_deref().unwrap().contains(['\0', '\n']));
        assert_eq!(checked.blocks[0].reason, None);
    }
}
