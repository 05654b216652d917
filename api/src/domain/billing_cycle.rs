//! How often a subscription is paid for.

use crate::domain::plan::PlanName;
use jiff::{Span, Timestamp, ToSpan, tz::TimeZone};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::vocabulary::colombo;
use utoipa::ToSchema;

/// How often a subscription is paid for.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
#[schema(as = BillingCycle)]
pub enum BillingCycle {
    /// Each month.
    #[default]
    Monthly,
    /// Each year.
    Yearly,
}

impl BillingCycle {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The plan and the billing cycle in English: `Professional, monthly`.
    #[must_use]
    pub fn title(self, plan: PlanName) -> String {
        format!("{}, {}", plan.title(), self.as_str())
    }

    /// Returns the end of the last of `periods` periods, of which the first starts at `anchor`. If
    /// the anchor is a 31st, the end is the 31st or, in a shorter month, the last day.
    #[must_use]
    pub fn period_end(self, anchor: Timestamp, periods: i32) -> Timestamp {
        let span: Span = match self {
            Self::Monthly => periods.months(),
            Self::Yearly => periods.years(),
        };
        let anchor = anchor.to_zoned(TimeZone::fixed(colombo()));
        anchor.checked_add(span).map_or(Timestamp::MAX, |end| end.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(BillingCycle::Monthly, "2026-01-31T10:00:00+05:30", 1, "2026-02-28T10:00:00+05:30")]
    #[case(BillingCycle::Monthly, "2026-01-31T10:00:00+05:30", 2, "2026-03-31T10:00:00+05:30")]
    #[case(BillingCycle::Monthly, "2026-01-31T02:00:00+05:30", 1, "2026-02-28T02:00:00+05:30")]
    #[case(BillingCycle::Yearly, "2028-02-29T10:00:00+05:30", 1, "2029-02-28T10:00:00+05:30")]
    #[case(BillingCycle::Yearly, "2028-02-29T10:00:00+05:30", 4, "2032-02-29T10:00:00+05:30")]
    #[case(BillingCycle::Monthly, "2026-11-20T10:00:00+05:30", 0, "2026-11-20T10:00:00+05:30")]
    fn period_ends_are_computed_from_the_anchor(
        #[case] cycle: BillingCycle,
        #[case] anchor: &str,
        #[case] periods: i32,
        #[case] end: &str,
    ) {
        assert_eq!(cycle.period_end(anchor.parse().unwrap(), periods), end.parse().unwrap());
    }
}
