//! The location of the work or the organisation. Mentions of places are weighted by their
//! position. The end of an address counts more than a town in the title. A town in the name of a
//! road does not count.

use super::pattern::patterns;
use crate::extract::{
    Gazetteer,
    gazetteer::{Mention, Place},
    printed::{Found, Printed},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use tender_model::vocabulary::{District, Province};

/// The location of a notice.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Location {
    pub(crate) province: Option<Found<Province>>,
    pub(crate) district: Option<Found<District>>,
    pub(crate) city: Option<Found<String>>,
}

patterns! {
    NAME_BEFORE = r"(?:university|bank|college) of\s*$";
    STREET_AFTER = r"^\s*(?:road|rd\b|street|st\b\.?|mawatha|mw\b|lane|avenue|highway|place\b|veediya|para\b|-\s?\p{L}+\s?\(?.{0,8}\)?\s?road|පාර|மாவத்தை)";
    DISTRICT_AFTER = r"^\s*(?:administrative\s)?(?:district|දිස්ත්‍රික්ක|மாவட்ட)";
    DISTRICT_BEFORE = r"(?:district|districts) of\s*$|district general hospital\s*$|district secretariat[\s,\-]*$";
    IN_PLACE = r"\b(?:in|at|of|within)\s+(?:the\s+)?$";
    // `Cold Storage at Rajanganaya`, `Library Building, Badalkumbura`.
    AT_THE_END = r"(?:\b(?:at|in|near)\s|,\s)((?-i:\p{Lu}\p{Ll}{3,}(?:\s\p{Lu}\p{Ll}{2,})?))$";
    ADDRESS_BEFORE = r"(?:road|street|mawatha|lane|avenue|veediya|box \d+|estate)[\s,.\d]*$";
}

/// The highest confidence of a district from an address that may not be the place of the work.
/// This is so if the title names an unknown place, or if only an address names Colombo.
const UNCERTAIN_ADDRESS_CEILING: f64 = 0.7;
/// The weight of a place at the end of an address outside the signature.
const ADDRESS_WEIGHT: u32 = 7;
/// The weight of a district with the word `district` beside its name.
const DISTRICT_WEIGHT: u32 = 9;

