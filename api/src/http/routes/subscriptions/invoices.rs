//! GET /subscriptions/invoices and /subscriptions/invoices/{id}: reads the caller's invoices.

use crate::{
    app::state::AppState,
    domain::{
        billing_cycle::BillingCycle,
        error::ServiceError,
        invoice::{Invoice, InvoiceLine, InvoiceLineKind, InvoiceParty},
        money::Cents,
        plan::PlanName,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::invoices as stored,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's invoices.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnInvoices {
    /// The invoices, newest first.
    invoices: Vec<InvoiceView>,
}

/// A single invoice.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnInvoice {
    invoice: InvoiceView,
}

/// An invoice as issued. Amounts are in rupees; line amounts include VAT.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
struct InvoiceView {
    /// The invoice's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The invoice number, such as `INV-2026-000001`.
    number: String,
    /// The date of issue.
    issued_at: Moment,
    /// The currency code (ISO 4217).
    currency: String,
    /// The invoiced items.
    lines: Vec<LineView>,
    /// The total without VAT.
    net: f64,
    /// The VAT included in the total.
    vat: f64,
    /// The total paid.
    total: f64,
    /// The VAT rate in per cent; `null` if no VAT is charged.
    #[schema(required)]
    vat_rate: Option<f64>,
    /// The seller.
    seller: InvoiceParty,
    /// The buyer.
    buyer: InvoiceParty,
    /// The payment provider.
    provider: String,
    /// The provider's id of the payment.
    payment: String,
}

/// An invoiced item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceLine)]
struct LineView {
    /// Whether the item is a plan, or a credit for the unused part of a plan.
    kind: InvoiceLineKind,
    /// The plan.
    #[schema(value_type = String)]
    plan: PlanName,
    /// The billing cycle.
    billing_cycle: BillingCycle,
    /// The start of the invoiced period.
    from: Moment,
    /// The end of the invoiced period.
    until: Moment,
    /// The amount; negative for a credit.
    amount: f64,
}

impl From<InvoiceLine> for LineView {
    fn from(line: InvoiceLine) -> Self {
        Self {
            kind: line.kind,
            plan: line.plan,
            billing_cycle: line.cycle,
            from: line.from,
            until: line.until,
            amount: Cents(line.cents).rupees(),
        }
    }
}

impl From<Invoice> for InvoiceView {
    fn from(invoice: Invoice) -> Self {
        Self {
            id: invoice.id,
            number: invoice.number,
            issued_at: Moment::new(invoice.issued_at),
            currency: invoice.currency,
            lines: invoice.lines.into_iter().map(LineView::from).collect(),
            net: invoice.net.rupees(),
            vat: invoice.vat.rupees(),
            total: invoice.total.rupees(),
            vat_rate: invoice.vat_rate.map(|rate| f64::from(rate) / 100.0),
            seller: invoice.seller,
            buyer: invoice.buyer,
            provider: invoice.provider,
            payment: invoice.charge,
        }
    }
}

/// List invoices
#[utoipa::path(get, path = "/subscriptions/invoices", tag = "subscriptions", operation_id = "invoices",
security(("session" = [])), responses(
    (status = 200, description = "All invoices of the caller", body = Envelope<OwnInvoices>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn list_invoices(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<OwnInvoices> {
    let found = stored::of_user(&state.db, caller.id, None).await?;
    Ok(Envelope::of(OwnInvoices { invoices: found.into_iter().map(InvoiceView::from).collect() }))
}

/// Read an invoice
#[utoipa::path(get, path = "/subscriptions/invoices/{id}", tag = "subscriptions", operation_id = "invoice",
params(("id" = Uuid, Path, description = "`_id` of the invoice")), security(("session" = [])), responses(
    (status = 200, description = "The invoice", body = Envelope<OwnInvoice>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such invoice", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_invoice(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<OwnInvoice> {
    let found = stored::of_user(&state.db, caller.id, Some(id)).await?.into_iter().next();
    let invoice = found.ok_or(ServiceError::NotFound("Invoice"))?.into();
    Ok(Envelope::of(OwnInvoice { invoice }))
}
