//! Routes of awards, which everyone may read.

pub(crate) mod list;
pub(crate) mod read;

use crate::domain::{award::StoredAward, tender_facts::body_slug};
use serde::Serialize;
use tender_model::{
    award::Taxes,
    vocabulary::{Amount, Currency, Day},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// An amount of an award.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AwardedSum {
    /// The amount in whole units.
    pub(crate) amount: Amount,
    /// The currency.
    pub(crate) currency: Currency,
}

/// An award.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedAward)]
pub struct AwardView {
    /// The id.
    #[serde(rename = "_id")]
    pub(crate) id: Uuid,
    /// What is bought: the title of the decision.
    pub(crate) title: String,
    /// What this lot is, if the decision awards several lots.
    #[schema(required)]
    pub(crate) lot: Option<String>,
    /// The winners. Empty: the decision names none, or they are not certain.
    pub(crate) winners: Vec<String>,
    /// The amount; two, if the contract is paid in two currencies. Empty: the decision states none, or
    /// it is not certain.
    pub(crate) amounts: Vec<AwardedSum>,
    /// Whether the amount contains taxes, if the decision says so.
    #[schema(required)]
    pub(crate) taxes: Option<Taxes>,
    /// The body that awards, if the decision names it.
    #[schema(required)]
    pub(crate) body: Option<String>,
    /// The `slug` of the body's page, if the decision names the body.
    #[schema(required)]
    pub(crate) body_slug: Option<String>,
    /// The day of the decision.
    #[schema(value_type = String, format = Date)]
    pub(crate) decided_on: Day,
    /// The number of the decision on its day.
    pub(crate) decision_number: u32,
    /// Where the decision is published.
    pub(crate) source_url: String,
    /// The references of the tender, as printed.
    pub(crate) references: Vec<String>,
    /// The tender of this portal with one of the references.
    #[schema(required)]
    pub(crate) tender: Option<Uuid>,
}

impl From<StoredAward> for AwardView {
    fn from(stored: StoredAward) -> Self {
        let body = stored.body.map(|(name, _)| name);
        let sum = |sum: &tender_model::award::AwardAmount| AwardedSum {
            amount: sum.amount,
            currency: sum.currency,
        };
        Self {
            id: stored.id,
            title: stored.title,
            lot: stored.award.lot.map(|lot| lot.name),
            winners: stored.award.winners.into_iter().map(|winner| winner.name).collect(),
            amounts: stored.award.amounts.iter().map(sum).collect(),
            taxes: stored.award.taxes,
            body_slug: body.as_deref().and_then(body_slug),
            body,
            decided_on: stored.decided_on,
            decision_number: stored.decision_number,
            source_url: stored.source_url,
            references: stored.references,
            tender: stored.tender_id,
        }
    }
}
