//! `ingest review --portal`: reviews the queue of a portal. The decisions are those of the screen: the
//! portal gives each notice to one reviewer, and each decision can be undone.

use super::{print_line, read_args::TokenArgs};
use anyhow::{Context, bail};
use ingest::{
    batch::{tender_fields, with_field},
    portal_client::{PortalDecision, PortalReview, Publisher},
};
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, BufRead, IsTerminal, Read, Write},
};
use tender_model::{tender::FieldState, terminal_text};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// The longest command, in bytes.
const MAX_LINE_BYTES: u64 = 64 * 1024;

const HELP: &str = "\
accept              every field is right: publish it, or keep it published
edit FIELD=VALUE    set a field: edit dates.closing=2026-12-01 14:00; without a value, clear it
tender              publish it as a new tender, although it may belong to a known one
same TENDER         another print of a tender: its id, or the number of a candidate
corrigendum TENDER  a corrigendum of a tender: its id, or the number of a candidate
reject REASON       never publish it
no-notice REASON    never publish it, because it is no tender notice
show                show its fields and its text
skip                leave it undecided, and move it to the end of the queue
undo                undo the last decision with this token
quit                leave all others undecided
In a script, the first command that fails ends the review, because the following commands rely on it.";

/// What to do after a command.
enum NextStep {
    Stay,
    Notice,
    Show(Box<PortalReview>),
    End,
}

/// A notice and what the reviewer has entered.
struct Opened {
    review: PortalReview,
    edits: BTreeMap<String, String>,
}

struct PortalSession {
    runtime: Runtime,
    publisher: Publisher,
    lines: io::StdinLock<'static>,
    is_script: bool,
    decided: usize,
    failed: usize,
}

/// Reviews the queue of a portal until it is empty, the input ends, or the reviewer quits.
pub(super) fn review(portal: &str, token: &TokenArgs) -> anyhow::Result<bool> {
    let (portal, token) = token.open_portal(portal)?;
    let publisher = Publisher::new(portal, &token)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (is_script, lines) = (!io::stdin().is_terminal(), io::stdin().lock());
    let mut session = PortalSession { runtime, publisher, lines, is_script, decided: 0, failed: 0 };
    let ended = session.run();
    // The notice on the screen becomes free for other reviewers.
    let released = session.runtime.block_on(session.publisher.release_reviews());
    ended?;
    released?;
    print_line(format_args!("{} decided", terminal_text::counted(session.decided, "notice")));
    Ok(session.failed == 0 || !is_script)
}

