//! Where the name of a winner ends, and which names a list of winners has.

use super::{
    companies::{begins_with_country, is_closed, is_company, tidy},
    sentences::{ends_with_abbreviation, starts_sentence},
};
use crate::extract::rules::pattern::patterns;

patterns! {
    // A comma ends a word, also where no space follows it.
    WORD = r"[^\s,]+,*|,+";
    SEPARATOR = r",?\s+(?:and|&)\s+|,\s*";
    FIRM_MARK = r"\s*(?:,|;)?\s*(?:\band\b|&)?\s*(?:the\s+)?(?-i:M/[sS]\b\.?|Messrs\b\.?|Ms\.)\s*";
    NOTE = r"^\((?:manufactur|local|principal|agent|rs\b|us\b|lkr|usd|through|for\b|at\b|represent|excluding|including)";
    // `for` within a name: `Modern Consortium for Refueling Aircraft Co. Ltd`.
    FOR_NAME = r"^for\s+(?-i:[A-Z][\w&]+\s+){1,4}(?-i:Co\b|Ltd|Limited|Company|Corporation)";
    INSTITUTION = r"(?-i:^(?:Bureau|Board|Institute|University|Centre|Bank|Corporation|Company|Authority|Faculty|Ministry|Department|College)$)";
    HOME = r"^(?:the\s+)?(?-i:Sri Lanka|Ceylon|Colombo|Government)";
    // A word in lower case that a form of company follows: `Gunvor singapore Pte. Ltd`.
    LOWER_NAME = r"^\p{Ll}\w*\s+(?-i:\(?(?:Pte|Ltd|Pvt|Limited|PLC|Co|Inc|JV)\b|\([A-Z]{2,6}\))";
    SUB = r"^(?:as\s+)?sub\W?\s?(?:consult|contract)";
}

/// Words in lower case that belong to a name.
const INNER_WORDS: [&str; 17] = [
    "limited", "sdn", "bhd", "pte", "co", "ltd", "pvt", "de", "van", "der", "la", "le", "du", "plc", "gmbh",
    "llc", "inc",
];

/// The end of the name that begins at `start`, within `text`.
pub(super) fn name_end(text: &str, start: usize) -> usize {
    let words: Vec<(usize, &str)> =
        WORD.find_iter(&text[start..]).map(|word| (start + word.start(), word.as_str())).collect();
    let mut end = start;
    for (index, &(at, word)) in words.iter().enumerate() {
        let previous = index.checked_sub(1).map(|index| words[index].1);
        if index > 0 && ends_before(text, (at, word), previous.unwrap_or_default(), end, start) {
            break;
        }
        end = at + word.len();
        let rest = text[end..].trim_start();
        if word.ends_with([';', ':']) || (word.ends_with('.') && stops_at(&text[..end], rest)) {
            break;
        }
    }
    let name = text[start..end].trim_end();
    let name = ["and", "&", "of"].iter().fold(name, |name, joint| {
        name.strip_suffix(joint).filter(|name| name.ends_with(' ')).map_or(name, str::trim_end)
    });
    start + name.trim_end_matches([',', ';', ':']).len()
}

/// Whether the full stop at the end of `before` ends the name.
fn stops_at(before: &str, rest: &str) -> bool {
    let goes_on = rest.starts_with(|c: char| c.is_uppercase() || c == '(' || c == '&' || c.is_lowercase());
    !(ends_with_abbreviation(before) && goes_on && !starts_sentence(rest))
}

/// Whether the name ends before a word.
fn ends_before(text: &str, (at, word): (usize, &str), previous: &str, end: usize, start: usize) -> bool {
    let rest = &text[at..];
    let gap = &text[end..at];
    if gap.matches('\n').count() > 1 || matches!(word.chars().next(), Some('*' | '•' | '|')) {
        return true;
    }
    let bare = word.trim_matches([',', '.', ';', ':', ')', '(']);
    if matches!(bare, "M/s" | "M/S" | "Messrs") || word == "Ms." || SUB.is_match(rest) || NOTE.is_match(rest)
    {
        return true;
    }
    let after_comma = previous.ends_with(',');
    if after_comma && (bare.starts_with(|c: char| c.is_ascii_digit()) || bare == "No") {
        return true;
    }
    match word {
        "and" | "&" => {
            let next = rest[word.len()..].trim_start();
            return next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
        }
        "of" => {
            let next = rest[2..].trim_start();
            let so_far = text[start..end].trim_end();
            if next.starts_with(|c: char| c.is_lowercase()) && !next.starts_with("the ") {
                return true;
            }
            let last = previous.trim_end_matches([',', '.', ')']);
            let names_a_place = INSTITUTION.is_match(last) && (HOME.is_match(next) || !is_closed(so_far));
            return is_company(so_far) && !names_a_place;
        }
        "for" => return !FOR_NAME.is_match(rest),
        _ => {}
    }
    word.starts_with(|c: char| c.is_lowercase())
        && !LOWER_NAME.is_match(rest)
        && (after_comma || !INNER_WORDS.contains(&bare.to_lowercase().as_str()))
}

