//! Routes of tenders, and their common types and functions.

pub(crate) mod awards;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod facets;
pub(crate) mod intention;
pub(crate) mod list;
pub(crate) mod mine;
pub(crate) mod read;
pub(crate) mod similar;
pub(crate) mod stats;
pub(crate) mod suggest;
pub(crate) mod trace;
pub(crate) mod update;

use crate::{
    app::state::AppState,
    clients::clip_image,
    domain::{
        error::ServiceError,
        moderation::{Moderation, ModerationReason},
        publisher::PublishedBy,
    },
    storage::tender_counts::{self, TenderCounts},
};
use serde::Serialize;
use sqlx::PgExecutor;
use std::collections::HashMap;
use tender_model::{
    tender::{ContactPerson, Tender},
    vocabulary::Moment,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A tender with computed fields.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderView {
    /// The stored tender.
    #[serde(flatten)]
    pub tender: Tender,
    /// Whether the tender closes today, in Colombo time.
    pub is_closing_today: bool,
    /// Whether the tender's closing time has passed.
    pub is_expired: bool,
    /// Whether newspapers or an account published the tender.
    pub published_by: PublishedBy,
    /// The tender's statistics.
    pub statistics: TenderStatistics,
    /// For the owner and administrators: what the portal decided about the tender. Absent if there
    /// is nothing to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderation: Option<ModerationView>,
}

/// What the portal decided about a tender. A field without a decision is absent.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Moderation)]
pub struct ModerationView {
    /// Since when the tender waits for a check before its publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_at: Option<Moment>,
    /// Why the publication was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<ModerationReasonView>,
    /// Why the portal took the tender down.
    #[serde(skip_serializing_if = "Option::is_none")]
    takedown: Option<ModerationReasonView>,
}

/// A decision of the portal.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ModerationReason)]
pub struct ModerationReasonView {
    /// When it was decided.
    at: Moment,
    /// The reason.
    reason: String,
}

impl From<Moderation> for ModerationView {
    fn from(moderation: Moderation) -> Self {
        let view = |reason: ModerationReason| ModerationReasonView {
            at: Moment::new(reason.at),
            reason: reason.reason,
        };
        Self {
            held_at: moderation.held_at.map(Moment::new),
            refusal: moderation.refusal.map(view),
            takedown: moderation.takedown.map(view),
        }
    }
}

impl ModerationView {
    /// Whether the tender waits for a check.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held_at.is_some()
    }
}

/// Statistics of a tender.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct TenderStatistics {
    /// The number of users and guests who have opened the tender's details.
    pub views: u64,
    /// The number of document downloads, counted once per user and document.
    pub downloads: u64,
    /// The number of users who intend to bid.
    pub applications: u64,
}

impl TenderView {
    /// Builds the full view. The contact person is hidden from guests. Clips get signed URLs.
    #[must_use]
    pub fn of(mut tender: Tender, statistics: TenderStatistics, is_guest: bool, state: &AppState) -> Self {
        let now: Moment = state.clock.moment();
        tender.list_field_states();
        if is_guest {
            hide_contact(&mut tender);
        }
        for source in &mut tender.sources {
            let hash = source.clip_url.as_deref().and_then(clip_image::hash_of);
            source.clip_url = hash.and_then(|hash| clip_image::signed_url(&state.signing_key, hash, now));
        }
        Self {
            is_closing_today: tender.is_closing_on(now.day()),
            is_expired: tender.is_expired(now),
            published_by: PublishedBy::of(&tender),
            statistics,
            moderation: None,
            tender,
        }
    }

    /// Adds what the portal decided about the tender.
    #[must_use]
    pub fn with_moderation(self, moderation: Option<Moderation>) -> Self {
        Self { moderation: moderation.map(ModerationView::from), ..self }
    }

    /// Builds the view for a list, without full text, clips, evidence and other readings.
    #[must_use]
    pub fn list_item(
        mut tender: Tender,
        statistics: TenderStatistics,
        is_guest: bool,
        state: &AppState,
    ) -> Self {
        tender.full_text_markdown.clear();
        tender.evidence.clear();
        tender.other_readings.clear();
        tender.sources.iter_mut().for_each(|source| source.clip_url = None);
        Self::of(tender, statistics, is_guest, state)
    }
}

fn hide_contact(tender: &mut Tender) {
    tender.organization.contact_person = ContactPerson::default();
    tender.evidence.retain(|path, _| !path.starts_with("organization.contactPerson"));
    tender.confidence.retain(|path, _| !path.starts_with("organization.contactPerson"));
    if let Some(states) = &mut tender.field_states {
        states.retain(|path, _| !path.starts_with("organization.contactPerson"));
    }
    tender.other_readings.retain(|path, _| !path.starts_with("organization.contactPerson"));
    tender.changes.retain(|change| !change.field.starts_with("organization.contactPerson"));
}

/// The statistics of several tenders.
#[derive(Debug, Default)]
pub struct TenderCounters(HashMap<Uuid, TenderCounts>);

impl TenderCounters {
    /// Loads the statistics of these tenders.
    pub async fn load(db: impl PgExecutor<'_>, tenders: &[Uuid]) -> Result<Self, ServiceError> {
        Ok(Self(tender_counts::of_tenders(db, tenders).await?))
    }

    /// Returns the statistics of one tender.
    #[must_use]
    pub fn of(&self, tender: Uuid) -> TenderStatistics {
        let counts = self.0.get(&tender).copied().unwrap_or_default();
        let count = |count: i64| u64::try_from(count).unwrap_or(0);
        TenderStatistics {
            views: count(counts.views),
            downloads: count(counts.downloads),
            applications: count(counts.intentions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_see_no_contact_person() {
        let mut tender = Tender::default();
        tender.organization.contact_person.phone = Some("011 2 123 456".into());
        tender.evidence.insert("organization.contactPerson.phone".into(), Default::default());
        tender.evidence.insert("dates.closing".into(), Default::default());
        hide_contact(&mut tender);
        assert_eq!(tender.organization.contact_person, ContactPerson::default());
        assert_eq!(tender.evidence.keys().collect::<Vec<_>>(), ["dates.closing"]);
    }
}
