//! [`Tender`]: the one record that every crate shares, under the specification's names. The same serialisation is a
//! notice's front matter, the document stored in the index and the core of the API. What is computed at reading time
//! (closing today, expired, views) is no part of it.

mod beyond;
mod reading;
mod source;
mod specified;

pub use beyond::{Cida, DocumentFee, Lot, PreBid};
pub use reading::{CLOSING, CONFIDENCE_LINE, FieldState, FieldStates, IS_NOTICE, KEY_FIELDS, OtherReading};
pub use source::{Evidence, FieldChange, PageBox, Source};
pub use specified::{
    Bond, ContactPerson, Dates, Document, Eligibility, EstimatedValue, Experience, Financials, Location,
    Organization, Turnover,
};

use crate::vocabulary::{
    Category, Day, Kind, Language, Moment, Priority, Sector, TenderStatus, Topic, Visibility,
};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How long a tender without a closing date counts as live after it was published.
pub const LIVE_WITHOUT_CLOSING: SignedDuration = SignedDuration::from_hours(90 * 24);

/// A tender: specification section 3, and "Fields beyond the specification's Tender" of the decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Tender {
    /// UUIDv7. Nil while a notice is not yet published.
    #[serde(rename = "_id", skip_serializing_if = "Uuid::is_nil")]
    pub id: Uuid,
    /// What is bought, as printed.
    pub title: String,
    /// A few sentences; empty when unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// `None`: unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Free text within the category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subcategory: Option<String>,
    /// The organisation's reference, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_no: Option<String>,
    /// Where it stands by its owner's action; see [`Tender::effective_status`].
    pub status: TenderStatus,
    /// What the notice asks of its reader.
    pub kind: Kind,
    /// The language it is printed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Where it can be read on the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// The page of the newspaper, as the reader would say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_page: Option<String>,
    /// The whole notice as markdown. In a notice's file this is the body, not part of the front matter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub full_text_markdown: String,
    /// Unique words chosen by the publisher.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How urgent the publisher says it is.
    pub priority: Priority,
    /// Who may read all of it.
    pub visibility: Visibility,
    /// Who invites bids.
    pub organization: Organization,
    /// Value, bonds, fee.
    pub financials: Financials,
    /// Where the work is, or the organisation.
    pub location: Location,
    /// Published, closing and opening.
    pub dates: Dates,
    /// Who may bid.
    pub eligibility: Eligibility,
    /// Attached files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    /// Procurement method: `NCB`, `ICB`, `shopping`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// What the bidding documents cost and when they are sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_fee: Option<DocumentFee>,
    /// Contractors' grades asked for by the Construction Industry Development Authority.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cida: Vec<Cida>,
    /// Pre-bid meeting or site visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_bid: Option<PreBid>,
    /// The lots, or the several tenders of one notice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lots: Vec<Lot>,
    /// The newspaper notices it was read from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// How sure the reader is of each field, 0 to 1, by the field's path in JSON (`dates.closing`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub confidence: BTreeMap<String, f64>,
    /// The printed words each field was read from, by the field's path in JSON.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Evidence>,
    /// The fields that are doubtful or were not read, by the field's path in JSON; all others are certain. `None`: the record
    /// does not list them, and [`Tender::field_state`] goes by `confidence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_states: Option<FieldStates>,
    /// Other values that readers proposed for a doubtful field, by the field's path in JSON.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other_readings: BTreeMap<String, Vec<OtherReading>>,
    /// What changed since it was first published, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
    /// When it first became published here; rules Today, newest, the archive window, quotas and alerts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Moment>,
    /// A key field is doubtful or was not read, and no person has settled it yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_review: bool,
}

impl Tender {
    /// The status at a moment: a published tender past its closing counts as closed. One without a closing date is
    /// live for [`LIVE_WITHOUT_CLOSING`] after `publishedAt`.
    #[must_use]
    pub fn effective_status(&self, now: Moment) -> TenderStatus {
        if self.status == TenderStatus::Published && self.is_expired(now) {
            TenderStatus::Closed
        } else {
            self.status
        }
    }

