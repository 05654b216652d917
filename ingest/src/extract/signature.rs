//! Who signs: a notice ends with the officer, the body and its address.

use super::{
    clause::boundary,
    printed::{Found, Printed, plain_words},
};
use index::text::Words;

/// The signature stands within so many bytes of the end, but not in the head.
const REACH: usize = 420;
/// Shorter names stand in too many words.
const SHORTEST: usize = 8;

/// Where the signature says the words of a headline again, if it does.
pub(super) fn signs(printed: &Printed, line: &Found<String>) -> Option<Found<String>> {
    if plain_words(&line.value).chars().count() < SHORTEST {
        return None;
    }
    let text = printed.flow();
    let from = boundary(text, text.len().saturating_sub(REACH)).max(line.range.end);
    let end = text.get(from..)?;
    let (words, sought) = (Words::of(end), Words::of(&line.value));
    let (joined, sought) = (words.as_str(), sought.as_str());
    let at = joined.match_indices(sought).map(|(at, _)| at).filter(|&at| {
        let (before, after) = (&joined[..at], &joined[at + sought.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    });
    // Its line begins with it, or goes on behind the officer's comma.
    let begins_line = |start: usize| {
        let before = end[..start].trim_end_matches([' ', '"', '“']);
        before.is_empty()
            || before.ends_with([',', '\n', '/', '.', '-'])
            || printed.text()[..from + start].ends_with('\n')
    };
    at.map(|at| words.origin(end, at..at + sought.len()))
        .filter(|range| begins_line(range.start))
        .last()
        .map(|range| Found::new(line.value.clone(), 0.9, from + range.start..from + range.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_signs_where_its_line_begins_with_it() {
        let printed = Printed::plain(
            "Coastal Lagoons Project\nBids for the Coastal Lagoons Project are invited.\n\nDirector,\nCOASTAL LAGOONS PROJECT,\nGalle.",
        );
        let line = |value: &str| Found::new(value.to_owned(), 0.8, 0..23);
        let found = signs(&printed, &line("Coastal Lagoons Project")).unwrap();
        assert_eq!(&printed.text()[found.range], "COASTAL LAGOONS PROJECT");
        assert_eq!(signs(&printed, &line("Galle")), None, "too short to tell");
        assert_eq!(signs(&printed, &line("Lagoons Project")), None, "a part of a line");
    }
}
