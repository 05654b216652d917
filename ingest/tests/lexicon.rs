//! The lexicon beside the texts that it is made of.

#[path = "../examples/words/texts.rs"]
mod texts;

use anyhow::Result;
use ingest::base::lexicon::NOTICE_WORDS;

#[test]
fn the_words_are_those_of_the_texts() -> Result<()> {
    let told: Vec<&str> = NOTICE_WORDS.lines().collect();
    assert!(
        texts::words()?.iter().map(String::as_str).eq(told.iter().copied()),
        "write them anew: cargo run -p ingest --example words > words.txt, then move it to ingest/src/base/lexicon"
    );
    Ok(())
}
