//! Trains the tagger of roles and says what it is worth on the wordings of a hand that it has not met:
//! `cargo run -p ingest --example classifier -- [--write ingest/src/extract/classifier/weights.tsv] [--write-each FOLDER] [--texts FOLDER]
//! [--held HAND]… HAND…`. Each `HAND` is a folder of pages with their truth (`*.gt.json`), all worded by one hand, or a hand's file
//! (`*.txt`), and the folder behind `--texts` one of texts with their `gold.json`; of each the others' tagger is measured. Where
//! hands are held back, none is left out: all others teach, and the held ones are measured by it. `--write-each` keeps the weights of
//! all hands but one, for each hand's file, under the hand's name, for `fields --weights` and for choosing thresholds by what the tagger has not met. `ingest/README.md` has the
//! figures and how the folders are made.

#[path = "../data_sources/mod.rs"]
mod data_sources;
mod measure;
mod notices;
mod train;

use anyhow::{Context, Result, bail};
use ingest::extract::classifier::Classifier;
use measure::Table;
use notices::{DataSource, data_source, shapes};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let (mut write, mut each, mut sources, mut held) = (None, None, Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--write" => write = Some(PathBuf::from(words.next().context("--write: give a file")?)),
            "--write-each" => {
                each = Some(PathBuf::from(words.next().context("--write-each: give a folder")?));
            }
            "--texts" => {
                let folder = words.next().context("--texts: give a folder")?;
                let texts = shapes(folder.as_ref())?;
                sources.push((folder, texts));
            }
            "--held" => {
                let path = words.next().context("--held: give a hand")?;
                let notices = data_source(path.as_ref())?;
                held.push((path, notices));
            }
            folder => sources.push((folder.to_owned(), data_source(folder.as_ref())?)),
        }
    }
    if sources.len() < 2 {
        bail!("give two folders or more");
    }
    let classifier = |of: &[&DataSource]| -> Result<(String, Classifier)> {
        let weights = train::weights(of);
        let classifier = Classifier::parse(&weights)?;
        Ok((weights, classifier))
    };
    let mut table = Table::default();
    if write.is_some() || !held.is_empty() {
        let all: Vec<&DataSource> = sources.iter().map(|(_, source)| source).collect();
        let (weights, classifier) = classifier(&all)?;
        if let Some(path) = write {
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        for (name, source) in &held {
            table.row(name, source, &classifier);
        }
    }
    if !held.is_empty() {
        table.mean();
        return Ok(());
    }
    for (left_out, (name, source)) in sources.iter().enumerate() {
        let others: Vec<&DataSource> =
            (0..sources.len()).filter(|nth| *nth != left_out).map(|nth| &sources[nth].1).collect();
        let (weights, classifier) = match &each {
            Some(_) if !name.ends_with(".txt") => continue,
            _ => classifier(&others)?,
        };
        if let Some(folder) = &each {
            let name = Path::new(name).file_stem().unwrap_or_default();
            let path = folder.join(name).with_extension("tsv");
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        table.row(name, source, &classifier);
    }
    table.mean();
    Ok(())
}
