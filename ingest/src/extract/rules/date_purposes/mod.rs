//! The purpose of each printed date, such as closing, sale of documents, pre-bid meeting, opening,
//! validity or publication.

use super::{
    bid_opening,
    corrigendum::{DateStatus, date_statuses},
    cues::{Cue, best_role, sentence},
    dates::{PrintedDate, dates_as_of, times},
    document_sale::{self, SaleDay},
    pattern::patterns,
};
use crate::extract::{
    alternatives::Alternative,
    printed::{Found, Printed},
};
use std::ops::Range;
use tender_model::vocabulary::{Day, Moment};

/// The dates of a notice by purpose.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Deadlines {
    pub(crate) closing: Option<Found<Moment>>,
    /// Alternatives for the closing.
    pub(crate) other_closings: Vec<Alternative<Moment>>,
    /// The former closing of a corrigendum.
    pub(crate) former: Option<Found<Moment>>,
    pub(crate) opening: Option<Found<Moment>>,
    pub(crate) published: Option<Found<Day>>,
    pub(crate) sale_from: Option<Found<Day>>,
    pub(crate) sale_until: Option<Found<Day>>,
    pub(crate) sale_place: Option<Found<String>>,
    pub(crate) pre_bid: Option<Found<Moment>>,
    /// The place of the pre-bid meeting.
    pub(crate) pre_bid_place: Option<Found<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Closing,
    Sale,
    PreBid,
    /// The validity of bids, or another purpose whose dates are not used.
    Validity,
    Opening,
    Published,
    /// A closing that is no longer valid.
    Former,
}

