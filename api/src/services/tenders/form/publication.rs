//! What a tender needs for its publication, and how its status may change.

use crate::domain::error::FieldError;
use tender_model::{
    tender::Tender,
    vocabulary::{Day, Moment, TenderStatus},
};

/// The errors that prevent a publication on `today`: missing required fields, and a closing that is
/// not after `today`. A closing that equals `before` may be in the past.
pub fn missing_fields(tender: &Tender, before: Option<Moment>, today: Day) -> Vec<FieldError> {
    let location = &tender.location;
    let reference = tender.reference_no.as_deref().unwrap_or_default();
    let needed = [
        ("title", !tender.title.is_empty(), "Title is required"),
        ("description", !tender.description.is_empty(), "Description is required"),
        ("referenceNo", !reference.is_empty(), "Reference number is required"),
        ("category", tender.category.is_some(), "Category is required"),
        ("organization.name", !tender.organization.name.is_empty(), "Organization name is required"),
        ("location.province", location.province.is_some(), "Province is required"),
        ("location.district", location.district.is_some(), "District is required"),
        ("dates.closing", tender.dates.closing.is_some(), "Closing date is required"),
    ];
    let mut missing: Vec<FieldError> = needed
        .into_iter()
        .filter(|(_, is_there, _)| !is_there)
        .map(|(field, _, message)| FieldError::new(field, message))
        .collect();
    let closing = tender.dates.closing;
    if closing != before && closing.is_some_and(|closing| closing.day() <= today) {
        missing.push(FieldError::new("dates.closing", "Closing date must be in the future"));
    }
    missing
}

/// Whether the owner may change the status from `from` to `to`.
#[must_use]
pub const fn can_change_status(from: TenderStatus, to: TenderStatus) -> bool {
    use TenderStatus::{Awarded, Cancelled, Closed, Draft, Published, Withdrawn};
    matches!(
        (from, to),
        (Draft, Draft | Published)
            | (Published, Published | Closed | Awarded | Cancelled | Withdrawn)
            | (Closed, Closed)
            | (Awarded, Awarded)
            | (Cancelled, Cancelled)
            | (Withdrawn, Withdrawn)
    )
}