/// Finds the location of a notice. A district is certain if its weight is at least five, and leads
/// by at least four over the next district.
pub(crate) fn find_location(
    printed: &Printed,
    title: Option<&Found<String>>,
    gazetteer: &Gazetteer,
) -> Location {
    let text = printed.flow();
    let title_end = title.map_or(0, |title| title.range.end);
    let all = gazetteer.mentions(text);
    let mut votes: BTreeMap<District, (u32, Mention)> = BTreeMap::new();
    let mut city: Option<(u32, Found<String>)> = None;
    let mut province = None;
    // The districts named outside addresses.
    let mut named = BTreeSet::new();
    for mention in &all {
        if let Place::Province(named) = mention.place {
            province.get_or_insert(Found::new(named, 0.9, mention.range.clone()));
        }
        let Some(district) = mention.place.district() else { continue };
        let weight = mention_weight(text, mention, title_end);
        if weight == 0 {
            continue;
        }
        if weight < ADDRESS_WEIGHT || weight == DISTRICT_WEIGHT {
            named.insert(district);
        }
        // Position counts more than frequency: a title may name two towns of another district.
        let entry = votes.entry(district).or_insert_with(|| (0, mention.clone()));
        entry.0 = entry.0.max(weight) + u32::from(entry.0 > 0);
        if let Place::Town(town, _) = &mention.place
            && weight >= 5
            && city.as_ref().is_none_or(|(other, _)| weight > *other)
        {
            city = Some((weight, Found::new(town.clone(), 0.75, mention.range.clone())));
        }
    }
    let mut ranked: Vec<_> = votes.into_iter().collect();
    ranked.sort_by_key(|(_, (weight, mention))| (std::cmp::Reverse(*weight), mention.range.start));
    let lead = ranked.get(1).map_or(0, |(_, (weight, _))| *weight);
    let district = ranked.first().map(|(district, (weight, mention))| {
        let confidence = match (*weight, weight - lead) {
            (9.., 4..) => 0.96,
            (5.., 4..) => 0.9,
            (5.., 2..) => 0.75,
            _ => 0.55,
        };
        Found::new(*district, confidence, mention.range.clone())
    });
    let titled = title.map_or_else(Vec::new, |title| districts_in_title(text, &all, &title.range));
    let district = district.map(|district| match titled.as_slice() {
        [first, others @ ..] if titled.iter().all(|place| place.value != district.value) => {
            // Many head offices are in Colombo, while their works are elsewhere.
            if district.value == District::Colombo && others.iter().all(|other| other.value == first.value) {
                first.clone()
            } else {
                // The title and the address name different places. It is unclear which one is the
                // place of the work.
                Found { confidence: 0.5, ..district }
            }
        }
        _ => district,
    });
    // If the place in the title is unknown, the work may not be at the address.
    let names_another = title.is_some_and(|title| {
        let place = AT_THE_END.captures(&title.value).and_then(|groups| groups.get(1));
        place.is_some_and(|place| gazetteer.mentions(place.as_str()).is_empty())
    });
    let district = district.map(|district| {
        let may_be_elsewhere = names_another
            || title.is_some() && district.value == District::Colombo && !named.contains(&district.value);
        let most = if may_be_elsewhere { UNCERTAIN_ADDRESS_CEILING } else { 1.0 };
        Found { confidence: district.confidence.min(most), ..district }
    });
    let city = city.filter(|(_, city)| {
        let home = all
            .iter()
            .find(|mention| mention.range == city.range)
            .and_then(|mention| mention.place.district());
        home == district.as_ref().map(|district| district.value)
    });
    let province = match &district {
        Some(district) => Some(district.clone().map(District::province)),
        None => province,
    };
    Location { province, district, city: city.map(|(_, city)| city) }
}

/// The districts that the title names as the place of the work: `… at Nuwara Eliya`.
fn districts_in_title(text: &str, all: &[Mention], title: &Range<usize>) -> Vec<Found<District>> {
    let named = all.iter().filter(|mention| {
        let before = &text[..mention.range.start];
        title.contains(&mention.range.start) && IN_PLACE.is_match(before) && !NAME_BEFORE.is_match(before)
    });
    let districts = named.filter_map(|mention| {
        let district = mention.place.district()?;
        Some(Found::new(district, 0.75, mention.range.clone()))
    });
    districts.collect()
}

