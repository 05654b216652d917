//! What each printed date is for: closing, sale of documents, pre-bid meeting, opening, validity, publication.

use super::{
    clause::{Cue, role},
    dates::{Dated, dates},
    pattern::patterns,
    printed::{Found, Printed},
};
use index::vocabulary::{Day, Moment};

/// The dates of a notice by their purpose.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Deadlines {
    pub(super) closing: Option<Found<Moment>>,
    pub(super) opening: Option<Found<Moment>>,
    pub(super) published: Option<Found<Day>>,
    pub(super) sale_from: Option<Found<Day>>,
    pub(super) sale_until: Option<Found<Day>>,
    pub(super) pre_bid: Option<Found<Moment>>,
    /// Where bidders meet.
    pub(super) pre_bid_place: Option<Found<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Closing,
    Sale,
    PreBid,
    Validity,
    Opening,
    Published,
}

patterns! {
    CLOSES = r"on or before|no[tr]? later than|at or before|clos(?:ing|es?|ed)\b|dead\s?line|to reach|last date|extended (?:up )?to|due date|අවසාන (?:දිනය|වේලාව)|වසන (?:දිනය|වේලාව)|භාර ගන්නා|இறுதித் திகதி|முடிவுத் திகதி|முடிவு திகதி";
    BIDS_ON = r"(?:ලංසු|கேள்விகள்|விலைமனுக்கள்)\s*$";
    RECEIVED = r"received|submi(?:t|tted|ssion)|delivered|forwarded|sent by|lodged|tender box";
    INVITED_UNTIL = r"\b(?:invites?|invited|calls?|called|receive[sd]?)\b[^;\n]{0,240}?\b(?:until|till|up\s?to|before|by)\b";
    // What held before.
    FORMERLY = r"\b(?:(?:extended|postponed|changed) from|instead of|in place of|earlier|previously|originally)\b";
    UNTIL = r"\b(?:until|till|up\s?to|before|by)\b";
    SOLD = r"purchased?|obtain(?:ed)?\b|collect(?:ed)?\b|issu(?:ed?|ing)\b|bought|download(?:ed|able)?|inspect(?:ed|ion)?|\bsold\b|\bsale\b|available|working days|office hours|නිකුත්|ලබා ගත|வழங்க|பெற்றுக்";
    DOCUMENTS = r"\bdocuments?\b|\bforms?\b";
    MEETING = r"pre[\s-]?(?:bid|tender|proposal)|site (?:visit|inspection)|\bmeeting\b|පූර්ව ලංසු|முன் விலைமனு";
    VALID = r"\bvalid(?:ity)?\b|වලංගු|செல்லுபடி";
    OPENED = r"\bopen(?:ed|ing|s)\b|විවෘත|திறக்க";
    PUBLISHED = r"published on|\bdated\b|notice of\b|\(?notice\s*$|date of (?:the )?notice|publication|appeared on";
    STARTS = r"\bfrom\s*(?:the\s*)?$|commencing|with effect";
    CLOSES_AFTER = r"ඊට\s+පෙර|ට\s+පෙර|முன்னர்|முன்பு|is the closing|being the closing";
    SOLD_AFTER = r"නිකුත්|ලබා ගත|வழங்கப்|பெற்றுக்";
    RANGE_AFTER = r"^[\s,]*(?:දින|ஆம்|திகதி|\s)*(?:සිට|දක්වා|முதல்|வரை)";
    RANGE_OPENS = r"^\s*(?:දින|ஆம்|திகதி|\s)*(?:(?:to|until|till|upto|up to)\b|-|–|සිට|முதல்)";
    // `at the Board Room, Head Office`: a place begins with a capital and ends with its sentence.
    PLACE = r"^(?:[\s,;(]|hrs|hours)*(?:at|in)?\s*(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?))(?:\.|;|\n|\t|\)|$)";
    PLACE_BEFORE = r"(?:held|conducted)\s(?:at|in)\s(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?)),?\s(?:on|at|from)\s[^.;]{0,30}$";
    SAME_RANGE = r"^[\s,]*(?:දින|ஆம் திகதி)?[\s,]*(?:to|until|till|up\s?to|-|–|සිට|முதல்|both days)?[\s,]*(?:at|from|the)?\s*$";
    OPENED_AT_ONCE = r"open(?:ed|ing)? (?:\w+ ){0,6}?(?:immediately|soon|just|promptly)|immediately after|විවෘත කරනු|உடனடியாகத் திறக்க";
}

