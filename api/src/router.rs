//! Every route in one list, and the layers around them.

use crate::state::AppState;
use axum::Router;

/// The whole server as one service.
pub fn router(state: AppState) -> Router {
    Router::new().with_state(state)
}
