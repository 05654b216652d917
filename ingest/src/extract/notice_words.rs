//! The words of a notice with their places, and the dates and amounts among them, for reviewers.

use super::{
    classifier::{amount_candidates, date_candidates},
    printed::Printed,
};
use std::ops::Range;
use tender_model::{
    notice_words::{NoticeWords, PrintedValue, PrintedWord, ValueKind},
    tender::PageBox,
    vocabulary::Day,
};

/// The words of a notice. `issue` is the date of the newspaper, if known.
#[must_use]
pub(crate) fn notice_words(printed: &Printed, issue: Option<Day>) -> NoticeWords {
    let words = printed.placed_words().map(|(text, line, area)| PrintedWord {
        text: text.to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        area: rounded(area),
    });
    let dates = date_candidates(printed, issue).into_iter().map(|date| {
        let time = date.time.or(date.nearby_time.map(|(time, _)| time));
        let time = time.map(|time| time.strftime(" %H:%M").to_string()).unwrap_or_default();
        (ValueKind::Date, format!("{}{time}", date.day), date.range)
    });
    let amounts = amount_candidates(printed)
        .into_iter()
        .map(|sum| (ValueKind::Amount, sum.amount.number().to_string(), sum.range));
    let mut values: Vec<PrintedValue> = dates
        .chain(amounts)
        .filter_map(|(kind, value, range)| placed(printed, kind, value, &range))
        .collect();
    values.sort_by_key(|value| (value.first, value.last));
    NoticeWords { words: words.collect(), values }
}

fn placed(printed: &Printed, kind: ValueKind, value: String, range: &Range<usize>) -> Option<PrintedValue> {
    let (first, last) = printed.word_positions(range)?;
    Some(PrintedValue { kind, value, first: first.try_into().ok()?, last: last.try_into().ok()? })
}

fn rounded(area: PageBox) -> PageBox {
    area.map(|part| (part * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::Word,
        ocr::{ClipText, Line, Paragraph, ReaderName},
    };
    use tender_model::vocabulary::Language;

    fn clip(lines: &[&str]) -> ClipText {
        let word = |row: usize, column: usize, text: &str| {
            Word::new(text.to_owned(), [column as f64 / 20.0, row as f64 / 20.0, 0.04, 0.02], 0.9)
        };
        let line = |(row, text): (usize, &&str)| Line {
            cells: vec![text.split(' ').enumerate().map(|(column, text)| word(row, column, text)).collect()],
        };
        let paragraphs = vec![Paragraph { lines: lines.iter().enumerate().map(line).collect() }];
        ClipText { paragraphs, language: Language::English, confidence: 0.9, reader: ReaderName::TextLayer }
    }

    #[test]
    fn dates_and_amounts_refer_to_their_words() {
        let text = clip(&["Bids close on 14.05.2027 at 2.30 p.m.", "Bid security Rs. 50,000.00"]);
        let words = notice_words(&Printed::of(&text), None);
        assert_eq!(words.words.len(), 11);
        assert_eq!((words.words[3].text.as_str(), words.words[3].line), ("14.05.2027", 0));
        assert_eq!(words.words[3].area, [0.15, 0.0, 0.04, 0.02]);
        assert_eq!(words.words[7].line, 1);
        let [date, amount] = words.values.as_slice() else { panic!("{:?}", words.values) };
        assert_eq!((date.kind, date.value.as_str(), date.first), (ValueKind::Date, "2027-05-14 14:30", 3));
        assert_eq!((amount.kind, amount.value.as_str()), (ValueKind::Amount, "50000"));
        assert!(amount.first >= 9 && amount.last == 10, "{amount:?}");
        let json = serde_json::to_vec(&words).unwrap();
        assert_eq!(NoticeWords::parse(&json).unwrap(), words);
    }

    #[test]
    fn text_without_places_has_no_words() {
        assert_eq!(notice_words(&Printed::plain("Closes 14.05.2027"), None), NoticeWords::default());
    }
}
