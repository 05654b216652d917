//! A notice ⇄ its file: YAML front matter, which is the tender under the specification's names with its `source`, and a body,
//! which is the full text as markdown. The round trip loses nothing. What is read is untrusted: its size, depth and
//! anchors are bounded, and every refusal says where and why. How a clip's words become the body: [`body`].

mod body;

pub use body::{body, escaped};

use index::tender::{Source, Tender};
use serde::Serialize;
use serde_json::Value;

/// The largest file that is read.
pub const MAX_BYTES: usize = 1024 * 1024;
/// No front matter nests deeper.
const MAX_DEPTH: usize = 16;
/// No front matter has more values.
const MAX_NODES: usize = 20_000;
const FENCE: &str = "---\n";

/// Why a file is no notice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MarkdownError {
    /// Larger than [`MAX_BYTES`].
    #[error("the notice has {0} bytes, and at most {MAX_BYTES} are read; cut it")]
    TooLarge(usize),
    /// It does not begin with `---`, or the second `---` is missing.
    #[error("the notice has no front matter: it must begin with a line `---`, YAML, and another line `---`")]
    NoFrontMatter,
    /// The YAML is broken or breaks a bound.
    #[error("the front matter is not valid YAML: {0}")]
    Yaml(String),
    /// A field has the wrong type or is not known.
    #[error("the front matter is not a notice: {0}")]
    Field(String),
    /// The tender cannot be written.
    #[error("the notice cannot be written: {0}")]
    Write(String),
}

/// A tender's front matter: its one source stands alone, the body stands below.
#[derive(Serialize)]
struct FrontMatter<'t> {
    #[serde(flatten)]
    tender: &'t Tender,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'t Source>,
}

/// The file of a notice. The first of `sources` becomes `source`; `fullTextMarkdown` becomes the body.
///
/// # Errors
/// Where a field cannot be written as YAML.
pub fn write(tender: &Tender) -> Result<String, MarkdownError> {
    let mut bare = tender.clone();
    let text = std::mem::take(&mut bare.full_text_markdown);
    let source = match bare.sources.as_slice() {
        [_] => bare.sources.pop(),
        _ => None,
    };
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let front = FrontMatter { tender: &bare, source: source.as_ref() };
    let yaml = serde_saphyr::to_string_with_options(&front, options)
        .map_err(|error| MarkdownError::Write(error.to_string()))?;
    let end = if yaml.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{FENCE}{yaml}{end}{FENCE}\n{text}\n"))
}

/// Reads a notice's file.
///
/// # Errors
/// See [`MarkdownError`].
pub fn read(file: &str) -> Result<Tender, MarkdownError> {
    if file.len() > MAX_BYTES {
        return Err(MarkdownError::TooLarge(file.len()));
    }
    let file = file.strip_prefix('\u{FEFF}').unwrap_or(file);
    // An editor may have given every line of the file the other line end.
    let unified = file.starts_with("---\r\n").then(|| file.replace("\r\n", "\n"));
    let file = unified.as_deref().unwrap_or(file);
    let rest = file.strip_prefix(FENCE).ok_or(MarkdownError::NoFrontMatter)?;
    let (yaml, text) = rest.split_once("\n---\n").ok_or(MarkdownError::NoFrontMatter)?;
    let text = text.strip_prefix('\n').unwrap_or(text);
    let mut tender = front_matter(yaml)?;
    text.strip_suffix('\n').unwrap_or(text).clone_into(&mut tender.full_text_markdown);
    Ok(tender)
}

fn front_matter(yaml: &str) -> Result<Tender, MarkdownError> {
    let field = |error: serde_json::Error| MarkdownError::Field(short(&error.to_string()));
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
        .map_err(|error| MarkdownError::Yaml(short(&error.to_string())))?;
    let Value::Object(mut fields) = value else {
        return Err(MarkdownError::Field("it must be a mapping of fields to values".to_owned()));
    };
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(MarkdownError::Field(format!("there is no field `{}`", short(unknown))));
    }
    let source = fields.remove("source").map(serde_json::from_value::<Source>).transpose().map_err(field)?;
    let mut tender: Tender = serde_json::from_value(Value::Object(fields)).map_err(field)?;
    tender.sources.extend(source);
    Ok(tender)
}

