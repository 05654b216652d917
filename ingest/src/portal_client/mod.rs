//! Sends notices to a portal over HTTP, takes pages from it ([`pages`]), and reads what its reviewers
//! found out ([`knowledge`]). The PUT requests are
//! idempotent, so that they can be sent again when the outcome is unknown. The caller records what
//! was sent.

mod awards;
mod error;
mod knowledge;
mod pages;
mod review;
mod settings;

pub use error::PublishError;
pub use knowledge::PortalGazetteer;
pub use review::{PortalDecision, PortalReview};
pub use settings::{ATTEMPTS, Portal};
pub use tender_model::publish_receipt::{Outcome, Receipt};

use crate::base::retry::{Attempt, RetryPolicy, retry_after};
use reqwest::{
    Client, Method, RequestBuilder, StatusCode,
    multipart::{Form, Part},
};
use serde::{Deserialize, de::DeserializeOwned};
use std::time::Duration;

/// The maximum number of bytes that are read of an answer.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// A notice with its clip, ready to be sent.
#[derive(Debug, Clone)]
pub struct NoticeUpload {
    /// The key. The same notice of the same page always has the same key.
    pub key: String,
    /// The Markdown file.
    pub notice: String,
    /// The clip as JPEG.
    pub clip: Vec<u8>,
    /// The words with their places as JSON, if they are known.
    pub words: Option<Vec<u8>>,
    /// Whether the notice waits for review at the portal instead of being published.
    pub is_held: bool,
}

/// A client for one portal.
#[derive(Debug, Clone)]
pub struct Publisher {
    portal: Portal,
    token: String,
    client: Client,
}

#[derive(Deserialize)]
struct Envelope<T> {
    success: bool,
    data: Option<T>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

impl Publisher {
    /// Creates a client for a portal.
    ///
    /// # Errors
    /// [`PublishError::Unavailable`] if no HTTP client can be created.
    pub fn new(portal: Portal, token: &str) -> Result<Self, PublishError> {
        let client = Client::builder()
            .timeout(portal.timeout)
            .connect_timeout(portal.timeout.min(Duration::from_secs(10)))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("serendib-ingest/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| PublishError::Unavailable {
                url: portal.url.to_string(),
                reason: error.to_string(),
            })?;
        Ok(Self { portal, token: token.trim().to_owned(), client })
    }

    /// Sends one notice, and retries if the portal is busy, fails or is unreachable.
    pub async fn publish(&self, upload: &NoticeUpload) -> Result<Receipt, PublishError> {
        self.retry(|| async {
            let form = multipart_form(upload);
            let hold = if upload.is_held { "?hold=true" } else { "" };
            let path = format!("notices/{}{hold}", upload.key);
            self.send(Method::PUT, &path, |request| Ok(request.multipart(form?))).await
        })
        .await
    }

    /// Retries if the portal is busy, fails or is unreachable.
    async fn retry<T, F>(&self, attempt: impl FnMut() -> F) -> Result<T, PublishError>
    where
        F: Future<Output = Attempt<T, PublishError>>,
    {
        let policy = RetryPolicy {
            attempts: ATTEMPTS,
            first_wait: self.portal.first_wait,
            longest_wait: settings::MAX_WAIT,
        };
        policy.run(attempt).await.map_err(|error| match error {
            PublishError::Unavailable { url, reason } => {
                PublishError::Unavailable { url, reason: format!("{reason}, {ATTEMPTS} times") }
            }
            error => error,
        })
    }

    fn url(&self) -> String {
        self.portal.url.to_string()
    }

    fn again<T>(&self, reason: String, wait: Option<Duration>) -> Attempt<T, PublishError> {
        Attempt::Again(PublishError::Unavailable { url: self.url(), reason }, wait)
    }

