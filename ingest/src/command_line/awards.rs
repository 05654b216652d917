//! `ingest awards`: reads awards from published decisions.

use super::{print_line, read_args::TokenArgs};
use anyhow::{Context, bail};
use clap::Args;
use ingest::{
    awards::{Decision, MAX_LINE_BYTES, read_awards},
    portal_client::{PublishError, Publisher},
};
use std::{
    collections::HashSet,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};
use tender_model::{
    award::{AwardDecision, AwardOutcome},
    terminal_text::{counted, error_chain, single_line},
};
use tokio::runtime::Runtime;

/// The file of the output folder.
const OUTPUT_FILE: &str = "awards.jsonl";
/// After this number of decisions in a row that the portal does not answer, no more are sent.
const MAX_OUTAGES: usize = 3;

#[derive(Args)]
pub(crate) struct Awards {
    /// File of decisions, one line of JSON each
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Publish to the portal at this URL
    #[arg(long, value_name = "URL")]
    publish: Option<String>,
    #[command(flatten)]
    token: TokenArgs,
    /// Write the awards with the words they rest on to DIR/awards.jsonl
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Report what would be read, without writing or publishing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn awards(command: &Awards) -> anyhow::Result<bool> {
    if !command.file.is_file() {
        bail!("{}: there is no such file; check the path", command.file.display());
    }
    let decisions =
        BufReader::new(File::open(&command.file).with_context(|| command.file.display().to_string())?);
    let portal = command.publish.as_deref().map(|url| AwardSender::open(url, &command.token)).transpose()?;
    let output = match &command.out {
        Some(folder) if !command.dry_run => Some(OutputFile::create(folder)?),
        _ => None,
    };
    let mut run = Run { portal: portal.filter(|_| !command.dry_run), output, ..Run::default() };
    run.read_lines(decisions).with_context(|| command.file.display().to_string())?;
    if let Some(output) = run.output.take() {
        output.finish()?;
    }
    print_line(&run.report);
    Ok(run.report.is_success())
}

/// The counts of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct AwardReport {
    decisions: usize,
    with_awards: usize,
    awards: usize,
    with_winner: usize,
    with_amount: usize,
    failed_lines: usize,
    created: usize,
    updated: usize,
    unchanged: usize,
    unpublished: usize,
}

impl AwardReport {
    const fn is_success(&self) -> bool {
        self.failed_lines == 0 && self.unpublished == 0
    }

    fn count(&mut self, decision: &AwardDecision) {
        self.with_awards += 1;
        self.awards += decision.awards.len();
        self.with_winner += decision.awards.iter().filter(|award| !award.winners.is_empty()).count();
        self.with_amount += decision.awards.iter().filter(|award| !award.amounts.is_empty()).count();
    }
}

impl fmt::Display for AwardReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} in {}, {} without an award",
            counted(self.decisions, "decision"),
            counted(self.awards, "award"),
            counted(self.with_awards, "decision"),
            self.decisions - self.with_awards
        )?;
        write!(f, "{} with a winner, {} with an amount", self.with_winner, self.with_amount)?;
        if self.created + self.updated + self.unchanged + self.unpublished > 0 {
            write!(
                f,
                "\npublished: {} new, {} changed, {} unchanged; {} not published",
                self.created, self.updated, self.unchanged, self.unpublished
            )?;
        }
        if self.failed_lines > 0 {
            write!(f, "\n{} not read; see above", counted(self.failed_lines, "line"))?;
        }
        Ok(())
    }
}

/// A run over the lines of a file.
#[derive(Default)]
struct Run {
    portal: Option<AwardSender>,
    output: Option<OutputFile>,
    report: AwardReport,
    /// The keys of the decisions so far.
    keys: HashSet<String>,
}

impl Run {
    fn read_lines(&mut self, mut decisions: impl BufRead) -> anyhow::Result<()> {
        let mut line = Vec::new();
        let mut number = 0_usize;
        while read_line(&mut decisions, &mut line)? {
            number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match self.read_line(&line) {
                Ok(Some(decision)) => self.keep(number, &decision)?,
                Ok(None) => {}
                Err(error) => {
                    self.report.failed_lines += 1;
                    eprintln!("line {number}: {}", single_line(&error_chain(error.as_ref())));
                }
            }
        }
        Ok(())
    }

    /// The awards of a line, if the decision makes any.
    fn read_line(&mut self, line: &[u8]) -> anyhow::Result<Option<AwardDecision>> {
        let decision = Decision::parse(line)?;
        let read = read_awards(&decision);
        if let Some(read) = &read {
            read.check()?;
        }
        if !self.keys.insert(decision.key.clone()) {
            bail!("an earlier line has the key `{}` too", decision.key);
        }
        self.report.decisions += 1;
        Ok(read)
    }