impl PortalSession {
    fn run(&mut self) -> anyhow::Result<()> {
        while let Some(review) = self.next_review()? {
            let mut opened = Opened { review, edits: BTreeMap::new() };
            print_line(&opened);
            loop {
                if !self.is_script {
                    let _ = write!(
                        io::stdout(),
                        "accept, edit, same, corrigendum, reject, skip, undo, quit or help> "
                    );
                    let _ = io::stdout().flush();
                }
                let Some(line) = self.read_line()? else { return Ok(()) };
                match self.execute(&line, &mut opened) {
                    Ok(NextStep::Stay) => {}
                    Ok(NextStep::Notice) => break,
                    Ok(NextStep::Show(review)) => {
                        opened = Opened { review: *review, edits: BTreeMap::new() };
                        print_line(&opened);
                    }
                    Ok(NextStep::End) => return Ok(()),
                    Err(error) => {
                        self.failed += 1;
                        print_line(format_args!("! {}", terminal_text::error_chain(error.as_ref())));
                        if self.is_script {
                            print_line("stopped there: the following commands are ignored");
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The next notice of the queue. If none waits, a script may still undo the last decision.
    fn next_review(&mut self) -> anyhow::Result<Option<PortalReview>> {
        if let Some(review) = self.runtime.block_on(self.publisher.claim_review())? {
            return Ok(Some(review));
        }
        print_line("nothing waits for review");
        while self.is_script
            && let Some(line) = self.read_line()?
        {
            match line.as_str() {
                "" => {}
                "undo" | "u" => return self.undo().map(Some),
                "quit" | "q" => break,
                _ => {
                    print_line("no notice is left: the following commands are ignored");
                    break;
                }
            }
        }
        Ok(None)
    }

    /// Undoes the last decision, and returns its notice.
    fn undo(&mut self) -> anyhow::Result<PortalReview> {
        let review = self.runtime.block_on(self.publisher.undo_review())?;
        self.decided = self.decided.saturating_sub(1);
        print_line("The last decision is undone.");
        Ok(review)
    }

    /// The next line; `None` at the end of the input.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn execute(&mut self, line: &str, opened: &mut Opened) -> anyhow::Result<NextStep> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let reason = Some(rest.to_owned()).filter(|reason| !reason.is_empty());
        match word {
            "" => Ok(NextStep::Stay),
            "quit" | "q" => Ok(NextStep::End),
            "help" | "?" => {
                print_line(HELP);
                Ok(NextStep::Stay)
            }
            "show" => {
                print_line(&*opened);
                for line in opened.review.notice.full_text_markdown.lines() {
                    print_line(format_args!("  {}", terminal_text::single_line(line)));
                }
                Ok(NextStep::Stay)
            }
            "edit" | "e" => {
                let (field, value) = rest.split_once('=').context("write `edit FIELD=VALUE`")?;
                let (changed, path) = with_field(&opened.review.notice, field.trim(), value.trim())?;
                opened.review.notice = changed;
                opened.review.notice.mark_certain(&path);
                opened.edits.insert(path, value.trim().to_owned());
                print_line(&*opened);
                Ok(NextStep::Stay)
            }
            "skip" | "s" => {
                self.runtime.block_on(self.publisher.skip_review(&opened.review.key))?;
                Ok(NextStep::Notice)
            }
            "undo" | "u" => Ok(NextStep::Show(Box::new(self.undo()?))),
            "accept" | "a" => self.decide(opened, "accept", None, None),
            "tender" => self.decide(opened, "tender", None, None),
            "same" => {
                let tender = chosen_tender(opened, rest)?;
                self.decide(opened, "source", Some(tender), None)
            }
            "corrigendum" => {
                let tender = chosen_tender(opened, rest)?;
                self.decide(opened, "correction", Some(tender), None)
            }
            "reject" | "r" => self.decide(opened, "reject", None, Some((reason, false))),
            "no-notice" => self.decide(opened, "reject", None, Some((reason, true))),
            word => bail!("`{}` is not a command; `help` lists them", terminal_text::single_line(word)),
        }
    }

    fn decide(
        &mut self,
        opened: &Opened,
        decision: &'static str,
        tender: Option<Uuid>,
        rejection: Option<(Option<String>, bool)>,
    ) -> anyhow::Result<NextStep> {
        let fields = if rejection.is_some() { BTreeMap::new() } else { opened.edits.clone() };
        let (reason, is_no_notice) = rejection.unwrap_or_default();
        let version = opened.review.version.clone();
        let decision = PortalDecision { decision, version, tender, reason, is_no_notice, fields };
        let receipt = self.runtime.block_on(self.publisher.decide_review(&opened.review.key, &decision))?;
        self.decided += 1;
        match receipt.id {
            Some(tender) => print_line(format_args!("decided: tender {tender}")),
            None => print_line("decided"),
        }
        Ok(NextStep::Notice)
    }
}

/// The tender that a person wrote: the number of a candidate from 1, or an id.
fn chosen_tender(opened: &Opened, text: &str) -> anyhow::Result<Uuid> {
    let candidate =
        text.parse::<usize>().ok().and_then(|nth| opened.review.candidates.get(nth.checked_sub(1)?));
    match candidate {
        Some(candidate) => Ok(candidate.tender),
        None => text.parse().context("give the id of the tender, or the number of a candidate"),
    }
}

impl fmt::Display for Opened {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PortalReview { key, reason, doubt, candidates, alerts, notice, mistakes, .. } = &self.review;
        writeln!(out, "── {key} ──")?;
        let source = notice.sources.first();
        let date = source.and_then(|source| source.date).map(|date| date.to_string()).unwrap_or_default();
        let publication = source.map_or("", |source| source.publication.as_str());
        writeln!(out, "newspaper  {} {date}", terminal_text::single_line(publication))?;
        let why = doubt.as_ref().unwrap_or(reason);
        writeln!(out, "waits for  {}; matching alerts: {alerts}", terminal_text::single_line(why))?;
        for mistake in mistakes {
            writeln!(out, "reported   {}", terminal_text::single_line(&mistake.message))?;
        }
        for (nth, candidate) in candidates.iter().enumerate() {
            let title = terminal_text::single_line(&candidate.title);
            writeln!(
                out,
                "{:>9}  {title} ({:.0}% alike, {})",
                nth + 1,
                candidate.likeness * 100.0,
                candidate.tender
            )?;
        }
        let states = notice.field_states.clone().unwrap_or_default();
        for field in tender_fields(notice) {
            let mark = match states.get(&field.field) {
                Some(FieldState::Doubtful) => "?",
                Some(FieldState::NotRead) => "!",
                Some(FieldState::Certain) | None => " ",
            };
            write!(out, "{mark}{field}")?;
        }
        Ok(())
    }
}
