//! Corrections of words that no text of the viewer contains: frequent words within one edit (two for long
//! words), names of the gazetteer, or two words that were written as one.

use super::{
    search_field::{FieldTerm, SearchField},
    term_index::TermIndex,
};
use crate::error::IndexError;
use std::{cmp::Reverse, collections::HashMap};
use tender_model::vocabulary::gazetteer;
use unicode_normalization::char::is_combining_mark;

/// The maximum number of corrections of a word.
const MAX_CORRECTIONS: usize = 3;
/// The minimum number of letters of a word that may have one typing error.
const MIN_LETTERS_FOR_ONE_TYPO: usize = 5;
/// The minimum number of letters of a word that may have two typing errors.
const MIN_LETTERS_FOR_TWO_TYPOS: usize = 9;
/// A correction with the same first letter as the typed word weighs this many times as much.
const SAME_FIRST_LETTER_FACTOR: u64 = 8;
/// A correction is dropped if the best one weighs more than this many times as much.
const MAX_FREQUENCY_RATIO: u64 = 20;

/// The number of edits allowed for a word. 0 for short words and numbers.
pub(super) fn allowed_edits(word: &str) -> u8 {
    let letters = word.chars().filter(|c| !is_combining_mark(*c)).count();
    match letters {
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => 0,
        MIN_LETTERS_FOR_TWO_TYPOS.. => 2,
        MIN_LETTERS_FOR_ONE_TYPO.. => 1,
        _ => 0,
    }
}

/// The corrections of a word, the most likely first. Each correction is one word or two.
pub(super) fn corrections(
    word: &str,
    field: SearchField,
    index: &dyn TermIndex,
) -> Result<Vec<Vec<String>>, IndexError> {
    let allowed = allowed_edits(word);
    for distance in 1..=allowed {
        let mut found = index.similar_terms(field, word, distance)?;
        // A word is not corrected to a number.
        found.retain(|term, _| !term.starts_with(|c: char| c.is_ascii_digit()));
        let mut likely = likeliest(word, found, |term| index.occurs(field, term))?;
        if likely.is_empty() {
            let names = gazetteer::latin_words().filter(|name| is_within(word, name, distance.into()));
            likely = likeliest(word, names.map(|name| (name.to_owned(), 1)).collect(), |_| Ok(true))?;
        }
        if !likely.is_empty() {
            return Ok(likely.into_iter().map(|word| vec![word]).collect());
        }
        if distance == 1
            && let Some(parts) = split_word(word, field, index)?
        {
            return Ok(vec![parts]);
        }
    }
    Ok(Vec::new())
}

/// The most frequent of the found words that the viewer may read, each with its frequency.
fn likeliest(
    word: &str,
    found: HashMap<String, u64>,
    may_read: impl Fn(&str) -> Result<bool, IndexError>,
) -> Result<Vec<String>, IndexError> {
    let first = word.chars().next();
    let weigh = |(term, count): (String, u64)| {
        let weight =
            if term.chars().next() == first { count.saturating_mul(SAME_FIRST_LETTER_FACTOR) } else { count };
        (Reverse(weight), term)
    };
    let mut ranked: Vec<_> = found.into_iter().map(weigh).collect();
    ranked.sort_unstable();
    let (mut best, mut likely) = (0, Vec::new());
    for (Reverse(weight), term) in ranked {
        if likely.len() == MAX_CORRECTIONS || weight.saturating_mul(MAX_FREQUENCY_RATIO) < best {
            break;
        }
        if may_read(&term)? {
            best = best.max(weight);
            likely.push(term);
        }
    }
    Ok(likely)
}

/// The two parts of a long word, if both occur in titles: `classroom` is also written `class room`.
pub(super) fn split_compound(word: &str, index: &dyn TermIndex) -> Result<Option<Vec<String>>, IndexError> {
    best_split(compound_parts(word), SearchField::Title, index)
}

/// The ways to split a word that may be a compound.
pub(super) fn compound_parts(word: &str) -> impl Iterator<Item = (&str, &str)> {
    /// Shorter words are rarely compounds.
    const MIN_LENGTH: usize = 7;
    let is_long = word.len() >= MIN_LENGTH && word.bytes().all(|byte| byte.is_ascii_lowercase());
    parts(word).filter(move |_| is_long)
}

/// Splits a word into two words of the field.
fn split_word(
    word: &str,
    field: SearchField,
    index: &dyn TermIndex,
) -> Result<Option<Vec<String>>, IndexError> {
    let terms: Vec<FieldTerm> = parts(word)
        .flat_map(|(left, right)| [FieldTerm::new(field, left), FieldTerm::new(field, right)])
        .collect();
    index.prefetch(&terms)?;
    best_split(parts(word), field, index)
}

/// The ways to split a word into two.
fn parts(word: &str) -> impl Iterator<Item = (&str, &str)> {
    const MIN_LENGTH: usize = 3;
    let letters = word.chars().count();
    let ends = word.char_indices().skip(MIN_LENGTH).take((letters + 1).saturating_sub(2 * MIN_LENGTH));
    ends.map(|(at, _)| word.split_at(at))
}

/// The split of which both parts occur in the field. The one whose rarer part is most frequent wins.
fn best_split<'w>(
    splits: impl Iterator<Item = (&'w str, &'w str)>,
    field: SearchField,
    index: &dyn TermIndex,
) -> Result<Option<Vec<String>>, IndexError> {
    let mut best: Option<(u64, Vec<String>)> = None;
    for (left, right) in splits {
        let rarer = index.frequency(field, left)?.min(index.frequency(field, right)?);
        if rarer > best.as_ref().map_or(0, |(count, _)| *count)
            && index.occurs(field, left)?
            && index.occurs(field, right)?
        {
            best = Some((rarer, vec![left.to_owned(), right.to_owned()]));
        }
    }
    Ok(best.map(|(_, parts)| parts))
}

/// Whether the words differ by at most `most` insertions, deletions, substitutions and
/// transpositions (optimal string alignment).
fn is_within(word: &str, other: &str, most: usize) -> bool {
    let (word, other): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    if word.len().abs_diff(other.len()) > most {
        return false;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for i in 0..word.len() {
        let mut row = vec![i + 1];
        for j in 0..other.len() {
            let changed = above[j] + usize::from(word[i] != other[j]);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && word[i] == other[j - 1] && word[i - 1] == other[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().is_some_and(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_may_have_typos() {
        for (word, typos) in [
            ("road", 0),
            ("roads", 1),
            ("computer", 1),
            ("computers", 2),
            ("202111", 0),
            ("ගාල්ල", 0),
            ("කුරුණෑගල", 1),
        ] {
            assert_eq!(allowed_edits(word), typos, "{word}");
        }
    }

    #[test]
    fn a_transposition_counts_as_one_edit() {
        assert!(is_within("kurungeala", "kurunegala", 1));
        assert!(is_within("colmbo", "colombo", 1));
        assert!(is_within("xolombo", "colombo", 1));
        assert!(!is_within("clmbo", "colombo", 1));
        assert!(is_within("clmbo", "colombo", 2));
        assert!(!is_within("", "colombo", 2));
    }
}
