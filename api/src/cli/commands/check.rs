//! `api check`: whether the database, the files, the index and the deliveries agree.

use crate::{
    base::{
        clock::Clock,
        config::{DataConfig, DatabaseConfig, FilesConfig, KeysConfig, SearchConfig},
    },
    cli::bootstrap,
    clients::file_store::FileStore,
    services::check::{problem::CheckReport, run, target::CheckTarget},
};
use clap::Args;
use settings::Findings;
use std::io::{self, Write};
use tender_model::terminal_text::counted;

/// The arguments of `api check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Database settings.
    #[command(flatten)]
    database: DatabaseConfig,
    /// The data folder.
    #[command(flatten)]
    data: DataConfig,
    /// The place of the files.
    #[command(flatten)]
    files: FilesConfig,
    /// The search index.
    #[command(flatten)]
    search: SearchConfig,
    /// The signing keys.
    #[command(flatten)]
    keys: KeysConfig,
}

impl CheckArguments {
    /// Checks the settings.
    pub fn check_settings(&self, found: &mut Findings) {
        self.files.check(found);
        self.search.check(found);
        self.keys.check(found);
        self.database.check(found);
    }
}

/// Runs `api check`. Returns whether there are no problems.
///
/// # Errors
/// Fails if the portal can't be checked.
pub async fn check(arguments: CheckArguments, clock: &Clock) -> anyhow::Result<bool> {
    bootstrap::check_restored(&arguments.data)?;
    anyhow::ensure!(
        arguments.data.data.is_dir(),
        "{} is not a folder; set DATA (--data) to the data folder of the server",
        arguments.data.data.display()
    );
    let db = bootstrap::connect_checked(&arguments.database).await?;
    let files = FileStore::open(&arguments.data, &arguments.files)?;
    let keys = arguments.keys.load(&arguments.data.signing_key())?;
    let target = CheckTarget {
        db: &db,
        data: &arguments.data,
        search: &arguments.search,
        files: &files,
        keys: keys.as_ref(),
        clock,
        patience: None,
    };
    let report = run::run(target).await?;
    db.close().await;
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report)?;
    }
    Ok(report.is_clean())
}

fn print(out: &mut impl Write, report: &CheckReport) -> io::Result<()> {
    for problem in &report.problems {
        writeln!(out, "{}: {}\n    {}", problem.subject, problem.detail, problem.repair)?;
    }
    if report.unlisted > 0 {
        writeln!(out, "and {} of these kinds", counted(report.unlisted, "more problem"))?;
    }
    for line in &report.information {
        writeln!(out, "{line}")?;
    }
    let checked: Vec<String> =
        report.checked.iter().map(|(what, count)| format!("{what}: {count}")).collect();
    let result = if report.is_clean() { "no problems" } else { "problems found" };
    writeln!(out, "{result}; checked {}", checked.join(", "))
}
