//! Publishing what earlier runs have read.

use super::{BatchError, Event, Lock, Progress, Report, Sender, Sent, peak_memory_mib, store::listed};
use std::{path::Path, time::Instant};

/// Publishes what earlier runs have read under an output folder.
///
/// # Errors
/// Where the folder is not there, cannot be listed, or another `ingest` is at work on it.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = listed(out)?;
    // Nobody else writes into a folder that cannot be written.
    let _lock = match Lock::run(out) {
        Err(BatchError::Out { .. }) => None,
        lock => Some(lock?),
    };
    progress.tell(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    let mut sent = Sent::default();
    for (nth, (path, record)) in records.iter().enumerate() {
        let folder = path.parent().unwrap_or(out);
        report.count(record, folder);
        sent.add(sender.send(folder, &record.notices, progress));
        progress.tell(&Event::FileDone {
            file: &record.file,
            done: nth + 1,
            files: records.len(),
            remaining: None,
        });
    }
    report.published = Some(sent);
    report.elapsed = started.elapsed().as_secs_f64();
    report.peak_memory_mib = peak_memory_mib();
    report.publishing_stopped = sender.given_up().map(|error| error.to_string());
    Ok(report)
}
