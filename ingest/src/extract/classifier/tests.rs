//! Tests of the classifier with a few hand-written weights, and with the built-in weights.

use super::{Classifier, model::WeightsError};
use crate::extract::{
    CONFIDENCE_THRESHOLD, Extracted, Gazetteer, Printed, extract, extract_with_classifier,
    is_doubted_as_notice,
};
use rstest::rstest;
use tender_model::tender::Tender;

/// Weights with which `hatch` indicates the closing, `pledge` the bid security and `papers` the
/// document fee.
const WEIGHTS: &str = "# weights\n\
    moment\tbias\t-2\n\
    moment\tbefore:hatch\t4\n\
    sum\tbias\t-2\t-2\n\
    sum\tbefore:pledg\t5\t0\n\
    sum\tbefore:paper\t0\t5\n";

const HEAD: &str = "PROCUREMENT NOTICE\n\nKandy Municipal Council\n\nSupply of Water Pumps\n\nReference KMC/PROC/2027/14\n\n";

fn read(classifier: Option<&Classifier>, body: &str) -> Tender {
    let printed = Printed::plain(&format!("{HEAD}{body}"));
    match extract_with_classifier(classifier, Gazetteer::built_in(), &printed, None, 1.0) {
        Extracted::Notice(tender) => *tender,
        Extracted::Rejected(reason) => panic!("{reason:?}"),
    }
}

fn read_with_classifier(body: &str) -> Tender {
    read(Some(&Classifier::parse(WEIGHTS).unwrap()), body)
}

#[test]
fn missing_values_are_filled_and_doubtful() {
    let body =
        "The hatch falls at 2.30 p.m. on 5th May 2027. A pledge worth Rs. 75,000.00; papers, Rs. 2,500.00.";
    let by_rules = read(None, body);
    assert_eq!((by_rules.financials.bid_bond.amount, by_rules.document_fee), (None, None));
    let tender = read_with_classifier(body);
    assert_eq!(tender.dates.closing.unwrap().to_string(), "2027-05-05T14:30:00+05:30");
    assert_eq!(tender.document_fee.unwrap().amount.unwrap().number(), 2_500.0);
    assert_eq!(tender.evidence["dates.closing"].text, "2.30 p.m. on 5th May 2027");
    assert_eq!(tender.evidence["documentFee.amount"].text, "Rs. 2,500.00");
    for field in ["dates.closing", "documentFee.amount"] {
        assert!(tender.confidence[field] < CONFIDENCE_THRESHOLD, "{field}");
    }
    assert!(tender.needs_review);
}

#[test]
fn a_certain_closing_of_the_rules_stays_but_becomes_doubtful() {
    let body = "Bids close at 10.00 a.m. on 3rd May 2027. The hatch falls at 2.30 p.m. on 5th May 2027.";
    let tender = read_with_classifier(body);
    assert_eq!(tender.dates.closing, read(None, body).dates.closing);
    // The classifier predicts another day, so a reviewer should check the closing.
    assert!(read(None, body).confidence["dates.closing"] >= CONFIDENCE_THRESHOLD);
    assert!(tender.confidence["dates.closing"] < CONFIDENCE_THRESHOLD);
}

#[rstest]
#[case::two_equally_likely(
    "The hatch falls at 2.30 p.m. on 5th May 2027. The hatch falls at 2.30 p.m. on 7th May 2027."
)]
#[case::none_likely("At 2.30 p.m. on 5th May 2027 and at 2.30 p.m. on 7th May 2027.")]
fn an_unlikely_or_ambiguous_closing_is_not_used(#[case] body: &str) {
    assert_eq!(read_with_classifier(body).dates.closing, None);
}

#[test]
fn one_amount_is_not_used_twice() {
    let tender = read_with_classifier(
        "Bid security: Rs. 75,000.00. The hatch falls on 5th May 2027; with papers, Rs. 75,000.00.",
    );
    assert_eq!(tender.financials.bid_bond.amount.unwrap().number(), 75_000.0);
    assert_eq!(tender.document_fee.and_then(|fee| fee.amount), None);
}

#[test]
fn amounts_with_another_purpose_are_not_fees() {
    let tender = read_with_classifier(
        "Papers show an annual turnover of Rs. 50,000.00. Papers show a value of Rs. 5,000,000.00.",
    );
    assert_eq!(tender.document_fee.and_then(|fee| fee.amount), None);
}

