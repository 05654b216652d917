//! Reads what the reviewers of a portal found out: names for the gazetteer, and the ground truth of
//! pages.

use super::{Envelope, PublishError, Publisher, describe_error};
use crate::base::{digest::sha256, retry::Attempt};
use reqwest::{Method, StatusCode, header};
use std::time::Duration;
use tender_model::page_truth::{PageTruths, TruthOfPage};
use uuid::Uuid;

/// The maximum size of the gazetteer, in bytes.
const MAX_GAZETTEER_BYTES: u64 = 1024 * 1024;
/// The maximum size of a part of the ground truth, in bytes.
const MAX_TRUTH_BYTES: u64 = 32 * 1024 * 1024;
/// The maximum size of a newspaper file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024 * 1024;
/// The time limit for the download of a file.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(10);

/// The names that a portal wants its readers to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalGazetteer {
    /// Lines of a gazetteer file.
    pub text: String,
    /// The version of the text.
    pub version: Option<String>,
}

impl Publisher {
    /// Reads the portal's gazetteer. `None`: it is still of the version `known`.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away or refuses the token.
    pub async fn gazetteer(&self, known: Option<&str>) -> Result<Option<PortalGazetteer>, PublishError> {
        self.retry(|| async {
            let sent = self.request(Method::GET, "gazetteer", |request| {
                Ok(match known {
                    Some(version) => request.header(header::IF_NONE_MATCH, version),
                    None => request,
                })
            });
            let response = match sent.await {
                Ok(response) => response,
                Err(failed) => return failed.into(),
            };
            let status = response.status();
            let version = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
            let version = version.map(str::to_owned);
            let bytes = match self.read_to(response, MAX_GAZETTEER_BYTES, self.portal.timeout).await {
                Ok(bytes) => bytes,
                Err(failed) => return failed,
            };
            match status {
                StatusCode::NOT_MODIFIED => Attempt::Done(None),
                StatusCode::OK => match String::from_utf8(bytes) {
                    Ok(text) => Attempt::Done(Some(PortalGazetteer { text, version })),
                    Err(_) => self.not_a_portal("its gazetteer is not text".to_owned()),
                },
                status => self.refusal(status, None, &bytes),
            }
        })
        .await
    }

    /// A part of the pages with checked notices, after the page with an id.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away or refuses the token.
    pub async fn page_truths(&self, after: Option<Uuid>) -> Result<PageTruths, PublishError> {
        let path = match after {
            Some(after) => format!("operate/review/truth?after={after}"),
            None => "operate/review/truth".to_owned(),
        };
        self.retry(|| async {
            let response = match self.request_api(Method::GET, &path, Ok).await {
                Ok(response) => response,
                Err(failed) => return failed.into(),
            };
            let status = response.status();
            let bytes = match self.read_to(response, MAX_TRUTH_BYTES, self.portal.timeout).await {
                Ok(bytes) => bytes,
                Err(failed) => return failed,
            };
            match (status, serde_json::from_slice::<Envelope<PageTruths>>(&bytes)) {
                (StatusCode::OK, Ok(Envelope { success: true, data: Some(data) })) => Attempt::Done(data),
                (StatusCode::OK, _) => self.not_a_portal("its ground truth cannot be parsed".to_owned()),
                (status, _) => self.refusal(status, None, &bytes),
            }
        })
        .await
    }

    /// Downloads the file of a page with ground truth.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away, refuses the token, or sends another file.
    pub async fn download_checked_page(&self, page: &TruthOfPage) -> Result<Vec<u8>, PublishError> {
        let path = format!("operate/pages/{}/file", page.page);
        self.retry(|| async {
            let sent = self.request_api(Method::GET, &path, |request| Ok(request.timeout(DOWNLOAD_TIMEOUT)));
            let response = match sent.await {
                Ok(response) => response,
                Err(failed) => return failed.into(),
            };
            let status = response.status();
            let bytes = match self.read_to(response, MAX_FILE_BYTES, DOWNLOAD_TIMEOUT).await {
                Ok(bytes) => bytes,
                Err(failed) => return failed,
            };
            if status != StatusCode::OK {
                return self.refusal(status, None, &bytes);
            }
            if hex::encode(sha256(&bytes)) != page.file_hash {
                return self.again("it sends a damaged file".to_owned(), None);
            }
            Attempt::Done(bytes)
        })
        .await
    }

    /// Reads the body of an answer of at most `limit` bytes. The error is the failed attempt.
    async fn read_to<T>(
        &self,
        mut response: reqwest::Response,
        limit: u64,
        timeout: Duration,
    ) -> Result<Vec<u8>, Attempt<T, PublishError>> {
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => return Ok(bytes),
                Err(error) => return Err(self.again(describe_error(&error, timeout), None)),
            }
            if bytes.len() as u64 > limit {
                return Err(self.not_a_portal(format!("its answer is larger than {limit} bytes")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portal_client::Portal;
    use serde_json::json;
    use wiremock::{
        Mock, MockServer, ResponseTemplate,
        matchers::{header, path},
    };

    fn client(server: &MockServer) -> Publisher {
        let mut portal = Portal::new(&server.uri()).unwrap();
        portal.first_wait = Duration::from_millis(1);
        Publisher::new(portal, "secret").unwrap()
    }

    #[tokio::test]
    async fn the_gazetteer_is_sent_only_when_it_has_changed() {
        let server = MockServer::start().await;
        Mock::given(header("if-none-match", "\"v1\""))
            .respond_with(ResponseTemplate::new(304))
            .with_priority(1)
            .mount(&server)
            .await;
        let file = ResponseTemplate::new(200).set_body_string("A Board\n").insert_header("etag", "\"v1\"");
        Mock::given(path("/api/ingest/gazetteer")).respond_with(file).mount(&server).await;
        let read = client(&server).gazetteer(None).await.unwrap().unwrap();
        assert_eq!((read.text.as_str(), read.version.as_deref()), ("A Board\n", Some("\"v1\"")));
        assert_eq!(client(&server).gazetteer(read.version.as_deref()).await.unwrap(), None);
    }

    #[tokio::test]
    async fn unusable_answers_are_refused() {
        let server = MockServer::start().await;
        let page = TruthOfPage {
            page: Uuid::from_u128(7),
            number: 1,
            publication: String::new(),
            date: None,
            file_name: "p1.jpg".to_owned(),
            file_hash: hex::encode(sha256(b"page")),
            is_stored: true,
            truth: tender_model::page_truth::PageTruth { complete: false, notices: Vec::new() },
        };
        let answer = |body: serde_json::Value| ResponseTemplate::new(200).set_body_json(body);
        Mock::given(path("/api/operate/review/truth"))
            .respond_with(answer(json!({"success": true, "data": {"pages": 3}})))
            .mount(&server)
            .await;
        Mock::given(path(format!("/api/operate/pages/{}/file", page.page)))
            .respond_with(ResponseTemplate::new(200).set_body_string("page two"))
            .mount(&server)
            .await;
        Mock::given(path("/api/ingest/gazetteer"))
            .respond_with(ResponseTemplate::new(200).set_body_bytes([0xff, 0xfe]))
            .mount(&server)
            .await;
        let client = client(&server);
        assert!(matches!(client.page_truths(None).await, Err(PublishError::NotAPortal { .. })));
        assert!(matches!(client.gazetteer(None).await, Err(PublishError::NotAPortal { .. })));
        let error = client.download_checked_page(&page).await.unwrap_err();
        assert!(error.to_string().contains("damaged file"), "{error}");
    }
}
