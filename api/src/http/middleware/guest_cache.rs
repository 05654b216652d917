//! Answers guests of the busiest routes from memory; see
//! [`GuestResponses`](crate::app::guest_responses::GuestResponses). Limits, the log and metrics count these
//! requests like all others.

use crate::{
    app::{guest_responses::GuestRequest, state::AppState},
    domain::error::ServiceError,
};
use axum::{
    body::{self, Body, Bytes},
    extract::{MatchedPath, Request, State},
    http::{Method, Response, header::AUTHORIZATION},
    middleware::Next,
    response::IntoResponse,
};

/// The routes whose response to a guest depends only on the address. Of these, a search without a
/// result is counted once, even if several guests send it in the same moment.
const ROUTES: [&str; 4] = ["/api/home", "/api/tenders", "/api/tenders/stats", "/api/tenders/suggestions"];
/// The maximum size of a response of these routes, in bytes. It is never reached.
const MAX_BODY: usize = 8 << 20;

/// The middleware.
pub async fn answer_guests(State(state): State<AppState>, request: Request, next: Next) -> Response<Body> {
    if !state.guest_responses.are_kept() || !is_shared(&request) {
        return next.run(request).await;
    }
    let address = request.uri().path_and_query().map_or("", |address| address.as_str()).to_owned();
    let key = GuestRequest { position: state.search_engine.position(), address };
    let response = state.guest_responses.get_or_make(key, async { collected(next.run(request).await).await });
    response.await.map(Body::from)
}

/// Whether the response is the same for all guests.
fn is_shared(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    *request.method() == Method::GET
        && !request.headers().contains_key(AUTHORIZATION)
        && route.is_some_and(|route| ROUTES.contains(&route))
}

/// Reads the whole body of a response.
async fn collected(response: Response<Body>) -> Response<Bytes> {
    let (parts, body) = response.into_parts();
    match body::to_bytes(body, MAX_BODY).await {
        Ok(body) => Response::from_parts(parts, body),
        Err(error) => {
            let failed = ServiceError::Internal(anyhow::Error::new(error).context("reading a response"));
            failed.into_response().map(|_| Bytes::new())
        }
    }
}
