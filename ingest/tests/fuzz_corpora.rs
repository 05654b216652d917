//! What the fuzz targets have met so far, again. To look for more: `cargo fuzz run front_matter -s none` in `ingest`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

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
fn front_matter() {
    replay("front_matter", checks::front_matter);
}
