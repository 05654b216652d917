//! An award: what a decision says about who won a contract. `ingest` reads awards from published
//! decisions, and the portal stores them. Each value carries the words that it rests on.

use crate::vocabulary::{Amount, Currency, Day};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The maximum number of awards of a decision.
pub const MAX_AWARDS: usize = 50;
/// The maximum number of winners of an award.
pub const MAX_WINNERS: usize = 12;
/// The maximum number of amounts of an award, each in a currency of its own.
pub const MAX_AMOUNTS: usize = 2;
/// The maximum number of references of a decision.
pub const MAX_REFERENCES: usize = 8;

const MAX_KEY: usize = 64;
const MAX_TITLE: usize = 1_000;
const MAX_NAME: usize = 300;
const MAX_WORDS: usize = 2_000;
const MAX_URL: usize = 500;
const MAX_REFERENCE: usize = 100;
/// No decision text is longer than this, in bytes.
const MAX_OFFSET: u32 = 1 << 20;

/// The words of a text that a value rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AwardPassage)]
pub struct Passage {
    /// The first byte of the words in the UTF-8 text of the decision.
    pub start: u32,
    /// The byte after the words.
    pub end: u32,
    /// The words as printed.
    pub words: String,
}

/// A name with the words that it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AwardName {
    /// The name.
    pub name: String,
    /// The words that it rests on.
    pub passage: Passage,
}

/// An amount with the words that it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AwardAmount {
    /// The amount in whole units.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The words that it rests on.
    pub passage: Passage,
}

/// Whether an amount contains taxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Taxes {
    /// The decision says that the amount contains taxes.
    Included,
    /// The decision says that the amount contains no taxes.
    Excluded,
}

impl Taxes {
    /// The word in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Included => "included",
            Self::Excluded => "excluded",
        }
    }

    /// Reverses [`Taxes::as_str`].
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        [Self::Included, Self::Excluded].into_iter().find(|taxes| taxes.as_str() == word)
    }
}

/// One award of a decision: a contract, or one lot of several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Award {
    /// The winners. Several are a joint venture, or share the contract. Empty: the decision names
    /// none, or the reader is not certain of them.
    #[serde(default)]
    pub winners: Vec<AwardName>,
    /// The amount. There are two if the contract is paid in two currencies. Empty: the decision
    /// states none, or the reader is not certain of it.
    #[serde(default)]
    pub amounts: Vec<AwardAmount>,
    /// Whether the amount contains taxes, if the decision says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taxes: Option<Taxes>,
    /// What this lot is, if the decision awards several lots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lot: Option<AwardName>,
}

/// A decision with its awards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwardDecision {
    /// The key of the decision at its source. A decision with a known key replaces the earlier one.
    pub key: String,
    /// What is bought: the title of the decision.
    pub title: String,
    /// The day of the decision.
    #[schema(value_type = String, format = Date)]
    pub decided_on: Day,
    /// The number of the decision on its day.
    pub decision_number: u32,
    /// Where the decision is published.
    pub source_url: String,
    /// The body that awards, if the decision names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<AwardName>,
    /// The references of the tender, as printed in the title.
    #[serde(default)]
    pub references: Vec<String>,
    /// The awards in the order of the text.
    pub awards: Vec<Award>,
}

/// What a portal did with a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AwardOutcome {
    /// The portal did not know the decision.
    Created,
    /// The portal knew the decision with other awards.
    Updated,
    /// The portal already had all of it.
    Unchanged,
}

/// The portal's answer to a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AwardReceipt {
    /// What the portal did.
    pub outcome: AwardOutcome,
}

/// A value of a decision that is not acceptable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
pub struct AwardError {
    /// The field, as in JSON.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl AwardDecision {
    /// Checks lengths, counts and the address. A value from outside is stored only after this check.
    ///
    /// # Errors
    /// [`AwardError`] names the first field that is wrong.
    pub fn check(&self) -> Result<(), AwardError> {
        let key_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        require(
            (1..=MAX_KEY).contains(&self.key.len()) && self.key.bytes().all(key_letter),
            ("key", "is 1 to 64 letters, digits, points, hyphens and underscores"),
        )?;
        require(is_text(&self.title, MAX_TITLE), ("title", "is 1 to 1000 characters on one line"))?;
        require((1970..=2199).contains(&self.decided_on.year()), ("decidedOn", "is a day from 1970 on"))?;
        require(
            (1..=9_999).contains(&self.decision_number),
            ("decisionNumber", "is a number from 1 to 9999"),
        )?;
        require(is_web_address(&self.source_url), ("sourceUrl", "is an address with http or https"))?;
        if let Some(body) = &self.body {
            require(is_name(body), ("body", "is a name with the words it rests on"))?;
        }
        require(
            self.references.len() <= MAX_REFERENCES
                && self.references.iter().all(|reference| is_text(reference, MAX_REFERENCE)),
            ("references", "are at most 8, each 1 to 100 characters"),
        )?;
        require((1..=MAX_AWARDS).contains(&self.awards.len()), ("awards", "are 1 to 50"))?;
        self.awards.iter().try_for_each(Award::check)
    }
}

