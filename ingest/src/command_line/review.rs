//! `ingest review`: reviews the waiting notices of a folder, then those that may be published with
//! doubtful fields. `portal_review` reviews the queue of a portal. Commands are lines from a terminal or a script.

use super::{
    edit::{Draft, remove_drafts},
    portal_review, print_line,
    read_args::TokenArgs,
    show::matches_name,
};
use anyhow::Context;
use clap::Args;
use ingest::batch::{
    NoticeView, OpenedNotice, ReviewError, StoredNotice, changed_paths, stored_notices, with_field,
};
use std::{
    collections::BTreeSet,
    io::{self, BufRead, IsTerminal, Read, Write},
    path::{Path, PathBuf},
};
use tender_model::{tender::Tender, terminal_text, vocabulary::Moment};

/// The longest command, in bytes.
const MAX_LINE_BYTES: u64 = 64 * 1024;

const HELP: &str = "\
accept              every field is right: publish it with the next `publish` or `run --publish`
edit FIELD=VALUE    set a field: edit dates.closing=2026-12-01 14:00; without a value, clear it
edit                open its file in $EDITOR
reject REASON       never publish it
show                show its fields and its text
skip                leave it undecided
quit                leave all others undecided
@NOTICE …           the same for another notice, by name (p1-05, daily-lanka/2026-11-20/p1-05) or key; then continue after it
In a script, the first command that fails ends the review, because the following commands rely on it.";

#[derive(Args)]
pub(crate) struct Review {
    /// Folder written by `run --out`; with --portal, the queue of a portal is reviewed instead
    #[arg(
        value_name = "OUT, or --portal URL",
        required_unless_present = "portal",
        conflicts_with = "portal"
    )]
    out: Option<PathBuf>,
    /// URL of a portal whose review queue is reviewed instead of a folder. The token needs the scope
    /// `review`
    #[arg(long, value_name = "URL")]
    portal: Option<String>,
    #[command(flatten)]
    token: TokenArgs,
}

/// The numbers of decisions and of failed commands.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
    failed: usize,
}

/// What to do after a command.
enum NextStep {
    Stay,
    Notice,
    End,
}

pub(crate) fn review(command: &Review, clock: fn() -> Moment) -> anyhow::Result<bool> {
    match (&command.portal, &command.out) {
        (Some(portal), _) => portal_review::review(portal, &command.token),
        (None, Some(out)) => review_folder(out, clock),
        // The arguments do not permit this.
        (None, None) => anyhow::bail!("give a folder, or --portal URL"),
    }
}

fn review_folder(out: &Path, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let mut notices: Vec<StoredNotice> = stored_notices(out)?.into_iter().filter(is_undecided).collect();
    // Notices that may be published come last, because they are less urgent.
    notices.sort_by_key(|entry| entry.review_state().may_be_published());
    let (is_script, lines) = (!io::stdin().is_terminal(), io::stdin().lock());
    let tally = Tally::default();
    let mut session = ReviewSession { out, clock, notices: &notices, is_script, lines, opened: None, tally };
    session.run()?;
    if notices.is_empty() {
        return Ok(true);
    }
    let Tally { accepted, rejected, failed } = session.tally;
    let count = notices.len();
    let left = count - accepted - rejected;
    print_line(format_args!("{accepted} accepted, {rejected} rejected, {left} left to review"));
    if accepted > 0 {
        print_line(format_args!("`ingest publish {}` publishes what was accepted", out.display()));
    }
    Ok(failed == 0 || !is_script)
}

/// A review of the undecided notices.
struct ReviewSession<'c> {
    out: &'c Path,
    clock: fn() -> Moment,
    /// The notices that were undecided at the beginning.
    notices: &'c [StoredNotice],
    /// Whether the commands come from a script. Its first command that fails ends the review.
    is_script: bool,
    lines: io::StdinLock<'static>,
    /// The current notice as it was opened; `None` if its file is invalid.
    opened: Option<OpenedNotice>,
    tally: Tally,
}