patterns! {
    CLOSES = r"on or before|no[tr]? later than|at or before|clos(?:ing|ure|es?|ed)\b|dead\s?line|\bends? on\b|to reach|so as to arrive|last date|extended (?:up )?to|due date|\bdue on\b|close of office on|(?:submission|receipt|closing) (?:and|&) (?:public )?opening(?: of (?:bids|tenders|quotations|offers))?|time of (?:the )?(?:sale|auction)|(?:අවසාන|අවසන්) (?:දිනය|වේලාව|මොහොත)|භාර දීමේ අවසාන|(?:கடைசி|இறுதி) நேர|වස(?:න|ා දමන) (?:\S+ (?:හා|සහ) )?(?:දිනය|වේලාව)|(?:ලංසු|ටෙන්ඩර්|මිල ගණන්) වැසී|පෙට්ටිය වස|භාර\s?ගන්නා|இறுதித் திகதி|இறுதி (?:நாள|தினம்|திகதி)|முடிவுத் திகதி|முடிவு திகதி|பெட்டி மூடப்";
    AUCTIONED = r"\b(?:sold|disposed of|auctioned|offered)\b[^.;]{0,40}\bauction\b|\bbe auctioned\b|auction (?:sale )?(?:will be|is to be|is|to be) (?:held|conducted)|\b(?:hold|holding|conduct|conducting)s?\s(?:a|an|the)\s(?:\w+\s)?auction\b";
    BIDS_ON = r"(?:ලංසු|கேள்விகள்|விலைமனுக்கள்)\s*$";
    RECEIVED = r"received|\bwith the undersigned\b|submi(?:t|tted|ssion)|delivered|forwarded|sent by|lodged|deposited|\bsen[dt] (?:in|to)\b|handed (?:over|in)|in the hands of|placed in|accepted|\breach\b|tender box";
    ISSUED_UNTIL = r"last (?:date|day) (?:for|of|to) (?:the )?(?:issu|obtain|collect|purchas|sale|sell|download|bid(?:ding)? doc|tender doc|documents?|forms?)|ලේඛන නිකුත්|නිකුත් කිරීම\s*$|ஆவணங்கள் வழங்க|விநியோகம்\s*$|\bissue (?:ends|closes)\b";
    ASKED = r"\bclarif|\bqueries\b|\binquir|\benquir|\bquestions?\b";
    INVITED_UNTIL = r"\b(?:invites?|invited|calls?|called|receive[sd]?|entertain(?:ed)?|taken?|welcomed?)\b[^;\n]{0,240}?\b(?:until|till|up\s?to|before|by)\b";
    UNTIL = r"\b(?:until|till|up\s?to|before|by)\b";
    SOLD = r"purchased?|obtain(?:ed)?\b|collect(?:ed)?\b|issu(?:ed?|ing)\b|bought|download(?:ed|able)?|inspect(?:ed|ion)?|\bsold\b|\bsale\b|available|working days|office hours|නිකුත්|ලබා ගත|வழங்க|பெற்றுக்";
    DOCUMENTS = r"\bdocuments?\b|\bforms?\b";
    MEETING = r"pre[\s-]?(?:bid|tender|proposal)|site (?:visit|inspection)|site (?:may|can|will) be (?:inspected|visited)|(?:inspection of|visit to) (?:the )?site|\bmeeting\b|පූර්ව ලංසු|முன் விலைமனு";
    VALID = r"\bvalid(?:ity)?\b|වලංගු|செல்லுபடி";
    OPENED = r"\bopen(?:ed|ing|s)\b|විවෘත|திறக்க";
    PUBLISHED = r"published on|\bdated\b|notice of\b|\(?notice\s*$|date of (?:the )?notice|publication|appeared on";
    STARTS = r"\b(?:from|between)\s*(?:the\s*)?$|commencing|with effect";
    CLOSES_AFTER = r"ඊට\s+පෙර|ට\s+පෙර|වන\s?විට|භාර\s?(?:දිය|ගනු)|ලැබී(?:ය| ති|මට)|ලැබෙන\s?සේ|முன்னர்|முன்பு|ට?\s*අවසන්\s?(?:වේ|වන|කෙ)|முடிவுறு|மணிக்குள்|கிடைக்க|ஒப்படைக்க|முடிவடை|மூடப்ப|is the closing|being the closing";
    SOLD_AFTER = r"නිකුත්|ලබා ගත|வழங்கப்|பெற்றுக்";
    CLOCK = r"\b(?:0?\d|1\d|2[0-3])\s?[.:]\s?[0-5]\d(?:\s|[a-z]|$)|\d\s?[ap]\.?\s?m\b";
    OPENED_AFTER = r"විවෘත|திறக்க";
    // `… දක්වා ටෙන්ඩර් භාරගනු ලැබේ`: bids are accepted until the date.
    TAKEN_UNTIL = r"^[^.]{0,30}?(?:දක්වා|තෙක්|තුරු|வரை)\s(?:\S+\s){0,5}?(?:භාර\s?[ගද]|ஒப்படை|පිළිග|ලැබෙන|ஏற்|பொறுப்பேற்)";
    RANGE_AFTER = r"^[\s,]*(?:දින|ஆம்|திகதி|\s)*(?:සිට|දක්වා|முதல்|வரை)";
    // `at the Board Room, Head Office`: a place begins with a capital letter and ends with the
    // sentence, line or cell.
    PLACE = r"^(?:[\s,;(]|hrs|hours)*(?:at|in)?\s*(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?))(?:\.|;|\n|\t|\)|$)";
    PLACE_BEFORE = r"(?:held|conducted)\s(?:at|in)\s(?:the\s)?(?-i:([\p{Lu}“\x22][^.;\n\t]{3,90}?)),?\s(?:on|at|from)\s[^.;]{0,30}$";
    SAME_RANGE = r"^[\s,]*(?:දින|ஆம் திகதி)?[\s,]*(?:to|until|till|up\s?to|and|-|–|සිට|முதல்|both days)?[\s,]*(?:at|from|the)?\s*$";
    ROW = r"^[^:.\n]{3,40}\s?:\s";
    SAME_HOUR = r"\bsame (?:time|hour)|\b(?:hour|time) (?:is |remains |being )?(?:the same|unchanged|not changed|as before)|එම වේලාව|அதே நேர";
}

/// The weight of a sale whose only cue is a word such as `from`. The date must begin a range,
/// because a service may also begin on a day.
const FROM_WEIGHT: usize = 120;

/// The weight of a sale whose only cue is a Sinhala or Tamil word for `from` or `until`.
const RANGE_WEIGHT: usize = 330;

