//! Finds the places named in a text. Names that an operator added take precedence over the
//! built-in names of `tender_model`. The location rule decides which mention counts.

use std::{collections::HashMap, ops::Range};
use tender_model::{
    text::Words,
    vocabulary::{
        District, Province,
        gazetteer::{self, mentions},
    },
};

/// The maximum number of words in an added name.
const MAX_WORDS: usize = 6;

/// A province, district or town.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A province.
    Province(Province),
    /// A district, or the town after which the district is named.
    District(District),
    /// A town with its district.
    Town(String, District),
}

impl Place {
    /// The district, unless the place is a province.
    pub(crate) const fn district(&self) -> Option<District> {
        match self {
            Self::Province(_) => None,
            Self::District(district) | Self::Town(_, district) => Some(*district),
        }
    }
}

/// A place named in a text, with the byte range of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) range: Range<usize>,
    pub(crate) place: Place,
}

/// The places that an operator added, by normalised name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    names: HashMap<String, Place>,
}

impl Places {
    /// Adds a place; `false` if the name has no words or too many.
    pub(crate) fn add(&mut self, name: &str, place: Place) -> bool {
        let words = Words::of(name);
        let fits = (1..=MAX_WORDS).contains(&words.len());
        if fits {
            self.names.insert(words.as_str().to_owned(), place);
        }
        fits
    }

    /// The places named in a text, in order. An added name takes precedence over a built-in name
    /// that overlaps it.
    pub(crate) fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut found = self.added_mentions(text);
        let overlaps = |found: &[Mention], range: &Range<usize>| {
            found.iter().any(|other| other.range.start < range.end && range.start < other.range.end)
        };
        for mention in mentions(text) {
            if !overlaps(&found, &mention.range) {
                let place = match mention.place {
                    gazetteer::Place::Province(province) => Place::Province(province),
                    gazetteer::Place::District(district) => Place::District(district),
                    gazetteer::Place::Town(town, district) => Place::Town(town.to_owned(), district),
                };
                found.push(Mention { range: mention.range, place });
            }
        }
        found.sort_by_key(|mention| mention.range.start);
        found
    }

    fn added_mentions(&self, text: &str) -> Vec<Mention> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let words = Words::of(text);
        let places = words.ranges();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(first) = places.get(at) {
            let longest = places[at..].iter().take(MAX_WORDS).enumerate().rev().find_map(|(more, last)| {
                let place = self.names.get(&words.as_str()[first.start..last.end])?;
                let range = first.from..last.to;
                // A name does not cross the end of a sentence, of a part of an address, of a cell
                // or of a paragraph.
                let whole = !text[range.clone()].contains(['.', ',', ';', ':', '(', ')', '/', '\t'])
                    && !text[range.clone()].contains("\n\n");
                whole.then(|| (more + 1, Mention { range, place: place.clone() }))
            });
            at += longest.as_ref().map_or(1, |(count, _)| *count);
            found.extend(longest.map(|(_, mention)| mention));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_places_take_precedence_in_every_script() {
        let mut places = Places::default();
        let town = || Place::Town("Wewala West".into(), District::Kegalle);
        assert!(places.add("Wewala West", town()) && places.add("වේවල බටහිර", town()));
        assert!(places.add("Horana", Place::District(District::Galle)));
        assert!(!places.add(" - ", town()) && !places.add("a b c d e f g", town()));
        let named = |text: &str| places.mentions(text).into_iter().map(|it| it.place).collect::<Vec<_>>();
        assert_eq!(
            named("at WEWALA-West, Horana and Kandy"),
            [town(), Place::District(District::Galle), Place::District(District::Kandy)]
        );
        assert_eq!(named("වේවල බටහිර කාර්යාලය"), [town()]);
        assert_eq!(named("in Wewala, West of it"), []);
    }
}
