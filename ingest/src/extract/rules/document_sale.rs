//! When and where bidding documents are sold. A notice may also print ranges of days for a service
//! or an inspection. A day whose sentence mentions documents takes precedence.

use super::{
    cues::{floor_char_boundary, sentence, sentence_start},
    dates::PrintedDate,
    pattern::patterns,
};
use crate::extract::printed::Found;
use tender_model::vocabulary::Day;

patterns! {
    DOCUMENTS = r"\bdocuments?\b|\bforms?\b|\bcopies\b|\bspecifications?\b|ලේඛන|පත්‍ර|ஆவண|படிவ";
    INSPECTED = r"\binspect";
    STARTS = r"\b(?:from|between)\s*(?:the\s*)?$|commencing|with effect";
    // In Sinhala and Tamil, `from` follows the day.
    ORIGIN_AFTER = r"^[\s,]*(?:දින|ஆம்|திகதி|\s)*(?:සිට|முதல்)";
    RANGE = r"^[\s,]*(?:hrs|hours)?[\s,]*(?:දින|ஆம்|திகதி|\s)*(?:to|until|till|up\s?to|and|-|–|සිට|முதல்)[\s,]*(?:at|the|දින)?[\s,]*(?:\(?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|\p{L}{2,12}දා|ඉරිදා|(?:திங்கள்|செவ்வாய்|புதன்|வியாழன்?|வெள்ளி|சனி|ஞாயிறு)(?:க்கிழமை)?)\.?\)?)?[\s,]*(?:the\s)?$";
    // `purchased from the Shroff, No. 5, Main Street, from …`: a place begins with a capital
    // letter.
    SOLD_AT = r"\b(?:purchased?|obtain(?:ed)?|collect(?:ed)?|issued|bought|sold|available|had)\b[^.;\n\t]{0,70}?\b(?:from|at)\s(?:the\s)?(?-i:\p{Lu})";
    PLACE_ENDS = r",?\s(?:from|between|during|on|until|till|up\s?to|upto|against|upon|after|by|with|within|in|for|and|at|free|both)\s(?-i:[^\p{Lu}])|[;\t]|\n\n|\s\(";
}

/// A place does not begin with these words.
const NOT_A_PLACE: [&str; 3] = ["Monday", "Chairman", "Rs"];
/// The maximum length of a place, in bytes.
const MAX_PLACE_LENGTH: usize = 160;

/// Whether a date begins a range of days: a Sinhala or Tamil `from` follows it, or a word such as
/// `to` or `until` connects it with the next date.
pub(crate) fn opens_a_range(text: &str, dated: &PrintedDate, next: Option<&PrintedDate>) -> bool {
    let after = &text[dated.with_time.end..];
    ORIGIN_AFTER.is_match(after)
        || next.is_some_and(|next| {
            next.range.start >= dated.with_time.end
                && connects_range(&text[dated.with_time.end..next.with_time.start.max(dated.with_time.end)])
        })
}

/// Whether a text connects the two days of a range, for example `- Friday,`.
pub(crate) fn connects_range(between: &str) -> bool {
    RANGE.is_match(between)
}

/// A date that may be the first or the last day of the sale.
pub(crate) struct SaleDay<'d> {
    pub(crate) dated: &'d PrintedDate,
    /// Whether the date begins a range of days.
    pub(crate) opens_a_range: bool,
    /// Whether the sentence of the date says that something is sold or issued.
    pub(crate) mentions_sale: bool,
}

/// The first and the last day of the sale of documents.
pub(crate) fn sale_period(text: &str, days: &[SaleDay<'_>]) -> (Option<Found<Day>>, Option<Found<Day>>) {
    let about = |day: &SaleDay<'_>| sentence(text, &day.dated.with_time);
    let of_documents: Vec<&SaleDay<'_>> = days.iter().filter(|day| DOCUMENTS.is_match(about(day))).collect();
    let chosen = if of_documents.is_empty() {
        days.iter().filter(|day| day.mentions_sale && !INSPECTED.is_match(about(day))).collect()
    } else {
        of_documents
    };
    let (mut from, mut until) = (None, None);
    for day in chosen {
        let start = sentence_start(text, day.dated.with_time.start);
        let lead = &text[start..day.dated.with_time.start];
        let is_first = day.opens_a_range || STARTS.is_match(lead) && until.is_none();
        let slot = if is_first { &mut from } else { &mut until };
        slot.get_or_insert(Found::new(
            day.dated.day,
            0.9_f64.min(day.dated.day_confidence()),
            day.dated.range.clone(),
        ));
    }
    (from, until)
}

/// The place where documents are sold.
pub(crate) fn sale_place(text: &str) -> Option<Found<String>> {
    SOLD_AT.find_iter(text).find_map(|sold| {
        // The pattern ends with the first letter of the place.
        let start = floor_char_boundary(text, sold.end() - 1);
        let sold_sentence = sentence(text, &(start..start));
        let sentence_end = start + (sold_sentence.len() - (start - sentence_start(text, start)));
        let rest = &text[start..sentence_end.min(floor_char_boundary(text, start + MAX_PLACE_LENGTH))];
        let place = rest[..PLACE_ENDS.find(rest).map_or(rest.len(), |end| end.start())]
            .trim_end_matches([',', '.', ' ']);
        let value = place.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_place = DOCUMENTS.is_match(sold_sentence)
            && value.contains(' ')
            && !NOT_A_PLACE.iter().any(|word| value.starts_with(word));
        is_place.then(|| Found::new(value, 0.75, start..start + place.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("2 May 2027 to 9 May 2027", true)]
    #[case("Sunday, 2 May 2027 - Friday, 7 May 2027", true)]
    #[case("2 May 2027 until (Fri.) 7 May 2027", true)]
    #[case("2 May 2027. Sale of tender forms ends on Friday, 7 May 2027", false)]
    fn a_range_of_days_may_name_weekdays(#[case] text: &str, #[case] expected: bool) {
        let found = super::super::dates::dates(text);
        assert_eq!(opens_a_range(text, &found[0], found.get(1)), expected);
    }

    #[rstest]
    #[case(
        "Bidding documents may be purchased from the Shroff, Head Office, No. 5, Main Street, Galle from 01.05.2027 to 05.05.2027.",
        Some("Shroff, Head Office, No. 5, Main Street, Galle")
    )]
    #[case(
        "Documents can be obtained on all working days from the Engineering Division between 9.00 a.m. and 2.30 p.m.",
        Some("Engineering Division")
    )]
    #[case(
        "Tender documents could be obtained from the Accounts Branch on payment of a fee.",
        Some("Accounts Branch")
    )]
    #[case("Samples may be obtained from the Stores Division on request.", None)]
    #[case("Documents will be issued from 01.05.2027 during office hours.", None)]
    fn the_place_of_sale_is_read(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(sale_place(text).map(|found| found.value).as_deref(), expected);
    }
}
