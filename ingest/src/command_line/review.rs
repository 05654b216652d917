//! `ingest review`: one waiting notice after the other, decided by lines of text, from a terminal or from a script.

use super::{edit::in_editor, say};
use clap::Args;
use index::{tender::Tender, vocabulary::Moment};
use ingest::{
    batch::{Entry, Opened, Standing, View, differing, entries, written},
    message,
};
use std::{
    collections::BTreeSet,
    io::{self, BufRead, IsTerminal, Read, Write},
    path::PathBuf,
};

/// No command is longer.
const LONGEST_LINE: u64 = 64 * 1024;

const HELP: &str = "\
accept              publish it with the next `publish` or `run --publish`
edit FIELD=VALUE    write a field: edit dates.closing=2026-12-01 14:00; no value empties it
edit                open its file in $EDITOR
reject REASON       never publish it
show                its fields again, and its text
skip                leave it waiting
quit                leave all the rest waiting";

#[derive(Args)]
pub(crate) struct Review {
    /// The folder that `run --out` wrote
    out: PathBuf,
}

/// What was done.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
    refused: usize,
}

/// What a line asks for next.
enum Next {
    Stay,
    Notice,
    End,
}

pub(crate) fn review(command: &Review, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let waiting = |entry: &Entry| matches!(entry.standing(), Standing::Waiting { .. });
    let notices: Vec<Entry> = entries(&command.out)?.into_iter().filter(waiting).collect();
    let mut desk = Desk { command, clock, lines: io::stdin().lock(), tally: Tally::default() };
    let count = notices.len();
    for (nth, entry) in notices.iter().enumerate() {
        say(format_args!("── {} of {count} ──", nth + 1));
        if !desk.notice(entry)? {
            break;
        }
    }
    let Tally { accepted, rejected, refused } = desk.tally;
    say(format_args!("{accepted} accepted, {rejected} rejected, {} still wait", count - accepted - rejected));
    if accepted > 0 {
        say(format_args!("`ingest publish {}` publishes what was accepted", command.out.display()));
    }
    Ok(refused == 0 || io::stdin().is_terminal())
}

struct Desk<'c> {
    command: &'c Review,
    clock: fn() -> Moment,
    lines: io::StdinLock<'static>,
    tally: Tally,
}

impl Desk<'_> {
    /// Goes through one notice; `false` where the operator has had enough.
    fn notice(&mut self, entry: &Entry) -> anyhow::Result<bool> {
        let mut opened = match entry.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.refuse(&error);
                return Ok(true);
            }
        };
        say(View::new(entry, &opened.tender));
        loop {
            if io::stdin().is_terminal() {
                let _ = write!(io::stdout(), "accept, edit, reject, show, skip, quit or help> ");
                let _ = io::stdout().flush();
            }
            let Some(line) = self.line()? else { return Ok(false) };
            match self.obey(&line, entry, &opened) {
                Ok(Next::Notice) => return Ok(true),
                Ok(Next::End) => return Ok(false),
                Ok(Next::Stay) => {}
                Err(error) => self.refuse(error.as_ref()),
            }
            opened = entry.open()?;
        }
    }

    fn refuse(&mut self, error: &(dyn std::error::Error + 'static)) {
        self.tally.refused += 1;
        say(format_args!("! {}", message::told(error)));
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn obey(&mut self, line: &str, entry: &Entry, opened: &Opened) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (out, now) = (&self.command.out, (self.clock)());
        match word {
            "" => Ok(Next::Stay),
            "accept" | "a" => {
                entry.accept(out, opened, now)?;
                self.tally.accepted += 1;
                say("accepted");
                Ok(Next::Notice)
            }
            "reject" | "r" => {
                entry.reject(out, opened, rest, now)?;
                self.tally.rejected += 1;
                say("rejected");
                Ok(Next::Notice)
            }
            "edit" | "e" => {
                let before = &opened.tender;
                let (after, fields) = match rest.split_once('=') {
                    Some((field, value)) => {
                        let (after, field) = written(before, field, value)?;
                        (Some(after), BTreeSet::from([field]))
                    }
                    None if rest.is_empty() => in_editor(entry, before)?
                        .map_or_else(|| (None, BTreeSet::new()), |after| sure(before, after)),
                    None => anyhow::bail!("write `edit FIELD=VALUE`, or `edit` alone for the editor"),
                };
                if let Some(after) = after {
                    entry.change(out, opened, &after, fields, now)?;
                    say(View::of(entry)?);
                } else {
                    say("nothing was changed");
                }
                Ok(Next::Stay)
            }
            "show" => {
                say(View::new(entry, &opened.tender));
                for line in opened.tender.full_text_markdown.lines() {
                    say(format_args!("  {}", message::line(line)));
                }
                Ok(Next::Stay)
            }
            "skip" | "s" => Ok(Next::Notice),
            "quit" | "q" => Ok(Next::End),
            "help" | "?" => {
                say(HELP);
                Ok(Next::Stay)
            }
            word => anyhow::bail!(
                "`{}` is none of: accept, edit, reject, show, skip, quit, help",
                message::line(word)
            ),
        }
    }
}

/// A person is sure of what a person has written.
fn sure(before: &Tender, mut after: Tender) -> (Option<Tender>, BTreeSet<String>) {
    let fields: BTreeSet<String> = differing(before, &after).into_iter().collect();
    after.confidence.extend(fields.iter().map(|field| (field.clone(), 1.0)));
    (Some(after), fields)
}
