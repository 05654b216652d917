//! A keyword as a needle: the bytes to be found in a tender's joined words, where every word has a space before and behind it. A
//! closed side of the keyword is such a space; so one search for bytes serves whole words, phrases, beginnings, ends and
//! parts of words alike.

use tender_model::pattern::{Pattern, Side};

/// Writes a pattern's needle into `needle`, in place of what was there.
pub(super) fn write(pattern: &Pattern, needle: &mut Vec<u8>) {
    needle.clear();
    let (left, right) = closed(pattern);
    if left {
        needle.push(b' ');
    }
    needle.extend_from_slice(pattern.as_str().as_bytes());
    if right {
        needle.push(b' ');
    }
}

/// Which part of a needle is the keyword's words.
pub(super) fn words(needle: &[u8]) -> std::ops::Range<usize> {
    let left = usize::from(needle.first() == Some(&b' '));
    let right = usize::from(needle.len() > left && needle.last() == Some(&b' '));
    left..needle.len() - right
}

/// Whether a needle runs over several words.
pub(super) fn is_phrase(needle: &[u8]) -> bool {
    needle[words(needle)].contains(&b' ')
}

fn closed(pattern: &Pattern) -> (bool, bool) {
    let mut sides = pattern.parts().map(|(_, _, side)| side);
    let first = sides.next().unwrap_or(Side::Whole);
    let last = sides.last().unwrap_or(first);
    (matches!(first, Side::Whole | Side::Prefix), matches!(last, Side::Whole | Side::Suffix))
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
