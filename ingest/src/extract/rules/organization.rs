//! Finds the organisation and its type. Usually the heading, the first sentence and the signature
//! name the organisation. If two of them agree, the name is certain.

use super::{
    heading::{Headline, Role, is_ministry, is_organization},
    pattern::patterns,
    signature::find_signature,
};
use crate::extract::{
    Gazetteer,
    printed::{Found, Printed, READ_TWICE_CONFIDENCE, is_similar, plain_words},
};
use tender_model::vocabulary::OrganizationType;

/// The maximum number of capitalised phrases that are examined.
const MAX_PHRASES: usize = 100;

/// The number of last lines that are searched for the signature.
const SIGNATURE_LINES: usize = 5;

/// The maximum number of words in a name.
const MAX_WORDS: usize = 16;

patterns! {
    ON_BEHALF = r"on behalf of\s+(?:the\s+)?(?-i:([\p{Lu}0-9][^\n\t;]{3,110}?)),?\s+(?:invites?|calls?|requests?|hereby|will)\b";
    COMMITTEE_OF = r"(?:committee|tender board|board)(?:\s*\((?:minor|major)\))?\s*(?:,|of|-|–|for)\s*(?:the\s+)?(?-i:([\p{Lu}][^\n\t;]{3,110}?)),?\s+(?:for the above|invites?|calls?|until|No\.|from)\b";
    CALLED_BY = r"(?:called|invited)\s+by\s+(?:the\s+)?(?-i:(\p{Lu}[^\n\t;.]{3,90}?))\s+from\b";
    // `The Port of Galle invites …` at the beginning of a line.
    SUBJECT = r"(?m)^(?:\(?\w{1,2}[.)]\s)?(?:the\s)?(?-i:(\p{Lu}[^\n\t.;:]{3,90}?))\s(?:hereby\s|now\s)?(?:invites?|calls|requests?|intends|wishes|proposes|will (?:hold|sell|receive|purchase))\b";
    SIGNATURE = r"(?:committee|tender board|කමිටුව|குழு|board)(?:\s*\((?:minor|major)\))?\s*,\s+(?-i:([\p{Lu}\p{Lo}][^\n\t]{3,110}?))\s*(?:,\s*(?:No\b|P\.?\s?O\.?|\d)|\.\s|\.?$|\n)";
    // A name in running text: capitalised words, joined by small words such as `of`.
    PHRASE = r"(?-i:\p{Lu}[\p{L}\p{M}.'’]*(?:,?\s(?:(?:of|and|for|the|&|-|–)\s){0,2}\(?\p{Lu}[\p{L}\p{M}.'’]*\)?){1,11})";
    // Words in names that are unique in the country.
    WHOLE = r"\b(?:of sri lanka|ceylon|national|state|plc|limited)\b";
    ADDRESSEE = r"\b(?:room|division|branch|unit|committee|tender board|account|section|stores|bank)\b";
    LEADING = r"^(?:the\s+)?(?:chair(?:man|person)\s*,?\s*)?(?:(?:\w+\s+)?(?:procurement|tender)\s+(?:committee|board)\s*,?\s*(?:of\s+)?(?:the\s+)?)?";
    NOT_A_NAME = r"\b(?:bid|bids|tender box|documents?|contractors?|suppliers|committee|has|have|had|received|toward)\b|^No\b\.?\s?\d";

    ACRONYM = r"\s*\([^()]{1,12}\)\s*$";
    ADDED = r"(?:\s(?:of )?sri lanka|\s(?:pvt|private)|\s(?:limited|ltd|plc))+$";

    NGO = r"\b(?:UNDP|UNICEF|UNOPS|UNHCR|WFP|FAO|ILO|United Nations|Red Cross|foundation|NGO|World Vision|Save the Children|Oxfam|CARE International|trust)\b";
    PRIVATE = r"\b(?:PLC|\(?Pvt\.?\)?|private|limited|ltd)\b";
    STATE_OWNED = r"\b(?:corporation|board|authority|university|campus|commission|bank|institute|state|ceylon|sri lanka|lanka|fund|bureau|agency|faculty)\b|අධිකාරිය|මණ්ඩලය|සංස්ථාව|විශ්වවිද්‍යාලය|බැංකුව|அதிகார சபை|கூட்டுத்தாபனம்|பல்கலைக்கழகம்|வங்கி";
    GOVERNMENT = r"\b(?:ministry|department|dept|secretariat|council|sabha|sabhawa|hospital|provincial|district|divisional|police|army|navy|air force|courts?|parliament|treasury)\b|අමාත්‍යාංශය|දෙපාර්තමේන්තුව|සභාව|රෝහල|ලේකම් කාර්යාලය|திணைக்களம்|அமைச்சு|வைத்தியசாலை|செயலகம்";
}

