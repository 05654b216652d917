//! PUT /ingest/notices/{key}: publishes one notice. The key identifies the notice's place on the
//! page and makes the request idempotent: a repeated request never creates another tender.
//! `crate::services::tenders::notices` decides how the notice is published.

use super::{invalid, is_key};
use crate::{
    app::state::AppState,
    clients::file_store::{self, FileName},
    domain::{
        audit::{Actor, ActorIdentity},
        clip::MediaType,
        error::ServiceError,
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{CallerAddress, Operator, PathName, Query, input::too_large, scope},
    },
    services::tenders::notices::{self, SentNotice},
    storage::clips::Clip,
};
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tender_model::publish_receipt::{Outcome, Receipt};
use tender_model::{
    notice_words::{self, NoticeWords},
    tender::Tender,
    vocabulary::Visibility,
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The maximum size of a notice's file, in bytes.
const NOTICE_LIMIT: usize = 1024 * 1024;
/// The maximum size of a clip, in bytes.
const CLIP_LIMIT: usize = 8 * 1024 * 1024;
/// The maximum size of the whole request, in bytes.
pub const REQUEST_LIMIT: usize = NOTICE_LIMIT + CLIP_LIMIT + notice_words::MAX_BYTES + 64 * 1024;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body in the OpenAPI document")]
pub struct NoticeParts {
    /// The notice's file: front matter and text.
    #[schema(content_media_type = "text/markdown")]
    notice: String,
    /// The clip that the notice was read from: JPEG, PNG or WebP.
    #[schema(value_type = String, format = Binary)]
    clip: Vec<u8>,
    /// The words of the notice with their places, as JSON.
    #[schema(value_type = Option<NoticeWords>, content_media_type = "application/json")]
    words: Option<String>,
}

/// How the notice is published.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PutNoticeQuery {
    /// Whether the notice waits for review instead of being published, because the sender's rule
    /// holds it.
    #[serde(default)]
    #[param(required = false, default = false)]
    hold: bool,
}

/// Publish a notice
///
/// The request is idempotent. If the notice announces a known tender again, it is added to the
/// tender as a source. A corrigendum changes its tender, and a doubtful notice is put in review.
#[utoipa::path(put, path = "/ingest/notices/{key}", tag = "ingest", operation_id = "putNotice",
params(("key" = String, Path, description =
    "The key that identifies the notice's place on its page: 32 hex digits"), PutNoticeQuery),
request_body(content = NoticeParts, content_type = "multipart/form-data"), security(("operator" = [])), responses(
    (status = 200, description = "The notice was already known, was joined to a tender, or is in review",
        body = Envelope<Receipt>),
    (status = 201, description = "A new tender was created", body = Envelope<Receipt>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope publish", body = FailureBody),
    (status = 413, description = "A part is too large", body = FailureBody),
    (status = 422, description = "The notice or the clip is invalid", body = FailureBody),
))]
pub async fn put_notice(
    State(state): State<AppState>,
    Operator { token_id, .. }: Operator<scope::Publish>,
    CallerAddress(address): CallerAddress,
    PathName(key): PathName,
    Query(PutNoticeQuery { hold: is_held }): Query<PutNoticeQuery>,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Envelope<Receipt>), ServiceError> {
    if !is_key(&key) {
        return Err(invalid("key", "The key must be 32 lower-case hex digits"));
    }
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let parts = read_parts(form).await?;
    let text =
        str::from_utf8(&parts.notice).map_err(|_| invalid("notice", "The notice is not UTF-8 text"))?;
    let mut tender = read_tender(text)?;
    let media_type = MediaType::sniff(&parts.clip)
        .ok_or_else(|| invalid("clip", "The clip is not a JPEG, PNG or WebP image"))?;
    let words = parts.words.as_deref().map(NoticeWords::parse).transpose();
    let words = words.map_err(|error| invalid("words", &error.to_string()))?;
    let hash = file_store::hash(&parts.clip);
    for (nth, source) in tender.sources.iter_mut().enumerate() {
        source.clip_url = (nth == 0).then(|| format!("/api/clips/{hash}"));
    }
    let size = i32::try_from(parts.clip.len()).map_err(anyhow::Error::from)?;
    state.files.put_missing(&FileName::clip(&hash, media_type), parts.clip).await?;
    let clip = Clip { hash, media_type: media_type.as_str().to_owned(), size };
    let mut content_hash = Sha256::new().chain_update(&parts.notice).chain_update(&clip.hash);
    for part in parts.words.iter().map(Vec::as_slice).chain(is_held.then_some(b"held".as_slice())) {
        content_hash.update(part);
    }
    let content_hash = content_hash.finalize().to_vec();
    let arrival = SentNotice { key, record: tender, clip, words, is_held, content_hash };
    let actor = Actor { identity: ActorIdentity::Token(token_id), address: Some(address) };
    let published = notices::publish(&state, &actor, arrival).await?;
    state.metrics.portal.record_notice(published.outcome);
    tracing::info!(tender = ?published.id, outcome = ?published.outcome, "a notice was published");
    let status = if published.outcome == Outcome::Created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Envelope::of(published)))
}

