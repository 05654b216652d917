//! Routes that exist only with `--demo`: the mailbox with all sent mail.

pub(crate) mod mail;

use crate::app::state::AppState;
use axum::{Router, routing::get};

/// Returns the routes `/dev/mail` and `/dev/mail.json`.
pub fn router() -> Router<AppState> {
    Router::new().route("/dev/mail", get(mail::mailbox_page)).route("/dev/mail.json", get(mail::mailbox_json))
}
