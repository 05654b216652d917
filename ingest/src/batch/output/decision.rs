//! What a person decided about a notice, kept beside it: it outlives another reading of the same page. How a person is
//! asked is the command line's business.

use super::{
    file_io::write_file,
    record::{NoticeFiles, NoticeRecord},
};
use crate::{base::files, batch::BatchError};
use index::{tender::PageBox, vocabulary::Moment};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::Path};

/// Why a notice waits that is in no doubt otherwise.
const EDITED: &str = "edited, not yet accepted";
const LOST: &str = "what was accepted is lost, not yet accepted anew";
const UNREAD: &str = "what was decided about it can't be read";

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
    /// What was decided; `None` while it was only edited, or where that is lost.
    pub verdict: Option<Verdict>,
    /// The fields that a person has written.
    #[serde(default)]
    pub edited: BTreeSet<String>,
    /// Whether what was accepted or written is lost, and nobody has looked at what stands there now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
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
pub enum ReviewState {
    /// Every key field is certain.
    Ready,
    /// It is published with doubtful fields marked; a reviewer may settle them.
    Doubtful {
        /// Which fields, and why.
        doubts: Vec<String>,
    },
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
    /// What was decided by this file; `None` where it is not there.
    ///
    /// # Errors
    /// Where it cannot be read: that is not the same.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, BatchError> {
        files::try_json(path).map_err(|source| BatchError::Unread { path: path.to_owned(), source })
    }

    /// Writes it.
    ///
    /// # Errors
    /// Where that fails.
    pub(crate) fn write(&self, path: &Path) -> Result<(), BatchError> {
        let json = serde_json::to_vec_pretty(self)
            .map_err(|error| BatchError::Write { path: path.to_owned(), source: error.into() })?;
        write_file(path, &json)
    }

    /// Whether the notice must not be published.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Rejected { .. }))
    }
}

impl ReviewState {
    /// Whether it may be published now. See [`ReviewState::is_undecided`] for what a reviewer can still do.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Ready | Self::Doubtful { .. } | Self::Accepted)
    }

    /// Whether a reviewer has something to settle: a notice that waits, or a published one with doubtful fields.
    #[must_use]
    pub const fn is_undecided(&self) -> bool {
        matches!(self, Self::Doubtful { .. } | Self::Waiting { .. })
    }
}

impl NoticeRecord {
    /// What a person decided about it or changed; `folder` is its record's.
    ///
    /// # Errors
    /// Where that is there and cannot be read.
    pub fn review(&self, folder: &Path) -> Result<Option<Review>, BatchError> {
        let review = Review::read(&NoticeFiles::of(folder, &self.name).review)?;
        Ok(review.filter(|review| review.key == self.key))
    }

    /// Whether it may be published; `folder` is its record's.
    #[must_use]
    pub fn review_state(&self, folder: &Path) -> ReviewState {
        // It may have been rejected.
        let Ok(review) = self.review(folder) else { return waiting(UNREAD) };
        let Some(Review { verdict, lost, .. }) = review else {
            return match (self.waits, self.doubts.is_empty()) {
                (true, _) => self.waiting(),
                (false, true) => ReviewState::Ready,
                (false, false) => ReviewState::Doubtful { doubts: self.doubts.clone() },
            };
        };
        match verdict {
            Some(Verdict::Accepted) => ReviewState::Accepted,
            Some(Verdict::Rejected { reason }) => ReviewState::Rejected { reason },
            // Sure of every field, but not of the notice.
            None if self.doubts.is_empty() => waiting(if lost { LOST } else { EDITED }),
            None => self.waiting(),
        }
    }

    fn waiting(&self) -> ReviewState {
        ReviewState::Waiting { doubts: self.doubts.clone() }
    }
}

fn waiting(doubt: &str) -> ReviewState {
    ReviewState::Waiting { doubts: vec![doubt.to_owned()] }
}