/// Finds the name of the organisation as printed.
pub(crate) fn find_organization(
    printed: &Printed,
    head: &[Headline],
    gazetteer: &Gazetteer,
) -> Option<Found<String>> {
    let text = printed.flow();
    let mut elsewhere: Vec<Found<String>> = Vec::new();
    for pattern in [&ON_BEHALF, &CALLED_BY, &COMMITTEE_OF] {
        elsewhere.extend(
            pattern.captures(text).and_then(|groups| groups.get(1)).and_then(|name| clean_name(&name, 0.85)),
        );
    }
    elsewhere
        .extend(SIGNATURE.captures_iter(text).filter_map(|groups| clean_name(&groups.get(1)?, 0.8)).last());
    let subjects =
        SUBJECT.captures_iter(printed.text()).filter_map(|groups| clean_name(&groups.get(1)?, 0.85));
    elsewhere.extend(subjects.filter(|name| is_organization(&name.value)).take(1));
    let named = head.iter().filter(|line| matches!(line.role, Role::Organization | Role::Ministry));
    elsewhere.extend(named.filter_map(|line| find_signature(printed, &line.text)));
    let in_head = organization_in_heading(head, &elsewhere, gazetteer);
    match in_head {
        Some(name) => {
            let mut name = with_known_spelling(name, &elsewhere, gazetteer);
            let is_listed = gazetteer.has_exact_name(&name.value);
            let any_other =
                |same: fn(&str, &str) -> bool| elsewhere.iter().any(|other| same(&name.value, &other.value));
            let (same, within, near) =
                (any_other(has_equal_words), any_other(contains_name), any_other(is_similar));
            name.confidence = if same {
                READ_TWICE_CONFIDENCE
            } else if within || is_listed {
                0.93
            } else if near || gazetteer.knows(&name.value) {
                // The name differs by a few letters from a name elsewhere in the notice or from a
                // listed name.
                0.75
            } else if elsewhere.is_empty() {
                0.85
            } else {
                0.65
            };
            if name.value.split_whitespace().count() > MAX_WORDS {
                name.confidence = 0.4;
            }
            Some(name)
        }
        None => {
            let Some(mut name) = elsewhere.first().cloned() else {
                return organization_in_text(printed, gazetteer);
            };
            let others = elsewhere.iter().skip(1).cloned().chain(find_signature(printed, &name));
            if others.into_iter().any(|other| may_be_same_name(&name.value, &other.value)) {
                name.confidence = 0.93;
            }
            Some(name)
        }
    }
}

/// An organisation in running text, for notices without an organisation in the usual places. A
/// listed name comes first, then a line of the signature, then any other name.
fn organization_in_text(printed: &Printed, gazetteer: &Gazetteer) -> Option<Found<String>> {
    let phrases =
        PHRASE.find_iter(printed.flow()).take(MAX_PHRASES).filter_map(|phrase| clean_name(&phrase, 0.5));
    let organizations: Vec<Found<String>> =
        phrases.filter(|name| is_organization(&name.value) && !ADDRESSEE.is_match(&name.value)).collect();
    let known = organizations.iter().find(|name| gazetteer.knows(&name.value)).cloned();
    known
        .map(|name| Found { confidence: 0.7, ..name })
        .or_else(|| organization_in_signature(printed))
        .or_else(|| organizations.into_iter().next())
}

