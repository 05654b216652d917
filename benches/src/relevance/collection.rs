//! The tenders for judged queries: the notices read from the fixtures' newspapers, and a file of
//! real notices.

use crate::workload::uuid_of;
use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};
use tender_model::{
    tender::{Dates, EstimatedValue, Financials, Location, Organization, Tender},
    vocabulary::{Millions, Moment, TenderStatus},
};

/// Tenders, and their ids in the judgements.
pub struct Collection {
    /// The tenders. The id of each is [`uuid_of`] applied to its index.
    pub tenders: Vec<Tender>,
    /// The ids of the notices. A fixture's id is its path below `fixtures/notices`, without `.md`.
    pub ids: Vec<String>,
}

/// A line of the file of real notices.
#[derive(Deserialize)]
struct Notice {
    id: String,
    title: String,
    description: Option<String>,
    category: Option<String>,
    org: Option<String>,
    value: Option<f64>,
    currency: Option<String>,
    published: Option<Moment>,
    closing: Option<Moment>,
    region: Option<String>,
}

impl Collection {
    /// Reads the real notices and the fixtures. The real notices are a gzip file with one JSON
    /// object per line.
    pub fn open(notices: &Path, fixtures: &Path) -> Result<Self> {
        let mut collection = Self { tenders: Vec::new(), ids: Vec::new() };
        let file = fs::File::open(notices).with_context(|| format!("{} can't be read", notices.display()))?;
        for (index, line) in BufReader::new(MultiGzDecoder::new(file)).lines().enumerate() {
            let notice: Notice = serde_json::from_str(&line?)
                .with_context(|| format!("{}, line {}", notices.display(), index + 1))?;
            let id = notice.id.clone();
            collection.push(id, notice.into());
        }
        for (id, tender) in read_fixtures(fixtures)? {
            collection.push(id, tender);
        }
        Ok(collection)
    }

    fn push(&mut self, id: String, mut tender: Tender) {
        tender.id = uuid_of(self.tenders.len());
        tender.status = TenderStatus::Published;
        tender.published_at = tender.dates.published;
        self.tenders.push(tender);
        self.ids.push(id);
    }
}

/// Reads the notices of the fixtures, with their ids in the judgements.
pub(super) fn read_fixtures(fixtures: &Path) -> Result<Vec<(String, Tender)>> {
    let mut notices = Vec::new();
    for path in markdown_below(fixtures)? {
        let text = fs::read_to_string(&path)?;
        let id = path.strip_prefix(fixtures)?.with_extension("").to_string_lossy().into_owned();
        notices.push((id, read_fixture(&text).with_context(|| path.display().to_string())?));
    }
    Ok(notices)
}

/// Returns all `.md` files below a folder, sorted.
fn markdown_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(markdown_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a notice: YAML between two lines of `---`, then the text.
fn read_fixture(text: &str) -> Result<Tender> {
    let (front, body) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .context("there is no front matter")?;
    let mut tender: Tender = serde_saphyr::from_str(front)?;
    tender.full_text_markdown = body.trim().to_owned();
    Ok(tender)
}

impl From<Notice> for Tender {
    fn from(notice: Notice) -> Self {
        // The reference is the last part of the id: `in-od-2024_CEMIB_100412_1`.
        let reference = notice.id.splitn(3, '-').nth(2).map(str::to_owned);
        let value = notice.value.and_then(|value| Millions::new(value / 1e6).ok());
        let currency = notice.currency.and_then(|currency| currency.parse().ok());
        let texts = [notice.description.as_deref(), notice.category.as_deref(), notice.region.as_deref()];
        let full_text: Vec<&str> = texts.into_iter().flatten().collect();
        Self {
            title: notice.title,
            full_text_markdown: full_text.join("\n\n"),
            reference_no: reference,
            organization: Organization { name: notice.org.unwrap_or_default(), ..Organization::default() },
            financials: Financials {
                estimated_value: value
                    .zip(currency)
                    .map(|(amount, currency)| EstimatedValue { amount, currency }),
                ..Financials::default()
            },
            location: Location { city: notice.region, ..Location::default() },
            dates: Dates { published: notice.published, closing: notice.closing, opening: None },
            ..Self::default()
        }
    }
}

/// Joins the description, full text, organisation and reference of a tender.
#[must_use]
pub fn body_text(tender: &Tender) -> String {
    let reference = tender.reference_no.as_deref().unwrap_or_default();
    let texts = [&tender.description, &tender.full_text_markdown, &tender.organization.name, reference];
    texts.map(str::to_owned).join("\n")
}
