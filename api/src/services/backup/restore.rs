//! Restores a backup into a database and a data folder.
//!
//! Until the restore is complete, `portal_state` and a file in the data folder record it, and no server
//! starts. An interrupted restore is repeated from its beginning.

use super::{
    manifest::{FileEntry, Manifest},
    store::{BackupStore, StoredFileError},
    verify::{self, count_lines},
};
use crate::{
    base::{clock::Clock, config::DataConfig, signing_key},
    clients::{
        file_store::{self, FileName, FileStore},
        restore_marker,
    },
    domain::{
        restore::{KeptMessages, RestoredSending, UnfinishedRestore},
        subscription::UncertainRenewals,
    },
    storage::{
        MIGRATIONS,
        deliveries::unsent::{self, UnsentMessages},
        portal_state::{self, SendingOff},
        stored_files::FileFolder,
        subscriptions,
        table_copy::{self, CopiedTable, TargetState},
    },
};
use anyhow::{Context, bail, ensure};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use sqlx::{PgConnection, PgPool};
use std::time::Duration;
use tender_model::terminal_text::counted;

/// The number of files that are copied at the same time.
const CONCURRENT_FILES: usize = 8;

/// How often, and with which pauses, a restore looks for other sessions of the database.
const SESSION_CHECKS: u32 = 20;
const SESSION_PAUSE: Duration = Duration::from_millis(100);

/// Where a backup is restored to.
#[derive(Debug, Clone, Copy)]
pub struct RestoreTarget<'a> {
    /// The database.
    pub db: &'a PgPool,
    /// The data folder.
    pub data: &'a DataConfig,
    /// The clips, documents and newspaper pages.
    pub files: &'a FileStore,
    /// The clock.
    pub clock: &'a Clock,
}

/// How a backup is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RestoreOptions {
    /// Whether a database or a data folder that is not empty is replaced.
    pub replace: bool,
    /// What the restored portal sends.
    pub sending: RestoredSending,
}

/// A finished restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedRestore {
    /// The messages that the portal would send, by channel.
    pub unsent: Vec<UnsentMessages>,
    /// The number of messages that were given up.
    pub dropped: u64,
    /// Whether the restored portal sends nothing, and why.
    pub sending_off: Option<SendingOff>,
    /// The renewing subscriptions whose last payments the backup may lack.
    pub uncertain_renewals: UncertainRenewals,
    /// The files.
    pub files: RestoredFiles,
}

/// What became of the files of a backup. Those that are neither copied nor lost were there already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestoredFiles {
    /// The number of files that were copied.
    pub copied: usize,
    /// The paths of the files that can't be read from the backup.
    pub lost: Vec<String>,
}

/// Restores a backup. A file that can't be read from the backup does not stop the restore.
///
/// # Errors
/// Fails before it changes something if the database or the data folder is not empty, if a server runs
/// on the database, if the backup needs a newer version, or if an unfinished restore was to send nothing
/// and this one sends. A restore that replaces a portal also fails before that if a table is damaged.
pub async fn restore(
    store: &BackupStore,
    manifest: &Manifest,
    target: RestoreTarget<'_>,
    options: RestoreOptions,
) -> anyhow::Result<FinishedRestore> {
    let mut connection = table_copy::connection(target.db).await?;
    check_version(manifest)?;
    check_target(&mut connection, target, options).await?;
    let files = verify::list_files(store, manifest).await.context("the list of files")?;
    let files = files.into_iter().map(parse_name).collect::<anyhow::Result<Vec<_>>>()?;

    if options.replace {
        let problems = verify::verify_objects(store, manifest).await;
        ensure!(
            problems.is_empty(),
            "the backup {} cannot be restored, and nothing was changed: {}",
            manifest.id,
            problems.join("; ")
        );
    }

    let restore = UnfinishedRestore { backup: manifest.id.clone(), sending: options.sending };
    restore_marker::set(target.data, &restore).context("writing to the data folder")?;
    table_copy::recreate_schema(&mut connection, &manifest.migrations)
        .await
        .context("creating the tables")?;
    portal_state::begin_restore(&mut connection, &restore).await?;
    let dropped = import(store, manifest, &mut connection, (&restore, target.clock.now())).await?;
    let files = restore_files(store, target.files, &files).await?;
    restore_signing_key(store, manifest, target.data).await?;
    table_copy::analyze(&mut connection).await?;
    let now = target.clock.now();
    let unsent = unsent::count(&mut connection).await?;
    let sending_off = portal_state::sending_off(&mut connection).await?;
    let uncertain_renewals =
        subscriptions::uncertain_renewals(&mut connection, manifest.created_at, now).await?;
    portal_state::finish_restore(&mut connection, &manifest.id, now).await?;
    restore_marker::clear(target.data).context("writing to the data folder")?;
    Ok(FinishedRestore { unsent, dropped, sending_off, uncertain_renewals, files })
}

