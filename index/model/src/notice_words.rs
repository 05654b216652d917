//! The words of a notice with their places on the page, and the dates and amounts among them. A
//! reviewer selects words on the clip to fill a field.

use crate::{tender::PageBox, vocabulary::terms};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use utoipa::ToSchema;

/// The largest accepted JSON text of the words, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// The largest accepted number of words, and of values.
const MAX_WORDS: usize = 10_000;
/// The longest accepted word, and the longest accepted value, in bytes.
const MAX_WORD_BYTES: usize = 255;
/// The coordinates of a box, with tolerance for rounding.
const COORDINATES: RangeInclusive<f64> = -0.01..=1.01;

/// The words of a notice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoticeWords {
    /// The words in reading order.
    pub words: Vec<PrintedWord>,
    /// The dates and amounts that the words state, in reading order.
    pub values: Vec<PrintedValue>,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintedWord {
    /// The word, without spaces.
    pub text: String,
    /// The number of the printed line, from 0 in reading order.
    pub line: u32,
    /// The box of the word on the page.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>)]
    pub area: PageBox,
}

terms! {
    /// What a printed value is.
    ValueKind, "kind of value" {
        /// A day, or a day with a time.
        Date = "date",
        /// An amount of money.
        Amount = "amount",
    }
}

/// A value that some words state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintedValue {
    /// What it is.
    pub kind: ValueKind,
    /// The value as a reviewer would type it: `2027-05-03 14:30`, `50000`.
    pub value: String,
    /// The position of its first word, from 0.
    pub first: u32,
    /// The position of its last word.
    pub last: u32,
}

/// Why words are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeWordsError {
    /// The text is too long, or contains too many words.
    #[error("there are too many words")]
    TooMany,
    /// The text is not JSON of the expected form.
    #[error("the words cannot be parsed: {0}")]
    Json(String),
    /// A word, box or value is impossible.
    #[error("word or value {0} is invalid")]
    Invalid(usize),
}

impl NoticeWords {
    /// Parses and checks untrusted words.
    ///
    /// # Errors
    /// [`NoticeWordsError`] describes the first error.
    pub fn parse(json: &[u8]) -> Result<Self, NoticeWordsError> {
        if json.len() > MAX_BYTES {
            return Err(NoticeWordsError::TooMany);
        }
        let words: Self = serde_json::from_slice(json)
            .map_err(|error| NoticeWordsError::Json(error.to_string().chars().take(200).collect()))?;
        words.check()?;
        Ok(words)
    }

    fn check(&self) -> Result<(), NoticeWordsError> {
        if self.words.len() > MAX_WORDS || self.values.len() > MAX_WORDS {
            return Err(NoticeWordsError::TooMany);
        }
        let is_text =
            |text: &str| !text.is_empty() && text.len() <= MAX_WORD_BYTES && !text.contains(char::is_control);
        let is_word = |word: &PrintedWord| {
            is_text(&word.text) && word.area.iter().all(|part| COORDINATES.contains(part))
        };
        let is_value = |value: &PrintedValue| {
            is_text(&value.value) && value.first <= value.last && (value.last as usize) < self.words.len()
        };
        let wrong = self.words.iter().position(|word| !is_word(word));
        match wrong.or_else(|| self.values.iter().position(|value| !is_value(value))) {
            Some(at) => Err(NoticeWordsError::Invalid(at)),
            None => Ok(()),
        }
    }

    /// The words whose centres lie in an area of the page, with the values that they state as a
    /// whole.
    #[must_use]
    pub fn within(&self, [left, top, width, height]: PageBox) -> Self {
        let is_inside = |word: &PrintedWord| {
            let [x, y, w, h] = word.area;
            let (x, y) = (x + w / 2.0, y + h / 2.0);
            (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
        };
        let mut positions = vec![None; self.words.len()];
        let mut words = Vec::new();
        for (at, word) in self.words.iter().enumerate().filter(|(_, word)| is_inside(word)) {
            positions[at] = u32::try_from(words.len()).ok();
            words.push(word.clone());
        }
        let new_position = |at: u32| positions.get(at as usize).copied().flatten();
        let values = self.values.iter().filter_map(|value| {
            let (first, last) = (new_position(value.first)?, new_position(value.last)?);
            (last >= first && last - first == value.last - value.first).then(|| PrintedValue {
                first,
                last,
                ..value.clone()
            })
        });
        Self { values: values.collect(), words }
    }

    /// The text of the words: the words of a line joined by spaces, the lines by line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = None;
        for word in &self.words {
            match line {
                None => {}
                Some(line) if line == word.line => text.push(' '),
                Some(_) => text.push('\n'),
            }
            line = Some(word.line);
            text.push_str(&word.text);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn word(text: &str, line: u32, x: f64, y: f64) -> PrintedWord {
        PrintedWord { text: text.into(), line, area: [x, y, 0.05, 0.01] }
    }

    fn words() -> NoticeWords {
        NoticeWords {
            words: vec![
                word("Closes", 0, 0.1, 0.1),
                word("14.05.2027", 0, 0.2, 0.1),
                word("at", 1, 0.1, 0.3),
                word("2.30", 1, 0.2, 0.3),
                word("p.m.", 1, 0.3, 0.3),
            ],
            values: vec![
                PrintedValue { kind: ValueKind::Date, value: "2027-05-14".into(), first: 1, last: 1 },
                PrintedValue { kind: ValueKind::Date, value: "2027-05-14 14:30".into(), first: 1, last: 4 },
            ],
        }
    }

    #[test]
    fn words_survive_a_round_trip() {
        let json = serde_json::to_vec(&words()).unwrap();
        assert_eq!(NoticeWords::parse(&json).unwrap(), words());
    }

    #[test]
    fn impossible_words_are_refused() {
        let box_of =
            |area: serde_json::Value| json!({"words": [{"text": "a", "line": 0, "box": area}], "values": []});
        let refused = [
            json!([]),
            json!({"words": []}),
            json!({"words": [], "values": [], "more": 1}),
            box_of(json!([0.1, 0.1, 0.1])),
            box_of(json!([0.1, 0.1, 0.1, 7.0])),
            box_of(json!([-1.0, 0.1, 0.1, 0.1])),
            json!({"words": [{"text": "", "line": 0, "box": [0.1, 0.1, 0.1, 0.1]}], "values": []}),
            json!({"words": [], "values": [{"kind": "date", "value": "x", "first": 0, "last": 0}]}),
            json!({"words": [], "values": [{"kind": "gift", "value": "x", "first": 0, "last": 0}]}),
        ];
        for json in refused {
            assert!(NoticeWords::parse(json.to_string().as_bytes()).is_err(), "{json}");
        }
        assert_eq!(NoticeWords::parse(&vec![b' '; MAX_BYTES + 1]), Err(NoticeWordsError::TooMany));
    }

    #[test]
    fn a_part_keeps_the_values_that_lie_in_it() {
        let part = words().within([0.0, 0.0, 1.0, 0.2]);
        assert_eq!(part.text(), "Closes 14.05.2027");
        assert_eq!(part.values, words().values[..1]);
        assert_eq!(words().within([0.0, 0.0, 1.0, 1.0]), words());
        assert_eq!(words().text(), "Closes 14.05.2027\nat 2.30 p.m.");
    }

    proptest! {
        #[test]
        fn rubbish_never_panics(json in any::<Vec<u8>>(), area in any::<[f64; 4]>()) {
            let parsed = NoticeWords::parse(&json).unwrap_or_else(|_| words());
            let _ = parsed.within(area).text();
        }
    }
}
