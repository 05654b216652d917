//! `ingest run`, `ingest retry` and `ingest publish`.

use super::{
    print_line,
    read_args::{Destinations, ReadArgs, TokenArgs, run_and_report, sender},
};
use clap::Args;
use ingest::batch::{self, BatchError, Issue, Options};
use std::path::PathBuf;
use tender_model::vocabulary::{Day, Moment};

#[derive(Args)]
pub(crate) struct Run {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "BATCH")]
    batches: Vec<PathBuf>,
    /// Output folder. Notices are written to OUT/PUBLICATION/DATE/PAGE-NN.md, each with its clip
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    destinations: Destinations,
    /// Newspaper; takes precedence over the folders and the file name
    #[arg(long, value_name = "NAME")]
    publication: Option<String>,
    /// Issue date such as 2026-11-20; takes precedence over the folders and the file name
    #[arg(long, value_name = "DATE")]
    date: Option<Day>,
    /// Remove the notices of earlier pages that were replaced by other pages under the same file
    /// names, such as better scans. Published tenders are not removed
    #[arg(long)]
    replace: bool,
    /// Report what would be read or skipped, and why, without writing or publishing anything
    #[arg(long)]
    dry_run: bool,
    /// Print each event and the final report as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

#[derive(Args)]
pub(crate) struct Retry {
    /// Folder written by `run --out`
    out: PathBuf,
    #[command(flatten)]
    destinations: Destinations,
    /// Print each event and the final report as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

#[derive(Args)]
pub(crate) struct Publish {
    /// Folder written by `run --out`
    out: PathBuf,
    /// URL of the portal
    #[arg(long, value_name = "URL")]
    publish: String,
    #[command(flatten)]
    token: TokenArgs,
    /// Also send notices that were published before. Sending a notice again creates no duplicate
    #[arg(long)]
    all: bool,
    /// Print each event and the final report as a line of JSON
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
            print_line(serde_json::to_string(&plan)?)
        } else {
            print_line(plan.to_string().trim_end())
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
