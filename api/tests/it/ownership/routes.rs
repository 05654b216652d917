//! The routes with an id in their path, and the statuses of their responses. A new route needs a
//! row in [`routes_with_ids`]: the test `every_route_with_an_id_is_covered` fails without it.

use super::resources::{
    Resource::{
        self, Alert, Bid, Checkout, Clip, Draft, DraftFile, File, Invitation, Invoice, Key, Member, Notice,
        Published, Report, SavedSearch, Session, Withdrawn, WithdrawnFile,
    },
    report_form,
};
use axum::http::Method;
use serde_json::{Value, json};

/// The body that a request sends.
pub enum RequestBody {
    Nothing,
    Json(Value),
    File,
}

/// A route and the statuses of its responses.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub body: RequestBody,
    /// For each resource, the status for a guest and the status for another user.
    pub statuses: &'static [(Resource, u16, u16)],
    /// The status for an unknown id.
    pub unknown_id: u16,
    /// The status for a malformed id.
    pub malformed_id: u16,
}

/// The statuses of a public route that does not find the drafts and withdrawn tenders of others.
const HIDDEN: &[(Resource, u16, u16)] = &[(Draft, 404, 404), (Withdrawn, 404, 404)];
/// The statuses of a route that requires a sign-in and does not find the drafts and withdrawn
/// tenders of others.
const HIDDEN_AFTER_SIGN_IN: &[(Resource, u16, u16)] = &[(Draft, 401, 404), (Withdrawn, 401, 404)];
/// The statuses of a route that changes a tender for its owner only.
const OWNER_CHANGES: &[(Resource, u16, u16)] =
    &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)];
/// The statuses of a public route that does not find files of others' drafts and withdrawn tenders.
const HIDDEN_FILES: &[(Resource, u16, u16)] = &[(DraftFile, 404, 404), (WithdrawnFile, 404, 404)];

