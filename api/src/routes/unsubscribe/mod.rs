//! The link in every mail of alerts. GET shows what it would switch off and changes nothing (mail scanners follow links);
//! POST, from that page's button or a mail program's own (RFC 8058), does it, and from the page can undo it.

use crate::{
    db::{
        alerts,
        deliveries::{self, Addressee},
    },
    error::ApiError,
    mail::words::Words,
    state::AppState,
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

/// `/unsubscribe/{token}`.
pub fn router() -> Router<AppState> {
    Router::new().route("/unsubscribe/{token}", get(ask).post(switch))
}

/// What the page's own form sends to undo; a mail program sends `List-Unsubscribe=One-Click`.
const AGAIN: &[u8] = b"again=1";

/// Where a reader stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Ask,
    Off,
    Again,
}

async fn ask(State(state): State<AppState>, Path(token): Path<String>) -> Result<Html<String>, ApiError> {
    let addressee = addressee(&state, &token).await?;
    let names = alerts::names_of_delivery(&state.db, addressee.delivery_id).await?;
    page(&addressee, &names, Step::Ask)
}

async fn switch(
    State(state): State<AppState>,
    Path(token): Path<String>,
    body: Bytes,
) -> Result<Html<String>, ApiError> {
    let addressee = addressee(&state, &token).await?;
    let (now, delivery) = (state.clock.now(), addressee.delivery_id);
    let is_again = body.as_ref() == AGAIN;
    let names = alerts::switch_mails_of_delivery(&state.db, delivery, is_again, now).await?;
    tracing::info!(%delivery, alerts = names.len(), on = is_again, "mails switched by their reader");
    page(&addressee, &names, if is_again { Step::Again } else { Step::Off })
}

async fn addressee(state: &AppState, token: &str) -> Result<Addressee, ApiError> {
    let unknown = || ApiError::NotFound("This link");
    let delivery = state.unsubscribe.delivery(token).ok_or_else(unknown)?;
    deliveries::addressee(&state.db, delivery).await?.ok_or_else(unknown)
}

fn page(addressee: &Addressee, names: &[String], step: Step) -> Result<Html<String>, ApiError> {
    let words = &Words::of(addressee.language).unsubscribe;
    let quoted = words.quoted(names);
    let of = |counted: &crate::mail::words::Counted| counted.of(names.len(), &[("alerts", &quoted)]);
    let (title, text, button, form) = match step {
        _ if names.is_empty() => (&words.done, words.nothing.clone(), None, ""),
        Step::Ask => (&words.ask, of(&words.ask_alerts), Some(&words.off), "off"),
        Step::Off => (&words.done, of(&words.done_alerts), Some(&words.on), "again"),
        Step::Again => (&words.again, of(&words.again_alerts), None, ""),
    };
    let page =
        Page { lang: addressee.language.as_str(), title, text: &text, button, form, account: &words.account };
    Ok(Html(page.render().context("rendering the unsubscribe page")?))
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Page<'a> {
    lang: &'static str,
    title: &'a str,
    text: &'a str,
    button: Option<&'a String>,
    form: &'static str,
    account: &'a str,
}