fn check_version(manifest: &Manifest) -> anyhow::Result<()> {
    let is_known = |version: &&i64| MIGRATIONS.iter().any(|one| one.version == **version);
    match manifest.migrations.iter().find(|version| !is_known(version)) {
        None => Ok(()),
        Some(version) => bail!(
            "the backup {} was made by version {}, whose schema has the migration {version}; restore it with that version \
            of api or a newer one",
            manifest.id,
            manifest.version
        ),
    }
}

async fn check_target(
    connection: &mut PgConnection,
    RestoreTarget { data, files, .. }: RestoreTarget<'_>,
    options: RestoreOptions,
) -> anyhow::Result<()> {
    let others = other_sessions(connection).await?;
    ensure!(
        others == 0,
        "the database has {}; stop the servers and other programs that use it",
        counted(others, "other session")
    );
    let state = table_copy::target_state(connection).await?;
    let in_folder = restore_marker::read(data)?;
    let in_database = match &state {
        TargetState::Interrupted(unfinished) => Some(unfinished),
        TargetState::Empty | TargetState::Used => None,
    };
    for unfinished in in_database.into_iter().chain(&in_folder) {
        check_resumed(unfinished, options.sending)?;
    }
    if options.replace {
        return Ok(());
    }
    ensure!(
        state != TargetState::Used,
        "the database is not empty; give an empty database with DATABASE_URL, or replace its contents with --replace"
    );
    if in_folder.is_some() {
        return Ok(());
    }
    for folder in FileFolder::ALL {
        ensure!(
            files.list(folder).try_next().await?.is_none(),
            "{} in {} is not empty; give an empty data folder with DATA, or an empty place with FILES, or replace the \
            contents with --replace",
            file_store::folder_name(folder),
            files.place_name()
        );
    }
    ensure!(
        !data.signing_key().exists(),
        "{} exists; give an empty data folder with DATA, or replace its contents with --replace",
        data.signing_key().display()
    );
    Ok(())
}

/// Rejects a restore that sends, after an unfinished one that was to send nothing.
fn check_resumed(unfinished: &UnfinishedRestore, sending: RestoredSending) -> anyhow::Result<()> {
    ensure!(
        sending.no_send || !unfinished.sending.no_send,
        "the unfinished restore of the backup {} was begun with --no-send; give --no-send again, and afterwards \
        switch sending on with `api admin sending on` if the portal is to send",
        unfinished.backup
    );
    Ok(())
}

/// The number of other sessions that stay connected. Postgres lists a session until its process has ended,
/// so a program that was just stopped is still listed for a moment.
async fn other_sessions(connection: &mut PgConnection) -> sqlx::Result<i64> {
    for _ in 1..SESSION_CHECKS {
        if table_copy::count_other_sessions(connection).await? == 0 {
            return Ok(0);
        }
        tokio::time::sleep(SESSION_PAUSE).await;
    }
    table_copy::count_other_sessions(connection).await
}

