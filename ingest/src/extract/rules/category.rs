//! The category, derived from weighted words of the title. Words for the subject count more than
//! words for its purpose. If the title has none of these words, the words of the invitation are
//! used.

use crate::extract::printed::{Found, Printed};
use regex::Regex;
use std::{collections::BTreeMap, ops::Range, sync::LazyLock};
use tender_model::vocabulary::{Category, Kind};

/// The words of each category with their weights. Most services have high weights, because their
/// titles may also mention goods and works.
const WORDS: &[(Category, f64, &str)] = &[
    (
        Category::ConsultancyServices,
        6.0,
        r"\bconsult(?:ancy|ing|ants?)\b|feasibility study|design and supervision|උපදේශන|උපදේශක|ஆலோசனை|ஆலோசக",
    ),
    (
        Category::SecurityServices,
        5.0,
        r"\bsecurity (?:services?|guards?|personnel|staff)|providing security|ආරක්ෂක සේව|பாதுகாப்புச்? சேவை|காவலாளி|காவல் சேவை",
    ),
    (
        Category::CleaningServices,
        5.0,
        r"\bcleaning\b|janitorial|waste (?:collection|disposal|management)|(?:removal|collection|disposal|transport\w*) (?:and \w+ )?of (?:\w+ ){0,4}(?:waste|garbage|refuse)|garbage collection|sanitation services|පිරිසිදු කිරීම|පවිත්\x{200d}?රතා|සනීපාරක්ෂක|කසළ|අපද්\x{200d}?රව්\x{200d}?ය|துப்புரவு|சுத்தம் செய்|குப்பை|கழிவகற்ற",
    ),
    (
        Category::CateringServices,
        5.0,
        r"\bcatering\b|canteen|cafeteria|\bmeals\b|\b(?:raw|dry|cooked) (?:provisions|food|rations)|supply of (?:cooked )?food|\bfoodstuffs?\b|\b(?:fresh )?(?:fish|vegetables|fruits|eggs|rice|meat|bread|milk)\b(?:,| and )|දවල් ආහාර|උණුසුම් ආහාර|ආහාර ද්\x{200d}?රව්\x{200d}?ය|ආහාර සැපයී|ආපනශාලා|உணவு வழங்க|உணவுப் பொருட்|சிற்றுண்டி",
    ),
    (
        Category::ComputersLaptops,
        4.0,
        r"\b(?:desktop|laptop|personal) computers?|\bcomputers\b|\blaptops?\b|\bnotebooks? computers?|\btablets? (?:pc|computers?)|පරිගණක|கணினி",
    ),
    (
        Category::ComputerIt,
        3.5,
        r"\bsoftware\b|\b(?:data|computer|area|wireless|fibre) network|\bnetwork(?:ing)? (?:equipment|security|switch|infrastructure|devices)|\bservers?\b|\bICT\b|information (?:technology|system)|\bmanagement (?:information )?system\b|\bIT\b (?:equipment|services|system)|fibre optic|firewall|மென்பொருள்|வலையமைப்பு|මෘදුකාංග|පරිගණක ජාල|\blicen[cs]es\b|website|data cent(?:re|er)|\bERP\b|cyber|automated teller|\bATMs?\b|printers?\b|\bUPS\b|\bCCTV\b|storage area",
    ),
    (
        Category::MedicalEquipment,
        3.5,
        r"medical|surgical|pharmaceutical|syringes?|\bdrugs?\b|medicines?|laborator|scanner|\bx-?ray\b|reagents?|dental|dialysis machine|hospital (?:equipment|furniture)|vaccin|\bconsumables|ultrasound|ventilators?|ඖෂධ|වෛද්\x{200d}?ය උපකරණ|ශල්\x{200d}?ය|மருந்து|மருத்துவ உபகரண|சத்திர சிகிச்சை|சத்திரசிகிச்சை",
    ),
    (
        Category::Construction,
        4.5,
        r"\bconstruct(?:ion|ing)\b|\bbuilding of\b|\bbridges?\b|asphalt|desilting|\banicut\b|refurbishment|\brenovat(?:ion|ing)\b|rehabilitation|improvements? (?:to|of)|\bcanals?\b|\broads?\b|concret(?:e|ing) (?:of|works?|road|paving)|\bconcreting\b|interlock(?:ing)? pav|culvert|earth work|reservoir at|civil works?|carpeting|\bbuildings?\b|\bdrains?\b|erection of|boundary wall|extension of (?:the )?(?:building|ward|hall)|processing unit|\bre-?roofing\b|\b(?:roof|ceiling) (?:of|for|at)\b|\bpaving\b|\bplumbing works?|\bfenc(?:e|ing)\b|ඉදි ?කිරීම|කොන්ක්\x{200d}?රීට්|ගොඩනැගිලි?|මාර්ග|ප්\x{200d}?රතිසංස්කරණ|පුනරුත්ථාපන|පාලම(?:ක්|ේ|්)?\b|කාණු|වහල|තාප්ප|තාර ද|வடிகால்|கூரை|மதில்|பாலம்\b|பாலத்த|நிர்மாண|நிருமாண|புனரமை|புனர்நிர்மாண|புனருத்தாரண|கட்டிட|கட்டட|கொங்கிரீட்|வீதி(?:களை|யை|களின்|யின்)",
    ),
    (
        Category::Vehicles,
        3.5,
        r"\bvehicles?\b|\bbus(?:es)?\b|\btrucks?\b|\bcabs?\b|\bmotor (?:cycles?|cars?)|\bambulances?\b|\btractors?\b|\bvans?\b|three[\s-]wheelers?|\bcompactors?\b|\bexcavators?\b|backhoe|\bbowsers?\b|\btyres?\b|\blorr(?:y|ies)\b|\bforklifts?\b|වාහන|බස් රථ|මෝටර් රථ|ට්\x{200d}?රැක්ටර්|ලොරි|ටයර්|வாகன|உழவு இயந்திர|பாரவூர்தி|டயர்",
    ),
    (
        Category::Furniture,
        3.5,
        r"\bfurniture\b|\bchairs?\b|\bdesks?\b|\bcupboards?\b|\btables? and|\bmattress|ගෘහ ?භාණ්ඩ|ලී බඩු|පුටු|தளபாட|தளவாட|கதிரை",
    ),
    (
        Category::OfficeSupplies,
        3.4,
        r"stationery|\boffice (?:equipment|supplies)|photocop|\btoners?\b|\bpaper\b|\bprinting\b|ලිපි ?ද්\x{200d}?රව්\x{200d}?ය|මුද්\x{200d}?ර[ණි]|කාර්යාල උපකරණ|காகிதாதி|எழுது ?கருவி|அச்சிட|அலுவலக உபகரண",
    ),
    (
        Category::UpkeepRepair,
        4.0,
        r"^\W*(?:the )?(?:(?:annual|comprehensive|periodic|routine|preventive) )?(?:repair|maintenance|servicing|service and|overhaul|upkeep|painting|colou?r washing)",
    ),
    (
        Category::UpkeepRepair,
        1.5,
        r"\brepairs?\b|\bmaintenance (?:of|agreement|contract|services)\b|servicing|overhaul|upkeep|spare parts|painting|colou?r washing|අලුත්වැඩියා|නඩත්තු|තීන්ත ආලේප|පින්තාරු|திருத்துதல்|திருத்த வேலை|பராமரிப்பு|வர்ணம் பூச|வர்ணப்பூச்சு",
    ),
    (
        Category::EngineeringServices,
        2.0,
        r"\bengineering\b|soil investigation|survey(?:ing)?\b|geotechnical|electrical works?|structural|air[\s-]?condition|generators?\b|pumps?\b|pipes?\b|conductors?\b|transformers?|spillway|cables?\b|switch\s?gear|substation|\d\s?kV\b|\blifts?\b|elevators?|solar|lighting|tube wells?|\bluminaires?\b|නළ ළිං|ජල පොම්ප|වායු ?සමීකරණ|விநியோகக் குழாய்|குழாய்க் கிணறு|நீர்ப்பம்பி|குளிரூட்டி",
    ),
    (
        Category::EngineeringServices,
        4.8,
        r"\b(?:street|road) (?:lamps?|lights?|lighting)|\bLED (?:lamps?|lights?|fittings)|වීදි (?:ලාම්පු|පහන්)|மின்விளக்கு|(?:வீதி|தெரு) ?விளக்கு",
    ),
];

