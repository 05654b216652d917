//! The syntax tree of a search text.

use super::field_condition::FieldCondition;
use std::fmt;

/// A parsed search text. All clauses must match.
///
/// The display form parses to the same query.
///
/// ```
/// use index::query::UserQuery;
///
/// let typed = UserQuery::read("Road works OR bridge -\"steel bridge\" closing<2026-12-01 AND (");
/// assert_eq!(typed.to_string(), "road works OR bridge -\"steel bridge\" closing<=2026-11-30");
/// assert_eq!(UserQuery::read(&typed.to_string()), typed);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserQuery {
    /// The clauses in the order in which they were typed.
    pub clauses: Vec<Clause>,
}

/// Alternative conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Whether the condition must not match. An excluded clause has exactly one condition.
    pub excluded: bool,
    /// The alternatives. Never empty.
    pub any: Vec<Condition>,
}

/// A condition on a tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Words in the tender's texts.
    Text(TextCondition),
    /// A condition on a field.
    Field(FieldCondition),
}

/// Adjacent words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCondition {
    /// The normalised words. Never empty. Text that was typed without spaces forms one condition.
    pub words: Vec<String>,
    /// Whether the words were in quotation marks. If so, stems and other spellings do not match.
    pub quoted: bool,
    /// The texts to search.
    pub within: SearchedText,
}

/// The texts of a tender to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchedText {
    /// Any text.
    Anything,
    /// `title:`
    Title,
    /// `org:`
    Organization,
    /// `ref:`
    Reference,
}

impl UserQuery {
    /// Whether the search text contains no condition.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }
}

impl Clause {
    /// The word, if the clause is a single unquoted word without a field.
    pub(crate) fn plain_word(&self) -> Option<&str> {
        match self.any.as_slice() {
            [Condition::Text(TextCondition { words, quoted: false, within: SearchedText::Anything })]
                if !self.excluded =>
            {
                <&[String; 1]>::try_from(words.as_slice()).ok().map(|[word]| word.as_str())
            }
            _ => None,
        }
    }
}

impl fmt::Display for UserQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_all(f, &self.clauses, " ")
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.excluded { "-" } else { "" })?;
        show_all(f, &self.any, " OR ")
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Field(condition) => condition.fmt(f),
        }
    }
}

impl fmt::Display for TextCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.within {
            SearchedText::Anything => "",
            SearchedText::Title => "title:",
            SearchedText::Organization => "org:",
            SearchedText::Reference => "ref:",
        })?;
        if self.quoted {
            write!(f, "\"{}\"", self.words.join(" "))
        } else {
            f.write_str(&self.words.join("-"))
        }
    }
}

fn show_all(f: &mut fmt::Formatter<'_>, items: &[impl fmt::Display], between: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}
