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
    "dates.opening",
    "method",
    "financials.bidBond.amount",
    "documentFee.amount",
    "location.district",
];
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
        rows.push((self.texts.source.clone(), format!("{base_url}/tenders/{}", tender.id)));
        rows.extend(tender.source_url.clone().map(|url| (self.texts.original.clone(), url)));
        rows
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
            let text = self.with_evidence(tender, path, self.value(path, value), evidence);
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
        format!("{text}\n{printed}")
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
mod tests {
    use super::*;
    use crate::domain::coverage::{Holiday, HolidayKind};
    use serde_json::json;

    fn tender() -> Tender {
        serde_json::from_value(json!({
            "title": "Roof repairs", "organization": {"name": "Ports Authority"},
            "dates": {"closing": "2026-12-10T14:00:00+05:30"}, "documentFee": {"amount": 1_250_000.5},
            "publishedAt": "2026-11-20T09:00:00+05:30", "sourcePage": "7",
            "evidence": {"dates.closing": {"text": "10th December"}, "documentFee.amount": {"text": " "}},
            "fieldStates": {"dates.closing": "doubtful"},
            "sources": [{"publication": "Daily Lanka", "date": "2026-11-19", "file": "p7.jpg", "page": 1, "box": [0, 0, 1, 1]}],
            "changes": [{"at": "2026-11-25T09:00:00+05:30", "field": "dates.closing", "from": "2026-12-03", "to": null, "source": "owner"}],
        }))
        .unwrap()
    }

    #[test]
    fn a_pack_has_words_dates_and_history() {
        let tender = tender();
        let texts = EvidenceTexts::of(Language::English);
        let clips = vec![Clip { source: tender.sources[0].clone(), bytes: None }];
        let blocks = blocks(
            &tender,
            clips,
            texts,
            (Language::English, "https://portal.example"),
            &OfficeDays::default(),
        );
        let text = format!("{blocks:?}");
        for expected in [
            "Daily Lanka, ",
            ", page 7",
            "Printed: “10th December”",
            "read with doubt",
            "LKR 1,250,000.50",
            "without printed words",
            "Published on the portal",
            "to nothing (by the publisher)",
            "The image of the clip is missing",
            "https://portal.example/tenders/",
        ] {
            assert!(text.contains(expected), "{expected:?} is not in {text}");
        }
    }

    #[test]
    fn a_pack_has_each_clip_with_its_checksum_and_the_text_of_the_notice() {
        let mut tender = tender();
        tender.full_text_markdown =
            "## ROOF\n\n1\\. Bids are\ninvited.\\\nFile: A/1\n\n| | |\n| --- | --- |\n| Fee | Rs 500 |\n"
                .into();
        let clips = vec![Clip { source: tender.sources[0].clone(), bytes: Some(b"abc".to_vec()) }];
        let texts = EvidenceTexts::of(Language::English);
        let place = (Language::English, "https://portal.example");
        let blocks = blocks(&tender, clips, texts, place, &OfficeDays::default());
        let captions: Vec<&String> = blocks
            .iter()
            .filter_map(|block| if let Block::Image { caption, .. } = block { Some(caption) } else { None })
            .collect();
        let checksum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(captions.len() == 1 && captions[0].ends_with(checksum), "{captions:?}");
        let end: Vec<&Block> = blocks.iter().rev().take(4).rev().collect();
        let expected =
            ["ROOF", "1. Bids are invited.", "File: A/1", "Fee: Rs 500"].map(|line| Block::Text(line.into()));
        assert_eq!(end, expected.iter().collect::<Vec<_>>());
    }

    fn rows(tender: &Tender, language: Language) -> String {
        format!(
            "{:?}",
            blocks(
                tender,
                Vec::new(),
                EvidenceTexts::of(language),
                (language, "https://portal.example"),
                &OfficeDays::default()
            )
        )
    }

    #[test]
    fn a_pack_warns_of_holidays_and_shows_titles_in_title_form() {
        let mut tender = tender();
        tender.title = "SUPPLY OF OFFICE CHAIRS AND TABLES".into();
        tender.organization.name = "MAHAWELI AUTHORITY OF SRI LANKA".into();
        let holiday = |day: &str, kind| Holiday { day: day.parse().unwrap(), name: "H".into(), kind };
        let offices = OfficeDays::new(vec![
            holiday("2026-12-09", HolidayKind::Public),
            holiday("2026-12-10", HolidayKind::Poya),
        ]);
        let texts = EvidenceTexts::of(Language::English);
        let place = (Language::English, "https://portal.example");
        let blocks = format!("{:?}", blocks(&tender, Vec::new(), texts, place, &offices));
        for expected in [
            "Thu 10 Dec 2026, 2.00 p.m. (read with doubt)\\nPrinted: “10th December”\\nOffices are closed on this day (Poya day). Offices are closed on the day before",
            "(public holiday); the last open day before it is Tue 8 Dec 2026.",
            "Title(\"Supply of Office Chairs and Tables\")",
            "Text(\"Mahaweli Authority of Sri Lanka\")",
        ] {
            assert!(blocks.contains(expected), "{expected:?} is not in {blocks}");
        }
        let frame = frame(&tender, texts, Language::English, "2026-12-01T09:00:00+05:30".parse().unwrap());
        assert_eq!(frame.title, "Evidence of a tender notice: Supply of Office Chairs and Tables");
    }

    #[test]
    fn terms_and_amounts_are_in_words() {
        let mut tender = tender();
        let more = json!({
            "method": "shopping", "kind": "expression-of-interest", "language": "ta",
            "organization": {"name": "Ports Authority", "type": "semi-government"},
            "financials": {"estimatedValue": {"amount": 2.5, "currency": "USD"},
                "bidBond": {"required": true, "amount": 75000}},
            "eligibility": {"turnover": {"minimum": 5_000_000, "currency": "LKR"}},
            "cida": [{"grade": "C5", "alsoAdmits": "higher"}],
            "changes": [{"at": "2026-11-25T09:00:00+05:30", "field": "status", "from": "published", "to": "cancelled", "source": "owner"}],
        });
        let mut record = serde_json::to_value(&tender).unwrap();
        for (field, value) in more.as_object().unwrap() {
            record[field] = value.clone();
        }
        for path in [
            "method",
            "kind",
            "language",
            "organization.type",
            "financials.estimatedValue.amount",
            "financials.bidBond.amount",
            "financials.bidBond.required",
            "eligibility.turnover",
            "cida",
        ] {
            record["evidence"][path] = json!({"text": "words"});
        }
        tender = serde_json::from_value(record).unwrap();
        let english = rows(&tender, Language::English);
        for expected in [
            "Shopping",
            "Expression of interest",
            "Tamil",
            "Semi-government",
            "USD 2.50",
            "LKR 75,000",
            "LKR 5,000,000",
            "or a higher grade",
            "\"yes",
            "from Live to Cancelled",
        ] {
            assert!(english.contains(expected), "{expected:?} is not in {english}");
        }
        for language in Language::ALL.iter().copied() {
            let text = rows(&tender, language);
            for raw in [
                "\"shopping",
                "expression-of-interest",
                "semi-government",
                "higher\"",
                "true\\n",
                "published",
                "cancelled",
            ] {
                assert!(!text.contains(raw), "{raw} is in {text}");
            }
        }
    }

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(0.0, "0"), (999.0, "999"), (1000.0, "1,000"), (1_234_567.5, "1,234,567.50")] {
            assert_eq!(grouped(number), text);
        }
    }
}
