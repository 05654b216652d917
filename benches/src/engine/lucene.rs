//! Lucene Monitor: prepares the input, builds and runs the program in `peers/lucene-monitor`, and
//! reads its results.

use super::{EngineMeasurement, MeasurementLimits};
use crate::{
    measure::{self, RoundTimes},
    plain::{self, PlainAlert, PlainTender},
    workload::Workload,
};
use anyhow::{Context, Result, bail};
use index::{percolate::PercolationCounters, query::Pattern};
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    process::Command,
    time::Duration,
};

/// The fastest variant.
pub(super) const FASTEST_VARIANT: &str = "passes=1,weight=rarity,filters=all";

pub(super) fn run(
    workload: &Workload,
    limits: MeasurementLimits,
    variant: &str,
) -> Result<EngineMeasurement> {
    let program = build()?;
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let alert_ids = write_input(workload, directory)?;
    let split_before = measure::split_time(&workload.tenders);
    let mut child = Command::new("java")
        .args(["-Xms3g", "-Xmx6g", "-XX:+UseSerialGC", "-cp"])
        .arg(format!("{0}/classes:{0}/dependency/*", program.display()))
        .arg("bench.Main")
        .arg(directory)
        .args([variant, &limits.rounds.to_string(), &limits.timeout.as_secs().to_string()])
        .spawn()
        .context("java can't be started")?;
    let process = child.id().to_string();
    let mut total_mb = 0.0f64;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        total_mb = total_mb.max(measure::resident(&process).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(100));
    };
    if !status.success() {
        bail!("the benchmark of Lucene Monitor failed: {status}");
    }
    let mut measured = read_results(directory, workload, split_before)?;
    measured.alert_ids = alert_ids;
    measured.total_mb = total_mb;
    measured.variant = Some(variant.to_owned());
    Ok(measured)
}

/// Builds the program and returns its path.
fn build() -> Result<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new("mvn")
        .args(["-q", "-B", "-Dstyle.color=never", "-f"])
        .arg(root.join("peers/lucene-monitor/pom.xml"))
        .arg("package")
        .stdout(std::process::Stdio::null())
        .status()
        .context("mvn can't be started; install it with: apt-get install maven")?;
    if !status.success() {
        bail!("Lucene Monitor can't be built: {status}");
    }
    Ok(root.join("../target/lucene-monitor"))
}

/// Writes the files `alerts` and `tenders`. Returns the alerts' ids.
fn write_input(workload: &Workload, directory: &Path) -> Result<Vec<String>> {
    let currencies = plain::currencies(&workload.tenders);
    let mut out = BufWriter::new(File::create(directory.join("alerts"))?);
    let mut ids = Vec::new();
    for alert in workload.alerts()? {
        let alert = alert?;
        write_alert(&mut out, &PlainAlert::of(&alert.query, &currencies, &workload.rates))?;
        ids.push(alert.id);
    }
    out.flush()?;
    let mut out = BufWriter::new(File::create(directory.join("tenders"))?);
    for tender in &workload.tenders {
        write_tender(&mut out, PlainTender::of(tender, workload.now).as_ref())?;
    }
    out.flush()?;
    Ok(ids)
}

fn write_alert(out: &mut impl Write, alert: &PlainAlert) -> Result<()> {
    let patterns = |patterns: &[Pattern]| {
        let items = patterns.iter().map(|pattern| {
            let (left, right) = plain::open_sides(pattern);
            format!("{}{}{}", u8::from(left), u8::from(right), pattern.as_str())
        });
        items.collect::<Vec<_>>().join("|")
    };
    write!(out, "{}\t{}", patterns(&alert.keywords), patterns(&alert.excludes))?;
    for terms in &alert.accepts {
        write!(out, "\t{}", terms.as_ref().map_or_else(|| "*".to_owned(), |terms| terms.join(" ")))?;
    }
    let values =
        alert.values.iter().map(|bounds| format!("{}:{}:{}", bounds.currency, bounds.min, bounds.max));
    let days = alert.days.map(|(min, max)| format!(":{min}:{max}")).unwrap_or_default();
    Ok(writeln!(out, "\t{}\t{days}", values.collect::<Vec<_>>().join("|"))?)
}

fn write_tender(out: &mut impl Write, tender: Option<&PlainTender>) -> Result<()> {
    let Some(tender) = tender else { return Ok(writeln!(out)?) };
    write!(out, "{}", tender.texts.join("|"))?;
    for terms in &tender.terms {
        write!(out, "\t{}", terms.join(" "))?;
    }
    let value = tender.value.as_ref().map(|(currency, minor)| format!("{currency}:{minor}"));
    let days = tender.days.map(|days| days.to_string());
    Ok(writeln!(out, "\t{}\t{}", value.unwrap_or_default(), days.unwrap_or_default())?)
}

/// Reads the files `pairs`, `rounds` and `figures`. `split` is the time for splitting the texts
/// that was measured before the run.
fn read_results(directory: &Path, workload: &Workload, split: Duration) -> Result<EngineMeasurement> {
    let text = |name: &str| {
        fs::read_to_string(directory.join(name)).with_context(|| format!("the program wrote no {name}"))
    };
    let mut measured = EngineMeasurement::default();
    for line in text("pairs")?.lines() {
        let (tender, alert) = line.split_once(' ').context("a pair must be two numbers")?;
        measured.pairs.push((tender.parse()?, alert.parse()?));
    }
    for line in text("rounds")?.lines() {
        let mut times = line.split(' ').map(|time| time.parse().map(Duration::from_nanos));
        let whole = times.next().context("a round must have times")??;
        let each = times.collect::<Result<_, _>>()?;
        let split = (split + measure::split_time(&workload.tenders)) / 2;
        measured.rounds.push(RoundTimes { whole, each, split });
    }
    let figures = text("figures")?;
    let figure = |name: &str| -> Result<f64> {
        let found = figures.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(found.with_context(|| format!("the figure {name} is missing"))?.parse()?)
    };
    measured.register = Duration::from_secs_f64(figure("register_ns")? / 1e9);
    measured.update = Duration::from_secs_f64(figure("update_ns")? / 1e9);
    measured.added_mb = figure("added_mb")?;
    let (candidates, matched) = (figure("candidates")? as usize, measured.pairs.len());
    measured.counters = Some(PercolationCounters { candidates, verified: candidates, matched });
    Ok(measured)
}
