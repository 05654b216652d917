//! Adds the second choices of the recognisers as alternative readings. Where two readings of the print
//! differ, the doubtful fields are read again from the words that were not chosen.

use super::{
    alternatives::{RECOGNISER_READER, add_reading},
    printed::Printed,
};
use std::{collections::BTreeMap, ops::Range};
use tender_model::{
    fields::json_at,
    tender::{FieldState, OtherReading, Tender},
};

/// The byte ranges of the printed words of fields, by path.
pub(super) type FieldRanges = BTreeMap<String, Range<usize>>;

/// Adds alternative readings to the doubtful fields of a tender that was read from `printed`.
/// `read_again` reads another text. It is not called if the words of these fields have no second
/// choices.
pub(super) fn add_second_choices(
    tender: &mut Tender,
    ranges: &FieldRanges,
    printed: &Printed,
    read_again: impl FnOnce(&Printed) -> Option<Tender>,
) {
    let doubtful: Vec<(&String, &Range<usize>)> = ranges
        .iter()
        .filter(|(path, range)| !range.is_empty() && tender.field_state(path) == FieldState::Doubtful)
        .collect();
    let places: Vec<Range<usize>> = doubtful.iter().map(|(_, range)| (*range).clone()).collect();
    let Some(other) = printed.with_second_choices(&places).as_ref().and_then(read_again) else { return };
    let (Ok(first), Ok(second)) = (serde_json::to_value(&*tender), serde_json::to_value(&other)) else {
        return;
    };
    for (path, _) in doubtful {
        let value = json_at(&second, path);
        let is_single = value.is_string() || value.is_number();
        if is_single && value != json_at(&first, path) {
            // The recognisers did not agree on this reading, nor on the chosen reading.
            let confidence = [tender, &other].into_iter().filter_map(|read| read.confidence.get(path));
            let confidence = confidence.copied().fold(1.0, f64::min);
            let evidence = other.evidence.get(path).cloned();
            let reader = RECOGNISER_READER.to_owned();
            add_reading(tender, path, OtherReading { value: value.clone(), reader, confidence, evidence });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        base::Word,
        extract::{Extracted, Printed, extract},
        ocr::{ClipText, ReaderName},
    };
    use serde_json::json;

    const NOTICE: &str = "Galle Municipal Council\nINVITATION FOR BIDS\nSupply of 20 Steel Cupboards\n\n\
        Sealed bids are invited by the Chairman up to 2.00 p.m. on 04.03.2027.\nBid No. GMC/PROC/2027/18";

    /// The notice as two recognisers read it, who differ in these words.
    fn printed(differences: &[(&str, &str)]) -> Printed {
        let mut text = ClipText { reader: ReaderName::Tesseract, ..ClipText::from_plain(NOTICE) };
        let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
        for (nth, word) in lines.flat_map(|line| &mut line.cells).flatten().enumerate() {
            word.area = [0.1, 0.01 * nth as f64, 0.05, 0.01];
            let second = differences.iter().find(|(first, _)| *first == word.text);
            if let Some((_, second)) = second {
                *word = Word {
                    confidence: 0.5,
                    second_choice: Some((*second).to_owned()),
                    ..Word::new(word.text.clone(), word.area, 0.0)
                };
            }
        }
        Printed::of(&text)
    }

    fn readings(differences: &[(&str, &str)]) -> serde_json::Value {
        match extract(&printed(differences), None, 1.0) {
            Extracted::Notice(tender) => json!(tender.other_readings),
            Extracted::Rejected(reason) => panic!("{reason:?}"),
        }
    }

    #[test]
    fn a_doubtful_number_has_its_second_choice_as_a_reading() {
        let read = readings(&[("04.03.2027.", "04.08.2027."), ("GMC/PROC/2027/18", "GMC/PROC/2027/13")]);
        assert_eq!(read["dates.closing"][0]["value"], "2027-08-04T14:00:00+05:30");
        assert_eq!(read["dates.closing"][0]["reader"], "recogniser");
        assert_eq!(read["referenceNo"][0]["value"], "GMC/PROC/2027/13");
        let words = &read["referenceNo"][0]["evidence"];
        assert_eq!(words["text"], "GMC/PROC/2027/13");
        assert!(words["box"][2].as_f64().unwrap() > 0.0);
    }

    #[test]
    fn a_second_choice_that_changes_no_field_is_no_reading() {
        assert_eq!(readings(&[("Sealed", "Sea1ed")]), json!({}));
        assert_eq!(readings(&[("04.03.2027.", "04/03/2027.")]), json!({}));
        assert_eq!(readings(&[]), json!({}));
    }
}
