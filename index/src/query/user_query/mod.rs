//! What a user types into the search box, as it was understood: words that must all be there, `"phrases"`, `-excluded` ones,
//! `field:value`, and `OR` between its two neighbours. Nothing is an error: what can't be read as an operator is text. Here
//! is the syntax tree; how it is read, what it means in an index and how it is found are its parts' business.

mod fact;
mod fact_query;
mod node;
mod parse;
mod plan;
mod reference_lookup;
mod scoring;
mod typos;

pub use fact::{FactCondition, InclusiveRange, StatusCondition};
pub(crate) use node::{Highlight, Scope, stem};
pub use plan::{Correction, DidYouMean};
pub(crate) use plan::{QueryPlan, SearchContext};
pub(crate) use scoring::ScoringClause;
pub(crate) use typos::fuzzy_terms;

use std::fmt;

/// A typed text as it was understood: all of its clauses must hold.
///
/// Displayed as a text that is read as the same.
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
    /// In the order in which they were typed.
    pub clauses: Vec<Clause>,
}

/// Conditions any of which must hold, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// None of them may hold. There is only one then.
    pub excluded: bool,
    /// Never empty.
    pub any: Vec<Condition>,
}

/// What is asked of a tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Words in its texts.
    Text(TextCondition),
    /// A fact.
    Fact(FactCondition),
}

/// One or more words side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCondition {
    /// The normalised words; never empty. What was typed without a space in it stays together.
    pub words: Vec<String>,
    /// In quotation marks: as written, neither by its stem nor by another spelling.
    pub quoted: bool,
    /// Where they must stand.
    pub within: SearchedText,
}

/// Which texts of a tender are looked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchedText {
    /// Any.
    Anything,
    /// `title:`
    Title,
    /// `org:`
    Organization,
    /// `ref:`
    Reference,
}

impl UserQuery {
    /// Reads a typed text. A long one is cut.
    #[must_use]
    pub fn read(text: &str) -> Self {
        parse::read(text)
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }
}

impl Clause {
    /// The word, where it is one that stands by itself, without quotation marks or a field.
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
            Self::Fact(fact) => fact.fmt(f),
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

#[cfg(test)]
mod tests;
