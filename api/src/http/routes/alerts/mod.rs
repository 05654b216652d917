//! Routes of alerts, and their common types and functions.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod dry_run;
pub(crate) mod irrelevant;
pub(crate) mod list;
pub(crate) mod matches;
pub(crate) mod outcomes;
pub(crate) mod preview;
pub(crate) mod proposals;
pub(crate) mod read;
pub(crate) mod recent;
pub(crate) mod send_test_email;
pub(crate) mod stats;
pub(crate) mod toggle;
pub(crate) mod update;

use crate::{
    app::state::AppState,
    domain::{
        alert::StoredAlert,
        channel::DirectChannel,
        error::{FieldError, ServiceError},
        frequency::Frequency,
    },
    http::extract::CurrentUser,
    services::{alerts::silence, entitlement::Entitlement},
    storage::alerts,
};
use jiff::Timestamp;
use serde::Serialize;
use tender_model::{alert::AlertQuery, vocabulary::Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// An alert as its owner and the owner's team see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertView {
    /// The alert's id.
    #[serde(rename = "_id")]
    key: Uuid,
    /// The alert's id again, under a second name.
    id: Uuid,
    /// The name given by its owner.
    name: String,
    /// The description given by its owner.
    description: Option<String>,
    /// The first name of the team member who created the alert and gets its mails; `null` if the
    /// caller created it.
    made_by: Option<String>,
    /// Whether the alert is active. An inactive alert matches nothing.
    is_active: bool,
    /// What the alert matches.
    #[serde(flatten)]
    query: AlertQuery,
    /// How the alert's matches are mailed.
    email_settings: EmailSettingsView,
    /// The channels besides mail.
    channels: Vec<DirectChannel>,
    /// Those of the `channels` that do not reach the owner, for example because the telephone is
    /// not confirmed or the webhook is off.
    silent_channels: Vec<DirectChannel>,
    /// The alert's statistics.
    stats: AlertNumbers,
    /// Why an active alert with mails enabled sends no mail; otherwise `null`.
    paused: Option<Paused>,
    /// Since when the alert has matched nothing and was not changed, if it is active and this is more
    /// than 60 days; otherwise `null`.
    silent_since: Option<Moment>,
    /// When the alert was created.
    created_at: Moment,
    /// When the alert was last saved.
    updated_at: Moment,
}

/// How an alert's matches are mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EmailSettingsView {
    /// Whether matches are mailed. Other channels do not depend on this.
    enabled: bool,
    /// The frequency of mails.
    frequency: Frequency,
    /// The address for mails, if it is not the account's.
    custom_email: Option<String>,
    /// The time of daily mails, `HH:MM` in Colombo.
    daily_summary_time: String,
}

/// Statistics of an alert.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AlertNumbers {
    /// The number of matching tenders.
    total_matches: i64,
    /// The number of mails sent.
    emails_sent: i64,
    /// The time of the last match.
    last_matched_at: Option<Moment>,
}

/// Why an alert sends no mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Paused {
    /// The recipient has not confirmed the address.
    UnconfirmedAddress,
}

/// A single alert.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneAlert {
    alert: AlertView,
}

impl AlertView {
    fn of(stored: StoredAlert, now: Timestamp) -> Self {
        let silent_since = stored.silent_since(silence::silent_since(now)).map(Moment::new);
        let StoredAlert { alert, .. } = stored;
        let time = alert.email.daily_summary_time;
        let is_paused = stored.is_active && alert.email.enabled && !stored.has_confirmed_address;
        Self {
            key: stored.id,
            id: stored.id,
            name: alert.name,
            description: alert.description,
            made_by: stored.made_by,
            is_active: stored.is_active,
            query: alert.query,
            email_settings: EmailSettingsView {
                enabled: alert.email.enabled,
                frequency: alert.email.frequency,
                custom_email: alert.email.custom_email,
                daily_summary_time: format!("{:02}:{:02}", time.hour(), time.minute()),
            },
            channels: alert.channels,
            silent_channels: stored.silent,
            stats: AlertNumbers {
                total_matches: stored.matches,
                emails_sent: stored.mails,
                last_matched_at: stored.matched_at.map(Moment::new),
            },
            paused: is_paused.then_some(Paused::UnconfirmedAddress),
            silent_since,
            created_at: Moment::new(stored.created_at),
            updated_at: Moment::new(stored.updated_at),
        }
    }
}

/// Rejects callers whose plan does not include alerts.
async fn require_alerts(state: &AppState, caller: &CurrentUser) -> Result<(), ServiceError> {
    Entitlement::of_user(Some(caller), state).await?.permit_alerts()
}

/// Rejects a filter by bodies if the plan does not include advanced filters.
async fn permit_filters(
    state: &AppState,
    caller: &CurrentUser,
    query: &AlertQuery,
) -> Result<(), ServiceError> {
    if query.bodies.is_empty() {
        return Ok(());
    }
    Entitlement::of_user(Some(caller), state).await?.permit_advanced_search()
}

/// Rejects channels that the plan or the portal does not offer.
async fn permit_channels(
    state: &AppState,
    caller: &CurrentUser,
    chosen: &[DirectChannel],
) -> Result<(), ServiceError> {
    if chosen.is_empty() {
        return Ok(());
    }
    Entitlement::of_user(Some(caller), state).await?.permit_direct_alerts()?;
    let offered = state.channels();
    match chosen.iter().all(|channel| offered.contains(channel)) {
        true => Ok(()),
        false => {
            Err(ServiceError::Invalid(vec![FieldError::new("channels", "The portal sends no such messages")]))
        }
    }
}

/// Finds an alert as the caller sees it. See [`find`].
async fn view(state: &AppState, caller: &CurrentUser, id: Uuid) -> Result<AlertView, ServiceError> {
    Ok(AlertView::of(find(state, caller, id).await?, state.clock.now()))
}

/// Finds an alert of the caller or the caller's team. The plan must include alerts. Alerts of other
/// users get 404, regardless of the plan.
async fn find(state: &AppState, caller: &CurrentUser, id: Uuid) -> Result<StoredAlert, ServiceError> {
    let found = alerts::of_user(&state.db, caller.id, Some(id)).await?;
    let found = found.into_iter().next().ok_or(ServiceError::NotFound("Alert"))?;
    require_alerts(state, caller).await?;
    Ok(found)
}
