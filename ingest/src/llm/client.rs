//! Sends chat completion requests to an OpenAI-compatible server, with retries and with limits on
//! size and time. Only the answer and the usage are kept. Other text from the server is never
//! shown.

use super::{
    budget::{Budget, Tokens},
    failure::ModelFailure,
    prompt::Prompt,
    response::ModelResponse,
    settings::{ModelError, ModelSettings},
};
use crate::base::retry::{Attempt, RetryPolicy, retry_after};
use async_openai::{Client, config::OpenAIConfig, error::OpenAIError, middleware::HttpRequestFactory};
use reqwest::StatusCode;
use secrecy::ExposeSecret;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use std::time::Duration;

/// The maximum number of attempts for one notice.
pub const ATTEMPTS: u32 = 4;
/// The maximum size of a response, in bytes, including its JSON envelope.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// A client for one model of a server.
pub(super) struct ChatClient {
    client: Client<OpenAIConfig>,
    model: String,
    max_output_tokens: u32,
    policy: RetryPolicy,
}

/// The parts of a completion that are read.
#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
}

/// Why a request returned no completion.
#[derive(Debug, thiserror::Error)]
#[error("{failure}")]
struct RequestError {
    failure: ModelFailure,
    /// The wait that the server asked for.
    wait: Option<Duration>,
}

impl From<ModelFailure> for RequestError {
    fn from(failure: ModelFailure) -> Self {
        Self { failure, wait: None }
    }
}

impl ChatClient {
    pub(super) fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        let http = reqwest::Client::builder()
            .timeout(settings.timeout)
            .connect_timeout(settings.timeout.min(Duration::from_secs(10)))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("serendib-ingest/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|_| ModelError::Client)?;
        let config = OpenAIConfig::new()
            .with_api_base(settings.url.as_str().trim_end_matches('/'))
            .with_api_key(settings.key.expose_secret())
            .with_org_id("")
            .with_project_id("");
        // The default transport of the client retries after random waits, reads without a limit,
        // and logs text that it cannot parse.
        let transport = http.clone();
        let service = tower::service_fn(move |request: HttpRequestFactory| {
            let http = transport.clone();
            async move {
                let request = request.build().await?;
                send(&http, request).await.map_err(|error| OpenAIError::Boxed(Box::new(error)))
            }
        });
        Ok(Self {
            client: Client::build(http, config).with_http_service(service),
            model: settings.model.clone(),
            max_output_tokens: settings.max_output_tokens,
            policy: RetryPolicy {
                attempts: ATTEMPTS,
                first_wait: settings.first_wait,
                longest_wait: settings.longest_wait,
            },
        })
    }

    /// Sends a prompt, with retries, and charges its cost.
    pub(super) async fn ask(&self, prompt: &Prompt, budget: &Budget) -> Result<ModelResponse, ModelFailure> {
        let completion = self.policy.run(|| self.attempt(prompt, budget)).await?;
        read_choice(completion)
    }

    async fn attempt(&self, prompt: &Prompt, budget: &Budget) -> Attempt<Completion, ModelFailure> {
        let Some(reservation) = budget.reserve(prompt.max_tokens(self.max_output_tokens)).await else {
            return Attempt::Failed(ModelFailure::OverBudget);
        };
        let request = prompt.request(&self.model, self.max_output_tokens);
        match self.client.chat().create_byot::<_, Value>(request).await {
            Ok(answer) => {
                let completion: Option<Completion> = serde_json::from_value(answer).ok();
                let usage = completion.as_ref().and_then(|completion| completion.usage.as_ref());
                reservation.charge(
                    usage.map(|usage| Tokens { input: usage.prompt_tokens, output: usage.completion_tokens }),
                );
                completion.map_or(Attempt::Failed(ModelFailure::UnexpectedResponse), Attempt::Done)
            }
            Err(error) => {
                let RequestError { failure, wait } = request_error(error);
                if failure.may_cost() {
                    reservation.charge(None);
                }
                match failure {
                    ModelFailure::Busy
                    | ModelFailure::ServerFailed
                    | ModelFailure::TimedOut
                    | ModelFailure::Unreachable => Attempt::Again(failure, wait),
                    failure => Attempt::Failed(failure),
                }
            }
        }
    }
}

