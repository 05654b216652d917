//! The text of a clip: paragraphs, lines, cells and words. A table row is one [`Line`] with
//! several cells.

use crate::base::Word;
use serde::{Deserialize, Serialize};
use std::fmt;
use tender_model::vocabulary::Language;

/// The confidence of a word that two recognisers read alike. A known word also gets this
/// confidence if the other recogniser read an unknown word.
pub(crate) const AGREED: f64 = 0.95;

/// A printed line: cells from left to right, each a run of words. Running text is one cell. A
/// table row, or a label with a separate value, has several cells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The cells; none is empty.
    pub cells: Vec<Vec<Word>>,
}

impl Line {
    /// All words from left to right.
    pub fn words(&self) -> impl Iterator<Item = &Word> {
        self.cells.iter().flatten()
    }

    /// The words joined by spaces and the cells joined by tabs.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell_number, cell) in self.cells.iter().enumerate() {
            if cell_number > 0 {
                out.write_str("\t")?;
            }
            for (word_number, word) in cell.iter().enumerate() {
                if word_number > 0 {
                    out.write_str(" ")?;
                }
                out.write_str(&word.text)?;
            }
        }
        Ok(())
    }
}

/// Lines that belong together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Paragraph {
    /// The lines from top to bottom; none is empty.
    pub lines: Vec<Line>,
}

/// The text of a clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClipText {
    /// The paragraphs in reading order; none is empty.
    pub paragraphs: Vec<Paragraph>,
    /// The predominant language.
    pub language: Language,
    /// The mean confidence of the words, weighted by their lengths, 0 to 1. For worn print, it is
    /// limited.
    pub confidence: f64,
    /// The reader of the text.
    pub reader: ReaderName,
}

impl ClipText {
    /// The plain text: paragraphs separated by a blank line, lines by `\n`, cells by `\t` and
    /// words by a space.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, paragraph) in self.paragraphs.iter().enumerate() {
            if number > 0 {
                text.push_str("\n\n");
            }
            for (line_number, line) in paragraph.lines.iter().enumerate() {
                if line_number > 0 {
                    text.push('\n');
                }
                text.push_str(&line.text());
            }
        }
        text
    }

    /// All words in reading order.
    pub fn words(&self) -> impl Iterator<Item = &Word> {
        self.paragraphs.iter().flat_map(|paragraph| &paragraph.lines).flat_map(Line::words)
    }

    /// Parses plain text in the form of [`ClipText::text`]. The words have full confidence and no
    /// boxes.
    #[must_use]
    pub fn from_plain(text: &str) -> Self {
        let word = |text: &str| Word::new(text.to_owned(), [0.0; 4], 1.0);
        let cell = |text: &str| text.split_whitespace().map(word).collect::<Vec<_>>();
        let mut paragraphs = vec![Paragraph::default()];
        for line in text.lines() {
            let cells: Vec<_> = line.split('\t').map(cell).filter(|cell| !cell.is_empty()).collect();
            match paragraphs.last_mut() {
                Some(paragraph) if !cells.is_empty() => paragraph.lines.push(Line { cells }),
                _ => paragraphs.push(Paragraph::default()),
            }
        }
        paragraphs.retain(|paragraph| !paragraph.lines.is_empty());
        Self { language: script_language(text), paragraphs, confidence: 1.0, reader: ReaderName::Plain }
    }
}

/// The reader of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderName {
    /// The text layer of a born-digital page.
    TextLayer,
    /// OCR by Tesseract.
    Tesseract,
    /// No reader: the text was given as plain text.
    Plain,
}

/// The language of a text by its script. It is Sinhala or Tamil if at least a quarter of the
/// letters are in that script, otherwise English. References and e-mail addresses are in Latin
/// letters in every language.
#[must_use]
pub fn script_language(text: &str) -> Language {
    let (mut latin, mut sinhala, mut tamil) = (0_usize, 0_usize, 0_usize);
    for letter in text.chars() {
        match letter {
            'A'..='Z' | 'a'..='z' => latin += 1,
            '\u{0D80}'..='\u{0DFF}' => sinhala += 1,
            '\u{0B80}'..='\u{0BFF}' => tamil += 1,
            _ => {}
        }
    }
    let quarter = (latin + sinhala + tamil).div_ceil(4).max(1);
    if sinhala >= quarter && sinhala >= tamil {
        Language::Sinhala
    } else if tamil >= quarter {
        Language::Tamil
    } else {
        Language::English
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        let text =
            "CALLING FOR TENDERS\nKandy Municipal Council\n\nBid Security\tLKR 75,000\nContact\t041-2023485";
        let clip = ClipText::from_plain(text);
        assert_eq!(clip.text(), text);
        assert_eq!(clip.paragraphs.len(), 2);
        assert_eq!(clip.paragraphs[1].lines[0].cells.len(), 2);
        assert_eq!(clip.language, Language::English);
    }

    #[test]
    fn odd_spacing_makes_no_empty_parts() {
        let clip = ClipText::from_plain("\n\n a \t\t b\t\n \n\n\nc\n\n");
        assert_eq!(clip.text(), "a\tb\n\nc");
        assert_eq!(ClipText::from_plain(" \n\t\n").paragraphs, []);
    }

    #[test]
    fn the_script_gives_the_language() {
        assert_eq!(script_language("ප්‍රසම්පාදන දැන්වීම No. RDA/SIN/2027/18 LKR 250,000"), Language::Sinhala);
        assert_eq!(script_language("விலைமனு கோரல் RDA/TA/2027/16"), Language::Tamil);
        assert_eq!(script_language("Road Development Authority (ශ්‍රී)"), Language::English);
        assert_eq!(script_language("2027"), Language::English);
    }
}
