//! GET /tenders/facets: counts the tenders for each value of a filter, for example each district.

use super::stats::Count;
use crate::services::search::list_query::ListQuery;
use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{MaybeUser, Query},
    },
    services::entitlement::Entitlement,
};
use axum::extract::State;
use index::{ListingRequest, StatusCard};
use serde::Serialize;
use utoipa::ToSchema;

/// The maximum number of cities, organisations or newspapers that are listed.
const MAX_NAMES: usize = 20;

/// For each filter, its values with the number of tenders that have the value and match all other
/// filters. Of cities, organisations and newspapers, the twenty most frequent are listed, sorted by
/// count. The other filters list all values, in the order of the vocabulary. Without a plan with advanced
/// search, only the sectors, the districts, the statuses and the total are counted, and the other lists
/// are empty.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderFacets {
    /// The counts for the filter `sectors`.
    sectors: Vec<Count>,
    /// The counts for the filter `categories`.
    categories: Vec<Count>,
    /// The counts for the filter `kinds`.
    kinds: Vec<Count>,
    /// The counts for the filter `organizationTypes`.
    organization_types: Vec<Count>,
    /// The counts for the filter `organizations`.
    organizations: Vec<Count>,
    /// The counts for the filter `provinces`.
    provinces: Vec<Count>,
    /// The counts for the filter `districts`.
    districts: Vec<Count>,
    /// The counts for the filter `cities`.
    cities: Vec<Count>,
    /// The counts for the filter `grades`.
    grades: Vec<Count>,
    /// The counts for the filter `priorities`.
    priorities: Vec<Count>,
    /// The counts for the filter `languages`.
    languages: Vec<Count>,
    /// The counts for the filter `publications`.
    publications: Vec<Count>,
    /// The counts for `publishedToday`, `isLive` and `isClosed`, named `today`, `live` and `closed`.
    statuses: Vec<Count>,
    /// The number of tenders without an estimated value. They match every value range.
    unknown_value: u64,
    /// The number of tenders that match all filters.
    total: u64,
}

/// Count tenders by filter value
#[utoipa::path(get, path = "/tenders/facets", tag = "tenders", operation_id = "tenderFacets",
params(ListQuery), security((), ("session" = [])), responses(
    (status = 200, description = "The counts", body = Envelope<TenderFacets>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The plan does not include a filter", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn count_facets(
    State(state): State<AppState>,
    caller: MaybeUser,
    Query(query): Query<ListQuery>,
) -> ApiResult<TenderFacets> {
    let entitlement = Entitlement::of_user(caller.user(), &state).await?;
    let request = query.request(&entitlement, &state)?;
    let has_advanced_search = entitlement.has_advanced_search();
    let request = ListingRequest { page: 1, limit: 1, facets: Some(MAX_NAMES), ..request };
    let listing = crate::services::search::search(&state, SearchKind::Facets, move |search_engine, now| {
        search_engine.listing(&request, now)
    })
    .await?;
    let facets = listing.facets.unwrap_or_default();
    let basic = TenderFacets {
        sectors: to_counts(facets.sectors),
        districts: to_counts(facets.districts),
        statuses: facets
            .statuses
            .into_iter()
            .map(|(card, count)| Count::new(card_name(card), count))
            .collect(),
        total: listing.total as u64,
        ..TenderFacets::default()
    };
    if !has_advanced_search {
        return Ok(Envelope::of(basic));
    }
    Ok(Envelope::of(TenderFacets {
        categories: to_counts(facets.categories),
        kinds: to_counts(facets.kinds),
        organization_types: to_counts(facets.organization_types),
        organizations: to_counts(facets.organizations),
        provinces: to_counts(facets.provinces),
        cities: to_counts(facets.cities),
        grades: to_counts(facets.grades),
        priorities: to_counts(facets.priorities),
        languages: to_counts(facets.languages),
        publications: to_counts(facets.publications),
        unknown_value: facets.unknown_value as u64,
        ..basic
    }))
}

/// The name of a status in the counts.
const fn card_name(card: StatusCard) -> &'static str {
    match card {
        StatusCard::Today => "today",
        StatusCard::Live => "live",
        StatusCard::Closed => "closed",
    }
}

fn to_counts<T: ToString>(facet: Vec<(T, usize)>) -> Vec<Count> {
    facet.into_iter().map(|(choice, count)| Count::new(choice.to_string(), count)).collect()
}
