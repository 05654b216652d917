//! Payment pages that the portal serves itself: the sandbox's pages and the form for PayHere.
//! Each page exists only if its provider is configured.

pub(crate) mod payhere;
pub(crate) mod sandbox;

use crate::{app::state::AppState, clients::payments::Provider};
use axum::{Router, extract::DefaultBodyLimit, routing::get};

/// The maximum size of a form, in bytes.
const MAX_FORM_SIZE: usize = 16 * 1024;

/// Returns the routes of the configured provider's pages.
pub fn router(state: &AppState) -> Router<AppState> {
    let pages = match state.payments.as_deref() {
        Some(Provider::Sandbox(_)) => {
            Router::new().route("/payments/sandbox/{id}", get(sandbox::show).post(sandbox::pay)).route(
                "/payments/sandbox/{id}/challenge",
                get(sandbox::show_challenge).post(sandbox::answer_challenge),
            )
        }
        Some(Provider::PayHere(_)) => Router::new().route("/payments/payhere/{id}", get(payhere::show)),
        Some(Provider::Stripe(_)) | None => Router::new(),
    };
    pages.layer(DefaultBodyLimit::max(MAX_FORM_SIZE))
}
