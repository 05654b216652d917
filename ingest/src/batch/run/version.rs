//! The version of a reading, and the output name of a page.

use crate::{
    base::digest::sha256,
    batch::PageSource,
    extract::{Gazetteer, RULES_VERSION},
    page::PageFile,
};

/// The output name of a page.
pub(crate) fn output_name(source: &PageSource, file: &PageFile, number: u32) -> String {
    if file.len() > 1 { format!("{}-page{number}", source.stem) } else { source.stem.clone() }
}

/// The version of a reading: a hash of everything that determines its result, except the page.
/// `extractor` is the version of the extractor.
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
