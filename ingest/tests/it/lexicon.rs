//! Tests that the lexicon matches the texts from which it is built.

#[path = "../../examples/words/texts.rs"]
mod texts;

use anyhow::Result;
use ingest::base::lexicon::NOTICE_WORDS;

#[test]
fn the_lexicon_matches_the_texts() -> Result<()> {
    let stored: Vec<&str> = NOTICE_WORDS.lines().collect();
    assert!(
        texts::collect_words()?.iter().map(String::as_str).eq(stored.iter().copied()),
        "run `cargo run -p ingest --example words > words.txt`, then move the file to ingest/src/base/lexicon"
    );
    Ok(())
}