/// `from` by itself opens a sale only where a range follows: a service may begin from a day, too.
const FROM_ALONE: usize = 120;

/// Weights are points; a point is worth a byte of distance, see `clause`.
fn leading() -> [Cue<'static, Purpose>; 13] {
    use Purpose::{Closing, Opening, PreBid, Published, Sale, Validity};
    [
        Cue { role: Closing, pattern: &CLOSES, weight: 300 },
        Cue { role: Closing, pattern: &BIDS_ON, weight: 235 },
        Cue { role: Closing, pattern: &RECEIVED, weight: 240 },
        Cue { role: Closing, pattern: &INVITED_UNTIL, weight: 240 },
        Cue { role: Validity, pattern: &FORMERLY, weight: 360 },
        Cue { role: Closing, pattern: &UNTIL, weight: 100 },
        Cue { role: Sale, pattern: &SOLD, weight: 250 },
        Cue { role: Sale, pattern: &DOCUMENTS, weight: 180 },
        Cue { role: PreBid, pattern: &MEETING, weight: 350 },
        Cue { role: Validity, pattern: &VALID, weight: 340 },
        Cue { role: Opening, pattern: &OPENED, weight: 235 },
        Cue { role: Published, pattern: &PUBLISHED, weight: 260 },
        Cue { role: Sale, pattern: &STARTS, weight: FROM_ALONE },
    ]
}

/// Sinhala and Tamil say it after the date.
fn following() -> [Cue<'static, Purpose>; 3] {
    [
        Cue { role: Purpose::Sale, pattern: &RANGE_AFTER, weight: 330 },
        Cue { role: Purpose::Closing, pattern: &CLOSES_AFTER, weight: 330 },
        Cue { role: Purpose::Sale, pattern: &SOLD_AFTER, weight: 150 },
    ]
}

/// Reads the deadlines. `issue` is the day of the newspaper, where known.
pub(super) fn deadlines(printed: &Printed, issue: Option<Day>) -> Deadlines {
    let text = printed.flow();
    let dates = dates(text);
    let mut purposes: Vec<Option<(Purpose, usize)>> = Vec::with_capacity(dates.len());
    for (nth, dated) in dates.iter().enumerate() {
        let last = nth.checked_sub(1).and_then(|last| dates.get(last));
        let next = dates.get(nth + 1).map_or(text.len(), |next| next.with_time.start);
        let from = last.map_or(0, |last| last.with_time.end);
        let purpose = role(text, &dated.with_time, from, next, &leading(), &following())
            .map(|(purpose, weight, _)| (purpose, weight))
            .filter(|(_, weight)| {
                *weight != FROM_ALONE || RANGE_OPENS.is_match(&text[dated.with_time.end..])
            });
        let goes_on = last.is_some_and(|last| {
            last.with_time.end <= dated.with_time.start
                && SAME_RANGE.is_match(&text[last.with_time.end..dated.with_time.start])
        });
        purposes.push(match purposes.last() {
            Some(last) if goes_on => *last,
            _ => purpose,
        });
    }
    let of = |wanted: Purpose| {
        dates.iter().zip(&purposes).filter_map(move |(dated, purpose)| {
            purpose.filter(|(purpose, _)| *purpose == wanted).map(|(_, weight)| (dated, weight))
        })
    };
    let closing = closing(&of(Purpose::Closing).collect::<Vec<_>>(), issue);
    let mut deadlines = Deadlines {
        opening: opening(text, of(Purpose::Opening).next().map(|(dated, _)| dated), closing.as_ref()),
        pre_bid: of(Purpose::PreBid).next().and_then(|(dated, _)| {
            let moment = at(dated, Moment::start_of)?;
            Some(Found::new(moment, 0.9, dated.with_time.clone()))
        }),
        published: of(Purpose::Published)
            .next()
            .map(|(dated, _)| Found::new(dated.day, 0.85, dated.range.clone()))
            .or_else(|| heading_date(printed, &dates, &purposes)),
        pre_bid_place: of(Purpose::PreBid).next().and_then(|(dated, _)| meeting_place(text, dated)),
        closing,
        ..Deadlines::default()
    };
    for (dated, _) in of(Purpose::Sale) {
        let found = Found::new(dated.day, 0.9, dated.range.clone());
        let lead = &text
            [super::clause::boundary(text, dated.with_time.start.saturating_sub(24))..dated.with_time.start];
        let opens_a_range = RANGE_OPENS.is_match(&text[dated.with_time.end..]);
        let slot = if STARTS.is_match(lead) || opens_a_range {
            &mut deadlines.sale_from
        } else {
            &mut deadlines.sale_until
        };
        slot.get_or_insert(found);
    }
    deadlines
}

