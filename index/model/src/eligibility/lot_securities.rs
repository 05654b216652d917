//! The bid securities of the lots of a tender.

use crate::{
    tender::Tender,
    vocabulary::{Amount, Currency},
};

/// The bid securities of lots.
pub(super) struct LotSecurities {
    /// The securities of all lots together.
    pub(super) sum: Amount,
    /// The smallest one.
    pub(super) smallest: Amount,
    pub(super) currency: Currency,
}

/// The securities of the lots of a tender. `None`: no lot has one, they are in several currencies, or the
/// notice states one security for all lots.
pub(super) fn securities_of_lots(tender: &Tender) -> Option<LotSecurities> {
    let whole = &tender.financials.bid_bond;
    if whole.amount.is_some() || whole.percentage.is_some() {
        return None;
    }
    let bonds = tender.lots.iter().filter_map(|lot| lot.bid_bond.as_ref().filter(|bond| bond.required));
    let amounts: Vec<(Amount, Currency)> =
        bonds.filter_map(|bond| Some((bond.amount?, bond.currency.unwrap_or_default()))).collect();
    let currency = amounts.first()?.1;
    if amounts.iter().any(|(_, other)| *other != currency) {
        return None;
    }
    let sum = Amount::new(amounts.iter().map(|(amount, _)| amount.number()).sum()).ok()?;
    let smallest = amounts.iter().map(|(amount, _)| *amount).min()?;
    Some(LotSecurities { sum, smallest, currency })
}
