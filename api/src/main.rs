//! The `api` binary: parses the command line, sets up the log and runs a command.

use api::{
    base::{
        clock::Clock,
        config::{DataConfig, DatabaseConfig, SearchConfig, ServeConfig},
        random::Random,
    },
    cli::{
        bootstrap,
        commands::{
            self, AdminCommand, BackupArguments, CheckArguments, FilesCommand, MailCommand, PROGRAM,
            RestoreArguments, SettingsArguments,
        },
        logging, serve,
    },
    clients::search_engine,
    jobs,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rustix::fs::Mode;
use settings::{Environment, Findings, ResolveError};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};
use tracing_subscriber::EnvFilter;
use uuid::Uuid;

/// The version. A build that sets `SERENDIB_VERSION` from `.make/version` adds the commit.
const VERSION: &str = match option_env!("SERENDIB_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Allocation is a noticeable part of the time of a short request.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The server of Serendib Tenders, a portal of Sri Lankan tender notices.
#[derive(Debug, Parser)]
#[command(name = "api", version = VERSION)]
struct Arguments {
    /// A file with settings: lines NAME=VALUE, as in an environment file of systemd. The command line and
    /// the environment take precedence
    #[arg(long, env = "SETTINGS", value_name = "FILE", global = true)]
    settings: Option<PathBuf>,
    /// The log filter in tracing's syntax, such as info or api=debug,sqlx=warn
    #[arg(
        long,
        env = "LOG",
        default_value = "info,tantivy=warn,sqlx=warn",
        value_name = "FILTER",
        global = true
    )]
    log: String,
    /// Log one JSON object per line instead of text
    #[arg(long, env = "LOG_JSON", global = true)]
    log_json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server
    Serve(Box<ServeConfig>),
    /// Run the jobs without HTTP: match alerts, send messages, charge cards and clean up. Servers with
    /// --jobs-elsewhere serve HTTP
    Work(Box<ServeConfig>),
    /// Print a settings file with all settings, or check the settings
    Settings(SettingsArguments),
    /// Apply the missing database migrations
    Migrate {
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        /// List the missing migrations, and apply none
        #[arg(long)]
        dry_run: bool,
    },
    /// Check whether the database, the files, the index and the deliveries agree; a server may run. Exit
    /// code 0: no problems, 1: problems, 2: the check failed
    Check(CheckArguments),
    /// Back up the database, the files and the signing keys while the portal runs, and list and verify
    /// backups
    Backup(BackupArguments),
    /// Restore a backup into an empty database and an empty data folder
    Restore(RestoreArguments),
    /// Move the files of the portal to another place while the portal runs
    Files {
        #[command(subcommand)]
        command: FilesCommand,
    },
    /// Build a new search index beside the current one, then replace it; servers may keep running
    Reindex {
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        /// File settings.
        #[command(flatten)]
        data: DataConfig,
        /// The search index.
        #[command(flatten)]
        search: SearchConfig,
    },
    /// Manage administrators, operator tokens, plans, payments, demonstration accounts and signing keys,
    /// and switch sending on and off
    Admin {
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Process bounces, and manage undelivered mail and suppressed addresses
    Mail {
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        #[command(subcommand)]
        command: MailCommand,
    },
    /// Show how many alerts each change of a tender matched, and the messages to each user
    Trace {
        /// Database settings.
        #[command(flatten)]
        database: DatabaseConfig,
        /// The tender's id, as in the address of its page
        id: Uuid,
    },
    /// Extract the text of a PDF from standard input; the server runs this as a separate process
    #[command(hide = true)]
    DocumentText,
    /// Print the OpenAPI document of the API
    Openapi,
    /// Print the table of rate limits for the documentation
    #[command(hide = true)]
    Limits,
}

/// Reads the command line and the settings. Returns them with warnings.
fn read_settings(line: &[OsString]) -> Result<(Arguments, Vec<String>), ResolveError> {
    let resolved = PROGRAM.resolve(Arguments::command(), line, &Environment::of_process())?;
    let mut arguments = Arguments::from_arg_matches(&resolved.matches)?;
    if let Command::Work(config) = &mut arguments.command {
        config.is_worker = true;
    }
    let mut found = Findings::default();
    match &arguments.command {
        Command::Serve(config) | Command::Work(config) => {
            found = config.check();
            config.check_files(&mut found);
        }
        Command::Check(arguments) => arguments.check_settings(&mut found),
        Command::Reindex { search, .. } => search.check(&mut found),
        Command::Backup(arguments) => arguments.check_settings(&mut found),
        Command::Restore(arguments) => arguments.check_settings(&mut found),
        Command::Files { command } => command.check_settings(&mut found),
        _ => {}
    }
    commands::check_log(&arguments.log, &mut found);
    let warnings = resolved.join(found)?;
    Ok((arguments, warnings))
}

