//! Publishing what earlier runs have read.

use super::{BatchError, Event, Lock, Progress, Report, Sender, Sent, peak_memory_mib, records};
use std::{io, path::Path, time::Instant};

/// Publishes what earlier runs have read under an output folder.
///
/// # Errors
/// Where the folder is not there, cannot be listed, or another `ingest` is at work on it.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = records(out).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => BatchError::NoSuchBatch(out.to_owned()),
        _ => BatchError::Unlisted { path: out.to_owned(), source },
    })?;
    // Nobody else writes into a folder that cannot be written.
    let _lock = match Lock::run(out) {
        Err(BatchError::Out { .. }) => None,
        lock => Some(lock?),
    };
    progress.tell(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    let mut sent = Sent::default();
    for (path, record) in &records {
        let folder = path.parent().unwrap_or(out);
        report.count(record, folder);
        sent.add(sender.send(folder, &record.notices, progress));
        progress.tell(&Event::FileDone { file: &record.file });
    }
    report.published = Some(sent);
    report.elapsed = started.elapsed().as_secs_f64();
    report.peak_memory_mib = peak_memory_mib();
    report.publishing_stopped = sender.given_up().map(|error| error.to_string());
    Ok(report)
}
