//! Fields that contradict each other: a publication after the closing, or an organisation in one
//! district and a place in another. One of them is wrong, so both are doubtful, or the one that is
//! wrong more often. The evidence stays.

use super::pattern::patterns;
use crate::extract::{Gazetteer, gazetteer::Place, printed::plain_words};
use index::{
    tender::{CLOSING, Tender},
    vocabulary::{District, Province},
};
use std::sync::LazyLock;

/// The confidence of a contradicted field, below the line of certainty.
const CONTRADICTED: f64 = 0.5;

const PUBLISHED: &str = "dates.published";
const DISTRICT: &str = "location.district";

patterns! {
    // Local organisations. A place in their name is their seat.
    LOCAL = r"\b(?:municipal council|urban council|pradeshiya s[ah]bha(?:wa)?|(?:divisional|district) secretariat|kachcheri|hospital|university|campus|zonal education|provincial council)\b|මහ නගර සභා|නගර සභා|ප්‍රාදේශීය සභා|ලේකම් කාර්යාල|රෝහල|විශ්වවිද්‍යාල|පළාත් සභා|மாநகர சபை|நகர சபை|பிரதேச சபை|செயலக|வைத்தியசாலை|பல்கலைக்கழக|மாகாண சபை";
    PROVINCIAL = r"\bprovincial (?:council|department)\b";
    // `National Hospital of Sri Lanka` works in the whole country.
    NATIONAL = r"\bnational\b|\bsri lanka\b";
}

/// Lowers the confidence of fields that contradict each other.
pub(crate) fn doubt(tender: &mut Tender, gazetteer: &Gazetteer) {
    let dates = &tender.dates;
    if dates.published.zip(dates.closing).is_some_and(|(published, closing)| published > closing) {
        lower(tender, PUBLISHED);
        lower(tender, CLOSING);
    }
    // The organisation is right more often than the place, which may be that of a head office or in
    // a road name.
    let home = home(&tender.organization.name, gazetteer);
    if home.zip(tender.location.district).is_some_and(|(home, district)| !home.holds(district)) {
        lower(tender, DISTRICT);
        for part in ["location.province", "location.city"] {
            if tender.confidence.contains_key(part) {
                lower(tender, part);
            }
        }
    }
}

fn lower(tender: &mut Tender, path: &str) {
    let confidence = tender.confidence.entry(path.to_owned()).or_insert(CONTRADICTED);
    *confidence = confidence.min(CONTRADICTED);
}

/// Where an organisation works.
#[derive(Debug, PartialEq, Eq)]
enum Home {
    Districts(Vec<District>),
    Province(Province),
}

impl Home {
    fn holds(&self, district: District) -> bool {
        match self {
            Self::Districts(districts) => districts.contains(&district),
            Self::Province(province) => district.province() == *province,
        }
    }
}

/// Where an organisation works by its name or the list of seats; `None` if it works in the whole
/// country.
fn home(name: &str, gazetteer: &Gazetteer) -> Option<Home> {
    let plain = plain_words(name);
    let seat = SEATS.iter().find(|seat| seat.names.iter().any(|known| plain.contains(known)));
    if let Some(seat) = seat {
        return Some(Home::Districts(seat.districts.clone()));
    }
    if !LOCAL.is_match(name) || NATIONAL.is_match(name) {
        return None;
    }
    // A province needs the word `Province`. The deciding place is the last one: `Base Hospital,
    // Dambulla`.
    let name = PROVINCIAL.replace(name, "Province");
    match gazetteer.mentions(&name).into_iter().next_back()?.place {
        Place::Province(province) => Some(Home::Province(province)),
        Place::District(district) | Place::Town(_, district) => Some(Home::Districts(vec![district])),
    }
}

/// An organisation and the districts in which it works.
struct Seat {
    names: Vec<String>,
    districts: Vec<District>,
}

static SEATS: LazyLock<Vec<Seat>> = LazyLock::new(|| {
    let lines = include_str!("../gazetteer/seats.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(seat).collect()
});

fn seat(line: &str) -> Seat {
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
        doubt(&mut tender, Gazetteer::built_in());
        tender.confidence[DISTRICT]
    }

    #[test]
    fn every_line_of_the_seats_is_valid() {
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
        assert_eq!(district_after(name, district), CONTRADICTED);
    }

    #[rstest]
    #[case("University of Ruhuna", District::Galle)]
    #[case("Kandy Municipal Council", District::Kandy)]
    #[case("Southern Provincial Council", District::Matara)]
    #[case("Road Development Authority", District::Kandy)]
    #[case("National Hospital of Sri Lanka, Colombo", District::Kandy)]
    #[case("Bank of Ceylon, Colombo", District::Kandy)]
    fn an_agreeing_place_keeps_its_confidence(#[case] name: &str, #[case] district: District) {
        assert_eq!(district_after(name, district), 0.96);
    }

    #[test]
    fn a_publication_after_the_closing_makes_both_doubtful() {
        let mut tender = tender("Road Development Authority", District::Kandy);
        tender.dates.published = "2027-03-12T00:00:00+05:30".parse().ok();
        tender.dates.closing = "2027-03-12T14:00:00+05:30".parse().ok();
        doubt(&mut tender, Gazetteer::built_in());
        assert_eq!((tender.confidence[CLOSING], tender.confidence.get(PUBLISHED)), (0.93, None));
        tender.dates.closing = "2027-03-10T14:00:00+05:30".parse().ok();
        doubt(&mut tender, Gazetteer::built_in());
        assert_eq!((tender.confidence[CLOSING], tender.confidence[PUBLISHED]), (CONTRADICTED, CONTRADICTED));
    }
}
