//! Finds the places that a text mentions.

use crate::vocabulary::{District, Province};
use std::{collections::HashMap, ops::Range, sync::LazyLock};

/// A place named in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The byte range of the name in the text.
    pub range: Range<usize>,
    /// The place that the name means.
    pub place: Place,
}

/// A place in the gazetteer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A province. Its names include the word for "province" or "provincial".
    Province(Province),
    /// A district, or the town with the same name.
    District(District),
    /// A town or divisional secretariat, with its district.
    Town(&'static str, District),
}

impl Place {
    /// The district. `None` for a province.
    #[must_use]
    pub const fn district(self) -> Option<District> {
        match self {
            Self::Province(_) => None,
            Self::District(district) | Self::Town(_, district) => Some(district),
        }
    }
}

/// The places mentioned in `text`, in order. If several names start at one word, the longest wins.
#[must_use]
pub fn mentions(text: &str) -> Vec<Mention> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match longest_name(text, &words[at..]) {
            Some((count, place)) => {
                let range = words[at].start..words[at + count - 1].end;
                found.push(Mention { range, place });
                at += count;
            }
            None => at += 1,
        }
    }
    found
}

/// The places by their names, in lower case with single spaces. Sinhala and Tamil names of
/// districts are in [`DISTRICT_STEMS`].
static NAMES: LazyLock<HashMap<String, Place>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for line in include_str!("towns.tsv").lines() {
        let mut fields = line.split('\t');
        let (Some(town), Some(Ok(district))) = (fields.next(), fields.next().map(str::parse)) else {
            continue;
        };
        for name in std::iter::once(town).chain(fields).filter(|name| !name.is_empty()) {
            names.insert(name_key(name), Place::Town(town, district));
        }
    }
    for district in District::ALL {
        names.insert(name_key(district.as_str()), Place::District(*district));
    }
    for line in include_str!("variants.tsv").lines() {
        if let Some((variant, Ok(district))) =
            line.split_once('\t').map(|(variant, name)| (variant, name.parse()))
        {
            names.insert(variant.to_owned(), Place::District(district));
        }
    }
    for line in include_str!("provinces.tsv").lines() {
        let name = line.split_once(" Province").and_then(|(name, _)| name.parse().ok());
        let spellings = line.split('\t').map(name_key);
        names.extend(
            name.into_iter()
                .flat_map(|province| spellings.clone().map(move |name| (name, Place::Province(province)))),
        );
    }
    names.insert("uva provincial".to_owned(), Place::Province(Province::Uva));
    names
});

/// District names in Sinhala and Tamil. They take endings, so they match as prefixes of words.
static DISTRICT_STEMS: LazyLock<Vec<(&str, District)>> = LazyLock::new(|| {
    let rows = include_str!("districts.tsv").lines().filter_map(|line| {
        let (district, others) = line.split_once('\t')?;
        Some((district.parse().ok()?, others))
    });
    rows.flat_map(|(district, others)| {
        others.split('\t').map(move |name| (name.strip_suffix("ம்").unwrap_or(name), district))
    })
    .collect()
});

/// The maximum number of words of a name in [`NAMES`].
const MAX_WORDS: usize = 5;

fn longest_name(text: &str, words: &[Range<usize>]) -> Option<(usize, Place)> {
    for count in (1..=words.len().min(MAX_WORDS)).rev() {
        let phrase = &text[words[0].start..words[count - 1].end];
        // A name does not continue across these characters or an empty line.
        if phrase.contains(['.', ',', ';', ':', '(', ')', '/', '\t']) || phrase.contains("\n\n") {
            continue;
        }
        if let Some(place) = NAMES.get(&name_key(phrase)) {
            return Some((count, *place));
        }
    }
    let word = &text[words[0].clone()];
    if word.is_ascii() {
        return None;
    }
    DISTRICT_STEMS
        .iter()
        .find(|(stem, _)| word.starts_with(stem))
        .map(|(_, district)| (1, Place::District(*district)))
}

fn name_key(name: &str) -> String {
    let words: Vec<_> = name.split([' ', '\n', '-']).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

/// The runs of letters, marks and joiners.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (at, letter) in text.char_indices() {
        let inside = letter.is_alphabetic()
            || (!letter.is_ascii() && !letter.is_whitespace() && is_sinhala_tamil_or_joiner(letter));
        match (inside, open, words.last_mut()) {
            (true, true, Some(word)) => word.end = at + letter.len_utf8(),
            (true, _, _) => words.push(at..at + letter.len_utf8()),
            _ => {}
        }
        open = inside;
    }
    words
}

/// Whether a character is from the Sinhala or Tamil block, which includes signs that are not
/// letters, or is a joiner.
fn is_sinhala_tamil_or_joiner(letter: char) -> bool {
    matches!(letter, '\u{0B82}'..='\u{0BD7}' | '\u{0D81}'..='\u{0DF3}' | '\u{200C}' | '\u{200D}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<Place> {
        mentions(text).into_iter().map(|mention| mention.place).collect()
    }

    #[test]
    fn every_line_of_the_data_is_read() {
        assert_eq!(DISTRICT_STEMS.len(), 50);
        assert!(NAMES.len() > 2000, "{}", NAMES.len());
        for line in include_str!("towns.tsv").lines() {
            assert!(line.split('\t').nth(1).is_some_and(|name| name.parse::<District>().is_ok()), "{line}");
        }
    }

    #[test]
    fn places_are_found_in_three_scripts() {
        assert_eq!(
            places("at Nuwara\nEliya, and MONARAGALA"),
            [Place::District(District::NuwaraEliya), Place::District(District::Moneragala)]
        );
        assert_eq!(places("කුරුණෑගල දිස්ත්‍රික්කයේ"), [Place::District(District::Kurunegala)]);
        assert_eq!(places("யாழ்ப்பாணத்தில்"), [Place::District(District::Jaffna)]);
        assert_eq!(places("யாழ்ப்பாணம்"), [Place::District(District::Jaffna)]);
        assert_eq!(places("in the Central Province"), [Place::Province(Province::Central)]);
    }

    #[test]
    fn a_town_has_its_district() {
        assert_eq!(places("Wewala, Horana"), [Place::Town("Horana", District::Kalutara)]);
    }
}
