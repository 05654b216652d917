//! Facets: how many tenders there would be for each choice of each filter, under all the other filters, and the bands that moments and
//! values are put into. How they are counted is `counts`' part.

use super::request::{Period, StatusCard, ValueRange};
use jiff::ToSpan;
use tender_model::vocabulary::{
    Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
    Province, Sector,
};

/// How many tenders there would be for each choice. Lists of fixed choices hold all of them in the vocabulary's order; lists of names the
/// most frequent, by count, then name. What a tender doesn't say counts nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facets {
    /// Sectors.
    pub sectors: Vec<(Sector, usize)>,
    /// Categories.
    pub categories: Vec<(Category, usize)>,
    /// Kinds of organisation.
    pub organization_types: Vec<(OrganizationType, usize)>,
    /// Organisations.
    pub organizations: Vec<(String, usize)>,
    /// Provinces.
    pub provinces: Vec<(Province, usize)>,
    /// Districts.
    pub districts: Vec<(District, usize)>,
    /// Cities.
    pub cities: Vec<(String, usize)>,
    /// Today, live, closed.
    pub statuses: Vec<(StatusCard, usize)>,
    /// Kinds of notice.
    pub kinds: Vec<(Kind, usize)>,
    /// Grades of contractors.
    pub grades: Vec<(Grade, usize)>,
    /// Published lately; each band holds the one before.
    pub published: Vec<(PublishedBand, usize)>,
    /// Closing soon; each band holds the one before.
    pub closing: Vec<(ClosingBand, usize)>,
    /// Values; no two bands overlap.
    pub values: Vec<(ValueBand, usize)>,
    /// Of unknown value: these pass every value filter.
    pub unknown_value: usize,
    /// Priorities.
    pub priorities: Vec<(Priority, usize)>,
    /// Languages.
    pub languages: Vec<(Language, usize)>,
    /// Newspapers.
    pub publications: Vec<(String, usize)>,
}

/// Published on one of the last Colombo days, today included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedBand {
    /// Today.
    Today,
    /// The last 7 days.
    Week,
    /// The last 30 days.
    Month,
}

impl PublishedBand {
    /// Every band, the narrowest first.
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

/// Closing from now on, by the end of a Colombo day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClosingBand {
    /// Today.
    Today,
    /// Today or on the next 3 days.
    ThreeDays,
    /// Today or on the next 7 days.
    Week,
    /// Today or on the next 30 days.
    Month,
}

impl ClosingBand {
    /// Every band, the narrowest first.
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

/// Estimated values between two bounds, in millions of rupees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ValueBand {
    /// The least value in it; `None`: from 0.
    pub from: Option<Millions>,
    /// The least value above it; `None`: without end.
    pub below: Option<Millions>,
}

/// Where the value bands meet, in minor units of a rupee: 1, 5, 10, 50 and 100 million.
pub(super) const VALUES: [i64; 5] = [100_000_000, 500_000_000, 1_000_000_000, 5_000_000_000, 10_000_000_000];

impl ValueBand {
    /// Every band, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=VALUES.len()).map(|index| Self {
            from: index.checked_sub(1).map(|index| Millions::from_minor(VALUES[index])),
            below: VALUES.get(index).copied().map(Millions::from_minor),
        })
    }

    /// The band as a filter.
    #[must_use]
    pub fn range(self) -> ValueRange {
        let max = self.below.map(|below| Millions::from_minor(below.minor() - 1));
        ValueRange { min: self.from, max, currency: Currency::LKR }
    }
}
