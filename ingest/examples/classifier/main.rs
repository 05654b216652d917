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
use ingest::extract::classifier::Tagger;
use measure::Table;
use notices::{Hand, hand, shapes};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let (mut write, mut each, mut hands, mut held) = (None, None, Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--write" => write = Some(PathBuf::from(words.next().context("--write: give a file")?)),
            "--write-each" => {
                each = Some(PathBuf::from(words.next().context("--write-each: give a folder")?));
            }
            "--texts" => {
                let folder = words.next().context("--texts: give a folder")?;
                let texts = shapes(folder.as_ref())?;
                hands.push((folder, texts));
            }
            "--held" => {
                let path = words.next().context("--held: give a hand")?;
                let notices = hand(path.as_ref())?;
                held.push((path, notices));
            }
            folder => hands.push((folder.to_owned(), hand(folder.as_ref())?)),
        }
    }
    if hands.len() < 2 {
        bail!("give two folders or more");
    }
    let tagger = |of: &[&Hand]| -> Result<(String, Tagger)> {
        let weights = train::weights(of);
        let tagger = Tagger::parse(&weights)?;
        Ok((weights, tagger))
    };
    let mut table = Table::default();
    if write.is_some() || !held.is_empty() {
        let all: Vec<&Hand> = hands.iter().map(|(_, hand)| hand).collect();
        let (weights, tagger) = tagger(&all)?;
        if let Some(path) = write {
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        for (name, hand) in &held {
            table.row(name, hand, &tagger);
        }
    }
    if !held.is_empty() {
        table.mean();
        return Ok(());
    }
    for (left_out, (name, hand)) in hands.iter().enumerate() {
        let others: Vec<&Hand> =
            (0..hands.len()).filter(|nth| *nth != left_out).map(|nth| &hands[nth].1).collect();
        let (weights, tagger) = match &each {
            Some(_) if !name.ends_with(".txt") => continue,
            _ => tagger(&others)?,
        };
        if let Some(folder) = &each {
            let name = Path::new(name).file_stem().unwrap_or_default();
            let path = folder.join(name).with_extension("tsv");
            fs::write(&path, weights).with_context(|| path.display().to_string())?;
        }
        table.row(name, hand, &tagger);
    }
    table.mean();
    Ok(())
}
