//! [`ListingRequest`]: a request for a page of a listing, with text, filters, order and viewer.

use super::viewer::Viewer;
use tender_model::vocabulary::{
    Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
    Province, Rates, Sector, Topic,
};

/// A request for one page of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListingRequest {
    /// The search text; see [`crate::query::UserQuery`]. A blank text means no text.
    pub text: Option<String>,
    /// The filters.
    pub filter: TenderFilter,
    /// Who views the listing.
    pub viewer: Viewer,
    /// The order.
    pub sort: Sort,
    /// Whether tenders that are open for bids are listed before all others, whatever the order.
    pub open_first: bool,
    /// The number of the page, from 1; 0 means 1. It does not select the tenders if `after` is set.
    pub page: usize,
    /// Tenders per page, clamped to 1 to 100.
    pub limit: usize,
    /// [`crate::Listing::as_of`] of the first page. Newer tenders are left out, and the order stays
    /// the same.
    pub as_of: Option<String>,
    /// [`crate::Listing::next`] of the previous page. It includes `as_of`.
    pub after: Option<String>,
    /// If set, facets are counted. The number is the maximum length of the lists of cities,
    /// organisations and newspapers.
    pub facets: Option<usize>,
    /// Exchange rates for the value filter, the value facet and the order by value.
    pub rates: Rates,
}

/// The filters of a listing. A tender must pass all of them. A list admits any of its values, and
/// an empty list admits everything.
///
/// A tender fails a filter on a property that it does not have, with two exceptions. A tender
/// without an estimated value, or in a currency without a rate, passes every value range. A tender
/// whose closing date was printed but not read passes every closing period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TenderFilter {
    /// Sectors; see [`tender_model::tender::Tender::sector`].
    pub sectors: Vec<Sector>,
    /// Categories.
    pub categories: Vec<Category>,
    /// Organisation types.
    pub organization_types: Vec<OrganizationType>,
    /// Names of organisations, ignoring case and separators.
    pub organizations: Vec<String>,
    /// Provinces. A known district implies its province.
    pub provinces: Vec<Province>,
    /// Districts.
    pub districts: Vec<District>,
    /// Names of cities, ignoring case and separators.
    pub cities: Vec<String>,
    /// The status at the time of the request.
    pub statuses: Vec<StatusCard>,
    /// Kinds of notice.
    pub kinds: Vec<Kind>,
    /// Required contractor grades.
    pub grades: Vec<Grade>,
    /// The period of publication on the portal.
    pub published: Period,
    /// The period that contains the closing date.
    pub closing: Period,
    /// The range of estimated values.
    pub value: ValueRange,
    /// Priorities.
    pub priorities: Vec<Priority>,
    /// Languages of the notices.
    pub languages: Vec<Language>,
    /// Names of the newspapers.
    pub publications: Vec<String>,
}

impl TenderFilter {
    /// A filter on one category or sector.
    #[must_use]
    pub fn about(topic: Topic) -> Self {
        match topic {
            Topic::Category(category) => Self { categories: vec![category], ..Self::default() },
            Topic::Sector(sector) => Self { sectors: vec![sector], ..Self::default() },
        }
    }
}

/// A period with inclusive bounds. Without bounds it admits everything, including unknown times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// The start.
    pub from: Option<Moment>,
    /// The end.
    pub until: Option<Moment>,
}

/// A range of estimated values with inclusive bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ValueRange {
    /// The lower bound.
    pub min: Option<Millions>,
    /// The upper bound.
    pub max: Option<Millions>,
    /// The currency of the bounds. The bounds are converted to the currency of each tender.
    pub currency: Currency,
}

/// A statistics card as a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusCard {
    /// Published on the portal on the current day in Colombo.
    Today,
    /// Open for bids.
    Live,
    /// No longer open.
    Closed,
}

impl StatusCard {
    /// All cards, in their order on the page.
    pub const ALL: &'static [Self] = &[Self::Today, Self::Live, Self::Closed];
}

/// The order of a listing, or of each of its two groups with [`ListingRequest::open_first`]. Ties are
/// broken by publication time and id, the newest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// By relevance if there is a text, otherwise the newest first.
    #[default]
    Best,
    /// The newest first, by `publishedAt`.
    Newest,
    /// Open tenders by closing date, the next first; then open ones without a date; then closed
    /// ones, the latest first.
    Closing,
    /// The highest value in rupees first; then tenders without a value or a rate.
    Value,
}
