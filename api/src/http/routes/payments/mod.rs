//! Pages on the way to a payment, served by ourselves: the sandbox's test cards, and the form that goes to PayHere. Each exists only where
//! its provider takes the payments.

pub mod payhere;
pub mod sandbox;

use crate::{app::state::AppState, clients::payments::Provider};
use axum::{Router, extract::DefaultBodyLimit, routing::get};

/// The most bytes of a form.
const LIMIT: usize = 16 * 1024;

/// The pages of whoever takes the payments.
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
