//! What the pages of buyers and of the market show: counts and spreads of the facts of tenders that everyone
//! may see. Counts say how many of their tenders have a value that is not certain.

use serde::Serialize;
use tender_model::vocabulary::{Day, District, Grade, Language, Moment, Sector};
use utoipa::ToSchema;
use uuid::Uuid;

/// With fewer tenders, a spread or a share says too little.
pub const MIN_SAMPLE: u64 = 5;

/// Which tenders the market counts. Empty: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MarketFilter {
    /// The district.
    pub district: Option<District>,
    /// The sector.
    pub sector: Option<Sector>,
    /// A contractor grade that is required.
    pub grade: Option<Grade>,
}

/// A body with its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Buyer {
    /// The part of the address of the body's page.
    pub slug: String,
    /// The name, in its most frequent spelling.
    pub name: String,
    /// The number of open tenders.
    pub open: u64,
    /// The number of tenders that are no longer open.
    pub past: u64,
    /// The number of awards that it proposed.
    pub awards: u64,
}

/// The number of tenders with a value. No value: it is not stated, or it was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValueCount {
    /// The value, as printed or as the filters of the listing name it.
    #[schema(required)]
    pub value: Option<String>,
    /// The number of tenders.
    pub count: u64,
    /// The number of those that are open.
    pub open: u64,
    /// The number of open ones whose value is not certain.
    pub uncertain: u64,
}

/// How a figure spreads over the tenders that state it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spread {
    /// The number of tenders that it rests on.
    pub count: u64,
    /// The quartiles and the range. Absent: there are too few tenders to tell.
    #[schema(required)]
    pub summary: Option<Summary>,
    /// If there are too few, the tenders of them that everyone may read, the newest first.
    pub tenders: Vec<SingleValue>,
}

/// The quartiles and the range of a figure.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Summary {
    /// The least.
    pub min: f64,
    /// A quarter is at most this.
    pub lower: f64,
    /// Half is at most this.
    pub median: f64,
    /// Three quarters are at most this.
    pub upper: f64,
    /// The greatest.
    pub max: f64,
}

/// A figure of one tender.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SingleValue {
    /// The tender.
    pub tender: Uuid,
    /// Its title.
    pub title: String,
    /// The value.
    pub value: f64,
}

/// Corrigenda of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Changes {
    /// The number of tenders that were changed after their publication.
    pub changed: u64,
    /// The number of tenders whose closing was moved to a later day.
    pub extended: u64,
    /// The days of all extensions together.
    pub days: u64,
}

/// A tender in a list of a body.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuyerTender {
    /// The tender's id.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// The language of the title, if it is known.
    #[schema(required)]
    pub language: Option<Language>,
    /// The name of the body, as this notice prints it.
    pub organization: String,
    /// When bids close.
    #[schema(required)]
    pub closing: Option<Moment>,
    /// Whether the closing is certain.
    pub is_closing_certain: bool,
}

/// The figures of a body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BuyerFigures {
    /// The spellings of the name, the most frequent first.
    pub names: Vec<String>,
    /// The tenders by category.
    pub categories: Vec<ValueCount>,
    /// The tenders by district.
    pub districts: Vec<ValueCount>,
    /// The days from the first print to the closing.
    pub notice_days: Spread,
    /// The bid security in percent.
    pub bond_percentage: Spread,
    /// The bid security in rupees.
    pub bond_amount: Spread,
    /// The price of the documents in rupees.
    pub document_fee: Spread,
    /// Its corrigenda.
    pub changes: Changes,
}

/// The number of tenders that were first printed in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MonthCount {
    /// The first day of the month.
    #[schema(value_type = String, format = Date)]
    pub month: Day,
    /// The number of tenders.
    pub count: u64,
}

/// The number of open tenders that close in a week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WeekCount {
    /// The Monday of the week.
    #[schema(value_type = String, format = Date)]
    pub week: Day,
    /// The number of tenders.
    pub count: u64,
    /// The number of those whose closing is not certain.
    pub uncertain: u64,
}

/// How many tenders had a shorter period than the guidelines require.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShortNotices {
    /// The days that are required.
    pub required_days: u32,
    /// Whether the notices state the method. If not, the days for national bidding are taken.
    pub is_method_stated: bool,
    /// The number of tenders with a certain period.
    pub count: u64,
    /// The number of those with a shorter period.
    pub short: u64,
}

/// The figures of the market.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Market {
    /// The number of tenders.
    pub total: u64,
    /// The number of open tenders.
    pub open: u64,
    /// The number of tenders that are in this part of the market without certainty.
    pub uncertain: u64,
    /// The number of those that are open.
    pub uncertain_open: u64,
    /// The first day on which one of them was printed.
    #[schema(required, value_type = Option<String>, format = Date)]
    pub since: Option<Day>,
    /// The tenders by district, most first.
    pub districts: Vec<ValueCount>,
    /// The tenders by sector, most first. Those of the category `Other` have no sector, and count under its
    /// name.
    pub sectors: Vec<ValueCount>,
    /// The tenders by contractor grade. A tender counts for each of its grades.
    pub grades: Vec<ValueCount>,
    /// The last twelve months, the oldest first.
    pub months: Vec<MonthCount>,
    /// The next eight weeks.
    pub closings: Vec<WeekCount>,
    /// The open tenders whose closing is not stated or was not read.
    pub without_closing: u64,
    /// The number of those whose closing was not read. A filter of the listing by closings finds them all.
    pub closings_not_read: u64,
    /// The short notices, by the days that are required.
    pub short_notices: Vec<ShortNotices>,
}
