//! The table of routes and their classes, for the rate limits of
//! [`RequestLimits`](crate::app::request_limits::RequestLimits).

use crate::app::route_class::RouteClass;
use axum::{
    extract::{MatchedPath, Request},
    http::Method,
};
use std::{collections::HashMap, sync::LazyLock};

/// The class of a path below /api that is in no list. It does not exist, or it does not support the
/// request's method.
const UNKNOWN: RouteClass = RouteClass::Read;

/// The class of each route below /api.
const API_ROUTES: [(RouteClass, &[&str]); 14] = [
    (RouteClass::File, &["GET /clips/{hash}"]),
    (RouteClass::Page, &["GET /feeds/calendar/{file}", "GET /feeds/saved/{key}", "GET /feeds/tenders"]),
    (
        RouteClass::Read,
        &[
            "GET /alerts",
            "GET /alerts/{id}",
            "GET /auth/me",
            "GET /auth/second-factors",
            "GET /auth/sessions",
            "GET /awards/{id}",
            "GET /bids",
            "GET /bids/reminders",
            "GET /bids/{id}",
            "GET /bids/{id}/files/{file}",
            "GET /calendar",
            "GET /calendar/address",
            "GET /calendar/holidays",
            "GET /channels",
            "GET /company",
            "GET /documents/{id}",
            "GET /health",
            "GET /keys",
            "GET /openapi.json",
            "GET /reports",
            "GET /saved/searches",
            "GET /saved/tenders",
            "GET /subscriptions/invoices",
            "GET /subscriptions/invoices/{id}",
            "GET /subscriptions/plans",
            "GET /subscriptions/user/current",
            "GET /subscriptions/user/manager",
            "GET /subscriptions/user/quote",
            "GET /subscriptions/user/usage",
            "GET /subscriptions/verify-session/{sessionId}",
            "GET /team",
            "GET /tenders/user/my-tenders",
            "GET /tenders/{id}",
            "GET /tenders/{id}/documents/{document}",
            "GET /tenders/{id}/documents/{document}/text",
            "GET /tenders/{id}/trace",
            "POST /auth/google/nonce",
        ],
    ),
    (
        RouteClass::Search,
        &[
            "GET /alerts/matches",
            "GET /alerts/outcomes",
            "GET /alerts/stats",
            "GET /alerts/{id}/matches",
            "GET /alerts/{id}/proposals",
            "GET /home",
            "GET /awards",
            "GET /buyers",
            "GET /buyers/{slug}",
            "GET /buyers/{slug}/tenders",
            "GET /market",
            "GET /bids/{id}/evidence.pdf",
            "GET /reports/{id}/file",
            "GET /tenders",
            "GET /tenders/facets",
            "GET /tenders/stats",
            "GET /tenders/suggestions",
            "GET /tenders/{id}/awards",
            "GET /tenders/{id}/similar",
            "POST /alerts/preview",
            "POST /alerts/{id}/test",
            "POST /reports/file",
            "POST /reports/preview",
        ],
    ),
    (
        RouteClass::Write,
        &[
            "DELETE /alerts/{id}",
            "DELETE /alerts/{id}/matches/{tender}/irrelevance",
            "DELETE /auth/sessions",
            "DELETE /auth/sessions/{id}",
            "DELETE /bids/{id}",
            "DELETE /bids/{id}/checklist/{row}",
            "DELETE /bids/{id}/files/{file}",
            "DELETE /bids/{id}/notes/{note}",
            "DELETE /bids/{id}/reminders",
            "DELETE /bids/{id}/tasks/{task}",
            "DELETE /calendar/address",
            "DELETE /channels/phone",
            "DELETE /channels/webhook",
            "DELETE /keys/{id}",
            "DELETE /reports/{id}",
            "DELETE /saved/searches/{id}",
            "DELETE /saved/tenders/{id}",
            "DELETE /team/invitations/{id}",
            "DELETE /team/members/{id}",
            "DELETE /tenders/{id}",
            "DELETE /tenders/{id}/documents/{document}",
            "DELETE /tenders/{id}/intention",
            "PATCH /alerts/{id}/toggle",
            "POST /alerts",
            "POST /bids",
            "POST /bids/{id}/checklist",
            "POST /bids/{id}/notes",
            "POST /bids/{id}/tasks",
            "POST /channels/phone/confirm",
            "POST /channels/webhook/secret",
            "POST /keys",
            "POST /reports",
            "POST /saved/searches",
            "POST /subscriptions/create-checkout-session",
            "POST /subscriptions/user/cancel",
            "POST /subscriptions/user/keep",
            "POST /subscriptions/user/subscribe",
            "POST /team/join",
            "POST /tenders",
            "PUT /alerts/{id}",
            "PUT /alerts/{id}/matches/{tender}/irrelevance",
            "PUT /auth/profile",
            "PUT /bids/reminders",
            "PUT /bids/{id}",
            "PUT /bids/{id}/checklist",
            "PUT /bids/{id}/place",
            "PUT /bids/{id}/reminders",
            "PUT /bids/{id}/tasks/{task}",
            "PUT /calendar/address",
            "PUT /channels/webhook",
            "PUT /company",
            "PUT /reports/{id}",
            "PUT /saved/searches/{id}",
            "PUT /saved/tenders/{id}",
            "PUT /subscriptions/user/update",
            "PUT /tenders/{id}",
            "PUT /tenders/{id}/intention",
        ],
    ),
    (
        RouteClass::SignIn,
        &["POST /auth/google", "POST /auth/login", "POST /auth/refresh", "POST /auth/second-factor"],
    ),
    (
        RouteClass::Registration,
        &["POST /auth/register", "POST /auth/verify-email", "PUT /auth/reset-password"],
    ),
    (
        RouteClass::Account,
        &[
            "GET /auth/export",
            "POST /auth/delete-account",
            "POST /auth/google/removal",
            "POST /auth/logout",
            "POST /auth/passkeys",
            "POST /auth/passkeys/options",
            "POST /auth/passkeys/{id}/removal",
            "POST /auth/recovery-codes",
            "POST /auth/second-factor/challenge",
            "POST /auth/totp",
            "POST /auth/totp/removal",
            "PUT /auth/change-password",
            "PUT /auth/google",
            "PUT /auth/second-factor",
            "PUT /auth/totp",
        ],
    ),
    (RouteClass::PublicMessage, &["POST /auth/forgot-password", "POST /contact"]),
    (
        RouteClass::Message,
        &[
            "POST /alerts/{id}/send-test-email",
            "POST /auth/change-email",
            "POST /auth/resend-verification",
            "POST /channels/webhook/test",
            "POST /team/invitations",
            "PUT /channels/phone",
        ],
    ),
    (RouteClass::Upload, &["POST /bids/{id}/files", "POST /operate/pages", "POST /tenders/{id}/documents"]),
    (
        RouteClass::Operate,
        &[
            "DELETE /operate/holidays/{day}",
            "DELETE /operate/mail/suppressed/{id}",
            "DELETE /operate/pages/{id}",
            "DELETE /operate/pages/{id}/boxes/{box}",
            "DELETE /operate/papers/{id}",
            "DELETE /operate/papers/{id}/absences/{day}",
            "DELETE /operate/review/claims",
            "DELETE /operate/tenders/{id}/takedown",
            "DELETE /operate/tokens/{id}",
            "DELETE /operate/users/{id}/lock",
            "DELETE /operate/users/{id}/second-factors",
            "DELETE /operate/users/{id}/sessions",
            "GET /operate/audit",
            "GET /operate/batches",
            "GET /operate/batches/{id}",
            "GET /operate/coverage",
            "GET /operate/figures",
            "GET /operate/gazetteer",
            "GET /operate/holidays",
            "GET /operate/mail/dead",
            "GET /operate/mail/suppressed",
            "GET /operate/messages",
            "GET /operate/pages",
            "GET /operate/pages/{id}",
            "GET /operate/pages/{id}/file",
            "GET /operate/pages/{id}/picture",
            "GET /operate/papers",
            "GET /operate/payments/events",
            "GET /operate/payments/subscriptions",
            "GET /operate/publications",
            "GET /operate/review",
            "GET /operate/review/accuracy",
            "GET /operate/review/truth",
            "GET /operate/tasks",
            "GET /operate/tokens",
            "GET /operate/users",
            "POST /operate/batches",
            "POST /operate/batches/preview",
            "POST /operate/batches/{id}/undo",
            "POST /operate/gazetteer",
            "POST /operate/mail/dead/{id}/retry",
            "POST /operate/mail/retry",
            "POST /operate/pages/{id}/boxes",
            "POST /operate/pages/{id}/reading",
            "POST /operate/papers",
            "POST /operate/publications/{id}/approval",
            "POST /operate/publications/{id}/refusal",
            "POST /operate/review/claims",
            "POST /operate/review/undo",
            "POST /operate/review/{key}",
            "POST /operate/review/{key}/claim",
            "POST /operate/review/{key}/skip",
            "POST /operate/tokens",
            "POST /operate/users/{id}/confirmation",
            "PUT /operate/gazetteer/{id}",
            "PUT /operate/holidays/{day}",
            "PUT /operate/messages/{id}",
            "PUT /operate/pages/{id}/issue",
            "PUT /operate/papers/{id}",
            "PUT /operate/papers/{id}/absences/{day}",
            "PUT /operate/payments/events/{id}/settlement",
            "PUT /operate/tenders/{id}/takedown",
            "PUT /operate/users/{id}/lock",
            "PUT /operate/users/{id}/role",
        ],
    ),
    (
        RouteClass::Ingest,
        &[
            "DELETE /ingest/leases/{id}",
            "GET /ingest/gazetteer",
            "GET /ingest/leases/{id}/file",
            "POST /ingest/awards",
            "POST /ingest/leases",
            "POST /mail/reports",
            "PUT /ingest/leases/{id}",
            "PUT /ingest/leases/{id}/failure",
            "PUT /ingest/leases/{id}/result",
            "PUT /ingest/notices/{key}",
            "PUT /ingest/pages/{key}",
        ],
    ),
    (RouteClass::Exempt, &["POST /webhooks/{provider}"]),
];

