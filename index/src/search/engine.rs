//! [`SearchEngine`]: what the portal asks of a search engine. [`IndexWriter`] and [`IndexRebuild`]
//! change its index.

use super::{
    alert_matches::AlertMatches,
    duplicates::Duplicate,
    listing::Listing,
    request::{ListingRequest, Sort, TenderFilter},
    similar::SimilarHit,
    stats::Stats,
    suggestion::Suggestion,
};
use crate::{error::IndexError, log_position::LogPosition};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// An index of tenders and its searches. All methods block the thread.
///
/// Every method fails with [`IndexError::Unavailable`] if an engine in another process does not
/// answer in time.
pub trait SearchEngine: Send + Sync {
    /// The name of the index if other processes use it too. Then only one of them may write at a
    /// time, and the index changes without this process.
    fn shared_name(&self) -> Option<&str>;

    /// The nodes of a shared engine, as the requests of this process have found them. `None`: the index
    /// belongs to this process.
    fn nodes(&self) -> Option<NodeCounts>;

    /// One page of tenders.
    ///
    /// # Errors
    /// [`IndexError::Cursor`] if `as_of` or `after` is invalid or belongs to another listing.
    fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError>;

    /// The newest `limit` tenders that match an alert at a given time.
    ///
    /// # Errors
    /// [`IndexError::Alert`] if the alert cannot be matched.
    fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError>;

    /// The `limit` tenders most similar to the given one, which itself is left out; those that are
    /// open at `now` first. Of the other tenders, only titles and organisations are searched, so the
    /// result may be shown to everyone.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn similar(&self, tender: &Tender, now: Moment, limit: usize) -> Result<Vec<SimilarHit>, IndexError>;

    /// The `limit` most likely duplicates of a tender, with the evidence. Most are found despite
    /// OCR errors and in other languages. See [`tender_model::likeness::LIKELY_DUPLICATE`].
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError>;

    /// Suggestions for a text being typed: at most two categories, two places, three organisations
    /// and five titles. The work is bounded. Only text that everyone may read is suggested.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError>;

    /// The counters of the home page and the listing.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn stats(&self, now: Moment) -> Result<Stats, IndexError>;

    /// The same counters of the tenders that match the text and the filters of a request. As in the
    /// facets of a listing, no filter narrows its own counters: the total and the three statuses
    /// leave the request's statuses out.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn stats_within(&self, request: &ListingRequest, now: Moment) -> Result<Stats, IndexError> {
        if request.text.is_none() && request.filter == TenderFilter::default() {
            return self.stats(now);
        }
        let counted = ListingRequest {
            text: request.text.clone(),
            filter: request.filter.clone(),
            viewer: request.viewer,
            rates: request.rates.clone(),
            // The order by publication needs no scores.
            sort: Sort::Newest,
            limit: 1,
            facets: Some(0),
            ..ListingRequest::default()
        };
        Ok(Stats::of_facets(self.listing(&counted, now)?.facets.unwrap_or_default()))
    }

    /// One tender, as stored in the index.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError>;

    /// Calls `visit` with each tender of the index, in no particular order.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError>;

    /// The position in the change log that readers see, without waiting. `None` for a newly created
    /// index. For a shared engine, this is the position at the last [`SearchEngine::refresh`] or
    /// commit of this process.
    fn position(&self) -> Option<LogPosition>;

    /// Verifies the index, as far as the engine can.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if it is damaged or incomplete.
    fn check(&self) -> Result<(), IndexError>;

    /// Switches to the new index if another process has replaced the current one. Returns whether
    /// this was the case. For a shared engine, also reads the position.
    ///
    /// # Errors
    /// If the new index cannot be opened. Readers then keep the previous index.
    fn refresh(&self) -> Result<bool, IndexError>;

    /// Opens a writer that changes the current index.
    ///
    /// # Errors
    /// [`IndexError::Busy`] if there is another writer. A shared engine does not notice a writer of
    /// another process.
    fn writer(&self) -> Result<Box<dyn IndexWriter>, IndexError>;

    /// Starts a new index beside the current one.
    ///
    /// # Errors
    /// [`IndexError::Busy`] if this process already runs a rebuild.
    fn rebuild(&self) -> Result<Box<dyn IndexRebuild>, IndexError>;
}

/// The nodes of a shared engine, and the requests to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeCounts {
    /// The number of nodes that work, as far as is known.
    pub working: usize,
    /// The number of nodes that failed and have not answered since.
    pub failed: usize,
    /// The number of requests so far that no node answered in time.
    pub unanswered: u64,
}

/// Changes the current index. Changes become visible with [`IndexWriter::commit`]; without it they
/// may be lost. After an error, drop the writer, and continue from [`SearchEngine::position`]: a
/// change that is written again has the same effect as once.
pub trait IndexWriter: Send {
    /// Adds or replaces a tender. A tender that is not public is removed instead. `owner` is the
    /// account that owns it; a tender is never locked for its owner. `position` is the position of
    /// the change in the log. A shared engine ignores a change that is older than the stored one.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, position: i64) -> Result<(), IndexError>;

    /// Removes a tender if it is stored. `position` is the position of the change in the log.
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn remove(&mut self, id: Uuid, position: i64) -> Result<(), IndexError>;

    /// Commits all changes as the state at a log position, and shows them to readers.
    ///
    /// # Errors
    /// [`IndexError::Superseded`] if a rebuild replaced this index. Readers of the new index do not
    /// see the changes.
    fn commit(&mut self, at: LogPosition) -> Result<(), IndexError>;
}

/// A new index under construction. If it is dropped before [`IndexRebuild::publish`], it is deleted.
pub trait IndexRebuild: Send {
    /// Like [`IndexWriter::put`].
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, position: i64) -> Result<(), IndexError>;

    /// Like [`IndexWriter::remove`].
    ///
    /// # Errors
    /// See [`SearchEngine`].
    fn remove(&mut self, id: Uuid, position: i64) -> Result<(), IndexError>;

    /// Commits the new index as the state at a log position, and replaces the current index for all
    /// readers.
    ///
    /// # Errors
    /// The current index then stays in place.
    fn publish(self: Box<Self>, at: LogPosition) -> Result<(), IndexError>;
}
