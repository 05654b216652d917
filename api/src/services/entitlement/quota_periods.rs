//! The periods in which quotas are counted, and the lowest plan with a larger quota.

use crate::domain::plan::{Plan, PlanName};
use jiff::{SignedDuration, Timestamp, ToSpan, civil::date, tz::TimeZone};

/// The value of an unlimited quota.
pub const UNLIMITED: i32 = -1;

/// The start of the period that contains `now`. A period is a month, counted from the time at which
/// the subscription began. Without a subscription, it is the calendar month in Colombo.
#[must_use]
pub fn period_start(subscribed_at: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let colombo = TimeZone::fixed(tender_model::vocabulary::colombo());
    let here = now.to_zoned(colombo.clone());
    let Some(first) = subscribed_at.filter(|first| *first <= now) else {
        let day = date(here.year(), here.month(), 1);
        return day.to_zoned(colombo).map_or(now, |start| start.timestamp());
    };
    let first = first.to_zoned(colombo);
    let months =
        i64::from(here.year() - first.year()) * 12 + i64::from(here.month()) - i64::from(first.month());
    // Months are always counted from the start of the subscription. If that is a 31st, a period
    // begins on the last day of a shorter month, and on the 31st of a longer one.
    [months, months - 1]
        .into_iter()
        .filter_map(|months| first.checked_add(months.months()).ok())
        .map(|start| start.timestamp())
        .find(|start| *start <= now)
        .unwrap_or(now)
}

/// The start of the period after the one that began at `start`.
#[must_use]
pub fn period_end(subscribed_at: Option<Timestamp>, start: Timestamp) -> Timestamp {
    // 32 days are more than one month and less than two.
    let later = start.saturating_add(SignedDuration::from_hours(24 * 32)).unwrap_or(start);
    period_start(subscribed_at, later)
}

/// Whether a quota allows one more use.
#[must_use]
pub fn is_within(quota: i32, used: i64) -> bool {
    quota == UNLIMITED || used < i64::from(quota)
}

/// The lowest plan above `held` with a larger quota. `of` returns the quota of a plan.
#[must_use]
pub fn lowest_plan_with_more(plans: &[Plan], held: PlanName, of: impl Fn(&Plan) -> i32) -> Option<PlanName> {
    let held = plans.iter().find(|plan| plan.name == held)?;
    let more = |plan: &&Plan| of(plan) == UNLIMITED || of(plan) > of(held);
    let higher = plans.iter().filter(|plan| plan.rank > held.rank).filter(more);
    higher.min_by_key(|plan| plan.rank).map(|plan| plan.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[rstest]
    // Free: the month in Colombo begins at 18:30 UTC on the day before.
    #[case(None, "2026-11-20T06:00:00Z", "2026-10-31T18:30:00Z")]
    #[case(None, "2026-10-31T18:29:59Z", "2026-09-30T18:30:00Z")]
    #[case(None, "2026-10-31T18:30:00Z", "2026-10-31T18:30:00Z")]
    // Subscribed: the period begins on the day and hour of the subscription.
    #[case(Some("2026-11-15T10:00:00Z"), "2026-11-20T06:00:00Z", "2026-11-15T10:00:00Z")]
    #[case(Some("2026-09-25T10:00:00Z"), "2026-11-25T09:59:59Z", "2026-10-25T10:00:00Z")]
    #[case(Some("2026-09-25T10:00:00Z"), "2026-11-25T10:00:00Z", "2026-11-25T10:00:00Z")]
    // The 31st.
    #[case(Some("2026-01-31T10:00:00Z"), "2026-02-28T11:00:00Z", "2026-02-28T10:00:00Z")]
    #[case(Some("2026-01-31T10:00:00Z"), "2026-03-30T11:00:00Z", "2026-02-28T10:00:00Z")]
    #[case(Some("2026-01-31T10:00:00Z"), "2026-03-31T10:00:00Z", "2026-03-31T10:00:00Z")]
    fn a_period_is_a_month(#[case] subscribed: Option<&str>, #[case] now: &str, #[case] start: &str) {
        assert_eq!(period_start(subscribed.map(at), at(now)), at(start));
    }

    #[test]
    fn uses_are_allowed_until_the_quota_is_reached() {
        assert!(is_within(3, 2) && !is_within(3, 3) && !is_within(0, 0) && is_within(UNLIMITED, 1 << 40));
    }

    #[rstest]
    #[case(None, "2026-11-20T06:00:00Z", "2026-11-30T18:30:00Z")]
    #[case(None, "2027-02-10T06:00:00Z", "2027-02-28T18:30:00Z")]
    #[case(Some("2026-01-31T00:00:00+05:30"), "2026-02-10T06:00:00Z", "2026-02-28T00:00:00+05:30")]
    #[case(Some("2026-01-31T00:00:00+05:30"), "2026-03-01T06:00:00Z", "2026-03-31T00:00:00+05:30")]
    fn a_period_ends_where_the_next_begins(
        #[case] since: Option<&str>,
        #[case] now: &str,
        #[case] end: &str,
    ) {
        let since = since.map(at);
        assert_eq!(period_end(since, period_start(since, at(now))), at(end));
    }

    #[test]
    fn the_lowest_plan_with_a_larger_quota_is_named() {
        let plan = |name, rank, uploads| Plan {
            name,
            rank,
            max_tender_views: 0,
            max_tender_uploads: uploads,
            saved_searches: 0,
            archive_days: None,
            advanced_filtering: false,
            email_alerts: false,
            direct_alerts: false,
            api_access: false,
            custom_reports: false,
            max_users: 1,
            max_open_bids: UNLIMITED,
            bid_file_mib: 0,
        };
        let plans = [
            plan(PlanName::Enterprise, 3, UNLIMITED),
            plan(PlanName::Free, 0, 3),
            plan(PlanName::Basic, 1, 3),
            plan(PlanName::Professional, 2, 50),
        ];
        let uploads = |plan: &Plan| plan.max_tender_uploads;
        assert_eq!(lowest_plan_with_more(&plans, PlanName::Free, uploads), Some(PlanName::Professional));
        assert_eq!(
            lowest_plan_with_more(&plans, PlanName::Professional, uploads),
            Some(PlanName::Enterprise)
        );
        assert_eq!(lowest_plan_with_more(&plans, PlanName::Enterprise, uploads), None);
    }
}
