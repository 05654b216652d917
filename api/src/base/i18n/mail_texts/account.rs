//! The texts of mails about accounts, companies, bids and subscriptions, and of the unsubscribe page.

use crate::base::i18n::phrase::{CountedPhrase, Phrase};
use serde::Deserialize;

/// Mails about accounts and subscriptions, and the test mail of an alert.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AccountMails {
    pub(crate) verify: MailText,
    pub(crate) reset: MailText,
    pub(crate) change: MailText,
    pub(crate) alert_address: MailText,
    pub(crate) taken: MailText,
    pub(crate) change_asked: MailText,
    pub(crate) changed: MailText,
    pub(crate) deleted: MailText,
    pub(crate) invitation: MailText,
    /// An invitation whose sender is not named, because the names could carry a message.
    pub(crate) invitation_without_names: MailText,
    pub(crate) test: MailText,
    pub(crate) test_closing: MailText,
    pub(crate) test_nothing: MailText,
    pub(crate) paid: MailText,
    pub(crate) unpaid: MailText,
    pub(crate) by_hand: MailText,
    pub(crate) grace_ends: MailText,
    pub(crate) plan_ended: MailText,
    pub(crate) plan_cancelled: MailText,
    pub(crate) webhook_off: MailText,
    pub(crate) publication_approved: MailText,
    pub(crate) publication_refused: MailText,
    pub(crate) taken_down: MailText,
    pub(crate) restored: MailText,
    pub(crate) publications_waiting: MailText,
    pub(crate) coverage_gaps: MailText,
    pub(crate) canary_late: MailText,
    pub(crate) canary_works: MailText,
    pub(crate) company_expiry: MailText,
    pub(crate) alert_silence: MailText,
    pub(crate) bid_reminder: MailText,
}

/// A silent alert, and the names of broader versions of it, in mails.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SilenceTexts {
    pub(crate) alone: Phrase,
    pub(crate) item: Phrase,
    pub(crate) translations: String,
    pub(crate) parts_of_words: String,
    pub(crate) without_places: String,
    pub(crate) without_categories: String,
    pub(crate) without_organization_types: String,
    pub(crate) without_bodies: String,
    pub(crate) whole_text: String,
    pub(crate) without_value: String,
    pub(crate) without_days: String,
    pub(crate) without_excludes: String,
    pub(crate) without_filters: String,
    /// The link that switches the mails off.
    pub(crate) stop: String,
}

/// The names of what a company has, in mails.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct CompanyTexts {
    pub(crate) item: Phrase,
    pub(crate) cida: Phrase,
    pub(crate) contracts_act: Phrase,
    pub(crate) documents: DocumentInHandTexts,
}

/// Texts of the reminders of the deadlines of bids.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct BidReminderTexts {
    pub(crate) sale_ends: String,
    pub(crate) pre_bid: String,
    pub(crate) closing: String,
    /// A text message.
    pub(crate) message: Phrase,
    /// The link that switches the mails off.
    pub(crate) silence: String,
}

/// The names of the documents that bidders submit.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct DocumentInHandTexts {
    pub(crate) contracts_act: String,
    pub(crate) cida: String,
    pub(crate) bank_letter: String,
    pub(crate) tax_clearance: String,
    pub(crate) business_registration: String,
    pub(crate) audited_accounts: String,
    pub(crate) other: String,
}

/// What was not done in time, for each step of the canary.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CanaryTexts {
    pub(super) publication: String,
    pub(super) index: String,
    pub(super) r#match: String,
    pub(super) mail: String,
    pub(super) arrival: String,
}

/// Texts of the mails about changes of an account's credentials.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SecurityTexts {
    pub(crate) action: String,
    pub(crate) when: Phrase,
    pub(crate) note: String,
    pub(crate) password_changed: SecurityText,
    pub(crate) google_connected: SecurityText,
    pub(crate) google_disconnected: SecurityText,
    pub(crate) totp_added: SecurityText,
    pub(crate) totp_removed: SecurityText,
    pub(crate) passkey_added: SecurityText,
    pub(crate) passkey_removed: SecurityText,
    pub(crate) recovery_codes_renewed: SecurityText,
    pub(crate) recovery_code_used: SecurityText,
    pub(crate) second_factors_reset: SecurityText,
    pub(crate) api_key_created: SecurityText,
    pub(crate) new_browser: SecurityText,
}

/// What happened to the credentials of an account.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecurityText {
    pub(crate) subject: String,
    pub(crate) text: Phrase,
}

/// How a plan is named together with its billing cycle.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanTexts {
    pub(super) monthly: Phrase,
    pub(super) yearly: Phrase,
}

/// Texts of text messages other than alerts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhoneTexts {
    pub(crate) code: Phrase,
}

/// Texts of the page that redirects to PayHere.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PayHereTexts {
    pub(crate) heading: String,
    pub(crate) safe: String,
    pub(crate) monthly: String,
    pub(crate) yearly: String,
    pub(crate) go: String,
}

/// The texts of one mail about an account or a subscription.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MailText {
    pub(crate) subject: Phrase,
    pub(crate) text: Phrase,
    pub(crate) action: String,
    pub(crate) note: String,
}

/// Texts of the unsubscribe page.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct UnsubscribeTexts {
    pub(crate) ask: String,
    pub(crate) ask_alerts: CountedPhrase,
    pub(crate) off: String,
    pub(crate) done: String,
    pub(crate) done_alerts: CountedPhrase,
    pub(crate) on: String,
    pub(crate) again: String,
    pub(crate) again_alerts: CountedPhrase,
    pub(crate) ask_saved: String,
    pub(crate) done_saved: String,
    pub(crate) again_saved: String,
    pub(crate) ask_summary: String,
    pub(crate) done_summary: String,
    pub(crate) again_summary: String,
    pub(crate) ask_report: Phrase,
    pub(crate) done_report: Phrase,
    pub(crate) again_report: Phrase,
    pub(crate) ask_bid_reminders: String,
    pub(crate) done_bid_reminders: String,
    pub(crate) ask_silence: String,
    pub(crate) done_silence: String,
    pub(crate) again_silence: String,
    pub(crate) nothing: String,
    pub(crate) account: String,
    pub(super) quoted: Phrase,
}

impl UnsubscribeTexts {
    /// Quotes each name, and joins the names with commas.
    pub(crate) fn quoted(&self, names: &[String]) -> String {
        let quoted: Vec<String> = names.iter().map(|name| self.quoted.with(&[("name", name)])).collect();
        quoted.join(", ")
    }
}
