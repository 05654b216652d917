//! One name for all spellings of a public body.

use super::names::ORGANIZATIONS;
use crate::text::normalise;
use std::{collections::HashMap, sync::LazyLock};

/// The words of the first English name of each known body, by the words of all its names.
static FIRST_NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for line in ORGANIZATIONS.lines() {
        let mut spellings = line.split(['\t', '|']).map(normalise).filter(|words| !words.is_empty());
        let Some(first) = spellings.next() else { continue };
        for spelling in spellings {
            names.entry(spelling).or_insert_with(|| first.clone());
        }
    }
    names
});

/// The normalised words by which spellings of a body are equal. A spelling that the gazetteer lists,
/// such as an acronym or a Sinhala name, has the words of the body's first English name.
#[must_use]
pub fn body_words(name: &str) -> String {
    let words = normalise(name);
    FIRST_NAMES.get(&words).cloned().unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::body_words;

    #[test]
    fn spellings_of_a_body_have_the_same_words() {
        for name in ["Road Development Authority", "ROAD  DEVELOPMENT AUTHORITY,", "RDA", "මාර්ග සංවර්ධන අධිකාරිය"]
        {
            assert_eq!(body_words(name), "road development authority", "{name}");
        }
        assert_eq!(body_words("RDA Colombo"), "rda colombo", "a part of a name does not count");
        assert_eq!(body_words(" - "), "");
    }
}
