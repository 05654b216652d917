//! Reads the results of a report page by page, up to a limit.

use super::{columns::RowContext, words::ReportWords};
use crate::{
    app::context::Context,
    domain::{error::ServiceError, report::ReportDefinition},
    services::search::search,
};
use index::{
    IndexError, IndexStore, ListingItem, ListingRequest,
    tender::Tender,
    vocabulary::{Language, Moment},
};

/// The most rows of a file.
pub const MOST_ROWS: usize = 10_000;

/// The rows of a preview.
const PREVIEWED: usize = 20;

/// Tenders per request to the index, which is its maximum.
const PAGE: usize = 100;

/// How many tenders a report found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// All tenders that the report is about.
    pub total: usize,
    /// Those in the file.
    pub rows: usize,
}

impl ReportCounts {
    /// Whether there are more than a file holds.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        self.rows < self.total
    }
}

/// Visits each tender up to a limit. Tenders that are locked for the reader are left out.
pub(super) fn walk<E: From<IndexError>>(
    index_store: &IndexStore,
    mut request: ListingRequest,
    now: Moment,
    most: usize,
    mut see: impl FnMut(&Tender) -> Result<(), E>,
) -> Result<ReportCounts, E> {
    (request.page, request.limit, request.after) = (1, PAGE, None);
    let mut found = ReportCounts::default();
    loop {
        let listing = index_store.listing(&request, now)?;
        if request.after.is_none() {
            found.total = listing.total;
        }
        let left = most.saturating_sub(found.rows);
        for tender in listing.tenders.into_iter().filter_map(ListingItem::into_tender).take(left) {
            see(&tender)?;
            found.rows += 1;
        }
        match listing.next {
            Some(next) if found.rows < most => request.after = Some(next),
            _ => return Ok(found),
        }
    }
}

/// The first rows of a report as text, and how many it would find.
pub async fn preview(
    context: &Context,
    asked: &ReportDefinition,
    request: ListingRequest,
    language: Language,
) -> Result<(usize, Vec<Vec<String>>), ServiceError> {
    let (base_url, columns) = (context.config.base_url(), asked.columns.clone());
    search(context, move |index_store, now| {
        let context = RowContext { language, words: ReportWords::of(language), base_url: &base_url, now };
        let mut rows = Vec::new();
        let request = ListingRequest { page: 1, limit: PREVIEWED, ..request };
        let listing = index_store.listing(&request, now)?;
        for tender in listing.tenders.into_iter().filter_map(ListingItem::into_tender) {
            rows.push(columns.iter().map(|column| column.cell(&tender, &context).plain()).collect());
        }
        Ok((listing.total, rows))
    })
    .await
}
