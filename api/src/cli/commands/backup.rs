//! `api backup` and `api restore`.

use crate::{
    base::{
        clock::Clock,
        config::{DataConfig, DatabaseConfig, FilesConfig, S3Config},
        random::Random,
    },
    cli::bootstrap,
    clients::file_store::FileStore,
    domain::{
        restore::{KeptMessages, RestoredSending},
        subscription::UncertainRenewals,
    },
    services::backup::{
        create::{self, BackupSource, CopyCheck},
        prune,
        restore::{self, RestoreOptions, RestoreTarget},
        store::BackupStore,
        verify,
    },
};
use anyhow::{bail, ensure};
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use jiff::Timestamp;
use rustix::{fs::Mode, process::umask};
use settings::Findings;
use std::{
    io::{self, Write},
    num::NonZeroUsize,
};
use tender_model::terminal_text::counted;

/// The arguments of `api backup`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct BackupArguments {
    /// The backup to make.
    #[command(flatten)]
    create: CreateUnlessSubcommand,
    #[command(subcommand)]
    command: Option<BackupCommand>,
}

/// The arguments of `api backup DEST`.
#[derive(Debug, Args)]
pub struct CreateArguments {
    /// A directory, or s3://BUCKET/PREFIX with the standard variables AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT. Each portal needs a place of its own
    #[arg(value_name = "DEST")]
    dest: String,
    /// Afterwards, delete all but the newest N backups, and the files that only they needed
    #[arg(long, value_name = "N")]
    keep: Option<NonZeroUsize>,
    /// Read all files that are in DEST already, and copy the damaged ones again. Without this option, only
    /// their sizes are compared
    #[arg(long)]
    repair: bool,
    /// Database settings.
    #[command(flatten)]
    database: DatabaseConfig,
    /// The data folder.
    #[command(flatten)]
    data: DataConfig,
    /// The place of the files, and the access to buckets.
    #[command(flatten)]
    files: FilesConfig,
}

/// The arguments of `api backup DEST`; `None` with a subcommand, which needs no database. An `Option`
/// alone would always be `None`, because clap does not see the arguments of nested structs.
#[derive(Debug)]
struct CreateUnlessSubcommand(Option<CreateArguments>);

impl FromArgMatches for CreateUnlessSubcommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_create = matches.subcommand_name().is_none();
        is_create.then(|| CreateArguments::from_arg_matches(matches)).transpose().map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CreateUnlessSubcommand {
    fn augment_args(command: clap::Command) -> clap::Command {
        CreateArguments::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        CreateArguments::augment_args_for_update(command)
    }
}

/// The subcommands of `api backup`.
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// List the backups of a place, oldest first
    List {
        /// A directory, or s3://BUCKET/PREFIX
        #[arg(value_name = "DEST")]
        dest: String,
        /// The bucket.
        #[command(flatten)]
        s3: S3Config,
    },
    /// Check the checksums of a backup and of its files
    Verify {
        /// A directory, or s3://BUCKET/PREFIX
        #[arg(value_name = "DEST")]
        dest: String,
        /// The bucket.
        #[command(flatten)]
        s3: S3Config,
        /// The id of the backup, as `api backup list` shows it [default: the newest]
        #[arg(long, value_name = "ID")]
        at: Option<String>,
    },
}

/// The arguments of `api restore`.
#[derive(Debug, Args)]
pub struct RestoreArguments {
    /// A directory, or s3://BUCKET/PREFIX
    #[arg(value_name = "SOURCE")]
    source: String,
    /// The id of the backup, as `api backup list` shows it [default: the newest]
    #[arg(long, value_name = "ID")]
    at: Option<String>,
    /// Replace the contents of the database and of the data folder
    #[arg(long)]
    replace: bool,
    /// The restored portal sends no messages and charges no cards until `api admin sending on`
    #[arg(long)]
    no_send: bool,
    /// Give up all messages that were not sent when the backup was made
    #[arg(long, conflicts_with = "unsent_after")]
    drop_unsent: bool,
    /// Give up the unsent messages that were begun before this time, such as 2026-11-20T06:00:00Z
    #[arg(long, value_name = "TIME")]
    unsent_after: Option<Timestamp>,
    /// Database settings.
    #[command(flatten)]
    database: DatabaseConfig,
    /// The data folder.
    #[command(flatten)]
    data: DataConfig,
    /// The place of the files, and the access to buckets.
    #[command(flatten)]
    files: FilesConfig,
}

