//! Formats dates, closing times and amounts of money in each language.

use super::MailTexts;
use crate::{
    base::i18n::{grouping::group_thousands, phrase::Values},
    domain::deadlines::{ClosedReason, OfficeDays},
};
use tender_model::{
    tender::{CLOSING, FieldState, Tender},
    vocabulary::{Day, Language, Moment},
};

impl MailTexts {
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
        if !has_hour(at) {
            return day;
        }
        let half = if civil.hour() < 12 { &self.date.am } else { &self.date.pm };
        let hour = if civil.hour() % 12 == 0 { 12 } else { civil.hour() % 12 };
        let hour = half.with(&[("time", &format!("{hour}.{:02}", civil.minute()))]);
        self.date.moment.with(&[("day", &day), ("hour", &hour)])
    }

    /// Formats when bids close like [`Self::moment`]. Says so if only the date is known.
    fn closing_time(&self, at: Moment) -> String {
        if has_hour(at) {
            return self.moment(at);
        }
        self.date.day_without_hour.with(&[("day", &self.day(at))])
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
                let (moment, left) = (self.closing_time(at), self.time_left(now, at));
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

    /// Formats a tender's closing moment without the remaining time. Says if it is uncertain or
    /// was not read.
    pub(crate) fn closing_moment(&self, tender: &Tender) -> String {
        match (tender.dates.closing, tender.field_state(CLOSING)) {
            (None, FieldState::NotRead) => self.tender.see_notice.clone(),
            (None, _) => self.tender.no_closing.clone(),
            (Some(at), FieldState::Certain) => self.closing_time(at),
            (Some(at), _) => self.tender.uncertain_closing.with(&[("closing", &self.closing_time(at))]),
        }
    }

    /// Formats an amount of minor units as whole units, rounded down, with thousands separators:
    /// `LKR 1,091,000`.
    pub(crate) fn money(minor: i64, currency: &str) -> String {
        format!("{currency} {}", group_thousands(minor / 100))
    }

    /// Warns of a Poya day or a public holiday on the day of a deadline or on the day before. Empty if
    /// there is none. Weekends are not named, because every bidder knows them.
    pub(crate) fn closed_offices(&self, deadline: Moment, offices: &OfficeDays) -> String {
        let reason = |day: Day| match offices.closed_on(day)?.reason {
            ClosedReason::Poya => Some(&self.tender.poya),
            ClosedReason::Public => Some(&self.tender.public_holiday),
            ClosedReason::Weekend => None,
        };
        let day = deadline.day();
        // Many tenders close on the day after a weekend, but few on one.
        let is_weekend = offices.closed_on(day).is_some_and(|closed| closed.reason == ClosedReason::Weekend);
        let weekend = is_weekend.then_some(&self.tender.weekend);
        let on_day = reason(day).or(weekend).map(|reason| self.tender.closed_day.with(&[("reason", reason)]));
        let before = day.yesterday().ok().and_then(reason).map(|reason| {
            let last_open = offices.last_open_before(day).and_then(Moment::start_of);
            last_open.map_or_else(
                || self.tender.closed_before.with(&[("reason", reason)]),
                |open| self.tender.closed_before_until.with(&[("reason", reason), ("day", &self.day(open))]),
            )
        });
        on_day.into_iter().chain(before).collect::<Vec<_>>().join(" ")
    }
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

/// Whether the hour is known. The first and the last second of a day mean that only the date is.
fn has_hour(at: Moment) -> bool {
    let civil = at.civil();
    !matches!((civil.hour(), civil.minute(), civil.second()), (0, 0, 0) | (23, 59, 59))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::coverage::{Holiday, HolidayKind};

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
    fn sentence_with_a_time_has_one_full_stop() {
        for language in [Language::English, Language::Sinhala, Language::Tamil] {
            let texts = MailTexts::of(language);
            let moment = texts.moment("2024-05-14T00:05:00+05:30".parse().unwrap());
            let when = texts.security.when.with(&[("moment", &moment)]);
            assert!(when.ends_with('.') && !when.ends_with(".."), "{when}");
        }
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
        let day = "2024-05-14T23:59:59+05:30".parse().unwrap();
        let undated =
            MailTexts::of(Language::English).closing("2024-05-13T09:00:00+05:30".parse().unwrap(), Some(day));
        assert_eq!(undated, "Closes Tue 14 May 2024, hour not stated (1 day left)");
        assert!(left(Language::Tamil, "2024-05-13T23:59:00+05:30").ends_with("(இன்னும் 1 நாள்)"));
        assert!(left(Language::Tamil, "2024-05-12T23:59:00+05:30").ends_with("(இன்னும் 2 நாட்கள்)"));
    }

    #[test]
    fn money_is_shown_in_whole_grouped_units() {
        assert_eq!(MailTexts::money(109_100_000, "LKR"), "LKR 1,091,000");
        assert_eq!(MailTexts::money(99_900, "USD"), "USD 999");
    }

    #[test]
    fn holidays_on_the_closing_day_and_before_it_are_named() {
        let holiday = |day: &str, kind| Holiday { day: day.parse().unwrap(), name: "H".into(), kind };
        let offices = OfficeDays::new(vec![
            holiday("2026-12-23", HolidayKind::Poya),
            holiday("2026-12-24", HolidayKind::NoPapers),
            holiday("2026-12-25", HolidayKind::Public),
        ]);
        let warning = |language, day: &str| {
            let at = format!("{day}T14:00:00+05:30").parse().unwrap();
            MailTexts::of(language).closed_offices(at, &offices)
        };
        let english = |day| warning(Language::English, day);
        assert_eq!(english("2026-12-23"), "Offices are closed on this day (Poya day).");
        let before = "Offices are closed on the day before (Poya day); the last open day before it is Tue 22 Dec 2026.";
        assert_eq!(english("2026-12-24"), before);
        let after_christmas = "Offices are closed on the day before (public holiday); the last open day before it is Thu 24 Dec 2026.";
        let on_saturday = format!("Offices are closed on this day (weekend). {after_christmas}");
        assert_eq!(english("2026-12-26"), on_saturday);
        for quiet in ["2026-12-22", "2026-12-28", "2026-12-21"] {
            assert_eq!(english(quiet), "", "{quiet}: no holiday, although a weekend may stand before it");
        }
        assert!(warning(Language::Sinhala, "2026-12-23").contains("පෝය දිනය"));
        assert!(warning(Language::Tamil, "2026-12-25").contains("பொது விடுமுறை"));
    }

    #[test]
    fn long_title_is_shortened_if_possible_at_a_word_boundary() {
        assert_eq!(shortened("Supply of  surgical\nconsumables", 60), "Supply of surgical consumables");
        assert_eq!(shortened("Supply of surgical consumables", 20), "Supply of surgical…");
        assert_eq!(shortened("අඅඅඅඅඅඅඅඅඅඅ", 5), "අඅඅඅ…");
    }
}
