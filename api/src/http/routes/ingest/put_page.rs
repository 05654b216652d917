//! PUT /ingest/pages/{key}: stores the result of a page that `ingest run` has read from a file of its
//! own. The key identifies the page and makes the request idempotent.

use super::{invalid, page_parts::read_page_parts};
use crate::{
    app::state::AppState,
    clients::file_store::is_hash,
    domain::error::ServiceError,
    http::{
        envelope::{Envelope, NoData},
        error::FailureBody,
        extract::{Operator, PathName, scope},
    },
    services::newspaper_pages::reading,
};
use axum::extract::{Multipart, State, multipart::MultipartRejection};
use tender_model::page_reading::ReportedPage;
use utoipa::ToSchema;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body in the OpenAPI document")]
pub struct ReportParts {
    /// The page and the result, as JSON of at most 1 MiB.
    page: ReportedPage,
    /// The picture of the page: a JPEG of at most 4 MiB. The boxes of the blocks refer to it.
    #[schema(value_type = String, format = Binary)]
    picture: Vec<u8>,
}

/// Report a page that was read elsewhere
///
/// The page is listed as read. The portal does not get its file. The request is idempotent, and a
/// later result replaces an earlier one.
#[utoipa::path(put, path = "/ingest/pages/{key}", tag = "ingest", operation_id = "putPage",
params(("key" = String, Path, description =
    "The key of the page: SHA-256 of the file's SHA-256 and the page number as four bytes, in 64 hex digits")),
request_body(content = ReportParts, content_type = "multipart/form-data"), security(("operator" = [])), responses(
    (status = 200, description = "The result is stored", body = Envelope<NoData>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope publish", body = FailureBody),
    (status = 413, description = "A part is too large", body = FailureBody),
    (status = 422, description = "The key, the result or the picture is invalid", body = FailureBody),
))]
pub async fn put_page(
    State(state): State<AppState>,
    _: Operator<scope::Publish>,
    PathName(key): PathName,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Envelope<NoData>, ServiceError> {
    if !is_hash(&key) {
        return Err(invalid("key", "The key must be 64 lower-case hex digits"));
    }
    let (page, picture) = read_page_parts::<ReportedPage>(form, "page").await?;
    let page = reading::check_reported(&key, page)?;
    let picture = reading::store_picture(&state, picture).await?;
    reading::store_reported(&state, &page, &picture).await?;
    Ok(Envelope::of(NoData {}))
}
