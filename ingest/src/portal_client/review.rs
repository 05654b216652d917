//! Takes notices from the review queue of a portal and decides about them. The portal gives a notice to
//! one reviewer at a time.

use super::{Envelope, PublishError, Publisher, Receipt, describe_error};
use crate::base::retry::Attempt;
use reqwest::{Method, StatusCode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tender_model::{deduplication::Candidate, tender::Tender};
use uuid::Uuid;

/// The maximum size of an answer, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A notice that the token holds for review.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PortalReview {
    /// The key of the notice.
    pub key: String,
    /// The version of the notice. A decision repeats it.
    pub version: String,
    /// Why the notice is in the queue: `notice`, `relation`, `fields`, `mistake` or `sample`.
    pub reason: String,
    /// Why it is not published. `None`: it is published.
    pub doubt: Option<String>,
    /// The tenders that it may belong to, most likely first.
    pub candidates: Vec<Candidate>,
    /// The tender that it belongs to.
    pub tender: Option<Uuid>,
    /// The number of alerts that match.
    pub alerts: i64,
    /// The fields.
    pub notice: Tender,
    /// What readers reported.
    pub mistakes: Vec<ReportedMistake>,
}

/// A mistake that a reader reported.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReportedMistake {
    /// What the reader wrote.
    pub message: String,
}

/// A decision about a notice.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PortalDecision {
    /// `accept`, `tender`, `source`, `correction` or `reject`.
    pub decision: &'static str,
    /// The version that the reviewer saw.
    pub version: String,
    /// The tender that the notice belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tender: Option<Uuid>,
    /// Why it is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the text is no tender notice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_no_notice: bool,
    /// The corrected fields.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Claimed {
    notices: Vec<PortalReview>,
}

#[derive(Deserialize)]
struct One {
    notice: PortalReview,
}

impl Publisher {
    /// The next notice of the review queue, which the token then holds. `None`: no notice is free.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away or refuses the token.
    pub async fn claim_review(&self) -> Result<Option<PortalReview>, PublishError> {
        let claimed: Claimed =
            self.call(Method::POST, "operate/review/claims", Some(json!({"count": 1}))).await?;
        Ok(claimed.notices.into_iter().next())
    }

    /// Decides about a notice. After an unknown outcome the call must not be repeated blindly: the
    /// portal then answers that the notice was decided.
    ///
    /// # Errors
    /// [`PublishError::Refused`] with the reason, or another error if the portal is away.
    pub async fn decide_review(&self, key: &str, decision: &PortalDecision) -> Result<Receipt, PublishError> {
        let body = serde_json::to_value(decision).unwrap_or_default();
        self.call(Method::POST, &format!("operate/review/{key}"), Some(body)).await
    }

    /// Moves a notice to the end of the queue.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away or the notice was decided.
    pub async fn skip_review(&self, key: &str) -> Result<(), PublishError> {
        self.call::<Value>(Method::POST, &format!("operate/review/{key}/skip"), None).await?;
        Ok(())
    }

    /// Undoes the last decision with this token, and returns its notice.
    ///
    /// # Errors
    /// [`PublishError::Refused`] if there is nothing to undo or the notice has changed since.
    pub async fn undo_review(&self) -> Result<PortalReview, PublishError> {
        let one: One = self.call(Method::POST, "operate/review/undo", None).await?;
        Ok(one.notice)
    }

    /// Gives all notices back.
    ///
    /// # Errors
    /// [`PublishError`] if the portal is away.
    pub async fn release_reviews(&self) -> Result<(), PublishError> {
        self.call::<Value>(Method::DELETE, "operate/review/claims", None).await?;
        Ok(())
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, PublishError> {
        self.retry(|| async {
            let sent = self.request_api(method.clone(), path, |request| {
                Ok(match &body {
                    Some(body) => request.json(body),
                    None => request,
                })
            });
            let mut response = match sent.await {
                Ok(response) => response,
                Err(failed) => return failed.into(),
            };
            let status = response.status();
            let mut bytes = Vec::new();
            loop {
                match response.chunk().await {
                    Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                    Ok(None) => break,
                    Err(error) => return self.again(describe_error(&error, self.portal.timeout), None),
                }
                if bytes.len() as u64 > MAX_BYTES {
                    return self.not_a_portal("its answer is too large".to_owned());
                }
            }
            match status {
                StatusCode::NO_CONTENT => bytes = br#"{"success": true, "data": {}}"#.to_vec(),
                StatusCode::NOT_FOUND => {
                    return Attempt::Failed(PublishError::Refused {
                        status: status.as_u16(),
                        message: super::refusal_message(&bytes),
                    });
                }
                status if !status.is_success() => return self.refusal(status, None, &bytes),
                _ => {}
            }
            match serde_json::from_slice::<Envelope<T>>(&bytes) {
                Ok(Envelope { success: true, data: Some(data) }) => Attempt::Done(data),
                _ => self.not_a_portal("its answer cannot be parsed".to_owned()),
            }
        })
        .await
    }
}
