//! [`Filter`]: the table of the filters of a listing. Each filter is also a facet.
//!
//! The matches below list every filter, so the compiler reports every match that lacks a new
//! filter.

use crate::{
    query::FilterValues,
    search::{StatusCard, TenderFilter},
};
use tender_model::vocabulary::TenderStatus;

/// A filter. Filters on the same column are adjacent, in the order of [`FilterColumn`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    Sector,
    Category,
    Kind,
    Priority,
    OrganizationType,
    Status,
    Language,
    Province,
    District,
    City,
    Organization,
    Publication,
    Grade,
    Published,
    Closing,
    Value,
}

/// The column that a filter reads. A filter on one of the first three columns is evaluated by
/// looking up one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FilterColumn {
    /// The traits of the subject of a tender; see [`crate::query::SUBJECT_TRAITS`].
    SubjectTraits,
    /// The traits that do not describe the subject.
    OtherTraits,
    /// The province and district.
    Places,
    /// Any other column. No two filters share one.
    Separate,
}

/// The number of filters on traits. They come first in [`Filter::ALL`].
pub(super) const TRAIT_FILTERS: usize = Filter::Province as usize;
/// The number of filters on the traits of the subject. They come first among the filters on traits.
pub(super) const SUBJECT_FILTERS: usize = Filter::OrganizationType as usize;
/// The number of filters on the province and district. They follow the filters on traits.
pub(super) const PLACE_FILTERS: usize = Filter::City as usize - TRAIT_FILTERS;

/// The ordinal of an unknown value. No vocabulary is that long.
pub(super) const NO_ORDINAL: u8 = 31;

impl Filter {
    /// All filters in the order of their bits.
    pub(super) const ALL: [Self; 16] = [
        Self::Sector,
        Self::Category,
        Self::Kind,
        Self::Priority,
        Self::OrganizationType,
        Self::Status,
        Self::Language,
        Self::Province,
        Self::District,
        Self::City,
        Self::Organization,
        Self::Publication,
        Self::Grade,
        Self::Published,
        Self::Closing,
        Self::Value,
    ];

    /// The filter's bit in a mask of failed filters.
    pub(super) const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The filter of a mask with a single bit.
    pub(super) const fn of_bit(bit: u32) -> Self {
        Self::ALL[bit.trailing_zeros() as usize]
    }

    /// The filters on traits, in the order of their bits.
    pub(super) fn on_traits() -> [Self; TRAIT_FILTERS] {
        std::array::from_fn(|index| Self::ALL[index])
    }

    /// The column that the filter reads.
    pub(super) const fn column(self) -> FilterColumn {
        match self {
            Self::Sector | Self::Category | Self::Kind | Self::Priority => FilterColumn::SubjectTraits,
            Self::OrganizationType | Self::Status | Self::Language => FilterColumn::OtherTraits,
            Self::Province | Self::District => FilterColumn::Places,
            Self::City
            | Self::Organization
            | Self::Publication
            | Self::Grade
            | Self::Published
            | Self::Closing
            | Self::Value => FilterColumn::Separate,
        }
    }

    /// The position of the tender's value in the filter's vocabulary. [`NO_ORDINAL`] if the value
    /// is unknown, or if the filter does not read traits.
    pub(super) fn ordinal(self, values: &FilterValues) -> u8 {
        let ordinal = match self {
            Self::Sector => values.sector().map(|sector| sector as u8),
            Self::Category => values.category().map(|category| category as u8),
            Self::Kind => values.kind().map(|kind| kind as u8),
            Self::Priority => values.priority().map(|priority| priority as u8),
            Self::OrganizationType => values.organization_type().map(|kind| kind as u8),
            Self::Status if values.has_status(TenderStatus::Published) => Some(StatusCard::Live as u8),
            Self::Status => Some(StatusCard::Closed as u8),
            Self::Language => values.language().map(|language| language as u8),
            Self::Province
            | Self::District
            | Self::City
            | Self::Organization
            | Self::Publication
            | Self::Grade
            | Self::Published
            | Self::Closing
            | Self::Value => None,
        };
        ordinal.unwrap_or(NO_ORDINAL)
    }

