//! Tenders as readers see them: the listing, statistics, one tender, an owner's own.

pub mod create;
pub mod delete;
pub mod form;
pub mod list;
pub mod mine;
pub mod read;
pub mod stats;
pub mod update;

use crate::{auth::MaybeUser, clock::Clock, db::users::Role, error::ApiError, state::AppState};
use anyhow::Context;
use index::{
    Catalogue, IndexError,
    tender::{ContactPerson, Tender},
    vocabulary::Moment,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A tender with what is computed when it is read.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderView {
    /// The record.
    #[serde(flatten)]
    pub tender: Tender,
    /// It closes today, Colombo time.
    pub is_closing_today: bool,
    /// Its time to bid has run out.
    pub is_expired: bool,
    /// How often it was looked at.
    pub statistics: TenderStatistics,
}

/// How often a tender was looked at.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct TenderStatistics {
    /// Details opened, once a user and period.
    pub views: u64,
    /// Documents downloaded.
    pub downloads: u64,
    /// Users who intend to bid.
    pub applications: u64,
}

/// Who reads: what they see of a tender depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Nobody signed in.
    Guest,
    /// A user.
    User(Uuid),
    /// The operator.
    Admin,
}

impl From<&MaybeUser> for Reader {
    fn from(caller: &MaybeUser) -> Self {
        match caller.user() {
            None => Self::Guest,
            Some(user) if user.role == Role::Admin => Self::Admin,
            Some(user) => Self::User(user.id),
        }
    }
}

impl Reader {
    /// Whether this reader may know of a draft or a withdrawn tender of this owner.
    #[must_use]
    pub fn sees_unlisted_of(self, owner: Option<Uuid>) -> bool {
        match self {
            Self::Guest => false,
            Self::User(id) => owner == Some(id),
            Self::Admin => true,
        }
    }
}

impl TenderView {
    /// All of a tender that this reader may see: guests see no contact person.
    #[must_use]
    pub fn of(mut tender: Tender, reader: Reader, clock: &Clock) -> Self {
        let now: Moment = clock.moment();
        if reader == Reader::Guest {
            tender.organization.contact_person = ContactPerson::default();
            tender.evidence.retain(|path, _| !path.starts_with("organization.contactPerson"));
            tender.confidence.retain(|path, _| !path.starts_with("organization.contactPerson"));
        }
        Self {
            is_closing_today: tender.is_closing_on(now.day()),
            is_expired: tender.is_expired(now),
            statistics: TenderStatistics::default(),
            tender,
        }
    }

    /// As a line of a listing: without the notice's whole text and the words each field was read from, which come
    /// with the details.
    #[must_use]
    pub fn line_of(mut tender: Tender, reader: Reader, clock: &Clock) -> Self {
        tender.full_text_markdown.clear();
        tender.evidence.clear();
        Self::of(tender, reader, clock)
    }
}

/// Asks the index, off the async threads: it reads files.
async fn search<T: Send + 'static>(
    state: &AppState,
    ask: impl FnOnce(&Catalogue, Moment) -> Result<T, IndexError> + Send + 'static,
) -> Result<T, ApiError> {
    let (catalogue, now) = (state.catalogue.clone(), state.clock.moment());
    let answer = tokio::task::spawn_blocking(move || ask(&catalogue, now));
    Ok(answer.await.context("searching")?.context("searching")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_see_no_contact_person() {
        let clock = Clock::standing_at("2026-11-20T06:00:00Z".parse().unwrap());
        let mut tender = Tender::default();
        tender.organization.contact_person.phone = Some("011 2 123 456".into());
        tender.evidence.insert("organization.contactPerson.phone".into(), Default::default());
        tender.evidence.insert("dates.closing".into(), Default::default());
        let guest = TenderView::of(tender.clone(), Reader::Guest, &clock).tender;
        assert_eq!(guest.organization.contact_person, ContactPerson::default());
        assert_eq!(guest.evidence.keys().collect::<Vec<_>>(), ["dates.closing"]);
        let user = TenderView::of(tender.clone(), Reader::User(Uuid::nil()), &clock).tender;
        assert_eq!(user, tender);
    }

    #[test]
    fn drafts_are_their_owners_and_the_admins() {
        let (owner, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(Reader::User(owner).sees_unlisted_of(Some(owner)));
        assert!(Reader::Admin.sees_unlisted_of(None));
        assert!(!Reader::User(other).sees_unlisted_of(Some(owner)));
        assert!(!Reader::User(other).sees_unlisted_of(None));
        assert!(!Reader::Guest.sees_unlisted_of(None));
    }
}
