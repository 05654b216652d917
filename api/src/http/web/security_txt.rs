//! `/.well-known/security.txt` (RFC 9116): where to report a vulnerability.

use crate::app::state::AppState;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;

/// How long the statement is valid. RFC 9116 recommends less than a year.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 180);

/// Responds with the file, or with 404 if the operator has set no contact.
pub async fn read(State(state): State<AppState>) -> Response {
    let config = &state.config;
    let contact = config.company.security_contact.as_ref().or(config.company.contact_email.as_ref());
    let Some(contact) = contact else { return StatusCode::NOT_FOUND.into_response() };
    let contact = if contact.contains("://") { contact.clone() } else { format!("mailto:{contact}") };
    let now = state.clock.now();
    let expires = now.saturating_add(LIFETIME).unwrap_or(now);
    let text = format!(
        "Contact: {contact}\nExpires: {}\nPreferred-Languages: en, si, ta\nCanonical: {}/.well-known/security.txt\n",
        expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
        config.base_url(),
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
