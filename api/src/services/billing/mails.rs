//! Mails about payments, in the reader's language. A mail is sealed in the transaction of its event
//! and goes only to confirmed addresses.

use crate::{
    app::context::Context,
    base::i18n::mail_words::{Values, Words},
    domain::{
        invoice::Invoice,
        subscription::{NextPlan, Subscription},
        user::User,
    },
    services::notifications::account_mail::{self, Recipient},
};
use index::vocabulary::Moment;
use sqlx::PgConnection;

/// The event that a mail reports.
#[derive(Debug, Clone, Copy)]
pub(super) enum News<'a> {
    /// A payment succeeded; the invoice is ready.
    Paid(&'a Invoice),
    /// A period could not be charged.
    Unpaid,
    /// The next plan has to be paid by hand.
    ByHand(&'a NextPlan),
    /// The grace is about to end.
    GraceEnds,
    /// The subscription has ended.
    Ended,
    /// The subscription will end with its period.
    Cancelled,
}

/// Mails an event of a subscription to its user.
pub(super) async fn send(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    subscription: &Subscription,
    news: News<'_>,
) -> Result<(), sqlx::Error> {
    if !user.email_verified {
        tracing::info!(subscription = %subscription.id, "no mail about a payment: the address is not confirmed");
        return Ok(());
    }
    let words = Words::of(user.language);
    let (letters, base) = (&words.letters, context.config.base_url());
    let plan = words.plan(subscription.plan, subscription.cycle);
    let [day, until] = [subscription.end, subscription.holds_until].map(|at| words.day(Moment::new(at)));
    let (written, path) = match news {
        News::Paid(invoice) => {
            let values: Values<'_> = &[
                ("number", &invoice.number),
                ("total", &invoice.total),
                ("plan", &plan),
                ("day", &day),
                ("vat", &invoice.vat),
            ];
            (letters.paid.written(values), format!("account/invoices/{}", invoice.id))
        }
        News::Unpaid => (letters.unpaid.written(&[("plan", &plan), ("until", &until)]), "account".to_owned()),
        News::ByHand(next) => {
            let values: Values<'_> = &[("plan", &plan), ("price", &next.price), ("until", &until)];
            (letters.by_hand.written(values), "account".to_owned())
        }
        News::GraceEnds => {
            (letters.grace_ends.written(&[("plan", &plan), ("until", &until)]), "account".to_owned())
        }
        News::Ended => (letters.plan_ended.written(&[("plan", &plan)]), "pricing".to_owned()),
        News::Cancelled => {
            (letters.plan_cancelled.written(&[("plan", &plan), ("day", &day)]), "account".to_owned())
        }
    };
    let link = format!("{base}/{path}");
    account_mail::seal(context, tx, Recipient::user(user), &written.letter(&user.first_name, &link)).await?;
    Ok(())
}
