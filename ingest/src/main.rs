//! The operator's command line: reads a batch of newspaper pages and publishes what was read.

mod command_line;

use clap::{Parser, Subcommand};
use command_line::{evaluate, learn, review, run, show, text, watch};
use index::vocabulary::Moment;
use ingest::batch::BatchError;
use std::process::ExitCode;

/// Reads newspaper pages into tender notices, one markdown file each, and publishes them to a portal.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all well; 1 some pages failed or were not published, or the model was given up, named in the report; 2 wrong usage."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read a batch: find the notices of each page, read them, write them to a folder, and publish them if asked to
    ///
    /// Pages are PDF, JPEG, PNG or TIFF. In folders named PUBLICATION/DATE/PAGE, such as daily-lanka/2026-11-20/p1.jpg, the
    /// folders tell the newspaper and its issue; elsewhere a name such as daily-lanka_2026-11-20_p1.jpg does, and else the line
    /// at the page's head. A photograph of a page is laid flat, and a page that lies on a side or upside down is turned. The same
    /// file under two names is read once; links out of a batch are not followed; files of other kinds, such as .heic or .docx, are
    /// named and passed over. Pages that did not change since the last run are skipped; a run that was interrupted goes on where it
    /// stopped.
    Run(run::Run),
    /// Publish what an earlier run has read: every notice that the portal has not answered for and that does not wait for
    /// review
    Publish(run::Publish),
    /// Read again the pages that failed, and no others; then send what was not sent
    Retry(run::Retry),
    /// Read pages as they are dropped into a folder, until Ctrl-C
    ///
    /// A file is read once its size and time of change have stood still (--settle). Names that end in .part or .tmp, or begin
    /// with a dot, are left alone. The folder is looked at whenever something happens in it, and every 30 seconds besides.
    /// Ctrl-C ends after the page in hand; nothing is lost by ending it at once.
    Watch(watch::Watch),
    /// Go through the notices that wait for review, one after the other: accept, edit, reject or skip each
    ///
    /// Each is shown with its fields, how sure the reader is of them and the words they were read from. What is decided lies
    /// beside the notice and holds when its page is read again. Lines from a script do as well as a person's: `help` tells them.
    Review(review::Review),
    /// Show one notice: its fields with the words they were read from, what is doubtful, what became of it, its text
    Show(show::Show),
    /// Print what a PDF in one column says, such as a bidding document; a scan or an old font is refused
    ///
    /// It is read by a process of its own, held to 20 s of work and 1 GiB. Newspaper pages need places, and are for `run`.
    Text(text::Text),
    /// Write the bodies that notices agree on as lines for a gazetteer's file
    ///
    /// What waits for review or was rejected teaches nothing. A name is taken from two notices that agree on it, where it was read
    /// twice alike in each or written by a person. Look the lines through before `run --gazetteer` reads them.
    Learn(learn::Learn),
    /// Hold what is read of pages against what really stands on them
    ///
    /// Each page (the first of its file) has its truth in a file of its name ending in .gt.json, somewhere under --truth; with several
    /// of that name, the one whose folders are the page's. Pages are counted in groups by what follows the last `_` in their
    /// names: p1_d2.jpg is of d2. Truth is JSON: `size_px` and `notices`, each with `id`, `type` (`tender`, or anything
    /// else for what is to be kept out), `lang`, `text`, `quad_px` (four corners) and `fields`.
    Eval(evaluate::Evaluate),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(command) => run::run(command, now),
        Command::Publish(command) => run::publish(&command),
        Command::Retry(command) => run::retry(command, now),
        Command::Watch(command) => watch::watch(command, now),
        Command::Review(command) => review::review(&command, now),
        Command::Show(command) => show::show(&command),
        Command::Text(command) => text::text(&command),
        Command::Learn(command) => learn::learn(&command),
        Command::Eval(command) => evaluate::evaluate(command),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", ingest::message::told(error.as_ref()));
            let failed = error.downcast_ref::<BatchError>().is_some_and(|error| !error.is_usage());
            ExitCode::from(if failed { 1 } else { 2 })
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the command line is where the wall clock is read")]
fn now() -> Moment {
    Moment::new(jiff::Timestamp::now())
}
