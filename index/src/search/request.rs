//! What can be asked of the listing: text, filters, order and page, and who asks. Plain data; how it is answered is `listing`'s part.

use super::entitlement::Viewer;
use tender_model::vocabulary::{
    Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
    Province, Rates, Sector, Topic,
};

/// What to list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListingRequest {
    /// Typed search text; see [`crate::query::UserQuery`]. Blank: no text.
    pub text: Option<String>,
    /// What a tender must be besides.
    pub filter: TenderFilter,
    /// Who reads.
    pub reader: Viewer,
    /// The order.
    pub sort: Sort,
    /// From 1; 0 counts as 1. Not looked at where `after` is given.
    pub page: usize,
    /// Tenders a page, 1 to 100; what lies outside is brought in.
    pub limit: usize,
    /// [`super::Listing::as_of`] of the first page: tenders that came since are left out, and the order is that of then.
    pub as_of: Option<String>,
    /// [`super::Listing::next`] of the page before. It carries `as_of`.
    pub after: Option<String>,
    /// Whether to count facets, and how many cities, organisations and publications of each at most.
    pub facets: Option<usize>,
    /// What foreign money is worth, for the value filter, the value facet and the order by value.
    pub rates: Rates,
}

/// What a tender must be. Within a list, any of it; an empty list, anything; all filters together. What a tender doesn't say it is not,
/// but for its value: one that states none, or in a currency without a rate, passes every range (decisions, "What an alert
/// matches", rule 6).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TenderFilter {
    /// Sectors; see [`tender_model::tender::Tender::sector`].
    pub sectors: Vec<Sector>,
    /// Categories.
    pub categories: Vec<Category>,
    /// Kinds of organisation.
    pub organization_types: Vec<OrganizationType>,
    /// Organisations by name, in any case and with any separators.
    pub organizations: Vec<String>,
    /// Provinces; a known district says its province.
    pub provinces: Vec<Province>,
    /// Districts.
    pub districts: Vec<District>,
    /// Cities by name, in any case and with any separators.
    pub cities: Vec<String>,
    /// Where they stand at the moment of asking.
    pub statuses: Vec<StatusCard>,
    /// Kinds of notice.
    pub kinds: Vec<Kind>,
    /// Grades of contractors asked for.
    pub grades: Vec<Grade>,
    /// Published here.
    pub published: Period,
    /// Closing.
    pub closing: Period,
    /// Estimated value.
    pub value: ValueRange,
    /// Priorities.
    pub priorities: Vec<Priority>,
    /// Languages they are printed in.
    pub languages: Vec<Language>,
    /// Newspapers they were read from, by name.
    pub publications: Vec<String>,
}

impl TenderFilter {
    /// Tenders of one category or sector.
    #[must_use]
    pub fn about(topic: Topic) -> Self {
        match topic {
            Topic::Category(category) => Self { categories: vec![category], ..Self::default() },
            Topic::Sector(sector) => Self { sectors: vec![sector], ..Self::default() },
        }
    }
}

/// Moments from one to another, both included. Without both: any, unknown ones too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// The first.
    pub from: Option<Moment>,
    /// The last.
    pub until: Option<Moment>,
}

/// Estimated values from one to another, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ValueRange {
    /// The least.
    pub min: Option<Millions>,
    /// The greatest.
    pub max: Option<Millions>,
    /// What the bounds are given in; they are converted into the currency of each tender.
    pub currency: Currency,
}

/// A stat card as a filter: decisions, "total, live, closed, today".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusCard {
    /// Published here on this Colombo day.
    Today,
    /// Open to bids.
    Live,
    /// No longer open.
    Closed,
}

impl StatusCard {
    /// Every one, in the order of the cards.
    pub const ALL: &'static [Self] = &[Self::Today, Self::Live, Self::Closed];
}

/// The order of a listing. Within it, the newest first, then the greatest id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// By relevance where there is a text, else the newest first.
    #[default]
    Best,
    /// The newest first, by `publishedAt`.
    Newest,
    /// Open ones by their closing, the next first; then open ones without a closing; then closed ones, the last closed first.
    Closing,
    /// The greatest value first, in rupees; then those without a value or a rate.
    Value,
}
