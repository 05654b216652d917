//! GET /tenders: lists and searches tenders with the search index.

use super::{TenderCounters, TenderView};
use crate::services::search::{
    bidder_listing::{assess_bidder, listing_for_bidder},
    list_query::ListQuery,
};
use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    base::paging::Pagination,
    domain::{
        error::{FieldError, ServiceError},
        locked_tender::LockedTender,
    },
    http::{
        bidding::ListedBidAnswer,
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{MaybeUser, Query},
    },
    services::entitlement::Entitlement,
    storage::{companies, saved_tenders},
};
use axum::extract::State;
use index::{ListingItem, Snippet, StatusCard, query::DidYouMean};
use serde::Serialize;
use std::ops::Range;
use tender_model::eligibility::Company;
use utoipa::ToSchema;
use uuid::Uuid;

/// A tender in the listing. Locked tenders are included without details.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ListedTender {
    /// The tender, without `fullTextMarkdown`, `evidence`, `otherReadings` and clips.
    Open(Box<TenderView>),
    /// The visible part of a locked tender.
    Locked(Box<LockedTender>),
}

/// Where the search terms occur in a tender. Ranges count characters; the end is exclusive.
#[derive(Debug, Serialize, ToSchema)]
pub struct Passage {
    /// Ranges in the title.
    title: Vec<[usize; 2]>,
    /// The passage of the description or full text with the most search terms. It is empty if the
    /// tender has neither.
    text: String,
    /// Ranges in `text`.
    marks: Vec<[usize; 2]>,
}

/// The correction of search words that occur in no tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct Correction {
    /// The whole corrected search text.
    text: String,
    /// The corrected words.
    changes: Vec<CorrectedWord>,
}

/// A search word that occurs in no tender, with its correction.
#[derive(Debug, Serialize, ToSchema)]
pub struct CorrectedWord {
    /// The word, as entered.
    from: String,
    /// The correction.
    to: String,
}

/// A page of the listing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderList {
    /// The tenders, in the order of the parameter `sort`.
    tenders: Vec<ListedTender>,
    /// The position of the page.
    pagination: Pagination,
    /// For each of `tenders`, in the same order, where the search terms occur; `null` without a
    /// text search and for locked tenders.
    passages: Vec<Option<Passage>>,
    /// For each of `tenders`, in the same order, whether the caller's company may bid; `null` for locked
    /// tenders and those for which nobody bids. Absent for guests, and while the company profile is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    bid_answers: Option<Vec<Option<ListedBidAnswer>>>,
    /// The ids of those `tenders` that the caller has saved.
    saved: Vec<Uuid>,
    /// The correction that was applied to search words that occur in no tender.
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<Correction>,
    /// Whether no tender contains all search words. `tenders` then contain most of the words.
    has_most_words: bool,
}

impl TenderList {
    /// Returns the tenders of the page.
    #[must_use]
    pub fn tenders(&self) -> &[ListedTender] {
        &self.tenders
    }

    /// Returns the number of tenders on all pages.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.pagination.total_count
    }

    /// Whether there is a next page.
    #[must_use]
    pub const fn has_next(&self) -> bool {
        self.pagination.has_next
    }
}

impl From<Snippet> for Passage {
    fn from(snippet: Snippet) -> Self {
        let to_pairs =
            |marks: Vec<Range<usize>>| marks.into_iter().map(|mark| [mark.start, mark.end]).collect();
        Self { title: to_pairs(snippet.title), text: snippet.text, marks: to_pairs(snippet.marks) }
    }
}

impl From<DidYouMean> for Correction {
    fn from(DidYouMean { text, changes }: DidYouMean) -> Self {
        let word = |change: index::query::Correction| CorrectedWord { from: change.from, to: change.to };
        Self { text, changes: changes.into_iter().map(word).collect() }
    }
}

/// List and search tenders
///
/// Tenders that are open to bids are listed before all others, whatever the order.
#[utoipa::path(get, path = "/tenders", tag = "tenders", operation_id = "listTenders",
params(ListQuery), security((), ("session" = [])), responses(
    (status = 200, description = "One page of tenders", body = Envelope<TenderList>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The plan does not include a filter of the query", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_tenders(
    State(state): State<AppState>,
    caller: MaybeUser,
    Query(query): Query<ListQuery>,
) -> ApiResult<TenderList> {
    let entitlement = Entitlement::of_user(caller.user(), &state).await?;
    let text = query.first_page_text().map(str::to_owned);
    let company = match caller.user() {
        Some(user) => companies::filled_of(&state.db, user.shared_account()).await?,
        None => None,
    };
    let list = load_listing(&state, &entitlement, query, company).await?;
    if let Some(text) = text.filter(|_| list.count() == 0) {
        state.empty_searches.count(&text, state.clock.moment().day());
    }
    Ok(Envelope::of(list))
}

/// Lists the tenders that match a query, as a viewer with this entitlement and this company sees them.
///
/// # Errors
///
/// 403 and 422, as the route documents them.
pub async fn load_listing(
    state: &AppState,
    entitlement: &Entitlement,
    mut query: ListQuery,
    company: Option<Company>,
) -> Result<TenderList, ServiceError> {
    let (page, limit) = (query.page, query.limit);
    let answers = query.take_bid_answers()?;
    if !answers.is_empty() && company.is_none() {
        let message = "bidAnswers: needs a company profile";
        return Err(ServiceError::Invalid(vec![FieldError::new("bidAnswers", message)]));
    }
    let mut request = query.request(entitlement, state)?;
    // A filter by status leaves one of the two groups.
    request.open_first = !matches!(*request.filter.statuses, [StatusCard::Live | StatusCard::Closed]);
    let bidder = company.clone();
    let listing =
        crate::services::search::search(state, SearchKind::Listing, move |search_engine, now| match bidder {
            Some(company) if !answers.is_empty() => {
                listing_for_bidder(search_engine, &request, now, &company, &answers)
            }
            _ => search_engine.listing(&request, now),
        })
        .await?;
    let ids: Vec<_> = listing.tenders.iter().map(ListingItem::id).collect();
    // The pool pings a connection that is returned, so taking one connection saves round trips.
    let mut connection = state.db.acquire().await?;
    let counters = TenderCounters::load(&mut *connection, &ids).await?;
    let saved = match entitlement.account {
        Some(user) => saved_tenders::among(&mut *connection, user, &ids).await?.into_iter().collect(),
        None => Vec::new(),
    };
    drop(connection);
    let now = state.clock.moment();
    let answer = |company: &Company, listed: &ListingItem| match listed {
        ListingItem::Locked(_) => None,
        ListingItem::Open(tender) => assess_bidder(tender, company, now).map(ListedBidAnswer::from),
    };
    let bid_answers = company
        .as_ref()
        .map(|company| listing.tenders.iter().map(|listed| answer(company, listed)).collect());
    let view = |listed| match listed {
        ListingItem::Locked(stub) => ListedTender::Locked(Box::new(entitlement.locked_tender(stub))),
        ListingItem::Open(tender) => {
            let statistics = counters.of(tender.id);
            let item = TenderView::list_item(*tender, statistics, entitlement.is_guest(), state);
            ListedTender::Open(Box::new(item))
        }
    };
    let tenders = listing.tenders.into_iter().map(view).collect();
    Ok(TenderList {
        tenders,
        bid_answers,
        saved,
        pagination: Pagination::new(page, limit, listing.total as u64),
        passages: listing.snippets.into_iter().map(|snippet| snippet.map(Passage::from)).collect(),
        did_you_mean: listing.did_you_mean.map(Correction::from),
        has_most_words: listing.has_most_words,
    })
}
