//! The days that a report is of, which for most are not fixed: this month is another one next month.

use index::vocabulary::Day;
use jiff::ToSpan;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
pub enum Span {
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
pub struct Period {
    /// By which date.
    #[serde(default)]
    pub by: DatedBy,
    /// How long.
    pub span: Span,
    /// The first day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub from: Option<Day>,
    /// Its last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub until: Option<Day>,
}

impl Period {
    /// A whole month.
    #[must_use]
    pub fn month(by: DatedBy, day: Day) -> Self {
        Self { by, span: Span::Range, from: Some(day.first_of_month()), until: Some(day.last_of_month()) }
    }

    /// The first day and the last, as seen on a Colombo day. A range that lacks one has none.
    #[must_use]
    pub fn days(&self, today: Day) -> Option<(Day, Day)> {
        let month = |day: Day| Some((day.first_of_month(), day.last_of_month()));
        match self.span {
            Span::ThisMonth => month(today),
            Span::LastMonth => month(today.first_of_month().yesterday().ok()?),
            Span::Last90Days => Some((today.checked_sub(89.days()).ok()?, today)),
            Span::Range => self.from.zip(self.until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_period_is_seen_from_its_day() {
        let days = |span, today| Period { by: DatedBy::Published, span, from: None, until: None }.days(today);
        let new_year = date(2027, 1, 1);
        assert_eq!(days(Span::ThisMonth, new_year), Some((new_year, date(2027, 1, 31))));
        assert_eq!(days(Span::LastMonth, new_year), Some((date(2026, 12, 1), date(2026, 12, 31))));
        assert_eq!(days(Span::LastMonth, date(2028, 3, 31)), Some((date(2028, 2, 1), date(2028, 2, 29))));
        assert_eq!(days(Span::Last90Days, date(2026, 3, 31)), Some((date(2026, 1, 1), date(2026, 3, 31))));
        assert_eq!(days(Span::Range, new_year), None);
        let range = Period { span: Span::Range, ..Period::month(DatedBy::Closing, date(2026, 2, 14)) };
        assert_eq!(range.days(new_year), Some((date(2026, 2, 1), date(2026, 2, 28))));
    }
}
