//! Makes fields doubtful that contradict each other. If the publication is after the closing, both
//! become doubtful. If an organisation works in one district and the place is in another, only the
//! place becomes doubtful. The evidence is kept.

use super::pattern::patterns;
use crate::extract::{Gazetteer, gazetteer::Place, printed::plain_words};
use std::sync::LazyLock;
use tender_model::{
    tender::{CLOSING, Tender},
    vocabulary::{District, Province},
};

/// The highest confidence of a contradicted field. It is below the confidence threshold.
const CONTRADICTED_CEILING: f64 = 0.5;

const PUBLISHED: &str = "dates.published";
const DISTRICT: &str = "location.district";

patterns! {
    // Local organisations. A place in their name is where they work.
    LOCAL = r"\b(?:municipal council|urban council|pradeshiya s[ah]bha(?:wa)?|(?:divisional|district) secretariat|kachcheri|hospital|university|campus|zonal education|provincial council)\b|මහ නගර සභා|නගර සභා|ප්‍රාදේශීය සභා|ලේකම් කාර්යාල|රෝහල|විශ්වවිද්‍යාල|පළාත් සභා|மாநகர சபை|நகர சபை|பிரதேச சபை|செயலக|வைத்தியசாலை|பல்கலைக்கழக|மாகாண சபை";
    PROVINCIAL = r"\bprovincial (?:council|department)\b";
    // `National Hospital of Sri Lanka` works in the whole country.
    NATIONAL = r"\bnational\b|\bsri lanka\b";
}

/// Lowers the confidence of fields that contradict each other.
pub(crate) fn lower_contradictions(tender: &mut Tender, gazetteer: &Gazetteer) {
    let dates = &tender.dates;
    if dates.published.zip(dates.closing).is_some_and(|(published, closing)| published > closing) {
        lower_confidence(tender, PUBLISHED);
        lower_confidence(tender, CLOSING);
    }
    // The organisation is right more often than the place, which may be that of a head office or
    // part of a road name.
    let home = work_region(&tender.organization.name, gazetteer);
    if home.zip(tender.location.district).is_some_and(|(home, district)| !home.contains(district)) {
        lower_confidence(tender, DISTRICT);
        for part in ["location.province", "location.city"] {
            if tender.confidence.contains_key(part) {
                lower_confidence(tender, part);
            }
        }
    }
}

fn lower_confidence(tender: &mut Tender, path: &str) {
    let confidence = tender.confidence.entry(path.to_owned()).or_insert(CONTRADICTED_CEILING);
    *confidence = confidence.min(CONTRADICTED_CEILING);
}

/// The region in which an organisation works.
#[derive(Debug, PartialEq, Eq)]
enum WorkRegion {
    Districts(Vec<District>),
    Province(Province),
}

impl WorkRegion {
    fn contains(&self, district: District) -> bool {
        match self {
            Self::Districts(districts) => districts.contains(&district),
            Self::Province(province) => district.province() == *province,
        }
    }
}

/// Where an organisation works, according to the list of seats or to its name; `None` if it works
/// in the whole country or its region is unknown.
fn work_region(name: &str, gazetteer: &Gazetteer) -> Option<WorkRegion> {
    let plain = plain_words(name);
    let seat = SEATS.iter().find(|seat| seat.names.iter().any(|known| plain.contains(known)));
    if let Some(seat) = seat {
        return Some(WorkRegion::Districts(seat.districts.clone()));
    }
    if !LOCAL.is_match(name) || NATIONAL.is_match(name) {
        return None;
    }
    // The gazetteer finds a province only if the word `Province` follows its name. The last place
    // decides, as in `Base Hospital, Dambulla`.
    let name = PROVINCIAL.replace(name, "Province");
    match gazetteer.mentions(&name).into_iter().next_back()?.place {
        Place::Province(province) => Some(WorkRegion::Province(province)),
        Place::District(district) | Place::Town(_, district) => Some(WorkRegion::Districts(vec![district])),
    }
}

/// Parts of the name of an organisation, and the districts in which it works.
struct Seat {
    names: Vec<String>,
    districts: Vec<District>,
}

static SEATS: LazyLock<Vec<Seat>> = LazyLock::new(|| {
    let lines = include_str!("../gazetteer/seats.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(parse_seat).collect()
});

fn parse_seat(line: &str) -> Seat {
    let cells: Vec<&str> = line.split('\t').collect();
    let (districts, names) = cells.split_last().map_or(("", [].as_slice()), |(last, names)| (*last, names));
    let names = names.iter().flat_map(|cell| cell.split('|')).map(plain_words);
    Seat {
        names: names.filter(|name| !name.is_empty()).collect(),
        districts: districts.split('|').filter_map(District::from_spelling).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn tender(name: &str, district: District) -> Tender {
        let mut tender = Tender::default();
        tender.organization.name = name.into();
        tender.location.district = Some(district);
        tender.confidence.insert(DISTRICT.into(), 0.96);
        tender.confidence.insert(CLOSING.into(), 0.93);
        tender
    }

    fn district_after(name: &str, district: District) -> f64 {
        let mut tender = tender(name, district);
        lower_contradictions(&mut tender, Gazetteer::built_in());
        tender.confidence[DISTRICT]
    }

    #[test]
    fn every_line_of_the_seat_list_is_valid() {
        assert!(SEATS.len() >= 15);
        assert!(SEATS.iter().all(|seat| !seat.names.is_empty() && !seat.districts.is_empty()));
    }

    #[rstest]
    #[case("University of Ruhuna", District::Anuradhapura)]
    #[case("Kandy Municipal Council", District::Hambantota)]
    #[case("Base Hospital - Dambulla", District::Galle)]
    #[case("Southern Provincial Council", District::Kandy)]
    #[case("රුහුණ විශ්වවිද්‍යාලය", District::Anuradhapura)]
    fn a_place_outside_the_district_of_its_organisation_is_doubtful(
        #[case] name: &str,
        #[case] district: District,
    ) {
        assert_eq!(district_after(name, district), CONTRADICTED_CEILING);
    }

    #[rstest]
    #[case("University of Ruhuna", District::Galle)]
    #[case("Kandy Municipal Council", District::Kandy)]
    #[case("Southern Provincial Council", District::Matara)]
    #[case("Road Development Authority", District::Kandy)]
    #[case("National Hospital of Sri Lanka, Colombo", District::Kandy)]
    #[case("Bank of Ceylon, Colombo", District::Kandy)]
    fn a_place_that_is_not_contradicted_keeps_its_confidence(#[case] name: &str, #[case] district: District) {
        assert_eq!(district_after(name, district), 0.96);
    }

    #[test]
    fn a_publication_after_the_closing_makes_both_doubtful() {
        let mut tender = tender("Road Development Authority", District::Kandy);
        tender.dates.published = "2027-03-12T00:00:00+05:30".parse().ok();
        tender.dates.closing = "2027-03-12T14:00:00+05:30".parse().ok();
        lower_contradictions(&mut tender, Gazetteer::built_in());
        assert_eq!((tender.confidence[CLOSING], tender.confidence.get(PUBLISHED)), (0.93, None));
        tender.dates.closing = "2027-03-10T14:00:00+05:30".parse().ok();
        lower_contradictions(&mut tender, Gazetteer::built_in());
        assert_eq!(
            (tender.confidence[CLOSING], tender.confidence[PUBLISHED]),
            (CONTRADICTED_CEILING, CONTRADICTED_CEILING)
        );
    }
}
