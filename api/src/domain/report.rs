//! What a report is made of: the query, the period, the columns and the totals.

use index::vocabulary::Day;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What a report is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ReportAsked)]
pub struct ReportDefinition {
    /// What `GET /tenders` is asked, at most 3,500 characters. Its page is left out, and the days that `period` sets.
    #[serde(default)]
    pub query: String,
    /// The days that it is of.
    pub period: ReportPeriod,
    /// Its columns in their order, each once.
    pub columns: Vec<ReportColumn>,
    /// By what the second sheet of a workbook adds up.
    #[serde(default)]
    pub totals: Vec<ReportGrouping>,
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReportColumn)]
pub enum ReportColumn {
    /// The organisation's reference, as printed.
    Reference,
    /// What is bought.
    Title,
    /// Who invites bids.
    Organization,
    /// Its kind.
    OrganizationType,
    /// The category.
    Category,
    /// The sector.
    Sector,
    /// What the notice asks.
    Kind,
    /// The procurement method.
    Method,
    /// The province.
    Province,
    /// The district.
    District,
    /// The city.
    City,
    /// The estimated value, in whole units of the row's currency.
    Value,
    /// The currency of the row's amounts.
    Currency,
    /// The bid security: an amount, or per cent of the bid.
    BidSecurity,
    /// What the bidding documents cost.
    DocumentFee,
    /// The day of publication here.
    Published,
    /// When bids close.
    Closing,
    /// Where it stands now.
    Status,
    /// The newspapers that printed it, with their days.
    Newspaper,
    /// Where it stands on the portal.
    Link,
    /// Which of the other columns were read in doubt or not at all. It is added to each file that was not asked for it.
    Uncertain,
}

impl ReportColumn {
    /// All of them.
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

/// By what tenders are added up.
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
    /// By the month of the date that the period is of.
    Month,
}

impl ReportGrouping {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Category, Self::District, Self::Organization, Self::Month];
}

/// By which of its dates a tender belongs to a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DatedBy {
    /// When it was published here.
    #[default]
    Published,
    /// When it closes.
    Closing,
}

impl DatedBy {
    /// The listing's names of the first day and of the last.
    #[must_use]
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Published => ["publishedFrom", "publishedUntil"],
            Self::Closing => ["closingFrom", "closingUntil"],
        }
    }
}

/// How long a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Span)]
pub enum ReportSpan {
    /// The whole month that it is.
    ThisMonth,
    /// The whole month before.
    LastMonth,
    /// Ninety days, today the last of them.
    Last90Days,
    /// From one day to another.
    Range,
}

/// The days that a report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Period)]
pub struct ReportPeriod {
    /// By which date.
    #[serde(default)]
    pub by: DatedBy,
    /// How long.
    pub span: ReportSpan,
    /// The first day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub from: Option<Day>,
    /// Its last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub until: Option<Day>,
}

impl ReportPeriod {
    /// A whole month.
    #[must_use]
    pub fn month(by: DatedBy, day: Day) -> Self {
        Self {
            by,
            span: ReportSpan::Range,
            from: Some(day.first_of_month()),
            until: Some(day.last_of_month()),
        }
    }

    /// The first day and the last, as seen on a Colombo day. A range that lacks one has none.
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

/// A report.
#[derive(Debug, Clone)]
pub struct SavedReport {
    /// UUIDv7.
    pub id: Uuid,
    /// As its owner calls it.
    pub name: String,
    /// What it is made of.
    pub asked: ReportDefinition,
    /// Since when it is mailed each month; `None`: it is not.
    pub monthly_since: Option<Timestamp>,
    /// Since when it is kept.
    pub created_at: Timestamp,
}

/// What its owner says of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportForm {
    /// As its owner calls it.
    pub name: String,
    /// What it is made of.
    pub asked: ReportDefinition,
    /// Whether it is mailed each month.
    pub is_monthly: bool,
}

/// A report that is due by mail: whose it is, and where it goes.
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
    fn a_period_depends_on_the_day() {
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
