//! Tests of the purpose and the confidence of dates.

use super::*;
use rstest::rstest;

fn closing_of(text: &str) -> Option<String> {
    read_deadlines(&Printed::plain(text), None, false).closing.map(|found| found.value.to_string())
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
// A row gives the purpose of its date, regardless of the text above it.
#[case(
    "Documents obtainable\tFrom 12th day of March 2027 to 1st day of April 2027\nBids accepted until\t2nd day of April 2027 - 1:30pm",
    "2027-04-02T13:30"
)]
#[case(
    "Forms available : 12-Mar-2027 to 14-Apr-2027\nDeadline : 09:30 hours, 16-Apr-2027",
    "2027-04-16T09:30"
)]
#[case("2027 වර්ෂයේ මාර්තු මස 26 වැනි දින පෙ.ව. 11.00 තෙක් මිල ගණන් පිළිගනු ලැබේ.", "2027-03-26T11:00")]
// No cue indicates the closing, but only one date with a time has no purpose.
#[case(
    "Documents are issued from 01.05.2027 to 04.05.2027. The cover goes into the box: 05.05.2027, 10.30 a.m.",
    "2027-05-05T10:30"
)]
fn the_closing_is_read(#[case] text: &str, #[case] expected: &str) {
    let closing = closing_of(text).unwrap();
    assert!(closing.starts_with(expected), "{closing}");
}

#[test]
fn each_date_has_its_purpose() {
    let read = read_deadlines(
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
fn the_place_of_a_meeting_is_read(#[case] text: &str, #[case] place: &str) {
    let read = read_deadlines(&Printed::plain(text), None, false);
    assert!(read.pre_bid.is_some());
    assert_eq!(read.pre_bid_place.map(|found| found.value).as_deref(), Some(place));
}

#[test]
fn a_sale_period_is_read_in_each_language() {
    let range = |text: &str| {
        let read = read_deadlines(&Printed::plain(text), None, false);
        (read.sale_from.map(|day| day.value.to_string()), read.sale_until.map(|day| day.value.to_string()))
    };
    let expected = (Some("2026-03-02".to_owned()), Some("2026-03-20".to_owned()));
    assert_eq!(range("2026.03.02 දින සිට 2026.03.20 දින දක්වා කාර්යාල වේලාවන් තුළ ලංසු ලේඛන ලබා ගත හැකිය."), expected);
    assert_eq!(range("2026.03.02 முதல் 2026.03.20 வரை கட்டணம் செலுத்திப் பெற்றுக்கொள்ளலாம்."), expected);
    assert_eq!(range("Documents are issued from 02.03.2026 up to 20.03.2026."), expected);
    let list = "(a) Sale of RFP documents: Monday, 2 March 2026 - Friday, 20\nMarch 2026\n(b) Fee: LKR 500";
    assert_eq!(range(list), expected);
}

#[rstest]
#[case("The closing date of the above tender has been extended from 3 March to 17 March 2027 at 2.00 p.m.")]
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
fn a_corrigendum_has_a_former_and_a_new_closing(#[case] text: &str) {
    let read = read_deadlines(&Printed::plain(text), None, true);
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
fn only_a_closing_that_is_brought_forward_is_doubtful(#[case] text: &str, #[case] doubt: Option<f64>) {
    let read = read_deadlines(&Printed::plain(text), None, true);
    let closing = read.closing.unwrap();
    assert_eq!(closing.value.day().to_string(), "2027-03-17");
    assert_eq!(closing.confidence <= 0.6, doubt.is_some(), "{}", closing.confidence);
}

#[test]
fn a_tender_postponed_without_a_date_has_no_closing() {
    let text = "Bids earlier announced to close on 3 March 2027 are postponed until further notice.";
    let read = read_deadlines(&Printed::plain(text), None, true);
    assert_eq!(read.closing, None);
    assert_eq!(read.former.unwrap().value.day().to_string(), "2027-03-03");
}

#[rstest]
#[case("on or before 3.00 p.m. on Friday, 12th June", 0.85)]
#[case("on or before 3.00 p.m. on 12th June", 0.5)]
#[case("on or before 3.00 p.m. on Monday 12.06.2026", 0.5)]
#[case("on or before 3.00 p.m. on Friday 12.06.2026", 0.93)]
#[case("on or before 1.00 a.m. on Friday 12.06.2026", 0.6)]
fn year_weekday_and_time_limit_the_confidence_of_a_closing(#[case] text: &str, #[case] sure: f64) {
    let closing = read_deadlines(&Printed::plain(text), "2026-05-20".parse().ok(), false).closing.unwrap();
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
fn only_the_sale_of_documents_is_a_sale_period(
    #[case] text: &str,
    #[case] from: Option<&str>,
    #[case] until: Option<&str>,
) {
    let read = read_deadlines(&Printed::plain(text), None, false);
    let day = |found: Option<Found<Day>>| found.map(|found| found.value.to_string());
    assert_eq!((day(read.sale_from).as_deref(), day(read.sale_until).as_deref()), (from, until));
}

#[test]
fn two_closings_that_differ_are_doubtful() {
    let text = "Closing date: 03.05.2027 at 10.00 a.m.\n\nBids must be submitted on or before 2.00 p.m. on 05.05.2027.";
    assert!(read_deadlines(&Printed::plain(text), None, false).closing.unwrap().confidence <= 0.5);
}

#[test]
fn a_notice_without_a_closing_has_none() {
    assert_eq!(closing_of("Documents may be purchased until 03.05.2027."), None);
    assert_eq!(closing_of("The committee met on 03.05.2027."), None);
}

#[test]
fn a_row_of_a_corrigendum_has_former_and_new_dates() {
    let text = "With reference to the notice of 28.02.2027, please note the change below.\n\tAs published\tAs corrected\n\
                Deadline for submission\t2027 March 12, 09:30 hours\t2027 March 26, 09:30 hours";
    let read = read_deadlines(&Printed::plain(text), None, true);
    assert_eq!(read.closing.unwrap().value.to_string(), "2027-03-26T09:30:00+05:30");
    assert_eq!(read.former.unwrap().value.to_string(), "2027-03-12T09:30:00+05:30");
}

#[test]
fn each_row_of_a_corrigendum_has_its_own_dates() {
    let text = "\tAs published\tAs corrected\nPre-bid meeting\t05.03.2027, 10.00 a.m.\t23.03.2027, 10.00 a.m.\n\
                Closing of bids\t19.03.2027, 2.30 p.m.\t05.04.2027, 2.30 p.m.\nBid valid till\t18.07.2027\t04.08.2027";
    let read = read_deadlines(&Printed::plain(text), None, true);
    assert_eq!(read.closing.unwrap().value.to_string(), "2027-04-05T14:30:00+05:30");
    assert_eq!(read.former.unwrap().value.to_string(), "2027-03-19T14:30:00+05:30");
}

#[rstest]
#[case(
    "Bids which were to close on 17.03.2027 at 2.00 p.m. will now be closed on 08.04.2027 at the same time."
)]
#[case(
    "The date of closing, shown there as 17.03.2027 at 2.00 p.m., has now been shifted to 08.04.2027, at the same hour."
)]
#[case(
    "2027.03.17 பி.ப. 2.00 மணிக்கு முடிவுறுத்தப்படவிருந்த மேற்படி விலைமனு 2027.04.08ஆம் திகதி அதே நேரம் வரை பிற்போடப்படுகின்றது."
)]
fn the_former_time_may_apply_to_the_new_day(#[case] text: &str) {
    let read = read_deadlines(&Printed::plain(text), None, true);
    assert_eq!(read.closing.unwrap().value.to_string(), "2027-04-08T14:00:00+05:30");
}

