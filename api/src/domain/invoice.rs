//! The parts of an invoice.

use crate::domain::{cycle::Cycle, money::Cents, plan::PlanName};
use index::vocabulary::Moment;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What an invoice is for: a plan for a time, or what is credited of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    /// Which of both.
    pub kind: InvoiceLineKind,
    /// The plan.
    pub plan: PlanName,
    /// How often it is paid for.
    pub cycle: Cycle,
    /// From when.
    pub from: Moment,
    /// Until when.
    pub until: Moment,
    /// In cents, VAT included; below zero for a credit.
    pub cents: i64,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LineKind)]
pub enum InvoiceLineKind {
    /// A plan for a time.
    Plan,
    /// What was left of another when this one began.
    Credit,
}

/// One side of an invoice, as it was on its day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceParty)]
pub struct InvoiceParty {
    /// A company's or a person's.
    #[schema(required)]
    pub name: Option<String>,
    /// The company of a person.
    #[schema(required)]
    pub company: Option<String>,
    /// In one line.
    #[schema(required)]
    pub address: Option<String>,
    /// E-mail.
    #[schema(required)]
    pub email: Option<String>,
    /// Telephone.
    #[schema(required)]
    pub phone: Option<String>,
    /// The number under which VAT is paid.
    #[schema(required)]
    pub vat_number: Option<String>,
}

/// An invoice.
#[derive(Debug, Clone, PartialEq)]
pub struct Invoice {
    /// UUIDv7.
    pub id: Uuid,
    /// `INV-2026-000001`.
    pub number: String,
    /// Whose it is; `None` once the account is deleted.
    pub user_id: Option<Uuid>,
    /// What was paid for.
    pub subscription_id: Uuid,
    /// To whom.
    pub provider: String,
    /// The provider's name for the payment.
    pub charge: String,
    /// When.
    pub issued_at: Timestamp,
    /// ISO 4217.
    pub currency: String,
    /// What it was for, VAT included.
    pub lines: Vec<InvoiceLine>,
    /// Without VAT.
    pub net: Cents,
    /// VAT.
    pub vat: Cents,
    /// What was paid.
    pub total: Cents,
    /// Hundredths of a per cent; `None`: no VAT.
    pub vat_rate: Option<i32>,
    /// Who sold.
    pub seller: InvoiceParty,
    /// Who bought.
    pub buyer: InvoiceParty,
}
