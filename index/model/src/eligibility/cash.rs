//! [`cash_to_bid`]: what a bidder must pay or deposit before the closing.

use super::{
    lot_securities::{LotSecurities, securities_of_lots},
    rules::needs_contracts_act,
};
use crate::{
    tender::Tender,
    vocabulary::{Amount, Currency, Day, Moment, terms},
};
use serde::Serialize;
use utoipa::ToSchema;

terms! {
    /// What is paid for.
    CostKind, "cost" {
        /// The fee for the bidding documents, which is not refunded.
        DocumentFee = "document-fee",
        /// The bid security, which is returned.
        BidSecurity = "bid-security",
        /// The registration under the Public Contracts Act, whose fee no notice states.
        ContractsAct = "contracts-act",
    }
}

/// Something that costs a bidder money before the closing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// What it is for.
    pub kind: CostKind,
    /// The amount in whole currency units. Absent if the notice does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code for `amount`.
    pub currency: Currency,
    /// Whether the amount is a percentage of the estimated value, and so only about right.
    pub is_estimate: bool,
    /// The smallest amount for one lot, if each lot has its own. Then `amount` is for all lots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_of_lot: Option<Amount>,
    /// Whether it is returned.
    pub is_refunded: bool,
    /// The last day, if the notice states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub due: Option<Day>,
    /// The JSON path of the field of the tender. Absent if the law asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'static str>,
}

/// What a bidder must pay or deposit, in the order in which it is due. What the notice does not state is
/// left out.
#[must_use]
pub fn cash_to_bid(tender: &Tender) -> Vec<Cost> {
    let closing = tender.dates.closing.map(Moment::day);
    let document_fee = tender.document_fee.as_ref().map(|fee| Cost {
        kind: CostKind::DocumentFee,
        amount: fee.amount,
        currency: fee.currency,
        is_estimate: false,
        smallest_of_lot: None,
        is_refunded: false,
        due: fee.sale_until,
        path: Some("documentFee"),
    });
    let contracts_act = needs_contracts_act(tender, None).then_some(Cost {
        kind: CostKind::ContractsAct,
        amount: None,
        currency: Currency::LKR,
        is_estimate: false,
        smallest_of_lot: None,
        is_refunded: false,
        due: closing,
        path: None,
    });
    document_fee.into_iter().chain(contracts_act).chain(bid_security(tender, closing)).collect()
}

fn bid_security(tender: &Tender, due: Option<Day>) -> Option<Cost> {
    let bond = &tender.financials.bid_bond;
    if let Some(LotSecurities { sum, smallest, currency }) = securities_of_lots(tender) {
        return Some(Cost {
            kind: CostKind::BidSecurity,
            amount: Some(sum),
            currency,
            is_estimate: false,
            smallest_of_lot: Some(smallest),
            is_refunded: true,
            due,
            path: Some("lots"),
        });
    }
    if !bond.required {
        return None;
    }
    let value = tender.financials.estimated_value;
    let share = bond.percentage.zip(value).and_then(|(percentage, value)| {
        let amount = Amount::new(value.amount.number() * 1e6 * percentage / 100.0).ok()?;
        Some((amount, value.currency))
    });
    let (amount, currency, is_estimate) = match (bond.amount, share) {
        (Some(amount), _) => (Some(amount), bond.currency.unwrap_or_default(), false),
        (None, Some((amount, currency))) => (Some(amount), currency, true),
        (None, None) => (None, Currency::LKR, false),
    };
    Some(Cost {
        kind: CostKind::BidSecurity,
        amount,
        currency,
        is_estimate,
        smallest_of_lot: None,
        is_refunded: true,
        due,
        path: Some("financials.bidBond"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn costs(tender: Value) -> Vec<(CostKind, Option<f64>, bool, Option<String>)> {
        let tender: Tender = serde_json::from_value(tender).unwrap();
        let costs = cash_to_bid(&tender).into_iter();
        costs
            .map(|cost| {
                let amount = cost.amount.map(Amount::number);
                (cost.kind, amount, cost.is_estimate, cost.due.map(|day| day.to_string()))
            })
            .collect()
    }

    #[test]
    fn fee_and_security_are_listed_with_their_days() {
        let found = costs(json!({
            "dates": {"closing": "2026-12-10T14:00:00+05:30"},
            "documentFee": {"amount": 3500, "saleUntil": "2026-12-09"},
            "financials": {"bidBond": {"required": true, "amount": 240000}, "estimatedValue": {"amount": 4.9}},
        }));
        let day = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            [
                (CostKind::DocumentFee, Some(3500.0), false, day("2026-12-09")),
                (CostKind::BidSecurity, Some(240_000.0), false, day("2026-12-10")),
            ]
        );
    }

    #[test]
    fn share_of_the_estimated_value_is_an_estimate_and_a_large_value_asks_for_a_registration() {
        let found = costs(json!({
            "financials": {"bidBond": {"required": true, "percentage": 2}, "estimatedValue": {"amount": 30}},
        }));
        assert_eq!(
            found,
            [
                (CostKind::ContractsAct, None, false, None),
                (CostKind::BidSecurity, Some(600_000.0), true, None),
            ]
        );
    }

    #[test]
    fn what_is_not_stated_is_left_out() {
        assert_eq!(costs(json!({})), []);
        let found = costs(json!({"financials": {"bidBond": {"required": true}}}));
        assert_eq!(found, [(CostKind::BidSecurity, None, false, None)]);
    }

    #[test]
    fn securities_of_lots_are_added_up() {
        let lot = |amount: u32, currency: &str| json!({"title": "L", "bidBond": {"required": true, "amount": amount, "currency": currency}});
        let found = |lots: Value, amount: Option<u32>| {
            let bond = json!({"required": true, "amount": amount});
            let tender = json!({"lots": lots, "financials": {"bidBond": bond}});
            let cost = cash_to_bid(&serde_json::from_value(tender).unwrap()).remove(0);
            (cost.amount.map(Amount::number), cost.smallest_of_lot.map(Amount::number), cost.path)
        };
        let lots = json!([lot(40_000, "LKR"), lot(10_000, "LKR"), {"title": "without"}]);
        assert_eq!(found(lots.clone(), None), (Some(50_000.0), Some(10_000.0), Some("lots")));
        let whole = (Some(5_000.0), None, Some("financials.bidBond"));
        assert_eq!(found(lots, Some(5_000)), whole, "the notice states one security for all");
        let mixed = json!([lot(40_000, "LKR"), lot(100, "USD")]);
        assert_eq!(found(mixed, None), (None, None, Some("financials.bidBond")));
    }

    #[test]
    fn a_fee_without_a_last_day_of_sale_has_no_day() {
        let found =
            costs(json!({"dates": {"closing": "2026-12-10T14:00:00+05:30"}, "documentFee": {"amount": 500}}));
        assert_eq!(found, [(CostKind::DocumentFee, Some(500.0), false, None)]);
    }
}