    /// Writes and publishes a decision.
    fn keep(&mut self, line: usize, decision: &AwardDecision) -> anyhow::Result<()> {
        self.report.count(decision);
        if let Some(output) = &mut self.output {
            output.write(decision)?;
        }
        let Some(portal) = &mut self.portal else { return Ok(()) };
        match portal.send(decision) {
            Ok(AwardOutcome::Created) => self.report.created += 1,
            Ok(AwardOutcome::Updated) => self.report.updated += 1,
            Ok(AwardOutcome::Unchanged) => self.report.unchanged += 1,
            Err(error) if error.is_final() => return Err(error.into()),
            Err(error) => {
                self.report.unpublished += 1;
                if portal.outages <= MAX_OUTAGES {
                    eprintln!("line {line}: not published: {error}");
                }
            }
        }
        Ok(())
    }
}

/// Reads a line of at most one byte more than the limit into `line`, and skips the rest of it. `false`
/// at the end.
fn read_line(decisions: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = MAX_LINE_BYTES as u64 + 1;
    if decisions.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() != Some(&b'\n') && line.len() as u64 == limit {
        decisions.skip_until(b'\n')?;
    }
    Ok(true)
}

/// A portal that awards are sent to.
struct AwardSender {
    publisher: Publisher,
    runtime: Runtime,
    /// The decisions in a row without an answer.
    outages: usize,
}

impl AwardSender {
    fn open(url: &str, token: &TokenArgs) -> anyhow::Result<Self> {
        let (portal, token) = token.open_portal(url)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { publisher: Publisher::new(portal, &token)?, runtime, outages: 0 })
    }

    fn send(&mut self, decision: &AwardDecision) -> Result<AwardOutcome, PublishError> {
        if self.outages >= MAX_OUTAGES {
            self.outages += 1;
            return Err(PublishError::Unavailable { url: String::new(), reason: "not tried".to_owned() });
        }
        let sent = self.runtime.block_on(self.publisher.publish_awards(decision));
        self.outages = match &sent {
            Err(PublishError::Unavailable { .. }) => self.outages + 1,
            _ => 0,
        };
        sent.map(|receipt| receipt.outcome)
    }
}

/// The output file. It appears under its name when it is complete.
struct OutputFile {
    folder: PathBuf,
    part: BufWriter<File>,
}

impl OutputFile {
    fn create(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let path = part_path(folder);
        let part = File::create(&path).with_context(|| path.display().to_string())?;
        Ok(Self { folder: folder.to_owned(), part: BufWriter::new(part) })
    }

    fn write(&mut self, decision: &AwardDecision) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.part, decision)?;
        self.part.write_all(b"\n")?;
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        let file = self.folder.join(OUTPUT_FILE);
        let written = self.part.into_inner().map_err(io::IntoInnerError::into_error);
        written
            .and_then(|part| part.sync_all())
            .and_then(|()| fs::rename(part_path(&self.folder), &file))
            .with_context(|| file.display().to_string())
    }
}

fn part_path(folder: &Path) -> PathBuf {
    folder.join(format!(".{OUTPUT_FILE}.part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, details: &str) -> String {
        let decision = serde_json::json!({"key": key, "title": "A bridge", "date_str": "2018-01-02",
            "decision_num": 1, "source_url": "https://example.org/1", "decision_details": details});
        format!("{decision}\n")
    }

    fn read(text: &[u8]) -> AwardReport {
        let mut run = Run::default();
        run.read_lines(text).unwrap();
        run.report
    }

    const AWARD: &str = "- The proposal made by the Minister of Roads to award the contract to M/s One Ltd. \
        for a sum of Rs. 5 million, was approved by the Cabinet.";

    #[test]
    fn a_faulty_line_loses_nothing_else() {
        let long = "x".repeat(3 * MAX_LINE_BYTES);
        let lines = [
            line("a-1", AWARD),
            "not JSON\n".to_owned(),
            format!("{long}\n"),
            "\n".to_owned(),
            line("a-1", AWARD),
            line("a-2", "- Bids are to be invited."),
            line("a/3", AWARD),
        ];
        let mut text = lines.concat().into_bytes();
        text.extend_from_slice(b"\xff\xfe\n");
        text.extend_from_slice(line("a-4", AWARD).trim_end().as_bytes());
        let report = read(&text);
        assert_eq!((report.decisions, report.with_awards, report.failed_lines), (3, 2, 5));
        assert_eq!((report.with_winner, report.with_amount), (2, 2));
        assert!(!report.is_success());
    }

    #[test]
    fn a_line_of_the_longest_length_is_read() {
        let whole = line("a-1", AWARD);
        let padded = format!("{}{}\n", whole.trim_end(), " ".repeat(MAX_LINE_BYTES - whole.len()));
        assert_eq!(padded.len(), MAX_LINE_BYTES);
        assert_eq!(read(padded.as_bytes()).with_awards, 1);
    }
}
