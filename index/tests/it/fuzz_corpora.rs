//! Replays the fuzz corpora. To fuzz: `cargo fuzz run alerts -s none` in `index`.

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../fuzz/replay.rs"]
mod replay;

use replay::replay;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn user_queries() {
    replay(HOME, "user_query", checks::user_query);
}

#[test]
fn alerts_and_tenders() {
    replay(HOME, "alerts", checks::alerts);
}
