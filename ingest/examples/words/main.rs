//! Prints the Sinhala and Tamil words in `fixtures/notice-texts`, without the held-out set. To
//! update the lexicon, run `cargo run -p ingest --example words > words.txt` and move the file to
//! `ingest/src/base/lexicon`.

mod texts;

fn main() -> anyhow::Result<()> {
    texts::collect_words()?.iter().for_each(|word| println!("{word}"));
    Ok(())
}
