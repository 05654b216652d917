//! Mails to administrators: expected newspapers were not read by their hour. The mails and the
//! record of the gaps are one transaction, so each gap is mailed once, also after a crash.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::MailTexts,
    services::{
        coverage::gaps::{self, Gap},
        notifications::account_mail::{self, Recipient},
    },
    storage::{self, expected_papers, moderation, users},
};
use jiff::{SignedDuration, Timestamp};
use tender_model::vocabulary::Moment;

/// The time between two searches for gaps.
const CHECK_INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// The maximum number of gaps that a mail names.
const MAX_NAMED: usize = 20;

/// Mails the administrators about new gaps, if the last search, at `last_check`, was a minute ago.
/// Without an administrator who can be mailed, the gaps stay unmailed.
pub(super) async fn run_due(state: &AppState, last_check: &mut Option<Timestamp>) -> anyhow::Result<()> {
    let now = state.clock.now();
    // After the clock was set back, the last search is in the future.
    let is_recent = |last: Timestamp| last <= now && now.duration_since(last) < CHECK_INTERVAL;
    if last_check.is_some_and(is_recent) {
        return Ok(());
    }
    let mut tx = storage::begin(&state.db).await?;
    if !expected_papers::lock_gap_mails(&mut tx).await? {
        return Ok(());
    }
    let found = gaps::unmailed(&mut tx, now).await?;
    let administrators = match found.as_slice() {
        [] => Vec::new(),
        _ => moderation::mailed_administrators(&mut *tx).await?,
    };
    if !administrators.is_empty() {
        let link = format!("{}/operate/coverage", state.config.base_url());
        for id in &administrators {
            let Some(user) = users::by_id(&mut *tx, *id, now).await? else { continue };
            let texts = MailTexts::of(user.language);
            let mail = texts.mails.coverage_gaps.fill(&[("papers", &list(&found, texts))]);
            account_mail::seal(state, &mut tx, Recipient::user(&user), &mail.mail(&user.first_name, &link))
                .await?;
        }
        for gap in &found {
            expected_papers::record_gap_mail(&mut tx, gap.paper_id, gap.day, now).await?;
        }
        tx.commit().await?;
        tracing::info!(gaps = found.len(), administrators = administrators.len(), "mailed gaps");
    }
    *last_check = Some(now);
    Ok(())
}

/// The names of the newspapers with the hours at which they were due.
fn list(gaps: &[Gap], texts: &MailTexts) -> String {
    let named = gaps.iter().take(MAX_NAMED);
    let mut names: Vec<String> =
        named.map(|gap| format!("{} ({})", gap.name, texts.moment(Moment::new(gap.due_at)))).collect();
    if gaps.len() > MAX_NAMED {
        names.push("…".to_owned());
    }
    names.join("; ")
}
