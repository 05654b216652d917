//! The link in every alert's mail. GET shows what it would switch off and changes nothing (mail scanners follow links);
//! POST, from that page's button or a mail program's own (RFC 8058), does it.

use crate::{db::alerts, error::ApiError, state::AppState};
use anyhow::Context;
use askama::Template;
use axum::{
    Router,
    extract::{Path, State},
    response::Html,
    routing::get,
};
use uuid::Uuid;

/// `/unsubscribe/{token}`.
pub fn router() -> Router<AppState> {
    Router::new().route("/unsubscribe/{token}", get(ask).post(switch_off))
}

async fn ask(State(state): State<AppState>, Path(token): Path<String>) -> Result<Html<String>, ApiError> {
    let delivery = delivery(&state, &token)?;
    let names = alerts::names_of_delivery(&state.db, delivery).await?;
    page(&names, false)
}

async fn switch_off(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<Html<String>, ApiError> {
    let delivery = delivery(&state, &token)?;
    let names = alerts::silence_of_delivery(&state.db, delivery, state.clock.now()).await?;
    tracing::info!(%delivery, alerts = names.len(), "mails switched off by their reader");
    page(&names, true)
}

fn delivery(state: &AppState, token: &str) -> Result<Uuid, ApiError> {
    state.unsubscribe.delivery(token).ok_or(ApiError::NotFound("This link"))
}

fn page(names: &[String], done: bool) -> Result<Html<String>, ApiError> {
    Ok(Html(Page { names, done }.render().context("rendering the unsubscribe page")?))
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Page<'a> {
    names: &'a [String],
    done: bool,
}
