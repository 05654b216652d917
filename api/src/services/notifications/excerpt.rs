//! The sentence around a keyword. A mail shows it to explain why a tender matched.

use index::percolate::MatchReason;
use tender_model::tender::Tender;

/// The maximum number of characters shown on each side of the keyword.
const MAX_CONTEXT_CHARS: usize = 110;

/// A keyword in its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The text before the keyword.
    pub before: String,
    /// The keyword as printed.
    pub hit: String,
    /// The text after the keyword.
    pub after: String,
}

/// The excerpt for a match. `None`: the tender no longer has text at the place of the match.
#[must_use]
pub fn excerpt(tender: &Tender, why: &MatchReason) -> Option<Excerpt> {
    excerpt_of_text(field(tender, &why.field)?, why)
}

/// The excerpt from the text in which a match was found. `None`: the text has no such place.
#[must_use]
pub fn excerpt_of_text(text: &str, why: &MatchReason) -> Option<Excerpt> {
    let before = text.get(..why.start)?;
    let hit = text.get(why.start..why.end)?;
    let after = text.get(why.end..)?;
    Some(Excerpt { before: sentence_start(before), hit: strip_markdown(hit), after: sentence_end(after) })
}

/// The text of a field by its path in JSON.
fn field<'a>(tender: &'a Tender, path: &str) -> Option<&'a str> {
    match path {
        "title" => Some(&tender.title),
        "description" => Some(&tender.description),
        "fullTextMarkdown" => Some(&tender.full_text_markdown),
        "organization.name" => Some(&tender.organization.name),
        "referenceNo" => tender.reference_no.as_deref(),
        _ => {
            let nth: usize = path.strip_prefix("tags.")?.parse().ok()?;
            tender.tags.get(nth).map(String::as_str)
        }
    }
}

/// The part of `text` after its last full stop or line break, with an ellipsis in front if it was
/// shortened.
fn sentence_start(text: &str) -> String {
    let begin = text.rfind('\n').map_or(0, |at| at + 1);
    let begin = text.rfind(". ").map_or(begin, |at| begin.max(at + 2));
    let sentence = text.get(begin..).unwrap_or_default();
    let extra = sentence.chars().count().saturating_sub(MAX_CONTEXT_CHARS);
    let kept: String = sentence.chars().skip(extra).collect();
    let kept = strip_markdown(&kept);
    if extra == 0 {
        kept.trim_start().to_owned()
    } else {
        format!("…{}", kept.split_once(' ').map_or(kept.as_str(), |(_, rest)| rest))
    }
}

/// The part of `text` up to its first full stop or line break, with an ellipsis at its end if it
/// was shortened.
fn sentence_end(text: &str) -> String {
    let end = text.find('\n').unwrap_or(text.len());
    let end = text.find(". ").map_or(end, |at| end.min(at + 1));
    let sentence = text.get(..end).unwrap_or_default();
    let kept: String = sentence.chars().take(MAX_CONTEXT_CHARS).collect();
    let cut = kept.len() < sentence.len();
    let kept = strip_markdown(&kept);
    if cut {
        format!("{}…", kept.rsplit_once(' ').map_or(kept.as_str(), |(rest, _)| rest))
    } else {
        kept.trim_end().to_owned()
    }
}

/// The text without common Markdown marks. Successive white space becomes one space.
fn strip_markdown(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !matches!(c, '\\' | '*' | '#' | '|' | '`')) {
        match c {
            c if c.is_whitespace() && plain.ends_with(' ') => {}
            c if c.is_whitespace() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, word: &str) -> Excerpt {
        let start = text.find(word).unwrap();
        let tender = Tender { description: text.to_owned(), ..Tender::default() };
        let why = MatchReason {
            keyword: word.to_owned(),
            field: "description".to_owned(),
            start,
            end: start + word.len(),
        };
        excerpt(&tender, &why).unwrap()
    }

    #[test]
    fn an_excerpt_begins_and_ends_at_full_stops_and_line_breaks() {
        let found = cut("Bids are invited. The **bridge** at Hatton is old. Closing soon.", "bridge");
        assert_eq!(
            (found.before.as_str(), found.hit.as_str(), found.after.as_str()),
            ("The ", "bridge", " at Hatton is old.")
        );
        let found = cut("Title\nRoad works\nPlace", "works");
        assert_eq!((found.before.as_str(), found.after.as_str()), ("Road ", ""));
    }

    #[test]
    fn a_long_sentence_is_shortened_on_both_sides() {
        let long = format!("{}bridge{}", "a word ".repeat(60), " and more".repeat(60));
        let found = cut(&long, "bridge");
        assert!(found.before.starts_with('…') && found.before.chars().count() <= MAX_CONTEXT_CHARS + 1);
        assert!(found.after.ends_with('…') && found.after.chars().count() <= MAX_CONTEXT_CHARS + 1);
    }

    #[test]
    fn a_missing_text_gives_no_excerpt() {
        let why = MatchReason { keyword: "x".to_owned(), field: "title".to_owned(), start: 5, end: 9 };
        assert_eq!(excerpt(&Tender::default(), &why), None);
        let why = MatchReason { field: "tags.7".to_owned(), ..why };
        assert_eq!(excerpt(&Tender::default(), &why), None);
    }
}
