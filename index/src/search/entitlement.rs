//! Who reads, and what of a tender that leaves: all of it, or the stub of a locked one. Rules: decisions, "locked tenders". Which plan opens
//! what is not known here.

use tender_model::{
    tender::{CLOSING, Dates, FieldStates, Tender},
    vocabulary::{Category, Moment, Visibility},
};
use uuid::Uuid;

/// Who reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Viewer {
    /// An administrator, or a program of our own: nothing is locked.
    #[default]
    Unlimited,
    /// Someone to whom some tenders are locked.
    Limited {
        /// The highest visibility that is open to them.
        visibility: Visibility,
        /// The archive window: what was published before this moment is locked. `None`: nothing is.
        since: Option<Moment>,
        /// Their account, to which its own tenders are always open.
        account: Option<Uuid>,
    },
}

impl Viewer {
    /// Why a tender of this owner is locked to them, if it is: the rule that the listing applies to what stands in the index.
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

/// Why a tender is locked to a reader. Where both hold, it is the visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TenderLock {
    /// Its visibility asks for more than the reader has.
    Visibility,
    /// It was published before the reader's archive window.
    Archive,
}

/// The fields of a stub that can be doubtful.
const STUB_FIELDS: [&str; 4] = ["title", "organization.name", CLOSING, "category"];

/// What may be known of a locked tender.
#[derive(Debug, Clone, PartialEq)]
pub struct TenderStub {
    /// The tender's id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// The organisation's name.
    pub organization: String,
    /// Its dates.
    pub dates: Dates,
    /// Its category, where known.
    pub category: Option<Category>,
    /// Why it is locked.
    pub lock: TenderLock,
    /// Who may read it, which tells the plan that opens it.
    pub visibility: Visibility,
    /// When it became published here, which tells the archive that holds it.
    pub published_at: Option<Moment>,
    /// Which of the fields above are doubtful or were not read.
    pub field_states: FieldStates,
}

impl TenderStub {
    /// Of a tender that is locked so.
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

/// One tender of a listing, as its reader may see it.
#[derive(Debug, Clone, PartialEq)]
pub enum ListingItem {
    /// All of it.
    Open(Box<Tender>),
    /// What may be known of it.
    Locked(TenderStub),
}

impl ListingItem {
    pub(super) fn new(tender: Tender, lock: Option<TenderLock>) -> Self {
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

    /// Why it is locked, if it is.
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
