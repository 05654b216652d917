//! A listing of the tenders for which a company may bid. The index does not know companies, so the tenders
//! that match are assessed one after the other.

use index::{IndexError, Listing, ListingItem, ListingRequest, SearchEngine, search::MAX_PAGE_SIZE};
use tender_model::{
    eligibility::{self, Assessment, BidAnswer, Company},
    tender::Tender,
    vocabulary::Moment,
};

/// The number of tenders that are assessed for a page. Later ones are left out.
const MAX_ASSESSED: usize = 2_000;

/// Whether a company may bid for a tender. `None`: nobody bids for a tender of this kind.
#[must_use]
pub fn assess_bidder(tender: &Tender, company: &Company, now: Moment) -> Option<Assessment> {
    eligibility::is_bid_for(tender.kind).then(|| eligibility::assess(tender, company, now.day()))
}

/// Lists the page of the request among the tenders with one of these answers. Of a locked tender the
/// answer is not certain.
///
/// # Errors
/// Those of the search engine.
pub fn listing_for_bidder(
    engine: &dyn SearchEngine,
    request: &ListingRequest,
    now: Moment,
    company: &Company,
    answers: &[BidAnswer],
) -> Result<Listing, IndexError> {
    let is_wanted = |item: &ListingItem| {
        let answer = match item {
            ListingItem::Open(tender) => {
                assess_bidder(tender, company, now).map(|assessment| assessment.answer)
            }
            ListingItem::Locked(_) => Some(BidAnswer::NotCertain),
        };
        answer.is_some_and(|answer| answers.contains(&answer))
    };
    let (page, limit) = (request.page.max(1), request.limit.clamp(1, MAX_PAGE_SIZE));
    let on_page = (page - 1).saturating_mul(limit)..page.saturating_mul(limit);
    let mut request = ListingRequest { page: 1, limit: MAX_PAGE_SIZE, facets: None, ..request.clone() };
    let (mut tenders, mut snippets) = (Vec::new(), Vec::new());
    let (mut total, mut assessed) = (0, 0);
    loop {
        let batch = engine.listing(&request, now)?;
        assessed += batch.tenders.len();
        for (item, snippet) in batch.tenders.into_iter().zip(batch.snippets) {
            if !is_wanted(&item) {
                continue;
            }
            if on_page.contains(&total) {
                tenders.push(item);
                snippets.push(snippet);
            }
            total += 1;
        }
        if let Some(next) = batch.next.filter(|_| assessed < MAX_ASSESSED) {
            request.after = Some(next);
            continue;
        }
        let pages = total.div_ceil(limit);
        return Ok(Listing {
            total,
            tenders,
            snippets,
            page,
            limit,
            pages,
            next: None,
            as_of: batch.as_of,
            facets: None,
            has_most_words: batch.has_most_words,
            did_you_mean: batch.did_you_mean,
        });
    }
}
