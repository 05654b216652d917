//! GET /operate/audit: lists the audit log.

use crate::{
    app::state::AppState,
    domain::audit::{ActorKind, AuditAction, AuditEntry, AuditFilter, AuditSubject},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    storage::{self, audit_log},
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested part of the log.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuditQuery {
    /// Only entries before the entry with this id.
    before: Option<i64>,
    /// Only entries with this action.
    action: Option<AuditAction>,
    /// Only entries of this user or operator token.
    actor: Option<Uuid>,
    /// Only entries about the subject with this id.
    subject: Option<String>,
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub struct AuditEntryView {
    /// The id. Later entries have higher ids.
    id: i64,
    /// When the action was recorded.
    at: Moment,
    /// The kind of the actor.
    actor_kind: ActorKind,
    /// The id of the user or operator token.
    #[schema(required)]
    actor_id: Option<Uuid>,
    /// The present mail address of the user, the name of the token, or the account of the operating system.
    #[schema(required)]
    actor_name: Option<String>,
    /// The IP address of the request.
    #[schema(required)]
    address: Option<String>,
    /// What was done.
    action: AuditAction,
    /// The kind of the subject.
    subject: AuditSubject,
    /// The id of the subject within its kind.
    subject_id: String,
    /// The present name of the subject: the mail address of a user, the title of a tender or notice, the
    /// name of a file, a newspaper or an entry of the gazetteer. `null`: it has none, or is deleted.
    #[schema(required)]
    subject_name: Option<String>,
    /// The changed values before the action.
    #[schema(required, value_type = Option<BTreeMap<String, Value>>)]
    before: Option<Value>,
    /// The changed values after the action.
    #[schema(required, value_type = Option<BTreeMap<String, Value>>)]
    after: Option<Value>,
}

/// A part of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditLog {
    /// The entries, latest first.
    entries: Vec<AuditEntryView>,
    /// Send this id as `before` to read the next part. `null`: there are no more entries.
    #[schema(required)]
    next: Option<i64>,
}

/// The number of entries in a response.
const PAGE_SIZE: usize = 50;

/// List the audit log
#[utoipa::path(get, path = "/operate/audit", tag = "operate", operation_id = "audit",
params(AuditQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the log", body = Envelope<AuditLog>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_audit_log(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<AuditQuery>,
) -> ApiResult<AuditLog> {
    let AuditQuery { before, action, actor, subject } = query;
    // A text in Postgres can't contain NUL.
    let subject_id = subject.map(|subject| subject.replace('\0', ""));
    let filter = AuditFilter { action, actor_id: actor, subject_id };
    let mut tx = storage::begin_list(&state.db).await?;
    let mut found = audit_log::page(&mut *tx, &filter, before, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    Ok(Envelope::of(AuditLog { entries: found.into_iter().map(AuditEntryView::from).collect(), next }))
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id,
            at: Moment::new(entry.at),
            actor_kind: entry.actor_kind,
            actor_id: entry.actor_id,
            actor_name: entry.actor_name,
            address: entry.address,
            action: entry.action,
            subject: entry.subject,
            subject_id: entry.subject_id,
            subject_name: entry.subject_name,
            before: entry.before,
            after: entry.after,
        }
    }
}
