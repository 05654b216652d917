//! The eligibility criteria and the required years of experience.

use super::{letterhead::is_letterhead, pattern::patterns};
use crate::extract::printed::{Found, Printed};
use std::ops::Range;

patterns! {
    CRITERION = r"\b(?:should have|shall have|must have|eligible for|to be eligible|to qualify|(?:open|limited|restricted|confined) (?:only )?to (?:\w+ ){0,4}(?:bidders|suppliers|contractors|firms|companies|manufacturers|agents|institutions|persons) (?:who|which|that|with|having|registered)|only (?:\w+ ){0,2}(?:bidders|suppliers|contractors|firms|companies) (?:who|which|that|with)|blacklist|black-list|registered (?:with|under|in)|registration (?:with|at)|at least .{0,40}years?|minimum .{0,30}experience|shall meet the requirements|to be credited to the account)";
    INVITED = r"\b(?:(?:of|with|having) (?:\w+ ){0,5}experience\b|experienced (?:\w+ ){0,2}(?:bidders|suppliers|contractors|firms|companies|institutions|persons|parties|consultants)|from (?:duly |suitably )?qualified (?:firms|companies|contractors|suppliers|institutions|persons|parties|consultants)|from (?:\w+,? ){0,3}(?:manufacturers|importers|dealers|agents|service providers))";
    CALLS = r"\b(?:invite[sd]?|call(?:s|ed)|solicit(?:s|ed)|request(?:s|ed)|engage)\b";
    INVITED_IN_OTHER_LANGUAGES = r"(?:පළපුරුද|පිළිගත් ආයතන).*කැඳව|அனுபவமுள்ள.*(?:கோரப்ப|அழைக்கப்ப)";
    SUBMITTED = r"\b(?:submissions|bids|tenders|proposals|quotations|offers|applications|expressions of interest) (?:should|shall|must) (?:carry|contain|include|be accompanied by) .{0,160}?\b(?:accounts|profile|experience|similar nature|certificates?|licen[cs]es?)\b";
    YEARS = r"\b(\d{1,2})\)?\s*years?(?:'|’)?\s*(?:of\s+)?(?:experience|in (?:operation|the field|business))|(?:experience|operation)\D{0,40}?\b(\d{1,2})\)?\s*years?";
    ITEM = r"^\s*\(?[0-9ivx]{1,4}[.)]\s*";
}

/// The maximum number of criteria.
const MAX_CRITERIA: usize = 12;

/// The sentences that say who may bid. Letterheads and signatures are left out, and so is the heading, which
/// ends at byte `body`.
pub(crate) fn criteria(printed: &Printed, body: usize) -> Vec<Found<String>> {
    let text = printed.flow();
    let mut found = Vec::new();
    let passages = passages(printed).into_iter().map(|range| range.start.max(body)..range.end);
    for range in passages.filter(|range| !range.is_empty()) {
        for (at, sentence) in sentences(&text[range.clone()]) {
            if limits_bidders(sentence) && sentence.len() < 500 && found.len() < MAX_CRITERIA {
                let value = ITEM.replace(sentence.trim(), "").trim().to_owned();
                found.push(Found::new(value, 0.8, range.start + at..range.start + at + sentence.len()));
            }
        }
    }
    found
}

/// Whether a sentence says who may bid, what kind of bidders is invited, or what proves that they are fit.
fn limits_bidders(sentence: &str) -> bool {
    let is_invitation = INVITED.is_match(sentence) && CALLS.is_match(sentence);
    is_invitation
        || CRITERION.is_match(sentence)
        || SUBMITTED.is_match(sentence)
        || INVITED_IN_OTHER_LANGUAGES.is_match(sentence)
}

/// The byte ranges of paragraphs, without letterhead lines at their beginning and end.
fn passages(printed: &Printed) -> Vec<Range<usize>> {
    let mut passages = Vec::new();
    let mut start = 0;
    for paragraph in printed.text().split("\n\n") {
        let range = start..start + paragraph.len();
        start = range.end + 2;
        let (mut from, mut to) = (range.start, range.end);
        while let Some((line, _)) =
            printed.text()[from..to].split_once('\n').filter(|(line, _)| is_letterhead(line))
        {
            from += line.len() + 1;
        }
        while let Some((_, line)) =
            printed.text()[from..to].rsplit_once('\n').filter(|(_, line)| is_letterhead(line))
        {
            to -= line.len() + 1;
        }
        if !is_letterhead(&printed.text()[from..to]) {
            passages.push(from..to);
        }
    }
    passages
}

/// Splits a paragraph at semicolons and at full stops that end a sentence. Each part comes with
/// its byte position.
fn sentences(paragraph: &str) -> Vec<(usize, &str)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, mark) in paragraph.match_indices([';', '.']) {
        if mark == ";" || super::cues::ends_sentence(&paragraph[..at], &paragraph[at + 1..]) {
            sentences.push((start, &paragraph[start..at + 1]));
            start = at + 1;
        }
    }
    sentences.push((start, &paragraph[start..]));
    sentences
}

