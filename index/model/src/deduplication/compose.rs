//! Composes a tender from its notices. Other prints fill missing and doubtful fields, and may
//! replace the text of the original. Corrigenda are applied in print order, and then the owner's
//! edits. Each composition starts from all notices, so no notice counts twice and any notice can
//! be re-read or removed.

use super::{
    correct,
    readings::{DOUBTFUL_BELOW, printed_day, take_reading},
};
use crate::{
    fields,
    tender::{FieldChange, Source, Tender},
    vocabulary::{Moment, TenderStatus, terms},
};

/// The value of [`FieldChange::source`] for edits by the tender's owner.
pub const OWNER: &str = "owner";
/// The value of [`FieldChange::source`] if the portal has taken the tender down.
pub const PORTAL: &str = "portal";

terms! {
    /// The role of a notice in its tender.
    Role, "role of a notice" {
        /// The tender was created from this notice.
        Original = "original",
        /// The notice is another print of the tender.
        Source = "source",
        /// The notice is a corrigendum.
        Correction = "correction",
    }
}

/// A notice of a tender.
#[derive(Debug, Clone, PartialEq)]
pub struct TenderNotice {
    /// The role of the notice in the tender.
    pub role: Role,
    /// The content of the notice.
    pub notice: Tender,
    /// When the notice was added to the tender.
    pub at: Moment,
}

/// Fields that another print may fill if they are missing or doubtful. Each is taken as a whole.
const FILLABLE_FIELDS: [&str; 26] = [
    "category",
    "subcategory",
    "referenceNo",
    "sourceUrl",
    "organization.name",
    "organization.type",
    "organization.contactPerson.name",
    "organization.contactPerson.email",
    "organization.contactPerson.phone",
    "financials.estimatedValue",
    "financials.bidBond",
    "financials.performanceBond",
    "location",
    "dates.closing",
    "dates.opening",
    "eligibility.criteria",
    "eligibility.documentRequired",
    "eligibility.experience",
    "eligibility.turnover",
    "method",
    "documentFee.amount",
    "documentFee.saleFrom",
    "documentFee.saleUntil",
    "cida",
    "preBid",
    "lots",
];
/// The text fields. They are taken together, and only from a print in the same language.
const TEXT_FIELDS: [&str; 3] = ["title", "description", "fullTextMarkdown"];
/// Another print replaces the text if the confidence of its title is higher by at least this much.
const MIN_CONFIDENCE_GAIN: f64 = 0.05;

/// Composes a tender from all its notices. From `current` it keeps the id, the status before
/// notices changed it, the publication time, visibility, documents and the edits by its owner and
/// by the portal. Returns `None` if no notice is the original.
#[must_use]
pub fn compose(current: &Tender, parts: &[TenderNotice]) -> Option<Tender> {
    let original = parts.iter().find(|part| part.role == Role::Original)?;
    let mut tender = Tender {
        id: current.id,
        status: status_before(current),
        published_at: current.published_at,
        visibility: current.visibility,
        documents: current.documents.clone(),
        changes: Vec::new(),
        ..original.notice.clone()
    };
    let mut others: Vec<&TenderNotice> = parts.iter().filter(|part| part.role != Role::Original).collect();
    // Newspapers are processed in any order, so the notices are sorted by print date.
    others.sort_by(|one, other| {
        let key = |part: &TenderNotice| (printed_day(&part.notice), part.at);
        key(one).cmp(&key(other)).then_with(|| one.notice.title.cmp(&other.notice.title))
    });
    for part in others.iter().filter(|part| part.role == Role::Source) {
        merge_print(&mut tender, &part.notice);
    }
    for part in others.iter().filter(|part| part.role == Role::Correction) {
        add_sources(&mut tender, &part.notice.sources);
        correct(&mut tender, &part.notice, part.at);
    }
    for change in current.changes.iter().filter(|change| is_edit(change)) {
        apply_edit(&mut tender, change);
    }
    tender.changes.sort_by_key(|change| change.at);
    if tender.field_states.is_some() {
        tender.needs_review = tender.has_uncertain_key_field();
    }
    let first = |sources: &[Source]| sources.first().map(without_clip);
    if first(&tender.sources) != first(&original.notice.sources) {
        let others = tender.other_readings.values_mut().flatten();
        let others = others.filter_map(|other| other.evidence.as_mut());
        tender.evidence.values_mut().chain(others).for_each(|evidence| evidence.area = None);
    }
    Some(tender)
}

