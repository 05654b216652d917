//! Writes the words of Sinhala and Tamil that notices use: `cargo run -p ingest --example words > ingest/src/base/lexicon/words.txt`. They are those of
//! `fixtures/notice-texts` but the examination, which teaches nothing.

mod texts;

fn main() -> anyhow::Result<()> {
    texts::words()?.iter().for_each(|word| println!("{word}"));
    Ok(())
}
