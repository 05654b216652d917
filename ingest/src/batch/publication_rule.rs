//! [`PublicationRule`]: which fields are certain, and which notices wait for review.

use crate::extract::{CONFIDENCE_THRESHOLD, doubts, field_states, is_doubted_as_notice};
use serde::{Deserialize, Serialize};
use tender_model::tender::{IS_NOTICE, Tender};

/// The doubt of a block that may not be a notice. Such a block always waits for review.
const MAY_NOT_BE_NOTICE: &str = "may not be a tender notice";

/// The rule for publishing notices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicationRule {
    /// The lowest confidence of a certain field. A field with a lower confidence is doubtful.
    #[serde(rename = "confidenceLine", default = "default_confidence_threshold")]
    pub confidence_threshold: f64,
    /// Whether a notice with a doubtful or missing key field waits for review. If not, the notice
    /// is published with the doubt marked.
    #[serde(default)]
    pub hold_doubtful: bool,
}

const fn default_confidence_threshold() -> f64 {
    CONFIDENCE_THRESHOLD
}

impl Default for PublicationRule {
    fn default() -> Self {
        Self { confidence_threshold: CONFIDENCE_THRESHOLD, hold_doubtful: false }
    }
}

impl PublicationRule {
    /// Sets the field states of a tender, and whether it needs review.
    pub fn mark_fields(&self, tender: &mut Tender) {
        tender.field_states = Some(field_states(tender, self.confidence_threshold));
        tender.needs_review = tender.has_uncertain_key_field() || tender.is_uncertain(IS_NOTICE);
    }

    /// The doubts that a reviewer should check: doubtful or missing key fields, and whether the
    /// block is a notice.
    #[must_use]
    pub fn doubts(&self, tender: &Tender) -> Vec<String> {
        let doubts = doubts(tender, self.confidence_threshold).into_iter();
        let in_words = |(field, why): (&str, &str)| match field {
            IS_NOTICE => MAY_NOT_BE_NOTICE.to_owned(),
            field => format!("{field} {why}"),
        };
        doubts.map(in_words).collect()
    }

    /// Whether the notice waits for review.
    #[must_use]
    pub fn holds(&self, tender: &Tender) -> bool {
        is_doubted_as_notice(tender, self.confidence_threshold)
            || (self.hold_doubtful && !doubts(tender, self.confidence_threshold).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::tender::{CLOSING, FieldState};

    fn tender(confidences: &[(&str, f64)]) -> Tender {
        let mut tender = Tender { title: "Repair of roads".into(), ..Tender::default() };
        tender.organization.name = "Galle Municipal Council".into();
        tender.confidence = confidences.iter().map(|(path, sure)| ((*path).to_owned(), *sure)).collect();
        tender
    }

    #[test]
    fn a_doubtful_field_is_marked_and_waits_only_on_request() {
        let rule = PublicationRule::default();
        let mut read = tender(&[("title", 0.7), ("organization.name", 0.9)]);
        rule.mark_fields(&mut read);
        assert_eq!(read.field_state("title"), FieldState::Doubtful);
        assert_eq!(read.field_state("organization.name"), FieldState::Certain);
        assert_eq!(read.field_state(CLOSING), FieldState::NotRead);
        assert!(read.needs_review && !rule.holds(&read));
        assert_eq!(rule.doubts(&read), ["title doubtful", "dates.closing missing"]);
        assert!(PublicationRule { hold_doubtful: true, ..rule }.holds(&read));
    }

    #[test]
    fn text_that_may_not_be_a_notice_waits_for_review() {
        let rule = PublicationRule::default();
        let read = tender(&[("title", 0.9), ("organization.name", 0.9), (IS_NOTICE, 0.6)]);
        assert!(rule.holds(&read));
        assert_eq!(rule.doubts(&read), [MAY_NOT_BE_NOTICE, "dates.closing missing"]);
    }

    #[test]
    fn with_a_threshold_of_zero_every_field_is_certain() {
        let rule = PublicationRule { confidence_threshold: 0.0, hold_doubtful: true };
        let mut read = tender(&[("title", 0.1), (IS_NOTICE, 0.1)]);
        rule.mark_fields(&mut read);
        assert!(!rule.holds(&read) && !read.needs_review && rule.doubts(&read).is_empty());
    }
}
