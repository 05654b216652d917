//! Mails about alerts that have matched nothing for a long time, with what a broader alert would have
//! found. An owner gets one mail about all alerts that became silent. There is no further mail about an
//! alert until it has matched or was changed.

use crate::{
    app::{state::AppState, unsubscribe_links::UnsubscribeTarget},
    base::i18n::mail_texts::MailTexts,
    services::{
        alerts::{
            proposals::{Change, Proposal},
            silence,
        },
        notifications::account_mail::{self, AccountMail, Recipient, Unsubscribe},
    },
    storage::{
        self,
        scheduled_mails::{self, ScheduledMail},
        silent_alerts::{self, SilentAlert},
        users,
    },
};
use jiff::civil;

/// The maximum number of alerts a day. The mails about others follow on the next days.
const MAX_ALERTS: i64 = 200;

/// Prepares the mails of `today`. The mails and the record of the alerts are one transaction, so each mail
/// is sent once, also after a crash.
pub(super) async fn open(state: &AppState, today: civil::Date) -> anyhow::Result<()> {
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = scheduled_mails::lock_last_day(&mut tx, ScheduledMail::Silences).await? else {
        return Ok(());
    };
    // After the clock was set back, the mails of this day were sent already.
    if last.is_some_and(|last| last >= today) {
        return Ok(());
    }
    let now = state.clock.now();
    let since = silence::silent_since(now);
    let silent = silent_alerts::lock_untold(&mut tx, (since, now), MAX_ALERTS).await?;
    for alerts in silent.chunk_by(|one, other| one.user_id == other.user_id) {
        let Some(owner) = alerts.first() else { continue };
        let Some(user) = users::by_id(&mut *tx, owner.user_id, now).await? else { continue };
        let texts = MailTexts::of(user.language);
        let mut items = Vec::with_capacity(alerts.len());
        for alert in alerts {
            items.push(describe(alert, &silence::broader_versions(state, &alert.query).await?, texts));
        }
        let written = texts.mails.alert_silence.fill(&[("items", &items.join("; "))]);
        let mail_link = link(&state.config.base_url(), alerts);
        let off = state.unsubscribe.link(UnsubscribeTarget::SilentAlerts(user.id));
        let offer = Unsubscribe { label: &texts.silence.stop, link: &off };
        let mail = AccountMail { unsubscribe: Some(offer), ..written.mail(&user.first_name, &mail_link) };
        account_mail::seal(state, &mut tx, Recipient::user(&user), &mail).await?;
    }
    let ids: Vec<_> = silent.iter().map(|alert| alert.id).collect();
    silent_alerts::record_mails(&mut tx, &ids, now).await?;
    scheduled_mails::record_day(&mut tx, ScheduledMail::Silences, today).await?;
    tx.commit().await?;
    tracing::info!(day = %today, alerts = silent.len(), "opened the mails about silent alerts");
    Ok(())
}

/// The list of alerts, at the alert if it is the only one.
fn link(base_url: &str, alerts: &[SilentAlert]) -> String {
    match alerts {
        [alert] => format!("{base_url}/alert-settings?alert={}", alert.id),
        _ => format!("{base_url}/alert-settings"),
    }
}

/// The name of an alert, and its first proposal.
fn describe(alert: &SilentAlert, proposals: &[Proposal], texts: &MailTexts) -> String {
    let words = &texts.silence;
    let Some(proposal) = proposals.first() else {
        return words.alone.with(&[("alert", &alert.name)]);
    };
    let change = match proposal.change {
        Change::Translations => &words.translations,
        Change::PartsOfWords => &words.parts_of_words,
        Change::WithoutPlaces => &words.without_places,
        Change::WithoutCategories => &words.without_categories,
        Change::WithoutOrganizationTypes => &words.without_organization_types,
        Change::WithoutBodies => &words.without_bodies,
        Change::WholeText => &words.whole_text,
        Change::WithoutValue => &words.without_value,
        Change::WithoutDays => &words.without_days,
        Change::WithoutExcludes => &words.without_excludes,
        // The narrower versions are never proposed here.
        Change::WithoutFilters
        | Change::District
        | Change::Sector
        | Change::DistrictAndSector
        | Change::WithoutKeyword
        | Change::TitleAndScope
        | Change::ExactWords => &words.without_filters,
    };
    words.item.with(&[("alert", &alert.name), ("change", change), ("count", &proposal.match_count)])
}