/// The cues before a date. Weights are in points; see [`Cue`].
fn leading_cues() -> [Cue<'static, Purpose>; 15] {
    use Purpose::{Closing, Opening, PreBid, Published, Sale, Validity};
    [
        Cue { role: Closing, pattern: &CLOSES, weight: 300 },
        // The day of an auction is its closing.
        Cue { role: Closing, pattern: &AUCTIONED, weight: 345 },
        Cue { role: Closing, pattern: &BIDS_ON, weight: EXPLICIT_WEIGHT },
        Cue { role: Closing, pattern: &RECEIVED, weight: 240 },
        Cue { role: Closing, pattern: &INVITED_UNTIL, weight: 240 },
        Cue { role: Closing, pattern: &UNTIL, weight: UNTIL_WEIGHT },
        Cue { role: Sale, pattern: &ISSUED_UNTIL, weight: 360 },
        // The last day for questions is not the closing.
        Cue { role: Validity, pattern: &ASKED, weight: 200 },
        Cue { role: Sale, pattern: &SOLD, weight: 250 },
        Cue { role: Sale, pattern: &DOCUMENTS, weight: 180 },
        Cue { role: PreBid, pattern: &MEETING, weight: 350 },
        Cue { role: Validity, pattern: &VALID, weight: 340 },
        Cue { role: Opening, pattern: &OPENED, weight: 235 },
        Cue { role: Published, pattern: &PUBLISHED, weight: 260 },
        Cue { role: Sale, pattern: &STARTS, weight: FROM_WEIGHT },
    ]
}

/// The cues after a date. Nearly all are in Sinhala or Tamil.
fn following_cues() -> [Cue<'static, Purpose>; 5] {
    [
        Cue { role: Purpose::Sale, pattern: &RANGE_AFTER, weight: RANGE_WEIGHT },
        Cue { role: Purpose::Closing, pattern: &TAKEN_UNTIL, weight: 345 },
        Cue { role: Purpose::Closing, pattern: &CLOSES_AFTER, weight: 330 },
        Cue { role: Purpose::Opening, pattern: &OPENED_AFTER, weight: 290 },
        Cue { role: Purpose::Sale, pattern: &SOLD_AFTER, weight: 150 },
    ]
}

/// The lowest weight of an explicit closing.
const EXPLICIT_WEIGHT: usize = 240;
/// The weight of a closing whose only cue is a word such as `until`.
const UNTIL_WEIGHT: usize = 100;
/// The weight of a closing that is found by elimination.
const ELIMINATION_WEIGHT: usize = 1;
/// The weight of a closing that is announced as new.
const CHANGED_WEIGHT: usize = 300;

/// The purpose of a date and the weight of its cue; `None` without a purpose.
type ScoredPurpose = Option<(Purpose, usize)>;

