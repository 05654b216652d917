//! [`Pattern`]: a normalised keyword with an open or closed end on either side. The reference
//! implementation, the percolator and the forward search share this type; each matches it in its
//! own way.

use crate::{text::normalise, vocabulary::MatchType};
use std::ops::Range;

/// A sequence of adjacent words. If the left side is open, a matching text may have more
/// characters directly before the first word. If the right side is open, more characters may
/// directly follow the last word.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    /// The words, joined by one space. Never empty.
    words: Box<str>,
    open_left: bool,
    open_right: bool,
}

/// How a word of a pattern matches a word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordMatch {
    /// The words are equal.
    Whole,
    /// The text's word starts with the pattern's word.
    Prefix,
    /// The text's word ends with the pattern's word.
    Suffix,
    /// The text's word contains the pattern's word.
    Infix,
}

impl Pattern {
    /// The pattern of a keyword. `None` if `term` contains no word.
    #[must_use]
    pub fn new(term: &str, match_type: MatchType) -> Option<Self> {
        let words = normalise(term).into_boxed_str();
        let (open_left, open_right) = match match_type {
            MatchType::Exact => (false, false),
            MatchType::StartsWith => (false, true),
            MatchType::EndsWith => (true, false),
            MatchType::Contains => (true, true),
        };
        (!words.is_empty()).then_some(Self { words, open_left, open_right })
    }

    /// The words, joined by one space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.words
    }

    /// Each word with its byte offset in [`Pattern::as_str`] and how it must match.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &str, WordMatch)> {
        let (base, end) = (self.words.as_ptr() as usize, self.words.len());
        self.words.split(' ').map(move |word| {
            let start = word.as_ptr() as usize - base;
            let left = self.open_left && start == 0;
            let right = self.open_right && start + word.len() == end;
            let side = match (left, right) {
                (false, false) => WordMatch::Whole,
                (false, true) => WordMatch::Prefix,
                (true, false) => WordMatch::Suffix,
                (true, true) => WordMatch::Infix,
            };
            (start, word, side)
        })
    }

    /// Whether the pattern matches at byte `start` of words joined by one space. A line break
    /// between words prevents a match across it, so several texts can be searched as one.
    #[must_use]
    pub fn matches_at(&self, words: &str, start: usize) -> bool {
        let (words, end) = (words.as_bytes(), start + self.words.len());
        words.get(start..end) == Some(self.words.as_bytes())
            && (self.open_left || start == 0 || words[start - 1] <= b' ')
            && (self.open_right || words.get(end).is_none_or(|after| *after <= b' '))
    }

    /// The first match in words joined by one space.
    #[must_use]
    pub fn find(&self, words: &str) -> Option<Range<usize>> {
        let mut from = 0;
        while let Some(offset) = words.get(from..)?.find(&*self.words) {
            let start = from + offset;
            if self.matches_at(words, start) {
                return Some(start..start + self.words.len());
            }
            from = start + words[start..].chars().next().map_or(1, char::len_utf8);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MatchType::{Contains, EndsWith, Exact, StartsWith};
    use rstest::rstest;

    #[rstest]
    #[case("road", Exact, "the road ends", Some(4..8))]
    #[case("road", Exact, "roads", None)]
    #[case("road", Exact, "broad road", Some(6..10))]
    #[case("road", StartsWith, "broad roads", Some(6..10))]
    #[case("road", EndsWith, "abroad", Some(2..6))]
    #[case("road", EndsWith, "roads", None)]
    #[case("road", Contains, "broads", Some(1..5))]
    #[case("ad wo", Contains, "broad work", Some(3..8))]
    #[case("ad wo", Exact, "broad work", None)]
    #[case("road work", StartsWith, "road works", Some(0..9))]
    #[case("road work", StartsWith, "broad works", None)]
    #[case("C5", Contains, "abc 500", Some(2..5))]
    #[case("aa", Exact, "aaa aa", Some(4..6))]
    fn a_pattern_is_found_where_its_sides_allow(
        #[case] term: &str,
        #[case] match_type: MatchType,
        #[case] words: &str,
        #[case] place: Option<Range<usize>>,
    ) {
        assert_eq!(Pattern::new(term, match_type).unwrap().find(words), place);
    }

    #[test]
    fn a_term_without_words_has_no_pattern() {
        assert_eq!(Pattern::new(" --- ", Contains), None);
    }

    #[test]
    fn patterns_do_not_match_across_texts() {
        let pattern = Pattern::new("of works", Contains).unwrap();
        assert_eq!(pattern.find("kind of\nworks"), None);
        assert!(Pattern::new("works", Exact).unwrap().find("kind of\nworks\n").is_some());
    }

    #[test]
    fn only_the_outer_words_have_an_open_side() {
        let pattern = Pattern::new("a b c", Contains).unwrap();
        let sides: Vec<_> = pattern.parts().map(|(start, _, side)| (start, side)).collect();
        assert_eq!(sides, [(0, WordMatch::Suffix), (2, WordMatch::Whole), (4, WordMatch::Prefix)]);
    }
}
