//! Replays the corpus of a fuzz target. All crates with fuzz targets share this file.

use std::{fs, path::Path};

/// Runs `check` on each file in the corpus of `target`. `home` is the folder of the crate.
pub(crate) fn replay(home: &str, target: &str, check: fn(&[u8])) {
    let folder = Path::new(home).join("fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        check(&fs::read(entry.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count > 5, "the corpus of {target} has only {count} files");
}
