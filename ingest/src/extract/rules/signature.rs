//! The signature: a notice ends with the officer, the organisation and its address.

use super::{cues::floor_char_boundary, pattern::patterns};
use crate::extract::printed::{Found, Printed, plain_words};
use tender_model::text::Words;

/// The maximum length of the signature, in bytes.
const SIGNATURE_LENGTH: usize = 420;
/// The number of bytes before a name that are searched for an officer.
const LEAD_LENGTH: usize = 60;
/// The minimum length of a name, in characters.
const MIN_NAME_CHARS: usize = 8;

patterns! {
    // Words before the name of the inviting organisation in the body.
    ON_BEHALF = r"\b(?:behalf of|by|chair(?:man|person) of|director(?: general)? of|secretary of|manager of)\s+(?:the\s+)?$";
}

/// Finds the last place where the signature repeats a heading line, or where the body repeats it
/// after an officer or `on behalf of`.
pub(crate) fn find_signature(printed: &Printed, line: &Found<String>) -> Option<Found<String>> {
    if plain_words(&line.value).chars().count() < MIN_NAME_CHARS {
        return None;
    }
    let text = printed.flow();
    let rest = text.get(line.range.end..)?;
    let signature =
        floor_char_boundary(text, text.len().saturating_sub(SIGNATURE_LENGTH)).saturating_sub(line.range.end);
    let (words, sought) = (Words::of(rest), Words::of(&line.value));
    let (joined, sought) = (words.as_str(), sought.as_str());
    let whole = joined.match_indices(sought).map(|(at, _)| at).filter(|&at| {
        let (before, after) = (&joined[..at], &joined[at + sought.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    });
    // The name begins a line or follows a separator.
    let begins_line = |start: usize| {
        let before = rest[..start].trim_end_matches([' ', '"', '“']);
        before.is_empty()
            || before.ends_with([',', '\n', '/', '.', '-'])
            || printed.text()[..line.range.end + start].ends_with('\n')
    };
    let is_signed = |start: usize| start >= signature && begins_line(start);
    let lead = |start: usize| &rest[floor_char_boundary(rest, start.saturating_sub(LEAD_LENGTH))..start];
    whole
        .map(|at| words.origin(rest, at..at + sought.len()))
        .filter(|range| is_signed(range.start) || ON_BEHALF.is_match(lead(range.start)))
        .last()
        .map(|range| {
            let range = line.range.end + range.start..line.range.end + range.end;
            Found::new(line.value.clone(), 0.9, range)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_begins_its_line() {
        let printed = Printed::plain(
            "Coastal Lagoons Project\nBids for the Coastal Lagoons Project are invited.\n\nDirector,\nCOASTAL LAGOONS PROJECT,\nGalle.",
        );
        let line = |value: &str| Found::new(value.to_owned(), 0.8, 0..23);
        let found = find_signature(&printed, &line("Coastal Lagoons Project")).unwrap();
        assert_eq!(&printed.text()[found.range], "COASTAL LAGOONS PROJECT");
        let printed = Printed::plain(
            "Coastal Lagoons Project\nBids are invited by the Director of the Coastal Lagoons Project for boats of all kinds. Call soon.",
        );
        assert!(
            find_signature(&printed, &line("Coastal Lagoons Project")).is_some(),
            "the body names the director"
        );
        assert_eq!(find_signature(&printed, &line("Galle")), None, "too few letters");
        assert_eq!(find_signature(&printed, &line("Lagoons Project")), None, "part of a line");
    }
}