/// Imports all rows in one transaction. Returns the number of messages that were given up.
async fn import(
    store: &BackupStore,
    manifest: &Manifest,
    connection: &mut PgConnection,
    (restore, now): (&UnfinishedRestore, Timestamp),
) -> anyhow::Result<u64> {
    let mut import = table_copy::begin_import(connection).await?;
    let expected: Vec<&CopiedTable> = manifest.tables.iter().map(|table| &table.table).collect();
    let found: Vec<&CopiedTable> = import.tables().iter().collect();
    ensure!(
        expected == found,
        "the tables of the backup are not those of its migrations; the manifest is damaged"
    );
    for content in &manifest.tables {
        let mut rows = 0;
        for part in &content.parts {
            let bytes = store.get_compressed(&manifest.id, part).await?;
            ensure!(
                count_lines(&bytes) == part.entries,
                "a part of the table {} is damaged",
                content.table.name
            );
            rows += import
                .add(&content.table, Bytes::from(bytes))
                .await
                .with_context(|| format!("restoring the table {}", content.table.name))?;
        }
        ensure!(
            rows == content.rows,
            "the table {} has {}, but the manifest has {}",
            content.table.name,
            counted(rows, "row"),
            content.rows
        );
    }
    let connection = import.connection();
    portal_state::begin_restore(&mut *connection, restore).await?;
    if restore.sending.no_send {
        let reason = format!("restored with --no-send from the backup {}", manifest.id);
        let off = SendingOff { since: now, reason };
        portal_state::set_sending_off(&mut *connection, Some(&off)).await?;
    }
    let dropped = match restore.sending.unsent {
        KeptMessages::All => 0,
        KeptMessages::Since(moment) => unsent::drop_before(connection, Some(moment)).await?,
        KeptMessages::None => unsent::drop_before(connection, None).await?,
    };
    import.finish(&manifest.sequences).await.context("checking the references between the tables")?;
    Ok(dropped)
}

/// Parses the path of an entry, so that a forged backup can't write elsewhere.
fn parse_name(entry: FileEntry) -> anyhow::Result<FileName> {
    let name = FileName::parse(&entry.path).filter(|name| name.hash() == entry.hash);
    name.with_context(|| format!("the list of files contains the invalid path {:?}", entry.path))
}

/// Copies the files that the portal lacks.
async fn restore_files(
    store: &BackupStore,
    target: &FileStore,
    files: &[FileName],
) -> anyhow::Result<RestoredFiles> {
    let copies = stream::iter(files.iter().map(async |name| {
        let stored = target.read(name).await?;
        if stored.is_some_and(|bytes| file_store::hash(&bytes) == name.hash()) {
            return Ok(RestoredFiles::default());
        }
        let bytes = match store.get_file(name.hash()).await {
            Ok(bytes) => bytes,
            Err(StoredFileError::File(_)) => {
                return Ok(RestoredFiles { copied: 0, lost: vec![name.to_string()] });
            }
            Err(StoredFileError::Place(error)) => return Err(error),
        };
        target.put(name, bytes).await?;
        Ok::<_, anyhow::Error>(RestoredFiles { copied: 1, lost: Vec::new() })
    }));
    copies
        .buffer_unordered(CONCURRENT_FILES)
        .try_fold(RestoredFiles::default(), async |mut all, one| {
            all.copied += one.copied;
            all.lost.extend(one.lost);
            Ok(all)
        })
        .await
}

async fn restore_signing_key(
    store: &BackupStore,
    manifest: &Manifest,
    data: &DataConfig,
) -> anyhow::Result<()> {
    let Some(part) = &manifest.signing_key else { return Ok(()) };
    let bytes = store.get(&manifest.id, part).await?;
    let text = std::str::from_utf8(&bytes).context("the signing keys of the backup are not text")?;
    let path = data.signing_key();
    signing_key::replace_key_file(&path, text).with_context(|| format!("writing {}", path.display()))
}
