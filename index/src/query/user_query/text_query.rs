//! [`TextQuery`]: which tenders a search text finds, as a tree of words, phrases, names, references
//! and conditions on fields. Each engine translates it into a query of its own.

use super::{field_condition::FieldCondition, search_field::SearchField, syntax::SearchedText};
use crate::analysis::stem;
use tender_model::{
    pattern::Pattern,
    vocabulary::{MatchType, gazetteer::Spelling},
};

/// The texts of a tender that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All texts.
    Everything,
    /// Title, organisation and reference. Everyone may read them, even of a locked tender.
    Stub,
}

/// A search text, planned for an index. A tender matches if it has one of the references, or all of
/// the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextQuery {
    /// All of these nodes must match.
    pub required: Vec<QueryNode>,
    /// At least [`TextQuery::at_least`] of these nodes must match.
    pub words: Vec<QueryNode>,
    /// The number of `words` that must match.
    pub at_least: usize,
    /// None of these nodes may match.
    pub excluded: Vec<QueryNode>,
    /// References without separators. A tender with one of them matches regardless of the rest.
    pub references: Vec<String>,
}

impl TextQuery {
    /// The query for tenders that match one node.
    #[must_use]
    pub fn of_node(node: QueryNode) -> Self {
        Self { required: vec![node], ..Self::default() }
    }
}

/// A node of the query tree.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryNode {
    /// All of these nodes must match.
    All(Vec<QueryNode>),
    /// At least one of these nodes must match.
    Any(Vec<QueryNode>),
    /// A word or another form of it, in any text. The weight is 1 for a typed word or its most
    /// likely correction, and less for other corrections.
    Word(String, f32),
    /// Words next to each other, as written.
    Phrase(Vec<String>, SearchedText),
    /// A name in one spelling, and the number of words that were typed.
    Name(Spelling, SearchedText, usize),
    /// References without separators.
    References(Vec<String>),
    /// A condition on a field.
    Field(FieldCondition),
}

/// Words to mark in the texts of a tender.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Highlight {
    /// A word and its other forms.
    Word {
        /// The normalised word.
        word: String,
        /// Its English stem.
        stem: String,
    },
    /// Words next to each other.
    Phrase {
        /// The normalised words.
        words: Vec<String>,
        /// Whether the last word may have an ending.
        open: bool,
    },
}

impl QueryNode {
    /// Adds the words of this node that can be marked in a text.
    pub(super) fn add_highlights(&self, highlights: &mut Vec<Highlight>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => {
                nodes.iter().for_each(|node| node.add_highlights(highlights))
            }
            Self::Word(word, _) => highlights.push(Highlight::Word { word: word.clone(), stem: stem(word) }),
            Self::Phrase(words, _) => {
                highlights.push(Highlight::Phrase { words: words.clone(), open: false })
            }
            Self::Name(spelling, ..) => highlights.push(Highlight::Phrase {
                words: spelling.words.split(' ').map(str::to_owned).collect(),
                open: spelling.takes_endings,
            }),
            Self::References(_) | Self::Field(_) => {}
        }
    }
}

impl SearchedText {
    /// The fields that together contain exactly these texts.
    #[must_use]
    pub const fn fields(self, scope: Scope) -> &'static [SearchField] {
        use SearchField::{Organization, Reference, Title, Words};
        match (self, scope) {
            (Self::Title, _) => &[Title],
            (Self::Organization, _) => &[Organization],
            (Self::Reference, _) => &[Reference],
            (Self::Anything, Scope::Everything) => &[Words],
            (Self::Anything, Scope::Stub) => &[Title, Organization, Reference],
        }
    }
}

/// The pattern that finds a name in this spelling. `None` if the spelling contains no word.
#[must_use]
pub fn name_pattern(spelling: &Spelling) -> Option<Pattern> {
    let match_type = if spelling.takes_endings { MatchType::StartsWith } else { MatchType::Exact };
    Pattern::new(&spelling.words, match_type)
}
