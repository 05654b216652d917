//! GET /buyers/{slug}: reads a body with its tenders and figures.

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        market::{Buyer, BuyerFigures, BuyerTender, Changes, Spread, ValueCount},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::PathName,
        routes::awards::AwardView,
    },
    services::market,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The number of open and of past tenders that come with a body.
pub(crate) const FIRST_TENDERS: i64 = 10;

/// A body with its tenders and figures. Figures rest on certain fields of tenders that everyone may see.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuyerDetails {
    /// The body with its counts.
    #[serde(flatten)]
    pub(crate) buyer: Buyer,
    /// The spellings of its name in notices, the most frequent first.
    pub(crate) names: Vec<String>,
    /// The first ten open tenders, the next closing first.
    pub(crate) open_tenders: Vec<BuyerTender>,
    /// The first ten past tenders, the last closing first.
    pub(crate) past_tenders: Vec<BuyerTender>,
    /// The tenders by category.
    pub(crate) categories: Vec<ValueCount>,
    /// The tenders by district.
    pub(crate) districts: Vec<ValueCount>,
    /// The days from the first print to the closing.
    pub(crate) notice_days: Spread,
    /// The bid security in percent of the bid.
    pub(crate) bond_percentage: Spread,
    /// The bid security in rupees.
    pub(crate) bond_amount: Spread,
    /// The price of the documents in rupees.
    pub(crate) document_fee: Spread,
    /// Its corrigenda.
    pub(crate) changes: Changes,
    /// Its newest awards. The body of an award is the ministry that proposed it.
    pub(crate) newest_awards: Vec<AwardView>,
}

/// Read a body that invites bids
///
/// A body is found by its slug or by a spelling of its name.
#[utoipa::path(get, path = "/buyers/{slug}", tag = "market", operation_id = "readBuyer",
params(("slug" = String, Path, description = "The slug of the body, or its name", max_length = 400)), responses(
    (status = 200, description = "The body", body = Envelope<BuyerDetails>),
    (status = 404, description = "Not found", body = FailureBody),
))]
pub async fn read_buyer(State(state): State<AppState>, PathName(slug): PathName) -> ApiResult<BuyerDetails> {
    Ok(Envelope::of(load_buyer(&state, &slug).await?))
}

/// Loads a body by its slug or name.
pub(crate) async fn load_buyer(state: &AppState, slug: &str) -> Result<BuyerDetails, ServiceError> {
    let buyer = market::find_buyer(state, slug).await?;
    let BuyerFigures {
        names,
        categories,
        districts,
        notice_days,
        bond_percentage,
        bond_amount,
        document_fee,
        changes,
    } = BuyerFigures::clone(&*market::buyer_figures(state, &state.market, &buyer.slug).await?);
    let tenders =
        async |is_open| market::buyer_tenders(state, &buyer.slug, is_open, (FIRST_TENDERS, 0)).await;
    let (open_tenders, past_tenders) = (tenders(true).await?, tenders(false).await?);
    let awards = market::buyer_awards(state, &buyer.slug).await?;
    Ok(BuyerDetails {
        names,
        open_tenders,
        past_tenders,
        categories,
        districts,
        notice_days,
        bond_percentage,
        bond_amount,
        document_fee,
        changes,
        newest_awards: awards.into_iter().map(AwardView::from).collect(),
        buyer,
    })
}
