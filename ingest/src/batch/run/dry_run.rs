//! Reports what a run would do.

use super::{
    options::Options,
    version::{output_name, version},
    work::WorkList,
};
use crate::{
    batch::{
        BatchError, DuplicateFile,
        input::discovery::describe_skipped,
        output::{
            output_paths::{OutputPath, OutputPaths},
            record,
        },
    },
    page,
};
use serde::Serialize;
use std::fmt;
use tender_model::terminal_text;

/// What a run would do.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DryRunReport {
    /// The pages in the order in which they would be read.
    pub pages: Vec<PlannedPage>,
    /// The records that `--replace` would remove; empty if something would fail.
    pub removed: Vec<String>,
    /// Files with the content of another file.
    pub duplicates: Vec<DuplicateFile>,
    /// Skipped files and output folders.
    pub passed_over: Vec<String>,
    /// What would fail, where, and what to do.
    pub failed: Vec<String>,
}

/// A page in the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPage {
    /// The file, relative to its batch.
    pub file: String,
    /// The page in the file, from 1.
    pub page: u32,
    /// Why the page would be read; `None` if it is unchanged.
    pub read: Option<&'static str>,
}

/// Reports what a run would do. Nothing is written or decoded, so a page may still turn out to be
/// unreadable.
pub fn plan(options: &Options) -> Result<DryRunReport, BatchError> {
    let work = WorkList::find_pages(options)?;
    let failed = work.left_out.iter().map(|error| terminal_text::single_line(&error.to_string())).collect();
    let WorkList { duplicates, passed_over, .. } = work;
    let mut plan = DryRunReport { duplicates, passed_over, failed, ..DryRunReport::default() };
    let places = OutputPaths::load(&options.out)?;
    for task in work.tasks {
        let source = task.source;
        let file = match page::open(&source.path) {
            Ok(file) => file,
            Err(error) => {
                plan.failed.push(terminal_text::single_line(&error.to_string()));
                continue;
            }
        };
        for number in 1..=file.len() {
            let hash = file.hash(number);
            let OutputPath { slot, left, .. } =
                places.reserve(&source, number, &output_name(&source, &file, number), &hash);
            let record = record::read_record_of_page(&slot.record(&options.out), &hash);
            let read = match record {
                _ if !left.is_empty() => Some("it has another name or issue now"),
                None => Some("new"),
                Some(record) => {
                    let by = record.notices.iter().map(|notice| notice.extractor.as_str());
                    let version = version(&source, &options.extractor.version(by), &options.gazetteer);
                    record.staleness(&version, &options.out.join(&slot.folder))
                }
            };
            plan.pages.push(PlannedPage { file: source.file.clone(), page: number, read });
            places.mark_written(&hash);
        }
    }
    if options.replace && plan.failed.is_empty() {
        let removed = places.replaced_outputs().into_iter().map(|(slot, _)| slot.record(&options.out));
        plan.removed = removed.map(|path| terminal_text::single_line(&path.to_string_lossy())).collect();
    }
    Ok(plan)
}

impl fmt::Display for DryRunReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for PlannedPage { file, page, read } in &self.pages {
            let what = read.map_or_else(|| "skip: unchanged".to_owned(), |why| format!("read: {why}"));
            writeln!(out, "{}, page {page}  {what}", terminal_text::single_line(file))?;
        }
        for DuplicateFile { file, of } in &self.duplicates {
            writeln!(
                out,
                "{}  skip: the same as {}",
                terminal_text::single_line(file),
                terminal_text::single_line(of)
            )?;
        }
        for path in &self.removed {
            writeln!(out, "{path}  remove: replaced by another page")?;
        }
        if let Some(skipped) = describe_skipped(&self.passed_over) {
            writeln!(out, "{skipped}")?;
        }
        for failure in &self.failed {
            writeln!(out, "! {failure}")?;
        }
        let read = self.pages.iter().filter(|page| page.read.is_some()).count();
        writeln!(
            out,
            "Pages      {read} to read, {} unchanged, {}, {} would fail",
            self.pages.len() - read,
            terminal_text::counted(self.duplicates.len(), "duplicate"),
            self.failed.len()
        )
    }
}
