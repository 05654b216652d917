//! Changes of the index. Every document has the position of its change in the log as its version, and
//! the cluster refuses a version that is not greater than the stored one. A repeated or late write
//! therefore changes nothing, and after a time-out, whose outcome is unknown, the follower simply
//! continues from the position in the index.
//!
//! A removed tender is replaced by an empty document, because the cluster forgets the version of a
//! deleted one after a while.

use crate::{
    cluster::{Cluster, RequestKind},
    document::{POSITION_ID, of_removed, of_tender},
};
use index::{IndexError, LogPosition};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    thread,
    time::{Duration, Instant},
};
use tender_model::tender::Tender;
use uuid::Uuid;

/// A bulk request is sent when it has this size, in bytes.
const BULK_BYTES: usize = 4 << 20;
/// For how long a rebuild repeats a request.
const PATIENCE: Duration = Duration::from_secs(180);
/// The first pause before a request is repeated. It doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The status of a change that is not newer than the stored document.
const CONFLICT: u64 = 409;

/// Writes documents to one index, in bulk.
pub(crate) struct BulkWriter {
    index: String,
    lines: Vec<u8>,
    /// For how long a request is repeated while the cluster is not available.
    patience: Duration,
}

impl BulkWriter {
    /// A writer that fails at once if the cluster is not available.
    pub(crate) const fn new(index: String) -> Self {
        Self { index, lines: Vec::new(), patience: Duration::ZERO }
    }

    /// A writer for a rebuild, which would have to begin again after a failure.
    pub(crate) const fn patient(index: String) -> Self {
        Self { index, lines: Vec::new(), patience: PATIENCE }
    }

    /// The name of the index.
    pub(crate) fn index(&self) -> &str {
        &self.index
    }

    /// Adds or replaces a tender. A tender that is not public is removed instead.
    pub(crate) fn put(
        &mut self,
        cluster: &Cluster,
        tender: &Tender,
        owner: Option<Uuid>,
        position: i64,
    ) -> Result<(), IndexError> {
        let document = if tender.status.is_public() { of_tender(tender, owner)? } else { of_removed() };
        self.add(cluster, &tender.id.to_string(), position, &document)
    }

    /// Removes a tender.
    pub(crate) fn remove(&mut self, cluster: &Cluster, id: Uuid, position: i64) -> Result<(), IndexError> {
        self.add(cluster, &id.to_string(), position, &of_removed())
    }

    fn add(
        &mut self,
        cluster: &Cluster,
        id: &str,
        position: i64,
        document: &Value,
    ) -> Result<(), IndexError> {
        let action = json!({"index": {"_id": id, "version": position, "version_type": "external"}});
        for line in [&action, document] {
            serde_json::to_writer(&mut self.lines, line)?;
            self.lines.push(b'\n');
        }
        if self.lines.len() >= BULK_BYTES { self.flush(cluster) } else { Ok(()) }
    }

    /// Sends what was added.
    pub(crate) fn flush(&mut self, cluster: &Cluster) -> Result<(), IndexError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let lines = std::mem::take(&mut self.lines);
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match self.send(cluster, &lines) {
                Err(IndexError::Unavailable(reason)) if began.elapsed() + pause < self.patience => {
                    tracing::debug!(reason, "a part of a new index is sent again");
                    thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                result => return result,
            }
        }
    }

    fn send(&self, cluster: &Cluster, lines: &[u8]) -> Result<(), IndexError> {
        let path = format!("{}/_bulk?require_alias=false&wait_for_active_shards=1", self.index);
        let media_type = "application/x-ndjson";
        let answer = cluster.send_bytes(RequestKind::Write, &Method::POST, &path, media_type, Some(lines))?;
        check_items(&answer.ok_or(IndexError::Superseded)?)
    }

    /// Sends what was added, shows it to readers, and then records the position. A reader who sees the
    /// position sees the changes too.
    pub(crate) fn commit(&mut self, cluster: &Cluster, at: LogPosition) -> Result<(), IndexError> {
        self.flush(cluster)?;
        refresh(cluster, &self.index)?;
        let document =
            json!({"listed": false, "position": at.position, "change_id": at.change_id.to_string()});
        let version = format!("version={}&version_type=external_gte", at.position);
        let path = format!("{}/_doc/{POSITION_ID}?{version}", self.index);
        match cluster.send(RequestKind::Write, &Method::PUT, &path, Some(&document)) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(IndexError::Superseded),
            // Another writer is further ahead.
            Err(IndexError::Refused(reason)) if reason.starts_with("409") => Err(IndexError::Superseded),
            Err(error) => Err(error),
        }
    }
}

/// Shows all changes of an index to readers.
pub(crate) fn refresh(cluster: &Cluster, index: &str) -> Result<(), IndexError> {
    let answer = cluster.send(RequestKind::Write, &Method::POST, &format!("{index}/_refresh"), None)?;
    let answer = answer.ok_or(IndexError::Superseded)?;
    match answer["_shards"]["failed"].as_u64() {
        Some(0) => Ok(()),
        _ => Err(IndexError::Unavailable("a part of the index could not be refreshed".into())),
    }
}

/// The position in the change log that an index records. `None` if the index does not exist or has no
/// position.
pub(crate) fn read_position(cluster: &Cluster, index: &str) -> Result<Option<LogPosition>, IndexError> {
    // Reading by id sees the last write, also before a refresh.
    let path = format!("{index}/_doc/{POSITION_ID}");
    let answer = cluster.send(RequestKind::Search, &Method::GET, &path, None)?;
    let position = |answer: Value| {
        let source = &answer["_source"];
        let change_id = source["change_id"].as_str()?.parse().ok()?;
        Some(LogPosition { position: source["position"].as_i64()?, change_id })
    };
    Ok(answer.and_then(position))
}

/// Fails if any document of a bulk request was not stored. The cluster answers with 200 all the same.
fn check_items(answer: &Value) -> Result<(), IndexError> {
    let items = answer["items"].as_array().ok_or_else(|| IndexError::Unavailable("no items".into()))?;
    for item in items {
        let result = &item["index"];
        match result["status"].as_u64() {
            Some(200..300 | CONFLICT) => {}
            // `api reindex` has deleted the index.
            Some(404) => return Err(IndexError::Superseded),
            Some(status @ 400..500) if status != 429 => {
                return Err(IndexError::Refused(format!("{status}: {}", result["error"])));
            }
            _ => {
                return Err(IndexError::Unavailable(format!(
                    "a document was not stored: {}",
                    result["error"]
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_write_is_stored_and_a_failed_one_is_noticed() {
        let answer =
            |status: u64| json!({"items": [{"index": {"status": 200}}, {"index": {"status": status}}]});
        assert!(check_items(&answer(201)).is_ok());
        assert!(check_items(&answer(409)).is_ok());
        assert!(matches!(check_items(&answer(400)), Err(IndexError::Refused(_))));
        assert!(matches!(check_items(&answer(404)), Err(IndexError::Superseded)));
        assert!(matches!(check_items(&answer(429)), Err(IndexError::Unavailable(_))));
        assert!(matches!(check_items(&answer(503)), Err(IndexError::Unavailable(_))));
        assert!(matches!(check_items(&json!({})), Err(IndexError::Unavailable(_))));
    }
}
