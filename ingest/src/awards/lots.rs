//! The lots of an approved award: one contract, several in the same sentence, or a list after it.

use super::{
    amounts::{self, AmountReading, AwardedAmount},
    clause::AwardClause,
    companies::{is_company, is_name, tidy},
    winners::{self, Winners},
};
use crate::extract::rules::pattern::patterns;
use std::ops::Range;

/// A list with more lines is cut.
const MAX_LINES: usize = 100;

patterns! {
    LIST_FOLLOWS = r"\b(?:as\s+follows|following|(?:as\s+)?(?:mentioned|given|indicated|stated|shown|listed|specified)\s+(?:as\s+)?(?:below|follows?)|below)\b";
    // A new lot begins between two winners.
    NEXT_LOT = r"\band\b|;|\n|,\s+(?:the|an?|lots?|packages?|contracts?|\d)\b";
    BULLET = r"(?:^|\n)\s*(?:[*•·]|\(?[ivx]{1,4}\)|\(?[a-h]\))\s*";
}

/// One lot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lot {
    pub(super) winners: Option<Winners>,
    pub(super) amount: Option<AwardedAmount>,
    /// What the lot is, if there are several.
    pub(super) item: Option<Range<usize>>,
}

/// The lots of a clause. Lots without winner and amount are left out.
pub(super) fn read(text: &str, found: &AwardClause) -> Vec<Lot> {
    if LIST_FOLLOWS.is_match(&text[found.clause.clone()]) || LIST_FOLLOWS.is_match(&text[found.lead.clone()])
    {
        let lines = lines(text, found.tail.clone());
        let lots: Vec<Lot> = lines.into_iter().filter_map(|line| lot_of_line(text, line)).collect();
        if !lots.is_empty() {
            return with_winner_of_clause(text, lots, found.clause.clone());
        }
    }
    let lots = lots_of_sentence(text, found.clause.clone());
    match &found.recommendation {
        Some(recommended) if lots.iter().all(|lot| lot.winners.is_none()) => {
            with_recommendation(text, lots, recommended.clone())
        }
        _ => lots,
    }
}

/// Adds the winner of the clause to lots that name none.
fn with_winner_of_clause(text: &str, lots: Vec<Lot>, clause: Range<usize>) -> Vec<Lot> {
    let winners = winners::find(text, clause).unwrap_or_default();
    match winners.as_slice() {
        [one] if lots.iter().all(|lot| lot.winners.is_none()) => {
            lots.into_iter().map(|lot| Lot { winners: Some(one.clone()), ..lot }).collect()
        }
        _ => lots,
    }
}

/// Adds the winner of the recommendation, if it has exactly one.
fn with_recommendation(text: &str, lots: Vec<Lot>, recommended: Range<usize>) -> Vec<Lot> {
    let read = lots_of_sentence(text, recommended);
    match (lots.as_slice(), read.as_slice()) {
        ([], [_]) => read,
        ([lot], [recommended]) => vec![Lot { winners: recommended.winners.clone(), ..lot.clone() }],
        _ => lots,
    }
}

/// The lots of a sentence.
fn lots_of_sentence(text: &str, clause: Range<usize>) -> Vec<Lot> {
    // If the winners are not certain, the amount may still be.
    let winners = winners::find(text, clause.clone()).unwrap_or_default();
    match winners.as_slice() {
        [] => match amounts::read(text, clause) {
            AmountReading::One(amount) => vec![Lot { winners: None, amount: Some(amount), item: None }],
            _ => Vec::new(),
        },
        [one] => {
            let before = amounts::read(text, clause.start..one.range.start);
            let after = amounts::read(text, one.range.end..clause.end);
            let amount = match (before, after) {
                (AmountReading::One(amount), AmountReading::Absent)
                | (AmountReading::Absent, AmountReading::One(amount)) => Some(amount),
                _ => None,
            };
            vec![Lot { winners: Some(one.clone()), amount, item: None }]
        }
        several if several.windows(2).all(|pair| begins_lot(text, &pair[0], &pair[1])) => {
            lots_of_winners(text, clause, several)
        }
        // `to M/s A for two years to M/s B`: one of them is not the winner.
        _ => Vec::new(),
    }
}

/// Whether the words between two winners begin another lot.
fn begins_lot(text: &str, one: &Winners, next: &Winners) -> bool {
    NEXT_LOT.is_match(&text[one.range.end..next.range.start])
}

/// Each of several winners with the amount behind it, if all have one and none stands before the
/// first. Otherwise, no amount is certain.
fn lots_of_winners(text: &str, clause: Range<usize>, winners: &[Winners]) -> Vec<Lot> {
    let head = amounts::read(text, clause.start..winners[0].range.start);
    let ends = winners[1..].iter().map(|next| next.range.start).chain([clause.end]);
    let read: Vec<Option<AwardedAmount>> = winners
        .iter()
        .zip(ends)
        .map(|(winner, end)| match amounts::read(text, winner.range.end..end) {
            AmountReading::One(amount) => Some(amount),
            _ => None,
        })
        .collect();
    let is_certain = head == AmountReading::Absent && read.iter().all(Option::is_some);
    let lots = winners.iter().zip(read).map(|(winners, amount)| Lot {
        winners: Some(winners.clone()),
        amount: amount.filter(|_| is_certain),
        item: None,
    });
    lots.collect()
}

/// The lines of a list.
fn lines(text: &str, tail: Range<usize>) -> Vec<Range<usize>> {
    let list = &text[tail.clone()];
    let starts: Vec<(usize, usize)> =
        BULLET.find_iter(list).take(MAX_LINES).map(|bullet| (bullet.start(), bullet.end())).collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([list.len()]);
    let line = |((_, from), to): (&(usize, usize), usize)| {
        let end = list[*from..to].find("\n\n").map_or(to, |blank| from + blank);
        tail.start + from..tail.start + end
    };
    starts.iter().zip(ends).map(line).filter(|line| !text[line.clone()].trim().is_empty()).collect()
}

/// The lot of a line. `None` if the line is not certain to be one.
fn lot_of_line(text: &str, line: Range<usize>) -> Option<Lot> {
    let words = text[line.clone()].trim();
    let name = tidy(&super::plain(words));
    let start = line.start + (text[line.clone()].len() - text[line.clone()].trim_start().len());
    let range = start..start + words.len();
    // The whole line is a name.
    if is_name(&name)
        && is_company(&name)
        && !name.contains(" to ")
        && !words.contains('\n')
        && name.len() < 80
    {
        let is_amountless = amounts::read(text, range.clone()) == AmountReading::Absent;
        let winners = Winners { range: range.clone(), names: vec![name] };
        return is_amountless.then_some(Lot { winners: Some(winners), amount: None, item: None });
    }
    match lots_of_sentence(text, range.clone()).as_slice() {
        [lot] => Some(Lot { item: Some(range), ..lot.clone() }),
        _ => None,
    }
}
