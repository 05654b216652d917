//! The lexicon must match the texts that it is built from.

#[path = "../examples/words/texts.rs"]
mod texts;

use anyhow::Result;
use ingest::base::lexicon::NOTICE_WORDS;

#[test]
fn the_lexicon_matches_the_texts() -> Result<()> {
    let told: Vec<&str> = NOTICE_WORDS.lines().collect();
    assert!(
        texts::words()?.iter().map(String::as_str).eq(told.iter().copied()),
        "run cargo run -p ingest --example words > words.txt, then move the file to ingest/src/base/lexicon"
    );
    Ok(())
}
