//! Texts with placeholders: filling them, and finding the values in a filled text.

use serde::Deserialize;
use std::fmt::Display;

/// A text with placeholders such as `{name}`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Phrase(String);

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// The values of a phrase's placeholders.
pub(crate) type Values<'a> = &'a [(&'a str, &'a dyn Display)];

impl Phrase {
    /// Replaces the placeholders by their values. A placeholder without a value is removed.
    /// Placeholders inside a value stay. A value that ends in a full stop, such as `10.00 a.m.`, also
    /// ends the sentence.
    pub(crate) fn with(&self, values: Values<'_>) -> String {
        let mut filled = String::with_capacity(self.0.len() * 2);
        let mut rest = self.0.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            rest = behind;
            if let Some((_, value)) = values.iter().find(|(placeholder, _)| *placeholder == name) {
                let value = value.to_string();
                filled.push_str(&value);
                if value.ends_with('.') {
                    rest = behind.strip_prefix('.').unwrap_or(behind);
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    /// Finds the placeholders' names and values in a text that was made from this phrase. `None`
    /// if the text does not fit the phrase or the phrase has no placeholder. A value ends at the
    /// first occurrence of the phrase's text between its placeholder and the next one.
    pub(crate) fn values_in<'a>(&'a self, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let (before, mut phrase) = self.0.split_once('{')?;
        let mut text = text.strip_prefix(before)?;
        let mut values = Vec::new();
        loop {
            let (name, after) = phrase.split_once('}')?;
            let Some((between, rest)) = after.split_once('{') else {
                values.push((name, text.strip_suffix(after)?));
                return Some(values);
            };
            let (value, behind) = text.split_once(between)?;
            values.push((name, value));
            (text, phrase) = (behind, rest);
        }
    }
}

/// A phrase with singular and plural. All three languages have one form for the count one, and one
/// for all other counts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CountedPhrase {
    one: Phrase,
    other: Phrase,
}

impl CountedPhrase {
    /// Returns the phrase for a number, which replaces the placeholder `count`.
    pub(crate) fn of(&self, count: usize, values: Values<'_>) -> String {
        let phrase = if count == 1 { &self.one } else { &self.other };
        let mut all: Vec<(&str, &dyn Display)> = vec![("count", &count)];
        all.extend(values);
        phrase.with(&all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_once() {
        let phrase = Phrase("a {x} b {y} {z".to_owned());
        assert_eq!(phrase.with(&[("x", &"{y}"), ("y", &2)]), "a {y} b 2 ");
    }

    #[test]
    fn sentence_that_ends_with_an_abbreviation_has_one_full_stop() {
        let phrase = Phrase("It closes {x}. Read {y}.".to_owned());
        assert_eq!(phrase.with(&[("x", &"10.00 a.m."), ("y", &"it")]), "It closes 10.00 a.m. Read it.");
    }

    #[test]
    fn values_are_found_in_a_filled_text() {
        let phrase = Phrase("{0} of {1}: at most {2} words".to_owned());
        let values = [("0", "name"), ("1", "me"), ("2", "3")];
        assert_eq!(phrase.values_in("name of me: at most 3 words"), Some(values.to_vec()));
        assert_eq!(phrase.values_in("name of me: at most 3 letters"), None);
        assert_eq!(Phrase("x{0}x".to_owned()).values_in("x"), None);
        assert_eq!(Phrase("whole".to_owned()).values_in("whole"), None);
        assert_eq!(Phrase("open {0".to_owned()).values_in("open 0"), None);
    }
}
