//! Limits the requests of each caller by the class of their route, and serves the requests of one
//! address that need a password hash in turn.

use crate::{
    app::{
        request_limits::{LimitSubject, RouteClass},
        state::AppState,
    },
    http::{
        extract::{TrustedDevice, bearer, client_address},
        middleware::api_key,
        route_classes::{RouteTraits, traits_of},
    },
    services::accounts::access_token,
};
use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::net::IpAddr;

/// The middleware.
pub async fn limit_requests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let RouteTraits { mut class, hashes_password } = traits_of(&request);
    let (parts, body) = request.into_parts();
    let address = client_address::of(&parts);
    if class != RouteClass::Exempt && has_api_key(&parts.headers) {
        class = RouteClass::ApiKey;
    }
    let subject = subject_of(class, &parts.headers, address, &state);
    if let Err(refused) = state.limits.try_acquire(class, subject) {
        state.metrics.http.refuse_request(class);
        return refused.into_response();
    }
    let turn = match hashes_password {
        true => state.hashing_turns.take(address).await.map(Some),
        false => Ok(None),
    };
    match turn {
        Ok(_held_until_done) => next.run(Request::from_parts(parts, body)).await,
        Err(refused) => refused.into_response(),
    }
}

fn has_api_key(headers: &HeaderMap) -> bool {
    bearer(headers).is_some_and(|token| token.starts_with(api_key::PREFIX))
}

/// Returns what a request is counted by. The signature proves an account or a device, so this needs
/// no query. The session may have ended meanwhile.
fn subject_of(class: RouteClass, headers: &HeaderMap, address: IpAddr, state: &AppState) -> LimitSubject {
    let by_address = LimitSubject::Address(address);
    match class {
        RouteClass::File
        | RouteClass::Page
        | RouteClass::Ingest
        | RouteClass::ApiKey
        | RouteClass::Exempt => by_address,
        RouteClass::SignIn => {
            TrustedDevice::of(headers, state).map_or(by_address, |device| LimitSubject::Device(device.id))
        }
        RouteClass::Read
        | RouteClass::Search
        | RouteClass::Write
        | RouteClass::Account
        | RouteClass::Message
        | RouteClass::Upload
        | RouteClass::Operate => {
            let claims = bearer(headers)
                .and_then(|token| access_token::read(&state.signing_key, token, state.clock.now()));
            claims.map_or(by_address, |claims| LimitSubject::Account(claims.user_id))
        }
    }
}
