//! The mail of a monthly report: how many tenders are in it, and the workbook itself, or where it can be had.

use super::{
    compose::{AttachedFile, ComposeError, Envelope, Frame},
    words::Words,
};
use askama::Template;
use index::vocabulary::Day;

/// The largest workbook that is mailed, in bytes: a third more once it is written in letters.
pub const LARGEST: usize = 5_000_000;

/// What the mail tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Monthly {
    /// The report's name.
    pub name: String,
    /// A day of the month that it is of.
    pub month: Day,
    /// Tenders that it is about.
    pub total: usize,
    /// Of them, those in the workbook.
    pub rows: usize,
    /// The workbook.
    pub file: AttachedFile,
}

/// The whole message, as it goes over the wire. A workbook without a row is left out, and one larger than `largest` bytes.
///
/// # Errors
/// [`ComposeError`].
pub fn mail(envelope: &Envelope<'_>, report: &Monthly, largest: usize) -> Result<Vec<u8>, ComposeError> {
    let words = envelope.words();
    let said = &words.monthly;
    let month = words.month(report.month);
    let gaps: [(&str, &dyn std::fmt::Display); 2] = [("name", &report.name), ("month", &month)];
    let subject = said.subject.with(&gaps);
    let intro = if report.total == 0 { said.none.with(&gaps) } else { said.intro.of(report.total, &gaps) };
    let is_attached = report.rows > 0 && report.file.bytes.len() <= largest;
    let mut lines = Vec::new();
    match (report.rows, is_attached) {
        (0, _) => {}
        (_, true) => lines.push(said.attached.clone()),
        (_, false) => lines.push(said.too_large.clone()),
    }
    if report.rows < report.total {
        lines.push(said.cut.with(&[("rows", &report.rows)]));
    }
    let greeting = words.frame.greeting.with(&[("name", &envelope.first_name)]);
    let frame = Frame::new(envelope.language, &subject, &intro, envelope.base_url);
    let why = said.why.with(&gaps);
    let parts =
        Parts { words, greeting: &greeting, intro: &intro, lines: &lines.join(" "), why: &why, envelope };
    let (text, html) =
        (TextMonthly { parts: &parts }.render()?, frame.html(&HtmlMonthly { frame: &frame, parts: &parts })?);
    if is_attached {
        envelope.message_with(&subject, (text, html), &report.file)
    } else {
        envelope.message(&subject, text, html)
    }
}

/// What both parts are written from.
struct Parts<'a> {
    words: &'static Words,
    greeting: &'a str,
    intro: &'a str,
    /// Where the workbook is, and what it lacks.
    lines: &'a str,
    why: &'a str,
    envelope: &'a Envelope<'a>,
}

#[derive(Template)]
#[template(path = "mail/monthly.mjml", escape = "html")]
struct HtmlMonthly<'a> {
    frame: &'a Frame<'a>,
    parts: &'a Parts<'a>,
}

#[derive(Template)]
#[template(path = "mail/monthly.txt", escape = "none")]
struct TextMonthly<'a> {
    parts: &'a Parts<'a>,
}