#[rstest]
#[case("Bids close on 8th April 2027.", true)]
#[case("Bids close on 8th April 2027. Documents are issued from 9.00 a.m. to 3.00 p.m.", false)]
fn a_closing_without_a_time_is_doubtful_if_other_times_are_printed(
    #[case] text: &str,
    #[case] is_sure: bool,
) {
    let closing = read_deadlines(&Printed::plain(text), None, false).closing.unwrap();
    assert_eq!(closing.confidence >= crate::extract::CONFIDENCE_THRESHOLD, is_sure, "{}", closing.confidence);
}

#[test]
fn a_closing_by_elimination_is_doubtful() {
    let text = "Documents are issued from 01.05.2027 to 04.05.2027. The cover goes into the box: 05.05.2027, 10.30 a.m.";
    assert!(read_deadlines(&Printed::plain(text), None, false).closing.unwrap().confidence < 0.8);
    // A date with another purpose is not the closing, even if it is printed twice.
    let text =
        "Quotations are opened on 15.04.2027 at 2.00 p.m. (in the other paper: 2027 April 15, 2.00 p.m.).";
    assert_eq!(read_deadlines(&Printed::plain(text), None, false).closing, None);
    // If two dates without a purpose are left, neither is the closing.
    let text = "The cover goes into the box: 05.05.2027, 10.30 a.m. Bring a pencil on 06.05.2027, 11.30 a.m.";
    assert_eq!(read_deadlines(&Printed::plain(text), None, false).closing, None);
}
