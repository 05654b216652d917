//! Reads the results of a report page by page, up to a limit.

use super::{columns::RowContext, texts::ReportTexts};
use crate::{
    app::{context::Context, metrics::portal::SearchKind},
    base::i18n::term_names::TermNames,
    domain::{error::ServiceError, report::ReportDefinition},
    services::search::search,
};
use index::{IndexError, ListingItem, ListingRequest, SearchEngine};
use tender_model::{
    tender::Tender,
    vocabulary::{Language, Moment},
};

/// The maximum number of rows of a file.
pub const MAX_ROWS: usize = 10_000;

/// The maximum number of tenders in a preview.
const PREVIEW_ROWS: usize = 20;

/// The number of tenders per request to the index. The index permits no more.
const PAGE_SIZE: usize = 100;

/// The numbers of tenders that match a report and that its file contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// The number of matching tenders.
    pub total: usize,
    /// The number of tenders in the file.
    pub rows: usize,
}

impl ReportCounts {
    /// Whether the file lacks matching tenders.
    #[must_use]
    pub const fn is_truncated(self) -> bool {
        self.rows < self.total
    }
}

/// Visits each matching tender, at most `max_rows` of them. Tenders that are locked for the viewer
/// are left out.
pub(super) fn visit_tenders<E: From<IndexError>>(
    search_engine: &dyn SearchEngine,
    mut request: ListingRequest,
    now: Moment,
    max_rows: usize,
    mut visit: impl FnMut(&Tender) -> Result<(), E>,
) -> Result<ReportCounts, E> {
    (request.page, request.limit, request.after) = (1, PAGE_SIZE, None);
    let mut found = ReportCounts::default();
    loop {
        let listing = search_engine.listing(&request, now)?;
        if request.after.is_none() {
            found.total = listing.total;
        }
        let left = max_rows.saturating_sub(found.rows);
        for tender in listing.tenders.into_iter().filter_map(ListingItem::into_tender).take(left) {
            visit(&tender)?;
            found.rows += 1;
        }
        match listing.next {
            Some(next) if found.rows < max_rows => request.after = Some(next),
            _ => return Ok(found),
        }
    }
}

/// Returns the number of matching tenders and the first rows of a report as text.
pub async fn preview(
    context: &Context,
    definition: &ReportDefinition,
    request: ListingRequest,
    language: Language,
) -> Result<(usize, Vec<Vec<String>>), ServiceError> {
    let (base_url, columns) = (context.config.base_url(), definition.columns.clone());
    search(context, SearchKind::Report, move |search_engine, now| {
        let context = RowContext {
            language,
            words: ReportTexts::of(language),
            terms: TermNames::of(language),
            base_url: &base_url,
            now,
        };
        let mut rows = Vec::new();
        let request = ListingRequest { page: 1, limit: PREVIEW_ROWS, ..request };
        let listing = search_engine.listing(&request, now)?;
        for tender in listing.tenders.into_iter().filter_map(ListingItem::into_tender) {
            rows.push(columns.iter().map(|column| column.cell(&tender, &context).plain_text()).collect());
        }
        Ok((listing.total, rows))
    })
    .await
}
