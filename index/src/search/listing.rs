//! [`Listing`]: one page of results, whatever engine computed it.

use super::{facets::Facets, snippet::Snippet, viewer::ListingItem};
use crate::query::DidYouMean;

/// The maximum number of tenders per page.
pub const MAX_PAGE_SIZE: usize = 100;

/// One page of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// The number of matching tenders, including locked ones.
    pub total: usize,
    /// The tenders of this page. Locked tenders are included as stubs.
    pub tenders: Vec<ListingItem>,
    /// The page number, from 1.
    pub page: usize,
    /// Tenders per page.
    pub limit: usize,
    /// The number of pages.
    pub pages: usize,
    /// The value for [`super::ListingRequest::as_of`] on other pages of this listing.
    pub as_of: String,
    /// The value for [`super::ListingRequest::after`] of the next page, if there is one.
    pub next: Option<String>,
    /// The facets, if requested.
    pub facets: Option<Facets>,
    /// A snippet for each of `tenders`. `None` without a search text, and for locked tenders.
    pub snippets: Vec<Option<Snippet>>,
    /// The corrections that were applied to the search text.
    pub did_you_mean: Option<DidYouMean>,
    /// Whether no tender has all words, so that tenders with as many as possible are listed. They
    /// have at least half of the words that occur in any tender.
    pub has_most_words: bool,
}
