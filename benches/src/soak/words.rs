//! The words from which titles and alerts are made. Each tender has a marker of its own, so that
//! it is recognised wherever it appears. Pool words decide which alerts match which tenders.

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};

/// The first letters of a tender's marker. No other word begins like this.
const TENDER_PREFIX: &str = "qxt";
/// The first letters of an alert's marker.
const ALERT_PREFIX: &str = "qxa";
/// The word that all titles of a run contain. A broad alert looks for it.
pub(super) const BROAD_WORD: &str = "zzsoak";

/// The words that alerts look for. No word is a part of another one.
pub(super) const POOL: [&str; 24] = [
    "zzbrova", "zzcelmi", "zzdunta", "zzefroc", "zzfagul", "zzgihop", "zzhejil", "zzikonu", "zzjarep",
    "zzkofit", "zzlumad", "zzmisor", "zznadev", "zzopwik", "zzpulga", "zzrefni", "zzsatub", "zztolec",
    "zzumbir", "zzvekos", "zzwanif", "zzxodul", "zzyeram", "zzzigon",
];

/// Words that few titles contain, so that a daily mail or an SMS about one lists all its tenders.
pub(super) const RARE: [&str; 12] = [
    "zyadrem", "zybolux", "zycarin", "zydefot", "zyelgap", "zyfimok", "zygusan", "zyhopel", "zyirtul",
    "zyjakov", "zykemin", "zyluram",
];

/// Makes a marker of random letters.
fn marker(prefix: &str, random: &mut StdRng) -> String {
    let letters = (0..12).map(|_| char::from(random.random_range(b'a'..=b'z')));
    prefix.chars().chain(letters).collect()
}

pub(super) fn tender_marker(random: &mut StdRng) -> String {
    marker(TENDER_PREFIX, random)
}

pub(super) fn alert_marker(random: &mut StdRng) -> String {
    marker(ALERT_PREFIX, random)
}

/// Chooses different words of the pool.
pub(super) fn pool_words(count: usize, random: &mut StdRng) -> Vec<&'static str> {
    POOL.choose_multiple(random, count).copied().collect()
}

/// Chooses a rare word.
pub(super) fn rare_word(random: &mut StdRng) -> &'static str {
    RARE[random.random_range(0..RARE.len())]
}

/// Returns the marker with which a title begins.
pub(super) fn marker_of_title(title: &str) -> Option<&str> {
    let word = title.split_whitespace().next()?;
    word.starts_with(TENDER_PREFIX).then_some(word)
}

/// Whether a title contains one of the keywords as a whole word. Titles and keywords of a run
/// consist of small letters and spaces.
pub fn matches(title: &str, keywords: &[String]) -> bool {
    title.split_whitespace().any(|word| keywords.iter().any(|keyword| keyword == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_part_of_another_word() {
        let words: Vec<&str> = POOL.into_iter().chain(RARE).chain([BROAD_WORD]).collect();
        for (place, word) in words.iter().enumerate() {
            assert!(words.iter().enumerate().all(|(other, text)| other == place || !text.contains(word)));
        }
    }
}
