//! The operator's command line `ingest`.

mod command_line;

use ::settings::{Environment, Findings, ResolveError};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use command_line::{awards, evaluate, learn, review, run, settings, show, text, truth, watch, work};
use ingest::batch::{BatchError, WorkerError};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};
use tender_model::vocabulary::Moment;

/// The version with the commit if the build sets it (`.make/version`), otherwise the crate version.
const VERSION: &str = match option_env!("SERENDIB_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The exit code if the portal refuses the token, as in `sysexits.h`. A restart does not help.
const EX_NOPERM: u8 = 77;

/// Reads tender notices from newspaper pages, writes each to a Markdown file, and publishes them to
/// a portal.
#[derive(Parser)]
#[command(
    version = VERSION,
    after_help = "Exit codes: 0 success; 1 some pages failed, some notices, lines or awards were not published, or requests to the model were stopped (see the report); 2 wrong usage; 77 the portal refuses the token of `work`."
)]
struct Cli {
    /// A file with settings: lines NAME=VALUE, as in an environment file of systemd. The command line and
    /// the environment take precedence
    #[arg(long, env = "SETTINGS", value_name = "FILE", global = true)]
    settings: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read a batch of pages, write the notices to a folder, and publish them on request
    ///
    /// Pages are PDF, JPEG, PNG or TIFF files. In a path such as daily-lanka/2026-11-20/p1.jpg, the
    /// folders give the newspaper and the issue date. Elsewhere, a file name such as
    /// daily-lanka_2026-11-20_p1.jpg gives them. Otherwise both are read from the page header.
    /// Photographs are rectified and rotated pages are turned upright. Identical files are read
    /// once. Links out of a batch are not followed. Other files, such as .heic or .docx, are
    /// reported and skipped. A page that was read before is skipped, unless its issue, the rules,
    /// the model or the gazetteer has changed. An interrupted run continues where it stopped.
    Run(run::Run),
    /// Publish the notices of earlier runs, except those already published, waiting for review or
    /// rejected
    Publish(run::Publish),
    /// Read failed pages again, then send unsent notices on request
    Retry(run::Retry),
    /// Read pages as they arrive in a folder, until Ctrl-C
    ///
    /// A file is read when its size and modification time have been stable (--settle). Names that
    /// end in .part or .tmp or begin with a dot are ignored. The folder is checked on every event
    /// and every 30 seconds. Ctrl-C ends after the current pages; a second one ends at once, and
    /// nothing is lost.
    Watch(watch::Watch),
    /// Read the pages that were uploaded to a portal, until Ctrl-C
    ///
    /// The portal hands out one page at a time, so any number of workers can run on any number of
    /// machines. Each notice is published as with `run`. The page with its blocks is then shown on
    /// the portal. If no page waits, or if the portal is away, the worker waits. Ctrl-C gives the
    /// pages that are being read back to the portal. A page whose worker was killed goes to another
    /// worker after two minutes, and no notice is published twice. A notice of which it is uncertain
    /// whether it is a tender notice is not published.
    Work(work::Work),
    /// Review waiting or doubtful notices one by one: accept, edit, reject or skip each
    ///
    /// Each notice is shown with its fields, their confidence and the printed words. Decisions are
    /// stored beside the notice and remain valid when its page is read again. Commands can also
    /// come from a script; `help` lists them. With --portal, the review queue of a portal is reviewed:
    /// the decisions are those of its screen.
    Review(review::Review),
    /// Show one notice: fields with evidence, doubts, publication and text
    Show(show::Show),
    /// Print the text of a single-column PDF, such as a bidding document. Scans and legacy fonts
    /// are refused
    ///
    /// The PDF is read by a separate process with limits of 20 s of CPU time and 1 GiB of memory.
    /// For newspaper pages, use `run`.
    Text(text::Text),
    /// Write names of organisations on which notices agree, as lines of a gazetteer file
    ///
    /// Notices that wait for review or were rejected are ignored. At least two notices must agree
    /// on a name. In each of them, two readings must agree on it, or a reviewer must have written
    /// it. Check the lines before using them with `run --gazetteer`.
    Learn(learn::Learn),
    /// Compare the reading of pages with their ground truth
    ///
    /// The ground truth of a page is a file with the name of its file ending in .gt.json, somewhere
    /// under --truth; that of page 7 of a file ends in .7.gt.json. Of several such files, the one with
    /// matching folders is used. `ingest truth` gets such files from a portal. Pages are grouped by the part of their name after the last `_`: p1_d2.jpg is in d2.
    /// Ground truth is JSON: `size_px` and `notices`, each with `id`, `type` (`tender`, or anything
    /// else for a region to reject), `lang`, `text`, `quad_px` (four corners) and `fields`.
    Eval(evaluate::Evaluate),
    /// Write the pages that reviewers have checked on a portal, with their ground truth, for `eval`
    ///
    /// The token needs the scope `review`. What was written before is written again only if it has
    /// changed.
    Truth(truth::Truth),
    /// Read awards from a file of published decisions, and publish them on request
    ///
    /// FILE has one decision of the Cabinet a line, as JSON with `key`, `title`, `date_str`,
    /// `decision_num`, `source_url` and `decision_details`. Rules read who won, the amount, its
    /// currency, and the ministry. A value of which the rules are not certain is left out. A line that
    /// is not a decision is reported and skipped. A decision that is published again replaces the
    /// earlier one.
    Awards(awards::Awards),
    /// Print a settings file with all settings, or check the settings
    Settings(settings::Settings),
}

/// Reads the command line and the settings. Prints warnings.
fn read_settings() -> Result<Cli, ResolveError> {
    let line: Vec<OsString> = std::env::args_os().collect();
    let resolved = settings::PROGRAM.resolve(Cli::command(), &line, &Environment::of_process())?;
    let cli = Cli::from_arg_matches(&resolved.matches)?;
    for warning in resolved.join(Findings::default())? {
        eprintln!("warning: {warning}");
    }
    Ok(cli)
}

fn main() -> ExitCode {
    let cli = match read_settings() {
        Ok(cli) => cli,
        Err(ResolveError::Usage(error)) => error.exit(),
        Err(ResolveError::Settings(error)) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let outcome = match cli.command {
        Command::Run(command) => run::run(command, now),
        Command::Publish(command) => run::publish(&command),
        Command::Retry(command) => run::retry(command, now),
        Command::Watch(command) => watch::watch(command, now),
        Command::Work(command) => work::work(command, now),
        Command::Review(command) => review::review(&command, now),
        Command::Show(command) => show::show(&command),
        Command::Text(command) => text::text(&command),
        Command::Learn(command) => learn::learn(&command),
        Command::Eval(command) => evaluate::evaluate(command),
        Command::Truth(command) => truth::truth(&command),
        Command::Awards(command) => awards::awards(&command),
        Command::Settings(command) => settings::settings(&command, Cli::command()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", tender_model::terminal_text::error_chain(error.as_ref()));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// The exit code of an error.
fn exit_code(error: &anyhow::Error) -> u8 {
    match (error.downcast_ref::<BatchError>(), error.downcast_ref::<WorkerError>()) {
        (Some(error), _) if !error.is_usage() => 1,
        (_, Some(WorkerError::Portal(error))) if error.is_final() => EX_NOPERM,
        (_, Some(_)) => 1,
        _ => 2,
    }
}

#[expect(clippy::disallowed_methods, reason = "only the command line reads the wall clock")]
fn now() -> Moment {
    Moment::new(jiff::Timestamp::now())
}
