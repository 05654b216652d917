//! What each printed date is for: closing, sale of documents, pre-bid meeting, opening, validity, publication.

use super::{
    change::{Standing, standings},
    clause::{Cue, role, sentence},
    dates::{Dated, dates_as_of},
    pattern::patterns,
    printed::{Found, Printed},
    sale::{self, SaleDay},
};
use index::vocabulary::{Day, Moment};

/// The dates of a notice by their purpose.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Deadlines {
    pub(super) closing: Option<Found<Moment>>,
    /// The closing that held before, of a corrigendum.
    pub(super) former: Option<Found<Moment>>,
    pub(super) opening: Option<Found<Moment>>,
    pub(super) published: Option<Found<Day>>,
    pub(super) sale_from: Option<Found<Day>>,
    pub(super) sale_until: Option<Found<Day>>,
    pub(super) sale_place: Option<Found<String>>,
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
    /// A closing that holds no more.
    Former,
}

patterns! {
    CLOSES = r"on or before|no[tr]? later than|at or before|clos(?:ing|es?|ed)\b|dead\s?line|to reach|so as to arrive|last date|extended (?:up )?to|due date|අවසාන (?:දිනය|වේලාව)|වස(?:න|ා දමන) (?:දිනය|වේලාව)|භාර\s?ගන්නා|இறுதித் திகதி|இறுதி (?:நாள|தினம்|திகதி)|முடிவுத் திகதி|முடிவு திகதி";
    AUCTIONED = r"\b(?:sold|disposed of|auctioned|offered)\b[^.;]{0,40}\bauction\b|auction (?:sale )?(?:will be|is to be|is|to be) (?:held|conducted)|\b(?:hold|holding|conduct|conducting)s?\s(?:a|an|the)\s(?:\w+\s)?auction\b";
    BIDS_ON = r"(?:ලංසු|கேள்விகள்|விலைமனுக்கள்)\s*$";
    RECEIVED = r"received|submi(?:t|tted|ssion)|delivered|forwarded|sent by|lodged|deposited|handed (?:over|in)|in the hands of|placed in|accepted|\breach\b|tender box";
    ISSUED_UNTIL = r"last (?:date|day) (?:for|of|to) (?:the )?(?:issu|obtain|collect|purchas|sale|sell|download|bid(?:ding)? doc|tender doc|documents?|forms?)|ලේඛන නිකුත්|ஆவணங்கள் வழங்க";
    ASKED = r"\bclarif|\bqueries\b|\binquir|\benquir|\bquestions?\b";
    INVITED_UNTIL = r"\b(?:invites?|invited|calls?|called|receive[sd]?)\b[^;\n]{0,240}?\b(?:until|till|up\s?to|before|by)\b";
    UNTIL = r"\b(?:until|till|up\s?to|before|by)\b";
    SOLD = r"purchased?|obtain(?:ed)?\b|collect(?:ed)?\b|issu(?:ed?|ing)\b|bought|download(?:ed|able)?|inspect(?:ed|ion)?|\bsold\b|\bsale\b|available|working days|office hours|නිකුත්|ලබා ගත|வழங்க|பெற்றுக்";
    DOCUMENTS = r"\bdocuments?\b|\bforms?\b";
    MEETING = r"pre[\s-]?(?:bid|tender|proposal)|site (?:visit|inspection)|site (?:may|can|will) be (?:inspected|visited)|(?:inspection of|visit to) (?:the )?site|\bmeeting\b|පූර්ව ලංසු|முன் விலைமனு";
    VALID = r"\bvalid(?:ity)?\b|වලංගු|செல்லுபடி";
    OPENED = r"\bopen(?:ed|ing|s)\b|විවෘත|திறக்க";
    PUBLISHED = r"published on|\bdated\b|notice of\b|\(?notice\s*$|date of (?:the )?notice|publication|appeared on";
    STARTS = r"\b(?:from|between)\s*(?:the\s*)?$|commencing|with effect";
    CLOSES_AFTER = r"ඊට\s+පෙර|ට\s+පෙර|වන\s?විට|භාර\s?(?:දිය|ගනු)|ලැබී(?:ය| ති|මට)|ලැබෙන\s?සේ|முன்னர்|முன்பு|மணிக்குள்|கிடைக்க|ஒப்படைக்க|is the closing|being the closing";
    SOLD_AFTER = r"නිකුත්|ලබා ගත|வழங்கப்|பெற்றுக்";
    CLOCK = r"\b(?:0?\d|1\d|2[0-3])\s?[.:]\s?[0-5]\d(?:\s|[a-z]|$)|\d\s?[ap]\.?\s?m\b";
    OPENED_AFTER = r"විවෘත|திறக்க";
    // `… දක්වා ටෙන්ඩර් භාරගනු ලැබේ`: until then bids are taken.
    TAKEN_UNTIL = r"^[^.]{0,30}?(?:දක්වා|வரை)\s(?:\S+\s){0,3}?(?:භාර\s?ග|ලැබෙන|ஏற்|பொறுப்பேற்)";
    RANGE_AFTER = r"^[\s,]*(?:දින|ஆம்|திகதி|\s)*(?:සිට|දක්වා|முதல்|வரை)";
    // `at the Board Room, Head Office`: a place begins with a capital and ends with its sentence.
    PLACE = r"^(?:[\s,;(]|hrs|hours)*(?:at|in)?\s*(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?))(?:\.|;|\n|\t|\)|$)";
    PLACE_BEFORE = r"(?:held|conducted)\s(?:at|in)\s(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?)),?\s(?:on|at|from)\s[^.;]{0,30}$";
    SAME_RANGE = r"^[\s,]*(?:දින|ஆம் திகதி)?[\s,]*(?:to|until|till|up\s?to|and|-|–|සිට|முதல்|both days)?[\s,]*(?:at|from|the)?\s*$";
    OPENED_AT_ONCE = r"open(?:ed|ing)? (?:\w+ ){0,6}?(?:immediately|soon|just|promptly)|immediately after|විවෘත කරනු|உடனடியாகத் திறக்க";
}

