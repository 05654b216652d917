//! Publishing what earlier runs have read.

use super::{
    options::{Manner, Outlets},
    report::Report,
};
use crate::batch::{
    BatchError, Event, Lock, Progress, Sender, output::listing::listed, upload::sender::Outbox,
};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// Publishes what earlier runs have read under an output folder.
///
/// # Errors
/// Where the folder is not there, cannot be listed, or another `ingest` is at work on it.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    if !out.is_dir() {
        return Err(BatchError::NoSuchBatch(out.to_owned()));
    }
    // Nobody else writes into a folder that cannot be written.
    let _lock = match Lock::existing(out) {
        Err(BatchError::Out { .. }) => None,
        lock => Some(lock?),
    };
    let manner = Manner { stop: &AtomicBool::new(false), is_patient: true };
    catch_up(out, Outlets { sender: Some(sender), index: None }, progress, manner)
}

/// Lets the outlets have what they lack of an output folder. The caller holds the lock.
pub(crate) fn catch_up(
    out: &Path,
    outlets: Outlets<'_>,
    progress: &Progress,
    Manner { stop, is_patient }: Manner<'_>,
) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = listed(out)?;
    progress.tell(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    let outbox = outlets.sender.map(Outbox::new);
    for (nth, (path, record)) in records.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let folder = path.parent().unwrap_or(out);
        report.count(record, folder);
        if let Some(outbox) = &outbox {
            outbox.send(folder, &record.notices, progress);
        }
        progress.tell(&Event::FileDone {
            file: &record.file,
            done: nth + 1,
            files: records.len(),
            remaining: None,
        });
    }
    report.published = outbox.map(|outbox| outbox.close(is_patient, stop, progress));
    report.close(outlets, started);
    Ok(report)
}
