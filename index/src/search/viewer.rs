//! The viewer of a listing, and what they may read of a tender: the whole tender, or a stub if it
//! is locked. The caller decides which subscription plan unlocks which tenders.

use tender_model::{
    tender::{CLOSING, Dates, FieldStates, Tender},
    vocabulary::{Category, Moment, Visibility},
};
use uuid::Uuid;

/// Who views a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Viewer {
    /// An administrator or an internal job. Nothing is locked.
    #[default]
    Unlimited,
    /// A user for whom some tenders are locked.
    Limited {
        /// The highest visibility that the user may read.
        visibility: Visibility,
        /// The start of the user's archive window. Older publications are locked. `None`: no limit.
        since: Option<Moment>,
        /// The user's account. The tenders that it owns are never locked.
        account: Option<Uuid>,
    },
}

impl Viewer {
    /// Why a tender of this owner is locked for the viewer. `None` if it is not locked. The listing
    /// applies the same rule.
    #[must_use]
    pub fn lock(&self, tender: &Tender, owner: Option<Uuid>) -> Option<TenderLock> {
        let Self::Limited { visibility, since, account } = *self else { return None };
        if account.is_some() && account == owner {
            None
        } else if tender.visibility > visibility {
            Some(TenderLock::Visibility)
        } else if tender.published_at.zip(since).is_some_and(|(published, since)| published < since) {
            Some(TenderLock::Archive)
        } else {
            None
        }
    }
}

/// Why a tender is locked. Visibility takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TenderLock {
    /// Its visibility exceeds the highest one that the viewer may read.
    Visibility,
    /// It was published before the viewer's archive window.
    Archive,
}

/// The JSON paths of the stub's fields that can be doubtful or unread.
const STUB_FIELDS: [&str; 4] = ["title", "organization.name", CLOSING, "category"];

/// The part of a locked tender that everyone may read.
#[derive(Debug, Clone, PartialEq)]
pub struct TenderStub {
    /// The tender's id.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// The organisation's name.
    pub organization: String,
    /// The dates of publication, closing and opening.
    pub dates: Dates,
    /// The category, if known.
    pub category: Option<Category>,
    /// Why the tender is locked.
    pub lock: TenderLock,
    /// The visibility, which determines the plan that unlocks the tender.
    pub visibility: Visibility,
    /// The publication time, which determines the archive window that includes the tender.
    pub published_at: Option<Moment>,
    /// The states of those fields of the stub that are doubtful or unread.
    pub field_states: FieldStates,
}

impl TenderStub {
    /// The stub of a locked tender.
    #[must_use]
    pub fn of(tender: Tender, lock: TenderLock) -> Self {
        let mut field_states = tender.uncertain_fields();
        field_states.retain(|path, _| STUB_FIELDS.contains(&path.as_str()));
        Self {
            field_states,
            id: tender.id,
            title: tender.title,
            organization: tender.organization.name,
            dates: tender.dates,
            category: tender.category,
            lock,
            visibility: tender.visibility,
            published_at: tender.published_at,
        }
    }
}

/// A tender in a listing, as the viewer may see it.
#[derive(Debug, Clone, PartialEq)]
pub enum ListingItem {
    /// The whole tender.
    Open(Box<Tender>),
    /// The part that everyone may read.
    Locked(TenderStub),
}

impl ListingItem {
    /// A tender as a viewer may see it, given why it is locked for the viewer.
    #[must_use]
    pub fn new(tender: Tender, lock: Option<TenderLock>) -> Self {
        let Some(lock) = lock else { return Self::Open(Box::new(tender)) };
        Self::Locked(TenderStub::of(tender, lock))
    }

    /// The tender's id.
    #[must_use]
    pub fn id(&self) -> Uuid {
        match self {
            Self::Open(tender) => tender.id,
            Self::Locked(stub) => stub.id,
        }
    }

    /// The tender's title.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Open(tender) => &tender.title,
            Self::Locked(stub) => &stub.title,
        }
    }

    /// Why the tender is locked. `None` if it is not locked.
    #[must_use]
    pub fn lock(&self) -> Option<TenderLock> {
        match self {
            Self::Open(_) => None,
            Self::Locked(stub) => Some(stub.lock),
        }
    }

    /// The tender, unless it is locked.
    #[must_use]
    pub fn into_tender(self) -> Option<Tender> {
        match self {
            Self::Open(tender) => Some(*tender),
            Self::Locked(_) => None,
        }
    }
}