/// Reads the deadlines. `issue` is the date of the newspaper, if known. `is_corrigendum` says
/// whether the notice changes another one.
pub(crate) fn read_deadlines(printed: &Printed, issue: Option<Day>, is_corrigendum: bool) -> Deadlines {
    let text = printed.flow();
    let dates = dates_as_of(text, issue);
    let mut purposes = find_purposes(printed, &dates, &date_statuses(printed, &dates, is_corrigendum));
    // Usually only a corrigendum has former dates. If they leave another notice without a closing,
    // no date is taken as former or new.
    if !is_corrigendum && !purposes.iter().flatten().any(|(purpose, _)| *purpose == Purpose::Closing) {
        purposes = find_purposes(printed, &dates, &vec![None; dates.len()]);
    }
    if !is_corrigendum {
        find_closing_by_elimination(&dates, &mut purposes, issue);
    }
    let of = |wanted: Purpose| {
        dates.iter().zip(&purposes).filter_map(move |(dated, purpose)| {
            purpose.filter(|(purpose, _)| *purpose == wanted).map(|(_, weight)| (dated, weight))
        })
    };
    let candidates: Vec<_> = of(Purpose::Closing).collect();
    let mut closing = select_closing(text, &candidates, issue);
    let other_closings = other_closings(&candidates, closing.as_ref());
    let hour = closing.as_ref().and_then(|closing| {
        let is_end = Moment::end_of(closing.value.day()) == Some(closing.value);
        (!is_end).then(|| closing.value.civil().time())
    });
    let old_hour = || of(Purpose::Former).find_map(|(dated, _)| dated.time);
    let hour = hour.or_else(|| old_hour().filter(|_| SAME_HOUR.is_match(text)));
    if let (Some(closing), Some(hour)) = (&mut closing, hour) {
        closing.value = Moment::in_colombo(closing.value.day().to_datetime(hour)).unwrap_or(closing.value);
    }
    let former = of(Purpose::Former).next().and_then(|(dated, _)| {
        let moment = match dated.time.or(hour) {
            Some(time) => Moment::in_colombo(dated.day.to_datetime(time))?,
            None => Moment::end_of(dated.day)?,
        };
        Some(Found::new(moment, 0.9_f64.min(dated.day_confidence()), dated.with_time.clone()))
    });
    if let (Some(closing), Some(former)) = (&mut closing, &former)
        && closing.value <= former.value
    {
        // A closing is usually postponed. If the closing seems to be brought forward, the two
        // dates may be swapped.
        closing.confidence = closing.confidence.min(0.6);
    }
    // A later date without a purpose may be the new closing.
    if let (true, Some(closing), None) = (is_corrigendum, &mut closing, &former)
        && dates
            .iter()
            .zip(&purposes)
            .any(|(dated, purpose)| purpose.is_none() && dated.day > closing.value.day())
    {
        closing.confidence = closing.confidence.min(0.6);
    }
    let days: Vec<SaleDay<'_>> = dates
        .iter()
        .enumerate()
        .zip(&purposes)
        .filter_map(|((nth, dated), purpose)| {
            (*purpose).filter(|(purpose, _)| *purpose == Purpose::Sale)?;
            let mentions_sale = SOLD.is_match(sentence(text, &dated.with_time));
            let opens_a_range = document_sale::opens_a_range(text, dated, dates.get(nth + 1));
            Some(SaleDay { dated, opens_a_range, mentions_sale })
        })
        .collect();
    let (sale_from, sale_until) = document_sale::sale_period(text, &days);
    Deadlines {
        opening: of(Purpose::Opening)
            .next()
            .and_then(|(dated, _)| {
                Some(Found::new(moment_of(dated, Moment::start_of)?, 0.85, dated.with_time.clone()))
            })
            .or_else(|| bid_opening::opening_by_closing(text, closing.as_ref())),
        pre_bid: of(Purpose::PreBid).next().and_then(|(dated, _)| {
            let moment = moment_of(dated, Moment::start_of)?;
            Some(Found::new(moment, 0.9_f64.min(dated.day_confidence()), dated.with_time.clone()))
        }),
        published: of(Purpose::Published)
            .next()
            .map(|(dated, _)| {
                Found::new(dated.day, 0.85_f64.min(dated.day_confidence()), dated.range.clone())
            })
            .or_else(|| publication_date_in_heading(printed, &dates, &purposes)),
        pre_bid_place: of(Purpose::PreBid).next().and_then(|(dated, _)| meeting_place(text, dated)),
        closing,
        other_closings,
        former,
        sale_from,
        sale_until,
        sale_place: document_sale::sale_place(text),
    }
}

/// Bids close in these hours, or at [`LAST_MINUTE`].
const OFFICE_HOURS: std::ops::RangeInclusive<i8> = 8..=18;
/// The last minute of the day.
const LAST_MINUTE: (i8, i8) = (23, 59);

/// The purpose of each date.
fn find_purposes(
    printed: &Printed,
    dates: &[PrintedDate],
    date_statuses: &[Option<DateStatus>],
) -> Vec<ScoredPurpose> {
    let text = printed.flow();
    let mut purposes: Vec<ScoredPurpose> = Vec::with_capacity(dates.len());
    for (nth, dated) in dates.iter().enumerate() {
        let last = nth.checked_sub(1).and_then(|last| dates.get(last));
        let next = dates.get(nth + 1);
        let (before, after) =
            (last.map_or(0, |last| last.with_time.end), next.map_or(text.len(), |next| next.with_time.start));
        let by = |before, after| {
            best_role(text, &dated.with_time, before, after, &leading_cues(), &following_cues())
        };
        // A cue in the row takes precedence over a cue above the row.
        let row = row_or_labelled_line(printed.text(), dated.with_time.start);
        let by_cue = row
            .and_then(|row| by(before.max(row.start), after.min(row.end)))
            .or_else(|| by(before, after))
            .map(|(purpose, weight, _)| (purpose, weight))
            .filter(|(_, weight)| *weight != FROM_WEIGHT || document_sale::opens_a_range(text, dated, next));
        let goes_on = last.is_some_and(|last| {
            text.get(last.with_time.end..dated.with_time.start)
                .is_some_and(|between| SAME_RANGE.is_match(between) || document_sale::connects_range(between))
        });
        let inherited = purposes.last().copied().flatten();
        purposes.push(match date_statuses.get(nth).copied().flatten() {
            None if goes_on => inherited,
            None => by_cue,
            Some(status) => purpose_of_changed_date(by_cue, inherited, status),
        });
    }
    purposes
}

