//! Titles after a label, such as `Name of work: …`, and titles in a table of key facts.

use super::{pattern::patterns, work_verbs::begins_with_work_verb};
use crate::extract::printed::{Found, Printed};
use std::ops::Range;

patterns! {
    NAME = r"^\s*(?:\(?[a-z0-9]{1,3}[.)]\s*)?(?:(?:name|title|description|nature|subject|particulars) of (?:the )?(?:proposed )?(?:works?|projects?|procurements?|contracts?|goods|services?|suppl(?:y|ies)|tenders?|bids?|items?|assignments?)|(?:procurement|project|contract|tender|bid|work|job|item|assignment)(?:'s)?\s(?:titles?|names?|description)|title|subject|description|(?:කාර්යයේ|ව්‍යාපෘතියේ|ප්‍රසම්පාදනයේ|කොන්ත්‍රාත්තුවේ)\s(?:නම|විස්තරය)|කාර්යය|ව්‍යාපෘතිය|(?:வேலையின்|கருத்திட்டத்தின்|பெறுகையின்|ஒப்பந்தத்தின்)\s(?:பெயர்|விபரம்)|வேலை|கருத்திட்டம்)\s*(?:[:\t]|\s[-–]\s)\s*";
}

patterns! {
    // Amounts, telephone numbers and dates.
    HAS_NUMBER = r"\d{1,3}[,.]\d{3}|\d{5}|\d{1,4}[./\-]\d{1,2}[./\-]\d{1,4}";
}

/// The minimum number of rows in a table of key facts.
const MIN_FACTS: usize = 3;

/// The minimum length of a title, in characters.
const MIN_TITLE_CHARS: usize = 8;

/// The title after the first label. A wrapped title continues on the next lines.
pub(crate) fn find_title(printed: &Printed) -> Option<Found<String>> {
    let mut lines = printed.lines();
    let (label, mut range) = lines.by_ref().find_map(|(range, line)| {
        let label = NAME.find(line)?;
        let value = line[label.end()..].split('\t').next().unwrap_or_default();
        let start = range.start + label.end();
        // A line with more than two cells is the header of a table.
        let is_head = line.matches('\t').count() > 1;
        (value.chars().count() >= MIN_TITLE_CHARS && !is_head)
            .then(|| (range.clone(), start..start + value.len()))
    })?;
    let is_cell = printed.text()[label].contains('\t');
    for (next, line) in lines {
        let begins_other_entry = next.start != range.end + 1
            || line.contains(['\t', ':'])
            || line.starts_with('(') && line.chars().nth(2) == Some(')')
            || line.starts_with(|c: char| c.is_ascii_digit());
        let is_rest = line.starts_with(|c: char| c.is_lowercase())
            || is_cell
            || !printed.text()[..range.end].ends_with(['.', ')']);
        if begins_other_entry || !is_rest || !was_wrapped(printed, &range, &next) {
            break;
        }
        range.end = next.end;
    }
    let value = printed.flow()[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Found::new(value, 0.9, range))
}

/// The first value of a table of key facts, if the value has at least three words and no amount,
/// telephone number or date.
pub(crate) fn first_fact(printed: &Printed) -> Option<Found<String>> {
    let facts: Vec<(Range<usize>, &str)> = printed
        .lines()
        .filter_map(|(range, line)| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [label, value] if !label.trim().is_empty() => Some((range.end - value.len()..range.end, *value)),
            _ => None,
        })
        .collect();
    let (range, value) = facts.first().filter(|_| facts.len() >= MIN_FACTS)?;
    let is_worded = value.split_whitespace().count() >= 3 && !HAS_NUMBER.is_match(value);
    let confidence = if begins_with_work_verb(value) { 0.82 } else { 0.75 };
    is_worded.then(|| Found::new((*value).to_owned(), confidence, range.clone()))
}

/// Whether `line` nearly reaches the right edge of the text, so that `next` probably continues it.
fn was_wrapped(printed: &Printed, line: &Range<usize>, next: &Range<usize>) -> bool {
    let edge = |range: &Range<usize>| printed.area(range).map(|area| area[0] + area[2]);
    let last = printed.text()[..line.end].rfind('\n').map_or(0, |end| end + 1)..line.end;
    let widest = printed.lines().filter_map(|(range, _)| edge(&range)).fold(0.0, f64::max);
    let left =
        printed.lines().filter_map(|(range, _)| printed.area(&range)).map(|area| area[0]).fold(1.0, f64::min);
    match (edge(&last), edge(next)) {
        (Some(edge), Some(_)) => (edge - left) > 0.8 * (widest - left),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "Tenders are called.\n(a) Name of the work: Repair of the Jetty at Beruwala\n(b) File No: X/1",
        Some("Repair of the Jetty at Beruwala")
    )]
    #[case("Project name | Supply of Fishing Nets\nFee | Rs. 500", Some("Supply of Fishing Nets"))]
    #[case("ව්‍යාපෘතියේ නම: ගාල්ල වරාය අලුත්වැඩියා කිරීම", Some("ගාල්ල වරාය අලුත්වැඩියා කිරීම"))]
    #[case("Description | Bid No. | Fee\nSupply of Nets | X/1 | 500", None)]
    #[case("Description of the goods is found in the documents.", None)]
    fn a_label_precedes_the_title(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(find_title(&Printed::plain(text)).map(|found| found.value).as_deref(), expected);
    }

    #[test]
    fn a_table_of_key_facts_begins_with_the_title() {
        let facts = |first: &str| format!("Wanted | {first}\nNumber | X/1/2027\nFee | Rs. 500");
        let found = |first: &str| first_fact(&Printed::plain(&facts(first))).map(|found| found.value);
        assert_eq!(found("Supply of Fishing Nets").as_deref(), Some("Supply of Fishing Nets"));
        assert_eq!(found("until 12.03.2027 at noon"), None);
        assert_eq!(first_fact(&Printed::plain("Wanted | Supply of Fishing Nets")), None);
    }
}