    /// Sends a request to a path below `api/ingest` and reads the payload of the answer.
    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        complete: impl FnOnce(RequestBuilder) -> reqwest::Result<RequestBuilder>,
    ) -> Attempt<T, PublishError> {
        let (status, wait, answer) = match self.request(method, path, complete).await {
            Ok(response) => {
                let (status, wait) = (response.status(), retry_after(response.headers()));
                match read_bounded(response).await {
                    Ok(answer) => (status, wait, answer),
                    Err(error) => return self.again(describe_error(&error, self.portal.timeout), None),
                }
            }
            Err(failed) => return failed.into(),
        };
        match status {
            StatusCode::OK | StatusCode::CREATED => match serde_json::from_slice::<Envelope<T>>(&answer) {
                Ok(Envelope { success: true, data: Some(data) }) => Attempt::Done(data),
                _ => self.not_a_portal(format!("its answer {} cannot be parsed", status.as_u16())),
            },
            status => self.refusal(status, wait, &answer),
        }
    }

    /// Sends a request to a path below `api/ingest`.
    async fn request(
        &self,
        method: Method,
        path: &str,
        complete: impl FnOnce(RequestBuilder) -> reqwest::Result<RequestBuilder>,
    ) -> Result<reqwest::Response, FailedAttempt> {
        self.request_api(method, &format!("ingest/{path}"), complete).await
    }

    /// Sends a request to a path below `api`.
    async fn request_api(
        &self,
        method: Method,
        path: &str,
        complete: impl FnOnce(RequestBuilder) -> reqwest::Result<RequestBuilder>,
    ) -> Result<reqwest::Response, FailedAttempt> {
        let Ok(url) = self.portal.url.join(&format!("api/{path}")) else {
            return Err(FailedAttempt::Final(PublishError::Address { address: self.url() }));
        };
        let request = complete(self.client.request(method, url).bearer_auth(&self.token))
            .map_err(|_| FailedAttempt::Final(PublishError::Address { address: self.url() }))?;
        request.send().await.map_err(|error| {
            let reason = describe_error(&error, self.portal.timeout);
            FailedAttempt::Temporary(PublishError::Unavailable { url: self.url(), reason })
        })
    }

    /// The failure of a request with this status.
    fn refusal<T>(
        &self,
        status: StatusCode,
        wait: Option<Duration>,
        answer: &[u8],
    ) -> Attempt<T, PublishError> {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let message = refusal_message(answer);
                Attempt::Failed(PublishError::Token { url: self.url(), status: status.as_u16(), message })
            }
            StatusCode::BAD_REQUEST
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::CONFLICT => Attempt::Failed(PublishError::Refused {
                status: status.as_u16(),
                message: refusal_message(answer),
            }),
            StatusCode::TOO_MANY_REQUESTS => self.again("it is busy (429)".to_owned(), wait),
            status if status.is_server_error() => self.again(format!("it fails ({})", status.as_u16()), wait),
            status => self.not_a_portal(format!("it answers {}", status.as_u16())),
        }
    }

    fn not_a_portal<T>(&self, reason: String) -> Attempt<T, PublishError> {
        Attempt::Failed(PublishError::NotAPortal { url: self.url(), reason })
    }
}

/// A request without a response.
enum FailedAttempt {
    /// A retry would fail too.
    Final(PublishError),
    /// A retry may help.
    Temporary(PublishError),
}

impl<T> From<FailedAttempt> for Attempt<T, PublishError> {
    fn from(failed: FailedAttempt) -> Self {
        match failed {
            FailedAttempt::Final(error) => Self::Failed(error),
            FailedAttempt::Temporary(error) => Self::Again(error, None),
        }
    }
}

fn multipart_form(upload: &NoticeUpload) -> reqwest::Result<Form> {
    let notice = Part::text(upload.notice.clone()).file_name("notice.md").mime_str("text/markdown")?;
    let clip = Part::bytes(upload.clip.clone()).file_name("clip.jpg").mime_str("image/jpeg")?;
    let mut form = Form::new().part("notice", notice).part("clip", clip);
    if let Some(words) = &upload.words {
        form = form
            .part("words", Part::bytes(words.clone()).file_name("words.json").mime_str("application/json")?);
    }
    Ok(form)
}

async fn read_bounded(mut response: reqwest::Response) -> reqwest::Result<Vec<u8>> {
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        answer.extend_from_slice(&chunk[..chunk.len().min(MAX_RESPONSE_BYTES - answer.len())]);
        if answer.len() == MAX_RESPONSE_BYTES {
            break;
        }
    }
    Ok(answer)
}

fn refusal_message(answer: &[u8]) -> String {
    let message = serde_json::from_slice::<Refusal>(answer).map(|refusal| refusal.message);
    let message = message.unwrap_or_else(|_| "it gives no reason".to_owned());
    message.chars().filter(|c| !c.is_control()).take(300).collect()
}

