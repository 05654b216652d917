//! Tests of all rules on whole notices and on random text.

use super::{
    CONFIDENCE_THRESHOLD, Extracted, Gazetteer, Printed, RejectionReason, extract, extract_confirmed,
};
use crate::{
    base::lexicon::Lexicon,
    ocr::{AGREED, ClipText, ReaderName},
};
use proptest::{prelude::*, sample::select};
use rstest::rstest;
use std::{fs, path::Path};
use tender_model::tender::{IS_NOTICE, Tender};

/// A notice in `fixtures/notice-texts/development`, without the first paragraph, which describes
/// the source.
fn notice(name: &str) -> Printed {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/notice-texts/development");
    let text = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
    Printed::plain(text.split_once("\n\n").unwrap().1)
}

#[rstest]
#[case("01_pradeshiya_sabha_roads")]
#[case("02_bank_generators")]
#[case("03_university_vehicle_hire")]
#[case("04_hospital_sinhala")]
#[case("05_ministry_consultancy")]
#[case("06_corrigendum_board")]
#[case("07_estate_sale")]
fn a_notice_is_extracted_completely(#[case] name: &str) {
    let Extracted::Notice(tender) = extract(&notice(name), None, 1.0) else { panic!("{name} was rejected") };
    let fields = serde_json::to_string_pretty(&tender).unwrap();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, fields);
    });
}

/// Extracts a notice from OCR text. The confidence of its words is that of a single recogniser.
fn extract_recognised(text: &str) -> Tender {
    extract_with_word_confidence(text, 0.9)
}

fn extract_with_word_confidence(text: &str, confidence: f64) -> Tender {
    let mut text = ClipText::from_plain(text);
    text.reader = ReaderName::Tesseract;
    let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
    // The confidence of a word counts only if the word has a box.
    for word in lines.flat_map(|line| line.cells.iter_mut().flatten()) {
        (word.area, word.confidence) = ([0.1; 4], confidence);
    }
    let Extracted::Notice(tender) = extract(&Printed::of(&text), "2026-11-20".parse().ok(), 0.99) else {
        panic!("{text:?}")
    };
    *tender
}

#[test]
fn a_sinhala_or_tamil_title_is_certain_with_known_words_or_two_recognisers() {
    let truth = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/truth/newspapers/daily-lanka/2026-11-20/p1.gt.json");
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(truth).unwrap()).unwrap();
    let notices = truth["notices"].as_array().unwrap().iter().filter(|piece| piece["type"] == "tender");
    let (mut known, mut misread_titles) = (0, 0);
    for piece in notices.filter(|piece| piece["lang"] != "en") {
        let text = piece["text"].as_str().unwrap();
        let tender = extract_recognised(text);
        let is_known = Lexicon::built_in().knows(&tender.title);
        assert_eq!(tender.confidence["title"] >= CONFIDENCE_THRESHOLD, is_known, "{:?}", tender.confidence);
        assert!(tender.confidence["referenceNo"] >= CONFIDENCE_THRESHOLD, "{:?}", tender.confidence);
        known += usize::from(is_known);
        let by_both = extract_with_word_confidence(text, AGREED).confidence["title"];
        assert!(by_both >= CONFIDENCE_THRESHOLD, "two recognisers agree: {by_both}");
        // Letters that OCR often confuses.
        for (printed, read) in [("ත", "න"), ("හ", "ඞ"), ("ව", "ච"), ("ப", "ட"), ("க", "ச")]
        {
            if tender.title.contains(printed) {
                let misread =
                    extract_recognised(&text.replace(&tender.title, &tender.title.replace(printed, read)));
                let sure = misread.confidence.get("title").copied().unwrap_or_default();
                assert!(sure < CONFIDENCE_THRESHOLD, "{} {:?}", misread.title, misread.confidence);
                misread_titles += 1;
            }
        }
    }
    assert!(known > 0 && misread_titles > 1, "{known} {misread_titles}");
}

