//! GET /alerts/stats: what came of the caller's alerts together.

pub mod history;

use self::history::AlertHistory;
use super::permit;
use crate::{
    app::state::AppState,
    domain::{alert::StoredAlert, frequency::Frequency},
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::alerts,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;

/// The most alerts under recent activity.
const RECENT: usize = 10;

/// What came of the caller's alerts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertStats {
    /// All of them.
    total_alerts: usize,
    /// Those that match.
    active_alerts: usize,
    /// The others.
    inactive_alerts: usize,
    /// Tenders matched.
    total_matches: i64,
    /// Mails sent.
    total_emails_sent: i64,
    /// How many send how often.
    alerts_by_frequency: AlertsByFrequency,
    /// Those that matched last, the latest first.
    recent_matches: Vec<RecentMatch>,
    /// What came of them lately.
    history: AlertHistory,
}

/// How many alerts send how often.
#[derive(Debug, Default, Serialize, ToSchema)]
struct AlertsByFrequency {
    immediate: usize,
    daily: usize,
    weekly: usize,
}

/// An alert that matched.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecentMatch {
    /// The alert's.
    alert_name: String,
    /// When.
    last_matched_at: Moment,
    /// How often, ever.
    total_matches: i64,
}

impl AlertStats {
    fn of(alerts: &[StoredAlert], history: AlertHistory) -> Self {
        let active = alerts.iter().filter(|alert| alert.is_active).count();
        let sending = |frequency| alerts.iter().filter(|one| one.alert.email.frequency == frequency).count();
        let mut matched: Vec<_> =
            alerts.iter().filter_map(|alert| Some((alert.matched_at?, alert))).collect();
        matched.sort_by_key(|(at, alert)| (std::cmp::Reverse(*at), alert.id));
        let recent = matched.into_iter().take(RECENT).map(|(at, alert)| RecentMatch {
            alert_name: alert.alert.name.clone(),
            last_matched_at: Moment::new(at),
            total_matches: alert.matches,
        });
        Self {
            total_alerts: alerts.len(),
            active_alerts: active,
            inactive_alerts: alerts.len() - active,
            total_matches: alerts.iter().map(|alert| alert.matches).sum(),
            total_emails_sent: alerts.iter().map(|alert| alert.mails).sum(),
            alerts_by_frequency: AlertsByFrequency {
                immediate: sending(Frequency::Immediate),
                daily: sending(Frequency::Daily),
                weekly: sending(Frequency::Weekly),
            },
            recent_matches: recent.collect(),
            history,
        }
    }
}

/// What came of the caller's alerts
#[utoipa::path(get, path = "/alerts/stats", tag = "alerts", operation_id = "alertStats", security(("session" = [])), responses(
    (status = 200, description = "The figures", body = Envelope<AlertStats>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
))]
pub async fn alert_stats(State(state): State<AppState>, caller: CurrentUser) -> Answer<AlertStats> {
    permit(&state, &caller).await?;
    let alerts = alerts::of_user(&state.db, caller.id, None).await?;
    let history = AlertHistory::until(state.clock.moment().day(), &alerts, &caller, &state).await?;
    Ok(Envelope::of(AlertStats::of(&alerts, history)))
}
