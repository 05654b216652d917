//! The sentences of a notice.

use crate::text::Words;

/// Abbreviations after which a sentence goes on.
const ABBREVIATIONS: [&str; 12] =
    ["no", "nos", "rs", "dr", "mr", "mrs", "ms", "st", "ltd", "eng", "tel", "ref"];

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
    for line in markdown.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '|']) {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            let line = line.trim_start_matches('#').trim_matches('|').trim_end_matches('\\');
            paragraph.push(' ');
            paragraph.push_str(&line.replace(['\\', '|'], " "));
        }
    }
    paragraphs.iter().flat_map(|paragraph| split(paragraph)).filter_map(|text| Sentence::new(&text)).collect()
}

/// Divides a paragraph after each full stop that ends a sentence.
fn split(paragraph: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    for (number, word) in words.iter().enumerate() {
        if let Some(sentence) = found.last_mut() {
            sentence.push_str(word);
            sentence.push(' ');
        }
        let bare = word.trim_end_matches('.').to_lowercase();
        let next = words.get(number + 1).and_then(|next| next.chars().next());
        let ends = word.ends_with('.')
            && !ABBREVIATIONS.contains(&bare.as_str())
            && next.is_some_and(|next| !next.is_numeric() && !next.is_lowercase());
        if ends {
            found.push(String::new());
        }
    }
    found
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
}
