//! Invoices, numbered without gaps. A trigger prevents every change, except that the user is
//! removed when the account is deleted.

use crate::domain::{
    invoice::{Invoice, InvoiceLine, InvoiceParty},
    money::Cents,
};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

struct Row {
    id: Uuid,
    number: String,
    user_id: Option<Uuid>,
    subscription_id: Uuid,
    provider: String,
    charge: String,
    issued_at: SqlTimestamp,
    currency: String,
    lines: Json<Vec<InvoiceLine>>,
    net_cents: i64,
    vat_cents: i64,
    total_cents: i64,
    vat_rate: Option<i32>,
    seller: Json<InvoiceParty>,
    buyer: Json<InvoiceParty>,
}

impl From<Row> for Invoice {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            number: row.number,
            user_id: row.user_id,
            subscription_id: row.subscription_id,
            provider: row.provider,
            charge: row.charge,
            issued_at: row.issued_at.to_jiff(),
            currency: row.currency,
            lines: row.lines.0,
            net: Cents(row.net_cents),
            vat: Cents(row.vat_cents),
            total: Cents(row.total_cents),
            vat_rate: row.vat_rate,
            seller: row.seller.0,
            buyer: row.buyer.0,
        }
    }
}

/// Takes the next invoice number of a year. The row of the year stays locked until the transaction
/// ends, so no number is skipped.
pub async fn next_number(tx: &mut PgConnection, year: i32) -> Result<i32, sqlx::Error> {
    sqlx::query_scalar!(
        "insert into invoice_number (year, last) values ($1, 1)
        on conflict (year) do update set last = invoice_number.last + 1 returning last",
        year,
    )
    .fetch_one(tx)
    .await
}

/// Stores an invoice.
///
/// # Errors
/// A second invoice for the same payment fails with a unique violation.
pub async fn insert(tx: &mut PgConnection, invoice: &Invoice) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into invoice (id, number, user_id, subscription_id, provider, charge, issued_at, currency, lines, net_cents,
            vat_cents, total_cents, vat_rate, seller, buyer)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        invoice.id,
        invoice.number,
        invoice.user_id,
        invoice.subscription_id,
        invoice.provider,
        invoice.charge,
        invoice.issued_at.to_sqlx() as SqlTimestamp,
        invoice.currency,
        Json(&invoice.lines) as _,
        invoice.net.0,
        invoice.vat.0,
        invoice.total.0,
        invoice.vat_rate,
        Json(&invoice.seller) as _,
        Json(&invoice.buyer) as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether an invoice exists for the charge with this id at this provider.
pub async fn is_charged(db: impl PgExecutor<'_>, provider: &str, charge: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from invoice where provider = $1 and charge = $2) as "is!""#,
        provider,
        charge,
    )
    .fetch_one(db)
    .await
}

/// The 500 newest invoices of a user, newest first, or only the invoice with the given id.
pub async fn of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Option<Uuid>,
) -> Result<Vec<Invoice>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, number, user_id, subscription_id, provider, charge, issued_at as "issued_at: SqlTimestamp", currency,
            lines as "lines: Json<Vec<InvoiceLine>>", net_cents, vat_cents, total_cents, vat_rate, seller as "seller: Json<InvoiceParty>",
            buyer as "buyer: Json<InvoiceParty>"
        from invoice where user_id = $1 and ($2::uuid is null or id = $2) order by issued_at desc, number desc limit 500"#,
        user_id,
        id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Invoice::from).collect())
}