/// The line at a position, if it is a table row or a label with a value.
fn row_or_labelled_line(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let line = &text[start..end];
    (line.contains('\t') || ROW.is_match(line)).then_some(start..end)
}

/// If no date is a closing, the only future moment in office hours without a purpose becomes the
/// closing. Its low weight makes the closing doubtful.
fn find_closing_by_elimination(dates: &[PrintedDate], purposes: &mut [ScoredPurpose], issue: Option<Day>) {
    if purposes.iter().flatten().any(|(purpose, _)| *purpose == Purpose::Closing) {
        return;
    }
    let is_future = |dated: &PrintedDate| issue.is_none_or(|issue| dated.day > issue);
    let is_left = |nth: &usize| {
        let dated = &dates[*nth];
        let at_office = dated.time.is_some_and(|time| OFFICE_HOURS.contains(&time.hour()));
        purposes[*nth].is_none() && at_office && is_future(dated)
    };
    let moment = |nth: &usize| (dates[*nth].day, dates[*nth].time);
    let has_purpose = |nth: &usize| {
        (0..dates.len()).any(|other| purposes[other].is_some() && moment(&other) == moment(nth))
    };
    let left: Vec<usize> = (0..dates.len()).filter(|nth| is_left(nth) && !has_purpose(nth)).collect();
    if let Some(first) = left.first()
        && left.iter().all(|other| moment(other) == moment(first))
    {
        purposes[*first] = Some((Purpose::Closing, ELIMINATION_WEIGHT));
    }
}

/// The purpose of a former or new date. Without another purpose, the date is the former or new
/// closing.
fn purpose_of_changed_date(
    by_cue: ScoredPurpose,
    inherited: ScoredPurpose,
    status: DateStatus,
) -> ScoredPurpose {
    use Purpose::{Closing, Former, Opening, PreBid, Sale, Validity};
    let is_other = |(purpose, weight): &(Purpose, usize)| {
        matches!(purpose, Opening | PreBid | Sale | Validity)
            && !matches!(*weight, FROM_WEIGHT | RANGE_WEIGHT)
    };
    match (status, by_cue.filter(is_other)) {
        (DateStatus::Former, None) => Some((Former, CHANGED_WEIGHT)),
        // A former date of another purpose is dropped.
        (DateStatus::Former, Some((_, weight))) => Some((Validity, weight)),
        (DateStatus::New, Some(other)) => Some(other),
        (DateStatus::New, None) => match inherited {
            Some((Validity, _)) if by_cue.is_none() => None,
            _ => Some((Closing, CHANGED_WEIGHT)),
        },
    }
}