/// Reports wrong settings or a wrong command line, which end the program with the exit code `failure`.
fn refuse(error: ResolveError, failure: ExitCode) -> ExitCode {
    match error {
        // Help and the version are no failures.
        ResolveError::Usage(error) if !error.use_stderr() => error.exit(),
        ResolveError::Usage(error) => drop(error.print()),
        ResolveError::Settings(error) => eprintln!("api: {error}"),
    }
    failure
}

/// The exit codes of a failure, before and after the settings are read.
struct FailureCodes {
    settings: ExitCode,
    run: ExitCode,
}

impl FailureCodes {
    fn of(line: &[OsString]) -> Self {
        let mut words = line.iter().skip(1);
        let mut has = |word: &str| words.any(|found| found == word);
        // The command line may be wrong, so it is searched for the words of the command.
        if has("mail") && has("receive") {
            let code = ExitCode::from(commands::EX_TEMPFAIL);
            return Self { settings: code, run: code };
        }
        Self { settings: ExitCode::from(2), run: ExitCode::FAILURE }
    }
}

fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let failure = FailureCodes::of(&line);
    let (arguments, warnings) = match read_settings(&line) {
        Ok(read) => read,
        Err(error) => return refuse(error, failure.settings),
    };
    if let Command::Settings(settings) = &arguments.command {
        return match commands::settings(settings, Arguments::command()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => refuse(error, failure.settings),
        };
    }
    if matches!(arguments.command, Command::DocumentText) {
        return match pdf_text::serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("api: {error}");
                ExitCode::FAILURE
            }
        };
    }
    // Files in the data folder contain keys, documents of locked tenders and mail. All files that this
    // program creates belong to its user alone.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let filter = EnvFilter::new(&arguments.log);
    // A check that fails has found nothing out.
    let failure = match arguments.command {
        Command::Check(_) => ExitCode::from(2),
        _ => failure.run,
    };
    match start(arguments.command, &warnings, filter, arguments.log_json) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("api: {}", tender_model::terminal_text::error_chain(error.as_ref()));
            failure
        }
    }
}

/// Runs a command with its log and traces. First logs the warnings about settings.
fn start(
    command: Command,
    warnings: &[String],
    filter: EnvFilter,
    log_json: bool,
) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let monitoring = match &command {
        Command::Serve(config) | Command::Work(config) => Some(&config.monitoring),
        _ => None,
    };
    let traces = logging::init(filter, log_json, monitoring, VERSION, runtime.handle())?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    let done = runtime.block_on(run(command));
    if let Some(traces) = traces {
        traces.shut_down();
    }
    done
}

async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let (clock, random) = (Clock::system(), Random::from_system());
    match command {
        Command::Serve(config) | Command::Work(config) => {
            serve::run(*config, VERSION, clock, random).await?;
        }
        Command::Check(arguments) => {
            return Ok(if commands::check(arguments, &clock).await? {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(1)
            });
        }
        Command::Migrate { database, dry_run } => commands::migrate(&database, dry_run).await?,
        Command::Backup(arguments) => commands::backup(arguments, VERSION, &clock, &random).await?,
        Command::Restore(arguments) => commands::restore(arguments, &clock).await?,
        Command::Files { command } => commands::files(command).await?,
        Command::Reindex { database, data, search } => {
            let db = bootstrap::connect_checked(&database).await?;
            bootstrap::create_data_folders(&data)?;
            let at = jobs::index_changes::rebuild(&db, &search_engine::open(&data, &search)?).await?;
            db.close().await;
            println!("the new index is at position {} of the change log", at.position);
        }
        Command::Admin { database, command } => {
            let db = bootstrap::connect_checked(&database).await?;
            commands::admin(&db, command, &clock, &random).await?;
        }
        Command::Mail { database, command } => {
            let db = bootstrap::connect_checked(&database).await?;
            commands::mail(&db, command, &clock).await?;
        }
        Command::Trace { database, id } => {
            let db = bootstrap::connect_checked(&database).await?;
            commands::trace(&db, id).await?;
        }
        Command::Limits => commands::print_limits()?,
        Command::DocumentText | Command::Settings(_) | Command::Openapi => commands::openapi()?,
    }
    Ok(ExitCode::SUCCESS)
}
