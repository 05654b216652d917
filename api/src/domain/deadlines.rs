//! The deadlines of a bid: the days that a notice states, in the order in which a bidder meets them,
//! and warnings for days on which offices are closed. What a notice does not state is never guessed.

use super::coverage::{Holiday, HolidayKind};
use jiff::{ToSpan, civil};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::IntoStaticStr;
use tender_model::{
    checklist::{sale_end, security_expiry},
    tender::{CLOSING, Tender},
    vocabulary::{Day, Moment},
};
use utoipa::ToSchema;

/// The maximum number of days that are searched for the last open day before a deadline.
const MAX_CLOSED_DAYS: i32 = 31;

/// A step on the way to a contract.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum DeadlineKind {
    /// The sale of the documents ends.
    SaleEnds,
    /// The meeting or site visit before the bid.
    PreBid,
    /// The last day for questions.
    Clarification,
    /// Bids close.
    Closing,
    /// Bids are opened.
    Opening,
    /// The bid security expires.
    BondExpiry,
}

impl DeadlineKind {
    /// All steps, in the order in which a bidder meets them.
    pub const ALL: [Self; 6] =
        [Self::SaleEnds, Self::PreBid, Self::Clarification, Self::Closing, Self::Opening, Self::BondExpiry];

    /// The serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why offices are closed on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClosedReason {
    /// A Saturday or Sunday.
    Weekend,
    /// A Poya day.
    Poya,
    /// Another public holiday.
    Public,
}

/// A day on which offices are closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClosedDay {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Day,
    /// Why.
    pub reason: ClosedReason,
    /// The name of the holiday. Absent for a weekend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A deadline of a bid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deadline {
    /// The step.
    pub kind: DeadlineKind,
    /// When; `null`: the notice does not state it.
    #[schema(required)]
    pub at: Option<Moment>,
    /// Whether the notice states the hour. If not, `at` is the first or the last second of the day.
    pub has_hour: bool,
    /// The path of the field of the tender that it rests on. Absent: it rests on no field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'static str>,
    /// Whether the field was read with doubt.
    pub is_doubtful: bool,
    /// If offices are closed on the day itself: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<ClosedDay>,
    /// If offices are closed on the day before: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_before: Option<ClosedDay>,
    /// The last day before the deadline on which offices are open, if it is not the day before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub last_open_day: Option<Day>,
}

/// The days on which offices are closed.
#[derive(Debug, Clone, Default)]
pub struct OfficeDays {
    holidays: BTreeMap<Day, Holiday>,
}

impl OfficeDays {
    /// Offices are closed on weekends and on these Poya days and public holidays.
    #[must_use]
    pub fn new(holidays: Vec<Holiday>) -> Self {
        Self { holidays: holidays.into_iter().map(|holiday| (holiday.day, holiday)).collect() }
    }

    /// Why offices are closed on a day. `None`: they are open.
    #[must_use]
    pub fn closed_on(&self, day: Day) -> Option<ClosedDay> {
        let holiday = self.holidays.get(&day);
        let reason = match holiday.map(|holiday| holiday.kind) {
            Some(HolidayKind::Poya) => ClosedReason::Poya,
            Some(HolidayKind::Public) => ClosedReason::Public,
            // On a day without newspapers, offices may be open.
            Some(HolidayKind::NoPapers) | None => {
                let is_weekend = matches!(day.weekday(), civil::Weekday::Saturday | civil::Weekday::Sunday);
                return is_weekend.then_some(ClosedDay { day, reason: ClosedReason::Weekend, name: None });
            }
        };
        Some(ClosedDay { day, reason, name: holiday.map(|holiday| holiday.name.clone()) })
    }

    /// The last day before this one on which offices are open.
    #[must_use]
    pub fn last_open_before(&self, day: Day) -> Option<Day> {
        (1..=MAX_CLOSED_DAYS)
            .filter_map(|days| day.checked_sub(days.days()).ok())
            .find(|day| self.closed_on(*day).is_none())
    }
}

/// The days for which [`deadlines`] needs the holidays: from a month before the first deadline to the
/// last one. `None`: the notice states no deadline.
#[must_use]
pub fn needed_days(tender: &Tender) -> Option<(Day, Day)> {
    let days = || stated(tender).into_iter().filter_map(|(_, _, at)| Some(at?.day()));
    let first = days().min()?;
    Some((first_needed_day(first), days().max()?))
}

