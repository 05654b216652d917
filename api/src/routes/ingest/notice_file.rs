//! A notice's file: YAML front matter, which is the tender under the specification's names and its `source`, and the
//! text as the body.

use index::tender::{Source, Tender};
use serde::Deserialize;

/// Why a file is no notice.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoticeFileError {
    /// It doesn't begin with `---`.
    #[error("The notice has no front matter: its first line is not ---")]
    NoFrontMatter,
    /// No second `---`.
    #[error("The notice's front matter does not end: no second line is ---")]
    NoEnd,
    /// The front matter is no tender.
    #[error("The notice's front matter cannot be read: {0}")]
    FrontMatter(#[from] serde_saphyr::Error),
}

#[derive(Deserialize)]
struct FrontMatter {
    #[serde(flatten)]
    tender: Tender,
    source: Option<Source>,
}

/// The tender that a file tells of.
///
/// # Errors
/// When it is no notice.
pub(super) fn read(text: &str) -> Result<Tender, NoticeFileError> {
    let rest = text.strip_prefix("---\n").ok_or(NoticeFileError::NoFrontMatter)?;
    let (front, body) = rest.split_once("\n---\n").ok_or(NoticeFileError::NoEnd)?;
    let FrontMatter { mut tender, source } = serde_saphyr::from_str(front)?;
    tender.full_text_markdown = body.trim().to_owned();
    tender.sources = source.into_iter().collect();
    Ok(tender)
}