fn describe_error(error: &reqwest::Error, timeout: Duration) -> String {
    if error.is_timeout() {
        format!("no answer within {} s", timeout.as_secs_f32())
    } else if error.is_connect() {
        "nothing accepts connections there".to_owned()
    } else {
        "the connection broke".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;
    use wiremock::{
        Mock, MockServer, ResponseTemplate,
        matchers::{header, method, path},
    };

    const TENDER: Uuid = Uuid::from_u128(7);

    fn upload() -> NoticeUpload {
        NoticeUpload {
            key: "0a".repeat(16),
            notice: "---\ntitle: T\n---\n\ntext\n".into(),
            clip: vec![0xFF, 0xD8, 0xFF],
            words: None,
            is_held: false,
        }
    }

    fn good(outcome: &str) -> ResponseTemplate {
        ResponseTemplate::new(201)
            .set_body_json(json!({"success": true, "data": {"_id": TENDER, "outcome": outcome}}))
    }

    async fn send(server: &MockServer) -> Result<Receipt, PublishError> {
        let mut portal = Portal::new(&server.uri()).unwrap();
        portal.first_wait = Duration::from_millis(1);
        portal.timeout = Duration::from_millis(400);
        Publisher::new(portal, "secret\n").unwrap().publish(&upload()).await
    }

    async fn answering(answer: ResponseTemplate, times: u64) -> Result<Receipt, PublishError> {
        let server = MockServer::start().await;
        Mock::given(method("PUT")).respond_with(answer).expect(times).mount(&server).await;
        send(&server).await
    }

    #[tokio::test]
    async fn a_notice_is_put_under_its_key() {
        let server = MockServer::start().await;
        Mock::given(method("PUT"))
            .and(path(format!("/api/ingest/notices/{}", "0a".repeat(16))))
            .and(header("authorization", "Bearer secret"))
            .respond_with(good("created"))
            .expect(1)
            .mount(&server)
            .await;
        assert_eq!(send(&server).await.unwrap(), Receipt { id: Some(TENDER), outcome: Outcome::Created });
        let sent = server.received_requests().await.unwrap();
        let body = String::from_utf8_lossy(&sent[0].body).into_owned();
        assert!(
            body.contains("name=\"notice\"") && body.contains("text/markdown") && body.contains("title: T"),
            "{body}"
        );
        assert!(body.contains("name=\"clip\"") && body.contains("image/jpeg"), "{body}");
    }

    #[tokio::test]
    async fn a_refused_token_is_final() {
        let error = answering(ResponseTemplate::new(401), 1).await.unwrap_err();
        assert!(matches!(error, PublishError::Token { status: 401, .. }) && error.is_final());
    }

    #[tokio::test]
    async fn a_refused_notice_is_not_final() {
        let answer = ResponseTemplate::new(422)
            .set_body_json(json!({"success": false, "message": "Title is required"}));
        let error = answering(answer, 1).await.unwrap_err();
        assert_eq!(error, PublishError::Refused { status: 422, message: "Title is required".into() });
        assert!(!error.is_final());
    }

    #[tokio::test]
    async fn a_busy_portal_is_retried() {
        let server = MockServer::start().await;
        let busy = ResponseTemplate::new(429);
        Mock::given(method("PUT")).respond_with(busy).up_to_n_times(2).expect(2).mount(&server).await;
        Mock::given(method("PUT")).respond_with(good("unchanged")).expect(1).mount(&server).await;
        assert_eq!(send(&server).await.unwrap().outcome, Outcome::Unchanged);
    }

    #[tokio::test]
    async fn a_notice_that_waits_has_no_tender() {
        let waits =
            ResponseTemplate::new(200).set_body_json(json!({"success": true, "data": {"outcome": "review"}}));
        let receipt = answering(waits, 1).await.unwrap();
        assert_eq!(receipt, Receipt { id: None, outcome: Outcome::Review });
    }

    #[tokio::test]
    async fn retry_after_is_respected() {
        let server = MockServer::start().await;
        let away = ResponseTemplate::new(503).insert_header("retry-after", "1");
        Mock::given(method("PUT")).respond_with(away).up_to_n_times(1).mount(&server).await;
        Mock::given(method("PUT")).respond_with(good("created")).mount(&server).await;
        let begun = std::time::Instant::now();
        assert_eq!(send(&server).await.unwrap().outcome, Outcome::Created);
        assert!(begun.elapsed() >= Duration::from_secs(1), "the wait was too short");
    }

    #[tokio::test]
    async fn a_failing_portal_is_given_up() {
        let error = answering(ResponseTemplate::new(500), u64::from(ATTEMPTS)).await.unwrap_err();
        assert!(error.to_string().contains("it fails (500), 4 times"), "{error}");
    }

    #[tokio::test]
    async fn a_hanging_portal_is_given_up() {
        let slow = good("created").set_delay(Duration::from_secs(60));
        let error = answering(slow, u64::from(ATTEMPTS)).await.unwrap_err();
        assert!(error.to_string().contains("no answer within"), "{error}");
    }

    #[tokio::test]
    async fn another_service_is_not_a_portal() {
        let rubbish = ResponseTemplate::new(200).set_body_string("<html>".repeat(100_000));
        assert!(matches!(answering(rubbish, 1).await.unwrap_err(), PublishError::NotAPortal { .. }));
        assert!(matches!(
            answering(ResponseTemplate::new(404), 1).await.unwrap_err(),
            PublishError::NotAPortal { .. }
        ));
        let redirect = ResponseTemplate::new(302).insert_header("location", "http://127.0.0.1:9/");
        assert!(matches!(answering(redirect, 1).await.unwrap_err(), PublishError::NotAPortal { .. }));
    }

    #[tokio::test]
    async fn a_portal_that_is_down_is_reported() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let mut portal = Portal::new(&address).unwrap();
        portal.first_wait = Duration::from_millis(1);
        let error = Publisher::new(portal, "t").unwrap().publish(&upload()).await.unwrap_err();
        assert!(error.to_string().contains("nothing accepts connections there"), "{error}");
    }

    #[test]
    fn an_address_is_checked() {
        assert_eq!(Portal::new("http://localhost:8080/portal").unwrap().url.path(), "/portal/");
        for wrong in ["", "localhost:8080", "ftp://x", "http://"] {
            assert!(matches!(Portal::new(wrong), Err(PublishError::Address { .. })), "{wrong}");
        }
    }
}
