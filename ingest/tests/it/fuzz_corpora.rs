//! Replays the fuzz corpora. To fuzz, run `cargo fuzz run TARGET -s none` in `ingest`. The targets
//! are `front_matter` and `page`.

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../../index/fuzz/replay.rs"]
mod replay;

use replay::replay;

const CRATE_FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_front_matter_corpus_passes() {
    replay(CRATE_FOLDER, "front_matter", checks::check_front_matter);
}

#[test]
fn the_page_corpus_passes() {
    replay(CRATE_FOLDER, "page", checks::check_page);
}
