//! What stands in an evidence pack.

use super::{plain_text, texts::EvidenceTexts};
use crate::{
    base::i18n::{grouping::group_thousands, mail_texts::MailTexts, term_names::TermNames},
    domain::deadlines::OfficeDays,
};
use pdf_pages::{Block, Frame};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tender_model::{
    checklist::{RowKind, address_under_notice, checklist, sale_end, sale_end_sentence, submission},
    display_title::display_title,
    tender::{CLOSING, Evidence, FieldChange, FieldState, Source, Tender},
    vocabulary::{Language, Moment, OtherGrades},
};

/// The longest text of a value in a list, in characters.
const MAX_VALUE: usize = 1500;
/// The parts of a value that are written first: `C5, or a higher grade, Highways`.
const LEADING_PARTS: [&str; 5] = ["grade", "alsoAdmits", "number", "title", "name"];
/// The fields on the first page. The last pages list the others.
const MAIN_FIELDS: [&str; 9] = [
    "referenceNo",
    "organization.name",
    "dates.published",
    "dates.closing",
    OPENING,
    "method",
    "financials.bidBond.amount",
    "documentFee.amount",
    "location.district",
];
/// The path of the moment of the opening.
const OPENING: &str = "dates.opening";
/// The maximum number of changes that are listed.
const MAX_CHANGES: usize = 200;
/// The name of the portal.
const PORTAL: &str = "Serendib Tenders";

/// A clip with its image, if the portal has it.
pub(super) struct Clip {
    pub(super) source: Source,
    pub(super) bytes: Option<Vec<u8>>,
}

/// Writes values in words.
struct Writer<'t> {
    texts: &'t EvidenceTexts,
    terms: &'t TermNames,
    language: Language,
    /// The tender as JSON.
    record: Value,
}

/// The blocks of a pack.
pub(super) fn blocks(
    tender: &Tender,
    clips: Vec<Clip>,
    texts: &EvidenceTexts,
    (language, base_url): (Language, &str),
    offices: &OfficeDays,
) -> Vec<Block> {
    let record = serde_json::to_value(tender).unwrap_or_default();
    let writer = Writer { texts, terms: TermNames::of(language), language, record };
    let mut blocks = vec![
        Block::Note(texts.heading.clone()),
        Block::Title(display_title(&tender.title).into_owned()),
        Block::Text(display_title(&tender.organization.name).into_owned()),
        Block::Note(texts.intro.clone()),
        Block::Heading(texts.publications.clone()),
    ];
    let left_out = tender.sources.len().saturating_sub(clips.len());
    if clips.is_empty() {
        blocks.push(Block::Text(texts.not_printed.clone()));
    }
    for (number, Clip { source, bytes }) in clips.into_iter().enumerate() {
        let issue = writer.issue(tender, &source, number == 0);
        match bytes {
            Some(bytes) => {
                let checksum = texts.checksum.with(&[("checksum", &hex::encode(Sha256::digest(&bytes)))]);
                let caption = format!("{}\n{checksum}", texts.image.with(&[("issue", &issue)]));
                blocks.push(Block::Image { bytes, caption });
            }
            None => blocks.push(Block::Text(texts.missing.with(&[("issue", &issue)]))),
        }
    }
    if left_out > 0 {
        blocks.push(Block::Note(texts.more.with(&[("count", &left_out)])));
    }
    blocks.push(Block::Heading(texts.tender.clone()));
    blocks.push(Block::Facts(writer.facts(tender, base_url, offices)));
    let fields = writer.fields(tender);
    if !fields.is_empty() {
        blocks.push(Block::Heading(texts.fields.clone()));
        blocks.push(Block::Facts(fields));
    }
    blocks.push(Block::Heading(texts.history.clone()));
    blocks.push(Block::Facts(writer.history(tender)));
    let paragraphs = plain_text::paragraphs(&tender.full_text_markdown);
    if !paragraphs.is_empty() {
        blocks.push(Block::Heading(texts.text.clone()));
        blocks.extend(paragraphs.into_iter().map(Block::Text));
    }
    blocks
}

/// What stands beside the blocks.
pub(super) fn frame(tender: &Tender, texts: &EvidenceTexts, language: Language, now: Moment) -> Frame {
    let created = texts.created.with(&[("moment", &MailTexts::of(language).moment(now))]);
    let utc = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC);
    let small = |number: i8| u8::try_from(number).unwrap_or_default();
    Frame {
        title: format!("{}: {}", texts.heading, display_title(&tender.title)),
        language: language.as_str().to_owned(),
        footer: format!("{PORTAL} · {created}"),
        page_of: texts.page_of.clone(),
        creator: PORTAL.to_owned(),
        created: (
            u16::try_from(utc.year()).unwrap_or_default(),
            small(utc.month()),
            small(utc.day()),
            small(utc.hour()),
            small(utc.minute()),
            small(utc.second()),
        ),
    }
}

