//! Trains the classifier and measures it on held-out data sources: `cargo run -p ingest --example
//! classifier -- [--write ingest/src/extract/classifier/weights.tsv] [--write-each FOLDER]
//! [--texts FOLDER] [--held SOURCE]… SOURCE…`.
//!
//! Each `SOURCE` is a folder of pages with ground truth (`*.gt.json`) or a text file of notices
//! (`*.txt`). The texts of a source have one author. The folder after `--texts` is a further
//! source. It has texts with a `gold.json`, also in subfolders. Each source is measured with a
//! classifier that is trained on all other sources. With `--held`, only the held-out sources are
//! measured, with a classifier that is trained on all sources that are not held out.
//!
//! `--write` writes the weights that are trained on all sources that are not held out.
//! `--write-each` writes a file of weights for each text file. These weights are trained on all
//! other sources. With `fields --weights`, they show how thresholds work on notices that are new
//! to the classifier.

#[path = "../data_sources/mod.rs"]
mod data_sources;
mod measure;
mod notices;
mod train;

use anyhow::{Context, Result, bail};
use ingest::extract::classifier::Classifier;
use measure::Table;
use notices::{DataSource, read_data_source, read_gold_folder};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut write, mut each, mut sources, mut held) = (None, None, Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write = Some(PathBuf::from(arguments.next().context("--write: give a file")?)),
            "--write-each" => {
                each = Some(PathBuf::from(arguments.next().context("--write-each: give a folder")?));
            }
            "--texts" => {
                let folder = arguments.next().context("--texts: give a folder")?;
                let texts = read_gold_folder(folder.as_ref())?;
                sources.push((folder, texts));
            }
            "--held" => {
                let path = arguments.next().context("--held: give a data source")?;
                let notices = read_data_source(path.as_ref())?;
                held.push((path, notices));
            }
            path => sources.push((path.to_owned(), read_data_source(path.as_ref())?)),
        }
    }
    if sources.len() < 2 {
        bail!("give at least two data sources");
    }
    let train_classifier = |of: &[&DataSource]| -> Result<(String, Classifier)> {
        let weights = train::train_weights(of);
        let classifier = Classifier::parse(&weights)?;
        Ok((weights, classifier))
    };
    let mut table = Table::default();
    if write.is_some() || !held.is_empty() {
        let all: Vec<&DataSource> = sources.iter().map(|(_, source)| source).collect();
        let (weights, classifier) = train_classifier(&all)?;
        if let Some(path) = write {
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        for (name, source) in &held {
            table.measure(name, source, &classifier);
        }
    }
    if !held.is_empty() {
        table.print_mean();
        return Ok(());
    }
    for (left_out, (name, source)) in sources.iter().enumerate() {
        let others: Vec<&DataSource> =
            (0..sources.len()).filter(|nth| *nth != left_out).map(|nth| &sources[nth].1).collect();
        let (weights, classifier) = match &each {
            Some(_) if !name.ends_with(".txt") => continue,
            _ => train_classifier(&others)?,
        };
        if let Some(folder) = &each {
            let name = Path::new(name).file_stem().unwrap_or_default();
            let path = folder.join(name).with_extension("tsv");
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        table.measure(name, source, &classifier);
    }
    table.print_mean();
    Ok(())
}
