//! Mails about registrations and documents of companies that expire soon. Everybody who shares a company
//! profile gets one mail for all of its rows that expire 60, 30 or 7 days later.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::MailTexts,
    domain::schedule,
    services::notifications::account_mail::{self, Recipient},
    storage::{self, companies, scheduled_mails, scheduled_mails::ScheduledMail, users},
};
use jiff::{ToSpan, civil};
use tender_model::{
    eligibility::{Company, DocumentInHand, Expiring},
    vocabulary::Moment,
};

/// The maximum number of rows that a mail names.
const MAX_NAMED: usize = 20;

/// Prepares the mails of `today` and of the days before it that were missed. The mails and the record of
/// the day are one transaction, so each mail is sent once, also after a crash.
pub(super) async fn open(state: &AppState, today: civil::Date) -> anyhow::Result<()> {
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = scheduled_mails::lock_last_day(&mut tx, ScheduledMail::Expiries).await? else {
        return Ok(());
    };
    // After the clock was set back, the mails of this day were sent already.
    if last.is_some_and(|last| last >= today) {
        return Ok(());
    }
    let days: Vec<civil::Date> = schedule::missed_days(last, today)
        .into_iter()
        .flat_map(|day| schedule::EXPIRY_DAYS.map(|before| day.checked_add(i64::from(before).days())))
        .filter_map(Result::ok)
        // What has expired while no process was running needs no mail.
        .filter(|expires| *expires >= today)
        .collect();
    let found = companies::expiring_on(&mut tx, &days).await?;
    let link = format!("{}/account/company", state.config.base_url());
    for (user_id, company) in &found {
        let Some(user) = users::by_id(&mut *tx, *user_id, state.clock.now()).await? else { continue };
        let texts = MailTexts::of(user.language);
        let written = texts.mails.company_expiry.fill(&[("items", &list(company, &days, texts))]);
        let mail = written.mail(&user.first_name, &link);
        account_mail::seal(state, &mut tx, Recipient::user(&user), &mail).await?;
    }
    scheduled_mails::record_day(&mut tx, ScheduledMail::Expiries, today).await?;
    tx.commit().await?;
    tracing::info!(day = %today, mails = found.len(), "opened the mails about expiring documents");
    Ok(())
}

/// What expires on one of the days, each with its last day.
fn list(company: &Company, days: &[civil::Date], texts: &MailTexts) -> String {
    let expiring: Vec<_> = company.expiries().filter(|(_, last)| days.contains(last)).collect();
    let named = expiring.iter().take(MAX_NAMED).map(|(what, last)| {
        let day = Moment::start_of(*last).map_or_else(|| last.to_string(), |at| texts.day(at));
        texts.company.item.with(&[("what", &name(*what, texts)), ("day", &day)])
    });
    let more = (expiring.len() > MAX_NAMED).then(|| "…".to_owned());
    named.chain(more).collect::<Vec<_>>().join("; ")
}

fn name(what: Expiring<'_>, texts: &MailTexts) -> String {
    let words = &texts.company;
    match what {
        Expiring::Cida(row) => words.cida.with(&[("grade", &row.grade), ("field", &row.field)]),
        Expiring::ContractsAct(row) => words.contracts_act.with(&[("sector", &row.sector)]),
        Expiring::Document(row) => {
            let kind = match row.kind {
                DocumentInHand::ContractsAct => &words.documents.contracts_act,
                DocumentInHand::Cida => &words.documents.cida,
                DocumentInHand::BankLetter => &words.documents.bank_letter,
                DocumentInHand::TaxClearance => &words.documents.tax_clearance,
                DocumentInHand::BusinessRegistration => &words.documents.business_registration,
                DocumentInHand::AuditedAccounts => &words.documents.audited_accounts,
                DocumentInHand::Other => &words.documents.other,
            };
            match row.note.as_deref() {
                Some(note) => format!("{kind} ({note})"),
                None => kind.clone(),
            }
        }
    }
}
