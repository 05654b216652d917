//! [`Facets`]: for each choice of each filter, how many tenders this choice would yield together
//! with the other filters. Dates and values are divided into bands, which serve as choices.

use super::request::{Period, StatusCard, ValueRange};
use jiff::ToSpan;
use tender_model::vocabulary::{
    Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
    Province, Sector,
};

/// The number of tenders for each choice. Fixed lists contain all choices in the order of the
/// vocabulary. Lists of names contain the most frequent names, sorted by count and then by name. A
/// tender without the property of a facet is not counted in this facet, except in `unknown_value`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facets {
    /// Sectors.
    pub sectors: Vec<(Sector, usize)>,
    /// Categories.
    pub categories: Vec<(Category, usize)>,
    /// Organisation types.
    pub organization_types: Vec<(OrganizationType, usize)>,
    /// Organisations.
    pub organizations: Vec<(String, usize)>,
    /// Provinces.
    pub provinces: Vec<(Province, usize)>,
    /// Districts.
    pub districts: Vec<(District, usize)>,
    /// Cities.
    pub cities: Vec<(String, usize)>,
    /// Today, live and closed.
    pub statuses: Vec<(StatusCard, usize)>,
    /// Kinds of notice.
    pub kinds: Vec<(Kind, usize)>,
    /// Contractor grades.
    pub grades: Vec<(Grade, usize)>,
    /// Recent publications. Each band includes the previous one.
    pub published: Vec<(PublishedBand, usize)>,
    /// Upcoming closing dates. Each band includes the previous one.
    pub closing: Vec<(ClosingBand, usize)>,
    /// Estimated values. Bands do not overlap.
    pub values: Vec<(ValueBand, usize)>,
    /// Tenders without a value, or in a currency without a rate. They pass every value filter.
    pub unknown_value: usize,
    /// Priorities.
    pub priorities: Vec<(Priority, usize)>,
    /// Languages.
    pub languages: Vec<(Language, usize)>,
    /// Newspapers.
    pub publications: Vec<(String, usize)>,
}

/// A period of publication that ends today, in days in Colombo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedBand {
    /// Today.
    Today,
    /// The last 7 days, including today.
    Week,
    /// The last 30 days, including today.
    Month,
}

impl PublishedBand {
    /// All bands, the narrowest first.
    pub const ALL: &'static [Self] = &[Self::Today, Self::Week, Self::Month];

    /// The band as a filter.
    #[must_use]
    pub fn period(self, now: Moment) -> Period {
        let before = match self {
            Self::Today => 0,
            Self::Week => 6,
            Self::Month => 29,
        };
        let from = now.day().checked_sub(before.days()).ok().and_then(Moment::start_of);
        Period { from, until: Moment::end_of(now.day()) }
    }
}

/// A period of closing dates from now until the end of a day in Colombo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClosingBand {
    /// Today.
    Today,
    /// Within 3 days.
    ThreeDays,
    /// Within 7 days.
    Week,
    /// Within 30 days.
    Month,
}

impl ClosingBand {
    /// All bands, the narrowest first.
    pub const ALL: &'static [Self] = &[Self::Today, Self::ThreeDays, Self::Week, Self::Month];

    /// The band as a filter.
    #[must_use]
    pub fn period(self, now: Moment) -> Period {
        let after = match self {
            Self::Today => 0,
            Self::ThreeDays => 3,
            Self::Week => 7,
            Self::Month => 30,
        };
        let until = now.day().checked_add(after.days()).ok().and_then(Moment::end_of);
        Period { from: Some(now), until }
    }
}

/// A range of estimated values, in millions of rupees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ValueBand {
    /// The lower bound, inclusive. `None`: from 0.
    pub from: Option<Millions>,
    /// The upper bound, exclusive. `None`: unlimited.
    pub below: Option<Millions>,
}

/// The bounds between the value bands, in cents: 1, 5, 10, 50 and 100 million rupees.
pub(crate) const VALUE_BAND_BOUNDS: [i64; 5] =
    [100_000_000, 500_000_000, 1_000_000_000, 5_000_000_000, 10_000_000_000];

impl ValueBand {
    /// All bands, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=VALUE_BAND_BOUNDS.len()).map(|index| Self {
            from: index.checked_sub(1).map(|index| Millions::from_minor(VALUE_BAND_BOUNDS[index])),
            below: VALUE_BAND_BOUNDS.get(index).copied().map(Millions::from_minor),
        })
    }

    /// The band as a filter.
    #[must_use]
    pub fn range(self) -> ValueRange {
        let max = self.below.map(|below| Millions::from_minor(below.minor() - 1));
        ValueRange { min: self.from, max, currency: Currency::LKR }
    }
}
