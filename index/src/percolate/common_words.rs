//! Frequent words in tenders, in the three languages. Their n-grams have a higher cost, so that
//! needles are preferably indexed under other n-grams. If a word is missing from the list, matching
//! may be slower, but finds the same alerts.

use super::ngram::{WORD_LENGTHS, key_of};
use std::{collections::HashSet, sync::LazyLock};

const COMMON_WORDS: &str = "a an and any are as at be bid bidder bidders bidding bids board building by central chairman city closed \
    closing colombo committee company construction contract contractors corporation council date department details development \
    district division document documents eligible engineer equipment etc fee for from general government have hospital hours in \
    installation invitation invited invites is it item items lanka limited ltd maintenance manager management ministry \
    national no not notice of office on only open opened or other period price procurement project province provincial public \
    purchase purchasing qualified quotation quotations registered registration rehabilitation repair repairs road rs sealed \
    secretary security services service shall should site sri state sub submitted supplier suppliers supply system tender \
    tenders that the this to under unit university until up value water will with within work works year \
    සඳහා සහ හා ලංසු මිල කැඳවීම ගණන් ටෙන්ඩර් ප්රසම්පාදන දැන්වීම මෙම ඇති විසින් දිනය ලංකා ශ්රී මහා \
    மற்றும் கேள்வி விலைமனு கோரல் அறிவித்தல் கொள்முதல் இலங்கை க்கான ஆம் திகதி வழங்கல்";

/// The n-grams of the common words, as length and key.
static COMMON_NGRAMS: LazyLock<HashSet<(usize, u64)>> = LazyLock::new(|| {
    let text: String = COMMON_WORDS.split_whitespace().map(|word| format!(" {word} ")).collect();
    let windows = |length: &usize| {
        let length = *length;
        text.as_bytes()
            .windows(length)
            .map(move |window| (length, key_of(window, length)))
            .collect::<Vec<_>>()
    };
    WORD_LENGTHS.iter().flat_map(windows).collect()
});

/// Whether an n-gram occurs in a common word.
pub(super) fn is_common(length: usize, key: u64) -> bool {
    COMMON_NGRAMS.contains(&(length, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_words_are_normalised() {
        for word in COMMON_WORDS.split_whitespace() {
            assert_eq!(tender_model::text::normalise(word), word);
        }
    }

    #[test]
    fn parts_of_common_words_are_common() {
        let is = |window: &str| is_common(window.len(), key_of(window.as_bytes(), window.len()));
        assert!(is(" the ") && is("ructio") && is("t"));
        assert!(!is("xylo") && !is(" bridge "));
    }
}