/// The routes for which the server computes the hash of a password.
const PASSWORD_ROUTES: [&str; 14] = [
    "POST /auth/change-email",
    "POST /auth/delete-account",
    "POST /auth/google/removal",
    "POST /auth/login",
    "POST /auth/passkeys/options",
    "POST /auth/passkeys/{id}/removal",
    "POST /auth/recovery-codes",
    "POST /auth/register",
    "POST /auth/totp",
    "POST /auth/totp/removal",
    "PUT /auth/change-password",
    "PUT /auth/google",
    "PUT /auth/reset-password",
    "PUT /operate/users/{id}/role",
];

static CLASS_OF_API_ROUTE: LazyLock<HashMap<&str, RouteClass>> = LazyLock::new(|| {
    API_ROUTES.iter().flat_map(|(class, routes)| routes.iter().map(|route| (*route, *class))).collect()
});

/// Whether the requests of a route below /api are limited.
pub(crate) fn is_limited(method: &Method, path: &str) -> bool {
    CLASS_OF_API_ROUTE.get(format!("{method} {path}").as_str()) != Some(&RouteClass::Exempt)
}

/// What the middleware of limits needs to know about a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RouteTraits {
    /// The class of the route.
    pub(crate) class: RouteClass,
    /// Whether the server computes the hash of a password.
    pub(crate) hashes_password: bool,
}

