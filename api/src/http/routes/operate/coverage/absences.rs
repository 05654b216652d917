//! PUT and DELETE /operate/papers/{id}/absences/{day}: notes that an issue did not appear.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, PathIdAndDay, Reviewer},
    },
    services::coverage::absences,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Why an issue is not expected.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsenceForm {
    /// A note for other operators, in one line. It may be empty.
    #[serde(default)]
    #[schema(max_length = 500)]
    note: String,
}

/// Note that an issue did not appear
///
/// The issue is not a gap any more. A later note replaces the earlier one.
#[utoipa::path(put, path = "/operate/papers/{id}/absences/{day}", tag = "operate", operation_id = "noteAbsence",
params(("id" = Uuid, Path, description = "`_id` of the newspaper"),
    ("day" = String, Path, description = "The day", format = Date)),
request_body = AbsenceForm, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The issue is not expected any more", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "No such newspaper is expected", body = FailureBody),
    (status = 409, description = "The portal has read a part of this issue", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The id, the day or the note is invalid", body = FailureBody),
))]
pub async fn note_absence(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathIdAndDay(id, day): PathIdAndDay,
    Body(form): Body<AbsenceForm>,
) -> ApiResult<NoData> {
    absences::note(&state, &actor, (id, day), &form.note).await?;
    Ok(Envelope::of(NoData {}))
}

/// Expect an issue again
///
/// Removes the note that the issue did not appear.
#[utoipa::path(delete, path = "/operate/papers/{id}/absences/{day}", tag = "operate",
operation_id = "removeAbsence",
params(("id" = Uuid, Path, description = "`_id` of the newspaper"),
    ("day" = String, Path, description = "The day", format = Date)),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The issue is expected again", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "No such newspaper is expected", body = FailureBody),
    (status = 422, description = "The id or the day is invalid", body = FailureBody),
))]
pub async fn remove_absence(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathIdAndDay(id, day): PathIdAndDay,
) -> ApiResult<NoData> {
    absences::remove(&state, &actor, (id, day)).await?;
    Ok(Envelope::of(NoData {}))
}
