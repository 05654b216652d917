//! The title in the inviting sentence: `invites bids for the Supply of Pipes from …`.

use super::{
    cues::{ends_sentence, floor_char_boundary},
    pattern::patterns,
};
use crate::extract::printed::{Found, Printed};
use std::ops::Range;

patterns! {
    // Each of the first four patterns contains the `for` before the title.
    FOR_AS_DESCRIBED = r"\bfor\s+(?:the\s+)?(?-i:\p{Lu})[^\n\t]{8,220}?\s+as described\b";
    FROM_FOR = r"\bfrom\s[^.\n]{3,90}?\sfor\s+(?:the\s+)?(?-i:\p{Lu})";
    FOR_THE_WORK = r"\b(?:bids|tenders|quotations|proposals)\s(?:are\s|is\s)?(?:[^\s.;]+\s){0,18}?for\s+(?:the\s+)?(?-i:\p{Lu})";
    FOR_THE_DUTY = r"\bfor\s+(?:the\s+)?(?:outright\s+)?(?:supply|supplying|procurement|purchase|provision|providing|construction|rehabilitation|renovation|repairs?|maintenance|hiring|leasing|printing|installation|design|sale|disposal)(?:\s(?:and|&)\s\w+|,\s\w+){0,3}\s(?:of|for|to)\s";
    TO_THE_TITLE = r"\bfor\s+(?:the\s+)?";
    // The text that follows a title in a sentence.
    END = r"\s(?:as\b|up\s?to\b|until\b|till\b|on or before\b|not later\b|subject to\b|from (?:eligible|qualified|registered|suitable|reputed|interested|competent|experienced)\b)|,\s(?-i:(?:which|as|from|on|under|for|subject|in accordance|who|by|up|until|till|before|with|to be|through)\b)|[\n\t;]";
}

/// The maximum length of a title, in bytes.
const MAX_TITLE_LENGTH: usize = 240;

/// The titles in inviting sentences.
pub(crate) fn titles_in_sentences(printed: &Printed) -> Vec<Found<String>> {
    let text = printed.flow();
    let leads = [&FOR_AS_DESCRIBED, &FROM_FOR, &FOR_THE_WORK, &FOR_THE_DUTY];
    let ranges = leads.iter().enumerate().filter_map(|(nth, lead)| {
        let lead = lead.find(text)?;
        let within = lead.as_str();
        let starts = TO_THE_TITLE.find_iter(within);
        // The title follows the first `for` of the first and the last pattern, and the last `for`
        // of the other patterns.
        let to_title = if nth == 0 || nth == 3 { starts.into_iter().next()? } else { starts.last()? };
        title_range(text, lead.start() + to_title.end())
    });
    let found = ranges.map(|range| {
        let value = text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        Found::new(value, 0.75, range)
    });
    found.filter(|found| found.value.split_whitespace().count() >= 2).collect()
}

/// The range of the title that begins at a position, if its end is found.
fn title_range(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..floor_char_boundary(text, start + MAX_TITLE_LENGTH)];
    let stop = END.find(rest).map(|end| end.start());
    let mut stops = rest.match_indices('.').map(|(stop, _)| stop);
    let full_stop = stops.find(|stop| {
        let after = &rest[stop + 1..];
        start + stop + 1 == text.len() || ends_sentence(&rest[..*stop], after)
    });
    let end = stop.into_iter().chain(full_stop).min()?;
    Some(start..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "Bids are invited for the Purchase of Nets, Ropes and Buoys for 2028/2029. Forms",
        "Purchase of Nets, Ropes and Buoys for 2028/2029"
    )]
    #[case(
        "Sealed bids are invited by the Director for the Repair of Jetty No. 7/1 at Beruwala. Forms",
        "Repair of Jetty No. 7/1 at Beruwala"
    )]
    #[case(
        "Sealed bids are hereby invited by the Director of the Port of Galle for the Providing of Boats.",
        "Providing of Boats"
    )]
    #[case("Bids for the Supply of Nets, which are to be delivered at once.", "Supply of Nets")]
    #[case(
        "Quotations are invited from registered suppliers for Supply of Ropes. Interested",
        "Supply of Ropes"
    )]
    #[case(
        "invites bids for the supply, delivery and installation of pumps until 2.00 p.m. on",
        "supply, delivery and installation of pumps"
    )]
    fn an_inviting_sentence_has_the_title(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(
            titles_in_sentences(&Printed::plain(text)).first().map(|found| found.value.as_str()),
            Some(expected)
        );
    }

    #[test]
    fn text_without_an_end_is_not_a_title() {
        let text = format!("Bids are invited for the Supply of {}", "nets and ropes ".repeat(40));
        assert!(titles_in_sentences(&Printed::plain(&text)).is_empty());
    }
}
