//! Replays the fuzz corpora. To fuzz: `cargo fuzz run front_matter -s none` in `ingest`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../fuzz/checks.rs"]
mod checks;
#[path = "../../index/fuzz/replay.rs"]
mod replay;

use replay::replay;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn front_matter() {
    replay(HOME, "front_matter", checks::front_matter);
}

#[test]
fn pages() {
    replay(HOME, "page", checks::page);
}
