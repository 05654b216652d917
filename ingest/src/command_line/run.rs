//! `ingest run`, `ingest retry` and `ingest publish`.

use super::{
    read_args::{Destinations, ReadArgs, TokenArgs, run_and_report, sender},
    say,
};
use clap::Args;
use index::vocabulary::{Day, Moment};
use ingest::batch::{self, BatchError, Issue, Options};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Run {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "BATCH")]
    batches: Vec<PathBuf>,
    /// Folder for the notices: OUT/PUBLICATION/DATE/PAGE-NN.md, each with its clip
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    destinations: Destinations,
    /// The newspaper, where neither folders nor the file's name tell
    #[arg(long, value_name = "NAME")]
    publication: Option<String>,
    /// The issue, as 2026-11-20, where neither folders nor the file's name tell
    #[arg(long, value_name = "DATE")]
    date: Option<Day>,
    /// Remove the notices of pages that were read before and in whose files' places other pages stand now, as better scans; what of
    /// them is published stays there
    #[arg(long)]
    replace: bool,
    /// Say what would be read or skipped, and why; write nothing, publish nothing
    #[arg(long)]
    dry_run: bool,
    /// Tell each event, and the report at the end, as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

#[derive(Args)]
pub(crate) struct Retry {
    /// The folder that `run --out` wrote
    out: PathBuf,
    #[command(flatten)]
    destinations: Destinations,
    /// Tell each event, and the report at the end, as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

#[derive(Args)]
pub(crate) struct Publish {
    /// The folder that `run --out` wrote
    out: PathBuf,
    /// The portal's address
    #[arg(long, value_name = "URL")]
    publish: String,
    #[command(flatten)]
    token: TokenArgs,
    /// Send what was published before, too; the portal takes the same notice twice without harm
    #[arg(long)]
    all: bool,
    /// Tell each event, and the report at the end, as a line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: Run, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let Run { batches, out, destinations, publication, date, replace, dry_run, read_args, json } = command;
    let readers = read_args.readers();
    let issue = Issue { publication, date };
    let options = Options { replace, ..read_args.options(batches, out, issue, clock)? };
    if dry_run {
        let plan = batch::plan(&options)?;
        if json {
            say(serde_json::to_string(&plan)?)
        } else {
            say(plan.to_string().trim_end())
        }
        return Ok(plan.failed.is_empty());
    }
    let opened = destinations.open(&options.out, clock)?;
    run_and_report(json, |progress| batch::run(&options, &readers, opened.sinks(), progress))
}

pub(crate) fn retry(command: Retry, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let Retry { out, destinations, read_args, json } = command;
    if !out.is_dir() {
        return Err(BatchError::NoSuchBatch(out).into());
    }
    let readers = read_args.readers();
    let options = read_args.options(Vec::new(), out, Issue::default(), clock)?;
    let opened = destinations.open(&options.out, clock)?;
    run_and_report(json, |progress| batch::retry(&options, &readers, opened.sinks(), progress))
}

pub(crate) fn publish(command: &Publish) -> anyhow::Result<bool> {
    let sender = sender(&command.publish, &command.token, command.all)?;
    run_and_report(command.json, |progress| batch::publish(&command.out, &sender, progress))
}
