//! What decides how a page is read, and what its output is called.

use crate::{
    base::digest::sha256,
    batch::PageSource,
    extract::{Gazetteer, RULES_VERSION},
    page::PageFile,
};

/// The name of a page's output.
pub(crate) fn base(source: &PageSource, file: &PageFile, number: u32) -> String {
    if file.len() > 1 { format!("{}-page{number}", source.stem) } else { source.stem.clone() }
}

/// Everything but the page that decides what is read from it, `extractor` being the version of who reads the notices.
pub(crate) fn version(source: &PageSource, extractor: &str, gazetteer: &Gazetteer) -> String {
    let date = source.date.map(|date| date.to_string()).unwrap_or_default();
    let all = format!(
        "{}|{RULES_VERSION}|{extractor}|{}|{date}|{}|{}",
        env!("CARGO_PKG_VERSION"),
        source.publication,
        source.file,
        gazetteer.fingerprint()
    );
    hex::encode(&sha256(all.as_bytes())[..8])
}