/// Returns every route with an id in its path.
pub fn routes_with_ids() -> Vec<Route> {
    let row = |method: Method, path, body, statuses, (unknown_id, malformed_id)| Route {
        method,
        path,
        body,
        statuses,
        unknown_id,
        malformed_id,
    };
    let (get, put, post, delete) = (Method::GET, Method::PUT, Method::POST, Method::DELETE);
    let taken_over = json!({"title": "Taken over", "status": "published", "organization": {"name": "Mine"}});
    let search = json!({"name": "Taken over", "renewFeed": true});
    let alert = json!({"name": "Taken over", "keywords": [{"term": "mine"}]});
    let report = report_form("Taken over");
    let bid = json!({"version": 1, "value": 1});
    let place = json!({"version": 1, "stage": "won"});
    let note = json!({"text": "Taken over"});
    let task = json!({"title": "Taken over"});
    let tick = json!({"key": "vat", "fingerprint": "0000000000000000", "isDone": true});
    let reminders = json!({"channels": ["email"], "saleEnds": [], "preBid": [], "closing": [24]});
    let done = json!({"title": "Taken over", "isDone": true});
    let of_id = (404, 422);
    let of_slug = (404, 404);
    let of_board: &[(Resource, u16, u16)] = &[(Bid, 401, 404)];
    vec![
        row(get.clone(), "/tenders/{id}", RequestBody::Nothing, HIDDEN, of_id),
        row(put.clone(), "/tenders/{id}", RequestBody::Json(taken_over), OWNER_CHANGES, of_id),
        row(delete.clone(), "/tenders/{id}", RequestBody::Nothing, OWNER_CHANGES, of_id),
        row(put.clone(), "/tenders/{id}/intention", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        row(delete.clone(), "/tenders/{id}/intention", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        row(get.clone(), "/tenders/{id}/similar", RequestBody::Nothing, HIDDEN, of_id),
        row(get.clone(), "/tenders/{id}/awards", RequestBody::Nothing, HIDDEN, of_id),
        row(get.clone(), "/awards/{id}", RequestBody::Nothing, &[], of_id),
        row(get.clone(), "/buyers/{slug}", RequestBody::Nothing, &[], of_slug),
        row(get.clone(), "/buyers/{slug}/tenders", RequestBody::Nothing, &[], of_slug),
        row(get.clone(), "/bids/{id}", RequestBody::Nothing, of_board, of_id),
        row(put.clone(), "/bids/{id}", RequestBody::Json(bid), of_board, of_id),
        row(delete.clone(), "/bids/{id}", RequestBody::Nothing, of_board, of_id),
        row(put.clone(), "/bids/{id}/place", RequestBody::Json(place), of_board, of_id),
        row(put.clone(), "/bids/{id}/checklist", RequestBody::Json(tick), of_board, of_id),
        row(post.clone(), "/bids/{id}/checklist", RequestBody::Json(task.clone()), of_board, of_id),
        row(delete.clone(), "/bids/{id}/checklist/{row}", RequestBody::Nothing, of_board, of_id),
        row(put.clone(), "/bids/{id}/reminders", RequestBody::Json(reminders), of_board, of_id),
        row(delete.clone(), "/bids/{id}/reminders", RequestBody::Nothing, of_board, of_id),
        row(get.clone(), "/bids/{id}/evidence.pdf", RequestBody::Nothing, of_board, of_id),
        row(post.clone(), "/bids/{id}/files", RequestBody::File, of_board, of_id),
        row(get.clone(), "/bids/{id}/files/{file}", RequestBody::Nothing, of_board, of_id),
        row(delete.clone(), "/bids/{id}/files/{file}", RequestBody::Nothing, of_board, of_id),
        row(post.clone(), "/bids/{id}/notes", RequestBody::Json(note), of_board, of_id),
        row(delete.clone(), "/bids/{id}/notes/{note}", RequestBody::Nothing, of_board, of_id),
        row(post.clone(), "/bids/{id}/tasks", RequestBody::Json(task), of_board, of_id),
        row(put.clone(), "/bids/{id}/tasks/{task}", RequestBody::Json(done), of_board, of_id),
        row(delete.clone(), "/bids/{id}/tasks/{task}", RequestBody::Nothing, of_board, of_id),
        // The calendar has a secret key. The id of a bid is no such key.
        row(get.clone(), "/feeds/calendar/{file}", RequestBody::Nothing, &[(Bid, 404, 404)], (404, 404)),
        // Only operators have access. Other users get 403 whether or not the tender exists.
        row(
            get.clone(),
            "/tenders/{id}/trace",
            RequestBody::Nothing,
            &[(Published, 401, 403), (Draft, 401, 403), (Withdrawn, 401, 403)],
            (403, 403),
        ),
        row(post.clone(), "/tenders/{id}/documents", RequestBody::File, OWNER_CHANGES, of_id),
        row(get.clone(), "/tenders/{id}/documents/{document}", RequestBody::Nothing, HIDDEN_FILES, of_id),
        row(
            get.clone(),
            "/tenders/{id}/documents/{document}/text",
            RequestBody::Nothing,
            HIDDEN_FILES,
            of_id,
        ),
        row(
            delete.clone(),
            "/tenders/{id}/documents/{document}",
            RequestBody::Nothing,
            &[(DraftFile, 401, 404), (WithdrawnFile, 401, 404)],
            of_id,
        ),
        row(get.clone(), "/documents/{id}", RequestBody::Nothing, &[(File, 404, 404)], of_id),
        row(put.clone(), "/saved/tenders/{id}", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        // Removing a tender that the user has not saved succeeds. The owner's saved tender stays.
        row(
            delete.clone(),
            "/saved/tenders/{id}",
            RequestBody::Nothing,
            &[(Published, 401, 200), (Draft, 401, 200)],
            (200, 422),
        ),
        row(
            put.clone(),
            "/saved/searches/{id}",
            RequestBody::Json(search),
            &[(SavedSearch, 401, 404)],
            of_id,
        ),
        row(delete.clone(), "/saved/searches/{id}", RequestBody::Nothing, &[(SavedSearch, 401, 404)], of_id),
        row(delete.clone(), "/team/invitations/{id}", RequestBody::Nothing, &[(Invitation, 401, 404)], of_id),
        row(delete.clone(), "/team/members/{id}", RequestBody::Nothing, &[(Member, 401, 404)], of_id),
        row(delete.clone(), "/keys/{id}", RequestBody::Nothing, &[(Key, 401, 404)], of_id),
        row(put.clone(), "/reports/{id}", RequestBody::Json(report), &[(Report, 401, 404)], of_id),
        row(delete.clone(), "/reports/{id}", RequestBody::Nothing, &[(Report, 401, 404)], of_id),
        row(get.clone(), "/reports/{id}/file", RequestBody::Nothing, &[(Report, 401, 404)], of_id),
        // The feed of a search has a secret key. The search's id is no such key.
        row(get.clone(), "/feeds/saved/{key}", RequestBody::Nothing, &[(SavedSearch, 404, 404)], (404, 404)),
        row(get.clone(), "/alerts/{id}", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(put.clone(), "/alerts/{id}", RequestBody::Json(alert), &[(Alert, 401, 404)], of_id),
        row(delete.clone(), "/alerts/{id}", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(Method::PATCH, "/alerts/{id}/toggle", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(post.clone(), "/alerts/{id}/test", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(post.clone(), "/alerts/{id}/send-test-email", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(get.clone(), "/alerts/{id}/matches", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(get.clone(), "/alerts/{id}/proposals", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(
            put.clone(),
            "/alerts/{id}/matches/{tender}/irrelevance",
            RequestBody::Nothing,
            &[(Alert, 401, 404)],
            of_id,
        ),
        row(
            delete.clone(),
            "/alerts/{id}/matches/{tender}/irrelevance",
            RequestBody::Nothing,
            &[(Alert, 401, 404)],
            of_id,
        ),
        row(
            get.clone(),
            "/subscriptions/verify-session/{sessionId}",
            RequestBody::Nothing,
            &[(Checkout, 401, 404)],
            (404, 404),
        ),
        row(get.clone(), "/subscriptions/invoices/{id}", RequestBody::Nothing, &[(Invoice, 401, 404)], of_id),
        // The path names a provider, and an id is an unknown provider.
        row(post.clone(), "/webhooks/{provider}", RequestBody::Nothing, &[(Checkout, 404, 404)], (404, 404)),
        row(delete.clone(), "/auth/sessions/{id}", RequestBody::Nothing, &[(Session, 401, 404)], of_id),
        // A row must hold for its path with any id, so this one has no valid proof.
        row(
            post.clone(),
            "/auth/passkeys/{id}/removal",
            RequestBody::Json(json!({})),
            &[(Session, 401, 422)],
            (422, 422),
        ),
        row(get.clone(), "/clips/{hash}", RequestBody::Nothing, &[(Clip, 404, 404)], (404, 404)),
        row(
            post.clone(),
            "/operate/review/{key}",
            RequestBody::Json(json!({"decision": "reject"})),
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/review/{key}/claim",
            RequestBody::Nothing,
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/review/{key}/skip",
            RequestBody::Nothing,
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        // Only administrators may use these routes, whatever the id names.
        row(
            put.clone(),
            "/operate/users/{id}/lock",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/lock",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/users/{id}/role",
            RequestBody::Json(json!({"role": "buyer"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/second-factors",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/sessions",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/users/{id}/confirmation",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/tenders/{id}/takedown",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Published, 401, 403), (Draft, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/tenders/{id}/takedown",
            RequestBody::Nothing,
            &[(Published, 401, 403), (Withdrawn, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/publications/{id}/approval",
            RequestBody::Json(json!({"revision": 1})),
            &[(Draft, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/publications/{id}/refusal",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Draft, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/mail/dead/{id}/retry",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/mail/suppressed/{id}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/messages/{id}",
            RequestBody::Json(json!({"isAnswered": true})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/payments/events/{id}/settlement",
            RequestBody::Json(json!({"note": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/gazetteer/{id}",
            RequestBody::Json(json!({"state": "refused", "name": "x", "thing": {"kind": "organization"}})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/tokens/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(get.clone(), "/operate/batches/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            post.clone(),
            "/operate/batches/{id}/undo",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        // Only reviewers, administrators and workers with an operator token may use these routes,
        // whatever the id names.
        row(get.clone(), "/operate/pages/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            get.clone(),
            "/operate/pages/{id}/file",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/pages/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            post.clone(),
            "/operate/pages/{id}/boxes",
            RequestBody::Json(json!({"box": [0.1, 0.1, 0.2, 0.2], "decision": "notice"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/pages/{id}/boxes/{box}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/pages/{id}/reading",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/pages/{id}/issue",
            RequestBody::Json(json!({"publication": "Daily Lanka", "date": null})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            get.clone(),
            "/operate/pages/{id}/picture",
            RequestBody::Nothing,
            &[(Session, 422, 422)],
            (422, 422),
        ),
        row(
            put.clone(),
            "/operate/papers/{id}",
            RequestBody::Json(json!({"version": 1})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/papers/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            put.clone(),
            "/operate/papers/{id}/absences/{day}",
            RequestBody::Json(json!({"note": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/papers/{id}/absences/{day}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/holidays/{day}",
            RequestBody::Json(json!({"name": "x", "kind": "poya"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/holidays/{day}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(get, "/ingest/leases/{id}/file", RequestBody::Nothing, &[(Session, 401, 401)], (401, 401)),
        row(
            put.clone(),
            "/ingest/leases/{id}",
            RequestBody::Json(json!({})),
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(delete, "/ingest/leases/{id}", RequestBody::Nothing, &[(Session, 401, 401)], (401, 401)),
        row(
            put.clone(),
            "/ingest/leases/{id}/failure",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(
            put.clone(),
            "/ingest/leases/{id}/result",
            RequestBody::Nothing,
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(put.clone(), "/ingest/pages/{key}", RequestBody::Nothing, &[(Notice, 401, 401)], (401, 401)),
        row(put, "/ingest/notices/{key}", RequestBody::Nothing, &[(Notice, 401, 401)], (401, 401)),
    ]
}
