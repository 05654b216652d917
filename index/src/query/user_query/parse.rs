//! From a typed text to its [`UserQuery`]: a pure function of the text, linear in it, that never fails. What can't be read as
//! an operator is read as words.

use super::{Clause, Condition, SearchedText, TextCondition, UserQuery, fact};
use tender_model::text::Words;

/// How many characters of a text are read. The rest is ignored.
const LONGEST: usize = 512;
/// How many clauses and alternatives are read. The rest is ignored.
pub(super) const MOST_CONDITIONS: usize = 64;

/// What may stand around a phrase.
const QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];

/// Reads a typed text, of which the end is cut off where it is too long.
pub(super) fn read(text: &str) -> UserQuery {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    parse(&text[..end])
}

/// Reads a text of any length.
pub(super) fn parse(text: &str) -> UserQuery {
    let mut reader = Reader::default();
    let mut rest = text.trim_start();
    while !rest.is_empty() && reader.conditions < MOST_CONDITIONS {
        rest = reader.take(rest).trim_start();
    }
    UserQuery { clauses: reader.clauses }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    clauses: Vec<Clause>,
    conditions: usize,
    /// The last thing read was an `OR`.
    or: bool,
}

impl Reader {
    /// Reads what a text begins with, and returns the rest.
    fn take<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some(rest) = text.strip_prefix('|') {
            self.or = true;
            return rest;
        }
        let (run, rest) = split_run(text);
        match run {
            "OR" => self.or = true,
            "AND" => {}
            _ => return self.take_condition(text),
        }
        rest
    }

    fn take_condition<'a>(&mut self, text: &'a str) -> &'a str {
        let excluded = text.strip_prefix('-');
        let text = excluded.unwrap_or(text);
        let (conditions, rest) = take_field(text).unwrap_or_else(|| {
            let (words, rest) = take_words(text, SearchedText::Anything);
            (words.map(Condition::Text).into_iter().collect(), rest)
        });
        self.push(conditions, excluded.is_some());
        rest
    }

    fn push(&mut self, mut conditions: Vec<Condition>, excluded: bool) {
        conditions.truncate(MOST_CONDITIONS - self.conditions);
        if conditions.is_empty() {
            return;
        }
        self.conditions += conditions.len();
        let or = std::mem::take(&mut self.or);
        if excluded {
            let each = conditions.into_iter();
            self.clauses.extend(each.map(|condition| Clause { excluded, any: vec![condition] }));
            return;
        }
        match self.clauses.last_mut() {
            Some(last) if or && !last.excluded => last.any.append(&mut conditions),
            _ => self.clauses.push(Clause { excluded, any: conditions }),
        }
    }
}

/// A text up to the next space or bar, and what follows.
fn split_run(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_whitespace() || c == '|').unwrap_or(text.len()))
}

/// The inside of the quotation marks that a text begins with, and what follows them.
fn split_quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(QUOTES)?.split_once(QUOTES)
}

/// A phrase or a run from the beginning of a text, if there is a word in it, and what follows.
fn take_words(text: &str, within: SearchedText) -> (Option<TextCondition>, &str) {
    let quoted = split_quoted(text);
    let (part, rest) = quoted.unwrap_or_else(|| split_run(text));
    let words: Vec<String> = Words::of(part).iter().map(str::to_owned).collect();
    let text = TextCondition { words, quoted: quoted.is_some(), within };
    ((!text.words.is_empty()).then_some(text), rest)
}

/// `field:value` from the beginning of a text, and what follows. `None` where it is no such thing, or one that says nothing.
fn take_field(text: &str) -> Option<(Vec<Condition>, &str)> {
    let name_end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (name, after) = text.split_at(name_end);
    let (comparison, after) = fact::Comparison::take(after)?;
    // People write `district: Kandy`; no other operator is read with a space behind it.
    let value = if comparison == fact::Comparison::Equal { after.trim_start() } else { after };
    let name = name.to_ascii_lowercase();
    let within = match name.as_str() {
        "org" | "organisation" | "organization" => Some(SearchedText::Organization),
        "ref" | "reference" => Some(SearchedText::Reference),
        "title" => Some(SearchedText::Title),
        _ => None,
    };
    if let Some(within) = within {
        let (words, rest) = take_words(value, within);
        return words
            .filter(|_| comparison == fact::Comparison::Equal)
            .map(|words| (vec![Condition::Text(words)], rest));
    }
    let (value, rest) = split_quoted(value).unwrap_or_else(|| split_run(value));
    let facts = fact::read(&name, comparison, value);
    (!facts.is_empty()).then(|| (facts.into_iter().map(Condition::Fact).collect(), rest))
}
