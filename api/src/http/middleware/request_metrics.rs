//! Counts requests and measures their time, by the template of their route. Paths are no labels,
//! because there are too many, and because they may contain secrets.

use crate::app::{metrics::http::OTHER_ROUTE, state::AppState};
use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use std::{sync::Arc, time::Instant};

/// The middleware. A request whose client disconnects before the response counts only as in flight.
pub async fn measure_requests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let route = route_of(&request);
    let method = method_name(request.method());
    let _in_flight = state.metrics.http.begin_request();
    let began = Instant::now();
    let response = next.run(request).await;
    state.metrics.http.record_request(route, method, response.status().as_u16(), began.elapsed());
    response
}

/// The template of a request's route. The pages and files of the web app and unknown addresses share
/// one name.
pub(super) fn route_of(request: &Request) -> Arc<str> {
    request.extensions().get::<MatchedPath>().map_or(OTHER_ROUTE, MatchedPath::as_str).into()
}

/// The name of a method. Clients can invent methods, which share one name.
pub(super) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_methods_share_a_name() {
        let names = ["GET", "PATCH", "BREW", "get"].map(|name| method_name(&name.parse().unwrap()));
        assert_eq!(names, ["GET", "PATCH", "other", "other"]);
    }
}
