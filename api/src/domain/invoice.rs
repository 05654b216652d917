//! The parts of an invoice.

use crate::domain::{billing_cycle::BillingCycle, money::Cents, plan::PlanName};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// A line of an invoice: a plan for a period, or a credit for an earlier plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    /// Whether the line is a plan or a credit.
    pub kind: InvoiceLineKind,
    /// The plan.
    pub plan: PlanName,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The start of the paid or credited time.
    pub from: Moment,
    /// The end of the paid or credited time.
    pub until: Moment,
    /// The amount in cents, including VAT. It is negative for a credit.
    pub cents: i64,
}

/// The kind of an invoice line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LineKind)]
pub enum InvoiceLineKind {
    /// A plan for a period.
    Plan,
    /// The unused part of an earlier plan.
    Credit,
}

/// The seller or the buyer, as of the invoice's date.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceParty)]
pub struct InvoiceParty {
    /// The name of the company or the person.
    #[schema(required)]
    pub name: Option<String>,
    /// The company of a person.
    #[schema(required)]
    pub company: Option<String>,
    /// The postal address in one line.
    #[schema(required)]
    pub address: Option<String>,
    /// The e-mail address.
    #[schema(required)]
    pub email: Option<String>,
    /// The telephone number.
    #[schema(required)]
    pub phone: Option<String>,
    /// The VAT registration number.
    #[schema(required)]
    pub vat_number: Option<String>,
}

/// Formats an invoice number, such as `INV-2026-000001`.
#[must_use]
pub fn format_number(year: i16, nth: i32) -> String {
    format!("INV-{year}-{nth:06}")
}

/// An invoice.
#[derive(Debug, Clone, PartialEq)]
pub struct Invoice {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The invoice number, such as `INV-2026-000001`.
    pub number: String,
    /// The user who paid. `None`: the account is deleted.
    pub user_id: Option<Uuid>,
    /// The subscription that was paid for.
    pub subscription_id: Uuid,
    /// The name of the payment provider.
    pub provider: String,
    /// The provider's id of the charge.
    pub charge: String,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// The lines. Their amounts include VAT.
    pub lines: Vec<InvoiceLine>,
    /// The total without VAT.
    pub net: Cents,
    /// The VAT included in the total.
    pub vat: Cents,
    /// The amount that was paid.
    pub total: Cents,
    /// The VAT rate in hundredths of a per cent. `None`: no VAT.
    pub vat_rate: Option<i32>,
    /// The seller.
    pub seller: InvoiceParty,
    /// The buyer.
    pub buyer: InvoiceParty,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invoice_numbers_have_at_least_six_digits() {
        assert_eq!(format_number(2026, 1), "INV-2026-000001");
        assert_eq!(format_number(2026, 1_234_567), "INV-2026-1234567");
    }
}
