//! POST /bids/{id}/files, GET and DELETE /bids/{id}/files/{file}: files that a team keeps with a bid.

use super::{BidDetails, PersonView};
use crate::{
    app::state::AppState,
    clients::{document_file, file_store::FileName},
    domain::{
        bid::files::{BidFile, NewBidFile},
        error::ServiceError,
    },
    http::{
        document_upload::{DocumentParts, Upload, read_upload},
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId, PathIds},
        file_response::respond_with_file,
    },
    services::bids::Board,
};
use axum::{
    extract::{Multipart, Request, State, multipart::MultipartRejection},
    http::{StatusCode, header},
    response::Response,
};
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The content security policy, which forbids all content if a browser displays the file anyway.
const FORBID_ALL_POLICY: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/// A file of a bid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidFile)]
pub(super) struct FileView {
    /// The file's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name.
    name: String,
    /// The media type.
    #[serde(rename = "type")]
    media_type: String,
    /// The size in bytes.
    size: i64,
    /// Who uploaded it; `null`: the account was deleted.
    #[schema(required)]
    uploader: Option<PersonView>,
    /// When it was uploaded.
    created_at: Moment,
}

impl From<BidFile> for FileView {
    fn from(file: BidFile) -> Self {
        Self {
            id: file.id,
            name: file.name,
            media_type: file.media_type,
            size: file.size,
            uploader: file.uploader.map(PersonView::from),
            created_at: Moment::new(file.created_at),
        }
    }
}

/// Add a file to a bid
///
/// The users of the board see the file. A file whose content the bid already has is not added again.
#[utoipa::path(post, path = "/bids/{id}/files", tag = "bids", operation_id = "addBidFile",
params(("id" = Uuid, Path, description = "`_id` of the bid")),
request_body(content = DocumentParts, content_type = "multipart/form-data"), security(("session" = [])), responses(
    (status = 200, description = "The bid had a file with this content", body = Envelope<BidDetails>),
    (status = 201, description = "The bid with the file", body = Envelope<BidDetails>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The files of the board would be larger than the plan permits", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "The bid has too many files", body = FailureBody),
    (status = 413, description = "The file is too large", body = FailureBody),
    (status = 422, description = "The file type is not supported", body = FailureBody),
))]
pub async fn add_file(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Envelope<BidDetails>), ServiceError> {
    state.documents.require_space()?;
    let board = Board::of(&state, &caller).await?;
    board.require_room(id).await?;
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let Upload { incoming, name, kind } = read_upload(&state, form).await?;
    let (hash, size) = (incoming.hash(), incoming.size());
    state.files.keep(incoming, &FileName::document(&hash)).await?;
    let size = i64::try_from(size).map_err(anyhow::Error::from)?;
    let file = NewBidFile { hash, name, media_type: kind.media_type.to_owned(), size };
    let is_new = board.add_file(id, file).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Envelope::of(BidDetails::load(&state, &board, id).await?)))
}

/// Download a file of a bid
#[utoipa::path(get, path = "/bids/{id}/files/{file}", tag = "bids", operation_id = "readBidFile",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("file" = Uuid, Path, description = "`_id` of the file")), security(("session" = [])), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 206, description = "The requested range", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 304, description = "Not modified"),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid, or the bid no such file", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn read_file(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, id): PathIds,
    request: Request,
) -> Result<Response, ServiceError> {
    let file = Board::of(&state, &caller).await?.file(bid, id).await?;
    let headers = [
        // The generic type keeps browsers from displaying the file.
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, document_file::content_disposition(&file.name)),
        (header::CONTENT_SECURITY_POLICY, FORBID_ALL_POLICY.to_owned()),
        (header::CACHE_CONTROL, "private, no-store, no-transform".to_owned()),
    ];
    let name = FileName::document(file.hash);
    respond_with_file(&state.files, &name, request, headers).await?.ok_or(ServiceError::NotFound("File"))
}

/// Delete a file of a bid
#[utoipa::path(delete, path = "/bids/{id}/files/{file}", tag = "bids", operation_id = "deleteBidFile",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("file" = Uuid, Path, description = "`_id` of the file")), security(("session" = [])), responses(
    (status = 200, description = "The bid without the file", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid, or the bid no such file", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn delete_file(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, id): PathIds,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.remove_file(bid, id).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, bid).await?))
}
