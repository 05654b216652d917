//! `api files`: moves the files of the portal.

use crate::{
    base::config::{DataConfig, DatabaseConfig, FilesConfig},
    cli::bootstrap,
    clients::file_store::FileStore,
    services::file_move,
};
use anyhow::{Context, bail};
use clap::Subcommand;
use settings::Findings;
use std::io::{self, Write};
use tender_model::terminal_text::counted;

/// The subcommands of `api files`.
#[derive(Debug, Subcommand)]
pub enum FilesCommand {
    /// Copy the files of the portal from FILES_MOVED_FROM to FILES while servers with these settings run.
    /// Exit code 1: files are missing or damaged
    Move {
        /// Also delete from the earlier place what the new place has
        #[arg(long)]
        delete: bool,
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        /// The data folder.
        #[command(flatten)]
        data: DataConfig,
        /// The places of the files.
        #[command(flatten)]
        files: FilesConfig,
    },
}

impl FilesCommand {
    /// Checks the settings.
    pub fn check_settings(&self, found: &mut Findings) {
        let Self::Move { database, files, .. } = self;
        database.check(found);
        files.check(found);
    }
}

/// Runs `api files`.
///
/// # Errors
/// Fails if a place can't be reached, or if files are missing or damaged.
pub async fn files(command: FilesCommand) -> anyhow::Result<()> {
    let FilesCommand::Move { delete, database, data, files } = command;
    let new = FileStore::open(&data, &files)?;
    let earlier = new.earlier().context(
        "FILES_MOVED_FROM is not set; set it to the earlier value of FILES, here and for all servers",
    )?;
    let new = new.current();
    let db = bootstrap::connect_checked(&database).await?;
    let moved = file_move::move_files(&db, &new, &earlier, delete).await?;
    db.close().await;
    let mut out = io::stdout().lock();
    for file in &moved.lost {
        writeln!(out, "missing or damaged in {}: {file}", earlier.place_name())?;
    }
    let (from, to) = (earlier.place_name(), new.place_name());
    writeln!(
        out,
        "copied {} from {from} to {to}, which had {} already",
        counted(moved.copied, "file"),
        counted(moved.present, "file")
    )?;
    if delete {
        writeln!(out, "deleted {} from {from}", counted(moved.deleted, "file"))?;
    }
    if !moved.lost.is_empty() {
        bail!("{} could not be moved; `api check` explains each", counted(moved.lost.len(), "file"));
    }
    if moved.copied == 0 {
        writeln!(out, "all files are in {to}; the servers no longer need FILES_MOVED_FROM")?;
    } else {
        writeln!(out, "run this command again until it copies no files")?;
    }
    Ok(())
}
