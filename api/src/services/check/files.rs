//! Whether each row has its file, and each file its row.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::{
    clients::file_store::{FileName, ListedFile},
    storage::{
        checks,
        stored_files::{self, FileFolder, ReferredFile},
    },
};
use futures::TryStreamExt;
use std::time::Duration;
use tender_model::terminal_text::counted;

/// The number of files that one query looks up.
const FILES_AT_ONCE: usize = 500;
/// A file without a row is reported when it is older than this. The server deletes such files after 24
/// hours, and looks for them every 6 hours.
const ORPHAN_AGE: Duration = Duration::from_hours(36);

/// Checks all folders.
pub(super) async fn check(target: &CheckTarget<'_>, report: &mut CheckReport) -> anyhow::Result<()> {
    let mut checked = 0;
    for folder in FileFolder::ALL {
        checked += check_rows(target, folder, report).await?;
        check_orphans(target, folder, report).await?;
    }
    report.checked.push(("files", checked));
    Ok(())
}

async fn check_rows(
    target: &CheckTarget<'_>,
    folder: FileFolder,
    report: &mut CheckReport,
) -> anyhow::Result<u64> {
    let (mut after, mut checked) = (String::new(), 0);
    loop {
        let mut tx = checks::begin(target.db).await?;
        let page = stored_files::page(&mut *tx, folder, &after, FILES_AT_ONCE as i64).await?;
        tx.rollback().await?;
        let Some(last) = page.last() else { return Ok(checked) };
        after.clone_from(&last.hash);
        checked += page.len() as u64;
        for file in page {
            if let Some(detail) = find_defect(target, &file).await? {
                // The row and its file may have been deleted since the query.
                let hashes = [file.hash.clone()];
                let is_needed = !stored_files::referred(target.db, folder, &hashes).await?.is_empty();
                if is_needed && find_defect(target, &file).await?.is_some() {
                    report.add(ProblemKind::MissingFile, file.row, detail);
                }
            }
        }
    }
}

/// What is wrong with the file of a row.
async fn find_defect(target: &CheckTarget<'_>, file: &ReferredFile) -> anyhow::Result<Option<String>> {
    let name = FileName::of(file)?;
    Ok(match (target.files.size(&name).await?, file.size) {
        (None, _) => Some(format!("the file {name} is missing")),
        (Some(found), Some(size)) if found != u64::try_from(size)? => {
            Some(format!("the file {name} has {} instead of {size}", counted(found, "byte")))
        }
        _ => None,
    })
}

async fn check_orphans(
    target: &CheckTarget<'_>,
    folder: FileFolder,
    report: &mut CheckReport,
) -> anyhow::Result<()> {
    let mut batches = target.files.list(folder).try_chunks(FILES_AT_ONCE);
    while let Some(batch) = batches.try_next().await? {
        report_orphans(target, folder, &batch, report).await?;
    }
    Ok(())
}

async fn report_orphans(
    target: &CheckTarget<'_>,
    folder: FileFolder,
    batch: &[ListedFile],
    report: &mut CheckReport,
) -> anyhow::Result<()> {
    let hashes: Vec<String> = batch.iter().map(|file| file.stem().to_owned()).collect();
    let referred = stored_files::referred(target.db, folder, &hashes).await?;
    for (file, hash) in batch.iter().zip(&hashes) {
        if !referred.contains(hash) && file.is_old(ORPHAN_AGE) {
            report.add(ProblemKind::OrphanedFile, file.to_string(), "no row refers to this file");
        }
    }
    Ok(())
}
