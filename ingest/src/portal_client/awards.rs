//! Sends awards to a portal.

use super::{PublishError, Publisher};
use reqwest::Method;
use tender_model::award::{AwardDecision, AwardReceipt};

impl Publisher {
    /// Sends a decision with its awards, and retries if the portal is busy, fails or is unreachable. The
    /// portal recognises a decision by its key, so that sending it again changes nothing.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away, or refuses the token or the decision.
    pub async fn publish_awards(&self, decision: &AwardDecision) -> Result<AwardReceipt, PublishError> {
        self.retry(|| self.send(Method::POST, "awards", |request| Ok(request.json(decision)))).await
    }
}
