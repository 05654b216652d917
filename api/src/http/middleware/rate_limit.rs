//! Limits the requests of each caller by the class of their route, and serves the requests of one
//! address that need a password hash in turn.

use crate::{
    app::{
        route_class::{LimitSubject, RouteClass},
        state::AppState,
    },
    domain::error::ServiceError,
    http::{
        extract::{
            TrustedDevice, bearer, client_address,
            input::{JSON_LIMIT, read_up_to},
        },
        middleware::api_key,
        route_classes::{RouteTraits, traits_of},
    },
    services::accounts::access_token::{self, AccessClaims},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::net::IpAddr;

/// The middleware.
pub async fn limit_requests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let RouteTraits { mut class, hashes_password } = traits_of(&request);
    let address = client_address::of(request.extensions());
    if class != RouteClass::Exempt && has_api_key(request.headers()) {
        class = RouteClass::ApiKey;
    }
    let access = access_of(class, request.headers(), &state);
    let subject = match access {
        Some(access) => LimitSubject::Account(access.user_id),
        None => subject_without_account(class, request.headers(), address, &state),
    };
    if let Err(refused) = state.limits.try_acquire(class, subject).await {
        state.metrics.http.refuse_request(class);
        return refused.into_response();
    }
    let response = if hashes_password {
        run_in_turn(&state, address, request, next).await.unwrap_or_else(IntoResponse::into_response)
    } else {
        next.run(request).await
    };
    if let Some(access) = access
        && response.status() == StatusCode::UNAUTHORIZED
    {
        state.ended_sessions.insert(access.session).await;
    }
    response
}

/// Serves a request that needs a password hash when it is the turn of its address. The body is read
/// first, so that a client that sends it slowly does not hold a turn.
async fn run_in_turn(
    state: &AppState,
    address: IpAddr,
    request: Request,
    next: Next,
) -> Result<Response, ServiceError> {
    let (parts, body) = request.into_parts();
    let body = read_up_to(body, JSON_LIMIT, "a JSON body").await?;
    let _held_until_done = state.hashing_turns.take(address).await?;
    Ok(next.run(Request::from_parts(parts, Body::from(body))).await)
}

fn has_api_key(headers: &HeaderMap) -> bool {
    bearer(headers).is_some_and(|token| token.starts_with(api_key::PREFIX))
}

/// Returns the account and the session that a request is counted by. The signature proves them, so this
/// needs no query. `None`: the class is not counted by account, the request has no valid token, or its
/// session is known to have ended.
fn access_of(class: RouteClass, headers: &HeaderMap, state: &AppState) -> Option<AccessClaims> {
    let token = bearer(headers).filter(|_| class.is_counted_by_account())?;
    let access = access_token::read(&state.signing_key, token, state.clock.now())?;
    (!state.ended_sessions.contains(access.session)).then_some(access)
}

/// Returns what a request without an account is counted by.
fn subject_without_account(
    class: RouteClass,
    headers: &HeaderMap,
    address: IpAddr,
    state: &AppState,
) -> LimitSubject {
    let device = TrustedDevice::of(headers, state).filter(|_| class == RouteClass::SignIn);
    device.map_or(LimitSubject::Address(address), |device| LimitSubject::Device(device.id))
}