/// Returns the traits of the route of a request.
pub(crate) fn traits_of(request: &Request) -> RouteTraits {
    let path = request.uri().path();
    let in_api = path.strip_prefix("/api").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if !in_api {
        let class = match path {
            "/livez" | "/readyz" => RouteClass::Exempt,
            path if is_file(path) && !path.starts_with("/sitemap") => RouteClass::File,
            _ => RouteClass::Page,
        };
        return RouteTraits { class, hashes_password: false };
    }
    let matched = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    // A route for GET also answers HEAD.
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let route = format!("{method} {}", matched.strip_prefix("/api").unwrap_or(matched));
    RouteTraits {
        class: CLASS_OF_API_ROUTE.get(route.as_str()).copied().unwrap_or(UNKNOWN),
        hashes_password: PASSWORD_ROUTES.contains(&route.as_str()),
    }
}

/// Whether a path names a file of the application and not a page.
pub(crate) fn is_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.')) && path != "/index.html"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::router;
    use std::collections::BTreeSet;

    /// The routes of the contract, and that of the contract itself.
    fn contract() -> BTreeSet<String> {
        let document = serde_json::to_value(router::document()).unwrap();
        let operations = document["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| format!("{} {path}", method.to_uppercase()))
        });
        operations.chain(["GET /openapi.json".to_owned()]).collect()
    }

    #[test]
    fn every_route_has_one_class() {
        let listed: Vec<&str> = API_ROUTES.iter().flat_map(|(_, routes)| routes.iter().copied()).collect();
        let known: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), known.len(), "a route has two classes");
        let contract = contract();
        let contract: BTreeSet<&str> = contract.iter().map(String::as_str).collect();
        let without: Vec<_> = contract.difference(&known).collect();
        assert!(without.is_empty(), "add these routes to API_ROUTES: {without:?}");
        let gone: Vec<_> = known.difference(&contract).collect();
        assert!(gone.is_empty(), "remove these routes from API_ROUTES: {gone:?}");
        assert!(PASSWORD_ROUTES.iter().all(|route| contract.contains(route)));
    }

    #[test]
    fn routes_outside_the_api_have_a_class_by_their_path() {
        for (path, expected) in [
            ("/livez", RouteClass::Exempt),
            ("/readyz", RouteClass::Exempt),
            ("/", RouteClass::Page),
            ("/tenders/0191", RouteClass::Page),
            ("/apiary", RouteClass::Page),
            ("/sitemap.xml", RouteClass::Page),
            ("/sitemap/1.xml", RouteClass::Page),
            ("/assets/index-1f.js", RouteClass::File),
            ("/api", UNKNOWN),
            ("/api/nothing.js", UNKNOWN),
        ] {
            let request = Request::builder().uri(path).body(axum::body::Body::empty()).unwrap();
            assert_eq!(traits_of(&request).class, expected, "{path}");
        }
    }
}
