//! Which newspapers are expected on which days, and what is there of each issue.

use jiff::{Timestamp, civil};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::{
    text::Words,
    vocabulary::{Day, colombo},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of expected newspapers.
pub const MAX_PAPERS: usize = 200;
/// The maximum number of spellings of a newspaper's name.
pub const MAX_SPELLINGS: usize = 20;
/// The maximum number of characters of the name of a newspaper or a holiday.
pub const MAX_NAME_LENGTH: usize = 100;
/// The maximum number of pages that an issue can be required to have.
pub const MAX_MIN_PAGES: i32 = 200;

/// The ids of the newspapers of a demonstration.
pub const DEMO_PAPERS: [Uuid; 3] = [
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001),
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0002),
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0003),
];

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

impl Weekday {
    /// All days, from Monday.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// The number of the day: 1 for Monday, 7 for Sunday.
    #[must_use]
    pub const fn number(self) -> i16 {
        self as i16 + 1
    }

    /// The day with this number.
    #[must_use]
    pub fn from_number(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|day| day.number() == number)
    }
}

/// Whether newspapers appear on a holiday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum HolidayKind {
    /// A Poya day. Each newspaper either appears on Poya days or not.
    Poya,
    /// Another public holiday. Each newspaper either appears on public holidays or not.
    Public,
    /// A day on which no newspaper appears.
    NoPapers,
}

/// A holiday.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holiday {
    /// The day.
    pub day: Day,
    /// The name.
    pub name: String,
    /// Whether newspapers appear.
    pub kind: HolidayKind,
}

/// When a newspaper is expected, as an operator enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperSchedule {
    /// The name.
    pub name: String,
    /// Further spellings of the name.
    pub spellings: Vec<String>,
    /// The days of the week on which the newspaper appears, from Monday.
    pub weekdays: Vec<Weekday>,
    /// The time of day in Colombo by which its pages are expected.
    pub due_time: civil::Time,
    /// The number of pages that an issue has at least.
    pub min_pages: i32,
    /// Whether the newspaper appears on Poya days.
    pub prints_on_poya: bool,
    /// Whether the newspaper appears on other public holidays.
    pub prints_on_holidays: bool,
    /// The first day on which the newspaper is expected.
    pub active_from: Day,
}

/// A newspaper that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedPaper {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// When it is expected.
    pub schedule: PaperSchedule,
    /// From this day on, it is not expected.
    pub paused_from: Option<Day>,
    /// When it was added or expected again. Nobody is mailed about gaps that are older.
    pub expected_since: Timestamp,
    /// The number of changes, from 1.
    pub version: i32,
}

impl ExpectedPaper {
    /// When the pages of a day are due. `None`: the newspaper is not expected on this day.
    #[must_use]
    pub fn due_at(&self, day: Day, holiday: Option<HolidayKind>) -> Option<Timestamp> {
        let schedule = &self.schedule;
        let weekday = Weekday::from_number(day.weekday().to_monday_one_offset().into())?;
        let appears = match holiday {
            None => true,
            Some(HolidayKind::Poya) => schedule.prints_on_poya,
            Some(HolidayKind::Public) => schedule.prints_on_holidays,
            Some(HolidayKind::NoPapers) => false,
        };
        let is_active = day >= schedule.active_from && self.paused_from.is_none_or(|paused| day < paused);
        if !appears || !is_active || !schedule.weekdays.contains(&weekday) {
            return None;
        }
        colombo().to_timestamp(day.to_datetime(schedule.due_time)).ok()
    }
}

/// What makes two spellings the same name: their words in lower case. Spaces, hyphens and other
/// signs make no difference. `None`: the text contains no word.
#[must_use]
pub fn paper_key(name: &str) -> Option<String> {
    let words = Words::of(name);
    (!words.is_empty()).then(|| words.iter().collect::<Vec<_>>().join(" "))
}

/// What the portal has of an issue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IssueContent {
    /// The number of pages that were read.
    pub read: i64,
    /// The number of pages that wait for a worker or are being read.
    pub waiting: i64,
    /// The number of pages that were set aside.
    pub failed: i64,
    /// The number of notices, also of those whose pages the portal does not know.
    pub notices: i64,
}

impl IssueContent {
    /// The content of both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            read: self.read + other.read,
            waiting: self.waiting + other.waiting,
            failed: self.failed + other.failed,
            notices: self.notices + other.notices,
        }
    }

    const fn is_unread(self) -> bool {
        self.read == 0 && self.notices == 0
    }
}

/// How far an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IssueState {
    /// All known pages were read, and there are enough. Or the portal has notices of the issue and
    /// does not know its pages.
    Read,
    /// Some pages were read. Others wait, were set aside or are missing.
    Partial,
    /// Pages wait, and none was read.
    Waiting,
    /// All pages were set aside.
    Failed,
    /// Nothing is there, and the hour has passed.
    Missing,
    /// Nothing is there, and the hour has not passed.
    Due,
    /// Nothing is there. A person noted that the newspaper did not appear.
    Absent,
    /// Nothing is there, and nothing is expected.
    NotExpected,
}

/// An issue: a newspaper on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The day.
    pub day: Day,
    /// When its pages are due. `None`: it is not expected.
    pub due_at: Option<Timestamp>,
    /// What the portal has of it.
    pub content: IssueContent,
    /// The note of the person who noted that it did not appear, which may be empty.
    pub absence: Option<String>,
}

