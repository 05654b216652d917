//! POST /operate/pages: streams a file of newspaper pages to disk and lets its pages be read. The
//! format is detected from the first bytes. The name on disk is the hash of the file.

use super::PageView;
use crate::{
    app::state::AppState,
    clients::{
        disk_space::DiskSpace,
        file_store::{FileName, IncomingFile},
    },
    domain::{
        error::{FieldError, ServiceError},
        newspaper_page::{MAX_PAGE_FILE_BYTES, PageFile, PageFilter, PageFormat},
        validation,
    },
    http::{envelope::Envelope, error::FailureBody, extract::Reviewer},
    services::newspaper_pages::manage,
    storage::{newspaper_pages, stored_files::FileFolder},
};
use anyhow::Context;
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use serde::Serialize;
use tender_model::{terminal_text::single_line, vocabulary::Day};
use utoipa::ToSchema;
use uuid::Uuid;

/// The context of disk errors.
const STORING: &str = "storing a newspaper file";
/// The maximum number of excess bytes that are read and discarded, so that the client receives the
/// error response.
const MAX_DISCARDED: u64 = 4 * MAX_PAGE_FILE_BYTES;
/// The maximum size of the whole request, in bytes.
pub const REQUEST_LIMIT: usize = (MAX_PAGE_FILE_BYTES + MAX_DISCARDED) as usize;
/// The maximum size of another part than the file, in bytes.
const TEXT_LIMIT: usize = 4096;
/// The maximum number of characters of a file's name.
const MAX_NAME_LENGTH: usize = 200;
/// The maximum number of characters of a newspaper's name.
const MAX_PUBLICATION_LENGTH: usize = 100;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body in the OpenAPI document")]
pub struct PageFileParts {
    /// The file, with its name: PDF, JPEG, PNG or TIFF of at most 100 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The newspaper. Without it, the newspaper is read from the page.
    publication: Option<String>,
    /// The issue date. Without it, the date is read from the page.
    #[schema(value_type = Option<String>, format = Date)]
    date: Option<Day>,
}

/// An uploaded file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedPages {
    /// The id of the file.
    file_id: Uuid,
    /// Whether the portal did not have the file before.
    is_new: bool,
    /// The pages that are known so far, at most 200.
    pages: Vec<PageView>,
}

/// Upload newspaper pages
///
/// A worker opens the file later and adds its further pages. A file with known content is not stored
/// again.
#[utoipa::path(post, path = "/operate/pages", tag = "operate", operation_id = "uploadPages",
request_body(content = PageFileParts, content_type = "multipart/form-data"),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The file was uploaded before", body = Envelope<UploadedPages>),
    (status = 201, description = "Uploaded", body = Envelope<UploadedPages>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 409, description = "The file is being forgotten", body = FailureBody),
    (status = 413, description = "The file is too large", body = FailureBody),
    (status = 422, description = "The format is not supported, or a value is invalid", body = FailureBody),
))]
pub async fn upload_pages(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Envelope<UploadedPages>), ServiceError> {
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    DiskSpace::new(&state.config).require()?;
    let Upload { incoming, name, format, publication, date } = read_upload(&state, form).await?;
    let (hash, size) = (incoming.hash(), incoming.size());
    state.files.keep(incoming, &FileName::newspaper_page(&hash)).await?;
    let file = PageFile {
        id: state.random.id(&state.clock),
        hash,
        name,
        media_type: format.media_type().to_owned(),
        size: i64::try_from(size).map_err(anyhow::Error::from)?,
        publication,
        issue_date: date,
    };
    let (file_id, is_new) = manage::add_file(&state, &actor, &file).await?;
    let filter = PageFilter { file_id: Some(file_id), ..PageFilter::default() };
    let pages = newspaper_pages::page(&state.db, &filter, None, 200, state.clock.now()).await?;
    let uploaded = UploadedPages { file_id, is_new, pages: pages.into_iter().map(PageView::from).collect() };
    Ok(if is_new {
        (StatusCode::CREATED, Envelope::of(uploaded))
    } else {
        (StatusCode::OK, Envelope::with_message("This file was uploaded before", uploaded))
    })
}

