//! [`Tender`]: the record itself.

use super::{
    notice_details::{Cida, DocumentFee, Lot, PreBid, Submission},
    parts::{Dates, Document, Eligibility, Financials, Location, Organization},
    reading::{FieldStates, OtherReading},
    source::{Evidence, FieldChange, Source},
};
use crate::vocabulary::{
    Category, Day, Kind, Language, Moment, Priority, Sector, TenderStatus, Topic, Visibility,
};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// The id of the canary: a tender that the portal publishes for itself again and again, to test its
/// own way from publication to mail. No reader ever sees it.
pub const CANARY_ID: Uuid = Uuid::from_u128(0x0000_0000_0000_8000_8000_6361_6e61_7279);

/// A tender without a closing date stays live for this long after publication.
pub const LIVE_WITHOUT_CLOSING: SignedDuration = SignedDuration::from_hours(90 * 24);

/// A tender.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Tender {
    /// UUIDv7. Nil until the notice is published.
    #[serde(rename = "_id", skip_serializing_if = "Uuid::is_nil")]
    pub id: Uuid,
    /// The subject of the procurement, as printed.
    pub title: String,
    /// A few sentences. Empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The category. Absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// A subcategory as free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subcategory: Option<String>,
    /// The organisation's reference, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_no: Option<String>,
    /// The stored status. After its closing date, a published tender counts as closed.
    pub status: TenderStatus,
    /// The kind of notice.
    pub kind: Kind,
    /// The language in which the notice is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The web address at which the tender is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// The page number in the publication, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_page: Option<String>,
    /// The whole notice in Markdown. In a notice file, this is the body and not part of the front
    /// matter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub full_text_markdown: String,
    /// Distinct tags chosen by the publisher.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The urgency, as stated by the publisher.
    pub priority: Priority,
    /// Who may read the whole tender.
    pub visibility: Visibility,
    /// The procuring organisation.
    pub organization: Organization,
    /// The estimated value and the bonds.
    pub financials: Financials,
    /// The place of the work or of the organisation.
    pub location: Location,
    /// The dates of publication, closing and opening.
    pub dates: Dates,
    /// Who may bid.
    pub eligibility: Eligibility,
    /// Attached files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    /// Procurement method: `NCB`, `ICB`, `shopping`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The price of the bidding documents, and when and where they are sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_fee: Option<DocumentFee>,
    /// The contractor grades of the Construction Industry Development Authority that are required.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cida: Vec<Cida>,
    /// Pre-bid meeting or site visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_bid: Option<PreBid>,
    /// How bids are submitted, as the publisher states it. The words of a printed notice are not read into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
    /// The lots, or the separate tenders within one notice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lots: Vec<Lot>,
    /// The newspaper notices that the tender was read from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// Confidence of each field, 0 to 1, by JSON path (`dates.closing`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub confidence: BTreeMap<String, f64>,
    /// The printed words behind each field, by JSON path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Evidence>,
    /// The fields that are doubtful or were not read, by JSON path. All others are certain. If
    /// absent, the state of each field follows from `confidence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_states: Option<FieldStates>,
    /// Alternative values for doubtful fields, by JSON path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other_readings: BTreeMap<String, Vec<OtherReading>>,
    /// Changes since publication, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
    /// When the tender was first published on this portal. This time determines "today", "newest",
    /// the archive window, quotas and alerts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Moment>,
    /// Whether a key field is doubtful or was not read, and nobody has confirmed it yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_review: bool,
}

impl Tender {
    /// Whether this is the canary; see [`CANARY_ID`].
    #[must_use]
    pub const fn is_canary(&self) -> bool {
        self.id.as_u128() == CANARY_ID.as_u128()
    }

    /// The status at a given time. A published tender counts as closed after its closing date.
    /// Without a closing date, it stays live for [`LIVE_WITHOUT_CLOSING`] after publication.
    #[must_use]
    pub fn effective_status(&self, now: Moment) -> TenderStatus {
        if self.status == TenderStatus::Published && self.is_expired(now) {
            TenderStatus::Closed
        } else {
            self.status
        }
    }

    /// Whether the time for bids is over, regardless of the status.
    #[must_use]
    pub fn is_expired(&self, now: Moment) -> bool {
        self.live_until().is_some_and(|until| until < now)
    }

    /// The last moment at which the tender is live: the closing date, or else 90 days after
    /// publication. `None` if neither date is known.
    #[must_use]
    pub fn live_until(&self) -> Option<Moment> {
        self.dates.closing.or_else(|| {
            let published = self.published_at.or(self.dates.published)?.timestamp();
            published.checked_add(LIVE_WITHOUT_CLOSING).ok().map(Moment::new)
        })
    }

    /// Whether the tender closes on `today`, a day in Colombo.
    #[must_use]
    pub fn is_closing_on(&self, today: Day) -> bool {
        self.dates.closing.is_some_and(|closing| closing.day() == today)
    }

    /// The sector under which the listing counts the tender. Registrations form a separate sector.
    #[must_use]
    pub fn sector(&self) -> Option<Sector> {
        match self.kind {
            Kind::Registration => Some(Sector::Registration),
            _ => self.category.and_then(Category::sector),
        }
    }

    /// Whether the tender belongs to `topic`. A tender of unknown category belongs to none, unless
    /// it is a registration.
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
    fn the_workloads_json_survives_a_round_trip() {
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
    fn a_tender_without_closing_is_live_for_ninety_days() {
        let mut tender = Tender { status: TenderStatus::Published, ..Tender::default() };
        tender.published_at = Some(moment("2024-01-01T00:00:00+05:30"));
        assert!(!tender.is_expired(moment("2024-03-31T00:00:00+05:30")));
        assert!(tender.is_expired(moment("2024-03-31T00:00:01+05:30")));
    }

    #[test]
    fn a_registration_belongs_to_its_own_sector_and_its_category() {
        let tender =
            Tender { kind: Kind::Registration, category: Some(Category::Furniture), ..Tender::default() };
        assert!(tender.is_about(Topic::Sector(Sector::Registration)));
        assert!(!tender.is_about(Topic::Sector(Sector::Supply)));
        assert!(tender.is_about(Topic::Category(Category::Furniture)));
    }
}
