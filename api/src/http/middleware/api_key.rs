//! API keys, which an Enterprise subscriber's programs send instead of a session token.
//! [`KEY_ROUTES`] lists each route that accepts a key, with the scope that the route needs. All
//! other routes reject keys.

use crate::{
    app::state::AppState,
    base::random::Random,
    domain::error::ServiceError,
    services::{
        accounts::session,
        entitlement::{Entitlement, quota_periods},
    },
    storage::{api_keys, users},
};
use crate::{
    base::secret::secret_hash,
    http::extract::{Caller, bearer, record_account},
};
use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The prefix of every key. It makes leaked keys easy to recognise.
pub const PREFIX: &str = "key_";
/// The number of leading characters that are stored and shown, so that the owner can recognise a
/// key.
const VISIBLE_LENGTH: usize = PREFIX.len() + 6;

const INVALID_KEY: ServiceError = ServiceError::Unauthenticated("This API key is not known or was withdrawn");

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = KeyScope)]
pub enum Scope {
    /// Searching tenders, and reading their details, documents and statistics.
    #[serde(rename = "tenders:read")]
    TendersRead,
    /// Publishing, editing and withdrawing tenders.
    #[serde(rename = "tenders:write")]
    TendersWrite,
    /// Reading and testing alerts, and reading their matches and statistics.
    #[serde(rename = "alerts:read")]
    AlertsRead,
    /// Creating, changing and deleting alerts, and marking their matches as irrelevant.
    #[serde(rename = "alerts:write")]
    AlertsWrite,
    /// Reading saved reports and downloading their files.
    #[serde(rename = "reports:read")]
    ReportsRead,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] =
        [Self::TendersRead, Self::TendersWrite, Self::AlertsRead, Self::AlertsWrite, Self::ReportsRead];

    /// Returns the stored and serialised form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TendersRead => "tenders:read",
            Self::TendersWrite => "tenders:write",
            Self::AlertsRead => "alerts:read",
            Self::AlertsWrite => "alerts:write",
            Self::ReportsRead => "reports:read",
        }
    }

    /// Parses the stored form.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

/// The routes that accept a key, and the scope that each needs.
pub const KEY_ROUTES: [(Method, &str, Scope); 28] = {
    use Scope::{AlertsRead, AlertsWrite, ReportsRead, TendersRead, TendersWrite};
    [
        (Method::GET, "/tenders", TendersRead),
        (Method::GET, "/tenders/stats", TendersRead),
        (Method::GET, "/tenders/facets", TendersRead),
        (Method::GET, "/tenders/suggestions", TendersRead),
        (Method::GET, "/tenders/user/my-tenders", TendersRead),
        (Method::GET, "/tenders/{id}", TendersRead),
        (Method::GET, "/tenders/{id}/similar", TendersRead),
        (Method::GET, "/tenders/{id}/documents/{document}", TendersRead),
        (Method::GET, "/tenders/{id}/documents/{document}/text", TendersRead),
        (Method::POST, "/tenders", TendersWrite),
        (Method::PUT, "/tenders/{id}", TendersWrite),
        (Method::DELETE, "/tenders/{id}", TendersWrite),
        (Method::POST, "/tenders/{id}/documents", TendersWrite),
        (Method::DELETE, "/tenders/{id}/documents/{document}", TendersWrite),
        (Method::GET, "/alerts", AlertsRead),
        (Method::GET, "/alerts/stats", AlertsRead),
        (Method::GET, "/alerts/{id}", AlertsRead),
        (Method::GET, "/alerts/{id}/matches", AlertsRead),
        (Method::POST, "/alerts/preview", AlertsRead),
        (Method::POST, "/alerts/{id}/test", AlertsRead),
        (Method::POST, "/alerts", AlertsWrite),
        (Method::PUT, "/alerts/{id}", AlertsWrite),
        (Method::PATCH, "/alerts/{id}/toggle", AlertsWrite),
        (Method::DELETE, "/alerts/{id}", AlertsWrite),
        (Method::PUT, "/alerts/{id}/matches/{tender}/irrelevance", AlertsWrite),
        (Method::DELETE, "/alerts/{id}/matches/{tender}/irrelevance", AlertsWrite),
        (Method::GET, "/reports", ReportsRead),
        (Method::GET, "/reports/{id}/file", ReportsRead),
    ]
};

/// Generates a key and its visible prefix.
#[must_use]
pub fn generate(random: &Random) -> (String, String) {
    let key = format!("{PREFIX}{}", random.secret());
    let shown = key.chars().take(VISIBLE_LENGTH).collect();
    (key, shown)
}

/// The middleware for requests with a key. It checks that the key exists and that its rate limit
/// is not exceeded. It also checks that the owner's plan includes keys, and that the key's scopes
/// permit the request. An accepted request is counted, regardless of its outcome.
pub async fn authenticate(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let Some(key) = bearer(request.headers()).filter(|token| token.starts_with(PREFIX)) else {
        return next.run(request).await;
    };
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let route = route.strip_prefix("/api").unwrap_or(route);
    let hash = secret_hash(key);
    match authenticated_caller(&state, &hash, request.method(), route).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

async fn authenticated_caller(
    state: &AppState,
    hash: &[u8],
    method: &Method,
    route: &str,
) -> Result<Caller, ServiceError> {
    let now = state.clock.now();
    let (key, user_id, scopes) =
        api_keys::find_and_mark_used(&state.db, hash, now).await?.ok_or(INVALID_KEY)?;
    state.limits.try_acquire_key_call(key).await?;
    let user = users::by_id(&state.db, user_id, now).await?.ok_or(INVALID_KEY)?;
    let user = session::user_of_key(state, user);
    record_account(user.id);
    if user.is_locked {
        return Err(session::LOCKED);
    }
    Entitlement::of_user(Some(&user), state).await?.permit_keys()?;
    let required =
        KEY_ROUTES.iter().find(|(m, path, _)| m == method && *path == route).map(|(_, _, scope)| *scope);
    let Some(scope) = required else {
        return Err(ServiceError::Unauthenticated(
            "This request needs a session; it cannot be made with an API key",
        ));
    };
    if !scopes.iter().any(|held| held == scope.as_str()) {
        return Err(ServiceError::Forbidden("This API key does not have the scope for this request"));
    }
    api_keys::count_call(&state.db, user_id, quota_periods::period_start(user.plan.since, now)).await?;
    Ok(Caller { user, session: key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::router;

    #[test]
    fn every_route_for_keys_exists() {
        let document = router::document();
        for (method, path, _) in &KEY_ROUTES {
            let item = document.paths.paths.get(*path).unwrap_or_else(|| panic!("no {path}"));
            let operation = match *method {
                Method::GET => &item.get,
                Method::POST => &item.post,
                Method::PUT => &item.put,
                Method::PATCH => &item.patch,
                _ => &item.delete,
            };
            assert!(operation.is_some(), "no {method} {path}");
        }
    }

    #[test]
    fn scopes_are_parsed_from_their_stored_form() {
        for scope in Scope::ALL {
            assert_eq!(Scope::from_stored(scope.as_str()), Some(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.as_str());
        }
        assert_eq!(Scope::from_stored("everything"), None);
    }
}
