//! The ministry whose minister proposed the award.

use crate::extract::rules::pattern::patterns;
use std::ops::Range;

patterns! {
    PROPOSAL = r"\bproposals?\s+(?:made|submitted|presented|forwarded)?\b";
    MINISTER = r"(?-i:((?:State|Deputy)\s+)?(?:[Mm]ini?ster|[Mm]inistry)\s+(?:[Ii]n[\s-]+[Cc]harge\s+)?of\s+([A-Z][A-Za-z\x{2011}-]+(?:(?:\s*,\s*(?:and\s+|&\s+)?|\s+(?:and|&|of)\s+|\s+)[A-Z][A-Za-z\x{2011}-]+)*))";
    PERSON = r"(?-i:,?\s*\b(?:Hon|Honourable|H\.?E|Dr|Mr|Mrs|Prof)$|,\s*(?:Hon|Honourable|Dr)\b.*$)";
}

/// The ministry, and the words that name its minister.
pub(super) fn find(text: &str, lead: Range<usize>) -> Option<(String, Range<usize>)> {
    let whole = &text[lead.clone()];
    let proposal = PROPOSAL.find_iter(whole).last().map_or(0, |found| found.end());
    let minister = MINISTER.captures_iter(&whole[proposal..]).last()?;
    let (all, portfolio) = (minister.get(0)?, minister.get(2)?);
    let person = PERSON.find(portfolio.as_str()).map_or(portfolio.len(), |person| person.start());
    let state = minister.get(1).map_or("", |state| state.as_str());
    let name = super::plain(&format!("{state} Ministry of {}", &portfolio.as_str()[..person]));
    let start = lead.start + proposal;
    Some((name, start + all.start()..start + portfolio.start() + person))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "- The proposal made by Hon. (Dr.) R. Senaratne, the Minister of Health, Nutrition and Indigenous Medicine, to award",
        "Ministry of Health, Nutrition and Indigenous Medicine"
    )]
    #[case(
        "the proposal made by H.E. the President, in his capacity as the Minister of Ports and Highways, to",
        "Ministry of Ports and Highways"
    )]
    #[case(
        "the proposal made by the Minister of Public Administration, Hon. Karu Jayasuriya to award",
        "Ministry of Public Administration"
    )]
    #[case(
        "the proposal made by the Minister of Co-operatives and Internal Trade to award",
        "Ministry of Co-operatives and Internal Trade"
    )]
    #[case(
        "the proposal made by the Minister of Health and Co\u{2011}operative Development to",
        "Ministry of Health and Co-operative Development"
    )]
    #[case(
        "the proposal made by the Minister of Transport & Civil Aviation to",
        "Ministry of Transport & Civil Aviation"
    )]
    fn the_ministry_is_read(#[case] text: &str, #[case] name: &str) {
        assert_eq!(find(text, 0..text.len()).unwrap().0, name);
    }

    #[test]
    fn a_president_without_a_portfolio_is_no_ministry() {
        let text = "the proposal made by H.E. the President, to award the contract";
        assert_eq!(find(text, 0..text.len()), None);
    }
}
