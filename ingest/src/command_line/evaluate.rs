//! `ingest eval`: how well pages are read.

use super::{cores, read_args::gazetteer, say};
use clap::Args;
use ingest::eval;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Evaluate {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "BATCH")]
    batches: Vec<PathBuf>,
    /// Folder of the pages' truth
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// Folder for a picture of each page, with the boxes that are there and those that were found
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Folder in which the words of each page are kept: with it the same pages are recognised only once
    #[arg(long, value_name = "DIR")]
    keep_words: Option<PathBuf>,
    /// Also try text recognition alone, on the whole page
    #[arg(long)]
    alone: bool,
    /// File with more bodies, districts and towns, as of `ingest run`
    #[arg(long, value_name = "FILE")]
    gazetteer: Option<PathBuf>,
    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Also list each field that was not read as it is, or was and is doubted (the JSON always does)
    #[arg(long)]
    errors: bool,
    /// Print the figures as one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn evaluate(command: Evaluate) -> anyhow::Result<bool> {
    let options = eval::Options {
        batches: command.batches,
        truth: command.truth,
        pictures: command.pictures,
        keep_words: command.keep_words,
        alone: command.alone,
        jobs: cores(command.jobs),
        gazetteer: gazetteer(command.gazetteer.as_deref())?,
    };
    let evaluation = eval::run(&options, &|file| eprintln!("{}", ingest::message::line(file)))?;
    if command.json {
        say(serde_json::to_string(&evaluation)?);
    } else {
        say(&evaluation);
        let errors =
            evaluation.groups.values().flat_map(|scores| scores.field_errors.iter().chain(&scores.doubted));
        errors.filter(|_| command.errors).for_each(|error| say(ingest::message::line(error)));
    }
    Ok(evaluation.failed.is_empty())
}
