//! Reads awards from decisions of the Cabinet: who won a contract, for how much, and which ministry
//! proposed the award. A decision that only calls for bids, extends a contract or appoints a committee
//! has no award. A value of which the rules are not certain is left out.

mod amounts;
mod body;
mod clause;
mod companies;
mod decision;
mod lots;
mod names;
mod sentences;
mod winners;

pub use decision::{Decision, DecisionError, MAX_LINE_BYTES};

use crate::extract::{Printed, rules::reference::references};
use clause::AwardClause;
use std::ops::Range;
use tender_model::award::{Award, AwardDecision, AwardName, MAX_AWARDS, MAX_REFERENCES, Passage};

/// A reference with at least this confidence is printed as one.
const MIN_REFERENCE_CONFIDENCE: f64 = 0.85;
/// The longest lot in characters. A longer one is cut at a word.
const MAX_LOT_CHARS: usize = 300;

/// Reads the awards of a decision. `None` if it makes none, or names neither winner nor amount.
#[must_use]
pub fn read_awards(decision: &Decision) -> Option<AwardDecision> {
    let text = decision.details.as_str();
    let clause = clause::find(text)?;
    let mut awards: Vec<Award> =
        lots::read(text, &clause).into_iter().map(|lot| award_of(text, lot)).collect();
    awards.truncate(MAX_AWARDS);
    if awards.is_empty() {
        return None;
    }
    Some(AwardDecision {
        key: decision.key.clone(),
        title: decision.title.clone(),
        decided_on: decision.decided_on,
        decision_number: decision.number,
        source_url: decision.source_url.clone(),
        body: body_of(text, &clause),
        references: references_of(&decision.title),
        awards,
    })
}

fn award_of(text: &str, lot: lots::Lot) -> Award {
    let winners = lot.winners.map(|winners| {
        let passage = passage(text, &winners.range);
        winners.names.into_iter().map(|name| AwardName { name, passage: passage.clone() }).collect()
    });
    let (amounts, taxes) = lot.amount.map_or_else(Default::default, |read| read.into_award(text));
    let item = lot.item.and_then(|range| {
        let name = shorten(&plain(&text[range.clone()]));
        (!name.is_empty()).then(|| AwardName { name, passage: passage(text, &range) })
    });
    Award { winners: winners.unwrap_or_default(), amounts, taxes, lot: item }
}

fn body_of(text: &str, clause: &AwardClause) -> Option<AwardName> {
    let (name, range) = body::find(text, clause.lead.clone())?;
    Some(AwardName { name, passage: passage(text, &range) })
}

/// The references of the tender in the title.
fn references_of(title: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for reference in references(&Printed::plain(title)) {
        if reference.confidence >= MIN_REFERENCE_CONFIDENCE && !found.contains(&reference.value) {
            found.push(reference.value);
        }
    }
    found.truncate(MAX_REFERENCES);
    found
}

/// The words of a range with their place.
fn passage(text: &str, range: &Range<usize>) -> Passage {
    let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Passage { start: place(range.start), end: place(range.end), words: text[range.clone()].to_owned() }
}

/// A text on one line, without control characters and unbreakable hyphens.
fn plain(text: &str) -> String {
    let printable = |c: char| match c {
        '\u{2010}' | '\u{2011}' => '-',
        c if c.is_control() => ' ',
        c => c,
    };
    let spaced: String = text.chars().map(printable).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_LOT_CHARS {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_LOT_CHARS).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{} …", cut[..end].trim_end())
}

#[cfg(test)]
mod tests;
