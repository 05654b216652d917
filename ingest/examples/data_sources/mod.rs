//! Notices that somebody wrote by hand, each beside what is true of it: `fixtures/notice-texts/sources/*.txt`. A block begins with a
//! line `=== NAME`; lines `field: value` follow, a line `---`, and the text as printed. Of what is no notice the only field is `none`.

use anyhow::{Context, Result, bail};
use std::{collections::BTreeMap, fs, path::Path};

/// A block of a hand's file.
pub(crate) struct Block {
    /// `FILE NAME`.
    pub(crate) name: String,
    /// What is true of it by field; empty for what is no notice.
    pub(crate) truth: BTreeMap<String, String>,
    /// As printed.
    pub(crate) text: String,
}

/// The blocks of a hand's file.
pub(crate) fn blocks(file: &Path) -> Result<Vec<Block>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut blocks: Vec<Block> = Vec::new();
    let mut in_text = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            let name = format!("{stem} {name}");
            blocks.push(Block { name, truth: BTreeMap::new(), text: String::new() });
            in_text = false;
            continue;
        }
        let block = blocks.last_mut().context("a hand's file begins with `=== NAME`")?;
        if in_text {
            block.text.push_str(line);
            block.text.push('\n');
        } else if line == "---" {
            in_text = true;
        } else if let Some((field, value)) = line.split_once(": ") {
            block.truth.insert(field.to_owned(), value.trim().to_owned());
        } else {
            bail!("{}: {line:?} is no `field: value`", block.name);
        }
    }
    for block in &mut blocks {
        block.truth.remove("none");
        block.text.truncate(block.text.trim_end().len());
    }
    Ok(blocks)
}
