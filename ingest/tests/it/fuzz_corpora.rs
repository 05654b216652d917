//! Replays the fuzz corpora. To fuzz, run `cargo fuzz run front_matter -s none` in `ingest`.

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../../index/fuzz/replay.rs"]
mod replay;

use replay::replay;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_front_matter_corpus_passes() {
    replay(HOME, "front_matter", checks::check_front_matter);
}

#[test]
fn the_page_corpus_passes() {
    replay(HOME, "page", checks::check_page);
}
