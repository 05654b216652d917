//! Parses a search text into a [`UserQuery`]. Parsing is a pure function in linear time and never
//! fails; text that is not an operator becomes words.

use super::{
    field_condition,
    syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery},
};
use tender_model::text::Words;

/// Characters of a search text beyond this number are ignored.
const MAX_CHARACTERS: usize = 512;
/// Conditions of a search text beyond this number are ignored.
pub(super) const MAX_CONDITIONS: usize = 64;

/// Quotation marks around phrases.
const QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];

impl UserQuery {
    /// Parses a search text. A long text is truncated.
    #[must_use]
    pub fn read(text: &str) -> Self {
        read(text)
    }
}

/// Truncates and parses a text.
fn read(text: &str) -> UserQuery {
    let end = text.char_indices().nth(MAX_CHARACTERS).map_or(text.len(), |(end, _)| end);
    parse(&text[..end])
}

/// Parses a text of any length.
pub(super) fn parse(text: &str) -> UserQuery {
    let mut parser = Parser::default();
    let mut rest = text.trim_start();
    while !rest.is_empty() && parser.conditions < MAX_CONDITIONS {
        rest = parser.take(rest).trim_start();
    }
    UserQuery { clauses: parser.clauses }
}

/// The state of the parser.
#[derive(Default)]
struct Parser {
    clauses: Vec<Clause>,
    conditions: usize,
    /// Whether `OR` or `|` precedes the next condition.
    or: bool,
}

impl Parser {
    /// Parses the start of a text and returns the rest.
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
        conditions.truncate(MAX_CONDITIONS - self.conditions);
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

/// The text before the next space or bar, and the rest.
fn split_run(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_whitespace() || c == '|').unwrap_or(text.len()))
}

/// The content of quotation marks at the start of a text, and the rest.
fn split_quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(QUOTES)?.split_once(QUOTES)
}

/// The quoted phrase at the start of a text, or else the text before the next space or bar. `None`
/// if this part contains no word. The rest of the text is returned as well.
fn take_words(text: &str, within: SearchedText) -> (Option<TextCondition>, &str) {
    let quoted = split_quoted(text);
    let (part, rest) = quoted.unwrap_or_else(|| split_run(text));
    let words: Vec<String> = Words::of(part).iter().map(str::to_owned).collect();
    let text = TextCondition { words, quoted: quoted.is_some(), within };
    ((!text.words.is_empty()).then_some(text), rest)
}

/// `field:value` at the start of a text, and the rest. `None` if it is not a known field with a
/// valid value.
fn take_field(text: &str) -> Option<(Vec<Condition>, &str)> {
    let name_end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (name, after) = text.split_at(name_end);
    let (comparison, after) = field_condition::Comparison::take(after)?;
    // Users write `district: Kandy`. Only `:` and `=` may be followed by a space.
    let value = if comparison == field_condition::Comparison::Equal { after.trim_start() } else { after };
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
            .filter(|_| comparison == field_condition::Comparison::Equal)
            .map(|words| (vec![Condition::Text(words)], rest));
    }
    let (value, rest) = split_quoted(value).unwrap_or_else(|| split_run(value));
    let conditions = field_condition::read(&name, comparison, value);
    (!conditions.is_empty()).then(|| (conditions.into_iter().map(Condition::Field).collect(), rest))
}
