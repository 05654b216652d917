//! The mail with a monthly report: how many tenders it contains, and the workbook. A workbook that
//! is too large is not attached, and the mail links to the reports instead.

use super::mail_frame::{AttachedFile, ComposeError, Envelope, Frame};
use crate::base::i18n::mail_texts::MailTexts;
use askama::Template;
use tender_model::vocabulary::Day;

/// The maximum size in bytes of a workbook that is mailed. The encoding of mails adds a third.
pub const MAX_WORKBOOK_BYTES: usize = 5_000_000;

/// The content of the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonthlyReport {
    /// The report's name.
    pub name: String,
    /// A day of the report's month.
    pub month: Day,
    /// The number of tenders in the report.
    pub total: usize,
    /// The number of tenders in the workbook.
    pub rows: usize,
    /// The workbook.
    pub file: AttachedFile,
}

/// Composes the whole message as it is sent. A workbook without rows, or larger than `largest`
/// bytes, is left out.
pub fn compose(
    envelope: &Envelope<'_>,
    report: &MonthlyReport,
    largest: usize,
) -> Result<Vec<u8>, ComposeError> {
    let words = envelope.words();
    let texts = &words.monthly;
    let month = words.month(report.month);
    let values: [(&str, &dyn std::fmt::Display); 2] = [("name", &report.name), ("month", &month)];
    let subject = texts.subject.with(&values);
    let intro =
        if report.total == 0 { texts.none.with(&values) } else { texts.intro.of(report.total, &values) };
    let is_attached = report.rows > 0 && report.file.bytes.len() <= largest;
    let mut lines = Vec::new();
    match (report.rows, is_attached) {
        (0, _) => {}
        (_, true) => lines.push(texts.attached.clone()),
        (_, false) => lines.push(texts.too_large.clone()),
    }
    if report.rows < report.total {
        lines.push(texts.cut.with(&[("rows", &report.rows)]));
    }
    let greeting = words.frame.greeting.with(&[("name", &envelope.first_name)]);
    let frame = Frame::new(envelope.language, &subject, &intro, envelope.base_url);
    let why = texts.why.with(&values);
    let parts =
        Parts { words, greeting: &greeting, intro: &intro, lines: &lines.join(" "), why: &why, envelope };
    let (text, html) = (Text { parts: &parts }.render()?, Html { frame: &frame, parts: &parts }.render()?);
    if is_attached {
        envelope.message_with_attachment(&subject, (text, html), &report.file)
    } else {
        envelope.message(&subject, text, html)
    }
}

/// The input of the text and HTML templates.
struct Parts<'a> {
    words: &'static MailTexts,
    greeting: &'a str,
    intro: &'a str,
    /// The sentences that say where the workbook is and whether it is complete.
    lines: &'a str,
    why: &'a str,
    envelope: &'a Envelope<'a>,
}

include!(concat!(env!("OUT_DIR"), "/monthly.rs"));

#[derive(Template)]
#[template(path = "mail/monthly.txt", escape = "none")]
struct Text<'a> {
    parts: &'a Parts<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::{MessageParser, MimeHeaders};
    use tender_model::vocabulary::Language;

    /// Returns the subject, the text, and the attached file's name and bytes.
    fn compose_and_parse(
        total: usize,
        rows: usize,
        largest: usize,
    ) -> (String, String, Option<(String, Vec<u8>)>) {
        let from = "Portal <alerts@portal.example>".parse().unwrap();
        let envelope = Envelope {
            from: &from,
            to: "nimal@example.test",
            first_name: "Nimal",
            language: Language::English,
            base_url: "https://portal.example",
            unsubscribe: "https://portal.example/unsubscribe/abc",
            message_id: "<1@portal.example>",
            now: "2026-12-01T08:00:00+05:30".parse().unwrap(),
            company: None,
            offices: None,
        };
        let file = AttachedFile {
            name: "roads-2026-11.xlsx".to_owned(),
            media_type: crate::services::reports::file::XLSX_TYPE,
            bytes: b"PK workbook".to_vec(),
        };
        let month = jiff::civil::date(2026, 11, 1);
        let report = MonthlyReport { name: "Roads & <bridges>".to_owned(), month, total, rows, file };
        let bytes = compose(&envelope, &report, largest).unwrap();
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert!(message.body_html(0).unwrap().contains("Roads &#38; &#60;bridges&#62;"));
        assert!(message.header_raw("List-Unsubscribe").unwrap().contains("/unsubscribe/abc"));
        let file = message.attachments().next();
        let file = file.map(|file| (file.attachment_name().unwrap().to_owned(), file.contents().to_vec()));
        let text = message.body_text(0).unwrap().replace("\r\n", "\n");
        (message.subject().unwrap().to_owned(), text, file)
    }

    #[test]
    fn a_workbook_of_the_maximum_size_is_attached() {
        let (subject, text, file) = compose_and_parse(7, 7, 11);
        assert_eq!(subject, "Roads & <bridges>: Nov 2026");
        assert!(text.contains("Your report “Roads & <bridges>” for Nov 2026 contains 7 tenders."), "{text}");
        assert!(text.contains("Open your reports: https://portal.example/reports\n"), "{text}");
        assert_eq!(file, Some(("roads-2026-11.xlsx".to_owned(), b"PK workbook".to_vec())));
    }

    #[test]
    fn a_workbook_too_large_for_a_mail_is_not_attached() {
        let (_, text, file) = compose_and_parse(7, 7, 10);
        assert!(text.contains("too large for a mail") && !text.contains("attached"), "{text}");
        assert_eq!(file, None);
    }

    #[test]
    fn an_incomplete_workbook_or_an_empty_report_is_explained() {
        let (_, text, file) = compose_and_parse(12_000, 10_000, 100);
        assert!(text.contains("The workbook holds the first 10000 of them"), "{text}");
        assert!(file.is_some());
        let (_, text, file) = compose_and_parse(0, 0, 100);
        assert!(text.contains("contains no tenders") && !text.contains("workbook"), "{text}");
        assert_eq!(file, None);
    }
}
