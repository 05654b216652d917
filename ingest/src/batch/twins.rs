//! The same file under two names: it is read once, as the first of them.

use super::PageSource;
use crate::page::MAX_FILE_BYTES;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::Path,
};

/// A file that is not read, since another one says the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Twin {
    /// The file.
    pub file: String,
    /// The one that is read.
    pub of: String,
}

/// Parts what is to be read from what says the same again. Only files of equal size are looked into.
pub(super) fn part(sources: Vec<PageSource>) -> (Vec<PageSource>, Vec<Twin>) {
    let size = |source: &PageSource| fs::metadata(&source.path).map_or(0, |file| file.len());
    let sizes: Vec<u64> = sources.iter().map(size).collect();
    let mut of_size: HashMap<u64, usize> = HashMap::new();
    for size in &sizes {
        *of_size.entry(*size).or_default() += 1;
    }
    let (mut once, mut twins) = (Vec::new(), Vec::new());
    let mut known: HashMap<[u8; 32], String> = HashMap::new();
    for (source, size) in sources.into_iter().zip(sizes) {
        let is_worth_a_look =
            (1..=MAX_FILE_BYTES).contains(&size) && of_size.get(&size).is_some_and(|&count| count > 1);
        // What cannot be read here is told of where it is to be read.
        let digest = if is_worth_a_look { digest(&source.path).ok() } else { None };
        match digest.and_then(|digest| known.get(&digest)) {
            Some(of) => twins.push(Twin { file: source.file, of: of.clone() }),
            None => {
                if let Some(digest) = digest {
                    known.insert(digest, source.file.clone());
                }
                once.push(source);
            }
        }
    }
    (once, twins)
}

fn digest(path: &Path) -> io::Result<[u8; 32]> {
    let (mut hash, mut file) = (Sha256::new(), BufReader::with_capacity(1 << 16, File::open(path)?));
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(hash.finalize().into());
        }
        hash.update(piece);
        let read = piece.len();
        file.consume(read);
    }
}
