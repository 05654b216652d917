//! Which model is asked, where, and within which limits.

use super::budget::Prices;
use reqwest::Url;
use secrecy::SecretString;
use std::time::Duration;

/// Which model, where, and how patient and thrifty to be.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// The server's base address: requests go to `chat/completions` below it.
    pub url: Url,
    /// The key.
    pub key: SecretString,
    /// The model's name.
    pub model: String,
    /// Questions on their way at the same time.
    pub jobs: usize,
    /// For each attempt at an answer, from start to end.
    pub timeout: Duration,
    /// Before the second attempt; doubled before each further one.
    pub first_wait: Duration,
    /// The server's own wish to wait is not heeded beyond this.
    pub longest_wait: Duration,
    /// The most tokens of an answer.
    pub max_output_tokens: u32,
    /// What tokens cost.
    pub prices: Prices,
    /// What all calls together may cost, in the prices' currency.
    pub max_cost: Option<f64>,
}

/// Why no model can be asked: what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No key.
    #[error("reading with a model needs a key: set OPENAI_API_KEY, or choose --extractor embedded")]
    NoKey,
    /// The key can be none.
    #[error("OPENAI_API_KEY has characters that no key has; set it to the key alone")]
    Key,
    /// No model.
    #[error("reading with a model needs its name: set OPENAI_MODEL or give --model NAME")]
    NoModel,
    /// The name can be none.
    #[error("OPENAI_MODEL or --model is no name of a model; give it as the server lists it")]
    Model,
    /// No address.
    #[error("OPENAI_BASE_URL or --model-url is no address; write it as https://host/v1")]
    Url,
    /// A price or a cost that is none.
    #[error("prices and --max-cost are numbers from 0 up, such as 0.15")]
    Price,
    /// A bound on what has no price.
    #[error("--max-cost needs --price-in or --price-out: without prices no cost is known")]
    Unpriced,
    /// Nothing can be sent at all.
    #[error("no connections can be made on this machine; choose --extractor embedded")]
    Client,
}

impl ModelSettings {
    /// Settings with the usual patience, and no prices.
    ///
    /// # Errors
    /// Where the address, the key or the name can be none.
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
        // A query would end up in the midst of the calls' addresses.
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
