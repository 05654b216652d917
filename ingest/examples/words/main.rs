//! Writes the Sinhala and Tamil words of notices: `cargo run -p ingest --example words >
//! ingest/src/base/lexicon/words.txt`. They come from `fixtures/notice-texts` without the held-out
//! set.

mod texts;

fn main() -> anyhow::Result<()> {
    texts::words()?.iter().for_each(|word| println!("{word}"));
    Ok(())
}