/// The name of an organisation in the last lines, without its address. The lowest line with a name
/// is used.
fn organization_in_signature(printed: &Printed) -> Option<Found<String>> {
    let lines: Vec<_> = printed.lines().collect();
    let last = lines.iter().rev().take(SIGNATURE_LINES);
    let mut names =
        last.filter(|(_, line)| (is_organization(line) || is_ministry(line)) && !NOT_A_NAME.is_match(line));
    let (range, line) =
        names.find(|(_, line)| line.split_whitespace().count() <= MAX_WORDS && !line.contains('\t'))?;
    let name = without_address(trim_punctuation(line));
    let start = range.start + line.find(name)?;
    Some(Found::new(name.to_owned(), 0.7, start..start + name.len()))
}

/// The organisation in the heading. An organisation takes precedence over its ministry.
fn organization_in_heading(
    head: &[Headline],
    elsewhere: &[Found<String>],
    gazetteer: &Gazetteer,
) -> Option<Found<String>> {
    let of = |role: Role| head.iter().filter(move |line| line.role == role).map(|line| &line.text);
    // A heading line with another role can be a listed organisation.
    let listed = head.iter().map(|line| &line.text).find(|line| gazetteer.knows(&line.value));
    let agreeing = of(Role::Organization)
        .find(|line| elsewhere.iter().any(|other| may_be_same_name(&line.value, &other.value)));
    let name = agreeing
        .or_else(|| of(Role::Organization).next())
        .or_else(|| {
            of(Role::Ministry)
                .find(|line| elsewhere.iter().any(|other| may_be_same_name(&line.value, &other.value)))
        })
        .or(listed)
        .or_else(|| of(Role::Ministry).next_back())?;
    Some(Found::new(
        trim_punctuation(without_address(without_branch(&name.value, gazetteer))).to_owned(),
        0.85,
        name.range.clone(),
    ))
}

/// Removes a branch after a complete name, as in `CEYLON ELECTRICITY BOARD - COLOMBO CITY`. A town
/// after a generic name is part of the name, as in `Base Hospital - Dambulla`.
fn without_branch<'n>(name: &'n str, gazetteer: &Gazetteer) -> &'n str {
    let dashes = name.match_indices(" - ").chain(name.match_indices(" – "));
    for (at, _) in dashes {
        let (whole, rest) = (&name[..at], name[at..].trim_start_matches([' ', '-', '–']));
        let another = rest.contains(['<', '>']) || rest.contains(|c: char| c.is_ascii_digit());
        let part = is_organization(rest) || is_ministry(rest);
        if gazetteer.knows(whole) && !part || another && is_organization(whole) {
            return whole;
        }
    }
    name
}

/// Removes an address after the name, as in
/// `SRI PALEE CAMPUS, UNIVERSITY OF COLOMBO, Wewala, Horana`.
fn without_address(name: &str) -> &str {
    if is_ministry(name) {
        return name;
    }
    let mut end = name.len();
    while let Some(comma) = name[..end].rfind(", ") {
        if is_organization(&name[comma..end]) || !is_organization(&name[..comma]) {
            break;
        }
        end = comma;
    }
    // A single part after the comma belongs to a generic name: `District Secretariat, Matale`.
    let whole = WHOLE.is_match(&name[..end]) && !name[end..].contains("Province");
    if name[end..].matches(", ").count() < 2 && !whole { name } else { &name[..end] }
}

