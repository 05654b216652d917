//! POST /alerts/{id}/send-test-email: sends an example of an alert's mail to the alert's address.

use super::find;
use crate::{
    app::state::AppState,
    base::i18n::mail_texts::{self, MailTexts},
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::notifications::account_mail::{self, Recipient},
    storage::{self, deliveries, tenders},
};
use anyhow::Context;
use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use tender_model::display_title::display_title;

/// The maximum number of account mails to a user in an hour. A test mail counts as an account
/// mail; mails with an alert's matches do not.
const MAX_ACCOUNT_MAILS_PER_HOUR: i64 = 10;

/// Send a test mail of an alert
#[utoipa::path(post, path = "/alerts/{id}/send-test-email", tag = "alerts", operation_id = "sendTestEmail",
params(("id" = Uuid, Path, description = "`_id` of the alert")), security(("session" = [])), responses(
    (status = 200, description = "The mail is queued for sending", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 409, description = "The alert's address has not been confirmed", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
    (status = 429, description = "Too many mails in the last hour", body = FailureBody),
))]
pub async fn send_test_email(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let stored = find(&state, &caller, id).await?;
    let address = stored.alert.email.custom_email.clone().unwrap_or_else(|| caller.email.clone());
    if !stored.has_confirmed_address {
        return Err(ServiceError::Conflict(format!(
            "{address} has to be confirmed first, by the link that was mailed there"
        )));
    }
    let (search_engine, rates, now) =
        (state.search_engine.clone(), state.config.rates_lkr.clone(), state.clock.moment());
    let query = stored.alert.query.clone();
    let matching = tokio::task::spawn_blocking(move || search_engine.matching(&query, now, &rates, 1));
    let matching = matching.await.context("finding the matches of an alert")??;
    let newest = match matching.ids.first() {
        Some(&tender) => tenders::current(&state.db, tender).await?,
        None => None,
    };
    let words = MailTexts::of(caller.language);
    let name = mail_texts::shortened(&stored.alert.name, 80);
    let base_url = state.config.base_url();
    let (written, link) = match &newest {
        Some(found) => {
            let tender = &found.tender;
            let title = mail_texts::shortened(&display_title(&tender.title), 200);
            let closing = tender.dates.closing.map(|at| words.moment(at));
            let mails = &words.mails;
            let mail = if closing.is_some() { &mails.test_closing } else { &mails.test };
            let written = mail.fill(&[
                ("alert", &name),
                ("count", &matching.total),
                ("title", &title),
                ("moment", &closing.unwrap_or_default()),
            ]);
            (written, format!("{base_url}/tenders/{}", tender.id))
        }
        None => (words.mails.test_nothing.fill(&[("alert", &name)]), format!("{base_url}/alert-settings")),
    };
    let mail = written.mail(&caller.first_name, &link);
    let hour_ago = state.clock.now().checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
    let mut tx = storage::begin(&state.db).await?;
    crate::storage::users::lock(&mut tx, caller.id).await?;
    let is_sent = deliveries::count_account_mails_since(&mut *tx, caller.id, hour_ago).await?
        < MAX_ACCOUNT_MAILS_PER_HOUR
        && account_mail::seal(&state, &mut tx, Recipient::user_at(&caller, &address), &mail).await?;
    if !is_sent {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    tx.commit().await?;
    Ok(Envelope::with_message("A test email has been sent to your configured email address.", NoData {}))
}
