//! The clause of a decision that approves an award. An earlier approval, a recommendation, and an
//! approval to call for bids are none.

use super::sentences::{sentence_end, sentence_start};
use crate::extract::rules::pattern::patterns;
use std::ops::Range;

patterns! {
    VERB = r"\b(?:to\s+award|for\s+awarding|pertaining\s+to\s+awarding|for\s+the\s+(?:direct\s+)?award(?:ing)?\s+of)\b";
    APPROVED = r"\b(?:was|were|is|are|has\s+been|have\s+been)\s*(?:also\s+)?approved\b|\bapproved\s+by\s+the\s+(?:Cabinet|government)";
    PROPOSED = r"\bpropos|\brecommendation";
    GRANTED = r"(?s)\b(?:approval\s+was\s+(?:also\s+)?granted|Cabinet\s+(?:of\s+Ministers\s+)?(?:has\s+)?(?:approved|granted\s+(?:its\s+)?approval))\b(.{0,300})$";
    PAST = r"\b(?:already|previously|earlier|on\s+(?:the\s+)?\d{1,4}|dated|at\s+(?:its|the)\s+meeting)\b";
    // The Cabinet decides something else about an award.
    OTHER_ACT = r"\b(?:appoint|appointing|cancel\w*|reject\w*|not)\s+(?:\S+\s+){0,6}$|\b(?:authori[sz]e|authority|empower|delegat\w+|enabl(?:e|ing)|possibility|fresh|recommended|decided|prior\s+to|before|criteria|procedure|mechanism|delay|extend|extension)\b[^,.]{0,60}$|\b(?:call|invit\w+|re-?call|commenc\w+|initiat\w+)\b[^,.]{0,100}\band\s+$|\bin\s+order\s*$|\bbids\b[^,.]{0,60}\binvited\s*$";
    LATER = r"(?s)\bhaving\s+evaluated\s+the\s+same|\bafter\s+(?:calling|inviting)|\bto\s+call\s+for\b|\bto\s+invite\b|\bwithout\s+inviting\s+bids\s+and\s+to\s+increase";
    // The award that the Committee recommended in the sentences before.
    RECOMMENDED = r"\brecommend(?:ed|s)?\s+(?:that\s+|to\s+award|the\s+award(?:ing)?\s+of|awarding)|\bawarded\s+the\s+said";
    REFERS_BACK = r"\b(?:said|relevant|respective|above|aforesaid)\s+(?:\w+\s+){0,3}(?:contracts?|procurements?|tenders?|award|bidders?|compan(?:y|ies)|institutions?|suppliers?|firms?)\b";
}

/// How far before the clause the recommendation stands that it refers to, in bytes.
const BACKWARD_BYTES: usize = 1_500;

/// The clause of an approved award, with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AwardClause {
    /// The sentence before the verb.
    pub(super) lead: Range<usize>,
    /// What is awarded, and to whom.
    pub(super) clause: Range<usize>,
    /// The text after the approval: a list of lots may stand there.
    pub(super) tail: Range<usize>,
    /// The recommended award to which the clause refers, if there is one.
    pub(super) recommendation: Option<Range<usize>>,
}

/// The first clause that approves an award.
pub(super) fn find(text: &str) -> Option<AwardClause> {
    VERB.find_iter(text).find_map(|verb| clause_at(text, verb.start(), verb.end()))
}

fn clause_at(text: &str, verb: usize, after: usize) -> Option<AwardClause> {
    let lead = sentence_start(text, verb)..verb;
    let end = sentence_end(text, after);
    let approval = APPROVED.find(&text[after..end]).filter(|_| PROPOSED.is_match(&text[lead.clone()]));
    let clause = match approval {
        Some(approval) => after..after + approval.start(),
        // Where a proposal is approved later, the grant before it is an earlier one.
        None if is_granted(&text[lead.clone()]) && !APPROVED.is_match(&text[end..]) => after..end,
        None => return None,
    };
    if OTHER_ACT.is_match(&text[lead.clone()]) || LATER.is_match(&text[clause.clone()]) {
        return None;
    }
    let tail = approval.map_or(end, |approval| after + approval.end())..text.len();
    let recommendation =
        REFERS_BACK.is_match(&text[clause.clone()]).then(|| recommendation(text, lead.start)).flatten();
    Some(AwardClause { lead, clause, tail, recommendation })
}

/// Whether the words before the verb grant the approval now, and not earlier.
fn is_granted(lead: &str) -> bool {
    GRANTED
        .captures(lead)
        .is_some_and(|granted| !PAST.is_match(granted.get(0).map_or("", |all| all.as_str())))
}

/// The recommended award in the sentences before a position.
fn recommendation(text: &str, before: usize) -> Option<Range<usize>> {
    let from = crate::extract::rules::cues::floor_char_boundary(text, before.saturating_sub(BACKWARD_BYTES));
    let found = RECOMMENDED.find_iter(&text[from..before]).last()?;
    let start = from + found.end();
    Some(start..sentence_end(text, start).min(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "- the proposal made by the Minister of Health to award the above tender to A Ltd, was approved by the Cabinet.",
        Some(" the above tender to A Ltd, ")
    )]
    #[case(
        "- Cabinet approval was granted to award the above procurement to M/s A Ltd. of France.",
        Some(" the above procurement to M/s A Ltd. of France.")
    )]
    #[case(
        "- The Cabinet approved the proposal made by the Minister of Health to award it to A Ltd.",
        Some(" it to A Ltd.")
    )]
    #[case("- The Cabinet on 14th March 2017 has granted approval for the award of the contract.", None)]
    #[case(
        "- Cabinet approval has already been granted to the proposal made by Hon. A to award the contract. Thus.",
        None
    )]
    #[case(
        "- to appoint a Committee, and the proposal to appoint a Committee to award the contract, was approved by the Cabinet.",
        None
    )]
    #[case(
        "- The Cabinet approval was granted to award the contract to A Ltd, and the work goes on. The proposal to add a storey, was approved by the Cabinet.",
        None
    )]
    #[case(
        "- The Committee has recommended to award the contract to A Ltd. The proposal to negotiate, was approved by the Cabinet.",
        None
    )]
    #[case(
        "- the proposal to call for proposals from A Ltd and to award the contract having evaluated the same, was approved by the Cabinet.",
        None
    )]
    fn only_an_approved_award_is_read(#[case] text: &str, #[case] clause: Option<&str>) {
        assert_eq!(find(text).map(|found| &text[found.clause]), clause);
    }
}
