//! Payment pages that the portal serves itself: the sandbox's card form and the form for PayHere.
//! Each exists only with its provider.

pub mod payhere;
pub mod sandbox;

use crate::{app::state::AppState, clients::payments::Provider};
use axum::{Router, extract::DefaultBodyLimit, routing::get};

/// The maximum size of a form, in bytes.
const LIMIT: usize = 16 * 1024;

/// The pages of the configured provider.
pub fn router(state: &AppState) -> Router<AppState> {
    let pages = match &state.payments {
        Some(Provider::Sandbox(_)) => Router::new()
            .route("/payments/sandbox/{id}", get(sandbox::show).post(sandbox::pay))
            .route("/payments/sandbox/{id}/challenge", get(sandbox::ask).post(sandbox::answer)),
        Some(Provider::PayHere(_)) => Router::new().route("/payments/payhere/{id}", get(payhere::show)),
        Some(Provider::Stripe(_)) | None => Router::new(),
    };
    pages.layer(DefaultBodyLimit::max(LIMIT))
}
