//! Alternative readings of a field. They are kept beside the chosen value, so that a reviewer can
//! compare them.

use super::printed::{Found, Printed};
use serde::Serialize;
use tender_model::tender::{OtherReading, Tender};

/// The name of the rules as the reader of an alternative.
pub(crate) const RULES_READER: &str = "rules";
/// The name of the classifier as the reader of an alternative.
pub(crate) const CLASSIFIER_READER: &str = "classifier";
/// The name of the recogniser whose reading of the print was not chosen.
pub(crate) const RECOGNISER_READER: &str = "recogniser";
/// The maximum number of alternatives of a field.
const MAX_ALTERNATIVES: usize = 4;

/// An alternative reading, and the name of the reader that found it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alternative<T> {
    pub(crate) found: Found<T>,
    pub(crate) reader: &'static str,
}

impl<T> Alternative<T> {
    /// An alternative that the rules read.
    pub(crate) fn of_rules(found: Found<T>) -> Self {
        Self { found, reader: RULES_READER }
    }

    /// An alternative that the classifier predicts.
    pub(crate) fn of_classifier(found: Found<T>) -> Self {
        Self { found, reader: CLASSIFIER_READER }
    }
}

/// The chosen reading of a field, if there is one, and the alternatives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selection<T> {
    pub(crate) chosen: Option<Found<T>>,
    pub(crate) others: Vec<Alternative<T>>,
}

impl<T> Selection<T> {
    /// A selection without alternatives.
    pub(crate) fn without_alternatives(chosen: Option<Found<T>>) -> Self {
        Self { chosen, others: Vec::new() }
    }

    /// A selection with one alternative.
    pub(crate) fn with_alternative(chosen: Found<T>, other: Alternative<T>) -> Self {
        Self { chosen: Some(chosen), others: vec![other] }
    }
}

/// Adds an alternative to the field at `path`. A field keeps at most four alternatives with
/// different values.
pub(crate) fn add_alternative<T: Serialize>(
    tender: &mut Tender,
    path: &str,
    reader: &str,
    printed: &Printed,
    found: &Found<T>,
) {
    let Ok(value) = serde_json::to_value(&found.value) else { return };
    let confidence = (found.confidence.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    let evidence = (!found.range.is_empty()).then(|| printed.evidence(&found.range));
    add_reading(tender, path, OtherReading { value, reader: reader.to_owned(), confidence, evidence });
}

/// Adds a reading as an alternative, unless the field has an alternative with this value or
/// already has four.
pub(crate) fn add_reading(tender: &mut Tender, path: &str, reading: OtherReading) {
    let others = tender.other_readings.entry(path.to_owned()).or_default();
    if others.len() < MAX_ALTERNATIVES && others.iter().all(|other| other.value != reading.value) {
        others.push(reading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_unique_and_limited() {
        let printed = Printed::plain("one two three four five six");
        let mut tender = Tender::default();
        for (nth, word) in ["one", "one", "two", "three", "four", "five"].into_iter().enumerate() {
            let start = printed.flow().find(word).unwrap();
            let found = Found::new(word.to_owned(), 0.6, start..start + word.len());
            add_alternative(
                &mut tender,
                "title",
                if nth == 0 { RULES_READER } else { CLASSIFIER_READER },
                &printed,
                &found,
            );
        }
        let others = &tender.other_readings["title"];
        let values: Vec<_> = others.iter().map(|other| other.value.as_str().unwrap()).collect();
        assert_eq!(values, ["one", "two", "three", "four"]);
        assert_eq!((others[0].reader.as_str(), others[1].reader.as_str()), (RULES_READER, CLASSIFIER_READER));
        assert_eq!(others[3].evidence.as_ref().map(|evidence| evidence.text.as_str()), Some("four"));
    }
}