/// `from` by itself opens a sale only where a range follows: a service may begin from a day, too.
const FROM_ALONE: usize = 120;

/// So does a Sinhala or Tamil range by itself.
const RANGE_ALONE: usize = 330;

/// Weights are points; a point is worth a byte of distance, see `clause`.
fn leading() -> [Cue<'static, Purpose>; 15] {
    use Purpose::{Closing, Opening, PreBid, Published, Sale, Validity};
    [
        Cue { role: Closing, pattern: &CLOSES, weight: 300 },
        // Who bids at an auction bids on its day.
        Cue { role: Closing, pattern: &AUCTIONED, weight: 345 },
        Cue { role: Closing, pattern: &BIDS_ON, weight: PLAIN },
        Cue { role: Closing, pattern: &RECEIVED, weight: 240 },
        Cue { role: Closing, pattern: &INVITED_UNTIL, weight: 240 },
        Cue { role: Closing, pattern: &UNTIL, weight: 100 },
        Cue { role: Sale, pattern: &ISSUED_UNTIL, weight: 360 },
        // Until when bidders may ask says nothing of when they bid.
        Cue { role: Validity, pattern: &ASKED, weight: 200 },
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
fn following() -> [Cue<'static, Purpose>; 5] {
    [
        Cue { role: Purpose::Sale, pattern: &RANGE_AFTER, weight: RANGE_ALONE },
        Cue { role: Purpose::Closing, pattern: &TAKEN_UNTIL, weight: 345 },
        Cue { role: Purpose::Closing, pattern: &CLOSES_AFTER, weight: 330 },
        Cue { role: Purpose::Opening, pattern: &OPENED_AFTER, weight: 290 },
        Cue { role: Purpose::Sale, pattern: &SOLD_AFTER, weight: 150 },
    ]
}

/// The least weight of a closing that is said plainly.
const PLAIN: usize = 240;
/// The weight of a closing that is said to be the new one.
const CHANGED: usize = 300;

/// A purpose and how strongly the text speaks for it.
type Weighed = Option<(Purpose, usize)>;

/// Reads the deadlines. `issue` is the day of the newspaper, where known; `is_corrigendum` says that the notice changes another.
pub(super) fn deadlines(printed: &Printed, issue: Option<Day>, is_corrigendum: bool) -> Deadlines {
    let text = printed.flow();
    let dates = dates_as_of(text, issue);
    let mut purposes = purposes(text, &dates, &standings(text, &dates));
    // What is no corrigendum and names no other closing means the one that it names.
    if !is_corrigendum && !purposes.iter().flatten().any(|(purpose, _)| *purpose == Purpose::Closing) {
        purposes = self::purposes(text, &dates, &vec![None; dates.len()]);
    }
    let of = |wanted: Purpose| {
        dates.iter().zip(&purposes).filter_map(move |(dated, purpose)| {
            purpose.filter(|(purpose, _)| *purpose == wanted).map(|(_, weight)| (dated, weight))
        })
    };
    let mut closing = closing(text, &of(Purpose::Closing).collect::<Vec<_>>(), issue);
    let hour = closing.as_ref().and_then(|closing| {
        let is_end = Moment::end_of(closing.value.day()) == Some(closing.value);
        (!is_end).then(|| closing.value.civil().time())
    });
    let former = of(Purpose::Former).next().and_then(|(dated, _)| {
        let moment = match dated.time.or(hour) {
            Some(time) => Moment::in_colombo(dated.day.to_datetime(time))?,
            None => Moment::end_of(dated.day)?,
        };
        Some(Found::new(moment, 0.9_f64.min(dated.sureness()), dated.with_time.clone()))
    });
    if let (Some(closing), Some(former)) = (&mut closing, &former)
        && closing.value <= former.value
    {
        // A closing is put off; one that is brought forward may be the two read the wrong way round.
        closing.confidence = closing.confidence.min(0.6);
    }
    let days: Vec<SaleDay<'_>> = dates
        .iter()
        .enumerate()
        .zip(&purposes)
        .filter_map(|((nth, dated), purpose)| {
            (*purpose).filter(|(purpose, _)| *purpose == Purpose::Sale)?;
            let is_said = SOLD.is_match(sentence(text, &dated.with_time));
            let opens_a_range = sale::opens_a_range(text, dated, dates.get(nth + 1));
            Some(SaleDay { dated, opens_a_range, is_said })
        })
        .collect();
    let (sale_from, sale_until) = sale::window(text, &days);
    Deadlines {
        opening: opening(text, of(Purpose::Opening).next().map(|(dated, _)| dated), closing.as_ref()),
        pre_bid: of(Purpose::PreBid).next().and_then(|(dated, _)| {
            let moment = at(dated, Moment::start_of)?;
            Some(Found::new(moment, 0.9_f64.min(dated.sureness()), dated.with_time.clone()))
        }),
        published: of(Purpose::Published)
            .next()
            .map(|(dated, _)| Found::new(dated.day, 0.85_f64.min(dated.sureness()), dated.range.clone()))
            .or_else(|| heading_date(printed, &dates, &purposes)),
        pre_bid_place: of(Purpose::PreBid).next().and_then(|(dated, _)| meeting_place(text, dated)),
        closing,
        former,
        sale_from,
        sale_until,
        sale_place: sale::place(text),
    }
}

/// Bids close within these hours, or with the day.
const OFFICE_HOURS: std::ops::RangeInclusive<i8> = 8..=18;
/// See [`OFFICE_HOURS`].
const MIDNIGHT: (i8, i8) = (23, 59);

/// What each date is for.
fn purposes(text: &str, dates: &[Dated], standings: &[Option<Standing>]) -> Vec<Weighed> {
    let mut purposes: Vec<Weighed> = Vec::with_capacity(dates.len());
    for (nth, dated) in dates.iter().enumerate() {
        let last = nth.checked_sub(1).and_then(|last| dates.get(last));
        let next = dates.get(nth + 1);
        let (before, after) =
            (last.map_or(0, |last| last.with_time.end), next.map_or(text.len(), |next| next.with_time.start));
        let said = role(text, &dated.with_time, before, after, &leading(), &following())
            .map(|(purpose, weight, _)| (purpose, weight))
            .filter(|(_, weight)| *weight != FROM_ALONE || sale::opens_a_range(text, dated, next));
        let goes_on = last.is_some_and(|last| {
            last.with_time.end <= dated.with_time.start
                && SAME_RANGE.is_match(&text[last.with_time.end..dated.with_time.start])
        });
        let inherited = purposes.last().copied().flatten();
        purposes.push(match standings.get(nth).copied().flatten() {
            None if goes_on => inherited,
            None => said,
            Some(standing) => changed(said, inherited, standing),
        });
    }
    purposes
}

/// What a date is for of which the text says that it held, or holds now. Where it does not say which, the closing is meant.
fn changed(said: Weighed, inherited: Weighed, standing: Standing) -> Weighed {
    use Purpose::{Closing, Former, Opening, PreBid, Sale, Validity};
    let is_other = |(purpose, weight): &(Purpose, usize)| {
        matches!(purpose, Opening | PreBid | Sale | Validity) && !matches!(*weight, FROM_ALONE | RANGE_ALONE)
    };
    match (standing, said.filter(is_other)) {
        (Standing::Former, None) => Some((Former, CHANGED)),
        // An old date of something else is nothing to keep.
        (Standing::Former, Some((_, weight))) => Some((Validity, weight)),
        (Standing::New, Some(other)) => Some(other),
        (Standing::New, None) => match inherited {
            Some((Validity, _)) if said.is_none() => None,
            _ => Some((Closing, CHANGED)),
        },
    }
}

/// The closing moment: what is said twice alike is surer, what is said twice differently is doubtful.
fn closing(text: &str, candidates: &[(&Dated, usize)], issue: Option<Day>) -> Option<Found<Moment>> {
    let (best, weight) = *candidates.iter().rev().max_by_key(|(dated, weight)| {
        // A year that nothing prints is the last to be believed.
        (dated.sureness() > 0.5, *weight, dated.time.is_some())
    })?;
    let agreeing = candidates.iter().filter(|(dated, _)| dated.day == best.day);
    // Where the hour stands beside another printing of the day, that one is the evidence.
    let told =
        agreeing.clone().map(|(dated, _)| *dated).find(|dated| best.time.is_none() && dated.time.is_some());
    let told = told.unwrap_or(best);
    let hour = told.time;
    let hours_differ = agreeing.clone().any(|(dated, _)| dated.time.is_some() && dated.time != hour);
    let days_differ =
        candidates.iter().any(|(dated, other)| dated.day != best.day && *other >= weight.min(PLAIN));
    let mut confidence: f64 = match weight {
        PLAIN.. => 0.93,
        _ => 0.75,
    };
    if agreeing.count() > 1 {
        confidence = 0.98;
    }
    if hour.is_none() {
        confidence -= 0.08;
        // An hour in its sentence that is not beside it may be its own, hardly read.
        if CLOCK.is_match(sentence(text, &best.with_time)) {
            confidence = confidence.min(0.75);
        }
    }
    if hours_differ {
        confidence = confidence.min(0.55);
    }
    if days_differ {
        confidence = confidence.min(0.5);
    }
    confidence = confidence.min(best.sureness());
    // 11.00 read as 1.00: no office takes bids then.
    if hour
        .is_some_and(|hour| !OFFICE_HOURS.contains(&hour.hour()) && (hour.hour(), hour.minute()) != MIDNIGHT)
    {
        confidence = confidence.min(0.6);
    }
    // Some notices print a closing before their own issue: a misprint or an old issue, in any case to be looked at.
    if issue.is_some_and(|issue| best.day < issue) {
        confidence = confidence.min(0.5);
    }
    let moment = match hour {
        Some(hour) => Moment::in_colombo(best.day.to_datetime(hour))?,
        None => Moment::end_of(best.day)?,
    };
    Some(Found::new(moment, confidence, told.with_time.clone()))
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
        deadlines(&Printed::plain(text), None, false).closing.map(|found| found.value.to_string())
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
    #[case("ලංසු වසා දමන දිනය හා වේලාව\t2027.04.16 පස්වරු 2.00", "2027-04-16T14:00")]
    #[case(
        "Forms should be sent to the address below so as to arrive by 2.30 p.m. on 23/04/2027. File: X/1",
        "2027-04-23T14:30"
    )]
    #[case(
        "The items will be sold by public auction at No. 351/A, Station Road, Trincomalee on 2027-04-19 commencing at 2.00 p.m.. Items may be inspected",
        "2027-04-19T14:00"
    )]
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
            false,
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
        let read = deadlines(&Printed::plain(text), None, false);
        assert!(read.pre_bid.is_some());
        assert_eq!(read.pre_bid_place.map(|found| found.value).as_deref(), Some(place));
    }

    #[test]
    fn documents_are_sold_over_a_range_in_each_language() {
        let range = |text: &str| {
            let read = deadlines(&Printed::plain(text), None, false);
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

    #[rstest]
    #[case(
        "The closing date of the above tender has been extended from 3 March to 17 March 2027 at 2.00 p.m."
    )]
    #[case("Bids will be received until 2.00 p.m. on 17.03.2027 instead of 03.03.2027.")]
    #[case("Bids, which were due on 3rd March 2027, will now close on 17th March 2027 at 2.00 p.m.")]
    #[case("The closing date, 3 March 2027, is hereby extended to 2.00 p.m. on 17 March 2027.")]
    #[case("The closing date given there as 3 March 2027 shall be read as 17 March 2027 at 1400 hrs.")]
    #[case("For closing date “3rd March 2027 at 2.00 p.m.” please read “17th March 2027 at 2.00 p.m.”.")]
    #[case("Previous closing date: 03.03.2027\nRevised closing date: 17.03.2027 at 2.00 p.m.")]
    #[case("In place of 3 March 2027 bids are accepted up to 2.00 p.m. on Wednesday, 17th March 2027.")]
    #[case("ලංසු භාර ගන්නා අවසාන දිනය 2027.03.03 සිට 2027.03.17 ප.ව. 2.00 දක්වා දීර්ඝ කර ඇත.")]
    #[case("ලංසු වසන දිනය 2027.03.03 වෙනුවට 2027.03.17 දින ප.ව. 2.00 ලෙස සංශෝධනය කර ඇත.")]
    #[case("முடிவுத் திகதி 2027.03.03 இலிருந்து 2027.03.17 பி.ப. 2.00 வரை நீடிக்கப்பட்டுள்ளது.")]
    #[case("இறுதித் திகதி 2027.03.03 இற்குப் பதிலாக 2027.03.17 பி.ப. 2.00 என மாற்றப்பட்டுள்ளது.")]
    fn a_corrigendum_says_what_was_and_what_is(#[case] text: &str) {
        let read = deadlines(&Printed::plain(text), None, true);
        let closing = read.closing.unwrap();
        assert_eq!(closing.value.to_string(), "2027-03-17T14:00:00+05:30");
        assert!(closing.confidence >= 0.9, "{}", closing.confidence);
        assert_eq!(read.former.unwrap().value.day().to_string(), "2027-03-03");
    }

    #[rstest]
    #[case(
        "The pre-bid meeting of 1 March 2027 is postponed to 5 March 2027. Bids close on 17 March 2027.",
        None
    )]
    #[case("Bids close on 17 March 2027. Those registered earlier than 3 March 2027 need not apply.", None)]
    #[case("The closing is brought forward from 24 March 2027 to 17 March 2027.", Some(0.6))]
    fn other_changes_leave_the_closing_alone(#[case] text: &str, #[case] doubt: Option<f64>) {
        let read = deadlines(&Printed::plain(text), None, true);
        let closing = read.closing.unwrap();
        assert_eq!(closing.value.day().to_string(), "2027-03-17");
        assert_eq!(closing.confidence <= 0.6, doubt.is_some(), "{}", closing.confidence);
    }

    #[test]
    fn a_tender_put_off_without_a_day_closes_on_none() {
        let text = "Bids earlier announced to close on 3 March 2027 are postponed until further notice.";
        let read = deadlines(&Printed::plain(text), None, true);
        assert_eq!(read.closing, None);
        assert_eq!(read.former.unwrap().value.day().to_string(), "2027-03-03");
    }

    #[rstest]
    #[case("on or before 3.00 p.m. on Friday, 12th June", 0.85)]
    #[case("on or before 3.00 p.m. on 12th June", 0.5)]
    #[case("on or before 3.00 p.m. on Monday 12.06.2026", 0.5)]
    #[case("on or before 3.00 p.m. on Friday 12.06.2026", 0.93)]
    #[case("on or before 1.00 a.m. on Friday 12.06.2026", 0.6)]
    fn a_day_is_as_sure_as_its_year_and_weekday(#[case] text: &str, #[case] sure: f64) {
        let closing = deadlines(&Printed::plain(text), "2026-05-20".parse().ok(), false).closing.unwrap();
        assert_eq!(closing.value.day().to_string(), "2026-06-12");
        assert!((closing.confidence - sure).abs() < 1e-9, "{}", closing.confidence);
    }

    #[rstest]
    #[case(
        "Documents are issued from 29th May 2017 up to 16th June 2017, 0900 hrs to 1500 hrs.",
        Some("2017-05-29"),
        Some("2017-06-16")
    )]
    #[case(
        "Documents are issued from 2nd June up to 16th June 2017, 0900 hrs to 1500 hrs.",
        Some("2017-06-02"),
        Some("2017-06-16")
    )]
    #[case(
        "Forms: from the Director, at Rs. 5 each, from 5th to 16th October 2026.",
        Some("2026-10-05"),
        Some("2026-10-16")
    )]
    #[case("Forms are issued between 02.02.2026 and 20.02.2026.", Some("2026-02-02"), Some("2026-02-20"))]
    #[case(
        "Removal of refuse from 01.01.2027 to 31.12.2028. Documents are sold until 27.11.2026.",
        None,
        Some("2026-11-27")
    )]
    #[case("The goods may be inspected from 13.10.2026 to 15.10.2026.", None, None)]
    fn a_window_of_sale_is_that_of_documents(
        #[case] text: &str,
        #[case] from: Option<&str>,
        #[case] until: Option<&str>,
    ) {
        let read = deadlines(&Printed::plain(text), None, false);
        let day = |found: Option<Found<Day>>| found.map(|found| found.value.to_string());
        assert_eq!((day(read.sale_from).as_deref(), day(read.sale_until).as_deref()), (from, until));
    }

    #[test]
    fn two_closings_that_differ_are_doubtful() {
        let text = "Closing date: 03.05.2027 at 10.00 a.m.\n\nBids must be submitted on or before 2.00 p.m. on 05.05.2027.";
        assert!(deadlines(&Printed::plain(text), None, false).closing.unwrap().confidence <= 0.5);
    }

    #[test]
    fn a_notice_without_a_closing_has_none() {
        assert_eq!(closing_of("Documents may be purchased until 03.05.2027."), None);
        assert_eq!(closing_of("The committee met on 03.05.2027."), None);
    }
}
