//! The parts of an invoice.

use crate::domain::cycle::Cycle;
use index::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an invoice is for: a plan for a time, or what is credited of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    /// Which of both.
    pub kind: InvoiceLineKind,
    /// The plan.
    pub plan: String,
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