/// A complete upload that is not yet moved into place.
struct Upload {
    incoming: IncomingFile,
    name: String,
    format: PageFormat,
    publication: String,
    date: Option<Day>,
}

async fn read_upload(state: &AppState, mut form: Multipart) -> Result<Upload, ServiceError> {
    let (mut file, mut publication, mut date) = (None, None, None);
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        match field.name() {
            Some("file") if file.is_none() => file = Some(read_file(state, field).await?),
            Some("publication") if publication.is_none() => publication = Some(read_text(field).await?),
            Some("date") if date.is_none() => date = Some(read_text(field).await?),
            _ => {
                let message = "The form must have one part called file, and at most one called publication and one called date";
                return Err(invalid("form", message));
            }
        }
    }
    let (incoming, name, format) = file.ok_or_else(|| invalid("file", "The form has no part called file"))?;
    let publication = parse_publication(&publication.unwrap_or_default())?;
    let date = date.map(|date| date.trim().to_owned()).filter(|date| !date.is_empty());
    let date = date.as_deref().map(parse_issue_date).transpose()?;
    Ok(Upload { incoming, name, format, publication, date })
}

/// An issue date between 2000 and 2100.
pub(super) fn parse_issue_date(date: &str) -> Result<Day, ServiceError> {
    validation::parse_day(date).map_err(|message| invalid("date", &message))
}

/// The name of a newspaper in one line, or nothing.
pub(super) fn parse_publication(publication: &str) -> Result<String, ServiceError> {
    validation::parse_line(publication, "Newspaper", MAX_PUBLICATION_LENGTH)
        .map_err(|message| invalid("publication", &message))
}

async fn read_file(
    state: &AppState,
    mut field: Field<'_>,
) -> Result<(IncomingFile, String, PageFormat), ServiceError> {
    let name = clean_name(field.file_name().unwrap_or_default());
    let mut incoming = state.files.receive(FileFolder::NewspaperPages).await?;
    let (mut head, mut received) = (Vec::new(), 0_u64);
    while let Some(bytes) = field.chunk().await.map_err(multipart_error)? {
        received += bytes.len() as u64;
        if received > MAX_PAGE_FILE_BYTES {
            continue;
        }
        let missing = PageFormat::SNIFFED_BYTES.saturating_sub(head.len()).min(bytes.len());
        head.extend_from_slice(bytes.get(..missing).unwrap_or_default());
        incoming.write(&bytes).await.context(STORING)?;
    }
    if received > MAX_PAGE_FILE_BYTES {
        return Err(file_too_large());
    }
    if received == 0 {
        return Err(invalid("file", "The file is empty"));
    }
    let format = PageFormat::sniff(&head)
        .ok_or_else(|| invalid("file", "This is not a newspaper page. Upload PDF, JPEG, PNG or TIFF"))?;
    Ok((incoming, name, format))
}

async fn read_text(mut field: Field<'_>) -> Result<String, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(multipart_error)? {
        if bytes.len() + chunk.len() > TEXT_LIMIT {
            return Err(ServiceError::TooLarge("The form contains a text that is too long".into()));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| invalid("form", "The form contains a text that is not UTF-8"))
}

/// The last part of a file's name, in one line and of limited length.
fn clean_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = single_line(last).trim().chars().take(MAX_NAME_LENGTH).collect();
    if name.is_empty() { "page".to_owned() } else { name }
}

fn file_too_large() -> ServiceError {
    ServiceError::TooLarge(format!("A newspaper file may have at most {} MB", MAX_PAGE_FILE_BYTES >> 20))
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}

fn multipart_error(error: MultipartError) -> ServiceError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => file_too_large(),
        _ => ServiceError::Unreadable("The form broke off before its end, or is malformed".into()),
    }
}