#[rstest]
#[case::the_classifier_agrees("A pledge is asked for: bid security of Rs. 75,000.00.", true)]
#[case::the_classifier_does_not_recognise_it("Bid security: Rs. 75,000.00.", false)]
fn an_amount_is_certain_only_if_the_classifier_confirms_it(#[case] body: &str, #[case] is_sure: bool) {
    let tender = read_with_classifier(body);
    assert_eq!(tender.financials.bid_bond.amount.unwrap().number(), 75_000.0);
    assert_eq!(tender.confidence["financials.bidBond.amount"] >= CONFIDENCE_THRESHOLD, is_sure);
}

#[rstest]
#[case::another_day(
    "The hatch falls at 2.30 p.m. on 5th May 2027. By 3rd May 2027 at 10.00 a.m. somebody comes.",
    "2027-05-05T14:30:00+05:30"
)]
#[case::the_same_day("Bids close at the hatch at 2.30 p.m. on 5th May 2027.", "2027-05-05T14:30:00+05:30")]
fn a_doubtful_closing_is_replaced(#[case] body: &str, #[case] closing: &str) {
    assert_eq!(read_with_classifier(body).dates.closing.unwrap().to_string(), closing);
}

/// Weights with which `horses` indicates a sale, and `mules` a text that is not a notice.
const KIND_WEIGHTS: &str = "asks\tword:horse\t0\t0\t5\t0\t0\nasks\tword:mules\t0\t0\t0\t0\t5\n";

fn read_with_kind_weights(body: &str) -> Tender {
    read(
        Some(&Classifier::parse(KIND_WEIGHTS).unwrap()),
        &format!("{body} Bids close at 2.30 p.m. on 5th May 2027."),
    )
}

#[test]
fn words_predict_a_kind_without_a_rule() {
    use tender_model::vocabulary::Kind;
    let sale = read_with_kind_weights("Bids are invited for seven horses.");
    assert_eq!(sale.kind, Kind::Sale);
    assert!(sale.confidence["kind"] < CONFIDENCE_THRESHOLD);
    let purchase = read_with_kind_weights("Bids are invited for seven pumps.");
    assert_eq!(purchase.kind, Kind::Purchase);
}

#[test]
fn evidence_against_a_notice_makes_it_doubtful() {
    let tender = read_with_kind_weights("Bids are invited for seven mules.");
    assert!(tender.needs_review);
    assert!(is_doubted_as_notice(&tender, CONFIDENCE_THRESHOLD), "{:?}", tender.confidence);
    let sure = read_with_kind_weights("Bids are invited for seven pumps.");
    assert!(!is_doubted_as_notice(&sure, CONFIDENCE_THRESHOLD), "{:?}", sure.confidence);
    assert_eq!(
        tender.confidence["dates.closing"], sure.confidence["dates.closing"],
        "the confidence of other fields is unchanged"
    );
}

#[test]
fn an_award_has_no_closing() {
    let tender =
        read_with_classifier("NOTICE OF CONTRACT AWARD\nThe hatch fell at 2.30 p.m. on 5th May 2027.");
    assert_eq!(tender.kind, tender_model::vocabulary::Kind::Award);
    assert_eq!(tender.dates.closing, None);
}

#[test]
fn a_notice_in_unknown_words_is_doubtful_as_a_notice() {
    let text = "Whoever sells water pumps and would sell some to the town hall is asked for a price in a closed cover. \
                The hatch falls at 2.30 p.m. on 5th May 2027, and a pledge worth LKR 75,000.00 goes with it.";
    let printed = Printed::plain(text);
    let by = |classifier| extract_with_classifier(classifier, Gazetteer::built_in(), &printed, None, 1.0);
    assert!(matches!(by(None), Extracted::Rejected(_)));
    let Extracted::Notice(tender) = by(Some(&Classifier::parse(WEIGHTS).unwrap())) else { panic!("refused") };
    assert!(is_doubted_as_notice(&tender, CONFIDENCE_THRESHOLD), "{:?}", tender.confidence);
}

#[test]
fn unknown_wordings_are_read_with_the_built_in_weights() {
    let body = "Whoever would supply them puts an envelope before the Secretary no sooner than he has paid Rs. 2,500.00 at the \
                counter for a set of the papers (this is never returned), and with a guarantee by a bank in the sum of \
                Rs. 75,000.00. Envelopes come in till 2.30 p.m. of 5th May 2027.";
    let Extracted::Notice(tender) = extract(&Printed::plain(&format!("{HEAD}{body}")), None, 1.0) else {
        panic!("refused")
    };
    assert_eq!(tender.dates.closing.unwrap().to_string(), "2027-05-05T14:30:00+05:30");
    assert_eq!(tender.financials.bid_bond.amount.unwrap().number(), 75_000.0);
    assert_eq!(tender.document_fee.unwrap().amount.unwrap().number(), 2_500.0);
}