impl Issue {
    /// How far the issue is. An expected issue has at least `min_pages` pages.
    #[must_use]
    pub fn state(&self, min_pages: i32, now: Timestamp) -> IssueState {
        let IssueContent { read, waiting, failed, notices } = self.content;
        let needed = if self.due_at.is_some() { i64::from(min_pages) } else { 0 };
        match (read, waiting, failed) {
            (0, 0, 0) if notices > 0 => IssueState::Read,
            (0, 0, 0) if self.absence.is_some() => IssueState::Absent,
            (0, 0, 0) => match self.due_at {
                None => IssueState::NotExpected,
                Some(due) if now < due => IssueState::Due,
                Some(_) => IssueState::Missing,
            },
            (read, 0, 0) if read >= needed => IssueState::Read,
            (1.., ..) => IssueState::Partial,
            _ if notices > 0 => IssueState::Partial,
            (_, 1.., _) => IssueState::Waiting,
            _ => IssueState::Failed,
        }
    }

    /// Whether the issue is a gap: its hour has passed, nothing of it was read, and nobody has noted
    /// that it did not appear.
    #[must_use]
    pub fn is_gap(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|due| due <= now) && self.content.is_unread() && self.absence.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{date, time};

    fn paper() -> ExpectedPaper {
        ExpectedPaper {
            id: Uuid::from_u128(1),
            schedule: PaperSchedule {
                name: "Daily Lanka".into(),
                spellings: Vec::new(),
                weekdays: vec![Weekday::Friday, Weekday::Saturday, Weekday::Sunday],
                due_time: time(6, 30, 0, 0),
                min_pages: 2,
                prints_on_poya: false,
                prints_on_holidays: true,
                active_from: date(2026, 11, 14),
            },
            paused_from: Some(date(2026, 11, 28)),
            expected_since: Timestamp::UNIX_EPOCH,
            version: 1,
        }
    }

    #[test]
    fn paper_is_expected_on_its_weekdays_while_it_is_active() {
        let friday = date(2026, 11, 20);
        let due = |day, holiday| paper().due_at(day, holiday);
        assert_eq!(due(friday, None), Some("2026-11-20T06:30:00+05:30".parse().unwrap()));
        assert_eq!(due(friday, Some(HolidayKind::Public)), due(friday, None));
        assert_eq!(due(friday, Some(HolidayKind::Poya)), None);
        assert_eq!(due(friday, Some(HolidayKind::NoPapers)), None);
        assert_eq!(due(date(2026, 11, 19), None), None, "a Thursday");
        assert_eq!(due(date(2026, 11, 13), None), None, "before its first day");
        assert!(due(date(2026, 11, 14), None).is_some() && due(date(2026, 11, 27), None).is_some());
        assert_eq!(due(date(2026, 11, 28), None), None, "paused");
        let mut other = paper();
        other.schedule.prints_on_poya = true;
        other.schedule.prints_on_holidays = false;
        assert!(other.due_at(friday, Some(HolidayKind::Poya)).is_some());
        assert_eq!(other.due_at(friday, Some(HolidayKind::Public)), None);
    }

    #[test]
    fn weekdays_are_numbered_from_monday() {
        assert_eq!(Weekday::ALL.map(Weekday::number), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!((Weekday::from_number(7), Weekday::from_number(0)), (Some(Weekday::Sunday), None));
    }

    #[test]
    fn state_and_gap_follow_from_the_pages_and_the_hour() {
        use IssueState::{Absent, Due, Failed, Missing, NotExpected, Partial, Read, Waiting};
        let due: Timestamp = "2026-11-20T06:30:00+05:30".parse().unwrap();
        let (before, after) = (due - jiff::SignedDuration::from_secs(1), due);
        for ((read, waiting, failed, notices), expected, unexpected, is_gap) in [
            ((0, 0, 0, 0), Missing, NotExpected, true),
            ((0, 0, 0, 3), Read, Read, false),
            ((2, 0, 0, 9), Read, Read, false),
            ((1, 0, 0, 0), Partial, Read, false),
            ((2, 1, 0, 0), Partial, Partial, false),
            ((2, 0, 1, 0), Partial, Partial, false),
            ((0, 1, 1, 0), Waiting, Waiting, true),
            ((0, 1, 0, 2), Partial, Partial, false),
            ((0, 0, 1, 0), Failed, Failed, true),
            ((0, 0, 1, 2), Partial, Partial, false),
        ] {
            let content = IssueContent { read, waiting, failed, notices };
            let issue = Issue { day: date(2026, 11, 20), due_at: Some(due), content, absence: None };
            assert_eq!((issue.state(2, after), issue.is_gap(after)), (expected, is_gap), "{content:?}");
            let early = if expected == Missing { Due } else { expected };
            assert_eq!((issue.state(2, before), issue.is_gap(before)), (early, false), "{content:?}");
            let other = Issue { due_at: None, ..issue.clone() };
            assert_eq!((other.state(2, after), other.is_gap(after)), (unexpected, false), "{content:?}");
            let noted = Issue { absence: Some(String::new()), ..issue };
            let state = if expected == Missing { Absent } else { expected };
            assert_eq!((noted.state(2, after), noted.is_gap(after)), (state, false), "{content:?}");
        }
    }

    #[test]
    fn spellings_differ_only_in_their_words() {
        let key = paper_key("Daily Lanka").unwrap();
        assert_eq!(key, "daily lanka");
        for same in ["DAILY  LANKA", " daily-lanka ", "Daily\u{a0}Lanka."] {
            assert_eq!(paper_key(same).as_ref(), Some(&key), "{same}");
        }
        assert_eq!(paper_key(" — "), None);
        assert_eq!(paper_key("දිනමිණ"), Some("දිනමිණ".into()));
    }
}
