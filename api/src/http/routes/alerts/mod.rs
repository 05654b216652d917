//! What suppliers are mailed about: alerts, what they would match, and what came of them.

pub mod create;
pub mod delete;
pub mod dry_run;
pub mod irrelevant;
pub mod list;
pub mod matches;
pub mod preview;
pub mod read;
pub mod send_test_email;
pub mod stats;
pub mod toggle;
pub mod update;

use crate::{
    app::state::AppState,
    domain::{
        alert::StoredAlert,
        channel::DirectChannel,
        error::{FieldError, ServiceError},
        frequency::Frequency,
    },
    http::extract::CurrentUser,
    services::entitlement::Entitlement,
    storage::alerts,
};
use index::{alert::AlertQuery, vocabulary::Moment};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An alert as its owner reads it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertView {
    /// UUIDv7.
    #[serde(rename = "_id")]
    key: Uuid,
    /// The same.
    id: Uuid,
    /// As its owner calls it.
    name: String,
    /// What it is for.
    description: Option<String>,
    /// The first name of who made it, and is mailed what it matches, where that is another of the caller's team; `null` where it is the
    /// caller.
    made_by: Option<String>,
    /// An inactive one matches nothing.
    is_active: bool,
    /// What it asks.
    #[serde(flatten)]
    query: AlertQuery,
    /// How its matches are mailed.
    email_settings: EmailSettingsView,
    /// What else they go by.
    channels: Vec<DirectChannel>,
    /// Of these, those that don't reach its owner: the telephone is not confirmed, or the webhook is off.
    silent_channels: Vec<DirectChannel>,
    /// What came of it.
    stats: AlertNumbers,
    /// Why nothing is mailed although it is active and its mails are on; `null` where mails go.
    paused: Option<Paused>,
    /// When it was saved first.
    created_at: Moment,
    /// When it was saved last.
    updated_at: Moment,
}

/// How an alert's matches are mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EmailSettingsView {
    /// Off: matches are recorded, and nothing is sent.
    enabled: bool,
    /// How often.
    frequency: Frequency,
    /// Another address than the account's.
    custom_email: Option<String>,
    /// `HH:MM` in Colombo, for daily mails.
    daily_summary_time: String,
}

/// What came of an alert.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AlertNumbers {
    /// Tenders matched.
    total_matches: i64,
    /// Mails sent.
    emails_sent: i64,
    /// When the last one matched.
    last_matched_at: Option<Moment>,
}

/// Why nothing is mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Paused {
    /// The address that its mails go to has not been confirmed by its reader.
    UnconfirmedAddress,
}

/// One alert.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneAlert {
    alert: AlertView,
}

impl From<StoredAlert> for AlertView {
    fn from(stored: StoredAlert) -> Self {
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
            created_at: Moment::new(stored.created_at),
            updated_at: Moment::new(stored.updated_at),
        }
    }
}

/// Refuses whoever's plan has no alerts.
async fn permit(state: &AppState, caller: &CurrentUser) -> Result<(), ServiceError> {
    Entitlement::of_user(Some(caller), state).await?.permit_alerts()
}

/// Refuses channels that the caller's plan or the portal does not have.
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

/// One of the caller's, whose plan has alerts. What is not theirs is not there, whatever the plan.
async fn find(state: &AppState, caller: &CurrentUser, id: Uuid) -> Result<StoredAlert, ServiceError> {
    let found = alerts::of_user(&state.db, caller.id, Some(id)).await?;
    let found = found.into_iter().next().ok_or(ServiceError::NotFound("Alert"))?;
    permit(state, caller).await?;
    Ok(found)
}