fn clean_name(name: &regex::Match<'_>, confidence: f64) -> Option<Found<String>> {
    let skipped = LEADING.find(name.as_str()).map_or(0, |lead| lead.end());
    let rest = &name.as_str()[skipped..];
    let value = trim_punctuation(rest.split(", No").next().unwrap_or(rest));
    let words = value.split_whitespace().count();
    let value_is_name = (1..=14).contains(&words) && !NOT_A_NAME.is_match(value) && value.chars().count() > 3;
    let start = name.start() + skipped;
    value_is_name.then(|| Found::new(value.to_owned(), confidence, start..start + value.len()))
}

fn trim_punctuation(name: &str) -> &str {
    name.trim_start_matches([':', '.', ',', ';', '-', '–', ' '])
        .trim()
        .trim_end_matches([',', '.', ':', '-', '–', ';'])
        .trim()
}

/// The name without enclosing or unbalanced brackets.
pub(crate) fn without_stray_brackets(name: &str) -> &str {
    let name = name.trim();
    let opens = name.matches('(').count();
    let closes = name.matches(')').count();
    let name = if opens > closes || opens == 1 && name.ends_with(')') {
        name.strip_prefix('(').unwrap_or(name)
    } else {
        name
    };
    let name = if name.matches(')').count() > name.matches('(').count() {
        name.strip_suffix(')').unwrap_or(name)
    } else {
        name
    };
    name.trim()
}

/// Replaces a name that may be misread by a similar name elsewhere in the notice that the
/// gazetteer lists. Without such a name, the name is unchanged.
fn with_known_spelling(
    name: Found<String>,
    elsewhere: &[Found<String>],
    gazetteer: &Gazetteer,
) -> Found<String> {
    if gazetteer.has_exact_name(&name.value) {
        return name;
    }
    let known = elsewhere
        .iter()
        .find(|other| is_similar(&name.value, &other.value) && gazetteer.has_exact_name(&other.value));
    known.cloned().unwrap_or(name)
}

/// Whether two names are the same organisation. Suffixes such as `, Sri Lanka`, `(Pvt) Ltd` or an
/// acronym are ignored, but places must be equal.
pub(crate) fn is_same_organization(a: &str, b: &str) -> bool {
    let bare = |name: &str| {
        let plain = plain_words(&ACRONYM.replace(name.trim(), ""));
        let plain = plain.strip_prefix("the ").unwrap_or(&plain);
        ADDED.replace(plain, "").into_owned()
    };
    let (first, second) = (bare(a), bare(b));
    !first.is_empty() && first == second
}

fn may_be_same_name(a: &str, b: &str) -> bool {
    is_similar(a, b) || contains_name(a, b)
}

fn has_equal_words(a: &str, b: &str) -> bool {
    plain_words(a) == plain_words(b)
}

/// Whether one name contains the other.
fn contains_name(a: &str, b: &str) -> bool {
    let (first, second) = (plain_words(a), plain_words(b));
    (second.len() > 8 && first.contains(&second)) || (first.len() > 8 && second.contains(&first))
}