/// Weights with which the label `Wanted` indicates a title, and `Asks` an organisation.
const NAME_WEIGHTS: &str = "title\tbias\t-6\ntitle\tlabel:wante\t12\ntitle\tcloses paragraph\t3\nbody\tbias\t-6\nbody\tlabel:asks\t12\n";

fn read_with_name_weights(text: &str) -> Option<Tender> {
    let classifier = Classifier::parse(NAME_WEIGHTS).unwrap();
    match extract_with_classifier(Some(&classifier), Gazetteer::built_in(), &Printed::plain(text), None, 1.0)
    {
        Extracted::Notice(tender) => Some(*tender),
        Extracted::Rejected(_) => None,
    }
}

#[test]
fn a_title_is_certain_only_if_rules_and_classifier_agree() {
    let rest = "Bids close at 10.00 a.m. on 3rd May 2027.";
    let head = "PROCUREMENT NOTICE\n\nKandy Municipal Council\n\nSupply of Water Pumps";
    let agreed =
        read_with_name_weights(&format!("{head}\n\nWanted: Supply of Water Pumps\n\n{rest}")).unwrap();
    assert!(agreed.confidence["title"] >= CONFIDENCE_THRESHOLD, "{:?}", agreed.confidence);
    let other = read_with_name_weights(&format!("{head}\n\nWanted: Fourteen Good Horses\n\n{rest}")).unwrap();
    assert_eq!(other.title, "Fourteen Good Horses");
    let silent = read_with_name_weights(&format!("{head}\n\n{rest}")).unwrap();
    assert_eq!(silent.title, "Supply of Water Pumps");
    for tender in [other, silent] {
        assert!(tender.confidence["title"] < CONFIDENCE_THRESHOLD, "{:?}", tender.confidence);
    }
}

#[test]
fn a_call_before_the_title_is_excluded() {
    let text = "PROCUREMENT NOTICE\n\nKandy Municipal Council\n\nWanted: Tender for the Supply of Water Pumps\n\n\
                Reference KMC/PROC/2027/14\n\nSealed bids are invited for the Supply of Water Pumps. Bids close on 3rd May 2027.";
    let tender = read_with_name_weights(text).unwrap();
    assert_eq!(tender.title, "Supply of Water Pumps");
    assert!(tender.confidence["title"] < CONFIDENCE_THRESHOLD, "{:?}", tender.confidence);
}

#[test]
fn a_different_predicted_organisation_makes_the_name_doubtful() {
    let text = |asks: &str| {
        format!(
            "PROCUREMENT NOTICE\n\nKandy Municipal Council\n\nSupply of Water Pumps\n\nAsks: {asks}\n\nBids close on 3rd May 2027."
        )
    };
    let agreed = read_with_name_weights(&text("Kandy Municipal Council")).unwrap();
    assert!(agreed.confidence["organization.name"] >= CONFIDENCE_THRESHOLD, "{:?}", agreed.confidence);
    let other = read_with_name_weights(&text("Galle Horse Guards")).unwrap();
    assert!(other.confidence["organization.name"] < CONFIDENCE_THRESHOLD, "{:?}", other.confidence);
}

#[test]
fn a_text_with_only_title_and_organisation_needs_review() {
    let text = "Wanted: Fourteen Good Horses\n\nAsks: Galle Horse Guards\n\nWhoever has some should come and see us soon.";
    let tender = read_with_name_weights(text).unwrap();
    assert_eq!(
        (tender.title.as_str(), tender.organization.name.as_str()),
        ("Fourteen Good Horses", "Galle Horse Guards")
    );
    assert!(tender.needs_review && is_doubted_as_notice(&tender, CONFIDENCE_THRESHOLD));
    assert_eq!(
        read_with_name_weights(
            "Wanted: Fourteen Good Horses\n\nWhoever has some should come and see us soon."
        ),
        None
    );
}

#[rstest]
#[case("moment\tbias\t1\n\nsum\tbias\t1\t2", None)]
#[case("moment\tbias\t1\nsum\tbias\t1", Some(2))]
#[case("moment\tbias", Some(1))]
#[case("asks\tbias\t1\t2\t3\t4\t5", None)]
#[case("asks\tbias\t1\t2\t3\t4", Some(1))]
#[case("place\tbias\t1", Some(1))]
#[case("moment\tbias\tmuch", Some(1))]
fn an_invalid_line_of_weights_is_reported(#[case] text: &str, #[case] line: Option<usize>) {
    assert_eq!(Classifier::parse(text).err(), line.map(WeightsError));
}
