//! Reads hand-written notices with ground truth, such as `fixtures/notice-texts/training/*.txt`. A
//! block begins with a line `=== NAME`. Lines `field: value`, a line `---` and the printed text
//! follow. A text that is not a notice has only the field `none`.

use anyhow::{Context, Result, bail};
use std::{collections::BTreeMap, fs, path::Path};

/// A block of a text file.
pub(crate) struct Block {
    /// The name of the file without its extension, and the name after `===`.
    pub(crate) name: String,
    /// The true fields; empty for a text that is not a notice.
    pub(crate) truth: BTreeMap<String, String>,
    pub(crate) text: String,
}

/// Reads the blocks of a text file.
pub(crate) fn read_blocks(file: &Path) -> Result<Vec<Block>> {
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
        let block = blocks.last_mut().context("the file does not begin with `=== NAME`")?;
        if in_text {
            block.text.push_str(line);
            block.text.push('\n');
        } else if line == "---" {
            in_text = true;
        } else if let Some((field, value)) = line.split_once(": ") {
            block.truth.insert(field.to_owned(), value.trim().to_owned());
        } else {
            bail!("{}: {line:?} is not `field: value`", block.name);
        }
    }
    for block in &mut blocks {
        block.truth.remove("none");
        block.text.truncate(block.text.trim_end().len());
    }
    Ok(blocks)
}
