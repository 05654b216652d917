//! The definition of a report: query, period, columns and totals.

use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Day;
use utoipa::ToSchema;
use uuid::Uuid;

/// The definition of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ReportAsked)]
pub struct ReportDefinition {
    /// The query string of `GET /tenders`, at most 3,500 characters. A page number and the dates
    /// that `period` sets are ignored.
    #[serde(default)]
    pub query: String,
    /// The period that the report covers.
    pub period: ReportPeriod,
    /// The columns in order, each at most once.
    pub columns: Vec<ReportColumn>,
    /// The groupings for the totals on the second sheet of a workbook.
    #[serde(default)]
    pub totals: Vec<ReportGrouping>,
}

/// A column of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReportColumn)]
pub enum ReportColumn {
    /// The organisation's reference, as printed.
    Reference,
    /// The title.
    Title,
    /// The organisation that invites bids.
    Organization,
    /// The type of the organisation.
    OrganizationType,
    /// The category.
    Category,
    /// The sector.
    Sector,
    /// The kind of the notice.
    Kind,
    /// The procurement method.
    Method,
    /// The province.
    Province,
    /// The district.
    District,
    /// The city.
    City,
    /// The estimated value, in units of the row's currency, not in millions.
    Value,
    /// The currency of the row's amounts.
    Currency,
    /// The bid security: an amount or a percentage of the bid.
    BidSecurity,
    /// The price of the bidding documents.
    DocumentFee,
    /// The day of publication on the portal or, if it is not known, in print.
    Published,
    /// When bids close.
    Closing,
    /// The current status.
    Status,
    /// The newspapers that printed the tender, with the dates.
    Newspaper,
    /// The URL of the tender on the portal.
    Link,
    /// The names of the fields that are doubtful or were not read. Files always contain this
    /// column.
    Uncertain,
}

impl ReportColumn {
    /// All columns.
    pub const ALL: [Self; 21] = [
        Self::Reference,
        Self::Title,
        Self::Organization,
        Self::OrganizationType,
        Self::Category,
        Self::Sector,
        Self::Kind,
        Self::Method,
        Self::Province,
        Self::District,
        Self::City,
        Self::Value,
        Self::Currency,
        Self::BidSecurity,
        Self::DocumentFee,
        Self::Published,
        Self::Closing,
        Self::Status,
        Self::Newspaper,
        Self::Link,
        Self::Uncertain,
    ];
}

/// How tenders are grouped for totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReportGrouping)]
pub enum ReportGrouping {
    /// By category.
    Category,
    /// By district.
    District,
    /// By organisation.
    Organization,
    /// By the month of the date that the period uses.
    Month,
}

impl ReportGrouping {
    /// All groupings.
    pub const ALL: [Self; 4] = [Self::Category, Self::District, Self::Organization, Self::Month];
}

/// The date that decides whether a tender belongs to a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DatedBy {
    /// The date of publication on the portal.
    #[default]
    Published,
    /// The closing date.
    Closing,
}

impl DatedBy {
    /// The query parameters of `GET /tenders` for the first and the last day.
    #[must_use]
    pub const fn parameters(self) -> [&'static str; 2] {
        match self {
            Self::Published => ["publishedFrom", "publishedUntil"],
            Self::Closing => ["closingFrom", "closingUntil"],
        }
    }
}

/// The time span of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Span)]
pub enum ReportSpan {
    /// The whole current month.
    ThisMonth,
    /// The whole previous month.
    LastMonth,
    /// The last ninety days, including today.
    Last90Days,
    /// The days from `from` to `until`.
    Range,
}

/// The period that a report covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Period)]
pub struct ReportPeriod {
    /// The date that decides whether a tender belongs to the period.
    #[serde(default)]
    pub by: DatedBy,
    /// The time span.
    pub span: ReportSpan,
    /// The first day, if the span is a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub from: Option<Day>,
    /// The last day, if the span is a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub until: Option<Day>,
}

impl ReportPeriod {
    /// Returns the period of the whole month that contains a day.
    #[must_use]
    pub fn month(by: DatedBy, day: Day) -> Self {
        Self {
            by,
            span: ReportSpan::Range,
            from: Some(day.first_of_month()),
            until: Some(day.last_of_month()),
        }
    }

    /// Returns the first and the last day of the period. `today` is the current day in Colombo.
    /// `None`: the span is a range without a first or a last day.
    #[must_use]
    pub fn days(&self, today: Day) -> Option<(Day, Day)> {
        let month = |day: Day| Some((day.first_of_month(), day.last_of_month()));
        match self.span {
            ReportSpan::ThisMonth => month(today),
            ReportSpan::LastMonth => month(today.first_of_month().yesterday().ok()?),
            ReportSpan::Last90Days => Some((today.checked_sub(89.days()).ok()?, today)),
            ReportSpan::Range => self.from.zip(self.until),
        }
    }
}

/// A saved report.
#[derive(Debug, Clone)]
pub struct SavedReport {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The name that its owner chose.
    pub name: String,
    /// The report's definition.
    pub definition: ReportDefinition,
    /// When the monthly mail was switched on. `None`: it is off.
    pub monthly_since: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The owner's input for a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportForm {
    /// The name that its owner chose.
    pub name: String,
    /// The report's definition.
    pub definition: ReportDefinition,
    /// Whether the report is mailed each month.
    pub is_monthly: bool,
}

/// A report that is due by mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReport {
    /// The report.
    pub id: Uuid,
    /// Its owner.
    pub user_id: Uuid,
    /// The owner's address.
    pub address: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_days_of_a_period_are_computed_from_today() {
        let days =
            |span, today| ReportPeriod { by: DatedBy::Published, span, from: None, until: None }.days(today);
        let new_year = date(2027, 1, 1);
        assert_eq!(days(ReportSpan::ThisMonth, new_year), Some((new_year, date(2027, 1, 31))));
        assert_eq!(days(ReportSpan::LastMonth, new_year), Some((date(2026, 12, 1), date(2026, 12, 31))));
        assert_eq!(
            days(ReportSpan::LastMonth, date(2028, 3, 31)),
            Some((date(2028, 2, 1), date(2028, 2, 29)))
        );
        assert_eq!(
            days(ReportSpan::Last90Days, date(2026, 3, 31)),
            Some((date(2026, 1, 1), date(2026, 3, 31)))
        );
        assert_eq!(days(ReportSpan::Range, new_year), None);
        let range = ReportPeriod {
            span: ReportSpan::Range,
            ..ReportPeriod::month(DatedBy::Closing, date(2026, 2, 14))
        };
        assert_eq!(range.days(new_year), Some((date(2026, 2, 1), date(2026, 2, 28))));
    }
}
