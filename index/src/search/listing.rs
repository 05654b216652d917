//! The listing: what was asked, and one page of what was found. The same way leads to the tenders that an alert matches.

use super::collect::{Collect, Collected, Sieve};
use crate::{
    alert::AlertQuery,
    catalogue::IndexError,
    document::to_tender,
    query::{Asked, Context, DidYouMean, Facts, Filters, Scope, Typed, alert_query},
    schema::Fields,
    tender::Tender,
    vocabulary::{Moment, Rates, TenderStatus, Topic},
};
use std::sync::Arc;
use tantivy::{
    DocAddress, Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{AllQuery, Query, TermQuery},
    schema::IndexRecordOption,
};
use uuid::Uuid;

/// The most tenders on a page.
const LARGEST_PAGE: usize = 100;

/// What to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListingRequest {
    /// Typed search text; see [`crate::query::Typed`]. Blank: no text.
    pub text: Option<String>,
    /// A category or a sector.
    pub topic: Option<Topic>,
    /// One of the stat cards.
    pub only: Option<Only>,
    /// From 1; 0 counts as 1.
    pub page: usize,
    /// Tenders a page, 1 to 100; what lies outside is brought in.
    pub limit: usize,
    /// The order.
    pub sort: Sort,
}

/// A stat card as a filter: decisions, "total, live, closed, today".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// Published here on this Colombo day.
    Today,
    /// Open to bids.
    Live,
    /// No longer open.
    Closed,
}

/// The order of a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// By relevance where there is a text, else the newest first.
    #[default]
    Best,
    /// The newest first, by `publishedAt`, then id.
    Newest,
}

/// One page of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// How many tenders there are in all.
    pub total: usize,
    /// This page's.
    pub tenders: Vec<Tender>,
    /// This page, from 1.
    pub page: usize,
    /// Tenders a page.
    pub limit: usize,
    /// How many pages there are.
    pub pages: usize,
    /// What was looked for in the place of words that stand nowhere.
    pub did_you_mean: Option<DidYouMean>,
    /// No tender has all the words: these have most of them.
    pub has_most_words: bool,
}

/// The tenders that an alert matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matching {
    /// How many there are in all.
    pub total: usize,
    /// The newest of them.
    pub ids: Vec<Uuid>,
}

impl Only {
    /// Whether a tender counts, given its facts at `now`.
    pub(super) fn admits(self, facts: &Facts, now: Moment) -> bool {
        let live = facts.has_status(TenderStatus::Published);
        match self {
            Self::Live => live,
            Self::Closed => !live,
            Self::Today => {
                let day = now.day();
                let bounds = Moment::start_of(day).zip(Moment::end_of(day));
                facts.published_at.zip(bounds).is_some_and(|(published, (start, end))| {
                    (start.second()..=end.second()).contains(&published)
                })
            }
        }
    }
}

/// One page of what was asked for.
pub(crate) fn listing(
    searcher: &Searcher,
    fields: &Fields,
    request: &ListingRequest,
    now: Moment,
) -> Result<Listing, IndexError> {
    let typed = request.text.as_deref().map(Typed::read).unwrap_or_default();
    let rates = Rates::default();
    let context = Context { searcher, fields, now, rates: &rates };
    let asked = if typed.is_empty() { None } else { Some(Asked::new(&typed, &context)?) };
    let query: Box<dyn Query> =
        asked.as_ref().map_or(Box::new(AllQuery), |asked| asked.query(&context, Scope::Everything));
    let (topic, only) = (request.topic, request.only);
    let sieve = move |facts: &Facts| {
        topic.is_none_or(|topic| facts.is_about(topic))
            && only.is_none_or(|only| only.admits(&facts.at(now), now))
    };
    let (page, limit) = (request.page.max(1), request.limit.clamp(1, LARGEST_PAGE));
    let skip = (page - 1).saturating_mul(limit);
    let collect = Collect {
        sieve: Arc::new(sieve) as Sieve,
        keep: skip.saturating_add(limit),
        by_score: request.sort == Sort::Best && asked.is_some(),
    };
    let Collected { total, best } = searcher.search(&query, &collect)?;
    let addresses = best.into_iter().skip(skip).map(|found| found.address);
    let tenders = addresses.map(|address| tender_at(searcher, fields, address)).collect::<Result<_, _>>()?;
    let has_most_words = asked.as_ref().is_some_and(Asked::is_relaxed);
    let did_you_mean = asked.and_then(|asked| asked.did_you_mean);
    Ok(Listing { total, tenders, page, limit, pages: total.div_ceil(limit), did_you_mean, has_most_words })
}

/// The newest tenders that an alert matches.
pub(crate) fn matching(
    searcher: &Searcher,
    fields: &Fields,
    alert: &AlertQuery,
    (now, rates): (Moment, &Rates),
    limit: usize,
) -> Result<Matching, IndexError> {
    let query = alert_query(alert, fields)?;
    let (filters, rates) = (Filters::of(alert), rates.clone());
    let sieve: Sieve = Arc::new(move |facts: &Facts| filters.admit(&facts.at(now), now, &rates));
    let Collected { total, best } =
        searcher.search(&query, &Collect { sieve, keep: limit, by_score: false })?;
    Ok(Matching { total, ids: best.into_iter().map(|found| found.id.0).collect() })
}

/// One tender.
pub(crate) fn get(searcher: &Searcher, fields: &Fields, id: Uuid) -> Result<Option<Tender>, IndexError> {
    let term = Term::from_field_text(fields.id, &id.to_string());
    let query = TermQuery::new(term, IndexRecordOption::Basic);
    let found = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
    found.first().map(|(_, address)| tender_at(searcher, fields, *address)).transpose()
}

fn tender_at(searcher: &Searcher, fields: &Fields, address: DocAddress) -> Result<Tender, IndexError> {
    let document: TantivyDocument = searcher.doc(address)?;
    Ok(to_tender(&document, fields)?)
}