/// The closing moment: what is said twice alike is surer, what is said twice differently is doubtful.
fn closing(candidates: &[(&Dated, usize)], issue: Option<Day>) -> Option<Found<Moment>> {
    let (best, weight) =
        *candidates.iter().rev().max_by_key(|(dated, weight)| (*weight, dated.time.is_some()))?;
    let agreeing = candidates.iter().filter(|(dated, _)| dated.day == best.day);
    let hour = best.time.or_else(|| agreeing.clone().find_map(|(dated, _)| dated.time));
    let hours_differ = agreeing.clone().any(|(dated, _)| dated.time.is_some() && dated.time != hour);
    let days_differ =
        candidates.iter().any(|(dated, other)| dated.day != best.day && *other >= weight.min(240));
    let mut confidence: f64 = match weight {
        240.. => 0.93,
        _ => 0.75,
    };
    if agreeing.count() > 1 {
        confidence = 0.98;
    }
    if hour.is_none() {
        confidence -= 0.08;
    }
    if hours_differ {
        confidence = confidence.min(0.55);
    }
    if days_differ {
        confidence = confidence.min(0.5);
    }
    // Some notices print a closing before their own issue: a misprint or an old issue, in any case to be looked at.
    if issue.is_some_and(|issue| best.day < issue) {
        confidence = confidence.min(0.5);
    }
    let moment = match hour {
        Some(hour) => Moment::in_colombo(best.day.to_datetime(hour))?,
        None => Moment::end_of(best.day)?,
    };
    Some(Found::new(moment, confidence, best.with_time.clone()))
}

fn opening(text: &str, dated: Option<&Dated>, closing: Option<&Found<Moment>>) -> Option<Found<Moment>> {
    if let Some(dated) = dated {
        return Some(Found::new(at(dated, Moment::start_of)?, 0.85, dated.with_time.clone()));
    }
    let said = OPENED_AT_ONCE.find(text)?;
    let closing = closing.filter(|closing| Moment::end_of(closing.value.day()) != Some(closing.value))?;
    Some(Found::new(closing.value, closing.confidence.min(0.9), said.range()))
}

/// Where the meeting is: after its date, or before it.
fn meeting_place(text: &str, dated: &Dated) -> Option<Found<String>> {
    let after = &text[dated.with_time.end..];
    let lead = super::clause::sentence_start(text, dated.with_time.start);
    let before = &text[lead..dated.with_time.start];
    let (start, found) = match PLACE_BEFORE.captures(before) {
        Some(groups) => (lead, groups.get(1)?),
        None => (dated.with_time.end, PLACE.captures(after)?.get(1)?),
    };
    let range = start + found.start()..start + found.end();
    let value = found.as_str().trim_end_matches([',', ' ']).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Found::new(value, 0.75, range))
}

/// A date that stands alone in the heading is the notice's own.
fn heading_date(
    printed: &Printed,
    dates: &[Dated],
    purposes: &[Option<(Purpose, usize)>],
) -> Option<Found<Day>> {
    let heading_end = printed.lines().take(6).last().map_or(0, |(range, _)| range.end);
    let lone = dates.iter().zip(purposes).find(|(dated, purpose)| {
        purpose.is_none()
            && dated.time.is_none()
            && dated.range.end <= heading_end
            && printed.text()[dated.range.end..].starts_with(['\n', '\t'])
    });
    lone.map(|(dated, _)| Found::new(dated.day, 0.7, dated.range.clone()))
}