/// The required years of experience.
pub(crate) fn years(printed: &Printed) -> Option<Found<u16>> {
    let groups = YEARS.captures(printed.flow())?;
    let number = groups.get(1).or_else(|| groups.get(2))?;
    let range = groups.get(0)?.range();
    number
        .as_str()
        .parse()
        .ok()
        .filter(|years| (1..=50).contains(years))
        .map(|years| Found::new(years, 0.85, range))
}

/// Where the heading ends: at `body`, or after a title that has lines of its own.
pub(crate) fn heading_end(printed: &Printed, body: usize, title: Option<&Found<String>>) -> usize {
    let text = printed.text();
    let has_own_lines = |range: &Range<usize>| {
        let before =
            text.get(..range.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        before && text.get(range.end..).is_some_and(|after| after.is_empty() || after.starts_with('\n'))
    };
    let title = title.filter(|title| has_own_lines(&title.range));
    title.map_or(body, |title| body.max(title.range.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_and_years_are_read() {
        let printed = Printed::plain(
            "2. Bidders should have a valid registration with CIDA in grade C3. Late bids will be rejected.\n\n\
             At least five (05) years in operation with proof.",
        );
        let criteria = criteria(&printed, 0);
        assert_eq!(criteria[0].value, "Bidders should have a valid registration with CIDA in grade C3.");
        assert_eq!(years(&printed).unwrap().value, 5);
    }

    #[test]
    fn a_sentence_that_limits_the_bidders_is_a_criterion() {
        let printed = Printed::plain(
            "2. Bidding is open to suppliers who have carried out at least two contracts of a like nature.\n\n\
             3. Bidding is open to all eligible bidders.",
        );
        let criteria: Vec<String> = criteria(&printed, 0).into_iter().map(|found| found.value).collect();
        assert_eq!(
            criteria,
            ["Bidding is open to suppliers who have carried out at least two contracts of a like nature."]
        );
    }

    #[test]
    fn who_is_invited_and_what_proves_it_are_criteria() {
        for sentence in [
            "Tenders are called by me for the above from persons and institutions of experience.",
            "The Board intends to engage parties with proven experience and requests expressions of interest.",
            "Applications are invited from manufacturers, importers and service providers for the following.",
            "Bids are invited from bidders of sound financial standing and experience.",
            "Proposals are invited from qualified firms under the two envelope system.",
            "ඉහත කාර්යය සඳහා පිළිගත් ආයතන හා පළපුරුදු කොන්ත්‍රාත්කරුවන් වෙතින් ලංසු කැඳවනු ලැබේ.",
            "அனுபவமுள்ள நபர்கள் மற்றும் நிறுவனங்களிடமிருந்து விலைமனுக்கள் கோரப்படுகின்றன.",
            "Rs. 1,000.00 for each category is to be credited to the account of this institution.",
            "Submissions should carry the profile of the firm and audited accounts of three years.",
        ] {
            assert_eq!(criteria(&Printed::plain(sentence), 0).len(), 1, "{sentence}");
        }
        for sentence in [
            "Sealed bids are invited from eligible and qualified bidders for the works below.",
            "The manufacturers are listed below.",
            "Each bid shall be accompanied by a bid security of Rs. 110,000.00.",
        ] {
            assert!(criteria(&Printed::plain(sentence), 0).is_empty(), "{sentence}");
        }
    }

    #[test]
    fn letterheads_and_signatures_are_not_criteria() {
        let printed = Printed::plain(
            "UNIVERSITY OF RUHUNA\nINVITATION FOR BIDS\nSealed bids are called from contractors registered with CIDA.\n\
             Bidders should have completed two such works\nThe Registrar,\nUniversity of Ruhuna,\nWellamadama, Matara Road, Matara.\nTel: 041-2222681\n\n\
             Department of Registered Societies",
        );
        let criteria: Vec<String> = criteria(&printed, 0).into_iter().map(|found| found.value).collect();
        assert_eq!(
            criteria,
            [
                "Sealed bids are called from contractors registered with CIDA.",
                "Bidders should have completed two such works"
            ]
        );
    }

    #[test]
    fn the_heading_is_no_criterion() {
        let text = "Training Centre - Rathgama\nSHOPPING - CALL FOR QUOTATIONS\nSupply of Eggs to Kitchens\n\
                    Quotations are called from establishments registered with this institution for the above.";
        let printed = Printed::plain(text);
        let at = text.find("Supply").unwrap();
        let title = Found::new("Supply of Eggs to Kitchens".to_owned(), 0.9, at..at + 26);
        let body = heading_end(&printed, 10, Some(&title));
        let criteria: Vec<String> = criteria(&printed, body).into_iter().map(|found| found.value).collect();
        assert_eq!(
            criteria,
            ["Quotations are called from establishments registered with this institution for the above."]
        );
        let within = Found::new("Eggs".to_owned(), 0.9, at + 10..at + 14);
        assert_eq!(heading_end(&printed, 10, Some(&within)), 10, "a title within a sentence");
        assert_eq!(heading_end(&printed, 10, None), 10);
    }
}
