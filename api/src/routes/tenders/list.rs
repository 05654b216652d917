//! GET /tenders: the listing, from the search index.

use super::{Looks, TenderView};
use crate::{
    auth::MaybeUser,
    edge::{Answer, Envelope, Pagination, Query, paging},
    entitlement::{Entitlement, LockedTender},
    error::{ApiError, FailureBody, FieldError},
    state::AppState,
};
use axum::extract::State;
use index::{Listed, ListingRequest, Only, TenderFilter, vocabulary::Topic};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The most characters of a search.
const LONGEST_SEARCH: usize = 200;

/// What to list. Of `publishedToday`, `isLive` and `isClosed` at most one is true.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListQuery {
    /// From 1.
    #[serde(default = "paging::first_page", deserialize_with = "paging::page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// Tenders a page.
    #[serde(default = "paging::page_size", deserialize_with = "paging::page_limit")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
    /// A sector by its value or a category by its name; `all` is the same as none.
    #[serde(default)]
    category: Option<String>,
    /// Words to be found, best first.
    #[param(max_length = 200)]
    #[serde(default)]
    search: Option<String>,
    /// Published on today's Colombo day.
    #[serde(default)]
    published_today: Option<bool>,
    /// Open to bids.
    #[serde(default)]
    is_live: Option<bool>,
    /// No longer open to bids.
    #[serde(default)]
    is_closed: Option<bool>,
}

/// A tender in the listing: locked ones keep their place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ListedTender {
    /// Without `fullTextMarkdown`, `evidence` and the clip.
    Open(Box<TenderView>),
    /// What may be known of it.
    Locked(Box<LockedTender>),
}

/// A page of the listing.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderList {
    /// Newest first, or best first where words are searched.
    tenders: Vec<ListedTender>,
    /// Where the page stands.
    pagination: Pagination,
}

/// List and search tenders
#[utoipa::path(get, path = "/tenders", tag = "tenders", operation_id = "listTenders",
params(ListQuery), security((), ("session" = [])), responses(
    (status = 200, description = "A page of them", body = Envelope<TenderList>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "The session sent with it has ended", body = FailureBody),
    (status = 422, description = "A query value does not fit", body = FailureBody),
))]
pub async fn list_tenders(
    State(state): State<AppState>,
    caller: MaybeUser,
    Query(query): Query<ListQuery>,
) -> Answer<TenderList> {
    let (page, limit) = (query.page, query.limit);
    let entitlement = Entitlement::of(&caller, &state).await?;
    let request = ListingRequest { reader: entitlement.reader(), ..read(query).map_err(ApiError::Invalid)? };
    let listing = super::search(&state, move |catalogue, now| catalogue.listing(&request, now)).await?;
    let ids: Vec<_> = listing.tenders.iter().map(Listed::id).collect();
    let looks = Looks::at(&state, &ids).await?;
    let view = |listed| match listed {
        Listed::Locked(stub) => ListedTender::Locked(Box::new(entitlement.locked(stub))),
        Listed::Open(tender) => {
            let statistics = looks.of(tender.id);
            let line = TenderView::line_of(*tender, statistics, entitlement.is_guest(), &state);
            ListedTender::Open(Box::new(line))
        }
    };
    let tenders = listing.tenders.into_iter().map(view).collect();
    Ok(Envelope::of(TenderList { tenders, pagination: Pagination::new(page, limit, listing.total as u64) }))
}

fn read(query: ListQuery) -> Result<ListingRequest, Vec<FieldError>> {
    let mut errors = Vec::new();
    let topic = match query.category.as_deref().map(str::trim) {
        None | Some("" | "all") => None,
        Some(word) => match word.parse::<Topic>() {
            Ok(topic) => Some(topic),
            Err(_) => {
                let known =
                    "category: must be a sector (such as construction) or a category (such as Vehicles)";
                errors.push(FieldError::new("category", known));
                None
            }
        },
    };
    let text = query.search.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST_SEARCH) {
        errors.push(FieldError::new("search", format!("search: at most {LONGEST_SEARCH} characters")));
    }
    let quick = [
        ("publishedToday", query.published_today, Only::Today),
        ("isLive", query.is_live, Only::Live),
        ("isClosed", query.is_closed, Only::Closed),
    ];
    let mut chosen = quick.into_iter().filter(|(_, wanted, _)| *wanted == Some(true));
    let only = chosen.next().map(|(_, _, only)| only);
    if let Some((second, ..)) = chosen.next() {
        let message = "at most one of publishedToday, isLive and isClosed can be true";
        errors.push(FieldError::new(second, message));
    }
    if errors.is_empty() {
        Ok(ListingRequest {
            text,
            filter: TenderFilter {
                statuses: only.into_iter().collect(),
                ..topic.map(TenderFilter::about).unwrap_or_default()
            },
            page: query.page as usize,
            limit: query.limit as usize,
            ..ListingRequest::default()
        })
    } else {
        Err(errors)
    }
}