fn request_error(error: OpenAIError) -> RequestError {
    match error {
        OpenAIError::Boxed(error) => error
            .downcast::<RequestError>()
            .map_or_else(|_| ModelFailure::RequestRefused.into(), |error| *error),
        _ => ModelFailure::RequestRefused.into(),
    }
}

/// Sends a request. Only JSON within the size limit is returned, so that the OpenAI client never
/// logs text that it cannot parse.
async fn send(http: &reqwest::Client, request: reqwest::Request) -> Result<reqwest::Response, RequestError> {
    let broken = |error: &reqwest::Error| -> RequestError {
        if error.is_timeout() { ModelFailure::TimedOut.into() } else { ModelFailure::Unreachable.into() }
    };
    let mut response = http.execute(request).await.map_err(|error| broken(&error))?;
    let failure = match response.status() {
        StatusCode::OK => None,
        StatusCode::TOO_MANY_REQUESTS => Some(ModelFailure::Busy),
        StatusCode::REQUEST_TIMEOUT => Some(ModelFailure::TimedOut),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Some(ModelFailure::KeyRefused),
        StatusCode::NOT_FOUND => Some(ModelFailure::NotFound),
        status if status.is_server_error() => Some(ModelFailure::ServerFailed),
        status if status.is_client_error() => Some(ModelFailure::RequestRefused),
        _ => Some(ModelFailure::UnexpectedResponse),
    };
    if let Some(failure) = failure {
        return Err(RequestError { failure, wait: retry_after(response.headers()) });
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(ModelFailure::TooLarge.into());
        }
        bytes.extend_from_slice(&chunk);
    }
    if serde_json::from_slice::<IgnoredAny>(&bytes).is_err() {
        return Err(ModelFailure::UnexpectedResponse.into());
    }
    Ok(http::Response::new(bytes).into())
}

/// Reads the answer from the first choice of a completion. The answer must be complete.
fn read_choice(completion: Completion) -> Result<ModelResponse, ModelFailure> {
    let Some(Choice { message, finish_reason }) = completion.choices.into_iter().next() else {
        return Err(ModelFailure::UnexpectedResponse);
    };
    if message.refusal.is_some_and(|words| !words.is_empty()) {
        return Err(ModelFailure::Refused);
    }
    match finish_reason.as_deref() {
        Some("length") => return Err(ModelFailure::CutOff),
        Some("content_filter") => return Err(ModelFailure::Refused),
        _ => {}
    }
    ModelResponse::read(&message.content.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

    async fn send_to_server(answer: ResponseTemplate) -> Result<reqwest::Response, RequestError> {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(answer).mount(&server).await;
        let http = reqwest::Client::new();
        send(&http, http.get(server.uri()).build().unwrap()).await
    }

    #[tokio::test]
    async fn the_wait_of_a_busy_server_is_returned() {
        let busy = ResponseTemplate::new(429).insert_header("retry-after", "17");
        let unanswered = send_to_server(busy).await.unwrap_err();
        assert_eq!(
            (unanswered.failure, unanswered.wait),
            (ModelFailure::Busy, Some(Duration::from_secs(17)))
        );
        let failing = send_to_server(ResponseTemplate::new(502)).await.unwrap_err();
        assert_eq!((failing.failure, failing.wait), (ModelFailure::ServerFailed, None));
    }

    #[tokio::test]
    async fn a_response_is_read_up_to_the_size_limit() {
        let json = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
        let answer = |length: usize| ResponseTemplate::new(200).set_body_string(json(length));
        assert_eq!(
            send_to_server(answer(MAX_RESPONSE_BYTES)).await.unwrap().bytes().await.unwrap().len(),
            MAX_RESPONSE_BYTES
        );
        assert_eq!(
            send_to_server(answer(MAX_RESPONSE_BYTES + 1)).await.unwrap_err().failure,
            ModelFailure::TooLarge
        );
    }
}
