//! [`AlertQuery`]: what a stored alert looks for in a tender. The same query runs forwards (search
//! in the index) and backwards (percolation of a new tender). The alert's owner and its mail
//! settings are stored elsewhere.

use crate::{
    pattern::Pattern,
    vocabulary::{
        AlertCurrency, District, MatchType, Millions, OrganizationType, Priority, Province, TenderStatus,
        Topic,
    },
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// The conditions of an alert. A tender matches if all of them hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AlertQuery {
    /// At least one keyword must match. If the list is empty, the names of the bodies are the
    /// keywords.
    pub keywords: Vec<Keyword>,
    /// Categories or whole sectors. An empty list admits any.
    pub categories: Vec<Topic>,
    /// Places. If all three lists are empty, any place is admitted.
    pub locations: Locations,
    /// Types of organisation. An empty list admits any.
    pub organization_types: Vec<OrganizationType>,
    /// Names of organisations, compared by their normalised words. An empty list admits any.
    /// Otherwise, a tender without an organisation does not match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<String>,
    /// Whether keywords are looked for only in the title and the scope (the description). Exclude
    /// keywords are always looked for in the whole text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub title_and_scope_only: bool,
    /// Bounds on the estimated value.
    pub estimated_value: ValueRange,
    /// The settings under "Advanced Filters".
    pub advanced_filters: AdvancedFilters,
}

/// The reason an alert cannot be matched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlertError {
    /// A keyword contains no letter or digit.
    #[error("keyword {number} (`{term}`) has no word in it: write letters or digits")]
    NoWords {
        /// The number of the keyword, counted from 1.
        number: usize,
        /// The keyword as given.
        term: String,
    },
}

impl AlertQuery {
    /// Checks that each keyword contains a word.
    ///
    /// # Errors
    /// [`AlertError`] names the first keyword without a word.
    pub fn check(&self) -> Result<(), AlertError> {
        self.patterns().map(drop)
    }

    /// The patterns of the keywords, in order.
    ///
    /// # Errors
    /// [`AlertError`] names the first keyword without a word.
    pub fn patterns(&self) -> Result<Vec<Pattern>, AlertError> {
        let pattern = |(index, keyword): (usize, &Keyword)| {
            Pattern::new(&keyword.term, keyword.match_type)
                .ok_or_else(|| AlertError::NoWords { number: index + 1, term: keyword.term.clone() })
        };
        self.wanted_keywords().iter().enumerate().map(pattern).collect()
    }

    /// The keywords of which one must match: those of the alert, or the names of its bodies if it
    /// has none.
    #[must_use]
    pub fn wanted_keywords(&self) -> Cow<'_, [Keyword]> {
        if !self.keywords.is_empty() || self.bodies.is_empty() {
            return Cow::Borrowed(&self.keywords);
        }
        let keyword = |name: &String| Keyword { term: name.clone(), match_type: MatchType::Exact };
        self.bodies.iter().map(keyword).collect()
    }

    /// Whether a keyword outside the title and the scope does not count. The names of bodies are
    /// always looked for in the whole text.
    #[must_use]
    pub const fn is_limited_to_scope(&self) -> bool {
        self.title_and_scope_only && !self.keywords.is_empty()
    }

    /// The patterns of the exclude keywords. Exclude keywords without a word are skipped.
    #[must_use]
    pub fn exclude_patterns(&self) -> Vec<Pattern> {
        let excludes = self.advanced_filters.exclude_keywords.iter();
        excludes.filter_map(|term| Pattern::new(term, MatchType::Contains)).collect()
    }
}

/// A search term and how it matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Keyword {
    /// 1 to 50 characters, at least one of them a letter or digit.
    pub term: String,
    /// How the term matches. The default is `contains`.
    pub match_type: MatchType,
}

/// Places. A tender in any of them matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Locations {
    /// Whole provinces.
    pub provinces: Vec<Province>,
    /// Districts.
    pub districts: Vec<District>,
    /// Cities, compared by their normalised words.
    pub cities: Vec<String>,
}

