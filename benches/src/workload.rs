//! Reads tenders and alerts from files with one JSON object per line, plain or gzip. Engines use
//! numbers instead of the ids in the files.

use crate::alert_mixer::AlertMixer;
use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// A workload: the file of alerts, and the tenders in memory.
pub struct Workload {
    /// The tenders in file order. The id of each is [`uuid_of`] applied to its index.
    pub tenders: Vec<Tender>,
    /// The ids of the tenders in their file.
    pub tender_ids: Vec<String>,
    /// The time of matching.
    pub now: Moment,
    /// Exchange rates.
    pub rates: Rates,
    alerts: PathBuf,
    alerts_limit: usize,
    /// Generates further alerts.
    mixer: Option<AlertMixer>,
    /// Only one of so many alerts is used.
    shards: usize,
}

/// An active alert.
#[derive(Debug, Clone)]
pub struct Alert {
    /// The id of the alert in its file.
    pub id: String,
    /// The query.
    pub query: AlertQuery,
}

/// The fields of an alert besides the query.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AlertHeader {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default = "default_is_active")]
    is_active: bool,
}

const fn default_is_active() -> bool {
    true
}

/// Returns the id for the alert or tender with an index.
#[must_use]
pub fn uuid_of(index: usize) -> Uuid {
    Uuid::from_u128(index as u128 + 1)
}

/// Returns the index for an id of [`uuid_of`].
#[must_use]
pub fn index_of(id: Uuid) -> u32 {
    (id.as_u128() - 1) as u32
}

impl Workload {
    /// Reads at most `limits.1` tenders, and checks that the file of alerts can be opened. At most
    /// `limits.0` lines of that file will be used.
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
            mixer: None,
            shards: 1,
        };
        open(alerts)?;
        for line in lines(tenders)?.take(limits.1) {
            let (index, line) = line?;
            let (id, tender) = parse_tender(&line, index)
                .with_context(|| format!("{} line {}", tenders.display(), index + 1))?;
            workload.tender_ids.push(id);
            workload.tenders.push(tender);
        }
        if workload.tenders.is_empty() {
            bail!("{} contains no tender", tenders.display());
        }
        Ok(workload)
    }

    /// Adds generated alerts, until there are `count`. The alerts of the file stay in memory.
    pub fn mix_alerts(&mut self, count: usize) -> Result<()> {
        let queries: Vec<AlertQuery> =
            self.alerts()?.map(|alert| alert.map(|alert| alert.query)).collect::<Result<_>>()?;
        let missing = count.saturating_sub(queries.len());
        self.mixer = Some(AlertMixer::new(queries, missing));
        Ok(())
    }

    /// Uses only the alerts of the first of this number of shards.
    pub const fn use_first_shard(&mut self, shards: usize) {
        self.shards = shards;
    }

    /// Reads the active alerts from the file again, one at a time, and generates further ones.
    pub fn alerts(&self) -> Result<impl Iterator<Item = Result<Alert>> + '_> {
        let read = |line: Result<(usize, String)>| {
            let (index, line) = line?;
            parse_alert(&line).with_context(|| format!("{} line {}", self.alerts.display(), index + 1))
        };
        let stored = lines(&self.alerts)?.take(self.alerts_limit).map(read).filter_map(Result::transpose);
        let mixed = self.mixer.iter().flat_map(|mixer| mixer.alerts().map(Ok));
        Ok(stored.chain(mixed).step_by(self.shards))
    }

    /// Returns the texts of a tender in which keywords are searched for.
    pub fn texts(tender: &Tender) -> impl Iterator<Item = &str> {
        [tender.title.as_str(), &tender.description, &tender.full_text_markdown]
            .into_iter()
            .chain(tender.tags.iter().map(String::as_str))
            .chain([tender.organization.name.as_str(), tender.reference_no.as_deref().unwrap_or_default()])
            .filter(|text| !text.is_empty())
    }
}

fn parse_tender(line: &str, index: usize) -> Result<(String, Tender)> {
    let mut value: Value = serde_json::from_str(line)?;
    let Some(Value::String(id)) = value.get_mut("_id").map(Value::take) else { bail!("there is no _id") };
    value["_id"] = uuid_of(index).to_string().into();
    Ok((id, serde_json::from_value(value)?))
}

/// `None` for an inactive alert.
fn parse_alert(line: &str) -> Result<Option<Alert>> {
    let header: AlertHeader = serde_json::from_str(line)?;
    let query: AlertQuery = serde_json::from_str(line)?;
    query.check()?;
    Ok(header.is_active.then_some(Alert { id: header.id, query }))
}

/// Returns the lines of a file with their indexes, from 0. Blank lines are skipped.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, String)>>> {
    let shown = path.display().to_string();
    let lines = open(path)?.lines().enumerate();
    Ok(lines
        .map(move |(index, line)| {
            Ok((index, line.with_context(|| format!("{shown} can't be read at line {}", index + 1))?))
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