/// The first day whose holidays matter for a deadline on a day.
#[must_use]
pub fn first_needed_day(deadline: Day) -> Day {
    deadline.checked_sub(MAX_CLOSED_DAYS.days()).unwrap_or(deadline)
}

/// The deadlines of a bid for a tender, one of each kind.
#[must_use]
pub fn deadlines(tender: &Tender, offices: &OfficeDays) -> Vec<Deadline> {
    let deadline = |(kind, path, at): (DeadlineKind, Option<&'static str>, Option<Moment>)| {
        let day = at.map(Moment::day);
        let closed_before =
            day.and_then(|day| day.checked_sub(1.days()).ok()).and_then(|before| offices.closed_on(before));
        Deadline {
            kind,
            has_hour: at.is_some_and(states_hour),
            is_doubtful: at.is_some() && path.is_some_and(|path| tender.is_uncertain(path)),
            closed: day.and_then(|day| offices.closed_on(day)),
            last_open_day: day
                .filter(|_| closed_before.is_some())
                .and_then(|day| offices.last_open_before(day)),
            closed_before,
            path,
            at,
        }
    };
    stated(tender).into_iter().map(deadline).collect()
}

/// What a notice states, with the paths of the fields.
fn stated(tender: &Tender) -> [(DeadlineKind, Option<&'static str>, Option<Moment>); 6] {
    let meeting = tender.pre_bid.as_ref().and_then(|meeting| meeting.at);
    [
        (DeadlineKind::SaleEnds, Some("documentFee.saleUntil"), sale_end(tender)),
        (DeadlineKind::PreBid, Some("preBid.at"), meeting),
        (DeadlineKind::Clarification, None, None),
        (DeadlineKind::Closing, Some(CLOSING), tender.dates.closing),
        (DeadlineKind::Opening, Some("dates.opening"), tender.dates.opening),
        bond_expiry(tender),
    ]
}

/// The last day of the bid security. If it is counted from the closing, it rests on that field.
fn bond_expiry(tender: &Tender) -> (DeadlineKind, Option<&'static str>, Option<Moment>) {
    let expiry = security_expiry(tender);
    let path = expiry.as_ref().filter(|expiry| expiry.is_counted_from_closing).map(|_| CLOSING);
    (DeadlineKind::BondExpiry, path, expiry.and_then(|expiry| Moment::end_of(expiry.day)))
}

/// Whether a moment has an hour. The first and the last second of a day stand for the day.
fn states_hour(at: Moment) -> bool {
    let time = at.civil().time();
    time != civil::time(0, 0, 0, 0) && time != civil::time(23, 59, 59, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tender_model::tender::{DocumentFee, PreBid};

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn offices() -> OfficeDays {
        let holiday = |text: &str, name: &str, kind| Holiday { day: day(text), name: name.into(), kind };
        OfficeDays::new(vec![
            holiday("2026-12-23", "Unduvap Full Moon Poya Day", HolidayKind::Poya),
            holiday("2026-12-25", "Christmas Day", HolidayKind::Public),
            holiday("2026-12-24", "No newspapers", HolidayKind::NoPapers),
        ])
    }

    fn tender(sale: &str, closing: &str) -> Tender {
        let mut tender = Tender {
            document_fee: Some(DocumentFee { sale_until: sale.parse().ok(), ..DocumentFee::default() }),
            ..Tender::default()
        };
        tender.dates.closing = closing.parse().ok();
        tender
    }

    #[test]
    fn an_office_is_closed_on_weekends_poya_days_and_public_holidays() {
        let offices = offices();
        assert_eq!(offices.closed_on(day("2026-12-22")), None);
        let poya = offices.closed_on(day("2026-12-23")).unwrap();
        assert_eq!(
            (poya.reason, poya.name.as_deref()),
            (ClosedReason::Poya, Some("Unduvap Full Moon Poya Day"))
        );
        assert_eq!(offices.closed_on(day("2026-12-24")), None, "a Thursday without newspapers");
        assert_eq!(offices.closed_on(day("2026-12-26")).unwrap().reason, ClosedReason::Weekend);
        assert_eq!(offices.last_open_before(day("2026-12-28")), Some(day("2026-12-24")));
    }

    #[test]
    fn a_deadline_after_closed_days_names_the_last_open_day() {
        let found = deadlines(&tender("2026-12-23", "2026-12-28T14:00:00+05:30"), &offices());
        let [sale, meeting, questions, closing, _, bond] = found.as_slice() else { panic!("{found:?}") };
        assert!(sale.closed.is_some() && !sale.has_hour, "{sale:?}");
        assert_eq!((sale.closed_before.as_ref(), sale.last_open_day), (None, None));
        assert_eq!(closing.closed, None);
        assert_eq!(closing.closed_before.as_ref().unwrap().reason, ClosedReason::Weekend);
        assert_eq!((closing.last_open_day, closing.has_hour), (Some(day("2026-12-24")), true));
        for unstated in [meeting, questions, bond] {
            assert_eq!((unstated.at, &unstated.closed, &unstated.closed_before), (None, &None, &None));
        }
    }

    #[test]
    fn the_bid_security_expires_when_the_notice_says() {
        let mut tender = tender("2026-12-05", "2026-12-11T14:30:00+05:30");
        tender.full_text_markdown = "A bid security valid for 119 days from the closing of bids.".into();
        tender.confidence = [("dates.closing".to_owned(), 0.5)].into();
        let last = deadlines(&tender, &offices()).pop().unwrap();
        assert_eq!(last.kind, DeadlineKind::BondExpiry);
        assert_eq!(last.at.unwrap().day(), day("2027-04-09"));
        assert_eq!((last.path, last.has_hour), (Some(CLOSING), false));
        assert!(last.is_doubtful, "it moves with a closing that was read with doubt");
        tender.full_text_markdown = "A bid security valid until 9 April 2027.".into();
        let last = deadlines(&tender, &offices()).pop().unwrap();
        assert_eq!((last.at.unwrap().day(), last.path), (day("2027-04-09"), None));
        assert!(!last.is_doubtful);
    }

    #[test]
    fn doubt_about_a_field_is_told() {
        let mut tender = tender("2026-12-23", "2026-12-28");
        tender.pre_bid = Some(PreBid { at: "2026-12-21T10:00:00+05:30".parse().ok(), place: None });
        tender.confidence = [("preBid.at".to_owned(), 0.5), ("dates.opening".to_owned(), 0.5)].into();
        let doubtful: Vec<_> = deadlines(&tender, &offices())
            .into_iter()
            .filter(|deadline| deadline.is_doubtful)
            .map(|deadline| deadline.kind)
            .collect();
        assert_eq!(doubtful, [DeadlineKind::PreBid], "a deadline that is not stated is not doubtful");
    }

    proptest! {
        #[test]
        fn the_last_open_day_is_open_and_all_days_after_it_are_closed(
            holidays in proptest::collection::btree_set(0_i32..120, 0..60),
            closing in 31_i32..120,
        ) {
            let start = day("2026-09-01");
            let at = |days: i32| start.checked_add(days.days()).unwrap();
            let holiday = |days: i32| Holiday { day: at(days), name: "H".into(), kind: HolidayKind::Public };
            let offices = OfficeDays::new(holidays.iter().copied().map(holiday).collect());
            let tender = tender("", &Moment::start_of(at(closing)).unwrap().to_string());
            let found = deadlines(&tender, &offices).into_iter().find(|one| one.kind == DeadlineKind::Closing);
            let found = found.unwrap();
            prop_assert_eq!(found.closed.is_some(), offices.closed_on(at(closing)).is_some());
            prop_assert_eq!(found.closed_before.is_some(), offices.closed_on(at(closing - 1)).is_some());
            if let Some(last) = found.last_open_day {
                prop_assert!(last < at(closing - 1));
                prop_assert_eq!(offices.closed_on(last), None);
                let mut next = last.tomorrow().unwrap();
                while next < at(closing) {
                    prop_assert!(offices.closed_on(next).is_some());
                    next = next.tomorrow().unwrap();
                }
            }
            let (first, last) = needed_days(&tender).unwrap();
            prop_assert!(first <= at(closing - 31) && last == at(closing));
        }
    }

    #[test]
    fn a_notice_without_days_needs_no_holidays() {
        assert_eq!(needed_days(&Tender::default()), None);
        assert!(deadlines(&Tender::default(), &offices()).iter().all(|deadline| deadline.at.is_none()));
    }
}