fn at(dated: &Dated, without_hour: impl Fn(Day) -> Option<Moment>) -> Option<Moment> {
    match dated.time {
        Some(time) => Moment::in_colombo(dated.day.to_datetime(time)),
        None => without_hour(dated.day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn closing_of(text: &str) -> Option<String> {
        deadlines(&Printed::plain(text), None).closing.map(|found| found.value.to_string())
    }

    #[rstest]
    #[case(
        "Bids shall be delivered to the address below at or before 10:00 am on 9th April 2028. Late bids",
        "2028-04-09T10:00"
    )]
    #[case(
        "Sealed bids will be received by the Chairman, Tender Board, No. 48, Kandy Road, Galle until 02.00 p.m. on February 16, 2024 for the above.",
        "2024-02-16T14:00"
    )]
    #[case("Closing Date & Time\t03/05/2027 at 10.00 a.m.", "2027-05-03T10:00")]
    #[case("so as to reach the undersigned not later than 1100 hrs on 2028.08.05.", "2028-08-05T11:00")]
    #[case("ලංසු 2027.09.09 දින ප.ව. 2.00 ට හෝ ඊට පෙර ලැබෙන සේ", "2027-09-09T14:00")]
    #[case("கேள்விகள் 2027.02.06 ஆம் திகதி பி.ப. 3.00 மணிக்கு முன்னர் கிடைக்க", "2027-02-06T15:00")]
    #[case(
        "Closing time and date 10:00 hrs on the 2nd of December 2021 (extended from 18 November 2021).",
        "2021-12-02T10:00"
    )]
    #[case("Submission due 15:00 hrs 31 August 2023 instead of 17 August 2023", "2023-08-31T15:00")]
    #[case("Deadline 03.01.2018; bid validity up to 02.04.2018", "2018-01-03T23:59")]
    fn the_closing_is_read(#[case] text: &str, #[case] expected: &str) {
        let closing = closing_of(text).unwrap();
        assert!(closing.starts_with(expected), "{closing}");
    }

    #[test]
    fn each_date_finds_its_purpose() {
        let read = deadlines(
            &Printed::plain(
                "Documents will be issued from 01.05.2027 to 05.05.2027 during office hours. Bids will be closed at \
                 1400 hrs on 06-05-2027 and opened immediately thereafter. A pre-bid meeting will be held on \
                 03.05.2027 at 10.00 a.m. Bids shall be valid for 91 days from 06.05.2027 up to 05.08.2027.",
            ),
            None,
        );
        assert_eq!(read.closing.as_ref().unwrap().value.to_string(), "2027-05-06T14:00:00+05:30");
        assert_eq!(read.opening.unwrap().value, read.closing.unwrap().value);
        assert_eq!(read.sale_from.unwrap().value.to_string(), "2027-05-01");
        assert_eq!(read.sale_until.unwrap().value.to_string(), "2027-05-05");
        assert_eq!(read.pre_bid.unwrap().value.to_string(), "2027-05-03T10:00:00+05:30");
    }

    #[rstest]
    #[case(
        "Pre-bid conference: 1000 hrs on 2023-09-05 at the Board Room, Head Office.",
        "Board Room, Head Office"
    )]
    #[case(
        "A pre-bid meeting will be held at the Senate Hall, Mihintale on 12.11.2025 at 10.30 a.m.",
        "Senate Hall, Mihintale"
    )]
    #[case("Site inspection: 7th June 2017 at 10.00 hrs, Bloemendhal Tank Farm.", "Bloemendhal Tank Farm")]
    fn the_meeting_has_a_place(#[case] text: &str, #[case] place: &str) {
        let read = deadlines(&Printed::plain(text), None);
        assert!(read.pre_bid.is_some());
        assert_eq!(read.pre_bid_place.map(|found| found.value).as_deref(), Some(place));
    }

    #[test]
    fn documents_are_sold_over_a_range_in_each_language() {
        let range = |text: &str| {
            let read = deadlines(&Printed::plain(text), None);
            (
                read.sale_from.map(|day| day.value.to_string()),
                read.sale_until.map(|day| day.value.to_string()),
            )
        };
        let expected = (Some("2026-03-02".to_owned()), Some("2026-03-20".to_owned()));
        assert_eq!(range("2026.03.02 දින සිට 2026.03.20 දින දක්වා කාර්යාල වේලාවන් තුළ ලංසු ලේඛන ලබා ගත හැකිය."), expected);
        assert_eq!(range("2026.03.02 முதல் 2026.03.20 வரை கட்டணம் செலுத்திப் பெற்றுக்கொள்ளலாம்."), expected);
        assert_eq!(range("Documents are issued from 02.03.2026 up to 20.03.2026."), expected);
    }

    #[test]
    fn two_closings_that_differ_are_doubtful() {
        let text = "Closing date: 03.05.2027 at 10.00 a.m.\n\nBids must be submitted on or before 2.00 p.m. on 05.05.2027.";
        assert!(deadlines(&Printed::plain(text), None).closing.unwrap().confidence <= 0.5);
    }

    #[test]
    fn a_notice_without_a_closing_has_none() {
        assert_eq!(closing_of("Documents may be purchased until 03.05.2027."), None);
        assert_eq!(closing_of("The committee met on 03.05.2027."), None);
    }
}
