//! `ingest eval`: compares the reading of pages with their ground truth.

use super::{cores, print_line, read_args::gazetteer};
use clap::Args;
use ingest::eval;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Evaluate {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "BATCH")]
    batches: Vec<PathBuf>,
    /// Folder with the ground truth of the pages
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// Folder for an image of each page with true and found boxes
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Folder that caches the words of each page, so that later evaluations do not repeat the text
    /// recognition
    #[arg(long, value_name = "DIR")]
    keep_words: Option<PathBuf>,
    /// Also evaluate Tesseract alone on the whole page
    #[arg(long)]
    alone: bool,
    /// File with further organisations, districts and towns, as for `ingest run`
    #[arg(long, value_name = "FILE")]
    gazetteer: Option<PathBuf>,
    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Also list each field that is wrong, and each field that is correct but doubtful. The JSON
    /// always contains this list
    #[arg(long)]
    errors: bool,
    /// Print one line of JSON instead of a table
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
    let evaluation =
        eval::run(&options, &|file| eprintln!("{}", tender_model::terminal_text::single_line(file)))?;
    if command.json {
        print_line(serde_json::to_string(&evaluation)?);
    } else {
        print_line(&evaluation);
        let errors =
            evaluation.groups.values().flat_map(|scores| scores.field_errors.iter().chain(&scores.doubted));
        errors
            .filter(|_| command.errors)
            .for_each(|error| print_line(tender_model::terminal_text::single_line(error)));
    }
    Ok(evaluation.failed.is_empty())
}
