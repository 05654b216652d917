//! GET /alerts/stats: reads statistics of all alerts of the caller.

pub(crate) mod history;

use self::history::AlertHistory;
use super::require_alerts;
use crate::{
    app::state::AppState,
    domain::{alert::StoredAlert, frequency::Frequency},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::alerts,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// The maximum number of alerts in [`AlertStats::recent_matches`].
const MAX_RECENT_MATCHES: usize = 10;

/// Statistics of the caller's alerts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertStats {
    /// The number of alerts.
    total_alerts: usize,
    /// The number of active alerts.
    active_alerts: usize,
    /// The number of inactive alerts.
    inactive_alerts: usize,
    /// The number of matches of all alerts.
    total_matches: i64,
    /// The sum of the mails that the alerts sent. A mail that covers several alerts counts for
    /// each.
    total_emails_sent: i64,
    /// The number of alerts by mail frequency.
    alerts_by_frequency: AlertsByFrequency,
    /// The alerts with the latest matches, at most ten, the latest match first.
    recent_matches: Vec<RecentMatch>,
    /// The activity of the last ninety days.
    history: AlertHistory,
}

/// The number of alerts by mail frequency.
#[derive(Debug, Default, Serialize, ToSchema)]
struct AlertsByFrequency {
    immediate: usize,
    daily: usize,
    weekly: usize,
}

/// An alert with a recent match.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecentMatch {
    /// The alert's name.
    alert_name: String,
    /// When the alert last matched.
    last_matched_at: Moment,
    /// The number of all matches of the alert.
    total_matches: i64,
}

impl AlertStats {
    fn of(alerts: &[StoredAlert], history: AlertHistory) -> Self {
        let active = alerts.iter().filter(|alert| alert.is_active).count();
        let sending = |frequency| alerts.iter().filter(|one| one.alert.email.frequency == frequency).count();
        let mut matched: Vec<_> =
            alerts.iter().filter_map(|alert| Some((alert.matched_at?, alert))).collect();
        matched.sort_by_key(|(at, alert)| (std::cmp::Reverse(*at), alert.id));
        let recent = matched.into_iter().take(MAX_RECENT_MATCHES).map(|(at, alert)| RecentMatch {
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

/// Read alert statistics
#[utoipa::path(get, path = "/alerts/stats", tag = "alerts", operation_id = "alertStats",
security(("session" = [])), responses(
    (status = 200, description = "The statistics", body = Envelope<AlertStats>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
))]
pub async fn read_alert_stats(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<AlertStats> {
    require_alerts(&state, &caller).await?;
    let alerts = alerts::of_user(&state.db, caller.id, None).await?;
    let history = AlertHistory::until(state.clock.moment().day(), &alerts, &caller, &state).await?;
    Ok(Envelope::of(AlertStats::of(&alerts, history)))
}