/// Reads the tender from a notice's file. Fields that a newspaper cannot state, such as the id and
/// the attached files, are reset.
fn read_tender(text: &str) -> Result<Tender, ServiceError> {
    let read =
        tender_model::notice_file::read(text).map_err(|error| invalid("notice", &error.to_string()))?;
    let tender = Tender {
        // A new tender of a newspaper is public, and has no attached files or changes.
        id: Uuid::nil(),
        published_at: None,
        visibility: Visibility::Public,
        documents: Vec::new(),
        changes: Vec::new(),
        ..read
    };
    if tender.title.trim().is_empty() && tender.full_text_markdown.trim().is_empty() {
        return Err(invalid("notice", "The notice has neither a title nor a text"));
    }
    if tender.sources.is_empty() {
        return Err(invalid("notice", "The notice has no source"));
    }
    let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
    if tender.source_url.as_ref().is_some_and(|url| !is_web(url)) {
        return Err(invalid("notice", "sourceUrl is not a web address"));
    }
    // JSON in the database can represent neither NaN nor the NUL character.
    let record = serde_json::to_value(&tender).map_err(anyhow::Error::from)?;
    let is_storable = !record.to_string().contains("\\u0000")
        && serde_json::from_value(record).is_ok_and(|parsed: Tender| parsed == tender);
    if is_storable {
        Ok(tender)
    } else {
        Err(invalid("notice", "The notice contains a value that cannot be stored"))
    }
}

struct UploadedNotice {
    notice: Vec<u8>,
    clip: Vec<u8>,
    words: Option<Vec<u8>>,
}

async fn read_parts(mut form: Multipart) -> Result<UploadedNotice, ServiceError> {
    let (mut notice, mut clip, mut words) = (None, None, None);
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        let (part, limit, subject) = match field.name() {
            Some("notice") => (&mut notice, NOTICE_LIMIT, "a notice"),
            Some("clip") => (&mut clip, CLIP_LIMIT, "a clip"),
            Some("words") => (&mut words, notice_words::MAX_BYTES, "the words of a notice"),
            _ => {
                let message = "The form must have the parts notice and clip, may have words, and no others";
                return Err(invalid("form", message));
            }
        };
        if part.is_some() {
            return Err(invalid("form", "The form must have each part only once"));
        }
        *part = Some(read_part(field, limit, subject).await?);
    }
    match (notice, clip) {
        (Some(notice), Some(clip)) => Ok(UploadedNotice { notice, clip, words }),
        (None, _) => Err(invalid("notice", "The form has no part called notice")),
        (_, None) => Err(invalid("clip", "The form has no part called clip")),
    }
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
        too_large("a notice with its clip", REQUEST_LIMIT)
    } else {
        ServiceError::Unreadable(format!("The body is not a multipart form: {}", error.body_text()))
    }
}
