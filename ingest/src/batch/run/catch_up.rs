//! Publishes the notices that earlier runs have read.

use super::{
    options::{RunControl, Sinks},
    report::Report,
};
use crate::batch::{
    BatchError, Event, Lock, Progress, Sender, output::listing::list_records, upload::sender::UploadQueue,
};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// Publishes the notices in an output folder.
///
/// # Errors
/// If the folder does not exist, is not an output folder, cannot be listed, or is in use by another
/// process.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    if !out.is_dir() {
        return Err(BatchError::NoSuchBatch(out.to_owned()));
    }
    // Without write access to the folder, the lock cannot be taken. The notices are sent anyway.
    let _lock = match Lock::acquire_existing_run(out) {
        Err(BatchError::Out { .. }) => None,
        lock => Some(lock?),
    };
    let control = RunControl { stop: &AtomicBool::new(false), waits_for_portal: true };
    catch_up(out, Sinks { sender: Some(sender), index: None }, progress, control)
}

/// Brings the sinks up to date with an output folder. The caller holds the run lock, unless the
/// folder cannot be written.
pub(crate) fn catch_up(
    out: &Path,
    sinks: Sinks<'_>,
    progress: &Progress,
    RunControl { stop, waits_for_portal }: RunControl<'_>,
) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = list_records(out)?;
    progress.report(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    let queue = sinks.sender.map(UploadQueue::new);
    for (nth, (path, record)) in records.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let folder = path.parent().unwrap_or(out);
        report.count(record, folder);
        if let Some(queue) = &queue {
            queue.send(folder, &record.notices, progress);
        }
        progress.report(&Event::FileDone {
            file: &record.file,
            done: nth + 1,
            files: records.len(),
            remaining: None,
        });
    }
    report.published = queue.map(|queue| queue.close(waits_for_portal, stop, progress));
    report.finish(sinks, started);
    Ok(report)
}
