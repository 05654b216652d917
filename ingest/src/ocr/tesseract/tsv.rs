//! Parses the TSV output of Tesseract and repairs its known errors. Malformed rows are skipped.

use super::clip_image::{ClipImage, ClipRows};
use crate::{base::Word, ocr::placed_word::PlacedWord};
use regex::Regex;
use std::sync::LazyLock;

/// Matches an I before a usual part of a reference. Such an I is a misread slash.
static SLASH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,}(I)(?:ICB|NCB|LCB|PROC|RFQ|RFP|EOI)(?:/|$)").ok());
/// The Tamil digit zero.
const TAMIL_ZERO: char = '\u{0BE6}';
/// A word of at most two letters with less confidence is a logo or a stain.
const MIN_SHORT_WORD_CONFIDENCE: f64 = 0.35;

/// Parses the TSV (level, page, block, paragraph, line, word, left, top, width, height,
/// confidence, text) into the lines of each part.
pub(super) fn parse(
    table: &str,
    pictures: &[ClipImage<'_>],
    parts: &[ClipRows],
) -> Vec<Vec<Vec<PlacedWord>>> {
    let mut pieces: Vec<Vec<(String, Vec<PlacedWord>)>> = vec![Vec::new(); parts.len()];
    for row in table.lines() {
        let fields: Vec<&str> = row.splitn(12, '\t').collect();
        let [level, page, block, paragraph, line, _, left, top, width, height, confidence, text] = fields[..]
        else {
            continue;
        };
        let numbers =
            [left, top, width, height, confidence].map(|field| field.parse::<f64>().unwrap_or(f64::NAN));
        let [left, top, width, height, confidence] = numbers;
        let (text, confidence) = (text.trim(), confidence / 100.0);
        let at = page.parse().ok().and_then(|page: usize| page.checked_sub(1));
        let Some((part, pieces)) = at.and_then(|at| Some((parts.get(at)?, pieces.get_mut(at)?))) else {
            continue;
        };
        if level != "5"
            || text.is_empty()
            || numbers.iter().any(|number| !number.is_finite())
            || is_noise(text, confidence)
        {
            continue;
        }
        let [left, top, width, height] = ClipImage::box_in_image(&part.rows, [left, top, width, height]);
        let word = Word::new(
            repair(text),
            pictures[part.picture].area([left, top, width, height]),
            confidence.clamp(0.0, 1.0),
        );
        let placed = PlacedWord { word, place: [left, top, left + width, top + height] };
        let key = [block, paragraph, line].join(" ");
        match pieces.last_mut() {
            Some((last, words)) if *last == key => words.push(placed),
            _ => pieces.push((key, vec![placed])),
        }
    }
    let lines = |pieces: Vec<(String, Vec<PlacedWord>)>| pieces.into_iter().map(|(_, words)| words).collect();
    pieces.into_iter().map(lines).collect()
}

/// Repairs the known errors of Tesseract:
/// - zero-width non-joiners after Sinhala and Tamil viramas,
/// - a Tamil zero, which no notice prints, for the digit 0,
/// - a bar for the letter l,
/// - an l for the capital I at the beginning of a word,
/// - an I for the slash before a usual part of a reference.
fn repair(text: &str) -> String {
    let text = text.chars().filter(|letter| *letter != '\u{200C}');
    let mut text: String = text.map(|letter| if letter == TAMIL_ZERO { '0' } else { letter }).collect();
    if text.contains('|') && text.chars().any(|letter| letter.is_ascii_lowercase()) {
        text = text.replace('|', "l");
    }
    let letters = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let is_capital = letters.len() > 3
        && letters.strip_prefix('l').is_some_and(|rest| rest.starts_with(['m', 'n', 'r', 's']));
    if is_capital {
        let at = text.len() - letters.len();
        text.replace_range(at..=at, "I");
    }
    if text.contains('/')
        && let Some(found) = SLASH.as_ref().and_then(|slash| slash.captures(&text))
        && let Some(stroke) = found.get(1)
    {
        text.replace_range(stroke.range(), "/");
    }
    text
}

/// Whether a word is a rule, a logo or a stain that was misread as text.
fn is_noise(text: &str, confidence: f64) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric()).count();
    letters == 0
        && (confidence < 0.6
            || text.chars().all(|letter| matches!(letter, '|' | '_' | '—' | '~' | '[' | ']')))
        || letters <= 2 && confidence < MIN_SHORT_WORD_CONFIDENCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{layout::Clip, page::Page};
    use image::GrayImage;

    #[test]
    fn known_errors_are_repaired() {
        for (read, printed) in [
            ("lrrigation", "Irrigation"),
            ("(lnvitation", "(Invitation"),
            ("lmport,", "Import,"),
            ("lsland", "Island"),
            ("ltd.", "ltd."),
            ("lkr", "lkr"),
            ("lns", "lns"),
            ("land", "land"),
            ("llama", "llama"),
            ("Bui|ding", "Building"),
            ("l", "l"),
            ("SLPAIICB/6740/2027", "SLPA/ICB/6740/2027"),
            ("2028/SPCSLIPROC", "2028/SPCSL/PROC"),
            ("SPCSLIPROC", "SPCSLIPROC"),
            ("SRI/NCB/7", "SRI/NCB/7"),
            ("HAWAII/7", "HAWAII/7"),
            ("2௦27", "2027"),
            ("(", "("),
        ] {
            assert_eq!(repair(read), printed);
        }
    }

    #[test]
    fn malformed_rows_are_skipped_and_parts_are_kept_apart() {
        let page = Page::of(GrayImage::new(50, 50), 300.0);
        let clip = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let picture = ClipImage::new(&page, &clip);
        let part = ClipRows { picture: 0, rows: 0..50 };
        let table = "level\tpage\nnothing\n5\t1\t1\t1\t1\t1\tx\t0\t1\t1\t90\tword\n\
             5\t1\t1\t1\t1\t1\t1\t1\t4\t4\t90\tright\n5\t2\t1\t1\t1\t1\t1\t1\t4\t4\t90\tsecond\n\
             5\t0\t1\t1\t1\t1\t1\t1\t4\t4\t90\tnone\n5\t3\t1\t1\t1\t1\t1\t1\t4\t4\t90\tnone\n";
        let read = parse(table, &[picture], &[part.clone(), part]);
        let words: Vec<Vec<&str>> = read
            .iter()
            .map(|pieces| pieces.iter().flatten().map(|placed| placed.word.text.as_str()).collect())
            .collect();
        assert_eq!(words, [["right"], ["second"]]);
    }
}