impl BackupArguments {
    /// Checks the settings.
    pub fn check_settings(&self, found: &mut Findings) {
        match (&self.command, &self.create.0) {
            (Some(BackupCommand::List { s3, .. } | BackupCommand::Verify { s3, .. }), _) => s3.check(found),
            (None, Some(create)) => {
                create.files.check(found);
                create.database.check(found);
            }
            (None, None) => {}
        }
    }
}

impl RestoreArguments {
    /// Checks the settings.
    pub fn check_settings(&self, found: &mut Findings) {
        self.files.check(found);
        self.database.check(found);
    }
}

/// Runs `api backup`.
pub async fn backup(
    arguments: BackupArguments,
    version: &str,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    match (arguments.command, arguments.create.0) {
        (Some(BackupCommand::List { dest, s3 }), _) => list(&dest, &s3).await,
        (Some(BackupCommand::Verify { dest, s3, at }), _) => verify_backup(&dest, &s3, at.as_deref()).await,
        (None, Some(arguments)) => make(arguments, version, clock, random).await,
        (None, None) => bail!("give the place of the backup: `api backup DEST`"),
    }
}

async fn make(
    arguments: CreateArguments,
    version: &str,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<()> {
    // The backup contains personal data and the signing keys.
    umask(Mode::RWXG | Mode::RWXO);
    let data = &arguments.data.data;
    ensure!(
        data.is_dir(),
        "{} is not a folder; set DATA (--data) to the data folder of the server",
        data.display()
    );
    let store = BackupStore::open(&arguments.dest, true, &arguments.files.s3)?;
    let files = FileStore::open(&arguments.data, &arguments.files)?;
    let db = bootstrap::connect_checked(&arguments.database).await?;
    let source = BackupSource { db: &db, data: &arguments.data, files: &files, version, clock, random };
    let check = if arguments.repair { CopyCheck::Content } else { CopyCheck::Size };
    let done = create::create(&store, source, check).await?;
    let (manifest, mut out) = (&done.manifest, io::stdout().lock());
    writeln!(
        out,
        "{}: {} in {}, {} ({} new), schema {}",
        manifest.id,
        counted(manifest.rows(), "row"),
        counted(manifest.tables.len(), "table"),
        counted(manifest.files.entries, "file"),
        done.copied_files,
        manifest.schema()
    )?;
    if manifest.signing_key.is_none() {
        writeln!(
            out,
            "the signing key is not in the data folder; keep the setting SIGNING_KEY in another place"
        )?;
    }
    if let Some(keep) = arguments.keep {
        let pruned = prune::prune(&store, &db, keep.get()).await?;
        writeln!(
            out,
            "deleted {}, {} and {}",
            counted(pruned.backups, "older backup"),
            counted(pruned.incomplete, "incomplete backup"),
            counted(pruned.files, "file")
        )?;
        if pruned.temporary > 0 {
            writeln!(out, "deleted {} of interrupted backups", counted(pruned.temporary, "temporary file"))?;
        }
    }
    db.close().await;
    for path in &manifest.missing_files {
        writeln!(out, "not in the backup, because it is missing or damaged: {path}")?;
    }
    if !manifest.missing_files.is_empty() {
        bail!(
            "the backup is complete except {}; `api check` explains each",
            counted(manifest.missing_files.len(), "file")
        );
    }
    Ok(())
}

async fn list(dest: &str, s3: &S3Config) -> anyhow::Result<()> {
    let store = BackupStore::open(dest, false, s3)?;
    let (complete, incomplete) = store.ids().await?;
    let mut out = io::stdout().lock();
    for id in &complete {
        let manifest = store.manifest(id).await?;
        writeln!(
            out,
            "{id}\t{}\tversion {}\tschema {}\t{}\t{}, {}",
            manifest.created_at,
            manifest.version,
            manifest.schema(),
            counted(manifest.rows(), "row"),
            counted(manifest.files.entries, "file"),
            counted(manifest.file_bytes, "byte")
        )?;
    }
    for id in &incomplete {
        writeln!(out, "{id}\tincomplete; `api backup DEST --keep N` deletes it")?;
    }
    if complete.is_empty() && incomplete.is_empty() {
        writeln!(out, "there is no backup in {dest}")?;
    }
    Ok(())
}

async fn verify_backup(dest: &str, s3: &S3Config, at: Option<&str>) -> anyhow::Result<()> {
    let store = BackupStore::open(dest, false, s3)?;
    let manifest = store.manifest(&store.find(at).await?).await?;
    let problems = verify::verify(&store, &manifest).await?;
    let mut out = io::stdout().lock();
    for problem in problems.objects.iter().chain(&problems.files) {
        writeln!(out, "{problem}")?;
    }
    let (objects, files) = (problems.objects.len(), problems.files.len());
    let repair = "`api backup DEST --repair` copies damaged files from the server again";
    match (objects, files) {
        (0, 0) => writeln!(out, "{} is whole", manifest.id)?,
        (0, _) => bail!("the backup {} has {}; {repair}", manifest.id, counted(files, "damaged file")),
        (_, 0) => bail!("the backup {} has {}; use another backup", manifest.id, counted(objects, "problem")),
        _ => bail!(
            "the backup {} has {}; use another backup; {repair}",
            manifest.id,
            counted(objects + files, "problem")
        ),
    }
    Ok(())
}

/// Runs `api restore`.
pub async fn restore(arguments: RestoreArguments, clock: &Clock) -> anyhow::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    let store = BackupStore::open(&arguments.source, false, &arguments.files.s3)?;
    let manifest = store.manifest(&store.find(arguments.at.as_deref()).await?).await?;
    // What is restored goes to one place, also if the portal's files are being moved.
    let files = FileStore::open(&arguments.data, &arguments.files)?.current();
    let db = bootstrap::connect(&arguments.database).await?;
    let unsent = match (arguments.drop_unsent, arguments.unsent_after) {
        (true, _) => KeptMessages::None,
        (false, Some(moment)) => KeptMessages::Since(moment),
        (false, None) => KeptMessages::All,
    };
    let sending = RestoredSending { no_send: arguments.no_send, unsent };
    let options = RestoreOptions { replace: arguments.replace, sending };
    let target = RestoreTarget { db: &db, data: &arguments.data, files: &files, clock };
    let done = restore::restore(&store, &manifest, target, options).await?;
    db.close().await;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "restored {}, made at {}: {}, {} ({} copied)",
        manifest.id,
        manifest.created_at,
        counted(manifest.rows(), "row"),
        counted(manifest.files.entries, "file"),
        done.files.copied
    )?;
    if manifest.signing_key.is_none() {
        writeln!(out, "the backup has no signing key; start the server with the same SIGNING_KEY as before")?;
    }
    for path in &manifest.missing_files {
        writeln!(out, "not in the backup: {path}")?;
    }
    for path in &done.files.lost {
        writeln!(out, "not in the backup, because its copy is missing or damaged: {path}")?;
    }
    if done.dropped > 0 {
        writeln!(out, "given up: {}", counted(done.dropped, "unsent message"))?;
    }
    for channel in &done.unsent {
        writeln!(
            out,
            "unsent by {}: {} collecting items, {} due, {} being sent",
            channel.channel, channel.open, channel.due, channel.leased
        )?;
    }
    if let Some(off) = &done.sending_off {
        writeln!(out, "sending is off ({}); switch it on with `api admin sending on`", off.reason)?;
    } else if !done.unsent.is_empty() {
        writeln!(
            out,
            "the server will send these messages when it starts; those that were due or being sent keep their Message-ID"
        )?;
    }
    if manifest.schema() < crate::storage::schema_version::newest() {
        writeln!(out, "the backup has schema {}; run `api migrate` before the server", manifest.schema())?;
    }
    print_uncertain_renewals(&mut out, done.uncertain_renewals, manifest.created_at)?;
    if !done.files.lost.is_empty() {
        bail!(
            "the restore is complete except {}; the portal can start without them",
            counted(done.files.lost.len(), "file")
        );
    }
    Ok(())
}

/// Says which payments the restored portal may not know of, and what the operator does about them.
fn print_uncertain_renewals(
    out: &mut impl Write,
    renewals: UncertainRenewals,
    backed_up_at: Timestamp,
) -> io::Result<()> {
    let Some(first_ends_at) = renewals.first_ends_at else { return Ok(()) };
    writeln!(
        out,
        "{} may have been paid since the backup. After {first_ends_at}, the portal ends the first of their plans and \
        tells the provider to stop charging. Before that, let Stripe send the events since {backed_up_at} again, or \
        compare the payments of PayHere. Until that is done, keep sending off with `api admin sending off`",
        counted(renewals.count, "renewing subscription")
    )
}