/// The status before any notice or the portal changed it.
fn status_before(current: &Tender) -> TenderStatus {
    let first = current.changes.iter().find(|change| change.field == "status" && change.source != OWNER);
    first.and_then(|change| serde_json::from_value(change.from.clone()).ok()).unwrap_or(current.status)
}

/// Whether the owner or the portal made a change, and not a notice.
fn is_edit(change: &FieldChange) -> bool {
    change.source == OWNER || change.source == PORTAL
}

/// Whether the portal has taken the tender down.
#[must_use]
pub fn is_taken_down(tender: &Tender) -> bool {
    let is_takedown = |change: &FieldChange| change.field == "status" && change.source == PORTAL;
    tender.status == TenderStatus::Withdrawn && tender.changes.iter().any(is_takedown)
}

/// Applies an edit by the owner or the portal again.
fn apply_edit(tender: &mut Tender, change: &FieldChange) {
    if let Some(mut changed) = fields::with_value(tender, &change.field, change.to.clone()) {
        changed.changes.push(change.clone());
        changed.mark_certain(&change.field);
        *tender = changed;
    }
}

/// Adds another print to a tender: its source, the fields that are missing or doubtful in the
/// tender, and its text if this is more certain. Adding the same print again changes nothing.
pub fn merge_print(tender: &mut Tender, notice: &Tender) {
    if notice.field_states.is_some() {
        tender.list_field_states();
    }
    add_sources(tender, &notice.sources);
    let (Ok(mut record), Ok(other)) = (serde_json::to_value(&*tender), serde_json::to_value(notice)) else {
        return;
    };
    let mut taken: Vec<&str> = Vec::new();
    for field in FILLABLE_FIELDS {
        let value = fields::json_at(&other, field);
        let is_wanted =
            fields::is_empty(fields::json_at(&record, field)) || is_more_certain(tender, notice, field);
        if is_wanted
            && !fields::is_empty(value)
            && fields::set_json(&mut record, field, value.clone()).is_some()
        {
            taken.push(field);
        }
    }
    let is_settled = tender.is_uncertain("title") && !notice.is_uncertain("title");
    if tender.language == notice.language
        && (is_settled || text_confidence(notice) >= text_confidence(tender) + MIN_CONFIDENCE_GAIN)
    {
        for field in TEXT_FIELDS {
            let value = fields::json_at(&other, field);
            if !fields::is_empty(value) && fields::set_json(&mut record, field, value.clone()).is_some() {
                taken.push(field);
            }
        }
    }
    let Ok(mut joined) = serde_json::from_value::<Tender>(record) else { return };
    for field in &taken {
        let states = tender.field_states.iter().flat_map(|states| states.keys());
        let paths = tender.confidence.keys().chain(notice.confidence.keys()).chain(states);
        for path in paths.filter(|path| fields::is_within(path, field)) {
            take_reading(&mut joined, notice, path);
        }
    }
    // One print may be certain about a field that the other leaves doubtful.
    joined.needs_review = match &joined.field_states {
        Some(_) => joined.has_uncertain_key_field(),
        None => joined.needs_review && notice.needs_review,
    };
    *tender = joined;
}

/// Whether a field is doubtful in the tender but not in the notice.
fn is_more_certain(tender: &Tender, notice: &Tender, field: &str) -> bool {
    let sure = |one: &Tender| one.confidence.get(field).copied();
    match (sure(tender), sure(notice)) {
        (Some(here), Some(there)) => {
            let is_settled = tender.is_uncertain(field) && !notice.is_uncertain(field);
            is_settled || (here < DOUBTFUL_BELOW && there >= DOUBTFUL_BELOW)
        }
        _ => false,
    }
}

/// The confidence of a print's title, which represents its whole text.
fn text_confidence(tender: &Tender) -> f64 {
    tender.confidence.get("title").copied().unwrap_or_default()
}

/// The source without the address of its clip, which does not identify it.
fn without_clip(source: &Source) -> Source {
    Source { clip_url: None, ..source.clone() }
}

/// Adds new sources, updates the clip addresses of the others, and sorts all by date.
fn add_sources(tender: &mut Tender, sources: &[Source]) {
    for source in sources {
        match tender.sources.iter_mut().find(|known| without_clip(known) == without_clip(source)) {
            Some(known) => known.clip_url = source.clip_url.clone().or(known.clip_url.take()),
            None => tender.sources.push(source.clone()),
        }
    }
    tender.sources.sort_by_key(|source| (source.date.is_none(), source.date));
}
