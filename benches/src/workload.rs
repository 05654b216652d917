//! Reads tenders and alerts from files of one JSON object a line, plain or gzip, and keeps the files' own ids beside the numbers that
//! the engines use. Nothing is matched here.

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use index::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use serde::Deserialize;
use serde_json::Value;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// What is to be matched: where the alerts are, and the tenders in memory.
pub struct Workload {
    /// In file order; each tender's id is [`uuid_of`] its place here.
    pub tenders: Vec<Tender>,
    /// The ids as the file has them.
    pub tender_ids: Vec<String>,
    /// The moment at which alerts meet tenders.
    pub now: Moment,
    /// Rates between currencies.
    pub rates: Rates,
    alerts: PathBuf,
    alerts_limit: usize,
}

/// An active alert of the file.
pub struct Alert {
    /// As the file has it.
    pub id: String,
    /// What it asks.
    pub query: AlertQuery,
}

/// What a line says besides the query.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default = "yes")]
    is_active: bool,
}

const fn yes() -> bool {
    true
}

/// The id that engines know the alert or tender at a place of its file by.
#[must_use]
pub fn uuid_of(place: usize) -> Uuid {
    Uuid::from_u128(place as u128 + 1)
}

/// The place that [`uuid_of`] made an id of.
#[must_use]
pub fn place_of(id: Uuid) -> u32 {
    (id.as_u128() - 1) as u32
}

impl Workload {
    /// Reads the tenders, at most `limits.1` of them, and looks whether the alerts can be read; of these at most `limits.0` are
    /// going to be used.
    ///
    /// # Errors
    /// When a file can't be opened, or a line of the tenders is none.
    pub fn open(
        (alerts, tenders): (&Path, &Path),
        limits: (usize, usize),
        (now, rates): (Moment, Rates),
    ) -> Result<Self> {
        let mut workload = Self {
            tenders: Vec::new(),
            tender_ids: Vec::new(),
            now,
            rates,
            alerts: alerts.to_path_buf(),
            alerts_limit: limits.0,
        };
        open(alerts)?;
        for line in lines(tenders)?.take(limits.1) {
            let (place, line) = line?;
            let (id, tender) = tender_of(&line, place)
                .with_context(|| format!("{} line {}", tenders.display(), place + 1))?;
            workload.tender_ids.push(id);
            workload.tenders.push(tender);
        }
        if workload.tenders.is_empty() {
            bail!("{} holds no tender", tenders.display());
        }
        Ok(workload)
    }

    /// The active alerts, read from the file anew, one at a time.
    ///
    /// # Errors
    /// When the file can't be opened; an item, when its line is no alert.
    pub fn alerts(&self) -> Result<impl Iterator<Item = Result<Alert>> + '_> {
        let read = |line: Result<(usize, String)>| {
            let (place, line) = line?;
            alert_of(&line).with_context(|| format!("{} line {}", self.alerts.display(), place + 1))
        };
        Ok(lines(&self.alerts)?.take(self.alerts_limit).map(read).filter_map(Result::transpose))
    }

    /// The texts of a tender that keywords look in.
    pub fn texts(tender: &Tender) -> impl Iterator<Item = &str> {
        [tender.title.as_str(), &tender.description, &tender.full_text_markdown]
            .into_iter()
            .chain(tender.tags.iter().map(String::as_str))
            .chain([tender.organization.name.as_str(), tender.reference_no.as_deref().unwrap_or_default()])
            .filter(|text| !text.is_empty())
    }
}

fn tender_of(line: &str, place: usize) -> Result<(String, Tender)> {
    let mut value: Value = serde_json::from_str(line)?;
    let Some(Value::String(id)) = value.get_mut("_id").map(Value::take) else { bail!("there is no _id") };
    value["_id"] = uuid_of(place).to_string().into();
    Ok((id, serde_json::from_value(value)?))
}

/// `None` for one that is switched off.
fn alert_of(line: &str) -> Result<Option<Alert>> {
    let header: Header = serde_json::from_str(line)?;
    let query: AlertQuery = serde_json::from_str(line)?;
    query.check()?;
    Ok(header.is_active.then_some(Alert { id: header.id, query }))
}

/// The lines of a file with their places, from 0; blank ones at the end are no lines.
///
/// # Errors
/// When the file can't be opened; an item, when it can't be read on.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, String)>>> {
    let shown = path.display().to_string();
    let lines = open(path)?.lines().enumerate();
    Ok(lines
        .map(move |(place, line)| {
            Ok((place, line.with_context(|| format!("{shown} can't be read at line {}", place + 1))?))
        })
        .filter(|line| !matches!(line, Ok((_, line)) if line.trim().is_empty())))
}

/// Opens a file, through gzip where its first bytes say so.
fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let failed = || format!("{} can't be read", path.display());
    let mut file = File::open(path).with_context(failed)?;
    let mut magic = [0; 2];
    let gzip = file.read(&mut magic).with_context(failed)? == 2 && magic == [0x1f, 0x8b];
    file.rewind().with_context(failed)?;
    let buffer = BufReader::with_capacity(1 << 16, file);
    Ok(if gzip {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(buffer)))
    } else {
        Box::new(buffer)
    })
}
