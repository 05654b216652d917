//! Alternative readings of a field. They are kept beside the chosen value, so that a reviewer of a
//! doubtful field sees what else it may be.

use super::printed::{Found, Printed};
use index::tender::{OtherReading, Tender};
use serde::Serialize;

/// The reader name of the rules.
pub(crate) const RULES: &str = "rules";
/// The reader name of the classifier.
pub(crate) const CLASSIFIER: &str = "classifier";
/// The most alternatives of a field.
const MOST: usize = 4;

/// A reading and its reader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alternative<T> {
    pub(crate) found: Found<T>,
    pub(crate) reader: &'static str,
}

impl<T> Alternative<T> {
    /// A reading of the rules.
    pub(crate) fn of_rules(found: Found<T>) -> Self {
        Self { found, reader: RULES }
    }

    /// A reading of the classifier.
    pub(crate) fn of_classifier(found: Found<T>) -> Self {
        Self { found, reader: CLASSIFIER }
    }
}

/// The chosen reading and the alternatives to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selection<T> {
    pub(crate) chosen: Option<Found<T>>,
    pub(crate) others: Vec<Alternative<T>>,
}

impl<T> Selection<T> {
    /// A reading without an alternative.
    pub(crate) fn alone(chosen: Option<Found<T>>) -> Self {
        Self { chosen, others: Vec::new() }
    }

    /// A reading with one alternative.
    pub(crate) fn against(chosen: Found<T>, other: Alternative<T>) -> Self {
        Self { chosen: Some(chosen), others: vec![other] }
    }
}

/// Adds an alternative to a field: each value once, and at most four.
pub(crate) fn add<T: Serialize>(
    tender: &mut Tender,
    path: &str,
    reader: &str,
    printed: &Printed,
    found: &Found<T>,
) {
    let Ok(value) = serde_json::to_value(&found.value) else { return };
    let confidence = (found.confidence.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    let evidence = (!found.range.is_empty()).then(|| printed.evidence(&found.range));
    push(tender, path, OtherReading { value, reader: reader.to_owned(), confidence, evidence });
}

/// Adds a complete alternative.
pub(crate) fn push(tender: &mut Tender, path: &str, reading: OtherReading) {
    let others = tender.other_readings.entry(path.to_owned()).or_default();
    if others.len() < MOST && others.iter().all(|other| other.value != reading.value) {
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
            add(&mut tender, "title", if nth == 0 { RULES } else { CLASSIFIER }, &printed, &found);
        }
        let others = &tender.other_readings["title"];
        let values: Vec<_> = others.iter().map(|other| other.value.as_str().unwrap()).collect();
        assert_eq!(values, ["one", "two", "three", "four"]);
        assert_eq!((others[0].reader.as_str(), others[1].reader.as_str()), (RULES, CLASSIFIER));
        assert_eq!(others[3].evidence.as_ref().map(|evidence| evidence.text.as_str()), Some("four"));
    }
}
