//! Counts searches that found nothing, in memory. A job stores the counts about twice a minute, so
//! that a search does not wait for the database. A crash loses at most what was counted since.

use jiff::civil::Date;
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// The maximum number of different texts between two writes. Further texts are only counted.
const MAX_TEXTS: usize = 500;
/// The maximum number of characters of a stored text.
const MAX_TEXT_LENGTH: usize = 80;
/// The minimum number of digits of a text that may be the number of a person.
const MIN_PERSONAL_DIGITS: usize = 7;

/// The searches of one day that found nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmptySearchesOfDay {
    /// The number of all searches.
    pub searches: i64,
    /// The number of searches of each text.
    pub texts: HashMap<String, i32>,
}

/// The searches that are not stored yet, by day in Colombo.
#[derive(Debug, Default)]
pub struct EmptySearches(Mutex<BTreeMap<Date, EmptySearchesOfDay>>);

impl EmptySearches {
    /// Counts a search.
    pub fn count(&self, text: &str, day: Date) {
        let text = storable(text);
        let mut days = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_day = days.entry(day).or_default();
        of_day.searches += 1;
        let Some(text) = text else { return };
        if of_day.texts.len() < MAX_TEXTS || of_day.texts.contains_key(&text) {
            *of_day.texts.entry(text).or_default() += 1;
        }
    }

    /// Takes all counts.
    #[must_use]
    pub fn take(&self) -> BTreeMap<Date, EmptySearchesOfDay> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns counts that could not be stored.
    pub fn put_back(&self, counts: BTreeMap<Date, EmptySearchesOfDay>) {
        let mut days = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (day, counted) in counts {
            let of_day = days.entry(day).or_default();
            of_day.searches += counted.searches;
            for (text, searches) in counted.texts {
                *of_day.texts.entry(text).or_default() += searches;
            }
        }
    }
}

/// The text as it is stored: in lower case, with single spaces, and shortened. `None`: the text may
/// contain a mail address, a telephone number or another number of a person.
fn storable(text: &str) -> Option<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if text.contains('@') || digits >= MIN_PERSONAL_DIGITS {
        return None;
    }
    // A text in Postgres can't contain NUL.
    let words: Vec<&str> = text.split([' ', '\0']).flat_map(str::split_whitespace).collect();
    let short: String = words.join(" ").to_lowercase().chars().take(MAX_TEXT_LENGTH).collect();
    Some(short.trim_end().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const DAY: Date = date(2026, 11, 20);

    #[test]
    fn spellings_of_a_text_are_counted_together() {
        let counts = EmptySearches::default();
        for text in ["Road  Paint", " road\tpaint ", "roller"] {
            counts.count(text, DAY);
        }
        let taken = counts.take();
        assert_eq!((taken[&DAY].searches, taken[&DAY].texts["road paint"]), (3, 2));
        assert!(counts.take().is_empty());
        counts.count("roller", DAY);
        counts.put_back(taken);
        let all = counts.take();
        assert_eq!((all[&DAY].searches, all[&DAY].texts["roller"]), (4, 2));
    }

    #[test]
    fn personal_texts_are_counted_but_not_kept() {
        let counts = EmptySearches::default();
        for text in ["nimal@example.lk", "077 123 4567", "853400123V", "\0", "x\0"] {
            counts.count(text, DAY);
        }
        let taken = counts.take();
        let kept: Vec<_> = taken[&DAY].texts.keys().map(String::as_str).collect();
        assert_eq!((taken[&DAY].searches, kept), (5, vec!["x"]));
    }

    #[test]
    fn number_and_length_of_texts_are_bounded() {
        let counts = EmptySearches::default();
        counts.count(&"ශ්‍රී ".repeat(60), DAY);
        for nth in 0..MAX_TEXTS + 10 {
            counts.count(&format!("word {nth}"), DAY);
        }
        counts.count("word 1", DAY);
        let taken = counts.take().remove(&DAY).unwrap();
        assert_eq!((taken.searches, taken.texts.len()), (MAX_TEXTS as i64 + 12, MAX_TEXTS));
        assert_eq!(taken.texts["word 1"], 2);
        assert!(taken.texts.keys().all(|text| text.chars().count() <= MAX_TEXT_LENGTH));
    }
}