impl ReviewSession<'_> {
    /// Processes commands until there are no more notices or lines, or the reviewer quits.
    fn run(&mut self) -> anyhow::Result<()> {
        if self.notices.is_empty() {
            print_line("nothing waits for review");
        }
        let mut nth = self.show_next(0);
        while nth < self.notices.len() {
            if !self.is_script {
                let _ = write!(io::stdout(), "accept, edit, reject, show, skip, quit or help> ");
                let _ = io::stdout().flush();
            }
            let Some(line) = self.read_line()? else { break };
            let done = self.parse_address(&line, nth).and_then(|(at, order)| {
                if at != nth {
                    nth = at;
                    self.show_notice(at);
                }
                self.execute(order, &self.notices[at])
            });
            match done {
                Ok(NextStep::Stay) => {}
                Ok(NextStep::Notice) => nth = self.show_next(nth + 1),
                Ok(NextStep::End) => break,
                Err(error) => {
                    self.report_failure(error.as_ref());
                    if self.is_script {
                        print_line("stopped there: the following commands are ignored");
                        break;
                    }
                    // The notice may have changed, and must not be decided unseen.
                    if error.is::<ReviewError>() {
                        self.show_notice(nth);
                    }
                }
            }
        }
        if nth == self.notices.len() && self.is_script {
            self.tell_ignored_commands()?;
        }
        Ok(())
    }

    /// Tells whether the script has commands after the last notice.
    fn tell_ignored_commands(&mut self) -> io::Result<()> {
        while let Some(line) = self.read_line()? {
            match line.as_str() {
                "" => {}
                "quit" | "q" => break,
                _ => {
                    print_line("no notice is left: the following commands are ignored");
                    break;
                }
            }
        }
        Ok(())
    }

    /// Shows the next undecided notice from this position and returns its position.
    fn show_next(&mut self, from: usize) -> usize {
        let undecided = self.notices.iter().skip(from).position(is_undecided);
        let nth = undecided.map_or(self.notices.len(), |further| from + further);
        self.show_notice(nth);
        nth
    }

    /// Shows a notice.
    fn show_notice(&mut self, nth: usize) {
        let Some(entry) = self.notices.get(nth) else { return };
        print_line(format_args!("── {} of {} ──", nth + 1, self.notices.len()));
        self.opened = match entry.open() {
            Ok(opened) => {
                print_line(NoticeView::new(entry, &opened.tender));
                Some(opened)
            }
            Err(error) => {
                print_line(format_args!("! {}", terminal_text::error_chain(&error)));
                None
            }
        };
    }

    fn report_failure(&mut self, error: &(dyn std::error::Error + 'static)) {
        self.tally.failed += 1;
        print_line(format_args!("! {}", terminal_text::error_chain(error)));
    }

    /// The next line; `None` at the end of the input.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Splits a line into the position of the notice and the command. Without `@NOTICE`, the
    /// position is `nth`.
    fn parse_address<'l>(&self, line: &'l str, nth: usize) -> anyhow::Result<(usize, &'l str)> {
        let Some(line) = line.strip_prefix('@') else { return Ok((nth, line)) };
        let (name, order) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let out = self.out;
        let called = self.notices.iter().enumerate().filter(|(_, entry)| matches_name(entry, name, out));
        let found: Vec<(usize, &StoredNotice)> = called.collect();
        let name = terminal_text::single_line(name);
        match found.as_slice() {
            [(at, entry)] if is_undecided(entry) => Ok((*at, order.trim())),
            [_] => anyhow::bail!("`{name}` was already decided"),
            [] => anyhow::bail!("there is no undecided notice `{name}`"),
            _ => {
                anyhow::bail!(
                    "{} notices have the name `{name}`; add the folder, or give the key",
                    found.len()
                )
            }
        }
    }

    /// Executes a command on a notice.
    fn execute(&mut self, line: &str, entry: &StoredNotice) -> anyhow::Result<NextStep> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => return Ok(NextStep::Stay),
            "skip" | "s" => return Ok(NextStep::Notice),
            "quit" | "q" => return Ok(NextStep::End),
            "help" | "?" => {
                print_line(HELP);
                return Ok(NextStep::Stay);
            }
            _ => {}
        }
        let (out, now) = (self.out, (self.clock)());
        let Some(opened) = &self.opened else {
            // The file may have been repaired, so it is read again.
            self.opened = Some(entry.open()?);
            print_line(NoticeView::of(entry)?);
            anyhow::bail!("it could not be read before; look at it first");
        };
        match word {
            "accept" | "a" => {
                entry.accept(out, opened, now)?;
                remove_drafts(entry);
                self.tally.accepted += 1;
                print_line("accepted");
                Ok(NextStep::Notice)
            }
            "reject" | "r" => {
                entry.reject(out, opened, rest, now)?;
                remove_drafts(entry);
                self.tally.rejected += 1;
                print_line("rejected");
                Ok(NextStep::Notice)
            }
            "edit" | "e" => {
                let before = &opened.tender;
                let changed = match rest.split_once('=') {
                    Some((field, value)) => {
                        let (after, field) = with_field(before, field, value)?;
                        entry.change(out, opened, &after, BTreeSet::from([field]), now)?;
                        true
                    }
                    None if rest.is_empty() => {
                        let draft = Draft::of(entry, before)?;
                        let after = draft.edit(before)?;
                        if let Some(after) = &after {
                            let (after, fields) = with_full_confidence(before, after.clone());
                            let changed = entry.change(out, opened, &after, fields, now);
                            changed.with_context(|| draft.kept_message())?;
                        }
                        draft.remove();
                        after.is_some()
                    }
                    None => anyhow::bail!("write `edit FIELD=VALUE`, or `edit` alone for the editor"),
                };
                if changed {
                    let opened = entry.open()?;
                    print_line(NoticeView::new(entry, &opened.tender));
                    self.opened = Some(opened);
                } else {
                    print_line("nothing was changed");
                }
                Ok(NextStep::Stay)
            }
            "show" => {
                print_line(NoticeView::new(entry, &opened.tender));
                for line in opened.tender.full_text_markdown.lines() {
                    print_line(format_args!("  {}", terminal_text::single_line(line)));
                }
                Ok(NextStep::Stay)
            }
            word => anyhow::bail!(
                "`{}` is not one of: accept, edit, reject, show, skip, quit, help",
                terminal_text::single_line(word)
            ),
        }
    }
}

fn is_undecided(entry: &StoredNotice) -> bool {
    entry.review_state().is_undecided()
}

/// Gives the edited fields full confidence. Also returns their paths.
fn with_full_confidence(before: &Tender, mut after: Tender) -> (Tender, BTreeSet<String>) {
    let fields: BTreeSet<String> = changed_paths(before, &after).into_iter().collect();
    after.confidence.extend(fields.iter().map(|field| (field.clone(), 1.0)));
    (after, fields)
}
