//! What became of the blocks of a page, for the portal that shows the page.

use crate::{
    batch::{
        PageRecord, ReviewState, Sender,
        output::{
            page_reading::{ReadNotice, ReadPage},
            record::NoticeFiles,
        },
    },
    extract::RejectionReason,
    page::PageFile,
    portal_client::{Outcome, PublishError},
};
use std::{collections::HashMap, path::Path};
use tender_model::{
    page_reading::{BlockOutcome, PageReading, ReadBlock, ReportedPage},
    tender::PageBox,
    vocabulary::Day,
};

/// The number of rows of a page, for the order of its blocks.
const ROWS: f64 = 40.0;
/// The reason if the portal has no answer to a notice.
const UNANSWERED: &str = "the portal has not accepted the notice";

/// The reason of a block that a person has dismissed.
const DISMISSED: &str = "dismissed by a person";

/// Sorts blocks in reading order. Blocks that begin at about the same height are in one row.
pub(crate) fn sort_blocks(blocks: &mut [ReadBlock]) {
    let row = |block: &ReadBlock| (block.area[1] * ROWS).floor();
    blocks.sort_by(|a, b| row(a).total_cmp(&row(b)).then(a.area[0].total_cmp(&b.area[0])));
}

/// A block that is not a notice.
pub(crate) fn rejected_block(area: PageBox, reason: RejectionReason) -> ReadBlock {
    let (outcome, reason) = match reason {
        RejectionReason::Empty => (BlockOutcome::TooLittleText, None),
        reason => (BlockOutcome::NotANotice, Some(reason.label().to_owned())),
    };
    ReadBlock { area, outcome, reason, key: None, title: None }
}

/// A block that was not read, because a person has dismissed it.
pub(crate) fn dismissed_block(area: PageBox) -> ReadBlock {
    let reason = Some(DISMISSED.to_owned());
    ReadBlock { area, outcome: BlockOutcome::NotANotice, reason, key: None, title: None }
}

/// What the portal needs to show a page, apart from the record of the page.
pub(crate) struct PageReport {
    picture: Vec<u8>,
    publication: String,
    date: Option<Day>,
    /// The boxes of the notices by their keys.
    areas: HashMap<String, PageBox>,
}

impl PageReport {
    /// Takes the picture out of a page. Returns `None` if the page has no picture.
    pub(crate) fn take(read: &mut ReadPage) -> Option<Self> {
        let area = |notice: &ReadNotice| {
            notice.tender.sources.first().map(|source| (notice.key.clone(), source.area))
        };
        Some(Self {
            picture: read.picture.take()?,
            publication: read.publication.clone(),
            date: read.date,
            areas: read.notices.iter().filter_map(area).collect(),
        })
    }

    /// Reports a page whose notices have been sent. `folder` is the folder of its record.
    pub(crate) fn send(
        self,
        sender: &Sender,
        file: &PageFile,
        record: &PageRecord,
        folder: &Path,
    ) -> Result<(), PublishError> {
        let mut blocks: Vec<ReadBlock> =
            record.rejected.iter().map(|block| rejected_block(block.area, block.reason)).collect();
        for notice in &record.notices {
            // A reviewed notice that was not found again has no place on the page.
            let Some(&area) = self.areas.get(&notice.key) else { continue };
            let receipt = sender.stored_answer(&NoticeFiles::of(folder, &notice.name));
            let (outcome, reason) = match (notice.review_state(folder), receipt) {
                (ReviewState::Rejected { reason }, _) => (BlockOutcome::NotANotice, reason),
                (ReviewState::Waiting { doubts }, _) => (BlockOutcome::Waits, doubts.join(", ")),
                (_, None) => (BlockOutcome::Refused, UNANSWERED.to_owned()),
                (ReviewState::Doubtful { doubts }, Some(receipt)) if receipt.outcome != Outcome::Review => {
                    (BlockOutcome::Doubtful, doubts.join(", "))
                }
                (_, Some(receipt)) if receipt.outcome == Outcome::Review => {
                    (BlockOutcome::Waits, notice.doubts.join(", "))
                }
                (_, Some(_)) => (BlockOutcome::Tender, String::new()),
            };
            blocks.push(ReadBlock {
                area,
                outcome,
                reason: Some(reason).filter(|reason| !reason.is_empty()),
                key: outcome.is_notice().then(|| notice.key.clone()),
                title: outcome.is_notice().then(|| notice.title.clone()),
            });
        }
        sort_blocks(&mut blocks);
        let name = record.file.rsplit('/').next().unwrap_or(&record.file);
        let page = ReportedPage {
            file_name: name.to_owned(),
            file_hash: file.file_hash(),
            file_size: file.size(),
            number: record.page,
            reading: PageReading {
                publication: self.publication,
                date: self.date,
                page_count: file.len(),
                blocks,
            },
        };
        sender.report_page(&record.hash, &page, &self.picture)
    }
}
