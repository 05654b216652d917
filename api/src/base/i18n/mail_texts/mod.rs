//! The texts of mails, text messages and a few pages in each language. All languages have the same
//! texts: a missing text fails to parse in a test, and an unused text is dead code for the
//! compiler. Dates and times are in Colombo time. The text of a tender is not translated.

mod format;

pub(crate) use self::format::{moment, shortened};
use super::{
    catalogues::{CatalogueError, Catalogues},
    phrase::{CountedPhrase, Phrase},
};
use crate::domain::{billing_cycle::BillingCycle, canary::CanaryStep, plan::PlanName};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};
use tender_model::vocabulary::{District, Language, Sector};

static MAIL_TEXTS: LazyLock<Catalogues<MailTexts>> = LazyLock::new(|| {
    let sources = [
        include_str!("../../../../locales/mail/en.json"),
        include_str!("../../../../locales/mail/si.json"),
        include_str!("../../../../locales/mail/ta.json"),
    ];
    Catalogues::read("mails", sources)
});

/// Fails if one of these catalogues is malformed.
pub(super) fn check() -> Result<(), CatalogueError> {
    MAIL_TEXTS.check()
}

/// All texts of this module in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MailTexts {
    date: DateTexts,
    pub(crate) frame: FrameTexts,
    pub(crate) tender: TenderTexts,
    pub(crate) news: NewsTexts,
    pub(crate) alerts: AlertTexts,
    pub(crate) saved: SavedTexts,
    pub(crate) batch_withdrawn: BatchTexts,
    pub(crate) batch_restored: BatchTexts,
    pub(crate) summary: SummaryTexts,
    pub(crate) monthly: MonthlyTexts,
    pub(crate) mails: AccountMails,
    pub(crate) company: CompanyTexts,
    pub(crate) silence: SilenceTexts,
    pub(crate) bids: BidReminderTexts,
    pub(crate) security: SecurityTexts,
    canary: CanaryTexts,
    plans: PlanTexts,
    pub(crate) unsubscribe: UnsubscribeTexts,
    pub(crate) phone: PhoneTexts,
    pub(crate) payhere: PayHereTexts,
    districts: BTreeMap<District, String>,
    sectors: BTreeMap<Sector, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DateTexts {
    day: Phrase,
    day_without_hour: Phrase,
    month: Phrase,
    moment: Phrase,
    am: Phrase,
    pm: Phrase,
    /// The names of the weekdays, from Monday.
    weekdays: [String; 7],
    /// The names of the months, from January.
    months: [String; 12],
}

/// Texts of the frame around every mail.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct FrameTexts {
    pub(crate) greeting: Phrase,
    /// Used if the recipient's name is unknown.
    reader: String,
    pub(crate) times: String,
    pub(crate) choose: String,
}

/// Texts about a tender.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct TenderTexts {
    closes: Phrase,
    closed: Phrase,
    no_closing: String,
    left: CountedPhrase,
    today: String,
    pub(crate) reference: Phrase,
    pub(crate) cida: Phrase,
    pub(crate) bid_bond: Phrase,
    pub(crate) fee: Phrase,
    pub(crate) sale_ended: Phrase,
    pub(crate) sale_until: Phrase,
    pub(crate) sale_between: Phrase,
    see_notice: String,
    uncertain_closing: Phrase,
    two_closings: Phrase,
    closed_day: Phrase,
    closed_before: Phrase,
    closed_before_until: Phrase,
    poya: String,
    public_holiday: String,
    not_certain: Phrase,
    /// Precedes the printed text from which an uncertain field was read.
    pub(crate) printed: Phrase,
    /// Links to the clip if the mail does not show the printed text as an image.
    pub(crate) see_clip: String,
    fields: FieldTexts,
    pub(crate) published_by: Phrase,
    pub(crate) view: String,
    pub(crate) bid: BidTexts,
    /// The link that adds a tender to the bid board.
    pub(crate) intend_to_bid: String,
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
struct CanaryTexts {
    publication: String,
    index: String,
    r#match: String,
    mail: String,
    arrival: String,
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
struct PlanTexts {
    monthly: Phrase,
    yearly: Phrase,
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
    quoted: Phrase,
}

impl MailTexts {
    /// Returns the texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        MAIL_TEXTS.of(language)
    }

