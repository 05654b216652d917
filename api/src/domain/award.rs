//! Awards as the portal stores and lists them.

use tender_model::{
    award::{Award, Passage},
    vocabulary::{Amount, Currency, Day},
};
use uuid::Uuid;

/// A stored award.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAward {
    /// The id. It stays the same if the decision is sent again.
    pub id: Uuid,
    /// The number of the lot within its decision, from 1.
    pub lot: u32,
    /// How many lots the decision has.
    pub lots: u32,
    /// What is bought: the title of the decision.
    pub title: String,
    /// The body that awards, and the words that name it.
    pub body: Option<(String, Passage)>,
    /// The day of the decision.
    pub decided_on: Day,
    /// The number of the decision on its day.
    pub decision_number: u32,
    /// Where the decision is published.
    pub source_url: String,
    /// The references, as printed.
    pub references: Vec<String>,
    /// The award with the words it rests on.
    pub award: Award,
    /// The tender of the portal with one of the references, if there is exactly one.
    pub tender_id: Option<Uuid>,
}

impl StoredAward {
    /// The amount, if the contract is paid in one currency.
    #[must_use]
    pub fn single_amount(&self) -> Option<(Currency, Amount)> {
        match self.award.amounts.as_slice() {
            [one] => Some((one.currency, one.amount)),
            _ => None,
        }
    }
}

/// Which awards a list shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AwardFilter {
    /// Words of the title, the body, the winner or the lot.
    pub search: Option<String>,
    /// A part of the name of the body.
    pub body: Option<String>,
    /// A part of the name of a winner.
    pub winner: Option<String>,
    /// The year of the decision.
    pub year: Option<i16>,
    /// The currency of the amount.
    pub currency: Option<Currency>,
    /// The smallest amount, in `currency`.
    pub min_amount: Option<Amount>,
    /// The largest amount, in `currency`.
    pub max_amount: Option<Amount>,
    /// The slug of the body.
    pub body_slug: Option<String>,
}
