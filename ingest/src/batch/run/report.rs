//! [`Report`]: the outcome of a batch, as text or JSON.

use super::options::Sinks;
use crate::{
    base::memory::peak_memory_mib,
    batch::{
        DuplicateFile, IndexCounts, PageRecord, ReviewState, Sender, UploadCounts,
        input::discovery::describe_skipped,
    },
    llm::UsageReport,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Instant,
};
use tender_model::terminal_text::{counted, single_line};

/// The outcome of a batch.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Pages read in this run.
    pub done: usize,
    /// Pages unchanged since an earlier run.
    pub unchanged: usize,
    /// What failed, where, and what to do.
    pub failed: Vec<String>,
    /// Remarks for the operator.
    pub remarks: Vec<String>,
    /// Files with the content of another file, which were skipped.
    pub duplicates: Vec<DuplicateFile>,
    /// Skipped files and output folders.
    pub passed_over: Vec<String>,
    /// The number of notices by kind.
    pub notices: BTreeMap<String, usize>,
    /// Notices that wait for review.
    pub needing_review: usize,
    /// The number of waiting notices by doubt.
    pub doubts: BTreeMap<String, usize>,
    /// Notices that may be published with doubtful fields.
    pub doubtful: usize,
    /// The number of notices with doubtful fields, by doubt.
    pub doubtful_fields: BTreeMap<String, usize>,
    /// Notices that a reviewer accepted.
    pub accepted: usize,
    /// Notices that a reviewer rejected.
    pub turned_down: usize,
    /// The number of blocks that are not notices, by reason.
    pub rejected: BTreeMap<String, usize>,
    /// The usage of a model, if there is one.
    pub model: Option<UsageReport>,
    /// Seconds by stage, summed over all threads.
    pub seconds: BTreeMap<String, f64>,
    /// The elapsed seconds.
    pub elapsed: f64,
    /// The peak memory in MiB, without subprocesses.
    pub peak_memory_mib: Option<u64>,
    /// The content of the local index, if there is one.
    pub indexed: Option<IndexCounts>,
    /// What was published; `None` without a portal.
    pub published: Option<UploadCounts>,
    /// Why publishing stopped.
    pub publishing_stopped: Option<String>,
    /// Files that failed for a temporary reason, or whose failure could not be stored. `watch`
    /// retries them.
    #[serde(skip)]
    pub(crate) retry_candidates: Vec<RetryCandidate>,
}

/// A failed file that `watch` retries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RetryCandidate {
    pub(crate) path: PathBuf,
    /// Whether the page itself may be the cause. Retries are then limited.
    pub(crate) may_be_page_fault: bool,
}

impl Report {
    /// Whether nothing failed, no notice was left unsent or refused, and neither publishing nor the
    /// requests to the model were stopped.
    #[must_use]
    pub fn is_success(&self) -> bool {
        let published =
            self.published.as_ref().is_none_or(|sent| sent.unsent == 0 && sent.refused.is_empty());
        let model_answered = self.model.as_ref().is_none_or(|account| account.stopped.is_none());
        self.failed.is_empty() && published && model_answered && self.publishing_stopped.is_none()
    }

    /// Fills the local index, sorts the lists and adds the totals.
    pub(crate) fn finish(&mut self, sinks: Sinks<'_>, started: Instant) {
        if let Some(index) = sinks.index {
            // A failure here must not lose the rest of the report.
            match index.fill() {
                Ok((indexed, unread)) => {
                    self.failed.extend(unread.iter().map(|error| single_line(&error.to_string())));
                    self.indexed = Some(indexed);
                }
                Err(error) => self.failed.push(single_line(&error.to_string())),
            }
        }
        self.failed.sort();
        self.remarks.sort();
        self.elapsed = started.elapsed().as_secs_f64();
        self.peak_memory_mib = peak_memory_mib();
        self.publishing_stopped = sinks.sender.and_then(Sender::stop_reason).map(|error| error.to_string());
    }

    /// All problems in one text; `None` if the batch succeeded.
    pub(crate) fn problems(&self) -> Option<String> {
        let sent = self.published.iter().flat_map(|sent| sent.refused.iter().chain(&sent.unanswered));
        let mut all: Vec<_> =
            self.failed.iter().chain(sent).chain(&self.publishing_stopped).cloned().collect();
        all.sort();
        (!self.is_success()).then(|| all.join("\n"))
    }

    /// Counts the notices of a page record. `folder` is the folder of the record.
    pub(crate) fn count(&mut self, record: &PageRecord, folder: &Path) {
        for notice in &record.notices {
            *self.notices.entry(notice.kind.to_string()).or_default() += 1;
            match notice.review_state(folder) {
                ReviewState::Ready => {}
                ReviewState::Doubtful { doubts } => {
                    self.doubtful += 1;
                    for doubt in doubts {
                        *self.doubtful_fields.entry(doubt).or_default() += 1;
                    }
                }
                ReviewState::Accepted => self.accepted += 1,
                ReviewState::Rejected { .. } => self.turned_down += 1,
                ReviewState::Waiting { doubts } => {
                    self.needing_review += 1;
                    for doubt in doubts {
                        *self.doubts.entry(doubt).or_default() += 1;
                    }
                }
            }
        }
        for block in &record.rejected {
            *self.rejected.entry(block.reason.label().to_owned()).or_default() += 1;
        }
    }
}

