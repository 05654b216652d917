//! Statistics of the caller's alerts over ninety days: matches per day, mails per week, and the
//! busiest alerts. Days are in Colombo time; days without matches are included.

use crate::{
    app::state::AppState,
    domain::alert::{DailyMatches, StoredAlert},
    http::extract::CurrentUser,
    storage::alerts,
};
use jiff::ToSpan;
use serde::Serialize;
use std::collections::HashMap;
use tender_model::vocabulary::Day;
use utoipa::ToSchema;
use uuid::Uuid;

/// The number of days, including today.
const DAYS: i32 = 90;
/// The number of weeks, including this one. Ninety days touch at least thirteen weeks.
const WEEKS: i32 = 13;
/// The maximum number of alerts in [`AlertHistory::alerts`].
const MAX_BUSY_ALERTS: usize = 8;

/// Activity of the caller's alerts in the last ninety days.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct AlertHistory {
    /// The matches of each of the last ninety days, today last.
    days: Vec<DayOfMatches>,
    /// The mails of each of the last thirteen weeks, the current week last.
    weeks: Vec<WeekOfMails>,
    /// The alerts with the most matches in the last ninety days, at most eight. The alert with the
    /// most matches comes first.
    alerts: Vec<BusyAlert>,
}

/// The matches of all alerts on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
struct DayOfMatches {
    /// The day in Colombo time.
    #[schema(value_type = String, format = Date)]
    day: Day,
    /// The number of matches. A tender that two alerts matched counts twice.
    matches: i64,
}

/// The mails of all alerts in a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
struct WeekOfMails {
    /// The Monday of the week, in Colombo time.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The number of mails sent. A mail that covers several alerts counts once.
    mails: i64,
}

/// An alert, and the number of its matches in the last ninety days.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
struct BusyAlert {
    /// The alert's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by its owner.
    name: String,
    /// The number of matching tenders.
    matches: i64,
}

impl AlertHistory {
    /// Loads the history of the caller's alerts up to this day.
    pub(super) async fn until(
        today: Day,
        alerts: &[StoredAlert],
        caller: &CurrentUser,
        state: &AppState,
    ) -> Result<Self, sqlx::Error> {
        let first = today.saturating_sub((DAYS - 1).days());
        let monday = today.saturating_sub(i32::from(today.weekday().to_monday_zero_offset()).days());
        let first_monday = monday.saturating_sub((WEEKS - 1).weeks());
        let matches = alerts::matches_by_day(&state.db, caller.id, first).await?;
        let mails = alerts::mails_by_week(&state.db, caller.id, first_monday).await?;
        let mails: HashMap<Day, i64> = mails.into_iter().collect();
        let week = |nth: i32| {
            let from = first_monday.saturating_add(nth.weeks());
            WeekOfMails { from, mails: mails.get(&from).copied().unwrap_or_default() }
        };
        Ok(Self {
            days: sum_by_day(first, &matches),
            weeks: (0..WEEKS).map(week).collect(),
            alerts: sum_by_alert(alerts, &matches),
        })
    }
}

fn sum_by_day(first: Day, matches: &[DailyMatches]) -> Vec<DayOfMatches> {
    let mut sums: HashMap<Day, i64> = HashMap::new();
    for one in matches {
        *sums.entry(one.day).or_default() += one.matches;
    }
    let day = |nth: i32| {
        let day = first.saturating_add(nth.days());
        DayOfMatches { day, matches: sums.get(&day).copied().unwrap_or_default() }
    };
    (0..DAYS).map(day).collect()
}

fn sum_by_alert(alerts: &[StoredAlert], matches: &[DailyMatches]) -> Vec<BusyAlert> {
    let mut sums: HashMap<Uuid, i64> = HashMap::new();
    for one in matches {
        *sums.entry(one.alert_id).or_default() += one.matches;
    }
    let busy = alerts.iter().filter_map(|alert| {
        let matches = *sums.get(&alert.id)?;
        Some(BusyAlert { id: alert.id, name: alert.alert.name.clone(), matches })
    });
    let mut busy: Vec<BusyAlert> = busy.collect();
    busy.sort_by_key(|alert| (std::cmp::Reverse(alert.matches), alert.id));
    busy.truncate(MAX_BUSY_ALERTS);
    busy
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn every_day_has_the_sum_of_all_alerts() {
        let (first, busy) = (date(2026, 8, 25), date(2026, 9, 1));
        let one = |alert, day| DailyMatches { day, alert_id: Uuid::from_u128(alert), matches: 2 };
        let days = sum_by_day(first, &[one(1, busy), one(2, busy), one(1, date(2026, 11, 22))]);
        assert_eq!(days.len(), 90);
        assert_eq!(days.first().map(|day| (day.day, day.matches)), Some((first, 0)));
        assert_eq!(days[7].matches, 4);
        assert_eq!(days.last().map(|day| (day.day, day.matches)), Some((date(2026, 11, 22), 2)));
    }
}
