//! The sentences of a notice.

use crate::text::Words;

/// The longest quoted sentence in characters. A longer one is a paragraph that was not divided.
pub(super) const MAX_QUOTE: usize = 600;
/// Abbreviations after which a sentence goes on.
const ABBREVIATIONS: [&str; 12] =
    ["no", "nos", "rs", "dr", "mr", "mrs", "ms", "st", "ltd", "eng", "tel", "ref"];

/// Words that begin a sentence about the bids after a list of clauses.
const SUBJECTS: [&str; 12] = [
    "Applications",
    "Bids",
    "Completed",
    "Duly",
    "Expressions",
    "Late",
    "Offers",
    "Proposals",
    "Quotations",
    "Sealed",
    "Submissions",
    "Tenders",
];

/// A sentence with its words, for searching.
pub(super) struct Sentence {
    /// The text as printed, in one line.
    pub(super) text: String,
    /// The words between spaces, with a space at both ends.
    words: String,
}

impl Sentence {
    fn new(text: &str) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = format!(" {} ", Words::of(&text).as_str());
        (words.trim() != "").then_some(Self { text, words })
    }

    /// The normalised words.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.split(' ').filter(|word| !word.is_empty())
    }

    /// Whether one of the phrases, given in normalised words, stands in the sentence.
    pub(super) fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.words.contains(&format!(" {} ", Words::of(phrase).as_str())))
    }
}

/// The sentences of a notice in Markdown, in their order. A row of a table counts as a sentence.
pub(super) fn sentences(markdown: &str) -> Vec<Sentence> {
    let mut paragraphs = vec![String::new()];
    let mut is_clause = false;
    for line in markdown.lines() {
        let line = line.trim();
        let ends_clause = is_clause && line.split(' ').next().is_some_and(|word| SUBJECTS.contains(&word));
        if line.is_empty() || line.starts_with(['#', '|']) || has_clause_letter(line) || ends_clause {
            paragraphs.push(String::new());
            is_clause = has_clause_letter(line);
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            let line = line.trim_start_matches('#').trim_matches('|').trim_end_matches('\\');
            paragraph.push(' ');
            paragraph.push_str(&line.replace(['\\', '|'], " "));
        }
    }
    paragraphs.iter().flat_map(|paragraph| split(paragraph)).filter_map(|text| Sentence::new(&text)).collect()
}

/// Whether a line begins a clause, as in `(a) Fee per document: LKR 4,000`.
fn has_clause_letter(line: &str) -> bool {
    let letters = line.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map(|(letters, _)| letters);
    letters.is_some_and(|letters| {
        (1..=4).contains(&letters.len()) && letters.bytes().all(|letter| letter.is_ascii_lowercase())
    })
}

/// Divides a paragraph after each full stop that ends a sentence. The numbers of clauses are left out.
fn split(paragraph: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let mut at = 0;
    let mut is_start = true;
    while let Some(word) = words.get(at) {
        if is_start && let Some(length) = clause_number(&words[at..]) {
            found.push(String::new());
            at += length;
            is_start = false;
            continue;
        }
        if let Some(sentence) = found.last_mut() {
            sentence.push_str(word);
            sentence.push(' ');
        }
        let bare = word.trim_end_matches('.').to_lowercase();
        let next = words.get(at + 1).and_then(|next| next.chars().next());
        is_start = word.ends_with('.') && !ABBREVIATIONS.contains(&bare.as_str());
        if is_start && next.is_some_and(|next| !next.is_numeric() && !next.is_lowercase()) {
            found.push(String::new());
        }
        at += 1;
    }
    found
}

/// The number of words that are the number of a clause, as in `5. Bids close` or `5 . Bids close`.
fn clause_number(words: &[&str]) -> Option<usize> {
    const MARKS: [char; 2] = ['.', ')'];
    let is_number =
        |word: &str| matches!(word.len(), 1 | 2) && word.bytes().all(|letter| letter.is_ascii_digit());
    let length = match words {
        [number, ..] if number.strip_suffix(MARKS).is_some_and(is_number) => 1,
        [number, "." | ")", ..] if is_number(number) => 2,
        _ => return None,
    };
    let next = words.get(length).and_then(|next| next.chars().next());
    next.is_none_or(|next| next.is_alphabetic() && !next.is_lowercase()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_divided_into_sentences() {
        let notice = "## Notice No. 5\n\nPay Rs. 2,500 per set. Bids are sent to No. 71,\nStation Road by 2.00 \
            p.m. Late bids are\nrejected.\n\n|  |  |\n| --- | --- |\n| Bid Security | LKR 500 |\nක. ඛ";
        let found: Vec<String> = sentences(notice).into_iter().map(|sentence| sentence.text).collect();
        assert_eq!(
            found,
            [
                "Notice No. 5",
                "Pay Rs. 2,500 per set.",
                "Bids are sent to No. 71, Station Road by 2.00 p.m.",
                "Late bids are rejected.",
                "Bid Security LKR 500 ක.",
                "ඛ",
            ]
        );
    }

    #[test]
    fn lettered_clauses_are_sentences_of_their_own() {
        let notice = "Proposals are invited.\\\n(a) Fee per set: LKR 4,000\n(d) Meeting: at the office,\nroom 3\\\n\
            (e) Proposals close: 2026.12.28, 15.00 hours\nProposals should be deposited in the box.";
        let found: Vec<String> = sentences(notice).into_iter().map(|sentence| sentence.text).collect();
        assert_eq!(
            found,
            [
                "Proposals are invited.",
                "(a) Fee per set: LKR 4,000",
                "(d) Meeting: at the office, room 3",
                "(e) Proposals close: 2026.12.28, 15.00 hours",
                "Proposals should be deposited in the box.",
            ]
        );
    }

    #[test]
    fn the_numbers_of_clauses_are_left_out() {
        let notice = "4. Bid security is valid until 9 April 2027. 5 . Sealed bids are sent by post. 6) Late bids \
            are rejected. 12.\n\n30 days count. 14 days later, at No. 5. Bids are opened.";
        let found: Vec<String> = sentences(notice).into_iter().map(|sentence| sentence.text).collect();
        assert_eq!(
            found,
            [
                "Bid security is valid until 9 April 2027.",
                "Sealed bids are sent by post.",
                "Late bids are rejected.",
                "30 days count. 14 days later, at No. 5.",
                "Bids are opened.",
            ]
        );
    }
}
