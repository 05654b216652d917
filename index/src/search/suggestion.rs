//! Suggestions while typing: categories, places, organisations and the newest titles. The work per
//! request is bounded. Only text that everyone may read is suggested.

use crate::error::IndexError;
use std::collections::BTreeSet;
use tender_model::{
    text::{Words, normalise},
    vocabulary::{Category, District, gazetteer},
};
use uuid::Uuid;

/// The maximum number of suggested categories.
const MAX_CATEGORIES: usize = 2;
/// The maximum number of suggested places.
const MAX_PLACES: usize = 2;
/// The maximum number of suggested organisations.
pub const MAX_ORGANIZATIONS: usize = 3;
/// The maximum number of suggested titles.
pub const MAX_TITLES: usize = 5;
/// The maximum number of typed words that are used.
const MAX_WORDS: usize = 8;
/// A single unfinished word is searched for in titles if it has at least this many characters.
const MIN_PREFIX_LENGTH: usize = 2;

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// A category.
    Category(Category),
    /// A district, with its name in the script of the typed text.
    Place(District, String),
    /// The name of an organisation.
    Organization(String),
    /// A tender with its title.
    Title(Uuid, String),
}

/// The typed text for which an engine looks up suggestions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPrefix<'t> {
    /// All words, joined by one space. The name of a suggested organisation has them at the start of
    /// a word.
    pub joined: String,
    /// The words that a suggested title has.
    pub complete: Vec<&'t str>,
    /// The start of a word that a suggested title has as well.
    pub unfinished: Option<&'t str>,
    /// Whether the text is too short to search for titles.
    pub is_short: bool,
}

/// The source of the suggestions that depend on the index.
pub trait SuggestionSource {
    /// The names of the [`MAX_ORGANIZATIONS`] organisations with the most tenders.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn organizations(&self, typed: &TypedPrefix<'_>) -> Result<Vec<String>, IndexError>;

    /// The ids and titles of the newest tenders. Titles may repeat.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn titles(&self, typed: &TypedPrefix<'_>) -> Result<Vec<(Uuid, String)>, IndexError>;
}

/// Computes the suggestions: categories, then places, organisations and titles.
///
/// # Errors
/// [`IndexError::Unavailable`] if the engine does not answer.
pub fn suggest(source: &dyn SuggestionSource, text: &str) -> Result<Vec<Suggestion>, IndexError> {
    let words = Words::of(text);
    let words: Vec<&str> = words.iter().take(MAX_WORDS).collect();
    let Some(last) = words.last() else { return Ok(Vec::new()) };
    let joined = words.join(" ");
    let begins = |name: &str| {
        let name = normalise(name);
        name.starts_with(&joined) || name.contains(&format!(" {joined}"))
    };
    let categories = Category::ALL.iter().filter(|category| begins(category.as_str()));
    let mut suggestions: Vec<Suggestion> =
        categories.take(MAX_CATEGORIES).map(|category| Suggestion::Category(*category)).collect();
    let places = gazetteer::districts().filter(|(name, _)| normalise(name).starts_with(&joined));
    suggestions
        .extend(places.take(MAX_PLACES).map(|(name, district)| Suggestion::Place(district, name.to_owned())));
    let ended = text.ends_with(char::is_whitespace);
    let complete = if ended { words.clone() } else { words[..words.len() - 1].to_vec() };
    let is_short = complete.is_empty() && last.chars().count() < MIN_PREFIX_LENGTH;
    let typed = TypedPrefix { joined, complete, unfinished: (!ended).then_some(*last), is_short };
    suggestions.extend(source.organizations(&typed)?.into_iter().map(Suggestion::Organization));
    if !typed.is_short {
        let mut seen = BTreeSet::new();
        let titles = source.titles(&typed)?.into_iter();
        let distinct = titles.filter(|(_, title)| seen.insert(normalise(title)));
        suggestions.extend(distinct.take(MAX_TITLES).map(|(id, title)| Suggestion::Title(id, title)));
    }
    Ok(suggestions)
}