/// The names of a list such as `A (Pvt) Ltd. and M/s B PLC, India`.
pub(super) fn split(list: &str) -> Vec<String> {
    let list = super::plain(list);
    FIRM_MARK
        .split(&list)
        .flat_map(split_at_ends)
        .map(|name| tidy(&name))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Splits a list where a name is complete and a company follows.
fn split_at_ends(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut start = 0;
    for separator in SEPARATOR.find_iter(list) {
        let (left, right) = (&list[start..separator.start()], &list[separator.end()..]);
        let follows = right.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            && is_company(right)
            && !begins_with_country(right)
            && !right.starts_with("Ltd")
            && !right.starts_with("Inc");
        // `A Ltd., India and B Ltd.`: the country belongs to the first name.
        if follows && (is_closed(left) || is_closed(&tidy(left))) {
            names.push(left.to_owned());
            start = separator.end();
        }
    }
    names.push(list[start..].to_owned());
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Maga Engineering (Pvt.) Ltd., for a sum", "Maga Engineering (Pvt.) Ltd.")]
    #[case("Maga Engineering (Pvt.) Ltd. for a sum", "Maga Engineering (Pvt.) Ltd.")]
    #[case("Vitol Asia Pte. Ltd., Singapore, as recommended", "Vitol Asia Pte. Ltd., Singapore")]
    #[case("Sanofi Pasteur S A of France, at a total", "Sanofi Pasteur S A of France")]
    #[case("Boehringer Ingelheim India (Pvt.) Ltd. of India for", "Boehringer Ingelheim India (Pvt.) Ltd.")]
    #[case(
        "Modern Consortium for Refueling Aircraft Co. Ltd (MCRA), for a",
        "Modern Consortium for Refueling Aircraft Co. Ltd (MCRA)"
    )]
    #[case(
        "Livan Agrichem International Pvt. Ltd, 3,000 MT of Muriate",
        "Livan Agrichem International Pvt. Ltd"
    )]
    #[case("PROS, Inc in  United States", "PROS, Inc")]
    #[case("State Engineering Corporation of Sri Lanka, was", "State Engineering Corporation of Sri Lanka")]
    #[case("REDtone MEX sdn Bhd institution at", "REDtone MEX sdn Bhd")]
    #[case("A & B Engineers and to enter", "A & B Engineers")]
    #[case("Consortium (Pvt) Ltd.,the substantially", "Consortium (Pvt) Ltd.")]
    #[case("Sierra Construction (Pvt.) limited, for", "Sierra Construction (Pvt.) limited")]
    #[case("Gulf Industries of the Kingdom", "Gulf Industries")]
    #[case("Link Engineering Limited", "Link Engineering Limited")]
    #[case("Gulf Pharma Ltd., Sri Lanka, (Manufacturer: M/s X)", "Gulf Pharma Ltd., Sri Lanka")]
    fn a_name_ends(#[case] text: &str, #[case] name: &str) {
        assert_eq!(&text[..name_end(text, 0)], name);
    }

    #[rstest]
    #[case("Siemens Ltd and DIMO (Pvt) Ltd.", &["Siemens Ltd", "DIMO (Pvt) Ltd"])]
    #[case("Lanka IOC PLC, Chevron Lubricants Lanka PLC and M/s McLarens Ltd", &["Lanka IOC PLC", "Chevron Lubricants Lanka PLC", "McLarens Ltd"])]
    #[case("Consulting Engineers & Contractors (Pvt.) Ltd.", &["Consulting Engineers & Contractors (Pvt.) Ltd"])]
    #[case("FCG ANZDEC Ltd, New Zealand and FCG Swedish Development AB, Sweden", &["FCG ANZDEC Ltd", "FCG Swedish Development AB"])]
    #[case("Sathuta Builders Pvt. Ltd, Kurunegala", &["Sathuta Builders Pvt. Ltd"])]
    #[case("Marksons Pharma Ltd., India", &["Marksons Pharma Ltd"])]
    fn a_list_of_names_is_split(#[case] list: &str, #[case] names: &[&str]) {
        assert_eq!(split(list), names);
    }
}