fn describe_counts<T: fmt::Display>(counts: &BTreeMap<String, T>) -> String {
    counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

const REPEATED_NOTICES: &str = "repeated notices of existing tenders";
const CORRIGENDA: &str = "corrigenda that changed a tender";

/// Writes a line for each count that is not zero.
fn write_counts<const N: usize>(out: &mut fmt::Formatter<'_>, counts: [(usize, &str); N]) -> fmt::Result {
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "           {count} {what}")?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "Pages      {} read, {} unchanged, {} failed",
            self.done,
            self.unchanged,
            self.failed.len()
        )?;
        for failure in &self.failed {
            writeln!(out, "  ! {failure}")?;
        }
        for remark in &self.remarks {
            writeln!(out, "  ? {remark}")?;
        }
        for DuplicateFile { file, of } in &self.duplicates {
            writeln!(out, "  {}: the same as {}, read once", single_line(file), single_line(of))?;
        }
        if let Some(skipped) = describe_skipped(&self.passed_over) {
            writeln!(out, "  {skipped}")?;
        }
        let notices: usize = self.notices.values().sum();
        let kinds = if notices > 0 { format!(": {}", describe_counts(&self.notices)) } else { String::new() };
        writeln!(out, "Notices    {notices}{kinds}")?;
        if self.doubtful > 0 {
            writeln!(
                out,
                "Doubtful   {} with fields marked: {}",
                self.doubtful,
                describe_counts(&self.doubtful_fields)
            )?;
        }
        if self.needing_review > 0 {
            writeln!(
                out,
                "Review     {} waiting for review: {}",
                self.needing_review,
                describe_counts(&self.doubts)
            )?;
        }
        if self.accepted + self.turned_down > 0 {
            writeln!(out, "Reviewed   {} accepted, {} rejected", self.accepted, self.turned_down)?;
        }
        if !self.rejected.is_empty() {
            let blocks: usize = self.rejected.values().sum();
            writeln!(out, "Not tender {}: {}", counted(blocks, "block"), describe_counts(&self.rejected))?;
        }
        if let Some(account) = &self.model {
            write!(out, "{account}")?;
        }
        if let Some(IndexCounts { tenders, merged, corrected, doubtful }) = self.indexed {
            writeln!(out, "Indexed    {}", counted(tenders, "tender"))?;
            let doubts = "that may belong to another tender; each is a tender of its own";
            write_counts(out, [(merged, REPEATED_NOTICES), (corrected, CORRIGENDA), (doubtful, doubts)])?;
        }
        if let Some(sent) = &self.published {
            let UploadCounts { created, updated, unchanged, already_published, held, unsent, .. } = sent;
            write!(
                out,
                "Published  {created} created, {updated} updated, {unchanged} unchanged, {already_published} before"
            )?;
            writeln!(out, ", {held} rejected in review, {unsent} not sent, {} refused", sent.refused.len())?;
            write_counts(
                out,
                [
                    (sent.merged, REPEATED_NOTICES),
                    (sent.corrected, CORRIGENDA),
                    (sent.review, "waiting for a reviewer at the portal"),
                ],
            )?;
            for refusal in sent.refused.iter().chain(&sent.unanswered) {
                writeln!(out, "  ! {refusal}")?;
            }
            if sent.unrecorded > 0 {
                writeln!(
                    out,
                    "  {} not stored: these notices will be sent again",
                    counted(sent.unrecorded, "answer")
                )?;
            }
        }
        if let Some(reason) = &self.publishing_stopped {
            writeln!(out, "  ! publishing stopped: {reason}")?;
        }
        let stages = self.seconds.iter().map(|(stage, seconds)| format!("{stage} {seconds:.1} s"));
        let stages = stages.collect::<Vec<_>>().join(", ");
        let stages = if stages.is_empty() { String::new() } else { format!(" ({stages})") };
        write!(out, "Time       {:.1} s{stages}", self.elapsed)?;
        match self.peak_memory_mib {
            Some(mib) => writeln!(out, "\nMemory     {mib} MiB at most"),
            None => writeln!(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{ReconcileCounts, Tokens};

    #[test]
    fn a_report_is_formatted_as_text() {
        let report = Report {
            done: 2,
            unchanged: 1,
            failed: vec!["p4.jpg: is empty; copy or scan it again".into()],
            remarks: vec!["p5.jpg, page 1: its head says otherwise".into()],
            duplicates: vec![DuplicateFile { file: "copy.jpg".into(), of: "p1.jpg".into() }],
            passed_over: vec!["phone.heic".into(), "notice.docx".into()],
            notices: BTreeMap::from([("purchase".into(), 50), ("sale".into(), 1)]),
            needing_review: 3,
            doubtful: 7,
            doubtful_fields: BTreeMap::from([("title doubtful".into(), 7)]),
            doubts: BTreeMap::from([("dates.closing missing".into(), 3)]),
            accepted: 2,
            turned_down: 1,
            rejected: BTreeMap::from([("vacancy".into(), 4)]),
            model: Some(UsageReport {
                model: "reader-mini".into(),
                notices: 51,
                read: 48,
                kept: BTreeMap::from([("refused", 1), ("timed out", 2)]),
                counts: ReconcileCounts { confirmed: 300, added: 21, disputed: 9, unprinted: 4 },
                tokens: Tokens { input: 105_600, output: 33_600 },
                cost: Some(0.036),
                stopped: None,
            }),
            seconds: BTreeMap::from([("read".into(), 12.34)]),
            elapsed: 7.0,
            peak_memory_mib: Some(210),
            indexed: Some(IndexCounts { tenders: 44, merged: 5, corrected: 1, doubtful: 2 }),
            published: Some(UploadCounts {
                created: 50,
                merged: 4,
                corrected: 1,
                review: 2,
                refused: vec!["p1-01.md: refused".into()],
                ..UploadCounts::default()
            }),
            publishing_stopped: None,
            retry_candidates: Vec::new(),
        };
        assert!(!report.is_success());
        insta::assert_snapshot!("report", report);
    }
}
