//! PUT /ingest/leases/{id}/result: stores the result of a page.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Envelope, NoData},
        error::FailureBody,
        extract::{Operator, PathId, scope},
        routes::ingest::page_parts::read_page_parts,
    },
    services::newspaper_pages::reading,
};
use axum::extract::{Multipart, State, multipart::MultipartRejection};
use tender_model::page_reading::PageReading;
use utoipa::ToSchema;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body in the OpenAPI document")]
pub struct ReadingParts {
    /// The result, as JSON of at most 1 MiB.
    reading: PageReading,
    /// The picture of the page: a JPEG of at most 4 MiB. The boxes of the blocks refer to it.
    #[schema(value_type = String, format = Binary)]
    picture: Vec<u8>,
}

/// Send the result of a page
///
/// The lease ends. The request is idempotent: the result of a lease is stored once.
#[utoipa::path(put, path = "/ingest/leases/{id}/result", tag = "ingest", operation_id = "putPageResult",
params(("id" = Uuid, Path, description = "The id of the lease")),
request_body(content = ReadingParts, content_type = "multipart/form-data"), security(("operator" = [])), responses(
    (status = 200, description = "The result is stored", body = Envelope<NoData>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 413, description = "A part is too large", body = FailureBody),
    (status = 422, description = "The result or the picture is invalid", body = FailureBody),
))]
pub async fn put_page_result(
    State(state): State<AppState>,
    _: Operator<scope::Work>,
    PathId(id): PathId,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Envelope<NoData>, ServiceError> {
    let (reading, picture) = read_page_parts(form, "reading").await?;
    let reading = reading::check(reading)?;
    let picture = reading::store_picture(&state, picture).await?;
    reading::store(&state, id, &reading, &picture).await?;
    Ok(Envelope::of(NoData {}))
}
