//! What the fuzz targets have met so far, again. To look for more: `cargo fuzz run alerts -s none` in `index`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../fuzz/checks.rs"]
mod checks;

use std::{fs, path::Path};

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        check(&fs::read(entry.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count > 5, "the corpus of {target} is gone");
}

#[test]
fn typed_texts() {
    replay("typed", checks::typed);
}

#[test]
fn alerts_and_tenders() {
    replay("alerts", checks::alerts);
}
