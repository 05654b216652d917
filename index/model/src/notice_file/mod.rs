//! The file format of a notice: YAML front matter with the tender and its `source`, and the full
//! text in Markdown as the body. Writing and reading a tender loses nothing. Input is untrusted:
//! size, depth and number of nodes are limited, and anchors are refused.

use crate::tender::{Source, Tender};
use serde::Serialize;
use serde_json::Value;

/// The largest accepted file, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// The deepest accepted nesting.
const MAX_DEPTH: usize = 16;
/// The largest accepted number of YAML nodes.
const MAX_NODES: usize = 20_000;
const FENCE: &str = "---\n";

/// The reason a file is not a valid notice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeFileError {
    /// The file is larger than [`MAX_BYTES`].
    #[error("the notice has {0} bytes; the maximum is {MAX_BYTES}")]
    TooLarge(usize),
    /// The opening or closing `---` is missing.
    #[error("the notice has no front matter: it must begin with a line `---`, YAML, and another line `---`")]
    NoFrontMatter,
    /// The YAML is malformed or exceeds a limit.
    #[error("the front matter is not valid YAML: {0}")]
    Yaml(String),
    /// A field is unknown or has the wrong type.
    #[error("the front matter is not a notice: {0}")]
    Field(String),
    /// The tender cannot be written as YAML.
    #[error("the notice cannot be written: {0}")]
    Write(String),
}

/// The front matter of a tender. A single source is written as `source`, and the body is left out.
#[derive(Serialize)]
struct FrontMatter<'t> {
    #[serde(flatten)]
    tender: &'t Tender,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'t Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extractor: Option<&'t str>,
}

/// Writes a tender as a file. A single source becomes `source`, and `fullTextMarkdown` becomes the
/// body. `extractor` names the program or model that read the notice; it is not a field of the
/// tender.
///
/// # Errors
/// [`NoticeFileError::Write`] if a field cannot be written as YAML.
pub fn write(tender: &Tender, extractor: Option<&str>) -> Result<String, NoticeFileError> {
    let mut bare = tender.clone();
    let text = std::mem::take(&mut bare.full_text_markdown);
    let source = match bare.sources.as_slice() {
        [_] => bare.sources.pop(),
        _ => None,
    };
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let front = FrontMatter { tender: &bare, source: source.as_ref(), extractor };
    let yaml = serde_saphyr::to_string_with_options(&front, options)
        .map_err(|error| NoticeFileError::Write(error.to_string()))?;
    let end = if yaml.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{FENCE}{yaml}{end}{FENCE}\n{text}\n"))
}

/// Reads a notice file.
///
/// # Errors
/// [`NoticeFileError`] describes the first error in the file.
pub fn read(file: &str) -> Result<Tender, NoticeFileError> {
    if file.len() > MAX_BYTES {
        return Err(NoticeFileError::TooLarge(file.len()));
    }
    let file = file.strip_prefix('\u{FEFF}').unwrap_or(file);
    // Some editors convert all line ends.
    let unified = file.starts_with("---\r\n").then(|| file.replace("\r\n", "\n"));
    let file = unified.as_deref().unwrap_or(file);
    let rest = file.strip_prefix(FENCE).ok_or(NoticeFileError::NoFrontMatter)?;
    let (yaml, text) = rest.split_once("\n---\n").ok_or(NoticeFileError::NoFrontMatter)?;
    let text = text.strip_prefix('\n').unwrap_or(text);
    let mut tender = front_matter(yaml)?;
    text.strip_suffix('\n').unwrap_or(text).clone_into(&mut tender.full_text_markdown);
    Ok(tender)
}

fn front_matter(yaml: &str) -> Result<Tender, NoticeFileError> {
    let field = |error: serde_json::Error| NoticeFileError::Field(truncate(&error.to_string()));
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_anchors: 0,
            max_aliases: 0,
        },
        with_snippet: false,
        reject_unsupported_tags: true,
    };
    let value: Value = serde_saphyr::from_str_with_options(yaml, options)
        .map_err(|error| NoticeFileError::Yaml(truncate(&error.to_string())))?;
    let Value::Object(mut fields) = value else {
        return Err(NoticeFileError::Field("it must be a mapping of fields to values".to_owned()));
    };
    if let Some(unknown) = fields.keys().find(|name| !KNOWN_FIELDS.contains(&name.as_str())) {
        return Err(NoticeFileError::Field(format!("there is no field `{}`", truncate(unknown))));
    }
    let source = fields.remove("source").map(serde_json::from_value::<Source>).transpose().map_err(field)?;
    if fields.remove("extractor").is_some_and(|name| !name.is_string()) {
        return Err(NoticeFileError::Field("extractor must be text".to_owned()));
    }
    let mut tender: Tender = serde_json::from_value(Value::Object(fields)).map_err(field)?;
    tender.sources.extend(source);
    Ok(tender)
}

/// Truncates a message and removes control characters, because it may quote untrusted text.
fn truncate(message: &str) -> String {
    message.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The fields that the front matter may contain at its top level. Any other field is an error,
/// because its value would be lost.
const KNOWN_FIELDS: &[&str] = &[
    "_id",
    "title",
    "description",
    "category",
    "subcategory",
    "referenceNo",
    "status",
    "kind",
    "language",
    "sourceUrl",
    "sourcePage",
    "tags",
    "priority",
    "visibility",
    "organization",
    "financials",
    "location",
    "dates",
    "eligibility",
    "documents",
    "method",
    "documentFee",
    "cida",
    "preBid",
    "submission",
    "lots",
    "source",
    "sources",
    "extractor",
    "confidence",
    "evidence",
    "fieldStates",
    "otherReadings",
    "changes",
    "publishedAt",
    "needsReview",
];

#[cfg(test)]
mod tests;
