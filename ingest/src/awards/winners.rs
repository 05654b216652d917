//! The winners that a clause names. A name needs the mark `M/s`, or a word such as `Ltd` and a place
//! in the clause where winners stand.

use super::{
    companies::{is_company, is_name},
    names,
};
use crate::extract::rules::pattern::patterns;
use std::ops::Range;

/// More names than this, among them a joint venture, are not told apart with certainty.
const MAX_NAMES_WITH_VENTURES: usize = 2;

patterns! {
    FIRM_MARK = r"(?-i:\bM/[sS]\b\.?|\bMessrs\b\.?|\bMs\.)\s*";
    JOINED = r"^\s*(?:,|;)?\s*(?:\band\b|&|-|–)?\s*(?:the\s+)?(?-i:M/[sS]\b\.?|Messrs\b\.?|Ms\.)\s*";
    // What stands between `to` and the name.
    INTRODUCED = r"(?:\bto\s+|\bbidders?\s*,\s+|\bnamely\s*,?\s+)(?:the\s+)?(?:(?:institutions?|institute|company|firm|bidders?|(?:original\s+)?manufacturer|supplier|contractor)(?:\s+namely)?\s*,?\s+)?(?:(?:joint\s+venture|consortium|JV)\s+(?:(?:compris(?:ing|ed)|consisting|formed|created)(?:\s+(?:of|by|between))?|of|between)\s+(?:the\s+)?)?";
    // The `to` names a receiver of goods, or a place.
    RECEIVER = r"(?:\b(?:suppl(?:y|ied)|deliver(?:y|ed)|belong(?:s|ing)|related|attached|adjacent|adjoining|connected|access|provided|distribution|transfer(?:red)?|transport(?:ed)?|services?|equal|due|up|loan|extension|prior|leading|kept|respect|proceed|given)\s+)$";
    // The name is not that of the winner.
    OTHER_PARTY = r"\b(?:manufactured\s+by|manufacturers?|local\s+agents?|agents?\s+of|on\s+behalf\s+of|represented\s+by|sub\W?\s?contractors?|sub\W?\s?consultants?|subsidiary\s+of|loan\s+(?:from|of)|owned\s+by|operated\s+by|belonging\s+to|invited\s+by|instead\s+of|funded\s+by)\s*[:,]?\s*(?:the\s+)?$|\((?:[^()]{0,40}\s)?(?:manufactur\w*|local\s+agent)\s*(?:by|of|is)?\s*[:–-]?\s*$";
    PARTNERED = r"^\s*,?\s*(?:JV\s+|Joint\s+Venture\s+)?(?:\([^)]*\)\s*)?(?:with|jointly|(?:in|as)\s+(?:an?\s+)?(?:association|joint|consortium|partnership))\b";
    VENTURE = r"(?-i:\b(?:Joint Venture|JV)\b)";
}

/// Names that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Winners {
    /// Their place in the text.
    pub(super) range: Range<usize>,
    /// The names.
    pub(super) names: Vec<String>,
}

/// The winners of a part of the text, in order. `None`: a name is there, but it is not certain, so that
/// the winners of the other lots are not certain either.
pub(super) fn find(text: &str, part: Range<usize>) -> Option<Vec<Winners>> {
    let text = &text[..part.end];
    let mut found = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let Some((start, is_marked)) = next_name(text, at, part.start) else { break };
        let end = names_end(text, start);
        let names = names::split(&text[start..end]);
        let is_winner = !OTHER_PARTY.is_match(before_mark(text, part.start, start));
        let is_certain = !names.is_empty()
            && names.iter().all(|name| is_name(name) && (is_marked || is_company(name)))
            && !(names.len() > MAX_NAMES_WITH_VENTURES && names.iter().any(|name| VENTURE.is_match(name)));
        if is_winner && is_certain {
            if PARTNERED.is_match(&text[end..]) {
                return None;
            }
            found.push(Winners { range: start..end, names });
        } else if is_winner && is_marked {
            return None;
        }
        at = if is_certain { end.max(start + 1) } else { start + 1 };
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    Some(found)
}

/// The start of the next name, and whether it has the mark `M/s`.
fn next_name(text: &str, from: usize, part_start: usize) -> Option<(usize, bool)> {
    let marked = FIRM_MARK.find_at(text, from).map(|mark| mark.end());
    let mut introductions =
        INTRODUCED.find_iter(&text[from..]).map(|found| (from + found.start(), from + found.end()));
    let introduced = introductions.find_map(|(start, end)| {
        let is_capital = text[end..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let receiver = RECEIVER.is_match(&text[part_start.min(start)..start]);
        (is_capital && !receiver && FIRM_MARK.find_at(text, end).is_none_or(|mark| mark.start() != end))
            .then_some(end)
    });
    match (marked, introduced) {
        (Some(marked), Some(introduced)) if introduced < marked => Some((introduced, false)),
        (Some(marked), _) => Some((marked, true)),
        (None, Some(introduced)) => Some((introduced, false)),
        (None, None) => None,
    }
}

/// The text before a name, without its mark.
fn before_mark(text: &str, part_start: usize, start: usize) -> &str {
    let before = &text[part_start..start];
    let mark = FIRM_MARK.find_iter(before).last().filter(|mark| mark.end() == before.len());
    &before[..mark.map_or(before.len(), |mark| mark.start())]
}

/// The end of the names that begin at `start`, with those that `and M/s` joins.
fn names_end(text: &str, start: usize) -> usize {
    let mut end = names::name_end(text, start);
    while let Some(joined) = JOINED.find(&text[end..]) {
        end = names::name_end(text, end + joined.end());
    }
    end
}