/// A message's beginning: the rest may be the stranger's text.
fn short(message: &str) -> String {
    message.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The fields of a front matter: a misspelt one would be lost without a word.
const FIELDS: &[&str] = &[
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
    "lots",
    "source",
    "sources",
    "confidence",
    "evidence",
    "changes",
    "publishedAt",
    "needsReview",
];

#[cfg(test)]
mod tests {
    use super::*;
    use index::{
        tender::{Bond, Evidence, Lot},
        vocabulary::{Amount, Category, District, Kind},
    };
    use proptest::prelude::*;

    fn tender() -> Tender {
        let mut tender = Tender {
            title: "Supply of: tyres & \"tubes\" #1".into(),
            reference_no: Some("2024/05/06".into()),
            category: Some(Category::Vehicles),
            kind: Kind::Purchase,
            full_text_markdown: "# Title\n\n---\n\ntext".into(),
            sources: vec![Source {
                publication: "Daily Lanka".into(),
                file: "p1.jpg".into(),
                page: 1,
                area: [0.1, 0.25, 0.3, 0.125],
                ..Source::default()
            }],
            lots: vec![Lot {
                number: Some("01".into()),
                title: "no".into(),
                bid_bond: Some(Bond {
                    required: true,
                    amount: Some(Amount::from_minor(12_345)),
                    ..Bond::default()
                }),
            }],
            ..Tender::default()
        };
        tender.location.district = Some(District::NuwaraEliya);
        tender.dates.closing = "2027-05-03T10:00:00+05:30".parse().ok();
        tender.confidence.insert("dates.closing".into(), 0.93);
        tender.evidence.insert(
            "dates.closing".into(),
            Evidence { text: "on 03/05/2027\nat: 10".into(), area: Some([0.1, 0.2, 0.3, 0.4]) },
        );
        tender
    }

    #[test]
    fn a_notice_goes_to_its_file_and_back() {
        let tender = tender();
        let file = write(&tender).unwrap();
        assert!(file.starts_with("---\ntitle: "), "{file}");
        assert!(file.contains("\nsource:\n  publication: Daily Lanka\n"), "{file}");
        assert!(
            !file.contains("fullTextMarkdown") && file.ends_with("---\n\n# Title\n\n---\n\ntext\n"),
            "{file}"
        );
        assert_eq!(read(&file).unwrap(), tender);
        assert_eq!(read(&file.replace('\n', "\r\n")).unwrap().title, tender.title);
    }

    proptest! {
        #[test]
        fn any_text_survives(title in any::<String>(), text in any::<String>(), reference in "[ -~]{0,12}", line in "[-:#|>!&*%@`'\"a-z0-9 ,\\[\\]{}\\n]{0,20}") {
            let mut tender = tender();
            // CR LF in a whole file is an editor's doing and unified; a lone notice never begins so.
            tender.title = title;
            tender.reference_no = Some(reference);
            tender.description = line;
            tender.full_text_markdown = text;
            let again = read(&write(&tender).unwrap()).unwrap();
            prop_assert_eq!(again, tender);
        }

        #[test]
        fn rubbish_never_panics(text in any::<String>()) {
            let _ = read(&text);
            let _ = read(&format!("---\n{text}\n---\n\nbody\n"));
        }
    }

    #[test]
    fn hostile_front_matter_is_refused() {
        let with = |yaml: &str| read(&format!("---\n{yaml}\n---\n\nbody\n")).unwrap_err().to_string();
        assert!(with("a: &a [x,x]\nb: &b [*a,*a]\ntitle: *b").contains("not valid YAML"));
        assert!(with(&format!("title: {}{}", "[".repeat(200), "]".repeat(200))).contains("not valid YAML"));
        assert!(with("title: [1, 2]").contains("not a notice"), "{}", with("title: [1, 2]"));
        assert!(with("category: Rockets").contains("Rockets"));
        assert!(with("refrenceNo: A/1").contains("no field `refrenceNo`"));
        assert!(with("- a").contains("mapping"));
        assert!(with("title: !!python/object:os.system x").contains("not valid YAML"));
        assert_eq!(read("title: x"), Err(MarkdownError::NoFrontMatter));
        assert_eq!(read(&"x".repeat(MAX_BYTES + 1)), Err(MarkdownError::TooLarge(MAX_BYTES + 1)));
    }
}
