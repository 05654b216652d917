//! Collects words from the notice texts.

use anyhow::{Context, Result};
use std::{collections::BTreeSet, fs, path::Path};

/// Collects the Sinhala and Tamil words of all notice texts, except the held-out set.
pub(crate) fn collect_words() -> Result<BTreeSet<String>> {
    let texts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/notice-texts");
    let mut words = BTreeSet::new();
    for folder in ["training", "development", "test-1", "test-2"] {
        for entry in fs::read_dir(texts.join(folder)).with_context(|| folder.to_owned())? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "txt") {
                let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                words.extend(ingest::base::lexicon::words(&text));
            }
        }
    }
    Ok(words)
}
