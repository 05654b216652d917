//! The page header, which has the name of the newspaper and its issue date, such as
//! `12  THE ISLAND OBSERVER  FRIDAY NOVEMBER 20, 2026`.

use super::rules::dates::dates;
use super::rules::pattern::patterns;
use crate::ocr::{ClipText, Line};
use tender_model::vocabulary::Day;

/// The header ends within this fraction of the page height from the top.
pub const HEADER_HEIGHT: f64 = 0.04;
/// The maximum number of words in the name of a newspaper.
const MAX_NAME_WORDS: usize = 6;

patterns! {
    WEEKDAY = r"\b(mon|tues|wednes|thurs|fri|satur|sun)day\b";
}

/// The content of a page header.
#[derive(Debug, Clone, PartialEq)]
pub struct PageHeader {
    /// The newspaper in title case; empty if only the date is printed.
    pub publication: String,
    /// The issue date.
    pub date: Day,
    /// The lowest confidence of the words in the header, 0 to 1.
    pub confidence: f64,
}

/// Finds the header in the texts of a page: the first line near the top with a date, its right
/// weekday and few other words. Other lines near the top rarely have both a date and a weekday.
pub fn find_page_header<'t>(texts: impl IntoIterator<Item = &'t ClipText>) -> Option<PageHeader> {
    let lines = texts.into_iter().flat_map(|text| &text.paragraphs).flat_map(|paragraph| &paragraph.lines);
    lines.filter(|line| is_near_top(line)).find_map(parse_header)
}

fn is_near_top(line: &Line) -> bool {
    line.words().all(|word| word.area[3] > 0.0 && word.area[1] + word.area[3] < HEADER_HEIGHT)
}

fn parse_header(line: &Line) -> Option<PageHeader> {
    let text = line.text().replace('\t', " ");
    let weekday = WEEKDAY.find(&text)?;
    let dated = dates(&text).into_iter().next()?;
    let is_that_day = dated.day.strftime("%A").to_string().eq_ignore_ascii_case(weekday.as_str());
    // The name of the newspaper is the rest of the line without the page number.
    let is_name = |at: usize| !dated.with_time.contains(&at) && !weekday.range().contains(&at);
    let name: String =
        text.char_indices().map(|(at, letter)| if is_name(at) { letter } else { ' ' }).collect();
    let words: Vec<String> = name
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '|' | '-' | '–' | '•'))
        .filter(|word| {
            word.chars().any(char::is_alphabetic) && !word.chars().any(|letter| letter.is_ascii_digit())
        })
        .filter(|word| !word.eq_ignore_ascii_case("page"))
        .map(title_case)
        .collect();
    let is_short = words.len() <= MAX_NAME_WORDS;
    let confidence = line.words().map(|word| word.confidence).fold(1.0, f64::min);
    (is_that_day && is_short).then(|| PageHeader {
        publication: words.join(" "),
        date: dated.day,
        confidence,
    })
}

fn title_case(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text whose words begin at the fraction `down` of the page height.
    fn at(down: f64, text: &str) -> ClipText {
        let mut text = ClipText::from_plain(text);
        let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
        for word in lines.flat_map(|line| &mut line.cells).flatten() {
            (word.area, word.confidence) = ([0.1, down, 0.1, 0.01], 0.9);
        }
        text
    }

    fn header_of(text: &str) -> Option<(String, String)> {
        find_page_header([&at(0.02, text)]).map(|head| (head.publication, head.date.to_string()))
    }

    #[test]
    fn the_page_header_gives_newspaper_and_issue() {
        let expected = |name: &str| Some((name.to_owned(), "2026-11-20".to_owned()));
        assert_eq!(
            header_of("12 THE ISLAND OBSERVER FRIDAY NOVEMBER 20, 2026"),
            expected("The Island Observer")
        );
        assert_eq!(header_of("DAILY LANKA\tFriday, November 20, 2026\tPage 4"), expected("Daily Lanka"));
        assert_eq!(header_of("Friday 20 November 2026 | Lanka Ledger | 7"), expected("Lanka Ledger"));
        assert_eq!(header_of("Friday, 20th November 2026"), expected(""));
        let found =
            find_page_header([&at(0.5, "news"), &at(0.02, "DAILY LANKA Friday, November 20, 2026")]).unwrap();
        assert_eq!(found.confidence, 0.9);
    }

    #[test]
    fn other_lines_are_not_a_page_header() {
        for text in [
            "",
            "DAILY LANKA",
            "DAILY LANKA November 20, 2026",
            // 20 November 2026 is a Friday.
            "DAILY LANKA Monday, November 20, 2026",
            "Sealed bids will be accepted by the Chairman at the above address until Friday, November 20, 2026",
            "Friday, November 31, 2026",
        ] {
            assert_eq!(header_of(text), None, "{text}");
        }
        assert_eq!(find_page_header([&at(0.3, "DAILY LANKA Friday, November 20, 2026")]), None);
        assert_eq!(
            find_page_header([&ClipText::from_plain("DAILY LANKA Friday, November 20, 2026")]),
            None,
            "its words have no position"
        );
    }
}