    /// Whether each ordinal passes a filter on traits. An empty list in `filter` admits all
    /// ordinals.
    pub(super) fn admitted_ordinals(self, filter: &TenderFilter) -> [bool; 32] {
        fn admitted<T: Copy>(wanted: &[T], ordinal: impl Fn(T) -> usize) -> [bool; 32] {
            let mut admitted = [wanted.is_empty(); 32];
            wanted.iter().for_each(|value| admitted[ordinal(*value)] = true);
            admitted
        }
        match self {
            Self::Sector => admitted(&filter.sectors, |sector| sector as usize),
            Self::Category => admitted(&filter.categories, |category| category as usize),
            Self::Kind => admitted(&filter.kinds, |kind| kind as usize),
            Self::Priority => admitted(&filter.priorities, |priority| priority as usize),
            Self::OrganizationType => admitted(&filter.organization_types, |kind| kind as usize),
            Self::Status => admitted(&filter.statuses, |card| card as usize),
            Self::Language => admitted(&filter.languages, |language| language as usize),
            Self::Province
            | Self::District
            | Self::City
            | Self::Organization
            | Self::Publication
            | Self::Grade
            | Self::Published
            | Self::Closing
            | Self::Value => [true; 32],
        }
    }

    /// Whether a filter on places admits a tender with these places. Every other filter admits it.
    pub(super) fn admits_place(self, filter: &TenderFilter, values: &FilterValues) -> bool {
        match self {
            Self::Province => {
                filter.provinces.is_empty()
                    || filter.provinces.iter().any(|province| values.is_in_province(*province))
            }
            Self::District => {
                filter.districts.is_empty()
                    || filter.districts.iter().any(|district| values.is_in_district(*district))
            }
            Self::Sector
            | Self::Category
            | Self::Kind
            | Self::Priority
            | Self::OrganizationType
            | Self::Status
            | Self::Language
            | Self::City
            | Self::Organization
            | Self::Publication
            | Self::Grade
            | Self::Published
            | Self::Closing
            | Self::Value => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::SUBJECT_TRAITS;
    use tender_model::{
        tender::Tender,
        vocabulary::{Category, Kind, Language, OrganizationType},
    };

    #[test]
    fn bits_and_columns_follow_the_order_of_the_table() {
        for (index, filter) in Filter::ALL.into_iter().enumerate() {
            assert_eq!(filter as usize, index, "{filter:?}");
            assert_eq!(Filter::of_bit(filter.bit()), filter);
            let column = match index {
                _ if index < SUBJECT_FILTERS => FilterColumn::SubjectTraits,
                _ if index < TRAIT_FILTERS => FilterColumn::OtherTraits,
                _ if index < TRAIT_FILTERS + PLACE_FILTERS => FilterColumn::Places,
                _ => FilterColumn::Separate,
            };
            assert_eq!(filter.column(), column, "{filter:?}");
        }
    }

    #[test]
    fn each_trait_filter_reads_only_its_own_column() {
        let mut tender = Tender {
            category: Some(Category::ALL[3]),
            kind: Kind::Award,
            language: Some(Language::Tamil),
            ..Tender::default()
        };
        tender.organization.kind = Some(OrganizationType::Private);
        let values = FilterValues::of(&tender);
        for filter in Filter::on_traits() {
            let mask =
                if filter.column() == FilterColumn::SubjectTraits { SUBJECT_TRAITS } else { !SUBJECT_TRAITS };
            let own = FilterValues { traits: values.traits & mask, ..FilterValues::default() };
            assert_eq!(filter.ordinal(&own), filter.ordinal(&values), "{filter:?}");
            assert_ne!(filter.ordinal(&own), NO_ORDINAL, "{filter:?}");
        }
    }
}
