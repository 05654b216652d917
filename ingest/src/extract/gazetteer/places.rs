//! Where a text names a place: the index's gazetteer, and before it the districts' spellings and the towns that an operator
//! has added. Which mention counts is `place`'s to decide.

use index::{
    text::Words,
    vocabulary::{
        District, Province,
        gazetteer::{self, mentions},
    },
};
use std::{collections::HashMap, ops::Range};

/// No added name has more words.
const MOST_WORDS: usize = 6;

/// A place that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A province.
    Province(Province),
    /// A district, or the town it is named after.
    District(District),
    /// A town and its district.
    Town(String, District),
}

impl Place {
    /// The district, unless it is a whole province.
    pub(crate) const fn district(&self) -> Option<District> {
        match self {
            Self::Province(_) => None,
            Self::District(district) | Self::Town(_, district) => Some(*district),
        }
    }
}

/// A place and the bytes that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) range: Range<usize>,
    pub(crate) place: Place,
}

/// Places by their names as normalised words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    names: HashMap<String, Place>,
}

impl Places {
    /// Adds a place under one of its names; `false` where the name has no words, or too many.
    pub(crate) fn add(&mut self, name: &str, place: Place) -> bool {
        let words = Words::of(name);
        let fits = (1..=MOST_WORDS).contains(&words.len());
        if fits {
            self.names.insert(words.as_str().to_owned(), place);
        }
        fits
    }

    /// The places named in a text in order; an added name goes before what the index knows at the same words.
    pub(crate) fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut found = self.added(text);
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

    fn added(&self, text: &str) -> Vec<Mention> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let words = Words::of(text);
        let places = words.places();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(first) = places.get(at) {
            let longest = places[at..].iter().take(MOST_WORDS).enumerate().rev().find_map(|(more, last)| {
                let place = self.names.get(&words.as_str()[first.start..last.end])?;
                let range = first.from..last.to;
                // A name does not run over the end of a sentence, a line of an address or a cell.
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
    fn added_places_go_before_known_ones_in_every_script() {
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
