//! What a person decided about a notice, kept beside it: it outlives another reading of the same page. How a person is
//! asked is the command line's business.

use super::store::{self, NoticeFiles, NoticeRecord};
use index::{tender::PageBox, vocabulary::Moment};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::Path};

/// What was decided or changed by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The notice's key: of another notice that came to have its name, nothing was decided.
    pub key: String,
    /// The content of its page; other content is another page.
    pub page: String,
    /// Where the notice stands on it.
    #[serde(rename = "box", default)]
    pub area: Option<PageBox>,
    /// What was decided; `None` while it was only edited.
    pub verdict: Option<Verdict>,
    /// The fields that a person has written.
    #[serde(default)]
    pub edited: BTreeSet<String>,
    /// When.
    pub at: Moment,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It may be published.
    Accepted,
    /// It must not be.
    Rejected {
        /// Why.
        reason: String,
    },
}

/// Whether a notice may be published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "standing")]
pub enum Standing {
    /// Nothing speaks against it.
    Ready,
    /// Somebody has to look at it first.
    Waiting {
        /// Why.
        doubts: Vec<String>,
    },
    /// Somebody has looked at it and found it good.
    Accepted,
    /// Somebody has looked at it and found it bad.
    Rejected {
        /// Why.
        reason: String,
    },
}

impl Review {
    /// Whether the notice must not be published.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Rejected { .. }))
    }
}

impl Standing {
    /// Whether it may be published now.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Ready | Self::Accepted)
    }
}

impl NoticeRecord {
    /// What a person decided about it or changed; `folder` is its record's.
    #[must_use]
    pub fn review(&self, folder: &Path) -> Option<Review> {
        store::read_json(&NoticeFiles::of(folder, &self.name).review)
            .filter(|review: &Review| review.key == self.key)
    }

    /// Whether it may be published; `folder` is its record's.
    #[must_use]
    pub fn standing(&self, folder: &Path) -> Standing {
        match self.review(folder).map(|review| review.verdict) {
            Some(Some(Verdict::Accepted)) => Standing::Accepted,
            Some(Some(Verdict::Rejected { reason })) => Standing::Rejected { reason },
            // Sure of every field, but not of the notice.
            Some(None) if self.doubts.is_empty() => {
                Standing::Waiting { doubts: vec!["edited, not yet accepted".to_owned()] }
            }
            None if self.doubts.is_empty() => Standing::Ready,
            _ => Standing::Waiting { doubts: self.doubts.clone() },
        }
    }
}
