//! Where a sentence ends. A full stop of an abbreviation, as in `Maga Engineering (Pvt.) Ltd.`, does
//! not end it.

use crate::extract::rules::pattern::patterns;

patterns! {
    STOP = r"\.(?:\s+|$)|\n\s*\n|\n\s*[*•·]";
    ABBREVIATION = r"(?:\b(?:Ltd|Pvt|Pte|Co|Inc|Corp|Plc|M/s|Messrs|Ms|Nos?|Dr|Hon|St|Mrs?|Eng|Bhd|Sdn|Rs|Mn|Km|Ext|Dept|vs|Approx)|\((?:Pvt|Pte|Dr|Private)|(?-i:\b[A-Z]{1,3}))\.$";
    STARTER = r"^(?-i:The|This|These|That|Those|It|Its|Accordingly|As|In|Further|Furthermore|Cabinet|Hence|Also|Therefore|However|Meanwhile|And|But|Thus|Subsequently|Approval|Bids|Based|Under|For|When|While|Since|Due|Considering|Taking|With|Having|At|By|On|An|Concurrence|Consequently|Following|After|Before|Upon|Three|Two|Four|Five)\b";
}

/// Whether the words before a position end with an abbreviation and its full stop.
pub(super) fn ends_with_abbreviation(before: &str) -> bool {
    let mut start = before.len().saturating_sub(12);
    while !before.is_char_boundary(start) {
        start -= 1;
    }
    ABBREVIATION.is_match(&before[start..])
}

/// Whether a word begins a new sentence even after an abbreviation.
pub(super) fn starts_sentence(rest: &str) -> bool {
    STARTER.is_match(rest)
}

/// The position after the sentence that contains `from`.
pub(super) fn sentence_end(text: &str, from: usize) -> usize {
    for stop in STOP.find_iter(&text[from..]) {
        let (start, end) = (from + stop.start(), from + stop.end());
        if !stop.as_str().starts_with('.') {
            return start;
        }
        let rest = &text[end..];
        let Some(next) = rest.chars().next() else { return text.len() };
        let begins = next.is_uppercase() || next.is_ascii_digit() || matches!(next, '"' | '“' | '*' | '•');
        if !begins || (ends_with_abbreviation(&text[..=start]) && !starts_sentence(rest)) {
            continue;
        }
        return start + 1;
    }
    text.len()
}

/// The start of the sentence that contains `at`.
pub(super) fn sentence_start(text: &str, at: usize) -> usize {
    let mut start = 0;
    loop {
        let end = sentence_end(text, start);
        if end >= at {
            return start;
        }
        let skipped = text[end..].len() - text[end..].trim_start_matches([' ', '\n', '\r', '\t', '.']).len();
        // Each step moves on, also past a mark that ends an empty sentence.
        start = (end + skipped).max(next_boundary(text, start));
    }
}

fn next_boundary(text: &str, at: usize) -> usize {
    (at + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "to Maga Engineering (Pvt.) Ltd. for Rs. 5.2 million. The next",
        "to Maga Engineering (Pvt.) Ltd. for Rs. 5.2 million."
    )]
    #[case("to M/s. Link Ltd. Accordingly, the", "to M/s. Link Ltd.")]
    #[case("as follows\n\n* one", "as follows")]
    #[case("no stop", "no stop")]
    fn a_sentence_ends(#[case] text: &str, #[case] sentence: &str) {
        assert_eq!(&text[..sentence_end(text, 0)], sentence);
    }

    #[test]
    fn the_start_of_a_sentence_is_found() {
        let text = "- Bids were called by Hon. A. Perera. The proposal to award it, was approved.";
        assert_eq!(sentence_start(text, text.find("award").unwrap()), text.find("The").unwrap());
    }
}
