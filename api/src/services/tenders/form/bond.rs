//! The form of a bid or performance security.

use super::{
    input::{NumberInput, ReadOnly},
    reading::FormReader,
};
use serde::{Deserialize, Serialize};
use tender_model::{
    tender::Bond,
    vocabulary::{Amount, Currency},
};
use utoipa::ToSchema;

/// A bid or performance security, as a percentage or as an amount. It is required if its percentage
/// or amount is above 0.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BondForm {
    /// The percentage of the bid's value, from 0 to 100.
    percentage: Option<NumberInput>,
    /// In units of the currency, not in millions.
    amount: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    read_only: ReadOnly<Bond>,
}

/// Reads a bond. `base` is the bond of a tender that is already published, which may have both a
/// percentage and an amount.
pub(super) fn read_bond(
    field: &str,
    form: Option<BondForm>,
    base: Option<&Bond>,
    reader: &mut FormReader,
) -> Bond {
    let Some(form) = form else { return Bond::default() };
    let currency: Currency = reader.currency(&format!("{field}.currency"), form.currency);
    let percentage = reader.percentage(&format!("{field}.percentage"), form.percentage);
    let amount = reader.money(&format!("{field}.amount"), form.amount, Amount::new);
    let has_percentage = percentage.is_some_and(|part| part > 0.0);
    let has_amount = amount.is_some_and(|sum| sum.minor() > 0);
    let required = has_percentage || has_amount;
    let bond = Bond { required, percentage, amount, currency: amount.map(|_| currency) };
    if has_percentage && has_amount && base != Some(&bond) {
        reader.add_error(&format!("{field}.amount"), "Enter an amount or a percentage, not both");
    }
    bond
}
