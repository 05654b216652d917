//! How long a tender takes to meet the stored alerts: `cargo run --release -p index --example percolate -- ALERTS.jsonl.gz TENDERS.jsonl.gz`.
//! Both files hold one JSON record a line, as in `fixtures/matching`.

use flate2::read::GzDecoder;
use index::{
    alert::AlertQuery,
    percolate::Percolator,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use std::{
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
    time::{Duration, Instant},
};
use uuid::Uuid;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [alerts, tenders] = files.as_slice() else {
        return Err("usage: percolate ALERTS.jsonl.gz TENDERS.jsonl.gz".into());
    };
    let queries = records::<AlertQuery>(alerts)?;
    let tenders = records::<Tender>(tenders)?;
    let now: Moment = "2026-11-20T09:00:00+05:30".parse()?;
    let rates = Rates::default();

    let started = Instant::now();
    let mut percolator = Percolator::new();
    for (number, query) in queries.iter().enumerate() {
        percolator.put(Uuid::from_u128(number as u128 + 1), query)?;
    }
    let put = started.elapsed();
    println!(
        "{} alerts, {} patterns: {:.1?} a put",
        percolator.len(),
        percolator.patterns(),
        put / queries.len().max(1) as u32
    );

    let (mut times, mut candidates, mut verified, mut matched) = (Vec::new(), 0, 0, 0);
    for tender in &tenders {
        let started = Instant::now();
        let counters = percolator.percolate(tender, now, &rates).counters;
        times.push(started.elapsed());
        candidates += counters.candidates;
        verified += counters.verified;
        matched += counters.matched;
    }
    times.sort_unstable();
    let count = times.len().max(1);
    let at =
        |hundredths: usize| times.get(count * hundredths / 100).or(times.last()).copied().unwrap_or_default();
    let mean = times.iter().sum::<Duration>() / count as u32;
    println!("{count} tenders: mean {mean:.1?}, median {:.1?}, 99 of 100 within {:.1?}", at(50), at(99));
    println!(
        "a tender: {} candidates, {} verified, {} matched; {matched} pairs",
        candidates / count,
        verified / count,
        matched / count
    );
    Ok(())
}

/// The records of a file. Their ids play no part here, and need not be UUIDs.
fn records<T: serde::de::DeserializeOwned>(path: &str) -> Result<Vec<T>, Box<dyn Error>> {
    let lines = BufReader::new(GzDecoder::new(File::open(path)?)).lines();
    lines
        .map(|line| {
            let mut record: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&line?)?;
            record.remove("_id");
            Ok(serde_json::from_value(record.into())?)
        })
        .collect()
}