impl Writer<'_> {
    /// The tender in short.
    fn facts(&self, tender: &Tender, base_url: &str, offices: &OfficeDays) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        for path in MAIN_FIELDS {
            if let Some(value) = at_path(&self.record, path).filter(|value| !value.is_null()) {
                let mut text = self.value(path, value);
                if let Some(evidence) = tender.evidence.get(path) {
                    text = self.with_evidence(tender, path, text, evidence);
                }
                if let Some(closing) = tender.dates.closing.filter(|_| path == CLOSING) {
                    let warning = MailTexts::of(self.language).closed_offices(closing, offices);
                    text = format!("{text}\n{warning}").trim_end().to_owned();
                }
                rows.push((self.texts.name(path).to_owned(), text));
            }
        }
        rows.extend(self.delivery(tender));
        rows.push((self.texts.source.clone(), format!("{base_url}/tenders/{}", tender.id)));
        rows.extend(tender.source_url.clone().map(|url| (self.texts.original.clone(), url)));
        rows
    }

    /// Where the bid goes, and what is written on its envelope, in printed words.
    fn delivery(&self, tender: &Tender) -> Vec<(String, String)> {
        let place = submission(tender).place;
        let address = address_under_notice(tender, place.as_deref());
        let rows = checklist(tender, None);
        let marking = rows.into_iter().find(|row| row.kind == RowKind::EnvelopeMarked);
        let marking = marking.and_then(|row| row.printed);
        let quoted = |text: &String| self.texts.printed.with(&[("text", text)]);
        [(&self.texts.place, place), (&self.texts.address, address), (&self.texts.marking, marking)]
            .into_iter()
            .filter_map(|(name, text)| Some((name.clone(), quoted(&text?))))
            .collect()
    }

    /// The newspaper, the day and the page. The printed number of the page belongs to the first clip.
    fn issue(&self, tender: &Tender, source: &Source, is_first: bool) -> String {
        let day = source.date.map(|day| self.day(&day.to_string())).unwrap_or_default();
        let issue = self.texts.issue.with(&[("publication", &source.publication), ("date", &day)]);
        let issue = issue.trim_end_matches([' ', ',']).to_owned();
        match tender.source_page.as_ref().filter(|_| is_first) {
            Some(page) => format!("{issue}, {}", self.texts.page.with(&[("page", page)])),
            None => issue,
        }
    }

    /// The further fields that have printed words or that a person entered.
    fn fields(&self, tender: &Tender) -> Vec<(String, String)> {
        let further = tender.evidence.iter().filter(|(path, _)| !MAIN_FIELDS.contains(&path.as_str()));
        let rows = further.filter_map(|(path, evidence)| {
            let value = at_path(&self.record, path).filter(|value| !value.is_null())?;
            let sale_end = sale_end(tender).filter(|_| path == "documentFee.saleUntil");
            let text = sale_end.map_or_else(|| self.value(path, value), |end| self.moment(end));
            // The evidence of the day lacks the hour that its sentence prints.
            let sentence = sale_end.and_then(|_| sale_end_sentence(tender));
            let with_hour = sentence.map(|text| Evidence { text, ..evidence.clone() });
            let text = self.with_evidence(tender, path, text, with_hour.as_ref().unwrap_or(evidence));
            Some((self.texts.name(path).to_owned(), text))
        });
        rows.collect()
    }

    /// A value with the printed words that it was read from, and whether it was read with doubt.
    fn with_evidence(&self, tender: &Tender, path: &str, mut text: String, evidence: &Evidence) -> String {
        if tender.field_state(path) == FieldState::Doubtful {
            text = format!("{text} ({})", self.texts.doubtful);
        }
        let printed = match evidence.text.trim() {
            "" => self.texts.entered.clone(),
            words => self.texts.printed.with(&[("text", &words)]),
        };
        // `opened soon after` has no hour of its own.
        let has_hour = path != OPENING || printed.contains(|sign: char| sign.is_ascii_digit());
        let note = if has_hour { String::new() } else { format!(" ({})", self.texts.as_closing) };
        format!("{text}\n{printed}{note}")
    }

    /// When the tender was published and what changed.
    fn history(&self, tender: &Tender) -> Vec<(String, String)> {
        let published = tender.published_at.map(|at| (self.moment(at), self.texts.published.clone()));
        let changes = tender.changes.iter().take(MAX_CHANGES).map(|change| self.change(change));
        let mut rows: Vec<_> = published.into_iter().chain(changes).collect();
        if tender.changes.is_empty() {
            rows.push((String::new(), self.texts.no_changes.clone()));
        }
        rows
    }

    fn change(&self, change: &FieldChange) -> (String, String) {
        let source = match change.source.as_str() {
            "owner" => self.texts.owner.as_str(),
            "portal" => self.texts.portal.as_str(),
            other => other,
        };
        let text = self.texts.changed.with(&[
            ("field", &self.texts.name(&change.field)),
            ("before", &self.value(&change.field, &change.from)),
            ("after", &self.value(&change.field, &change.to)),
            ("source", &source),
        ]);
        (self.moment(change.at), text)
    }

    fn moment(&self, at: Moment) -> String {
        MailTexts::of(self.language).moment(at)
    }

    fn day(&self, text: &str) -> String {
        let at = text.parse().ok().and_then(Moment::start_of);
        at.map_or_else(|| text.to_owned(), |at| MailTexts::of(self.language).day(at))
    }

    /// The value of the field at a path in words. Moments, days and terms are written in the language of the
    /// pack, and an amount with its currency.
    fn value(&self, path: &str, value: &Value) -> String {
        let text = match value {
            Value::Null => self.texts.nothing.clone(),
            Value::Bool(true) => self.texts.yes.clone(),
            Value::Bool(false) => self.texts.no.clone(),
            Value::Number(number) => {
                let number = grouped(number.as_f64().unwrap_or_default());
                self.currency(path).map_or_else(|| number.clone(), |currency| format!("{currency} {number}"))
            }
            Value::String(text) => self.text(path, text),
            Value::Array(list) => {
                let one = |(number, one)| self.value(&format!("{path}.{number}"), one);
                list.iter().enumerate().map(one).collect::<Vec<_>>().join("; ")
            }
            Value::Object(object) => {
                // The currency stands beside its amount.
                let known = object.iter().filter(|(name, value)| {
                    !value.is_null() && !value.is_object() && !value.is_boolean() && *name != "currency"
                });
                let mut known: Vec<_> = known.collect();
                known.sort_by_key(|(name, _)| {
                    LEADING_PARTS.iter().position(|part| part == name).unwrap_or(usize::MAX)
                });
                known
                    .into_iter()
                    .map(|(name, one)| match one {
                        Value::Number(number) if is_amount(name) => {
                            let currency = object.get("currency").and_then(Value::as_str).unwrap_or("LKR");
                            format!("{currency} {}", grouped(number.as_f64().unwrap_or_default()))
                        }
                        one => self.value(&format!("{path}.{name}"), one),
                    })
                    .collect::<Vec<_>>()
                    .join(", ")
            }
        };
        text.chars().take(MAX_VALUE).collect()
    }

    fn text(&self, path: &str, text: &str) -> String {
        match text.parse::<Moment>() {
            Ok(at) if text.contains('T') => return self.moment(at),
            _ if is_day(text) => return self.day(text),
            _ => {}
        }
        let admitted = path.ends_with(".alsoAdmits").then(|| text.parse::<OtherGrades>().ok()).flatten();
        match admitted {
            Some(OtherGrades::Higher) => self.texts.or_higher.clone(),
            Some(OtherGrades::Lower) => self.texts.or_lower.clone(),
            None if matches!(path, "title" | "organization.name") => display_title(text).into_owned(),
            None => self.terms.field_value(path, text).unwrap_or_else(|| text.to_owned()),
        }
    }

    /// The currency of the amount at a path. A tender states no currency beside an amount in rupees.
    fn currency(&self, path: &str) -> Option<&str> {
        let (parent, name) = path.rsplit_once('.')?;
        let stated = || at_path(&self.record, &format!("{parent}.currency")).and_then(Value::as_str);
        is_amount(name).then(|| stated().unwrap_or("LKR"))
    }
}

/// Whether a number with this name is an amount of money.
fn is_amount(name: &str) -> bool {
    matches!(name, "amount" | "minimum")
}

/// Whether a text is a day such as `2026-12-10`.
fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<tender_model::vocabulary::Day>().is_ok()
}

/// The value at a JSON path such as `cida.0.grade`.
fn at_path<'v>(record: &'v Value, path: &str) -> Option<&'v Value> {
    record.pointer(&format!("/{}", path.replace('.', "/")))
}

/// A number with separators between thousands, and with two decimals if it is not whole.
fn grouped(number: f64) -> String {
    let text = format!("{number:.2}");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, "00"));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), group_thousands);
    if decimals == "00" { whole } else { format!("{whole}.{decimals}") }
}

#[cfg(test)]
mod tests;