    /// What was not done in time if the canary did not pass a step.
    pub(crate) fn canary_step(&self, step: CanaryStep) -> &str {
        match step {
            CanaryStep::Publication => &self.canary.publication,
            CanaryStep::Index => &self.canary.index,
            CanaryStep::Match => &self.canary.r#match,
            CanaryStep::Mail => &self.canary.mail,
            CanaryStep::Arrival => &self.canary.arrival,
        }
    }

    /// Names a plan with its billing cycle.
    pub(crate) fn plan(&self, plan: PlanName, cycle: BillingCycle) -> String {
        let phrase = match cycle {
            BillingCycle::Monthly => &self.plans.monthly,
            BillingCycle::Yearly => &self.plans.yearly,
        };
        phrase.with(&[("plan", &plan.title())])
    }

    /// Returns a sentence that says that these fields are uncertain.
    pub(crate) fn not_certain(&self, fields: &str) -> String {
        self.tender.not_certain.with(&[("fields", &fields)])
    }

    /// Returns the text shown for a closing time that was not read.
    pub(crate) fn see_notice(&self) -> &str {
        &self.tender.see_notice
    }

    /// Returns the names of fields.
    pub(crate) const fn fields(&self) -> &FieldTexts {
        &self.tender.fields
    }

    /// Returns a district's name.
    pub(crate) fn district(&self, district: District) -> &str {
        self.districts.get(&district).map_or(district.as_str(), String::as_str)
    }

    /// Returns a sector's name.
    pub(crate) fn sector(&self, sector: Sector) -> &str {
        self.sectors.get(&sector).map_or(sector.as_str(), String::as_str)
    }

    /// Returns the text that replaces an unknown name in the greeting.
    pub(crate) fn reader(&self) -> &str {
        &self.frame.reader
    }
}

impl UnsubscribeTexts {
    /// Quotes each name, and joins the names with commas.
    pub(crate) fn quoted(&self, names: &[String]) -> String {
        let quoted: Vec<String> = names.iter().map(|name| self.quoted.with(&[("name", name)])).collect();
        quoted.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    const SOURCES: [(Language, &str); 3] = [
        (Language::English, include_str!("../../../../locales/mail/en.json")),
        (Language::Sinhala, include_str!("../../../../locales/mail/si.json")),
        (Language::Tamil, include_str!("../../../../locales/mail/ta.json")),
    ];

    /// Collects all texts with their paths.
    fn collect_texts(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::String(text) => found.push((path.to_owned(), text.clone())),
            Value::Array(items) => {
                for (nth, item) in items.iter().enumerate() {
                    collect_texts(item, &format!("{path}.{nth}"), found);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    collect_texts(field, &format!("{path}.{name}"), found);
                }
            }
            other => panic!("{path} is {other}"),
        }
    }

    fn placeholders(text: &str) -> BTreeSet<String> {
        let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        names.map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn languages_have_the_same_texts_and_placeholders() {
        let catalogues = SOURCES.map(|(language, json)| {
            let words: MailTexts =
                serde_json::from_str(json).unwrap_or_else(|error| panic!("{language}: {error}"));
            assert!(
                District::ALL.iter().all(|district| words.districts.contains_key(district)),
                "{language}"
            );
            let mut found = Vec::new();
            collect_texts(&serde_json::from_str(json).unwrap(), "", &mut found);
            found
        });
        let [english, others @ ..] = &catalogues;
        for other in others {
            assert_eq!(english.len(), other.len());
            for ((path, text), (other_path, translated)) in english.iter().zip(other) {
                assert_eq!(path, other_path);
                assert!(!translated.trim().is_empty(), "{path}");
                let (mut wanted, mut found) = (placeholders(text), placeholders(translated));
                // The singular may use a word instead of the number.
                if path.ends_with(".one") {
                    wanted.remove("count");
                    found.remove("count");
                }
                assert_eq!(wanted, found, "{path}: {translated}");
            }
        }
    }

    #[test]
    fn translations_use_their_script() {
        for ((language, json), script) in
            SOURCES.iter().skip(1).zip(['\u{d80}'..='\u{dff}', '\u{b80}'..='\u{bff}'])
        {
            let mut found = Vec::new();
            collect_texts(&serde_json::from_str(json).unwrap(), "", &mut found);
            for (path, text) in found {
                let stripped = placeholders(&text)
                    .iter()
                    .fold(text.clone(), |text, gap| text.replace(&format!("{{{gap}}}"), ""));
                let has_words = stripped.chars().any(|c| c.is_alphabetic()) && !stripped.starts_with("CIDA");
                assert!(!has_words || text.chars().any(|c| script.contains(&c)), "{language} {path}: {text}");
            }
        }
    }
}
