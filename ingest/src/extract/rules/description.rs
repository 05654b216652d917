//! The description: the first sentences of the body. Tables, labelled values and signatures are
//! excluded.

use super::{cues::ends_sentence, letterhead::is_letterhead, pattern::patterns};
use crate::extract::printed::Printed;

/// The maximum length of a description, in characters.
const MAX_CHARS: usize = 480;
/// The minimum number of words in a description.
const MIN_WORDS: usize = 8;

patterns! {
    ITEM = r"^\s*\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)]\s+";
    // `Bid Bond : Rs. 100,000`, and `Bid Number :` with the value on the next line.
    LABELLED = r"^[\p{L}\p{M}][\p{L}\p{M} &/().,'\-]{1,40}\s?:(?:\s|$)";
    // The continuation of a labelled value.
    VALUE_GOES_ON = r"^(?-i:[\p{Ll}\d(]|[A-Z0-9]+/)";
    // `Chairman,` above the name of a committee.
    SIGNATURE = r"^[\p{L}\p{M}\p{Cf} ()]{3,40},$";
}

/// The description; empty if it would have fewer than [`MIN_WORDS`] words.
pub(crate) fn description(printed: &Printed, body: usize) -> String {
    let mut text = String::new();
    let mut after_label = false;
    for line in printed.text().get(body..).unwrap_or_default().split('\n') {
        let item = ITEM.find(line).map_or(0, |item| item.end());
        let words = line[item..].trim();
        let is_open = !text.is_empty() && !text.ends_with(['.', ':', ';']);
        let is_long = text.split_whitespace().count() >= MIN_WORDS;
        let is_enough = !is_open && is_long;
        let is_labelled = LABELLED.is_match(words);
        let goes_on = after_label && item == 0 && (words.is_empty() || VALUE_GOES_ON.is_match(words));
        let is_other = is_labelled || !is_open && (words.contains('\t') || is_letterhead(words));
        let ends = is_enough && (words.is_empty() || item > 0 || SIGNATURE.is_match(words));
        if ends || is_long && is_other || text.chars().count() > MAX_CHARS {
            break;
        }
        if is_other || !is_open && (words.is_empty() || item > 0) {
            text.clear();
        }
        after_label = is_labelled || goes_on && !words.is_empty();
        if !is_other && !goes_on && !words.is_empty() {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}{}", words.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    let text = truncate(without_unfinished_sentence(&text.replace("..", ".")));
    if text.split_whitespace().count() < MIN_WORDS { String::new() } else { text }
}

/// Removes an unfinished last sentence.
fn without_unfinished_sentence(text: &str) -> &str {
    if text.ends_with(['.', ':', ';', ')']) || text.chars().count() > MAX_CHARS {
        return text;
    }
    let mut stops = text.rmatch_indices(". ");
    let stop = stops.find(|(at, _)| ends_sentence(&text[..*at], &text[at + 1..]));
    stop.map_or(text, |(stop, _)| &text[..=stop])
}

/// Truncates a long text after a sentence, or else after a word.
fn truncate(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_CHARS) else { return text.to_owned() };
    let short = &text[..end];
    let mut stops = short.rmatch_indices('.');
    match stops.find(|(at, _)| ends_sentence(&text[..*at], &text[at + 1..])) {
        Some((stop, _)) => short[..=stop].to_owned(),
        None => format!("{} …", &short[..short.rfind(' ').unwrap_or(end)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::rows_before_it(
        "Bid Security | Rs. 50,000\nNon-refundable fee | Rs.15,000\nConstruction Period | 180 days\n\n1. The Chairman of the Committee now invites sealed bids from\neligible bidders. Bidding is national.\n2. To be eligible",
        "The Chairman of the Committee now invites sealed bids from eligible bidders. Bidding is national."
    )]
    #[case::labels_before_it(
        "1. Bid Number :\nUR/GAL/29/2025\n2. Bid Bond : Rs. 100,000.00\n3. Fee : LKR 1,000\n(Non-refundable)\n4. Closing : 7th August\nat 10.30 a.m.\n\nBids are called from interested parties for the above in Galle District.\nChairman,\nRegional Committee",
        "Bids are called from interested parties for the above in Galle District."
    )]
    #[case::a_table_after_it(
        "The Chairman invites sealed bids from eligible bidders for the items below.\nLot | Description | Qty\n01 | Works | 31",
        "The Chairman invites sealed bids from eligible bidders for the items below."
    )]
    #[case::a_sentence_over_a_gap_and_a_false_cell(
        "Sealed bids are invited by the Chairman\nfor the above | up to 1400 hrs\n\non 21/10/2024.\n\nMore of it follows here.",
        "Sealed bids are invited by the Chairman for the above up to 1400 hrs on 21/10/2024."
    )]
    #[case::nothing_but_values("Bid Bond : Rs. 5\nClosing : 7th August 2025 at 10.30 a.m.\nFee | Rs. 6", "")]
    #[case::a_label_within_a_sentence(
        "Sealed bids will be received by the Chairman of the Board for the above. (File No.\nC/1)\nFor more details contact\nthe Deputy Director,\nTel: 041-2810587.\n\nChairman, Tender Board, Electricity Board, No. 35, Road.",
        "Sealed bids will be received by the Chairman of the Board for the above."
    )]
    #[case::a_letterhead_before_it_and_an_address_after_it(
        "Ministry of Health\nNational Hospital of Sri Lanka\nNo. 10, Regent Street, Colombo 08.\nTel: 011-2691111\n\
         Sealed bids are invited by the Chairman for the supply of linen\nto the hospital in the year 2027.\n\
         National Hospital of Sri Lanka,\nColombo 08.",
        "Sealed bids are invited by the Chairman for the supply of linen to the hospital in the year 2027."
    )]
    #[case::a_doubled_stop(
        "Duly completed quotations should be submitted on or before 10.30 a.m..",
        "Duly completed quotations should be submitted on or before 10.30 a.m."
    )]
    fn a_description_has_whole_sentences(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(description(&Printed::plain(text), 0), expected);
    }

    #[test]
    fn a_long_description_ends_with_a_sentence() {
        let text = format!("{} end. Payment of Rs. {}", "word ".repeat(60).trim(), "500 ".repeat(60));
        assert!(description(&Printed::plain(&text), 0).ends_with("word end."));
        let endless = description(&Printed::plain(&"word ".repeat(300)), 0);
        assert!(endless.ends_with("word …") && endless.chars().count() <= MAX_CHARS + 2, "{endless}");
    }
}
