//! Reads tenders and alerts from files with one JSON object per line, plain or gzip. Keeps the
//! files' ids beside the numbers that the engines use.

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

/// A workload: the file of alerts, and the tenders in memory.
pub struct Workload {
    /// In file order; each id is [`uuid_of`] its index.
    pub tenders: Vec<Tender>,
    /// The ids in the file.
    pub tender_ids: Vec<String>,
    /// The time of matching.
    pub now: Moment,
    /// Exchange rates.
    pub rates: Rates,
    alerts: PathBuf,
    alerts_limit: usize,
}

/// An active alert.
pub struct Alert {
    /// The id in the file.
    pub id: String,
    /// The query.
    pub query: AlertQuery,
}

/// The other fields of a line.
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

/// The id for the alert or tender at an index of its file.
#[must_use]
pub fn uuid_of(place: usize) -> Uuid {
    Uuid::from_u128(place as u128 + 1)
}

/// The index behind an id of [`uuid_of`].
#[must_use]
pub fn place_of(id: Uuid) -> u32 {
    (id.as_u128() - 1) as u32
}

impl Workload {
    /// Reads at most `limits.1` tenders and checks that the alerts file can be read. At most
    /// `limits.0` alerts will be used.
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

    /// Reads the active alerts from the file again, one at a time.
    pub fn alerts(&self) -> Result<impl Iterator<Item = Result<Alert>> + '_> {
        let read = |line: Result<(usize, String)>| {
            let (place, line) = line?;
            alert_of(&line).with_context(|| format!("{} line {}", self.alerts.display(), place + 1))
        };
        Ok(lines(&self.alerts)?.take(self.alerts_limit).map(read).filter_map(Result::transpose))
    }

    /// The texts of a tender that keywords search.
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

/// `None` for an inactive alert.
fn alert_of(line: &str) -> Result<Option<Alert>> {
    let header: Header = serde_json::from_str(line)?;
    let query: AlertQuery = serde_json::from_str(line)?;
    query.check()?;
    Ok(header.is_active.then_some(Alert { id: header.id, query }))
}

/// The lines of a file with their indexes, from 0. Trailing blank lines are skipped.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, String)>>> {
    let shown = path.display().to_string();
    let lines = open(path)?.lines().enumerate();
    Ok(lines
        .map(move |(place, line)| {
            Ok((place, line.with_context(|| format!("{shown} can't be read at line {}", place + 1))?))
        })
        .filter(|line| !matches!(line, Ok((_, line)) if line.trim().is_empty())))
}

/// Opens a file and decompresses it if it is gzip.
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
