//! What a tender is for, by the words of its title and, where the title does not tell, of its text.

use super::printed::{Found, Printed};
use index::vocabulary::Category;
use regex::Regex;
use std::sync::LazyLock;

/// Each category's words, from the most telling to the least; a title met by several goes to the first listed.
const WORDS: &[(Category, &str)] = &[
    (
        Category::ConsultancyServices,
        r"\bconsult(?:ancy|ing|ants?)\b|feasibility study|design and supervision|උපදේශන|ஆலோசனை",
    ),
    (
        Category::SecurityServices,
        r"\bsecurity (?:services?|guards?|personnel)|providing security|ආරක්ෂක සේවා|பாதுகாப்பு சேவை",
    ),
    (
        Category::CleaningServices,
        r"\bcleaning\b|janitorial|waste (?:collection|disposal|management)|sanitation services|පිරිසිදු කිරීමේ|துப்புரவு",
    ),
    (
        Category::CateringServices,
        r"\bcatering\b|canteen|meals\b|supply of (?:cooked )?food|දවල් ආහාර|உணவு வழங்க",
    ),
    (
        Category::ComputersLaptops,
        r"\b(?:desktop|laptop|personal) computers?|\blaptops?\b|\bnotebooks? computers?|\btablets? (?:pc|computers?)|පරිගණක|கணினி",
    ),
    (
        Category::ComputerIt,
        r"\bsoftware\b|network|\bservers?\b|\bICT\b|information (?:technology|system)|\bIT\b (?:equipment|services|system)|fibre optic|firewall|licen[cs]es|website|data cent(?:re|er)|\bERP\b|cyber|automated teller|\bATMs?\b|printers?\b|\bUPS\b",
    ),
    (
        Category::MedicalEquipment,
        r"medical|surgical|pharmaceutical|syringes?|\bdrugs?\b|medicines?|laboratory|scanner|\bx-?ray\b|reagents?|dental|dialysis machine|hospital equipment|vaccin|consumables|ඖෂධ|වෛද්‍ය උපකරණ|மருந்து|மருத்துவ உபகரண",
    ),
    (
        Category::Construction,
        r"\bconstruct(?:ion|ing)\b|\bbuilding of\b|\bbridge\b|asphalt|desilting|\banicut\b|refurbishment|\brenovation\b|rehabilitation|improvements? to|\bcanal\b|\broads? (?:works?|development)|concret(?:e|ing)|culvert|earth work|reservoir at|civil works?|carpeting|ඉදිකිරීම|කොන්ක්‍රීට්|ගොඩනැගිල්ල|මාර්ග|நிர்மாண|புனரமைத்தல்|கட்டிட|வீதிகளை",
    ),
    (
        Category::Vehicles,
        r"\bvehicles?\b|\bbus(?:es)?\b|\btrucks?\b|\bcabs?\b|\bmotor (?:cycles?|cars?)|\bambulances?\b|tractors?\b|\bvans?\b|three[\s-]wheelers?|compactors?|excavator|tyres?|වාහන|வாகன",
    ),
    (Category::Furniture, r"\bfurniture\b|\bchairs?\b|\bdesks?\b|\bcupboards?\b|\btables? and|ගෘහ භාණ්ඩ|தளபாட"),
    (
        Category::OfficeSupplies,
        r"stationery|\boffice (?:equipment|supplies)|photocop|\btoners?\b|\bpaper\b|printing|ලිපි ද්‍රව්‍ය|காகிதாதி",
    ),
    (
        Category::UpkeepRepair,
        r"\brepairs?\b|\bmaintenance\b|servicing|overhaul|upkeep|spare parts|painting|අලුත්වැඩියා|නඩත්තු|திருத்துதல்|பராமரிப்பு",
    ),
    (
        Category::EngineeringServices,
        r"\bengineering\b|soil investigation|surveying|geotechnical|electrical works?|structural|air[\s-]?condition|generator|pumps?\b|pipes?\b|conductors?\b|transformers?|spillway|cables?\b",
    ),
];

static PATTERNS: LazyLock<Vec<(Category, Regex)>> = LazyLock::new(|| {
    WORDS.iter().map(|(category, words)| (*category, super::pattern::compiled(words))).collect()
});

/// The category, from the title or else from the text.
pub(super) fn category(printed: &Printed, title: Option<&Found<String>>) -> Option<Found<Category>> {
    if let Some(title) = title {
        let met: Vec<_> = PATTERNS.iter().filter(|(_, pattern)| pattern.is_match(&title.value)).collect();
        if let Some((category, _)) = met.first() {
            let confidence = if met.len() == 1 { 0.92 } else { 0.78 };
            return Some(Found::new(*category, confidence, title.range.clone()));
        }
        return Some(Found::new(Category::Other, 0.65, title.range.clone()));
    }
    let text = printed.flow();
    let (category, found) =
        PATTERNS.iter().find_map(|(category, pattern)| Some((*category, pattern.find(text)?)))?;
    Some(Found::new(category, 0.5, found.range()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Supply of Surgical Consumables and Disposable Syringes", Category::MedicalEquipment)]
    #[case(
        "Consultancy Services for Structural Design of Hatton Building Complex",
        Category::ConsultancyServices
    )]
    #[case("Supply of 225 Nos. Terminal Tractor Tyres", Category::Vehicles)]
    #[case("Construction of Community Hall at Gampola, Kekirawa", Category::Construction)]
    #[case("Procurement of 225 Nos. Desktop Computers and 3 Laptop Computers", Category::ComputersLaptops)]
    #[case("Supply of Fibre Optic Cables and Accessories", Category::ComputerIt)]
    #[case("Providing Security Services to the Kekirawa Municipal Premises", Category::SecurityServices)]
    #[case("Procurement of Network Security Appliances and Licences", Category::ComputerIt)]
    #[case("Printing and Supply of Bank Stationery for Year 2027", Category::OfficeSupplies)]
    #[case("Providing Cleaning and Janitorial Services to Hospital", Category::CleaningServices)]
    #[case("Repair of lifts", Category::UpkeepRepair)]
    #[case("Supply of coconut seedlings", Category::Other)]
    #[case("රෝහල් ගොඩනැගිල්ල අලුත්වැඩියා කිරීම", Category::Construction)]
    fn the_title_says_the_category(#[case] title: &str, #[case] expected: Category) {
        let found = Found::new(title.to_owned(), 0.9, 0..0);
        assert_eq!(category(&Printed::plain(title), Some(&found)).unwrap().value, expected);
    }
}
