//! The settings of a model.

use super::budget::Prices;
use reqwest::Url;
use secrecy::SecretString;
use std::time::Duration;

/// The model, its server and the limits of its requests.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// The base URL. Requests go to `chat/completions` below it.
    pub url: Url,
    /// The API key.
    pub key: SecretString,
    /// The model's name.
    pub model: String,
    /// The number of concurrent requests.
    pub jobs: usize,
    /// The timeout of one attempt.
    pub timeout: Duration,
    /// The wait before the second attempt. It doubles before each further attempt.
    pub first_wait: Duration,
    /// The upper limit for a wait that the server asks for.
    pub longest_wait: Duration,
    /// The maximum number of output tokens of an answer.
    pub max_output_tokens: u32,
    /// The prices of tokens.
    pub prices: Prices,
    /// The cost limit for all requests, in the currency of the prices.
    pub max_cost: Option<f64>,
}

/// Why a model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The key is missing.
    #[error("reading with a model needs a key: set OPENAI_API_KEY, or choose --extractor embedded")]
    NoKey,
    /// The key has invalid characters.
    #[error("OPENAI_API_KEY has invalid characters; set it to the key alone")]
    Key,
    /// The model name is missing.
    #[error("reading with a model needs its name: set OPENAI_MODEL or give --model NAME")]
    NoModel,
    /// The model name is invalid.
    #[error("OPENAI_MODEL or --model is not a valid name; give it as the server lists it")]
    Model,
    /// The URL is invalid.
    #[error("OPENAI_BASE_URL or --model-url is not a URL; write it as https://host/v1")]
    Url,
    /// A price or cost is invalid.
    #[error("prices and --max-cost must be numbers from 0, such as 0.15")]
    Price,
    /// There is a cost limit without prices.
    #[error("--max-cost needs --price-in or --price-out: without prices the cost is unknown")]
    Unpriced,
    /// No HTTP client can be created.
    #[error("no HTTP client can be created on this machine; choose --extractor embedded")]
    Client,
}

impl ModelSettings {
    /// Settings with defaults for timeouts and limits, and without prices.
    ///
    /// # Errors
    /// If the URL, the key or the name is missing or invalid.
    pub fn new(url: &str, key: &str, model: &str) -> Result<Self, ModelError> {
        let is_plain = |text: &str| text.len() <= 512 && text.chars().all(|c| c.is_ascii_graphic());
        let (key, model) = (key.trim(), model.trim());
        if key.is_empty() {
            return Err(ModelError::NoKey);
        }
        if model.is_empty() {
            return Err(ModelError::NoModel);
        }
        if !is_plain(key) {
            return Err(ModelError::Key);
        }
        if !is_plain(model) {
            return Err(ModelError::Model);
        }
        let url: Url = url.trim().parse().map_err(|_| ModelError::Url)?;
        // A query or fragment is refused, because the path of a request would be appended to it.
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(ModelError::Url);
        }
        Ok(Self {
            url,
            key: key.into(),
            model: model.to_owned(),
            jobs: 4,
            timeout: Duration::from_secs(120),
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            max_output_tokens: 2000,
            prices: Prices::default(),
            max_cost: None,
        })
    }
}