impl Locations {
    /// Whether all three lists are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.provinces.is_empty() && self.districts.is_empty() && self.cities.is_empty()
    }
}

/// Bounds on the estimated value, both inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ValueRange {
    /// The minimum, in millions of `currency`.
    pub min: Option<Millions>,
    /// The maximum, in millions of `currency`.
    pub max: Option<Millions>,
    /// The currency of both bounds.
    pub currency: AlertCurrency,
}

/// The settings under "Advanced Filters".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedFilters {
    /// No exclude keyword may match. Exclude keywords match as `contains`. Those without a letter
    /// or digit are ignored.
    pub exclude_keywords: Vec<String>,
    /// The minimum number of days until closing, 0 to 365, counted by the calendar in Colombo at
    /// the time of matching.
    pub min_days_until_closing: Option<u16>,
    /// The maximum number of days until closing, 0 to 365, counted like `minDaysUntilClosing`.
    pub max_days_until_closing: Option<u16>,
    /// The accepted effective statuses. By default, only `published` is accepted. An empty list
    /// accepts none.
    pub included_statuses: Vec<TenderStatus>,
    /// The accepted priorities. An empty list accepts any.
    pub included_priorities: Vec<Priority>,
}

impl Default for AdvancedFilters {
    fn default() -> Self {
        Self {
            exclude_keywords: Vec::new(),
            min_days_until_closing: None,
            max_days_until_closing: None,
            included_statuses: vec![TenderStatus::Published],
            included_priorities: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_defaults_to_published_tenders_and_contains() {
        let query: AlertQuery = serde_json::from_str(r#"{"keywords":[{"term":"bridge"}]}"#).unwrap();
        assert_eq!(query.advanced_filters.included_statuses, [TenderStatus::Published]);
        assert_eq!(query.keywords[0].match_type, MatchType::Contains);
    }

    #[test]
    fn stored_query_without_the_newer_fields_reads_on_unchanged() {
        let stored = r#"{"keywords":[{"term":"bridge","matchType":"contains"}],"categories":[],"locations":{"provinces":[],"districts":[],"cities":[]},"organizationTypes":[],"estimatedValue":{"min":null,"max":null,"currency":"LKR"},"advancedFilters":{"excludeKeywords":[],"minDaysUntilClosing":null,"maxDaysUntilClosing":null,"includedStatuses":["published"],"includedPriorities":[]}}"#;
        let query: AlertQuery = serde_json::from_str(stored).unwrap();
        assert!(query.bodies.is_empty() && !query.title_and_scope_only);
        assert_eq!(serde_json::to_string(&query).unwrap(), stored);
    }

    #[test]
    fn bodies_stand_for_missing_keywords() {
        let mut query: AlertQuery =
            serde_json::from_str(r#"{"bodies":["Road Authority"],"titleAndScopeOnly":true}"#).unwrap();
        assert_eq!(query.wanted_keywords()[0].term, "Road Authority");
        assert_eq!(query.wanted_keywords()[0].match_type, MatchType::Exact);
        assert!(!query.is_limited_to_scope());
        query.keywords = vec![Keyword { term: "bridge".into(), ..Keyword::default() }];
        assert_eq!(query.wanted_keywords()[0].term, "bridge");
        assert!(query.is_limited_to_scope());
        assert_eq!(AlertQuery::default().patterns(), Ok(Vec::new()));
    }

    #[test]
    fn the_error_names_a_keyword_without_words() {
        let query: AlertQuery =
            serde_json::from_str(r#"{"keywords":[{"term":"bridge"},{"term":"--"}]}"#).unwrap();
        assert_eq!(query.check(), Err(AlertError::NoWords { number: 2, term: "--".to_owned() }));
        assert_eq!(AlertQuery::default().check(), Ok(()));
    }
}
