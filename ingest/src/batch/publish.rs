//! Publishing what earlier runs have read.

use super::{BatchError, Event, Lock, Outlets, Progress, Report, Sender, Sent, store::listed};
use std::{path::Path, time::Instant};

/// Publishes what earlier runs have read under an output folder.
///
/// # Errors
/// Where the folder is not there, cannot be listed, or another `ingest` is at work on it.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    if !out.is_dir() {
        return Err(BatchError::NoSuchBatch(out.to_owned()));
    }
    // Nobody else writes into a folder that cannot be written.
    let _lock = match Lock::run(out) {
        Err(BatchError::Out { .. }) => None,
        lock => Some(lock?),
    };
    catch_up(out, Outlets { sender: Some(sender), index: None }, progress)
}

/// Lets the outlets have what they lack of an output folder. The caller holds the lock.
pub(super) fn catch_up(out: &Path, outlets: Outlets<'_>, progress: &Progress) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = listed(out)?;
    progress.tell(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    report.published = outlets.sender.map(|_| Sent::default());
    for (nth, (path, record)) in records.iter().enumerate() {
        let folder = path.parent().unwrap_or(out);
        report.count(record, folder);
        if let Some((sender, published)) = outlets.sender.zip(report.published.as_mut()) {
            published.add(sender.send(folder, &record.notices, progress));
        }
        progress.tell(&Event::FileDone {
            file: &record.file,
            done: nth + 1,
            files: records.len(),
            remaining: None,
        });
    }
    report.close(outlets, started);
    Ok(report)
}
