//! Runs wrk with `requests.lua`, and reads its output.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// The script. It splits the file of paths between the threads.
const SCRIPT: &str = include_str!("requests.lua");

/// How long a request may take before wrk counts it as an error.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The requests of a run.
pub(crate) struct RunInput<'a> {
    /// The scheme and the address of each server. The threads send to them in turn.
    pub(crate) bases: &'a [&'a str],
    /// A file with one path per line.
    pub(crate) paths: &'a Path,
    /// The access token. `None`: the requests are those of guests.
    pub(crate) token: Option<&'a str>,
    pub(crate) connections: usize,
    pub(crate) duration: Duration,
}

/// The output of wrk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct WrkSummary {
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
    pub(crate) duration_us: u64,
    pub(crate) p50_us: u64,
    pub(crate) p99_us: u64,
    pub(crate) max_us: u64,
    /// The number of requests of the thread that has sent the most.
    pub(crate) most_sent: u64,
    connect: u64,
    read: u64,
    write: u64,
    /// Responses with a status of 400 or more.
    status: u64,
    timeout: u64,
}

impl WrkSummary {
    /// Reads the line that the script writes last.
    pub(crate) fn parse(output: &str) -> Result<Self> {
        let line = output.lines().rev().find(|line| line.starts_with('{'));
        let line = line.with_context(|| format!("wrk printed no summary: {}", output.trim()))?;
        serde_json::from_str(line).with_context(|| format!("the summary of wrk is not as expected: {line}"))
    }

    /// The number of requests without a successful response.
    pub(crate) const fn errors(&self) -> u64 {
        self.connect + self.read + self.write + self.status + self.timeout
    }

    pub(crate) fn requests_a_second(&self) -> f64 {
        self.requests as f64 / (self.duration_us as f64 / 1e6).max(1e-9)
    }
}

/// wrk, with its script in a folder.
pub(crate) struct Wrk {
    script: PathBuf,
    threads: usize,
}

impl Wrk {
    /// Writes the script into a folder, and checks that wrk is installed.
    pub(crate) fn new(folder: &Path, threads: usize) -> Result<Self> {
        let script = folder.join("requests.lua");
        fs::write(&script, SCRIPT)?;
        // `wrk --version` ends with status 1.
        Command::new("wrk").arg("--version").output().context("wrk can't be run; run `.make/setup load`")?;
        Ok(Self { script, threads })
    }

    /// Sends requests as fast as the connections permit.
    pub(crate) fn run(&self, input: &RunInput<'_>) -> Result<WrkSummary> {
        let [first, others @ ..] = input.bases else { bail!("there is no server") };
        // Each server gets the same number of threads.
        let threads = self.threads.next_multiple_of(input.bases.len()).min(input.connections).to_string();
        let output = Command::new("wrk")
            .args(["--threads", &threads])
            .args(["--connections", &input.connections.to_string()])
            .args(["--duration", &format!("{}s", input.duration.as_secs())])
            .args(["--timeout", &format!("{}s", TIMEOUT.as_secs())])
            .arg("--script")
            .args([self.script.as_path(), Path::new(first), Path::new("--"), input.paths])
            .arg(&threads)
            .arg(input.token.unwrap_or_default())
            .args(others.iter().map(|base| base.trim_start_matches("http://")))
            .output()
            .context("wrk can't be run")?;
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "wrk failed: {} {}", text.trim(), errors.trim());
        let summary = WrkSummary::parse(&text)?;
        ensure!(summary.requests > 0, "wrk received no response: {}", text.trim());
        Ok(summary)
    }

    /// The number of paths that each thread can send before it reaches those of another one.
    pub(crate) const fn share(&self, paths: usize) -> usize {
        paths / self.threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "Running 2s test @ http://127.0.0.1:8080\n  2 threads and 16 connections\n  \
        Thread Stats   Avg      Stdev     Max   +/- Stdev\nRequests/sec:  12.00\n\
        {\"requests\":24,\"bytes\":4800,\"duration_us\":2000000,\"p50_us\":900,\"p99_us\":4000,\"max_us\":5000,\
        \"most_sent\":13,\"connect\":0,\"read\":1,\"write\":0,\"status\":2,\"timeout\":3}\n";

    #[test]
    fn summary_is_read_from_the_last_line() {
        let summary = WrkSummary::parse(OUTPUT).unwrap();
        assert_eq!((summary.requests, summary.p50_us, summary.p99_us, summary.max_us), (24, 900, 4000, 5000));
        assert_eq!((summary.errors(), summary.most_sent), (6, 13));
        assert!((summary.requests_a_second() - 12.0).abs() < 1e-9);
    }

    #[test]
    fn output_without_a_summary_is_an_error() {
        let error = |output: &str| format!("{:#}", WrkSummary::parse(output).unwrap_err());
        assert!(error("unable to connect to 127.0.0.1:1").contains("printed no summary: unable to connect"));
        assert!(error("{\"requests\":24}").contains("not as expected"));
    }
}