/// The type of an organisation, according to the gazetteer or to words in its name.
pub(crate) fn organization_type(name: &str, gazetteer: &Gazetteer) -> Option<OrganizationType> {
    if let Some(kind) = gazetteer.kind(name) {
        return Some(kind);
    }
    let first_government = GOVERNMENT.find(name).map(|found| found.start());
    if NGO.is_match(name) {
        Some(OrganizationType::Ngo)
    } else if PRIVATE.is_match(name) {
        // State-owned companies are also `limited`. Only the gazetteer distinguishes them.
        Some(OrganizationType::Private)
    } else if first_government.is_some() {
        Some(OrganizationType::Government)
    } else if STATE_OWNED.is_match(name) {
        Some(OrganizationType::SemiGovernment)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::rules::heading::parse_heading;
    use rstest::rstest;

    #[test]
    fn agreement_of_heading_body_and_signature_raises_the_confidence() {
        let printed = Printed::plain(
            "INVITATION FOR BIDS\nMinistry of Health\nDivisional Secretariat - Weligama\nRenovation of Quarters\n\n1. The Chairman, \
             Department Procurement Committee, on behalf of the Divisional Secretariat - Weligama, invites sealed bids\n\n\
             Chairman,\nMinistry Procurement Committee,\nDivisional Secretariat - Weligama,\nNo. 63, Peradeniya Road, Kurunegala.",
        );
        let name = find_organization(
            &printed,
            &parse_heading(&printed, crate::extract::Gazetteer::built_in()).0,
            Gazetteer::built_in(),
        )
        .unwrap();
        assert_eq!((name.value.as_str(), name.confidence), ("Divisional Secretariat - Weligama", 0.97));
    }

    #[rstest]
    #[case("CEYLON ELECTRICITY BOARD - COLOMBO CITY", "CEYLON ELECTRICITY BOARD")]
    #[case("Base Hospital - Dambulla", "Base Hospital - Dambulla")]
    #[case("UNIVERSITY OF COLOMBO - FACULTY OF MEDICINE", "UNIVERSITY OF COLOMBO - FACULTY OF MEDICINE")]
    #[case(
        "UNIVERSITY OF COLOMBO SCHOOL OF COMPUTING - <title> - (PROC NO: 1)",
        "UNIVERSITY OF COLOMBO SCHOOL OF COMPUTING"
    )]
    fn a_branch_is_not_part_of_the_name(#[case] line: &str, #[case] expected: &str) {
        assert_eq!(without_branch(line, Gazetteer::built_in()), expected);
    }

    #[test]
    fn without_a_heading_the_signature_gives_the_name() {
        let printed = Printed::plain(
            "Sealed bids are invited.\n\nChairman,\nTender Board,\nSri Lanka Telecom PLC,\nNo. 16, Hospital Road, Galle.",
        );
        assert_eq!(
            find_organization(&printed, &[], Gazetteer::built_in()).unwrap().value,
            "Sri Lanka Telecom PLC"
        );
    }

    #[rstest]
    #[case("UNIVERSITY OF JAFFNA, SRI LANKA", "University of Jaffna", true)]
    #[case("Ceylon Petroleum Storage Terminals Limited", "Ceylon Petroleum Storage Terminals Ltd.", true)]
    #[case("Road Development Authority (RDA)", "Road Development Authority", true)]
    #[case("Base Hospital, Dambulla", "Base Hospital", false)]
    #[case("Base Hospital, Dambulla", "Base Hospital, Kantale", false)]
    #[case("Department of Irrigation", "Department of Agriculture", false)]
    #[case("", "", false)]
    fn optional_suffixes_do_not_distinguish_organisations(
        #[case] a: &str,
        #[case] b: &str,
        #[case] same: bool,
    ) {
        assert_eq!((is_same_organization(a, b), is_same_organization(b, a)), (same, same));
    }

    #[rstest]
    #[case("(University of Peradeniya)", "University of Peradeniya")]
    #[case("(Sri Lanka Cashew Corporation", "Sri Lanka Cashew Corporation")]
    #[case("Road Development Authority (RDA)", "Road Development Authority (RDA)")]
    #[case("Open University of Sri Lanka", "Open University of Sri Lanka")]
    fn stray_brackets_are_removed_from_a_name(#[case] printed: &str, #[case] expected: &str) {
        assert_eq!(without_stray_brackets(printed), expected);
    }

    #[rstest]
    #[case("Road Development Authority", OrganizationType::SemiGovernment)]
    #[case("Department of Irrigation", OrganizationType::Government)]
    #[case("Kandy Municipal Council", OrganizationType::Government)]
    #[case("Hayleys PLC", OrganizationType::Private)]
    #[case("UNDP SRI LANKA", OrganizationType::Ngo)]
    #[case("මාර්ග සංවර්ධන අධිකාරිය", OrganizationType::SemiGovernment)]
    fn the_name_gives_the_type(#[case] name: &str, #[case] expected: OrganizationType) {
        assert_eq!(organization_type(name, Gazetteer::built_in()), Some(expected));
    }
}
