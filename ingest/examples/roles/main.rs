//! Trains the tagger of roles and says what it is worth on the wordings of a hand that it has not met:
//! `cargo run -p ingest --example roles -- [--write ingest/src/extract/roles/weights.tsv] [--unseen GOLD.json]… HAND…`. Each `HAND` is a
//! folder of pages with their truth (`*.gt.json`), all worded by one hand; of each the others' tagger is measured, and of the
//! texts behind `--unseen` that of all. `ingest/README.md` has the figures and how the folders are made.

mod measure;
mod notices;
mod train;

use anyhow::{Context, Result, bail};
use ingest::extract::roles::Tagger;
use measure::Table;
use notices::{Notice, hand, shapes};
use std::{fs, path::PathBuf};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let (mut write, mut unseen, mut hands) = (None, Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--write" => write = Some(PathBuf::from(words.next().context("--write: give a file")?)),
            "--unseen" => unseen.extend(shapes(words.next().context("--unseen: give a file")?.as_ref())?),
            folder => hands.push((folder.to_owned(), hand(folder.as_ref())?)),
        }
    }
    if hands.len() < 2 {
        bail!("give two folders or more");
    }
    let tagger = |of: &[&[Notice]]| -> Result<(String, Tagger)> {
        let weights = train::weights(of);
        let tagger = Tagger::parse(&weights)?;
        Ok((weights, tagger))
    };
    let mut table = Table::default();
    for (left_out, (name, notices)) in hands.iter().enumerate() {
        let others: Vec<&[Notice]> =
            (0..hands.len()).filter(|nth| *nth != left_out).map(|nth| hands[nth].1.as_slice()).collect();
        table.row(name, notices, &tagger(&others)?.1);
    }
    table.mean();
    let all: Vec<&[Notice]> = hands.iter().map(|(_, notices)| notices.as_slice()).collect();
    let (weights, all) = tagger(&all)?;
    if !unseen.is_empty() {
        table.row("unseen", &unseen, &all);
    }
    if let Some(path) = write {
        fs::write(&path, weights).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