/// Selects the closing. Agreeing dates raise the confidence, and contradicting dates lower it.
fn select_closing(
    text: &str,
    candidates: &[(&PrintedDate, usize)],
    issue: Option<Day>,
) -> Option<Found<Moment>> {
    let (best, weight) = *candidates.iter().rev().max_by_key(|(dated, weight)| {
        // A date with a wrong weekday, or with neither a year nor a weekday, comes last.
        (dated.day_confidence() > 0.5, *weight, dated.time.is_some())
    })?;
    let agreeing = candidates.iter().filter(|(dated, _)| dated.day == best.day);
    // If the selected date has no time, but the day is printed again with a time, the date with
    // the time is the evidence.
    let timed =
        agreeing.clone().map(|(dated, _)| *dated).find(|dated| best.time.is_none() && dated.time.is_some());
    let evidence = timed.unwrap_or(best);
    let hour = evidence.time;
    let hours_differ = agreeing.clone().any(|(dated, _)| dated.time.is_some() && dated.time != hour);
    let days_differ = candidates
        .iter()
        .any(|(dated, other)| dated.day != best.day && *other >= weight.min(EXPLICIT_WEIGHT));
    let mut confidence: f64 = match weight {
        EXPLICIT_WEIGHT.. => 0.93,
        ELIMINATION_WEIGHT => 0.6,
        _ => 0.75,
    };
    if agreeing.count() > 1 {
        confidence = 0.98;
    }
    if hour.is_none() {
        confidence -= 0.08;
        // A time elsewhere may belong to the closing, unless it is the opening time.
        let clocks = CLOCK.find_iter(text).map(|clock| clock.range());
        let mut hours = clocks.chain(times(text).into_iter().map(|(range, _)| range));
        let of_opening = bid_opening::opening_times(text);
        let is_of_opening =
            |hour: &Range<usize>| of_opening.iter().any(|(range, _)| range.contains(&hour.start));
        if !hours.all(|hour| is_of_opening(&hour)) {
            confidence = confidence.min(0.75);
        }
    }
    if hours_differ {
        confidence = confidence.min(0.55);
    }
    if days_differ {
        confidence = confidence.min(0.5);
    }
    confidence = confidence.min(best.day_confidence());
    // A time outside office hours is probably misread: 1.00 may be 11.00.
    if hour.is_some_and(|hour| {
        !OFFICE_HOURS.contains(&hour.hour()) && (hour.hour(), hour.minute()) != LAST_MINUTE
    }) {
        confidence = confidence.min(0.6);
    }
    // A closing before the issue date is probably misprinted or misread, so a reviewer should
    // check it.
    if issue.is_some_and(|issue| best.day < issue) {
        confidence = confidence.min(0.5);
    }
    let moment = match hour {
        Some(hour) => Moment::in_colombo(best.day.to_datetime(hour))?,
        None => Moment::end_of(best.day)?,
    };
    Some(Found::new(moment, confidence, evidence.with_time.clone()))
}

/// Other moments that may be the closing: other days, or other times of the chosen day.
fn other_closings(
    candidates: &[(&PrintedDate, usize)],
    chosen: Option<&Found<Moment>>,
) -> Vec<Alternative<Moment>> {
    let Some(chosen) = chosen else { return Vec::new() };
    let others = candidates.iter().filter(|(dated, weight)| {
        let is_another_day = dated.day != chosen.value.day() && *weight >= UNTIL_WEIGHT;
        let is_another_hour = dated.day == chosen.value.day()
            && dated.time.is_some_and(|time| time != chosen.value.civil().time());
        is_another_day || is_another_hour
    });
    let others = others.filter_map(|(dated, _)| {
        let moment = moment_of(dated, Moment::end_of)?;
        let confidence = chosen.confidence.min(dated.day_confidence());
        Some(Alternative::of_rules(Found::new(moment, confidence, dated.with_time.clone())))
    });
    others.collect()
}

/// The place of the pre-bid meeting, which is printed before or after its date.
fn meeting_place(text: &str, dated: &PrintedDate) -> Option<Found<String>> {
    let after = &text[dated.with_time.end..];
    let lead = super::cues::sentence_start(text, dated.with_time.start);
    let before = &text[lead..dated.with_time.start];
    let (start, found) = match PLACE_BEFORE.captures(before) {
        Some(groups) => (lead, groups.get(1)?),
        None => (dated.with_time.end, PLACE.captures(after)?.get(1)?),
    };
    let range = start + found.start()..start + found.end();
    let value = found.as_str().trim_end_matches([',', ' ']).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Found::new(value, 0.75, range))
}

/// The publication date: a date without time and purpose at the end of a line or cell, in the
/// first six lines.
fn publication_date_in_heading(
    printed: &Printed,
    dates: &[PrintedDate],
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

fn moment_of(dated: &PrintedDate, without_hour: impl Fn(Day) -> Option<Moment>) -> Option<Moment> {
    match dated.time {
        Some(time) => Moment::in_colombo(dated.day.to_datetime(time)),
        None => without_hour(dated.day),
    }
}

#[cfg(test)]
mod tests;