static PATTERNS: LazyLock<Vec<(Category, f64, Regex)>> = LazyLock::new(|| {
    WORDS
        .iter()
        .map(|(category, points, words)| (*category, *points, super::pattern::compile(words)))
        .collect()
});

super::pattern::patterns! {
    // The call in `Tender for the supply of …`, whose `for` does not begin a purpose.
    CALL = r"^\W*(?:(?:invitation|tenders?|bids?|quotations?|proposals?|contract|procurement) (?:for|of) (?:the )?)+";
    // Places named after goods, and devices that inspect goods.
    NOT_GOODS = r"\b(?:vehicle|car|bus|lorry) (?:parks?|stands?|halts?)|\b(?:baggage|cargo|parcel|security) x-?ray";
    ADDRESS = r"(?-i:\p{Lu}[\p{L}.]*) (?-i:Road|Rd|Mawatha|Building|Street|Lane)\b";
    PURPOSE = r"\s(?:for|to|at|in|within|under|by)\s";
}

/// The factor for words after a preposition such as `for`, `to` or `at`, if words before it also
/// match a category.
const PURPOSE_FACTOR: f64 = 0.25;
/// The number of bytes of the invitation that are used.
const INVITATION_LENGTH: usize = 500;
/// The minimum lead over the next category for the higher confidence.
const CLEAR_LEAD: f64 = 1.5;