#[test]
fn a_known_sinhala_name_is_certain_and_an_unknown_one_is_not() {
    let notice = |body: &str| {
        extract_recognised(&format!(
            "{body}\nලංසු කැඳවීම\nකාර්යාල ගොඩනැගිල්ල අලුත්වැඩියා කිරීම\n\nලංසු 2027.03.23 දින ප.ව. 2.30 ට හෝ ඊට පෙර ලැබිය යුතුය.\n\nසභාපති,\n{body}"
        ))
    };
    let sure = |tender: &Tender| tender.confidence["organization.name"] >= CONFIDENCE_THRESHOLD;
    let known = notice("මාර්ග සංවර්ධන අධිකාරිය");
    assert!(sure(&known), "{:?}", known.confidence);
    let unknown = notice("වැඩමුල්ල සංවර්ධන අධිකාරිය");
    assert!(!sure(&unknown), "{:?}", unknown.confidence);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The text consists of parts of notices in any order, with multi-byte letters. A random
    /// number of characters is removed from its beginning.
    #[test]
    fn random_text_does_not_panic_and_has_valid_confidences(pieces in prop::collection::vec(select(TEXT_PIECES.to_vec()), 0..30), cut in 0_usize..400) {
        let text: String = pieces.concat().chars().skip(cut).collect();
        if let Extracted::Notice(tender) = extract(&Printed::plain(&text), None, 1.0) {
            prop_assert!(tender.confidence.values().all(|confidence| (0.0..=1.0).contains(confidence)));
        }
    }
}

const TEXT_PIECES: [&str; 34] = [
    "INVITATION FOR BIDS\n",
    "Ministry of Health - State Ministry of Roads\n",
    "BASE HOSPITAL - DAMBULLA, Matale\n",
    "Supply of pipes at Ratmalana. The Chairman invites sealed bids until ",
    "Lot 1 - buses - bid security Rs. 60,000.00\n",
    "Lot 02: vans bid bond Rs. 45,000\n",
    "No\tWork\tCIDA grade\tEstimated cost (Rs. Mn.)\tBid security\n",
    "01\tRoad – C1 ලංසු\tC7 (Highways)\t4.85\tRs. 97,000.00\n",
    "14.00",
    "14.00. 5",
    "2.30 p.m. on Monday, ",
    "30.07.2021",
    "8 August 2018 ",
    "2026.03.02 දින සිට ",
    "ලංසු 2027.09.09 දින ප.ව. 2.00 ට හෝ ඊට පෙර ",
    "ரூபா 5,000.00 மீளளிக்கப்படாத ",
    "non-refundable deposit of Rs. 3.5 million",
    "bid security 1.5 million, ",
    "1% of the bid price ",
    "Contract No: JCT/NCB/W/2017/02",
    "Our Ref: ĀB/é/1–2",
    "(File No. ",
    "pre-bid meeting at “Ā Hall”, 3.00 pm ",
    " - <title> - ",
    "Tender. Ā. ",
    "’s Bank of Ceylon ",
    "of Procurement Committee, ",
    "Kalutara District",
    "\n\n",
    "\n",
    "\t",
    " | ",
    "𝄞 é ௐ ",
    "per cent 100% ",
];

#[test]
fn a_block_is_a_notice_by_a_persons_word_unless_it_has_too_little_text() {
    let advertisement = "LAND FOR SALE\n\nBeautiful land for sale at Kandy, 20 perches, with water and electricity, \
        close to the main road and schools. Special offer until the end of the month.";
    let printed = Printed::plain(advertisement);
    assert!(matches!(extract(&printed, None, 1.0), Extracted::Rejected(_)));
    let gazetteer = Gazetteer::built_in();
    let Extracted::Notice(tender) = extract_confirmed(gazetteer, &printed, None, 1.0) else {
        panic!("a confirmed notice was rejected")
    };
    assert!(!tender.is_uncertain(IS_NOTICE));
    let short = extract_confirmed(gazetteer, &Printed::plain("LAND"), None, 1.0);
    assert!(matches!(short, Extracted::Rejected(RejectionReason::Empty)));
}
