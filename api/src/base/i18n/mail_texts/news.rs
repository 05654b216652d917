//! The texts of mails about tenders.

use crate::base::i18n::phrase::{CountedPhrase, Phrase};
use serde::Deserialize;

/// Texts about a tender.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct TenderTexts {
    pub(super) closes: Phrase,
    pub(super) closed: Phrase,
    pub(super) no_closing: String,
    pub(super) left: CountedPhrase,
    pub(super) today: String,
    pub(crate) reference: Phrase,
    pub(crate) cida: Phrase,
    pub(crate) bid_bond: Phrase,
    pub(crate) fee: Phrase,
    pub(crate) sale_ended: Phrase,
    pub(crate) sale_until: Phrase,
    pub(crate) sale_between: Phrase,
    pub(crate) pre_bid: Phrase,
    pub(super) see_notice: String,
    pub(super) uncertain_closing: Phrase,
    pub(super) two_closings: Phrase,
    pub(super) closed_day: Phrase,
    pub(super) closed_before: Phrase,
    pub(super) closed_before_until: Phrase,
    pub(super) poya: String,
    pub(super) public_holiday: String,
    pub(super) weekend: String,
    pub(super) not_certain: Phrase,
    /// Precedes the printed text from which an uncertain field was read.
    pub(crate) printed: Phrase,
    /// Links to the clip if the mail does not show the printed text as an image.
    pub(crate) see_clip: String,
    pub(super) fields: FieldTexts,
    pub(crate) published_by: Phrase,
    pub(crate) view: String,
    pub(crate) bid: BidTexts,
    /// The link that adds a tender to the bid board.
    pub(crate) intend_to_bid: String,
    /// The same link of a call for registration.
    pub(crate) intend_to_register: String,
}

/// Sentences that say whether a company may bid, and names of requirements.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct BidTexts {
    pub(crate) can: String,
    pub(crate) missing: Phrase,
    pub(crate) not_certain: Phrase,
    pub(crate) experience: String,
    pub(crate) turnover: String,
    pub(crate) bid_security: String,
    pub(crate) contracts_act: String,
    pub(crate) criterion: String,
    pub(crate) documents: String,
}

/// Names of fields, as used within a sentence.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct FieldTexts {
    pub(crate) closing: String,
    pub(crate) title: String,
    pub(crate) organization: String,
    pub(crate) reference: String,
    pub(crate) category: String,
    pub(crate) place: String,
    pub(crate) bid_security: String,
    pub(crate) document_fee: String,
    pub(crate) grades: String,
}

/// Texts about new, changed and closing tenders, for mails and text messages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct NewsTexts {
    pub(crate) new: CountedPhrase,
    pub(crate) changed: CountedPhrase,
    pub(crate) closing: CountedPhrase,
    pub(crate) many: Phrase,
    pub(crate) one_new: Phrase,
    pub(crate) one_new_left: Phrase,
    pub(crate) one_changed: Phrase,
    pub(crate) one_closing: Phrase,
    pub(crate) cancelled: String,
    pub(crate) withdrawn: String,
    pub(crate) taken_down: String,
    pub(crate) reopened: String,
    pub(crate) closing_changed: String,
    pub(crate) status: String,
    pub(crate) closing_date: String,
    pub(crate) open: String,
    pub(crate) was: Phrase,
    pub(crate) now: Phrase,
    /// The heading if a closing time that was uncertain or unread became certain.
    pub(crate) closing_settled: String,
    pub(crate) had_read: Phrase,
    pub(crate) had_not_read: String,
    pub(crate) notice_says: Phrase,
    pub(crate) why_change: Phrase,
    pub(crate) why_saved: String,
    pub(crate) more: Phrase,
    pub(crate) more_elsewhere: Phrase,
}

/// Texts of alert mails.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AlertTexts {
    pub(crate) intro: CountedPhrase,
    pub(crate) intro_digest: CountedPhrase,
    pub(crate) intro_changed: CountedPhrase,
    pub(crate) own: CountedPhrase,
    pub(crate) why: Phrase,
    pub(crate) open: String,
    pub(crate) see_matches: String,
    pub(crate) see_alerts: String,
    /// The buttons of mails with several tenders.
    pub(crate) all_matches: String,
    pub(crate) all_alerts: String,
    pub(crate) silence: CountedPhrase,
}

/// Texts of mails about saved tenders.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SavedTexts {
    pub(crate) intro_changed: CountedPhrase,
    pub(crate) intro_closing: CountedPhrase,
    pub(crate) see_all: String,
    /// The button of mails with several tenders.
    pub(crate) all_saved: String,
    pub(crate) silence: String,
}

/// Texts of mails about a batch that the portal withdrew or restored.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchTexts {
    pub(crate) subject: CountedPhrase,
    pub(crate) intro: CountedPhrase,
}

/// Texts of the weekly summary.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SummaryTexts {
    pub(crate) subject: CountedPhrase,
    pub(crate) intro: CountedPhrase,
    pub(crate) newest: String,
    pub(crate) by_sector: String,
    pub(crate) see_all: String,
    pub(crate) why: String,
    pub(crate) silence: String,
}

/// Texts of monthly report mails.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MonthlyTexts {
    pub(crate) subject: Phrase,
    pub(crate) intro: CountedPhrase,
    pub(crate) none: Phrase,
    pub(crate) attached: String,
    pub(crate) cut: Phrase,
    pub(crate) too_large: String,
    pub(crate) open: String,
    pub(crate) why: Phrase,
    pub(crate) silence: String,
}
