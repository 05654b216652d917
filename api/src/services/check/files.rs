//! Whether each row has its file, and each file its row.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::{
    clients::stored_file,
    storage::{
        checks,
        stored_files::{self, FileFolder, ReferredFile},
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
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
            if let Some(detail) = find_defect(target, &file)? {
                // The row and its file may have been deleted since the query.
                let hashes = [file.hash.clone()];
                let is_needed = !stored_files::referred(target.db, folder, &hashes).await?.is_empty();
                if is_needed && find_defect(target, &file)?.is_some() {
                    report.add(ProblemKind::MissingFile, file.row, detail);
                }
            }
        }
    }
}

/// What is wrong with the file of a row.
fn find_defect(target: &CheckTarget<'_>, file: &ReferredFile) -> anyhow::Result<Option<String>> {
    let path = stored_file::relative_path(file)?;
    Ok(match (fs::metadata(target.data.data.join(&path)), file.size) {
        (Err(error), _) => Some(format!("the file {path} is missing: {error}")),
        (Ok(found), Some(size)) if found.len() != u64::try_from(size)? => {
            Some(format!("the file {path} has {} instead of {size}", counted(found.len(), "byte")))
        }
        _ => None,
    })
}

async fn check_orphans(
    target: &CheckTarget<'_>,
    folder: FileFolder,
    report: &mut CheckReport,
) -> anyhow::Result<()> {
    let path = target.data.data.join(stored_file::folder_name(folder));
    let Ok(entries) = fs::read_dir(&path) else { return Ok(()) };
    let mut batch: Vec<PathBuf> = Vec::new();
    for entry in entries {
        batch.push(entry?.path());
        if batch.len() == FILES_AT_ONCE {
            report_orphans(target, folder, &std::mem::take(&mut batch), report).await?;
        }
    }
    report_orphans(target, folder, &batch, report).await
}

async fn report_orphans(
    target: &CheckTarget<'_>,
    folder: FileFolder,
    batch: &[PathBuf],
    report: &mut CheckReport,
) -> anyhow::Result<()> {
    let hashes: Vec<String> = batch.iter().map(|file| stem(file)).collect();
    let referred = stored_files::referred(target.db, folder, &hashes).await?;
    for (file, hash) in batch.iter().zip(&hashes) {
        if !referred.contains(hash) && is_old(file, ORPHAN_AGE) {
            let path = file.strip_prefix(&target.data.data).unwrap_or(file).display().to_string();
            report.add(ProblemKind::OrphanedFile, path, "no row refers to this file");
        }
    }
    Ok(())
}

/// The name of a file without its extension.
fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_old(file: &Path, age: Duration) -> bool {
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|elapsed| elapsed >= age))
}
