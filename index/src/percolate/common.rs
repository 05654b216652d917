//! Words that stand in many tenders, in the three languages: a keyword is never looked up by one of these where it has another
//! word. What is missing here costs time, never a match.

use super::hash::forwards;
use std::{collections::HashSet, sync::LazyLock};

const COMMON: &str = "a an and any are as at be bid bidder bidders bidding bids board building by central chairman city closed \
    closing colombo committee company construction contract contractors corporation council date department details development \
    district division document documents eligible engineer equipment etc fee for from general government have hospital hours in \
    installation invitation invited invites is it item items lanka limited ltd maintenance manager management ministry \
    national no not notice of office on only open opened or other period price procurement project province provincial public \
    purchase purchasing qualified quotation quotations registered registration rehabilitation repair repairs road rs sealed \
    secretary security services service shall should site sri state sub submitted supplier suppliers supply system tender \
    tenders that the this to under unit university until up value water will with within work works year \
    සඳහා සහ හා ලංසු මිල කැඳවීම ගණන් ටෙන්ඩර් ප්රසම්පාදන දැන්වීම මෙම ඇති විසින් දිනය ලංකා ශ්රී මහා \
    மற்றும் கேள்வி விலைமனு கோரல் அறிவித்தல் கொள்முதல் இலங்கை க்கான ஆம் திகதி வழங்கல்";

static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| COMMON.split_whitespace().collect());

static GRAMS: LazyLock<HashSet<u64>> = LazyLock::new(|| {
    COMMON
        .split_whitespace()
        .flat_map(|word| grams(word).map(|(gram, _)| forwards(gram.as_bytes())))
        .collect()
});

/// How many characters a gram has, where a word has as many.
pub(super) const GRAM: usize = 4;

/// Whether many tenders hold this word.
pub(super) fn is_common(word: &str) -> bool {
    WORDS.contains(word)
}

/// Whether many tenders hold a word with this gram, by its hash.
pub(super) fn is_common_gram(hash: u64) -> bool {
    GRAMS.contains(&hash)
}

/// The runs of [`GRAM`] characters in a word, or the word itself where it is shorter, each with its first byte.
pub(super) fn grams(word: &str) -> impl Iterator<Item = (&str, usize)> {
    let ends = word.char_indices().map(|(at, _)| at).skip(1).chain([word.len()]);
    let whole = word.chars().nth(GRAM - 1).is_none();
    let starts = word.char_indices().map(|(at, _)| at);
    let long = starts.zip(ends.skip(GRAM - 1)).map(|(start, end)| (&word[start..end], start));
    whole.then_some((word, 0)).into_iter().chain(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grams_are_all_there_and_short_words_are_their_own() {
        assert_eq!(grams("roads").collect::<Vec<_>>(), [("road", 0), ("oads", 1)]);
        assert_eq!(grams("road").collect::<Vec<_>>(), [("road", 0)]);
        assert_eq!(grams("ab").collect::<Vec<_>>(), [("ab", 0)]);
        assert_eq!(grams("ක්රයක").count(), 2);
    }

    #[test]
    fn the_common_words_are_normal() {
        for word in COMMON.split_whitespace() {
            assert_eq!(crate::text::normalise(word), word);
        }
    }
}
