//! The unsubscribe link of optional mails. GET shows which mails the link switches off and changes
//! nothing, because mail scanners follow links. POST switches them off, from the page or from a
//! mail program (RFC 8058). The page can also switch them on again.

use crate::{
    app::state::AppState,
    base::i18n::{
        mail_texts::MailTexts,
        phrase::{CountedPhrase, Phrase},
    },
    domain::{digest::DigestKind, error::ServiceError, user::MailChoices},
    http::page_policy::{PageHeaders, page_headers},
    storage::{
        alerts,
        deliveries::{self, Addressee},
        reports, users,
    },
};
use anyhow::Context;
use askama::Template;
use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    response::Html,
    routing::get,
};

/// Returns the route `/unsubscribe/{token}`.
pub fn router() -> Router<AppState> {
    Router::new().route("/unsubscribe/{token}", get(show).post(switch_mails))
}

/// The body of the page's form that switches mails on again. Every other body switches mails off,
/// such as `List-Unsubscribe=One-Click` from a mail program.
const SWITCH_ON_BODY: &[u8] = b"again=1";

/// What the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageState {
    /// A question whether to switch the mails off.
    Ask,
    /// A message that the mails were switched off.
    SwitchedOff,
    /// A message that the mails were switched on again.
    SwitchedOn,
}

async fn show(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let addressee = find_addressee(&state, &token).await?;
    let names = match addressee.kind {
        DigestKind::Alerts => alerts::names_of_delivery(&state.db, addressee.delivery_id).await?,
        DigestKind::Report => reports::of_delivery(&state.db, addressee.delivery_id)
            .await?
            .map(|(report, _)| report.name)
            .into_iter()
            .collect(),
        DigestKind::Saved | DigestKind::Summary => Vec::new(),
    };
    render_page(&addressee, &names, PageState::Ask)
}

async fn switch_mails(
    State(state): State<AppState>,
    Path(token): Path<String>,
    body: Bytes,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let addressee = find_addressee(&state, &token).await?;
    let (now, delivery) = (state.clock.now(), addressee.delivery_id);
    let on = body.as_ref() == SWITCH_ON_BODY;
    let choice = |kind| (addressee.kind == kind).then_some(on);
    let names = match addressee.kind {
        DigestKind::Alerts => alerts::switch_mails_of_delivery(&state.db, delivery, on, now).await?,
        DigestKind::Report => {
            reports::switch_mail_of_delivery(&state.db, delivery, on, now).await?.into_iter().collect()
        }
        DigestKind::Saved | DigestKind::Summary => {
            let choices = MailChoices {
                language: None,
                weekly_summary: choice(DigestKind::Summary),
                saved_mails: choice(DigestKind::Saved),
            };
            users::set_mail_choices(&state.db, addressee.user_id, &choices, now).await?;
            Vec::new()
        }
    };
    tracing::info!(%delivery, kind = ?addressee.kind, on, "a recipient switched mails on or off");
    render_page(&addressee, &names, if on { PageState::SwitchedOn } else { PageState::SwitchedOff })
}

async fn find_addressee(state: &AppState, token: &str) -> Result<Addressee, ServiceError> {
    let unknown = || ServiceError::NotFound("This link");
    let delivery = state.unsubscribe.verify(token).ok_or_else(unknown)?;
    deliveries::addressee(&state.db, delivery).await?.ok_or_else(unknown)
}

fn render_page(
    addressee: &Addressee,
    names: &[String],
    state: PageState,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let words = &MailTexts::of(addressee.language).unsubscribe;
    let quoted = words.quoted(names);
    let of = |counted: &CountedPhrase| counted.of(names.len(), &[("alerts", &quoted)]);
    let report = |phrase: &Phrase| phrase.with(&[("report", &quoted)]);
    let has_nothing_to_switch =
        matches!(addressee.kind, DigestKind::Alerts | DigestKind::Report) && names.is_empty();
    let text = match (addressee.kind, state) {
        _ if has_nothing_to_switch => words.nothing.clone(),
        (DigestKind::Alerts, PageState::Ask) => of(&words.ask_alerts),
        (DigestKind::Alerts, PageState::SwitchedOff) => of(&words.done_alerts),
        (DigestKind::Alerts, PageState::SwitchedOn) => of(&words.again_alerts),
        (DigestKind::Saved, PageState::Ask) => words.ask_saved.clone(),
        (DigestKind::Saved, PageState::SwitchedOff) => words.done_saved.clone(),
        (DigestKind::Saved, PageState::SwitchedOn) => words.again_saved.clone(),
        (DigestKind::Summary, PageState::Ask) => words.ask_summary.clone(),
        (DigestKind::Summary, PageState::SwitchedOff) => words.done_summary.clone(),
        (DigestKind::Summary, PageState::SwitchedOn) => words.again_summary.clone(),
        (DigestKind::Report, PageState::Ask) => report(&words.ask_report),
        (DigestKind::Report, PageState::SwitchedOff) => report(&words.done_report),
        (DigestKind::Report, PageState::SwitchedOn) => report(&words.again_report),
    };
    let (title, button, form) = match state {
        _ if has_nothing_to_switch => (&words.done, None, ""),
        PageState::Ask => (&words.ask, Some(&words.off), "off"),
        PageState::SwitchedOff => (&words.done, Some(&words.on), "again"),
        PageState::SwitchedOn => (&words.again, None, ""),
    };
    let lang = addressee.language.as_str();
    let page = UnsubscribePage { lang, title, text: &text, button, form, account: &words.account };
    let page = page.render().context("rendering the unsubscribe page")?;
    Ok((page_headers(&page, "'self'")?, Html(page)))
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct UnsubscribePage<'a> {
    lang: &'static str,
    title: &'a str,
    text: &'a str,
    button: Option<&'a String>,
    form: &'static str,
    account: &'a str,
}
