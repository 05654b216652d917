//! Responds with stored files. Conditional requests and requests for one range (RFC 9110) are supported.

use crate::{
    clients::file_store::{FileName, FileStore},
    domain::error::ServiceError,
    http::error::failure_response,
};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::ops::Range;

/// Responds with a file, with the requested range of it, or with 304 if the client has it. `headers` are
/// those of the file. `None`: there is no such file.
///
/// # Errors
/// 503 if the place of the files can't be reached.
pub async fn respond_with_file<const N: usize>(
    files: &FileStore,
    name: &FileName,
    request: Request,
    headers: [(HeaderName, String); N],
) -> Result<Option<Response>, ServiceError> {
    let (request, _) = request.into_parts();
    let tag = format!("\"{}\"", name.hash());
    let mut response = match find_content(files, name, &request.method, &request.headers, &tag).await? {
        Some(response) => response,
        None => {
            tracing::error!(file = %name, "a stored file is missing");
            return Ok(None);
        }
    };
    if response.status() == StatusCode::RANGE_NOT_SATISFIABLE {
        return Ok(Some(response));
    }
    let own = [(header::ETAG, tag), (header::ACCEPT_RANGES, "bytes".to_owned())];
    for (name, value) in own.into_iter().chain(headers) {
        response.headers_mut().insert(name, HeaderValue::try_from(value).map_err(anyhow::Error::from)?);
    }
    Ok(Some(response))
}

/// The status, the content and the headers that depend on both.
async fn find_content(
    files: &FileStore,
    name: &FileName,
    method: &Method,
    headers: &HeaderMap,
    tag: &str,
) -> Result<Option<Response>, ServiceError> {
    if lists_tag(headers, &header::IF_NONE_MATCH, tag) {
        return Ok(Some(StatusCode::NOT_MODIFIED.into_response()));
    }
    // A range of an earlier file, which had another tag, must not be mixed with the present one.
    let is_same = !headers.contains_key(header::IF_RANGE) || lists_tag(headers, &header::IF_RANGE, tag);
    let wanted = headers.get(header::RANGE).filter(|_| *method == Method::GET && is_same);
    let mut range = None;
    if wanted.is_some() || *method == Method::HEAD {
        let Some(size) = files.size(name).await? else { return Ok(None) };
        if let Some(wanted) = wanted {
            match parse_range(wanted, size) {
                Ok(one) => range = one,
                Err(NotSatisfiable) => return Ok(Some(refuse_range(size)?)),
            }
        } else {
            return Ok(Some(([(header::CONTENT_LENGTH, size)], Body::empty()).into_response()));
        }
    }
    let Some(file) = files.open_file(name, range.clone()).await? else { return Ok(None) };
    let length = (header::CONTENT_LENGTH, (file.range.end - file.range.start).to_string());
    let content = Body::from_stream(file.content);
    Ok(Some(match range {
        Some(Range { start, end }) => {
            let part = (header::CONTENT_RANGE, format!("bytes {start}-{}/{}", end - 1, file.size));
            (StatusCode::PARTIAL_CONTENT, [length, part], content).into_response()
        }
        None => ([length], content).into_response(),
    }))
}

/// Whether a header contains this entity tag.
fn lists_tag(headers: &HeaderMap, name: &HeaderName, tag: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == tag)
}

/// The requested range is malformed, or outside the file.
#[derive(Debug, PartialEq, Eq)]
struct NotSatisfiable;

/// Parses a `Range` header. `None`: several ranges, instead of which the whole file is sent.
fn parse_range(wanted: &HeaderValue, size: u64) -> Result<Option<Range<u64>>, NotSatisfiable> {
    let text = wanted.to_str().map_err(|_| NotSatisfiable)?;
    let parsed = http_range_header::parse_range_header(text).and_then(|ranges| ranges.validate(size));
    match parsed.map_err(|_| NotSatisfiable)?.as_slice() {
        [one] if *one.start() < size => Ok(Some(*one.start()..one.end() + 1)),
        [_] => Err(NotSatisfiable),
        _ => Ok(None),
    }
}

fn refuse_range(size: u64) -> Result<Response, ServiceError> {
    let mut refused = failure_response(StatusCode::RANGE_NOT_SATISFIABLE, "The file has no such part");
    let size = HeaderValue::try_from(format!("bytes */{size}")).map_err(anyhow::Error::from)?;
    refused.headers_mut().insert(header::CONTENT_RANGE, size);
    Ok(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("bytes=0-0", 10, Ok(Some(0..1)))]
    #[case("bytes=5-", 10, Ok(Some(5..10)))]
    #[case("bytes=5-99", 10, Ok(Some(5..10)))]
    #[case("bytes=-3", 10, Ok(Some(7..10)))]
    #[case("bytes=0-1,4-5", 10, Ok(None))]
    #[case("bytes=10-", 10, Err(NotSatisfiable))]
    #[case("bytes=5-2", 10, Err(NotSatisfiable))]
    #[case("bytes=0-", 0, Err(NotSatisfiable))]
    #[case("lines=1-2", 10, Err(NotSatisfiable))]
    #[case("bytes=18446744073709551615-", 10, Err(NotSatisfiable))]
    fn range_is_limited_to_the_file(
        #[case] header: &'static str,
        #[case] size: u64,
        #[case] expected: Result<Option<Range<u64>>, NotSatisfiable>,
    ) {
        assert_eq!(parse_range(&HeaderValue::from_static(header), size), expected);
    }
}