fn mention_weight(text: &str, mention: &Mention, title_end: usize) -> u32 {
    let (before, after) = (&text[..mention.range.start], &text[mention.range.end..]);
    let before = &before[super::cues::floor_char_boundary(before, before.len().saturating_sub(60))..];
    let is_town = matches!(mention.place, Place::Town(..));
    if STREET_AFTER.is_match(after) || before.ends_with("Sir ") {
        return 0;
    }
    if NAME_BEFORE.is_match(before) {
        return 1;
    }
    if !is_town && (DISTRICT_AFTER.is_match(after) || DISTRICT_BEFORE.is_match(before)) {
        return DISTRICT_WEIGHT;
    }
    if ADDRESS_BEFORE.is_match(before) && before.trim_end().ends_with([',', '.'])
        || before.trim_end().ends_with("Road,")
    {
        // A place at the end of an address. The signature, in the last quarter of the text, counts
        // most.
        return if mention.range.start * 4 > text.len() * 3 { 10 } else { ADDRESS_WEIGHT };
    }
    let ends_line = after.is_empty() || after.starts_with(['.', '\n', ',', ')']);
    let in_title = mention.range.start < title_end;
    match (in_title, is_town, ends_line, IN_PLACE.is_match(before)) {
        (_, false, true, _) => 6,
        (_, false, _, true) => 5,
        (false, true, true, _) => 5,
        (true, true, ..) => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn district(text: &str) -> Option<District> {
        find_location(&Printed::plain(text), None, Gazetteer::built_in()).district.map(|found| found.value)
    }

    /// A title at the beginning of a text.
    fn headed(title: &str) -> Found<String> {
        Found::new(title.to_owned(), 0.9, 0..title.len())
    }

    #[test]
    fn an_address_ends_in_its_town() {
        assert_eq!(district("Chairman,\nNo. 129, Galle Road, Trincomalee."), Some(District::Trincomalee));
        assert_eq!(district("No. 244, Kandy Road, Nuwara Eliya."), Some(District::NuwaraEliya));
        assert_eq!(district("in the above mentioned work in the Kegalle District."), Some(District::Kegalle));
        assert_eq!(district("along Galle Road"), None);
    }

    #[test]
    fn a_head_office_in_colombo_is_not_the_place_of_the_work() {
        let at = |title: &str| {
            let text = format!("{title}\n\nBids are invited by the Chairman, No. 12, Main Street, Colombo.");
            let printed = Printed::plain(&text);
            let found =
                find_location(&printed, Some(&headed(title)), Gazetteer::built_in()).district.unwrap();
            (found.value, found.confidence)
        };
        assert_eq!(at("Repair of the bridge at Nuwara Eliya"), (District::NuwaraEliya, 0.75));
        assert!(at("Repair of the office at Colombo").1 >= 0.9);
        assert_eq!(at("Repair of the bridge"), (District::Colombo, UNCERTAIN_ADDRESS_CEILING));
    }

    #[test]
    fn a_contradiction_of_title_and_address_is_doubtful() {
        let title = "Repair of the bridge at Nuwara Eliya";
        let printed = Printed::plain(&format!("{title}\n\nBids close at No. 12, Main Street, Galle."));
        let found = find_location(&printed, Some(&headed(title)), Gazetteer::built_in()).district.unwrap();
        assert_eq!((found.value, found.confidence), (District::Galle, 0.5));
    }

    #[test]
    fn an_unknown_place_in_the_title_makes_the_address_doubtful() {
        let at = |title: &str| {
            let text = format!("{title}\n\nBids close at No. 314, Temple Road, Gampaha.");
            find_location(&Printed::plain(&text), Some(&headed(title)), Gazetteer::built_in())
                .district
                .unwrap()
        };
        let found = at("Study for a Cold Storage at Wedamullapitiya");
        assert_eq!((found.value, found.confidence), (District::Gampaha, UNCERTAIN_ADDRESS_CEILING));
        assert_eq!(
            at("Waterproofing of the Library Building, Wedamullapitiya").confidence,
            UNCERTAIN_ADDRESS_CEILING
        );
        assert!(at("Study for a Cold Storage").confidence >= 0.9);
    }

    #[test]
    fn an_address_outside_the_district_in_the_title_is_doubtful() {
        let title = "Feasibility Study for a Cold Storage Complex at Rajanganaya";
        let text = format!(
            "UNIVERSITY OF KELANIYA\nEXPRESSIONS OF INTEREST\n{title}\n\nInvestors may obtain the terms.\nNo. 314, Temple Road, Gampaha."
        );
        let at = text.find(title).unwrap();
        let title = Found::new(title.to_owned(), 0.85, at..at + title.len());
        let found =
            find_location(&Printed::plain(&text), Some(&title), Gazetteer::built_in()).district.unwrap();
        assert_eq!((found.value, found.confidence), (District::Gampaha, 0.5));
    }

    #[test]
    fn a_town_gives_its_district_and_province() {
        let printed = Printed::plain("SRI PALEE CAMPUS, UNIVERSITY, Wewala, Horana\nSupply of lights");
        let place = find_location(&printed, None, Gazetteer::built_in());
        assert_eq!(place.district.unwrap().value, District::Kalutara);
        assert_eq!(place.province.unwrap().value, Province::Western);
    }
}