    /// Whether its time to bid has run out, whatever its status.
    #[must_use]
    pub fn is_expired(&self, now: Moment) -> bool {
        self.live_until().is_some_and(|until| until < now)
    }

    /// The last moment at which it is live: its closing, or 90 days after `publishedAt` where no closing is known.
    #[must_use]
    pub fn live_until(&self) -> Option<Moment> {
        self.dates.closing.or_else(|| {
            let published = self.published_at.or(self.dates.published)?.timestamp();
            published.checked_add(LIVE_WITHOUT_CLOSING).ok().map(Moment::new)
        })
    }

    /// Whether it closes on `today`, a Colombo day.
    #[must_use]
    pub fn is_closing_on(&self, today: Day) -> bool {
        self.dates.closing.is_some_and(|closing| closing.day() == today)
    }

    /// The sector the listing counts it under: registrations are a sector whatever their goods.
    #[must_use]
    pub fn sector(&self) -> Option<Sector> {
        match self.kind {
            Kind::Registration => Some(Sector::Registration),
            _ => self.category.and_then(Category::sector),
        }
    }

    /// Whether `topic` covers it. A tender of unknown category is covered by none.
    #[must_use]
    pub fn is_about(&self, topic: Topic) -> bool {
        match topic {
            Topic::Category(category) => self.category == Some(category),
            Topic::Sector(sector) => self.sector() == Some(sector),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::OrganizationType;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn the_workloads_form_is_read_and_written_back() {
        let json = r#"{"_id":"01939999-0000-7000-8000-000000000000","title":"T","category":"Computers & Laptops",
            "status":"published","priority":"low","tags":[],"referenceNo":"REF/0",
            "organization":{"name":"Org 104","type":"semi-government"},
            "financials":{"estimatedValue":{"amount":0.432275,"currency":"LKR"}},
            "location":{"province":"North Central","district":"Polonnaruwa","city":null},
            "dates":{"published":"2026-11-20T06:00:00+05:30","closing":"2026-11-29"}}"#;
        let tender: Tender = serde_json::from_str(json).unwrap();
        assert_eq!(tender.dates.closing, Some(moment("2026-11-29T23:59:59+05:30")));
        assert_eq!(tender.organization.kind, Some(OrganizationType::SemiGovernment));
        let again: Tender = serde_json::from_value(serde_json::to_value(&tender).unwrap()).unwrap();
        assert_eq!(again, tender);
    }

    #[test]
    fn a_published_tender_past_its_closing_counts_as_closed() {
        let mut tender = Tender { status: TenderStatus::Published, ..Tender::default() };
        tender.dates.closing = Some(moment("2024-05-14T14:30:00+05:30"));
        assert_eq!(tender.effective_status(moment("2024-05-14T14:30:00+05:30")), TenderStatus::Published);
        assert_eq!(tender.effective_status(moment("2024-05-14T14:30:01+05:30")), TenderStatus::Closed);
        tender.status = TenderStatus::Awarded;
        assert_eq!(tender.effective_status(moment("2025-01-01T00:00:00+05:30")), TenderStatus::Awarded);
    }

    #[test]
    fn without_a_closing_it_is_live_for_ninety_days() {
        let mut tender = Tender { status: TenderStatus::Published, ..Tender::default() };
        tender.published_at = Some(moment("2024-01-01T00:00:00+05:30"));
        assert!(!tender.is_expired(moment("2024-03-31T00:00:00+05:30")));
        assert!(tender.is_expired(moment("2024-03-31T00:00:01+05:30")));
    }

    #[test]
    fn a_registration_belongs_to_its_own_sector_only() {
        let tender =
            Tender { kind: Kind::Registration, category: Some(Category::Furniture), ..Tender::default() };
        assert!(tender.is_about(Topic::Sector(Sector::Registration)));
        assert!(!tender.is_about(Topic::Sector(Sector::Supply)));
        assert!(tender.is_about(Topic::Category(Category::Furniture)));
    }
}
