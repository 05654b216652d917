//! The texts of mails, text messages and a few pages in each language. All languages have the same
//! texts: a missing text fails to parse in a test, and an unused text is dead code for the
//! compiler. Dates and times are in Colombo time. The text of a tender is not translated.

mod account;
mod format;
mod news;

pub(crate) use self::{
    account::*,
    format::{moment, shortened},
    news::*,
};
use super::{
    catalogues::{CatalogueError, Catalogues},
    phrase::Phrase,
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