/// The category of the title, or else of the invitation, which begins at `body`. Without a title,
/// the category of the beginning of the text. If no known word is found, the category is `Other`
/// with a title and `None` without one. A registration of suppliers lists goods and works of all
/// categories, so only its title counts.
pub(crate) fn category(
    printed: &Printed,
    title: Option<&Found<String>>,
    body: usize,
    kind: Kind,
) -> Option<Found<Category>> {
    if let Some(title) = title
        && let Some((category, lead)) = category_of_title(&title.value)
    {
        let confidence = if lead >= CLEAR_LEAD { 0.93 } else { 0.7 };
        return Some(Found::new(category, confidence, title.range.clone()));
    }
    if kind == Kind::Registration
        && let Some(title) = title
    {
        return Some(Found::new(Category::Other, 0.93, title.range.clone()));
    }
    let text = printed.flow();
    let start = if title.is_some() { super::cues::floor_char_boundary(text, body) } else { 0 };
    let end = super::cues::floor_char_boundary(text, start + INVITATION_LENGTH);
    // Words in addresses do not count. Spaces of the same length keep the byte ranges valid.
    let blank = |found: &regex::Captures<'_>| " ".repeat(found[0].len());
    let invitation = ADDRESS.replace_all(&text[start..end], blank);
    let invitation = NOT_GOODS.replace_all(&invitation, blank);
    let votes = votes(&invitation);
    if let Some((category, lead, found)) = leading_category(&votes) {
        let confidence = if lead >= CLEAR_LEAD && title.is_some() { 0.7 } else { 0.5 };
        return Some(Found::new(category, confidence, start + found.start..start + found.end));
    }
    title.map(|title| Found::new(Category::Other, 0.65, title.range.clone()))
}

/// The category of a title and its lead over the next one.
fn category_of_title(title: &str) -> Option<(Category, f64)> {
    let title = &title[CALL.find(title).map_or(0, |call| call.end())..];
    let cut = PURPOSE.find(title).map_or(title.len(), |purpose| purpose.start());
    let (thing, purpose) = title.split_at(cut);
    let thing = NOT_GOODS.replace_all(thing, " ");
    let mut all = votes(&thing);
    let weight = if all.is_empty() { 1.0 } else { PURPOSE_FACTOR };
    for (category, (points, found)) in votes(purpose) {
        all.entry(category).or_insert((0.0, found)).0 += points * weight;
    }
    leading_category(&all).map(|(category, lead, _)| (category, lead))
}

/// The highest weight of each category with words in a text, and the byte range of such words.
fn votes(text: &str) -> BTreeMap<Category, (f64, Range<usize>)> {
    let mut votes: BTreeMap<Category, (f64, Range<usize>)> = BTreeMap::new();
    for (category, points, pattern) in PATTERNS.iter() {
        if let Some(found) = pattern.find(text) {
            let vote = votes.entry(*category).or_insert((0.0, found.range()));
            vote.0 = vote.0.max(*points);
        }
    }
    votes
}

