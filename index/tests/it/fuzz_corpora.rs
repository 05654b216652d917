//! Replays the fuzz corpora. To fuzz: `cargo fuzz run alerts -s none` in `index`.

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../fuzz/replay.rs"]
mod replay;

use replay::replay;

const CRATE_FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_corpus_of_user_queries_passes() {
    replay(CRATE_FOLDER, "user_query", checks::user_query);
}

#[test]
fn the_corpus_of_alerts_passes() {
    replay(CRATE_FOLDER, "alerts", checks::alerts);
}
