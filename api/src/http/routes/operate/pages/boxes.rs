//! POST /operate/pages/{id}/boxes and DELETE /operate/pages/{id}/boxes/{box}: a person draws or
//! dismisses a box on a page, or undoes this.

use crate::{
    app::state::AppState,
    domain::{error::ServiceError, newspaper_page::PageMark},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, PathId, PathIds, Reviewer},
    },
    services::tenders::notices::page_boxes,
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use tender_model::{page_reading::BoxDecision, tender::PageBox, vocabulary::Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// A decision about a box.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxForm {
    /// The rectangle `[x, y, width, height]` as fractions of the picture. To dismiss a block, repeat
    /// its rectangle.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>, min_items = 4, max_items = 4)]
    area: PageBox,
    /// The decision.
    decision: BoxDecision,
}

/// A box about which a person has decided.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PageMark)]
pub struct MarkView {
    /// The id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The rectangle `[x, y, width, height]` as fractions of the picture.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>)]
    area: PageBox,
    /// The decision.
    decision: BoxDecision,
    /// When it was decided.
    at: Moment,
    /// The mail address of the user, or the name of the operator token. `null`: the account is deleted.
    #[schema(required)]
    by: Option<String>,
}

impl From<PageMark> for MarkView {
    fn from(mark: PageMark) -> Self {
        let PageMark { id, decided, at, by, .. } = mark;
        Self { id, area: decided.area, decision: decided.decision, at: Moment::new(at), by }
    }
}

/// The id of a new decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedPageBox {
    /// The id.
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Draw or dismiss a box
///
/// A drawn box is read as a notice: the page waits for a worker again. A dismissed box is no notice:
/// the notice of its block is rejected. Later readings of the page respect the decision.
#[utoipa::path(post, path = "/operate/pages/{id}/boxes", tag = "operate", operation_id = "decidePageBox",
params(("id" = Uuid, Path, description = "The page's id")), request_body = BoxForm,
security(("operator" = []), ("session" = [])), responses(
    (status = 201, description = "Recorded", body = Envelope<DecidedPageBox>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page", body = FailureBody),
    (status = 409, description = "The portal has no file or picture of the page, the page was read again, or a notice or a decided box is at this place",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The box is not on the page, or too small", body = FailureBody),
))]
pub async fn decide_page_box(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
    Body(form): Body<BoxForm>,
) -> Result<(StatusCode, Envelope<DecidedPageBox>), ServiceError> {
    let id = match form.decision {
        BoxDecision::Notice => page_boxes::draw(&state, &actor, id, form.area).await?,
        BoxDecision::Dismissed => page_boxes::dismiss(&state, &actor, id, form.area).await?,
    };
    Ok((StatusCode::CREATED, Envelope::of(DecidedPageBox { id })))
}

/// Undo a drawn or dismissed box
///
/// The notice of a dismissed box gets back its standing. The notice of a drawn box is rejected. The
/// page waits for a worker if its last reading has respected the decision.
#[utoipa::path(delete, path = "/operate/pages/{id}/boxes/{box}", tag = "operate", operation_id = "undoPageBox",
params(("id" = Uuid, Path, description = "The page's id"), ("box" = Uuid, Path, description = "The id of the decision")),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "Undone", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page or decision", body = FailureBody),
    (status = 409, description = "A drawn box is at the place of a dismissed one", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn undo_page_box(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathIds(page, decided): PathIds,
) -> ApiResult<NoData> {
    page_boxes::undo(&state, &actor, page, decided).await?;
    Ok(Envelope::of(NoData {}))
}
