//! Finds identical files. Only the first of them is read.

use super::page_source::{Stamp, stamp};
use crate::batch::PageSource;
use crate::page::MAX_FILE_BYTES;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

/// A file that is skipped because another file has the same content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DuplicateFile {
    /// The skipped file.
    pub file: String,
    /// The file that is read.
    pub of: String,
}

/// The digests of files, valid until a file changes.
#[derive(Debug, Default)]
pub(crate) struct DigestCache(HashMap<PathBuf, (Stamp, [u8; 32])>);

/// Separates duplicates from the files to read. Only files of equal size are hashed, and `digests`
/// keeps the hashes of unchanged files.
pub(crate) fn split_duplicates(
    sources: Vec<PageSource>,
    digests: &mut DigestCache,
) -> (Vec<PageSource>, Vec<DuplicateFile>) {
    let stamps: Vec<Option<Stamp>> = sources.iter().map(|source| stamp(&source.path)).collect();
    let mut of_size: HashMap<u64, usize> = HashMap::new();
    for (size, _) in stamps.iter().flatten() {
        *of_size.entry(*size).or_default() += 1;
    }
    let mut before = std::mem::take(&mut digests.0);
    let (mut once, mut duplicates) = (Vec::new(), Vec::new());
    let mut known: HashMap<[u8; 32], String> = HashMap::new();
    for (source, stamp) in sources.into_iter().zip(stamps) {
        let may_have_duplicate = |(size, _): &Stamp| {
            (1..=MAX_FILE_BYTES).contains(size) && of_size.get(size).is_some_and(|&count| count > 1)
        };
        // A file that cannot be read here is reported when it is read as a page.
        let digest = stamp.filter(may_have_duplicate).and_then(|stamp| {
            let known = before.remove(&source.path).filter(|(then, _)| *then == stamp);
            let (_, digest) = known.or_else(|| Some((stamp, hash_file(&source.path).ok()?)))?;
            digests.0.insert(source.path.clone(), (stamp, digest));
            Some(digest)
        });
        match digest.and_then(|digest| known.get(&digest)) {
            Some(of) => duplicates.push(DuplicateFile { file: source.file, of: of.clone() }),
            None => {
                if let Some(digest) = digest {
                    known.insert(digest, source.file.clone());
                }
                once.push(source);
            }
        }
    }
    (once, duplicates)
}

fn hash_file(path: &Path) -> io::Result<[u8; 32]> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::input::discovery::find_pages;
    use std::{
        fs,
        time::{Duration, SystemTime},
    };

    #[test]
    fn a_file_is_hashed_only_if_it_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, at: SystemTime| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            File::options().append(true).open(&path).unwrap().set_modified(at).unwrap();
        };
        let mut digests = DigestCache::default();
        let mut duplicates = || {
            let sources = find_pages(&[folder.path().to_owned()], &Default::default(), None).unwrap().sources;
            split_duplicates(sources, &mut digests).1.len()
        };
        let then = SystemTime::UNIX_EPOCH;
        write("a.jpg", "one", then);
        write("b.jpg", "one", then);
        assert_eq!((duplicates(), duplicates()), (1, 1));
        // Size and time are unchanged, so the change is not noticed.
        write("b.jpg", "two", then);
        assert_eq!(duplicates(), 1);
        write("b.jpg", "two", then + Duration::from_secs(1));
        assert_eq!(duplicates(), 0);
    }
}
