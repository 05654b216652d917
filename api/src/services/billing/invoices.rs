//! Invoices: their lines, buyer, seller and included VAT. Prices include VAT if the portal has a
//! VAT number.

use crate::{
    app::context::Context,
    domain::{
        invoice::{self, Invoice, InvoiceLine, InvoiceLineKind, InvoiceParty},
        money::{Cents, included_vat},
        payment::Charge,
        subscription::Subscription,
        user::User,
    },
    storage::invoices,
};
use jiff::{Timestamp, tz::TimeZone};
use sqlx::PgConnection;
use tender_model::vocabulary::{Moment, colombo};

/// Issues the invoice of a payment in the caller's transaction.
///
/// # Errors
/// A second invoice for the same payment fails with a unique violation.
pub async fn issue(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    subscription: &Subscription,
    charge: &Charge,
    lines: Vec<InvoiceLine>,
) -> Result<Invoice, sqlx::Error> {
    let now = context.clock.now();
    let year = now.to_zoned(TimeZone::fixed(colombo())).year();
    let (company, payments) = (&context.config.company, &context.config.payments);
    let vat_rate = payments.vat().map(|vat| vat.rate);
    let vat = vat_rate.map_or(Cents(0), |rate| included_vat(charge.amount, rate));
    let invoice = Invoice {
        id: context.random.id(&context.clock),
        number: invoice::format_number(year, invoices::next_number(&mut *tx, i32::from(year)).await?),
        user_id: Some(user.id),
        subscription_id: subscription.id,
        provider: subscription.provider.clone().unwrap_or_default(),
        charge: charge.reference.clone(),
        issued_at: now,
        currency: charge.currency.clone(),
        lines,
        net: charge.amount - vat,
        vat,
        total: charge.amount,
        vat_rate: vat_rate.and_then(|rate| i32::try_from(rate).ok()),
        seller: InvoiceParty {
            name: company.company_name.clone(),
            address: company.company_address.clone(),
            email: company.contact_email.clone(),
            phone: company.company_phone.clone(),
            vat_number: payments.vat().map(|vat| vat.number.to_owned()),
            company: None,
        },
        buyer: InvoiceParty {
            name: Some(format!("{} {}", user.first_name, user.last_name)),
            company: user.company.clone(),
            email: Some(user.email.clone()),
            ..InvoiceParty::default()
        },
    };
    invoices::insert(tx, &invoice).await?;
    Ok(invoice)
}

/// The invoice line for the current period of a subscription, which was just paid.
#[must_use]
pub fn plan_line(subscription: &Subscription) -> InvoiceLine {
    InvoiceLine {
        kind: InvoiceLineKind::Plan,
        plan: subscription.plan,
        cycle: subscription.cycle,
        from: Moment::new(subscription.period_start),
        until: Moment::new(subscription.end),
        cents: subscription.price.0,
    }
}

/// The credit line for the unused time of a replaced subscription.
#[must_use]
pub fn credit_line(old: &Subscription, amount: Cents, at: Timestamp) -> InvoiceLine {
    InvoiceLine {
        kind: InvoiceLineKind::Credit,
        plan: old.plan,
        cycle: old.cycle,
        from: Moment::new(at),
        until: Moment::new(old.end),
        cents: -amount.0,
    }
}
