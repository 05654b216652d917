//! Reads notices with ground truth from text files, pages and `gold.json` files.

use crate::data_sources::{self, Block};
use anyhow::{Context, Result};
use ingest::extract::Printed;
use jiff::civil::Time;
use serde_json::Value;
use std::{fs, path::Path};
use tender_model::vocabulary::{Day, Kind};

/// The notices of one author, and other texts.
pub(crate) struct DataSource {
    pub(crate) notices: Vec<Notice>,
    /// The texts that are not notices.
    pub(crate) others: Vec<Printed>,
    /// Whether the source is used for dates, amounts and kinds. Every source is used for titles
    /// and organisations. Rewritten real notices are not used for more, so that tests of dates and
    /// amounts see notices that are new to the classifier.
    pub(crate) trains_all: bool,
}

/// A notice with its true fields.
pub(crate) struct Notice {
    pub(crate) printed: Printed,
    /// The printed text, wrapped to a narrow column as in a newspaper.
    pub(crate) narrow: Printed,
    pub(crate) title: Option<String>,
    pub(crate) organization: Option<String>,
    pub(crate) closing: Option<(Day, Option<Time>)>,
    pub(crate) bid_security: Option<f64>,
    pub(crate) fee: Option<f64>,
    pub(crate) kind: Option<Kind>,
}

/// The widths of narrow columns, in characters.
const COLUMN_WIDTHS: std::ops::Range<usize> = 30..64;
/// The increase of the column width from one notice to the next, within the range of widths.
const COLUMN_WIDTH_STEP: usize = 7;

/// Reads the notices of a text file or of a folder of pages.
pub(crate) fn read_data_source(path: &Path) -> Result<DataSource> {
    if path.is_file() { read_text_file(path) } else { read_pages(path) }
}

/// Reads the notices of a text file.
fn read_text_file(file: &Path) -> Result<DataSource> {
    let mut source = DataSource { notices: Vec::new(), others: Vec::new(), trains_all: true };
    for block in data_sources::read_blocks(file)? {
        if block.truth.is_empty() {
            source.others.push(Printed::plain(&block.text));
        } else {
            let width = column_width(source.notices.len());
            source.notices.push(block_notice(&block, width));
        }
    }
    Ok(source)
}

fn block_notice(Block { truth, text, .. }: &Block, width: usize) -> Notice {
    let number = |field: &str| truth.get(field).and_then(|number| number.parse().ok());
    Notice {
        printed: Printed::plain(text),
        narrow: Printed::plain(&wrap_text(text, width)),
        title: truth.get("title").cloned(),
        organization: truth.get("organization").cloned(),
        closing: truth.get("closing").and_then(|closing| parse_closing(closing)),
        bid_security: number("bidSecurity"),
        fee: number("docFee"),
        kind: truth.get("kind").and_then(|kind| kind.parse().ok()),
    }
}

/// Parses a day, which may be followed by `T` and a time.
fn parse_closing(text: &str) -> Option<(Day, Option<Time>)> {
    let (day, hour) = text.split_once('T').map_or((text, None), |(day, hour)| (day, hour.get(..5)));
    Some((day.parse().ok()?, hour.and_then(parse_time)))
}

/// The column width of the notice with this index.
fn column_width(nth: usize) -> usize {
    COLUMN_WIDTHS.start + nth * COLUMN_WIDTH_STEP % COLUMN_WIDTHS.len()
}

/// Reads the notices of a folder of pages.
fn read_pages(folder: &Path) -> Result<DataSource> {
    let mut pages = Vec::new();
    find_files(folder, ".gt.json", &mut pages)?;
    pages.sort();
    let mut source = DataSource { notices: Vec::new(), others: Vec::new(), trains_all: true };
    for file in pages {
        let page: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        let blocks = page["notices"].as_array().into_iter().flatten();
        for block in blocks {
            let text = block["text"].as_str().unwrap_or_default();
            if block["type"] == "tender" {
                let width = column_width(source.notices.len());
                source.notices.push(page_notice(text, width, &block["fields"]));
            } else {
                source.others.push(Printed::plain(text));
            }
        }
    }
    Ok(source)
}

fn page_notice(text: &str, width: usize, truth: &Value) -> Notice {
    let day = truth["closing_date"].as_str().and_then(|day| day.parse().ok());
    let words = |field: &str| truth[field].as_str().map(str::to_owned);
    Notice {
        printed: Printed::plain(text),
        narrow: Printed::plain(&wrap_text(text, width)),
        title: words("title"),
        organization: words("organisation"),
        closing: day.map(|day| (day, truth["closing_time"].as_str().and_then(parse_time))),
        bid_security: truth["bid_security_amount"].as_f64(),
        fee: truth["document_fee"].as_f64(),
        kind: truth["kind"].as_str().and_then(|kind| kind.parse().ok()),
    }
}

/// Wraps the lines of a text at a column width, and separates the original lines by empty lines.
/// Table rows are not wrapped.
fn wrap_text(text: &str, width: usize) -> String {
    let broken = text
        .trim_end()
        .lines()
        .map(|line| if line.contains(['\t', '|']) { line.to_owned() } else { wrap_line(line, width) });
    broken.collect::<Vec<_>>().join("\n\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn find_files(folder: &Path, end: &str, found: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, end, found)?;
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    Ok(())
}

/// Reads the notices of each `gold.json` under a folder.
pub(crate) fn read_gold_folder(folder: &Path) -> Result<DataSource> {
    let mut golds = Vec::new();
    find_files(folder, "gold.json", &mut golds)?;
    golds.sort();
    let notices = golds.iter().map(|gold| read_gold_file(gold)).collect::<Result<Vec<_>>>()?;
    Ok(DataSource { notices: notices.into_iter().flatten().collect(), others: Vec::new(), trains_all: false })
}

fn read_gold_file(gold: &Path) -> Result<Vec<Notice>> {
    let entries: Vec<Value> = serde_json::from_str(&fs::read_to_string(gold)?)?;
    let folder = gold.parent().unwrap_or(Path::new("."));
    let notices = entries.iter().map(|entry| {
        let file = entry["file"].as_str().context("a gold entry without a file")?;
        let text = fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
        // The lines before the first empty line name the source.
        let text = text.split_once("\n\n").map_or(text.as_str(), |(_, text)| text);
        let truth = &entry["gold"];
        let closing = truth["closing"].as_str().and_then(parse_closing);
        let words = |field: &str| truth[field].as_str().map(str::to_owned);
        Ok(Notice {
            printed: Printed::plain(text),
            narrow: Printed::plain(&wrap_text(text, COLUMN_WIDTHS.start)),
            title: words("title"),
            organization: words("organization"),
            closing,
            bid_security: truth["bidSecurity"].as_f64(),
            fee: truth["docFee"].as_f64(),
            kind: truth["kind"].as_str().and_then(|kind| kind.parse().ok()),
        })
    });
    notices.collect()
}

fn parse_time(hour: &str) -> Option<Time> {
    format!("{hour}:00").parse().ok()
}