fn leading_category(
    votes: &BTreeMap<Category, (f64, Range<usize>)>,
) -> Option<(Category, f64, Range<usize>)> {
    let mut ranked: Vec<_> = votes.iter().collect();
    ranked.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    let (category, (points, found)) = ranked.first()?;
    let next = ranked.get(1).map_or(0.0, |(_, (points, _))| *points);
    Some((**category, points - next, found.clone()))
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
    #[case("Repair of Laboratory Equipment", Category::UpkeepRepair)]
    #[case("Construction of Computer Laboratory at Kegalle", Category::Construction)]
    #[case("Tender for the Supply of Furniture for the Medical Faculty", Category::Furniture)]
    #[case("Hiring of Vehicles for the Construction Division", Category::Vehicles)]
    #[case("Supply of coconut seedlings", Category::Other)]
    #[case("Leasing of the Vehicle Park at Kantale Public Market", Category::Other)]
    #[case("Removal and Disposal of Clinical Waste", Category::CleaningServices)]
    #[case("Supply of 11 kV Ring Main Units", Category::EngineeringServices)]
    #[case("Hire of a Lorry with Driver", Category::Vehicles)]
    #[case("Re-roofing and Colour Washing of Staff Quarters", Category::Construction)]
    #[case("Colour Washing of the Town Hall", Category::UpkeepRepair)]
    #[case("Supply of LED Street Lamps and Fittings", Category::EngineeringServices)]
    #[case("Supply of Vegetables, Fruits and Rice", Category::CateringServices)]
    #[case("වාර්ෂික ලිපිද්‍රව්‍ය සැපයීම", Category::OfficeSupplies)]
    #[case("රෝහලේ ආරක්ෂක සේවය සැපයීම", Category::SecurityServices)]
    #[case("පාසලේ වහලය ප්‍රතිසංස්කරණය කිරීම", Category::Construction)]
    #[case("නගර ශාලාව තීන්ත ආලේප කිරීම", Category::UpkeepRepair)]
    #[case("වීදි ලාම්පු සැපයීම", Category::EngineeringServices)]
    #[case("ටයර් සහ බැටරි සැපයීම", Category::Vehicles)]
    #[case("எழுதுகருவிகள் கொள்வனவு", Category::OfficeSupplies)]
    #[case("வைத்தியசாலைக்கான பாதுகாப்புச் சேவை", Category::SecurityServices)]
    #[case("தெருவிளக்குகள் வழங்கல்", Category::EngineeringServices)]
    #[case("வடிகால் அமைப்பு நிர்மாணித்தல்", Category::Construction)]
    #[case("பாடசாலைக்கான தளவாடங்கள் வழங்கல்", Category::Furniture)]
    #[case("பாலமுனை நூலகத்திற்கான நூல்கள்", Category::Other)]
    #[case("රෝහල් ගොඩනැගිල්ල අලුත්වැඩියා කිරීම", Category::Construction)]
    fn the_title_gives_the_category(#[case] title: &str, #[case] expected: Category) {
        let found = Found::new(title.to_owned(), 0.9, 0..0);
        assert_eq!(
            category(&Printed::plain(title), Some(&found), 0, Kind::Purchase).unwrap().value,
            expected
        );
    }

    #[test]
    fn the_invitation_gives_the_category_if_the_title_has_no_known_word() {
        let text =
            "Mundeni Aru River Basin Development Project\nThe Committee invites consultants by 25 July";
        let title = Found::new("Mundeni Aru River Basin Development Project".to_owned(), 0.6, 0..43);
        let found = category(&Printed::plain(text), Some(&title), 44, Kind::Purchase).unwrap();
        assert_eq!((found.value, found.confidence), (Category::ConsultancyServices, 0.7));
    }

    #[test]
    fn a_registration_lists_all_categories_and_has_none() {
        let text = "Registration of Suppliers and Contractors - 2027\nApplications are invited for vehicles, furniture";
        let title = Found::new("Registration of Suppliers and Contractors - 2027".to_owned(), 0.9, 0..48);
        let found = category(&Printed::plain(text), Some(&title), 49, Kind::Registration).unwrap();
        assert_eq!(found.value, Category::Other);
    }
}
