//! GET /ingest/gazetteer: the confirmed names, as a gazetteer file for the readers.

use crate::{
    app::state::AppState,
    domain::{error::ServiceError, gazetteer::file},
    http::{
        error::FailureBody,
        extract::{Operator, scope},
    },
    storage::gazetteer,
};
use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// Read the gazetteer
///
/// Each line has English names, acronyms, Sinhala names, Tamil names and the type, separated by tabs.
/// `ingest run --gazetteer` reads such a file, and `ingest work` asks for it.
#[utoipa::path(get, path = "/ingest/gazetteer", tag = "ingest", operation_id = "readGazetteer",
params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of the last response")),
security(("operator" = [])), responses(
    (status = 200, description = "The file", content_type = "text/tab-separated-values", body = String),
    (status = 304, description = "Not modified"),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope publish", body = FailureBody),
))]
pub async fn read_gazetteer(
    State(state): State<AppState>,
    _: Operator<scope::Publish>,
    headers: HeaderMap,
) -> Result<Response, ServiceError> {
    let (text, version) = file(&gazetteer::confirmed(&state.db).await?);
    let tag = format!("\"{version}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if known.is_some_and(|known| known == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "text/tab-separated-values; charset=utf-8")], text).into_response()
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}
