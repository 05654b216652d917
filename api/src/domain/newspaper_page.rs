//! Newspaper files that are uploaded, their pages, and what became of the blocks of a page.

use crate::domain::review::{NoticeState, ReviewReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::{
    page_reading::{BlockOutcome, DecidedBox},
    tender::PageBox,
    vocabulary::Day,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum size of an uploaded file, in bytes.
pub const MAX_PAGE_FILE_BYTES: u64 = 100 << 20;
/// The maximum number of pages of a file.
pub const MAX_PAGES_PER_FILE: u32 = 200;
/// How often a page is tried before it is set aside.
pub const MAX_ATTEMPTS: i32 = 3;

/// The format of a file of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFormat {
    /// PDF.
    Pdf,
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// TIFF.
    Tiff,
}

impl PageFormat {
    /// The number of leading bytes that [`PageFormat::sniff`] needs.
    pub const SNIFFED_BYTES: usize = 1024;

    /// Detects the format from the first bytes of a file. `ingest` accepts the same formats.
    #[must_use]
    pub fn sniff(head: &[u8]) -> Option<Self> {
        // A PDF may begin with other bytes: viewers accept a header in the first kilobyte.
        let start = head.get(..Self::SNIFFED_BYTES).unwrap_or(head);
        match head {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Self::Png),
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Self::Tiff),
            _ if start.windows(5).any(|mark| mark == b"%PDF-") => Some(Self::Pdf),
            _ => None,
        }
    }

    /// The value of the `Content-Type` header.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Tiff => "image/tiff",
        }
    }
}

/// A file of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// The name of the file.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub size: i64,
    /// The newspaper as given at the upload; empty if it must be read from the page.
    pub publication: String,
    /// The issue date as given at the upload.
    pub issue_date: Option<Day>,
}

/// How far the reading of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PageState {
    /// The page waits for a worker.
    Waiting,
    /// A worker reads the page.
    Leased,
    /// The page was read.
    Read,
    /// The last attempt failed. The page is tried again.
    Failed,
    /// Several attempts failed. The page is read again only if a person asks for it.
    SetAside,
}

/// A page.
#[derive(Debug, Clone, PartialEq)]
pub struct NewspaperPage {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The id of its file.
    pub file_id: Uuid,
    /// The name of its file.
    pub file_name: String,
    /// Whether the portal has the file.
    pub is_stored: bool,
    /// The page in the file, from 1.
    pub number: i32,
    /// The number of pages of the file, if it is known.
    pub page_count: Option<i32>,
    /// How far the reading is.
    pub state: PageState,
    /// How often a worker has tried to read the page.
    pub attempts: i32,
    /// The worker that reads or has read the page.
    pub worker: Option<String>,
    /// The last failure.
    pub failure: Option<String>,
    /// The newspaper, as read or as given at the upload; empty if it is unknown.
    pub publication: String,
    /// The issue date, as read or as given at the upload.
    pub issue_date: Option<Day>,
    /// The hash of the picture of the page. `None` before the page was read.
    pub picture: Option<String>,
    /// When the page was added.
    pub created_at: Timestamp,
    /// When the page was last read.
    pub read_at: Option<Timestamp>,
    /// The number of blocks with each outcome, without zeros.
    pub outcomes: Vec<(BlockOutcome, i64)>,
}

/// What became of a block of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageBlock {
    /// The place in reading order, from 1.
    pub number: i32,
    /// The box as fractions of the picture.
    pub area: PageBox,
    /// What became of the block until now.
    pub outcome: BlockOutcome,
    /// Why, as of the reading.
    pub reason: Option<String>,
    /// Why the notice is in the review queue.
    pub review_reason: Option<ReviewReason>,
    /// The key of the notice.
    pub notice_key: Option<String>,
    /// The title of the notice.
    pub title: Option<String>,
    /// The tender to which the notice belongs now.
    pub tender_id: Option<Uuid>,
}

/// The maximum number of boxes of a page about which people have decided.
pub const MAX_BOXES: usize = 100;
/// The smallest width and height of a drawn box, as fractions of the picture.
pub const MIN_BOX_SIDE: f64 = 0.01;

/// A rectangle of a page about which a person has decided.
#[derive(Debug, Clone, PartialEq)]
pub struct PageMark {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The rectangle and the decision.
    pub decided: DecidedBox,
    /// When it was decided.
    pub at: Timestamp,
    /// The mail address of the user or the name of the token. `None`: the account is deleted.
    pub by: Option<String>,
    /// What a dismissal did to a notice.
    pub dismissal: Option<Dismissal>,
}

/// What a dismissal did to a notice.
#[derive(Debug, Clone, PartialEq)]
pub struct Dismissal {
    /// The key of the notice.
    pub key: String,
    /// The notice before.
    pub before: NoticeState,
    /// Whether the dismissal withdrew the tender of the notice.
    pub has_withdrawn: bool,
}

/// Which pages are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageFilter {
    /// Only pages in this state.
    pub state: Option<PageState>,
    /// Only pages whose newspaper contains this text.
    pub publication: Option<String>,
    /// Only pages whose newspaper is spelled in one of these ways.
    pub spellings: Option<Vec<String>>,
    /// Only pages of this issue date.
    pub issue_date: Option<Day>,
    /// Only pages of this file.
    pub file_id: Option<Uuid>,
}

/// The place of a page in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PagePosition {
    /// The id of the page's file.
    pub file_id: Uuid,
    /// The page in the file.
    pub number: i32,
}

/// What waits, is being read or needs attention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageWork {
    /// The number of waiting pages, including those that are tried again.
    pub waiting: i64,
    /// The number of pages that are being read.
    pub leased: i64,
    /// The number of pages that were set aside.
    pub set_aside: i64,
    /// The number of workers that asked for a page or read one within the last minutes.
    pub workers: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_detected_from_the_content() {
        for (head, format) in [
            (&b"%PDF-1.7\n"[..], Some(PageFormat::Pdf)),
            (b"\r\n\r\n%PDF-1.4", Some(PageFormat::Pdf)),
            (b"\xff\xd8\xff\xe0rest", Some(PageFormat::Jpeg)),
            (b"\x89PNG\r\n\x1a\nrest", Some(PageFormat::Png)),
            (b"II*\0rest", Some(PageFormat::Tiff)),
            (b"MM\0*rest", Some(PageFormat::Tiff)),
            (b"PK\x03\x04 a docx", None),
            (b"<svg onload=x>", None),
            (b"\0\0\0\x18ftypheic", None),
            (b"", None),
        ] {
            assert_eq!(PageFormat::sniff(head), format, "{head:?}");
        }
    }
}
