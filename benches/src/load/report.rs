//! The results, and whether they meet the aims.

use serde::Serialize;
use std::fmt::Write as _;

/// The results of a measurement.
#[derive(Debug, Serialize)]
pub struct LoadMeasurement {
    pub(super) tenders: usize,
    pub(super) alerts: usize,
    pub(super) cores: usize,
    pub(super) rounds: usize,
    pub(super) seconds: u64,
    /// The resident memory in MB (10^6 bytes) after the first start, which builds the index.
    pub(super) built_mb: f64,
    /// After a start with the index.
    pub(super) rest_mb: f64,
    /// After all runs.
    pub(super) after_mb: f64,
    pub(super) rows: Vec<Row>,
    pub(super) aims: Vec<Aim>,
}

/// A scenario with a number of connections.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) scenario: &'static str,
    pub(super) connections: usize,
    pub(super) mean_bytes: usize,
    pub(super) portal: ServerFigures,
    pub(super) nginx: ServerFigures,
}

/// The figures of one server.
#[derive(Debug, Default, Serialize)]
pub(super) struct ServerFigures {
    pub(super) requests_a_second: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
    pub(super) errors: u64,
    /// The CPU time of the portal per request, in microseconds. In a run of nginx, it shows that the
    /// portal rests.
    pub(super) portal_cpu_us: f64,
    /// The CPU time of Postgres per request.
    pub(super) database_cpu_us: f64,
}

impl Row {
    /// The portal's requests per second divided by those of nginx.
    fn ratio(&self) -> f64 {
        self.portal.requests_a_second / self.nginx.requests_a_second.max(1e-9)
    }
}

/// An aim with the measured value.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Aim {
    aim: String,
    measured: String,
    is_met: bool,
}

impl Aim {
    /// Compares the results with the aims. An aim without a measured scenario is left out.
    pub(super) fn all(rows: &[Row], rest_mb: f64) -> Vec<Self> {
        let lowest_ratio = |scenario: &str| {
            rows.iter().filter(|row| row.scenario == scenario).map(Row::ratio).reduce(f64::min)
        };
        let slowest = |connections: usize, cold_only: bool| {
            let wanted = rows.iter().filter(|row| row.connections == connections);
            let wanted = wanted.filter(|row| !cold_only || row.scenario == super::COLD);
            wanted.map(|row| row.portal.p99_ms).reduce(f64::max)
        };
        let ratio = |aim: &str, least: f64, measured: Option<f64>| {
            measured.map(|value| Self {
                aim: aim.to_owned(),
                measured: format!("{value:.2}"),
                is_met: value >= least,
            })
        };
        let most = |aim: &str, most: f64, unit: &str, measured: Option<f64>| {
            measured.map(|value| Self {
                aim: aim.to_owned(),
                measured: format!("{value:.0} {unit}"),
                is_met: value < most,
            })
        };
        [
            ratio("stats: at least 0.25 of nginx", 0.25, lowest_ratio("stats")),
            ratio("listing hot: at least 0.10 of nginx", 0.10, lowest_ratio("listing hot")),
            most("listing cold, 16 connections: p99 under 50 ms", 50.0, "ms", slowest(16, true)),
            most("all scenarios, 256 connections: p99 under 1 s", 1000.0, "ms", slowest(256, false)),
            most("memory at rest under 300 MB", 300.0, "MB", Some(rest_mb)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The results as tables in Markdown.
#[must_use]
pub fn table(measured: &LoadMeasurement) -> String {
    let mut table = String::from(
        "| scenario | connections | bytes | portal: requests/s | p50, p99, max (ms) | errors | CPU: portal, Postgres (µs) | nginx: requests/s | p50, p99, max (ms) | portal / nginx |\n\
        |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in &measured.rows {
        let times = |figures: &ServerFigures| {
            format!("{:.1}, {:.1}, {:.1}", figures.p50_ms, figures.p99_ms, figures.max_ms)
        };
        let _ = writeln!(
            table,
            "| {} | {} | {} | {:.0} | {} | {} | {:.0}, {:.0} | {:.0} | {} | {:.3} |",
            row.scenario,
            row.connections,
            row.mean_bytes,
            row.portal.requests_a_second,
            times(&row.portal),
            row.portal.errors,
            row.portal.portal_cpu_us,
            row.portal.database_cpu_us,
            row.nginx.requests_a_second,
            times(&row.nginx),
            row.ratio()
        );
    }
    let _ = writeln!(
        table,
        "\n| memory | MB |\n|---|---|\n| after building the index | {:.0} |\n| at rest | {:.0} |\n| after load | {:.0} |",
        measured.built_mb, measured.rest_mb, measured.after_mb
    );
    let _ = writeln!(table, "\n| aim | measured | met |\n|---|---|---|");
    for Aim { aim, measured, is_met } in &measured.aims {
        let _ = writeln!(table, "| {aim} | {measured} | {} |", if *is_met { "yes" } else { "no" });
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(scenario: &'static str, connections: usize, portal: f64, p99_ms: f64) -> Row {
        Row {
            scenario,
            connections,
            mean_bytes: 100,
            portal: ServerFigures { requests_a_second: portal, p99_ms, ..ServerFigures::default() },
            nginx: ServerFigures { requests_a_second: 1000.0, ..ServerFigures::default() },
        }
    }

    #[test]
    fn aims_are_compared_with_the_worst_row() {
        let rows = [
            row("stats", 16, 300.0, 2.0),
            row("stats", 256, 240.0, 900.0),
            row("listing cold", 16, 90.0, 49.0),
        ];
        let aims = Aim::all(&rows, 301.0);
        let met: Vec<bool> = aims.iter().map(|aim| aim.is_met).collect();
        assert_eq!(met, [false, true, true, false], "{aims:?}");
        assert_eq!(aims[0].measured, "0.24");
    }

    #[test]
    fn table_has_rows_and_aims() {
        let rows = vec![row("stats", 16, 300.0, 2.0)];
        let (tenders, alerts, cores, rounds, seconds) = (1, 2, 2, 3, 5);
        let aims = Aim::all(&rows, 100.0);
        let measured = LoadMeasurement {
            tenders,
            alerts,
            cores,
            rounds,
            seconds,
            built_mb: 1.0,
            rest_mb: 2.0,
            after_mb: 3.0,
            rows,
            aims,
        };
        let table = table(&measured);
        assert!(
            table.contains(
                "| stats | 16 | 100 | 300 | 0.0, 2.0, 0.0 | 0 | 0, 0 | 1000 | 0.0, 0.0, 0.0 | 0.300 |"
            ),
            "{table}"
        );
        assert!(table.contains("| stats: at least 0.25 of nginx | 0.30 | yes |"), "{table}");
    }
}
