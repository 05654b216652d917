//! Mails about payments, in the user's language. A mail is sealed in the transaction of the event
//! that it reports, and only for a confirmed address.

use crate::{
    app::context::Context,
    base::i18n::{mail_texts::MailTexts, phrase::Values},
    domain::{
        invoice::Invoice,
        subscription::{NextPlan, Subscription},
        user::User,
    },
    services::notifications::account_mail::{self, Recipient},
};
use sqlx::PgConnection;
use tender_model::vocabulary::Moment;

/// The event that a mail reports.
#[derive(Debug, Clone, Copy)]
pub(super) enum BillingNews<'a> {
    /// A payment succeeded, and this is its invoice.
    Paid(&'a Invoice),
    /// A period could not be charged.
    Unpaid,
    /// The next plan has to be paid by hand.
    ByHand(&'a NextPlan),
    /// The grace period is about to end.
    GraceEnds,
    /// The subscription has ended.
    Ended,
    /// The subscription will end with its period.
    Cancelled,
}

/// Seals the mail that reports an event of a subscription to its user.
pub(super) async fn seal(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    subscription: &Subscription,
    news: BillingNews<'_>,
) -> Result<(), sqlx::Error> {
    if !user.email_verified {
        tracing::info!(subscription = %subscription.id, "a payment mail was not sent: the address is not confirmed");
        return Ok(());
    }
    let words = MailTexts::of(user.language);
    let (mails, base) = (&words.mails, context.config.base_url());
    let plan = words.plan(subscription.plan, subscription.cycle);
    let [day, until] = [subscription.end, subscription.holds_until].map(|at| words.day(Moment::new(at)));
    let (written, path) = match news {
        BillingNews::Paid(invoice) => {
            let values: Values<'_> = &[
                ("number", &invoice.number),
                ("total", &invoice.total),
                ("plan", &plan),
                ("day", &day),
                ("vat", &invoice.vat),
            ];
            (mails.paid.fill(values), format!("account/invoices/{}", invoice.id))
        }
        BillingNews::Unpaid => {
            (mails.unpaid.fill(&[("plan", &plan), ("until", &until)]), "account".to_owned())
        }
        BillingNews::ByHand(next) => {
            let values: Values<'_> = &[("plan", &plan), ("price", &next.price), ("until", &until)];
            (mails.by_hand.fill(values), "account".to_owned())
        }
        BillingNews::GraceEnds => {
            (mails.grace_ends.fill(&[("plan", &plan), ("until", &until)]), "account".to_owned())
        }
        BillingNews::Ended => (mails.plan_ended.fill(&[("plan", &plan)]), "pricing".to_owned()),
        BillingNews::Cancelled => {
            (mails.plan_cancelled.fill(&[("plan", &plan), ("day", &day)]), "account".to_owned())
        }
    };
    let link = format!("{base}/{path}");
    account_mail::seal(context, tx, Recipient::user(user), &written.mail(&user.first_name, &link)).await?;
    Ok(())
}
