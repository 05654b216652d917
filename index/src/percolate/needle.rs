//! A needle: the byte string of a keyword to find in a tender's joined words. Every word has a
//! space on both sides, and a closed side of a keyword is one of these spaces. One substring search
//! therefore handles whole words, phrases, prefixes, suffixes and parts of words.

use tender_model::pattern::{Pattern, WordMatch};

/// Writes the needle of a pattern into `needle`, replacing its content.
pub(super) fn write(pattern: &Pattern, needle: &mut Vec<u8>) {
    needle.clear();
    let (left, right) = closed_sides(pattern);
    if left {
        needle.push(b' ');
    }
    needle.extend_from_slice(pattern.as_str().as_bytes());
    if right {
        needle.push(b' ');
    }
}

/// The byte range of the keyword in its needle, without the spaces of closed sides.
pub(super) fn words(needle: &[u8]) -> std::ops::Range<usize> {
    let left = usize::from(needle.first() == Some(&b' '));
    let right = usize::from(needle.len() > left && needle.last() == Some(&b' '));
    left..needle.len() - right
}

/// Whether a needle contains several words.
pub(super) fn is_phrase(needle: &[u8]) -> bool {
    needle[words(needle)].contains(&b' ')
}

fn closed_sides(pattern: &Pattern) -> (bool, bool) {
    let mut sides = pattern.parts().map(|(_, _, side)| side);
    let first = sides.next().unwrap_or(WordMatch::Whole);
    let last = sides.last().unwrap_or(first);
    (
        matches!(first, WordMatch::Whole | WordMatch::Prefix),
        matches!(last, WordMatch::Whole | WordMatch::Suffix),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use tender_model::vocabulary::MatchType;

    #[rstest]
    #[case("Road", MatchType::Exact, " road ")]
    #[case("road", MatchType::StartsWith, " road")]
    #[case("road", MatchType::EndsWith, "road ")]
    #[case("road", MatchType::Contains, "road")]
    #[case("of road-works", MatchType::Exact, " of road works ")]
    #[case("of roads", MatchType::Contains, "of roads")]
    #[case("of roads", MatchType::StartsWith, " of roads")]
    fn a_closed_side_is_a_space(#[case] term: &str, #[case] match_type: MatchType, #[case] expected: &str) {
        let pattern = Pattern::new(term, match_type).unwrap();
        let mut needle = b"before".to_vec();
        write(&pattern, &mut needle);
        assert_eq!(needle, expected.as_bytes());
        assert_eq!(&needle[words(&needle)], pattern.as_str().as_bytes());
        assert_eq!(is_phrase(&needle), expected.trim().contains(' '));
    }
}
