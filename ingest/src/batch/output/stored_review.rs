//! The review of a notice, stored beside it. It survives a new reading of the page.

use super::{
    file_io::write_file,
    record::{NoticeFiles, NoticeRecord},
};
use crate::{base::files, batch::BatchError};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::Path};
use tender_model::{tender::PageBox, vocabulary::Moment};

/// Why an edited notice without doubts waits for review.
const EDITED_REASON: &str = "edited, not yet accepted";
/// Why a notice whose reviewed text is lost waits for review.
const LOST_REASON: &str = "the accepted text is lost, its replacement is not yet accepted";
/// Why a notice with an unreadable review waits for review.
const UNREADABLE_REASON: &str = "its review cannot be read";

/// What a reviewer decided or changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The key of the notice. The review does not apply to another notice with the same file name.
    pub key: String,
    /// The hash of the page. The review does not apply to another page.
    pub page: String,
    /// The box of the notice on the page.
    #[serde(rename = "box", default)]
    pub area: Option<PageBox>,
    /// The decision; `None` if the notice was only edited, or if the reviewed text is lost.
    pub verdict: Option<Verdict>,
    /// The fields that the reviewer edited.
    #[serde(default)]
    pub edited: BTreeSet<String>,
    /// Whether the reviewed text is lost and its replacement has not been reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The time of the review.
    pub at: Moment,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The notice may be published.
    Accepted,
    /// The notice must not be published.
    Rejected {
        /// The reason.
        reason: String,
    },
}

/// Whether a notice may be published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "standing")]
pub enum ReviewState {
    /// Every key field is certain.
    Ready,
    /// The notice is published with its doubtful fields marked. A reviewer may confirm them.
    Doubtful {
        /// The doubtful or missing fields.
        doubts: Vec<String>,
    },
    /// The notice waits for review.
    Waiting {
        /// The reasons.
        doubts: Vec<String>,
    },
    /// A reviewer accepted the notice.
    Accepted,
    /// A reviewer rejected the notice.
    Rejected {
        /// The reason.
        reason: String,
    },
}

impl Review {
    /// Reads a review; `None` if there is none.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, BatchError> {
        files::try_read_json(path).map_err(|source| BatchError::Unread { path: path.to_owned(), source })
    }

    /// Writes the review.
    pub(crate) fn write(&self, path: &Path) -> Result<(), BatchError> {
        let json = serde_json::to_vec_pretty(self)
            .map_err(|error| BatchError::Write { path: path.to_owned(), source: error.into() })?;
        write_file(path, &json)
    }

    /// Whether the notice was rejected.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Rejected { .. }))
    }
}

impl ReviewState {
    /// Whether the notice may be published now.
    #[must_use]
    pub const fn may_be_published(&self) -> bool {
        matches!(self, Self::Ready | Self::Doubtful { .. } | Self::Accepted)
    }

    /// Whether a reviewer has something to decide: the notice waits or has doubtful fields.
    #[must_use]
    pub const fn is_undecided(&self) -> bool {
        matches!(self, Self::Doubtful { .. } | Self::Waiting { .. })
    }
}

impl NoticeRecord {
    /// The review of the notice. `folder` is the folder of its record.
    ///
    /// # Errors
    /// If the review exists but cannot be read.
    pub fn review(&self, folder: &Path) -> Result<Option<Review>, BatchError> {
        let review = Review::read(&NoticeFiles::of(folder, &self.name).review)?;
        Ok(review.filter(|review| review.key == self.key))
    }

    /// Whether the notice may be published. `folder` is the folder of its record.
    #[must_use]
    pub fn review_state(&self, folder: &Path) -> ReviewState {
        // An unreadable review may be a rejection.
        let Ok(review) = self.review(folder) else { return waiting(UNREADABLE_REASON) };
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
            // Every key field is certain, but the notice was not accepted.
            None if self.doubts.is_empty() => waiting(if lost { LOST_REASON } else { EDITED_REASON }),
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
