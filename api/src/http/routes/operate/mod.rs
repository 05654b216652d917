//! Routes for administrators and reviewers.

pub(crate) mod audit;
pub(crate) mod batches;
pub(crate) mod coverage;
pub(crate) mod figures;
pub(crate) mod gazetteer;
pub(crate) mod mail;
pub(crate) mod messages;
pub(crate) mod pages;
pub(crate) mod payments;
pub(crate) mod publications;
pub(crate) mod review;
pub(crate) mod tasks;
pub(crate) mod tenders;
pub(crate) mod tokens;
pub(crate) mod users;

use serde::Deserialize;
use utoipa::ToSchema;

/// Why an administrator acts on a tender.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonForm {
    /// The reason, in one line of at most 500 characters. The owner of the tender sees it.
    reason: String,
}
