//! Publishing of awards, and the past awards that a tender is like.

use crate::{
    app::context::Context,
    domain::{
        award::StoredAward,
        error::{FieldError, ServiceError},
    },
    storage::{
        self,
        awards::{self, NewLot},
    },
};
use sha2::{Digest, Sha256};
use tender_model::{
    award::{AwardDecision, AwardOutcome},
    deduplication::reference_key,
    past_awards::{AmountSpread, AwardRelation, ComparedAward, relate, significant_words, spreads},
    tender::Tender,
};

/// A shorter reference belongs to more than one tender.
const MIN_REFERENCE_CHARS: usize = 8;
/// The maximum number of awards that are compared with a tender.
const MAX_CANDIDATES: i64 = 300;
/// The maximum number of words that candidates are searched by.
const MAX_WORDS: usize = 40;
/// The maximum number of awards beside a tender. Their spread is of the same awards.
const MAX_ALIKE: usize = 30;

/// Stores a decision with its awards. It replaces an earlier version of the decision.
///
/// # Errors
/// Invalid, with the first field that is wrong.
pub async fn publish(context: &Context, decision: &AwardDecision) -> Result<AwardOutcome, ServiceError> {
    decision.check().map_err(|error| {
        ServiceError::Invalid(vec![FieldError::new(
            error.field,
            format!("{} {}", error.field, error.problem),
        )])
    })?;
    let content = serde_json::to_vec(decision).map_err(anyhow::Error::from)?;
    let hash = Sha256::digest(&content).to_vec();
    let references = reference_keys(&decision.references);
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let before = awards::content_hash(&mut tx, &decision.key).await?;
    if before.as_ref() == Some(&hash) {
        return Ok(AwardOutcome::Unchanged);
    }
    let mut last = 0;
    for award in &decision.awards {
        last += 1;
        let lot = NewLot { id: context.random.id(&context.clock), lot: last, award };
        awards::store(&mut tx, decision, &lot, (&references, &hash), now).await?;
    }
    awards::delete_lots_after(&mut tx, &decision.key, last).await?;
    tx.commit().await?;
    Ok(if before.is_some() { AwardOutcome::Updated } else { AwardOutcome::Created })
}

/// The keys of the references that are long enough to belong to one tender.
fn reference_keys(references: &[String]) -> Vec<String> {
    let mut keys: Vec<String> =
        references.iter().filter_map(|reference| long_reference_key(Some(reference))).collect();
    keys.sort();
    keys.dedup();
    keys
}

fn long_reference_key(reference: Option<&str>) -> Option<String> {
    reference_key(reference).filter(|key| key.chars().count() >= MIN_REFERENCE_CHARS)
}

/// An award beside a tender.
pub struct PastAward {
    /// The award.
    pub award: StoredAward,
    /// Whether it is the outcome of the tender.
    pub is_outcome: bool,
}

/// The past awards that a tender is like, and the spread of their amounts.
pub struct PastAwards {
    /// The outcome of the tender first, then the most alike.
    pub awards: Vec<PastAward>,
    /// The spread of the amounts of each currency. The outcome of the tender is not in it.
    pub spreads: Vec<AmountSpread>,
}

/// Finds the past awards that a tender is like.
///
/// # Errors
/// Internal if the database fails.
pub async fn past_awards(context: &Context, tender: &Tender) -> Result<PastAwards, ServiceError> {
    let key = long_reference_key(tender.reference_no.as_deref());
    let words = significant_words(&tender.title);
    let query = words.iter().take(MAX_WORDS).map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ");
    let found = awards::candidates(&context.db, &query, key.as_deref(), MAX_CANDIDATES).await?;
    let mut related: Vec<(f64, PastAward)> = found
        .into_iter()
        .filter_map(|award| {
            let compared = ComparedAward {
                title: &award.title,
                body: award.body.as_ref().map(|(name, _)| name.as_str()),
                decided_on: award.decided_on,
                has_same_reference: key
                    .as_ref()
                    .is_some_and(|key| reference_keys(&award.references).contains(key)),
            };
            let (likeness, is_outcome) = match relate(tender, &compared) {
                AwardRelation::Outcome => (2.0, true),
                AwardRelation::Alike(likeness) => (likeness, false),
                AwardRelation::Other => return None,
            };
            Some((likeness, PastAward { award, is_outcome }))
        })
        .collect();
    related.sort_by(|(one, first), (other, second)| {
        other.total_cmp(one).then(second.award.decided_on.cmp(&first.award.decided_on))
    });
    related.truncate(MAX_ALIKE);
    let awards: Vec<PastAward> = related.into_iter().map(|(_, award)| award).collect();
    let alike = awards.iter().filter(|past| !past.is_outcome);
    let spreads = spreads(alike.filter_map(|past| past.award.single_amount()));
    Ok(PastAwards { awards, spreads })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_reference_belongs_to_no_tender() {
        let references = ["RDA/NCB/2017/12", "T/12", "rda ncb 2017-12"].map(str::to_owned);
        assert_eq!(reference_keys(&references).len(), 1);
    }
}
