//! The texts of mails, text messages and a few pages in each language. All languages have the same
//! texts: a missing text fails to parse in a test, and an unused text is dead code for the
//! compiler. Dates and times are in Colombo time. The text of a tender is not translated.

use super::{
    catalogues::Catalogues,
    phrase::{CountedPhrase, Phrase, Values},
};
use crate::domain::{billing_cycle::BillingCycle, plan::PlanName};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};
use tender_model::{
    tender::{CLOSING, FieldState, Tender},
    vocabulary::{Day, District, Language, Moment, Sector},
};

static MAIL_TEXTS: LazyLock<Catalogues<MailTexts>> = LazyLock::new(|| {
    Catalogues::read([
        include_str!("../../../locales/mail/en.json"),
        include_str!("../../../locales/mail/si.json"),
        include_str!("../../../locales/mail/ta.json"),
    ])
});

/// All texts of this module in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MailTexts {
    date: DateTexts,
    pub(crate) frame: FrameTexts,
    pub(crate) tender: TenderTexts,
    pub(crate) news: NewsTexts,
    pub(crate) alerts: AlertTexts,
    pub(crate) saved: SavedTexts,
    pub(crate) summary: SummaryTexts,
    pub(crate) monthly: MonthlyTexts,
    pub(crate) mails: AccountMails,
    plans: PlanTexts,
    pub(crate) unsubscribe: UnsubscribeTexts,
    pub(crate) phone: PhoneTexts,
    pub(crate) payhere: PayHereTexts,
    districts: BTreeMap<District, String>,
    sectors: BTreeMap<Sector, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DateTexts {
    day: Phrase,
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
    pub(crate) or_open: String,
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
    rupees: Phrase,
    see_notice: String,
    uncertain_closing: Phrase,
    two_closings: Phrase,
    not_certain: Phrase,
    /// Precedes the printed text from which an uncertain field was read.
    pub(crate) printed: Phrase,
    /// Links to the clip if the mail does not show the printed text as an image.
    pub(crate) see_clip: String,
    fields: FieldTexts,
    pub(crate) of_its_organisation: String,
    pub(crate) view: String,
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
    pub(crate) silence: CountedPhrase,
}

/// Texts of mails about saved tenders.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SavedTexts {
    pub(crate) intro_changed: CountedPhrase,
    pub(crate) intro_closing: CountedPhrase,
    pub(crate) see_all: String,
    pub(crate) silence: String,
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
    pub(crate) google: MailText,
    pub(crate) deleted: MailText,
    pub(crate) invitation: MailText,
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
    pub(crate) nothing: String,
    pub(crate) account: String,
    quoted: Phrase,
}