impl Award {
    fn check(&self) -> Result<(), AwardError> {
        require(
            self.winners.len() <= MAX_WINNERS && self.winners.iter().all(is_name),
            ("winners", "are at most 12 names with the words they rest on"),
        )?;
        let in_two_currencies = match self.amounts.as_slice() {
            [] | [_] => true,
            [one, other] => one.currency != other.currency,
            _ => false,
        };
        require(
            in_two_currencies && self.amounts.iter().all(|amount| is_passage(&amount.passage)),
            ("amounts", "are at most 2, in different currencies, with the words they rest on"),
        )?;
        require(self.lot.as_ref().is_none_or(is_lot), ("lot", "is a text with the words it rests on"))?;
        require(
            !self.winners.is_empty() || !self.amounts.is_empty(),
            ("awards", "each have a winner or an amount"),
        )
    }
}

fn require(holds: bool, (field, problem): (&'static str, &'static str)) -> Result<(), AwardError> {
    if holds { Ok(()) } else { Err(AwardError { field, problem }) }
}

/// Whether a text is not blank, not too long, and has no control characters.
fn is_text(text: &str, longest: usize) -> bool {
    !text.trim().is_empty() && text.chars().count() <= longest && !text.chars().any(char::is_control)
}

fn is_name(name: &AwardName) -> bool {
    is_text(&name.name, MAX_NAME) && is_passage(&name.passage)
}

fn is_lot(lot: &AwardName) -> bool {
    is_text(&lot.name, MAX_TITLE) && is_passage(&lot.passage)
}

fn is_passage(passage: &Passage) -> bool {
    let is_printed = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    passage.start < passage.end
        && passage.end <= MAX_OFFSET
        && !passage.words.trim().is_empty()
        && passage.words.chars().count() <= MAX_WORDS
        && passage.words.chars().all(is_printed)
}

fn is_web_address(address: &str) -> bool {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '`');
    address.len() <= MAX_URL
        && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        && address.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    fn decision() -> Value {
        let passage = json!({"start": 10, "end": 20, "words": "M/s A Ltd."});
        json!({"key": "2018-01-02-013-e7aa", "title": "A bridge", "decidedOn": "2018-01-02",
            "decisionNumber": 13, "sourceUrl": "https://example.org/d?id=1", "references": ["A/1"],
            "body": {"name": "Ministry of Roads", "passage": passage},
            "awards": [{"winners": [{"name": "A Ltd", "passage": passage}],
                "amounts": [{"amount": 12.5, "currency": "LKR", "passage": passage}], "taxes": "excluded"}]})
    }

    fn check(decision: Value) -> Result<(), String> {
        let decision: AwardDecision = serde_json::from_value(decision).map_err(|error| error.to_string())?;
        decision.check().map_err(|error| error.field.to_owned())
    }

    #[test]
    fn a_decision_of_the_reader_is_accepted() {
        assert_eq!(check(decision()), Ok(()));
    }

    #[rstest]
    #[case("/key", json!("../etc"), "key")]
    #[case("/title", json!(" "), "title")]
    #[case("/title", json!("a\u{0}b"), "title")]
    #[case("/decidedOn", json!("1800-01-01"), "decidedOn")]
    #[case("/decisionNumber", json!(0), "decisionNumber")]
    #[case("/sourceUrl", json!("javascript:alert(1)"), "sourceUrl")]
    #[case("/sourceUrl", json!("https://a\"onclick"), "sourceUrl")]
    #[case("/references/0", json!("x".repeat(101)), "references")]
    #[case("/awards", json!([]), "awards")]
    #[case("/awards/0/winners/0/name", json!(""), "winners")]
    #[case("/awards/0/winners/0/passage/end", json!(5), "winners")]
    #[case("/awards/0/amounts/0/passage/words", json!(""), "amounts")]
    #[case("/body/passage/end", json!(2_000_000), "body")]
    fn a_wrong_value_is_named(#[case] pointer: &str, #[case] value: Value, #[case] field: &str) {
        let mut decision = decision();
        *decision.pointer_mut(pointer).unwrap() = value;
        assert_eq!(check(decision), Err(field.to_owned()));
    }

    #[test]
    fn an_award_needs_a_winner_or_an_amount() {
        let mut decision = decision();
        decision["awards"] = json!([{}]);
        assert_eq!(check(decision), Err("awards".to_owned()));
    }

    #[test]
    fn unknown_fields_and_negative_amounts_are_refused() {
        let mut unknown = decision();
        unknown["price"] = json!(1);
        assert!(check(unknown).unwrap_err().contains("unknown field"));
        let mut negative = decision();
        negative["awards"][0]["amounts"][0]["amount"] = json!(-1);
        assert!(check(negative).is_err());
    }
}
