//! GET /alerts/outcomes: what became of the tenders that the caller's alerts found.

use super::require_alerts;
use crate::{
    app::state::AppState,
    domain::{
        alert::StoredAlert,
        alert_outcome::AlertOutcome,
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Query},
    },
    services::entitlement::Entitlement,
    storage::{alert_outcomes, alerts},
};
use axum::extract::State;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tender_model::vocabulary::Amount;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The numbers of days that can be chosen.
const PERIODS: [u16; 3] = [30, 90, 365];

/// The query of the route.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OutcomePeriod {
    /// The number of days until now: 30, 90 or 365; 90 by default.
    #[param(minimum = 30, maximum = 365)]
    days: Option<u16>,
}

/// How far the tenders of an alert have come. Each number includes the next one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutcomeView {
    /// Tenders that matched, mailed or not yet.
    found: i64,
    /// Those of them that a user has saved or put on the bid board. Opening one does not yet say that it is
    /// relevant. Tenders marked as irrelevant count only if they are on the board.
    relevant: i64,
    /// Those of them with a bid that was submitted, won or lost.
    bid: i64,
    /// Those of them with a bid that was won.
    won: i64,
    /// The sum of the values of the bids that were won, in rupees.
    won_value: Amount,
}

impl From<AlertOutcome> for OutcomeView {
    fn from(AlertOutcome { found, relevant, bid, won, won_cents }: AlertOutcome) -> Self {
        Self { found, relevant, bid, won, won_value: Amount::from_minor(won_cents) }
    }
}

/// What became of the tenders of one alert.
#[derive(Debug, Serialize, ToSchema)]
struct AlertOutcomeView {
    /// The alert's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by its owner.
    name: String,
    /// How far its tenders have come.
    outcome: OutcomeView,
}

/// What became of the tenders that the alerts found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AlertOutcomes)]
pub struct Outcomes {
    /// The number of days that are counted, by the day of the match.
    days: u16,
    /// All alerts together. A tender that several alerts found counts once.
    total: OutcomeView,
    /// Each alert, the one with the most tenders first.
    alerts: Vec<AlertOutcomeView>,
}

/// Read what became of the found tenders
///
/// Bids are those of the bid board that the caller works on.
#[utoipa::path(get, path = "/alerts/outcomes", tag = "alerts", operation_id = "alertOutcomes",
params(OutcomePeriod), security(("session" = [])), responses(
    (status = 200, description = "The numbers", body = Envelope<Outcomes>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 422, description = "The number of days is invalid", body = FailureBody),
))]
pub async fn read_alert_outcomes(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(period): Query<OutcomePeriod>,
) -> ApiResult<Outcomes> {
    require_alerts(&state, &caller).await?;
    let days = period.days.unwrap_or(90);
    if !PERIODS.contains(&days) {
        return Err(ServiceError::Invalid(vec![FieldError::new("days", "days: must be 30, 90 or 365")]));
    }
    let from = state.clock.now() - SignedDuration::from_hours(24 * i64::from(days));
    let account = Entitlement::of_user(Some(&caller), &state).await?.board_account(&caller);
    let outcomes = alert_outcomes::of_user(&state.db, caller.id, account, from).await?;
    let counted: HashMap<Uuid, AlertOutcome> = outcomes.alerts.into_iter().collect();
    let alerts = alerts::of_user(&state.db, caller.id, None).await?;
    let view = |stored: StoredAlert| AlertOutcomeView {
        outcome: counted.get(&stored.id).copied().unwrap_or_default().into(),
        id: stored.id,
        name: stored.alert.name,
    };
    let mut alerts: Vec<AlertOutcomeView> = alerts.into_iter().map(view).collect();
    alerts.sort_by_key(|alert| (std::cmp::Reverse(alert.outcome.found), alert.id));
    Ok(Envelope::of(Outcomes { days, total: outcomes.total.into(), alerts }))
}