impl MailTexts {
    /// Returns the texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        MAIL_TEXTS.of(language)
    }

    /// Names a plan with its billing cycle.
    pub(crate) fn plan(&self, plan: PlanName, cycle: BillingCycle) -> String {
        let phrase = match cycle {
            BillingCycle::Monthly => &self.plans.monthly,
            BillingCycle::Yearly => &self.plans.yearly,
        };
        phrase.with(&[("plan", &plan.title())])
    }

    /// Formats a date in the word order of the language: `Tue 14 May 2024`.
    pub(crate) fn day(&self, at: Moment) -> String {
        let civil = at.civil();
        let name = |names: &[String], nth: i8| {
            usize::try_from(nth).ok().and_then(|nth| names.get(nth)).cloned().unwrap_or_default()
        };
        let weekday = name(&self.date.weekdays, civil.weekday().to_monday_zero_offset());
        let month = name(&self.date.months, civil.month() - 1);
        let values: Values<'_> =
            &[("weekday", &weekday), ("day", &civil.day()), ("month", &month), ("year", &civil.year())];
        self.date.day.with(values)
    }

    /// Formats a month in the word order of the language: `May 2024`.
    pub(crate) fn month(&self, day: Day) -> String {
        let month = usize::try_from(day.month() - 1).ok().and_then(|nth| self.date.months.get(nth));
        self.date.month.with(&[("month", &month.map_or("", String::as_str)), ("year", &day.year())])
    }

    /// Formats a date with its time: `Tue 14 May 2024, 2.30 p.m.`. The first and the last second
    /// of a day mean that only the date is known, so only the date is shown.
    pub(crate) fn moment(&self, at: Moment) -> String {
        let civil = at.civil();
        let day = self.day(at);
        if matches!((civil.hour(), civil.minute(), civil.second()), (0, 0, 0) | (23, 59, 59)) {
            return day;
        }
        let half = if civil.hour() < 12 { &self.date.am } else { &self.date.pm };
        let hour = if civil.hour() % 12 == 0 { 12 } else { civil.hour() % 12 };
        let hour = half.with(&[("time", &format!("{hour}.{:02}", civil.minute()))]);
        self.date.moment.with(&[("day", &day), ("hour", &hour)])
    }

    /// Formats the remaining calendar days in Colombo: `3 days left`.
    pub(crate) fn time_left(&self, now: Moment, closing: Moment) -> String {
        match usize::try_from(now.days_until(closing)).unwrap_or(0) {
            0 => self.tender.today.clone(),
            days => self.tender.left.of(days, &[]),
        }
    }

    /// Formats the closing time with the remaining days, or states that it has passed or is unknown.
    pub(crate) fn closing(&self, now: Moment, closing: Option<Moment>) -> String {
        match closing {
            None => self.tender.no_closing.clone(),
            Some(at) if at < now => self.tender.closed.with(&[("moment", &self.moment(at))]),
            Some(at) => {
                let (moment, left) = (self.moment(at), self.time_left(now, at));
                self.tender.closes.with(&[("moment", &moment), ("left", &left)])
            }
        }
    }

    /// Formats a tender's closing time like [`Self::closing`]. Also says if the time is uncertain
    /// or was not read.
    pub(crate) fn closing_of(&self, now: Moment, tender: &Tender) -> String {
        let closing = self.closing(now, tender.dates.closing);
        match (tender.dates.closing, tender.field_state(CLOSING)) {
            (_, FieldState::Certain) | (None, FieldState::Doubtful) => closing,
            (None, FieldState::NotRead) => self.tender.see_notice.clone(),
            (Some(_), _) => self.tender.uncertain_closing.with(&[("closing", &closing)]),
        }
    }

    /// If two closing times were read, returns a text that names both and says which one reminders
    /// use. Otherwise returns an empty text.
    pub(crate) fn two_closings(&self, tender: &Tender) -> String {
        let both = tender.earlier_closing().zip(tender.dates.closing);
        both.map_or_else(String::new, |(first, second)| {
            let (first, second) = (self.moment(first), self.moment(second));
            self.tender.two_closings.with(&[("first", &first), ("second", &second)])
        })
    }

    /// Returns the text that these fields are uncertain.
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

    /// Formats a tender's closing moment without the remaining time. Says if it is uncertain or
    /// was not read.
    pub(crate) fn closing_moment(&self, tender: &Tender) -> String {
        match (tender.dates.closing, tender.field_state(CLOSING)) {
            (None, FieldState::NotRead) => self.tender.see_notice.clone(),
            (None, _) => self.tender.no_closing.clone(),
            (Some(at), FieldState::Certain) => self.moment(at),
            (Some(at), _) => self.tender.uncertain_closing.with(&[("closing", &self.moment(at))]),
        }
    }

    /// Formats an amount of minor units as whole units, rounded down, with thousands separators:
    /// `Rs. 1,091,000`. Other currencies than the rupee are shown by their code: `USD 999`.
    pub(crate) fn money(&self, minor: i64, currency: &str) -> String {
        let amount = group_thousands(minor / 100);
        if currency == "LKR" {
            self.tender.rupees.with(&[("amount", &amount)])
        } else {
            format!("{currency} {amount}")
        }
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

fn group_thousands(whole: i64) -> String {
    let digits = whole.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a date with its time in English: `Tue 14 May 2024, 2.30 p.m.`.
pub(crate) fn moment(at: Moment) -> String {
    MailTexts::of(Language::English).moment(at)
}

/// Shortens `title` to at most `limit` characters. Cuts it at a word boundary, unless this would
/// remove more than half of the text.
pub(crate) fn shortened(title: &str, limit: usize) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().count() <= limit {
        return title;
    }
    let cut: String = title.chars().take(limit.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end_matches([',', ';', ':', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    const SOURCES: [(Language, &str); 3] = [
        (Language::English, include_str!("../../../locales/mail/en.json")),
        (Language::Sinhala, include_str!("../../../locales/mail/si.json")),
        (Language::Tamil, include_str!("../../../locales/mail/ta.json")),
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

    #[test]
    fn times_use_the_sri_lankan_format() {
        let at = |language, text: &str| MailTexts::of(language).moment(text.parse().unwrap());
        let english = |text| at(Language::English, text);
        assert_eq!(english("2024-05-14T14:30:00+05:30"), "Tue 14 May 2024, 2.30 p.m.");
        assert_eq!(english("2024-05-14T00:05:00+05:30"), "Tue 14 May 2024, 12.05 a.m.");
        assert_eq!(english("2024-05-14T12:00:00+05:30"), "Tue 14 May 2024, 12.00 p.m.");
        assert_eq!(english("2024-05-14T23:59:59+05:30"), "Tue 14 May 2024");
        assert_eq!(at(Language::Sinhala, "2024-05-14T14:30:00+05:30"), "2024 මැයි 14, අඟහ, ප.ව. 2.30");
        assert_eq!(at(Language::Tamil, "2024-05-19T09:00:00Z"), "ஞாயி., 19 மே 2024, பி.ப. 2.30");
    }

    #[test]
    fn days_left_count_calendar_days() {
        let closing = "2024-05-14T14:30:00+05:30".parse().unwrap();
        let left = |language, now: &str| MailTexts::of(language).closing(now.parse().unwrap(), Some(closing));
        let english = |now| left(Language::English, now);
        assert_eq!(english("2024-05-11T23:59:00+05:30"), "Closes Tue 14 May 2024, 2.30 p.m. (3 days left)");
        assert_eq!(english("2024-05-13T23:59:00+05:30"), "Closes Tue 14 May 2024, 2.30 p.m. (1 day left)");
        assert_eq!(english("2024-05-14T14:00:00+05:30"), "Closes Tue 14 May 2024, 2.30 p.m. (closes today)");
        assert_eq!(english("2024-05-14T14:30:01+05:30"), "Closed Tue 14 May 2024, 2.30 p.m.");
        assert!(left(Language::Tamil, "2024-05-13T23:59:00+05:30").ends_with("(இன்னும் 1 நாள்)"));
        assert!(left(Language::Tamil, "2024-05-12T23:59:00+05:30").ends_with("(இன்னும் 2 நாட்கள்)"));
    }

    #[test]
    fn money_is_shown_in_whole_grouped_units() {
        let money = |minor, currency| MailTexts::of(Language::English).money(minor, currency);
        assert_eq!(money(109_100_000, "LKR"), "Rs. 1,091,000");
        assert_eq!(money(99_900, "USD"), "USD 999");
        assert_eq!(MailTexts::of(Language::Sinhala).money(100_000, "LKR"), "රු. 1,000");
    }

    #[test]
    fn long_title_is_shortened_if_possible_at_a_word_boundary() {
        assert_eq!(shortened("Supply of  surgical\nconsumables", 60), "Supply of surgical consumables");
        assert_eq!(shortened("Supply of surgical consumables", 20), "Supply of surgical…");
        assert_eq!(shortened("අඅඅඅඅඅඅඅඅඅඅ", 5), "අඅඅඅ…");
    }
}
