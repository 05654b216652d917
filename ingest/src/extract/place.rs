//! Where the work or the organisation is: the gazetteer's mentions, weighed by where they stand. A road named after a town
//! is not that town, and an address says more than a title.

use super::{
    Gazetteer,
    gazetteer::{Mention, Place},
    pattern::patterns,
    printed::{Found, Printed},
};
use index::vocabulary::{District, Province};
use std::collections::BTreeMap;

/// The place of a notice.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Where {
    pub(super) province: Option<Found<Province>>,
    pub(super) district: Option<Found<District>>,
    pub(super) city: Option<Found<String>>,
}

patterns! {
    NAME_BEFORE = r"(?:university|bank|college) of\s*$";
    STREET_AFTER = r"^\s*(?:road|rd\b|street|st\b\.?|mawatha|mw\b|lane|avenue|highway|place\b|veediya|para\b|-\s?\p{L}+\s?\(?.{0,8}\)?\s?road|පාර|மாவத்தை)";
    DISTRICT_AFTER = r"^\s*(?:administrative\s)?(?:district|දිස්ත්‍රික්ක|மாவட்ட)";
    DISTRICT_BEFORE = r"(?:district|districts) of\s*$|district general hospital\s*$|district secretariat[\s,\-]*$";
    IN_PLACE = r"\b(?:in|at|of|within)\s+(?:the\s+)?$";
    ADDRESS_BEFORE = r"(?:road|street|mawatha|lane|avenue|veediya|box \d+|estate)[\s,.\d]*$";
}

/// Weights are points: a lead of four points over the next district is sure.
pub(super) fn place(printed: &Printed, title_end: usize, gazetteer: &Gazetteer) -> Where {
    let text = printed.flow();
    let all = gazetteer.mentions(text);
    let mut votes: BTreeMap<District, (u32, Mention)> = BTreeMap::new();
    let mut city: Option<(u32, Found<String>)> = None;
    let mut province = None;
    for mention in &all {
        if let Place::Province(named) = mention.place {
            province.get_or_insert(Found::new(named, 0.9, mention.range.clone()));
        }
        let Some(district) = mention.place.district() else { continue };
        let weight = weight(text, mention, title_end);
        if weight == 0 {
            continue;
        }
        // Where it stands counts for more than how often: a title may name two towns of another district.
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
    let titled = titled(text, &all, title_end);
    let district = district.map(|district| match titled.as_slice() {
        [first, others @ ..] if titled.iter().all(|place| place.value != district.value) => {
            // The head offices of the country are in Colombo, their works elsewhere.
            if district.value == District::Colombo && others.iter().all(|other| other.value == first.value) {
                first.clone()
            } else {
                // The title names one place, the address another: which of them the work is in, nobody says.
                Found { confidence: 0.5, ..district }
            }
        }
        _ => district,
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
    Where { province, district, city: city.map(|(_, city)| city) }
}

/// The districts that a title says the work is in: `… at Nuwara Eliya`.
fn titled(text: &str, all: &[Mention], title_end: usize) -> Vec<Found<District>> {
    let named = all
        .iter()
        .filter(|mention| mention.range.start < title_end && IN_PLACE.is_match(&text[..mention.range.start]));
    let districts = named.filter_map(|mention| {
        let district = mention.place.district()?;
        Some(Found::new(district, 0.75, mention.range.clone()))
    });
    districts.collect()
}

fn weight(text: &str, mention: &Mention, title_end: usize) -> u32 {
    let (before, after) = (&text[..mention.range.start], &text[mention.range.end..]);
    let before = &before[super::clause::boundary(before, before.len().saturating_sub(60))..];
    let is_town = matches!(mention.place, Place::Town(..));
    if STREET_AFTER.is_match(after) || before.ends_with("Sir ") {
        return 0;
    }
    if NAME_BEFORE.is_match(before) {
        return 1;
    }
    if !is_town && (DISTRICT_AFTER.is_match(after) || DISTRICT_BEFORE.is_match(before)) {
        return 9;
    }
    if ADDRESS_BEFORE.is_match(before) && before.trim_end().ends_with([',', '.'])
        || before.trim_end().ends_with("Road,")
    {
        // The town that ends an address, most of all the signature's.
        return if mention.range.start * 4 > text.len() * 3 { 10 } else { 7 };
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
        place(&Printed::plain(text), 0, Gazetteer::built_in()).district.map(|found| found.value)
    }

    #[test]
    fn an_address_ends_in_its_town() {
        assert_eq!(district("Chairman,\nNo. 129, Galle Road, Trincomalee."), Some(District::Trincomalee));
        assert_eq!(district("No. 244, Kandy Road, Nuwara Eliya."), Some(District::NuwaraEliya));
        assert_eq!(district("in the above mentioned work in the Kegalle District."), Some(District::Kegalle));
        assert_eq!(district("along Galle Road"), None);
    }

    #[test]
    fn a_head_office_is_not_where_the_work_is() {
        let at = |title: &str| {
            let text = format!("{title}\n\nBids are invited by the Chairman, No. 12, Main Street, Colombo.");
            let printed = Printed::plain(&text);
            let found = place(&printed, title.len(), Gazetteer::built_in()).district.unwrap();
            (found.value, found.confidence)
        };
        assert_eq!(at("Repair of the bridge at Nuwara Eliya"), (District::NuwaraEliya, 0.75));
        assert!(at("Repair of the office at Colombo").1 >= 0.9);
        assert!(at("Repair of the bridge").1 >= 0.9);
    }

    #[test]
    fn a_title_and_an_address_that_disagree_are_in_doubt() {
        let title = "Repair of the bridge at Nuwara Eliya";
        let printed = Printed::plain(&format!("{title}\n\nBids close at No. 12, Main Street, Galle."));
        let found = place(&printed, title.len(), Gazetteer::built_in()).district.unwrap();
        assert_eq!((found.value, found.confidence), (District::Galle, 0.5));
    }

    #[test]
    fn a_town_gives_its_district_and_province() {
        let printed = Printed::plain("SRI PALEE CAMPUS, UNIVERSITY, Wewala, Horana\nSupply of lights");
        let place = place(&printed, 0, Gazetteer::built_in());
        assert_eq!(place.district.unwrap().value, District::Kalutara);
        assert_eq!(place.province.unwrap().value, Province::Western);
    }
}
