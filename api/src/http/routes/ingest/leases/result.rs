//! PUT /ingest/leases/{id}/result: stores the result of a page.

use crate::{
    app::state::AppState,
    clients::{clip_store::MediaType, page_store},
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{Envelope, NoData},
        error::FailureBody,
        extract::{Operator, PathId, input::too_large},
    },
    services::newspaper_pages::reading,
};
use anyhow::Context;
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use tender_model::page_reading::PageReading;
use utoipa::ToSchema;

/// The maximum size of the result without the picture, in bytes.
const READING_LIMIT: usize = 1024 * 1024;
/// The maximum size of the picture, in bytes.
const PICTURE_LIMIT: usize = 4 * 1024 * 1024;
/// The maximum size of the whole request, in bytes.
pub const REQUEST_LIMIT: usize = READING_LIMIT + PICTURE_LIMIT + 64 * 1024;

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
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 413, description = "A part is too large", body = FailureBody),
    (status = 422, description = "The result or the picture is invalid", body = FailureBody),
))]
pub async fn put_page_result(
    State(state): State<AppState>,
    _: Operator,
    PathId(id): PathId,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Envelope<NoData>, ServiceError> {
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let (reading, picture) = read_parts(form).await?;
    let picture = page_store::store_picture(&state.config.data.newspaper_pages(), &picture)
        .await
        .context("storing the picture of a page")?;
    reading::store(&state, id, &reading, &picture).await?;
    Ok(Envelope::of(NoData {}))
}

/// Reads and checks the parts of a result.
async fn read_parts(mut form: Multipart) -> Result<(PageReading, Vec<u8>), ServiceError> {
    let (mut reading, mut picture) = (None, None);
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        let (part, limit, subject) = match field.name() {
            Some("reading") => (&mut reading, READING_LIMIT, "a result"),
            Some("picture") => (&mut picture, PICTURE_LIMIT, "a picture"),
            _ => {
                return Err(invalid(
                    "form",
                    "The form must have the parts reading and picture, and no others",
                ));
            }
        };
        if part.is_some() {
            return Err(invalid("form", "The form must have one reading and one picture"));
        }
        *part = Some(read_part(field, limit, subject).await?);
    }
    let reading = reading.ok_or_else(|| invalid("reading", "The form has no part called reading"))?;
    let picture = picture.ok_or_else(|| invalid("picture", "The form has no part called picture"))?;
    let reading: PageReading = serde_json::from_slice(&reading)
        .map_err(|error| invalid("reading", &format!("The reading is not valid: {error}")))?;
    if MediaType::sniff(&picture) != Some(MediaType::Jpeg) {
        return Err(invalid("picture", "The picture is not a JPEG image"));
    }
    Ok((reading::check(reading)?, picture))
}

async fn read_part(mut field: Field<'_>, limit: usize, subject: &str) -> Result<Vec<u8>, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(multipart_error)? {
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(subject, limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn multipart_error(error: MultipartError) -> ServiceError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        too_large("a result with its picture", REQUEST_LIMIT)
    } else {
        ServiceError::Unreadable(format!("The body is not a multipart form: {}", error.body_text()))
    }
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}
