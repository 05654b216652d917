//! When the sale of the documents ends, with the hour if the notice prints it beside the last day.

use super::{sentences::Sentence, submission::sentences_of};
use crate::{tender::Tender, vocabulary::Moment};
use jiff::civil::{self, Time};

/// The JSON path of the last day.
const LAST_DAY: &str = "documentFee.saleUntil";
/// Words of a sentence about the sale. The same day can stand in another one, as that of the closing.
const SALE: [&str; 9] =
    ["document", "documents", "forms", "issued", "obtained", "collected", "purchased", "sold", "available"];
/// Words before the hour that end the sale.
const UNTIL: [&str; 6] = ["till", "until", "before", "by", "to", "at"];
/// The most words of an hour, as in `3.00 p. m.`
const MAX_WORDS: usize = 3;

/// When the sale of the documents ends. Without a printed hour, it is the last second of the day.
#[must_use]
pub fn sale_end(tender: &Tender) -> Option<Moment> {
    let day = tender.document_fee.as_ref()?.sale_until?;
    let at = |(hour, _): (Time, String)| Moment::in_colombo(civil::DateTime::from_parts(day, hour));
    printed_hour(tender).and_then(at).or_else(|| Moment::end_of(day))
}

/// The sentence that prints the hour at which the sale of the documents ends. `None`: none is printed.
#[must_use]
pub fn sale_end_sentence(tender: &Tender) -> Option<String> {
    printed_hour(tender).map(|(_, sentence)| sentence)
}

/// The hour beside the last day, with its sentence. `None`: the notice prints none, or several.
fn printed_hour(tender: &Tender) -> Option<(Time, String)> {
    let printed = &tender.evidence.get(LAST_DAY)?.text;
    let day = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    if !day.chars().any(|sign| sign.is_ascii_digit()) {
        return None;
    }
    let sentences = sentences_of(tender);
    let of_sale = sentences.iter().filter(|sentence| sentence.has(&SALE));
    let mut hours: Vec<(Time, String)> =
        of_sale.filter_map(|one| Some((hour_beside(one, &day)?, one.text.clone()))).collect();
    hours.dedup_by_key(|(hour, _)| *hour);
    match hours.as_slice() {
        [hour] => Some(hour.clone()),
        _ => None,
    }
}

fn hour_beside(sentence: &Sentence, day: &str) -> Option<Time> {
    let (before, after) = sentence.text.split_once(day)?;
    let before: Vec<&str> = before.split_whitespace().collect();
    let after: Vec<&str> = after.split_whitespace().collect();
    hour_before(&before).or_else(|| hour_after(&after))
}

/// As in `till 3.00 p.m. on 4 December`.
fn hour_before(words: &[&str]) -> Option<Time> {
    let words = words.strip_suffix(&["on"])?;
    (1..=MAX_WORDS).find_map(|count| {
        let (rest, hour) = words.split_at_checked(words.len().checked_sub(count)?)?;
        let is_end = rest.last().is_some_and(|word| UNTIL.contains(word));
        read_hour(hour).filter(|_| is_end)
    })
}

/// As in `4 December at 3.00 p.m.` An hour that begins a span, as in `9.00 a.m. to 3.00 p.m.`, is no end.
fn hour_after(words: &[&str]) -> Option<Time> {
    let words = match words {
        [",", rest @ ..] => rest,
        _ => words,
    };
    let words = match words {
        [word, rest @ ..] if UNTIL.contains(word) => rest,
        _ => return None,
    };
    (1..=MAX_WORDS).rev().find_map(|count| {
        let (hour, rest) = words.split_at_checked(count)?;
        let is_span = rest.first().is_some_and(|word| ["to", "and", "-", "–"].contains(word));
        read_hour(hour).filter(|_| !is_span)
    })
}

/// An hour with `a.m.`, `p.m.` or `hours`.
fn read_hour(words: &[&str]) -> Option<Time> {
    let text: String = words.concat().to_lowercase();
    let text = text.trim_end_matches([',', ';']);
    let (number, unit) = text.split_at(text.find(|sign: char| sign.is_alphabetic())?);
    let unit: String = unit.chars().filter(|sign| *sign != '.').collect();
    let (hour, minute) = match number.trim_end_matches('.').split_once(['.', ':']) {
        Some((hour, minute)) if minute.len() == 2 => (hour.parse().ok()?, minute.parse().ok()?),
        // A dash has several bytes, so the halves may not be cut anywhere.
        None if number.len() == 4 => {
            let (hour, minute) = number.split_at_checked(2)?;
            (hour.parse().ok()?, minute.parse().ok()?)
        }
        None => (number.parse().ok()?, 0),
        Some(_) => return None,
    };
    let hour: i8 = match unit.as_str() {
        "am" if (1..=12).contains(&hour) => hour % 12,
        "pm" if (1..=12).contains(&hour) => hour % 12 + 12,
        "hours" | "hrs" | "hour" | "h" => hour,
        _ => return None,
    };
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn end(text: &str, day: &str) -> String {
        let tender: Tender = serde_json::from_value(json!({
            "documentFee": {"saleUntil": "2026-12-04"},
            "evidence": {"documentFee.saleUntil": {"text": day, "quote": day}},
            "fullTextMarkdown": text,
        }))
        .unwrap();
        sale_end(&tender).unwrap().civil().time().to_string()
    }

    #[rstest]
    #[case("Tender forms will be issued till 3.00 p.m. on 04/12/2026 to all.", "04/12/2026", "15:00:00")]
    #[case("Documents are sold until 1430 hrs on 4th December\n2026.", "4th December 2026", "14:30:00")]
    #[case("Documents can be obtained up to 04.12.2026 at 2.30 p.m. from us.", "04.12.2026", "14:30:00")]
    #[case("Forms are issued to 12 noon on 04.12.2026.", "04.12.2026", "23:59:59")]
    #[case("Documents: until 04.12.2026 , at 9.00 a.m. to 3.00 p.m.", "04.12.2026", "23:59:59")]
    #[case("Documents are sold from 9.00 a.m. to 3.00 p.m. until 04.12.2026.", "04.12.2026", "23:59:59")]
    #[case("Documents until 04.12.2026. Bids close at 2.00 p.m. on 04.12.2026.", "04.12.2026", "23:59:59")]
    #[case("Documents till 2 p.m. on 04.12.2026. Forms till 3 p.m. on 04.12.2026.", "04.12.2026", "23:59:59")]
    #[case("Documents are sold.", "-", "23:59:59")]
    #[case("Documents till 99.99 p.m. on 04.12.2026", "04.12.2026", "23:59:59")]
    #[case("Documents till –4 hrs on 04.12.2026", "04.12.2026", "23:59:59")]
    #[case("Documents till é4 hrs on 04.12.2026", "04.12.2026", "23:59:59")]
    fn the_hour_stands_beside_the_last_day(#[case] text: &str, #[case] day: &str, #[case] hour: &str) {
        assert_eq!(end(text, day), hour, "{text}");
    }
}
