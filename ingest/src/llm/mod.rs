//! Reads notices with a model behind an OpenAI-compatible server, in addition to the rules of
//! [`crate::extract`]. The rules always run first. Each request holds one notice. The answer is
//! untrusted. If a request fails, the values of the rules are kept. The batch decides which notices
//! are sent.

mod budget;
mod client;
mod failure;
mod model;
mod prompt;
mod reconcile;
mod response;
mod settings;

pub use budget::{Prices, Tokens};
pub use client::ATTEMPTS;
pub use failure::ModelFailure;
pub use model::{Model, ModelReading, UsageReport};
pub use prompt::{Prompt, VERSION};
pub use reconcile::ReconcileCounts;
pub use settings::{ModelError, ModelSettings};
