//! Mails to administrators: tenders of new publishers wait for a check. The mails and the record
//! that they are sent are one transaction, so they are sent once, also after a crash.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::MailTexts,
    services::notifications::account_mail::{self, Recipient},
    storage::{self, moderation, users},
};
use jiff::SignedDuration;

/// The minimum time between two mails.
const MIN_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// Mails the administrators if tenders wait for a check that were not waiting at the last mail, at
/// most once an hour.
pub(super) async fn run_due(state: &AppState) -> anyhow::Result<()> {
    if !moderation::has_unmailed(&state.db).await? {
        return Ok(());
    }
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = moderation::lock_last_mail(&mut tx).await? else { return Ok(()) };
    // After the clock was set back, the last mail is in the future.
    let is_recent = |last| last <= now && now.duration_since(last) < MIN_INTERVAL;
    if last.is_some_and(is_recent) {
        return Ok(());
    }
    let count = moderation::count_held(&mut *tx).await?;
    let link = format!("{}/operate/publications", state.config.base_url());
    let administrators = moderation::mailed_administrators(&mut *tx).await?;
    for id in &administrators {
        let Some(user) = users::by_id(&mut *tx, *id, now).await? else { continue };
        let mail = MailTexts::of(user.language).mails.publications_waiting.fill(&[("count", &count)]);
        account_mail::seal(state, &mut tx, Recipient::user(&user), &mail.mail(&user.first_name, &link))
            .await?;
    }
    moderation::record_mail(&mut tx, now).await?;
    tx.commit().await?;
    tracing::info!(count, administrators = administrators.len(), "mailed that tenders wait for a check");
    Ok(())
}
