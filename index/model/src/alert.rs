//! [`AlertQuery`]: what a stored alert asks of a tender. The same query runs forwards (search the index) and backwards
//! (percolation of a new tender). Who owns the alert and how it is mailed is no part of it.

use crate::pattern::Pattern;
use crate::vocabulary::{
    AlertCurrency, District, MatchType, Millions, OrganizationType, Priority, Province, TenderStatus, Topic,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an alert asks: the rules are "What an alert matches" of the decisions, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AlertQuery {
    /// At least one must match.
    pub keywords: Vec<Keyword>,
    /// Categories or whole sectors; empty: any.
    pub categories: Vec<Topic>,
    /// Places; all three empty: any.
    pub locations: Locations,
    /// Empty: any.
    pub organization_types: Vec<OrganizationType>,
    /// Bounds on the estimated value.
    pub estimated_value: ValueRange,
    /// Everything under Advanced Filters.
    pub advanced_filters: AdvancedFilters,
}

/// Why an alert can't be matched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlertError {
    /// There is nothing to look for in a keyword.
    #[error("keyword {number} (`{term}`) has no word in it: write letters or digits")]
    NoWords {
        /// Which keyword, from 1.
        number: usize,
        /// The keyword as given.
        term: String,
    },
}

impl AlertQuery {
    /// Whether it can be matched: each keyword has a word in it.
    ///
    /// # Errors
    /// [`AlertError`], for the first keyword at fault.
    pub fn check(&self) -> Result<(), AlertError> {
        self.patterns().map(drop)
    }

    /// The keywords' patterns, in order.
    ///
    /// # Errors
    /// [`AlertError`], for the first keyword at fault.
    pub fn patterns(&self) -> Result<Vec<Pattern>, AlertError> {
        let pattern = |(index, keyword): (usize, &Keyword)| {
            Pattern::new(&keyword.term, keyword.match_type)
                .ok_or_else(|| AlertError::NoWords { number: index + 1, term: keyword.term.clone() })
        };
        self.keywords.iter().enumerate().map(pattern).collect()
    }

    /// The exclude keywords' patterns, blank ones left out.
    #[must_use]
    pub fn excludes(&self) -> Vec<Pattern> {
        let excludes = self.advanced_filters.exclude_keywords.iter();
        excludes.filter_map(|term| Pattern::new(term, MatchType::Contains)).collect()
    }
}

/// A term and which of its sides are open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Keyword {
    /// 1 to 50 characters with at least one word in them.
    pub term: String,
    /// Default: contains.
    pub match_type: MatchType,
}

/// Places, any of which will do.
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
    /// Whether no place is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.provinces.is_empty() && self.districts.is_empty() && self.cities.is_empty()
    }
}

/// Bounds on the estimated value, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ValueRange {
    /// In millions.
    pub min: Option<Millions>,
    /// In millions.
    pub max: Option<Millions>,
    /// Of both bounds.
    pub currency: AlertCurrency,
}

/// Everything under Advanced Filters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedFilters {
    /// None may match, each as `contains`; blank ones are ignored.
    pub exclude_keywords: Vec<String>,
    /// Colombo days until closing, 0 to 365, at the moment of matching.
    pub min_days_until_closing: Option<u16>,
    /// As `minDaysUntilClosing`.
    pub max_days_until_closing: Option<u16>,
    /// Effective statuses; default: published alone.
    pub included_statuses: Vec<TenderStatus>,
    /// Empty: any.
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
    fn a_new_alert_looks_at_published_tenders_only() {
        let query: AlertQuery = serde_json::from_str(r#"{"keywords":[{"term":"bridge"}]}"#).unwrap();
        assert_eq!(query.advanced_filters.included_statuses, [TenderStatus::Published]);
        assert_eq!(query.keywords[0].match_type, MatchType::Contains);
    }

    #[test]
    fn a_keyword_without_words_is_named() {
        let query: AlertQuery =
            serde_json::from_str(r#"{"keywords":[{"term":"bridge"},{"term":"--"}]}"#).unwrap();
        assert_eq!(query.check(), Err(AlertError::NoWords { number: 2, term: "--".to_owned() }));
        assert_eq!(AlertQuery::default().check(), Ok(()));
    }
}
