//! What `ingest work` and the portal tell each other about newspaper pages: the page to read, and
//! the result.

use crate::{
    tender::PageBox,
    vocabulary::{Day, Moment, terms},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

terms! {
    /// What became of a block of a page.
    BlockOutcome, "outcome of a block" {
        /// The block is a notice and was published.
        Tender = "tender",
        /// The block is a notice and was published with doubtful fields.
        Doubtful = "doubtful",
        /// The block is a notice, or may be one, and waits for a person's decision.
        Waits = "waits",
        /// The block is a notice that the portal refused.
        Refused = "refused",
        /// The block is a notice that a person rejected, alone or with its batch. Only the portal says
        /// so.
        Rejected = "rejected",
        /// The block is no tender notice.
        NotANotice = "not-a-notice",
        /// The block has too little text.
        TooLittleText = "too-little-text",
    }
}

impl BlockOutcome {
    /// Whether the block is a notice, or may be one.
    #[must_use]
    pub const fn is_notice(self) -> bool {
        matches!(self, Self::Tender | Self::Doubtful | Self::Waits | Self::Refused | Self::Rejected)
    }
}

terms! {
    /// What a person has decided about a rectangle of a page.
    BoxDecision, "decision about a box" {
        /// It is a notice. The rectangle is read as a whole.
        Notice = "notice",
        /// It is no notice. It is not read.
        Dismissed = "dismissed",
    }
}

/// A rectangle of a page about which a person has decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DecidedBox {
    /// The rectangle `[x, y, width, height]` as fractions of the picture of the page, from the top
    /// left corner.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>, min_items = 4, max_items = 4)]
    pub area: PageBox,
    /// The decision.
    pub decision: BoxDecision,
}

/// Whether two rectangles share more than half of the area of one of them.
#[must_use]
pub fn is_same_box(one: PageBox, other: PageBox) -> bool {
    let shared = |axis: usize| {
        let end = (one[axis] + one[axis + 2]).min(other[axis] + other[axis + 2]);
        (end - one[axis].max(other[axis])).max(0.0)
    };
    shared(0) * shared(1) > (one[2] * one[3]).min(other[2] * other[3]) / 2.0
}

/// A page that a worker reads. It belongs to the worker until the lease ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageTask {
    /// The id of the lease. All other calls about the page need it.
    pub lease: Uuid,
    /// The end of the lease. Each heartbeat extends the lease.
    pub until: Moment,
    /// The name of the file.
    pub file_name: String,
    /// SHA-256 of the file, in 64 hex digits.
    pub file_hash: String,
    /// The size of the file, in bytes.
    pub file_size: u64,
    /// The page in the file, from 1.
    pub number: u32,
    /// The newspaper; empty if it must be read from the page.
    pub publication: String,
    /// The issue date, if it is known.
    #[schema(value_type = Option<String>, format = Date, required)]
    pub date: Option<Day>,
    /// The rectangles about which people have decided. Only workers that ask with `readsBoxes` get
    /// pages with such rectangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<DecidedBox>,
}

/// The result of reading a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PageReading {
    /// The newspaper; empty if it is unknown.
    #[serde(default)]
    pub publication: String,
    /// The issue date, if it is known.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    pub date: Option<Day>,
    /// The number of pages of the file.
    pub page_count: u32,
    /// The blocks of the page, in reading order.
    pub blocks: Vec<ReadBlock>,
}

/// A page that `ingest` has read from a file of its own, with the result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportedPage {
    /// The name of the file.
    pub file_name: String,
    /// SHA-256 of the file, in 64 hex digits.
    pub file_hash: String,
    /// The size of the file, in bytes.
    pub file_size: u64,
    /// The page in the file, from 1.
    pub number: u32,
    /// The result.
    pub reading: PageReading,
}

/// What became of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadBlock {
    /// The rectangle `[x, y, width, height]` as fractions of the picture of the page, from the top
    /// left corner.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>, min_items = 4, max_items = 4)]
    pub area: PageBox,
    /// What became of the block.
    pub outcome: BlockOutcome,
    /// Why the block is no notice, waits, has doubtful fields or was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The key of the notice: 32 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The title of the notice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_the_same_if_they_share_more_than_half_of_one_of_them() {
        let whole = [0.0, 0.0, 0.4, 0.4];
        for (other, is_same) in [
            ([0.0, 0.0, 0.4, 0.4], true),
            ([0.1, 0.1, 0.1, 0.1], true),
            ([0.3, 0.0, 0.4, 0.4], false),
            ([0.19, 0.0, 0.4, 0.4], true),
            ([0.21, 0.0, 0.4, 0.4], false),
            ([0.5, 0.5, 0.1, 0.1], false),
        ] {
            assert_eq!(
                (is_same_box(whole, other), is_same_box(other, whole)),
                (is_same, is_same),
                "{other:?}"
            );
        }
    }

    #[test]
    fn task_of_an_earlier_portal_has_no_boxes() {
        let task = r#"{"lease":"00000000-0000-7000-8000-000000000000","until":"2026-11-20T12:00:00+05:30",
            "fileName":"p1.pdf","fileHash":"","fileSize":1,"number":1,"publication":"","date":null}"#;
        assert_eq!(serde_json::from_str::<PageTask>(task).unwrap().boxes, []);
    }
}
