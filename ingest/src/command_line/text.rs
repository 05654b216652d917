//! `ingest text`: prints the text of a single-column document.

use super::print_line;
use anyhow::{Context, bail};
use clap::Args;
use ingest::document::{self, MAX_BYTES, TextReader};
use std::{fs::File, io::Read, path::PathBuf};

#[derive(Args)]
pub(crate) struct Text {
    /// PDF file; - reads standard input, without limits on time and memory
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn text(command: &Text) -> anyhow::Result<bool> {
    if command.file.as_os_str() == "-" {
        document::serve()?;
        return Ok(true);
    }
    let name = command.file.display();
    if !command.file.is_file() {
        bail!("{name}: there is no such file; check the path");
    }
    let mut pdf = Vec::new();
    File::open(&command.file)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut pdf))
        .with_context(|| name.to_string())?;
    let own = std::env::current_exe().context("finding this program")?;
    print_line(TextReader::new(own, ["text", "-"]).read(&pdf).with_context(|| name.to_string())?);
    Ok(true)
}
