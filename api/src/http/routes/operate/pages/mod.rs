//! Routes with which operators upload newspaper files and follow the reading of their pages.

pub(crate) mod boxes;
pub(crate) mod change;
pub(crate) mod file;
pub(crate) mod list;
pub(crate) mod picture;
pub(crate) mod read;
pub(crate) mod upload;

use crate::domain::newspaper_page::{NewspaperPage, PageState};
use serde::Serialize;
use tender_model::{
    page_reading::BlockOutcome,
    vocabulary::{Day, Moment},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A page of an uploaded file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewspaperPage)]
pub struct PageView {
    /// The page's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The id of its file.
    file_id: Uuid,
    /// The name of its file.
    file_name: String,
    /// The page in the file, from 1.
    number: i32,
    /// The number of pages of the file. `null`: no worker has opened the file yet.
    #[schema(required)]
    page_count: Option<i32>,
    /// How far the reading is.
    state: PageState,
    /// How often a worker has tried to read the page.
    attempts: i32,
    /// The worker that reads or has read the page.
    #[schema(required)]
    worker: Option<String>,
    /// The last failure.
    #[schema(required)]
    failure: Option<String>,
    /// The newspaper, as read or as given at the upload; empty if it is unknown.
    publication: String,
    /// The issue date, as read or as given at the upload.
    #[schema(value_type = Option<String>, format = Date, required)]
    date: Option<Day>,
    /// Whether the portal has the file, so that the page can be read again.
    has_file: bool,
    /// When the page was added.
    created_at: Moment,
    /// When the page was last read.
    #[schema(required)]
    read_at: Option<Moment>,
    /// The number of blocks with each outcome.
    counts: OutcomeCounts,
}

/// The number of blocks with each outcome as of now.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCounts {
    /// Published notices.
    tender: i64,
    /// Published notices with doubtful fields.
    doubtful: i64,
    /// Notices that wait for a decision.
    waits: i64,
    /// Notices that the portal refused.
    refused: i64,
    /// Notices that a person rejected, alone or with their batch.
    rejected: i64,
    /// Blocks that are no tender notices.
    not_a_notice: i64,
    /// Blocks with too little text.
    too_little_text: i64,
}

impl OutcomeCounts {
    fn of(outcomes: &[(BlockOutcome, i64)]) -> Self {
        let mut counts = Self::default();
        for (outcome, count) in outcomes {
            let counted = match outcome {
                BlockOutcome::Tender => &mut counts.tender,
                BlockOutcome::Doubtful => &mut counts.doubtful,
                BlockOutcome::Waits => &mut counts.waits,
                BlockOutcome::Refused => &mut counts.refused,
                BlockOutcome::Rejected => &mut counts.rejected,
                BlockOutcome::NotANotice => &mut counts.not_a_notice,
                BlockOutcome::TooLittleText => &mut counts.too_little_text,
            };
            *counted = *count;
        }
        counts
    }
}

impl From<NewspaperPage> for PageView {
    fn from(page: NewspaperPage) -> Self {
        Self {
            id: page.id,
            file_id: page.file_id,
            file_name: page.file_name,
            number: page.number,
            page_count: page.page_count,
            state: page.state,
            attempts: page.attempts,
            worker: page.worker,
            failure: page.failure,
            publication: page.publication,
            date: page.issue_date,
            has_file: page.is_stored,
            created_at: Moment::new(page.created_at),
            read_at: page.read_at.map(Moment::new),
            counts: OutcomeCounts::of(&page.outcomes),
        }
    }
}
