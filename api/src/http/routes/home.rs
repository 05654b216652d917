//! GET /home: what the home page shows besides the counts of `GET /tenders/stats`.

use super::tenders::stats::Count;
use crate::{
    app::state::AppState,
    clients::clip_image,
    domain::{
        error::ServiceError,
        highlights::{HighlightedNotice, HighlightedTender, Newspaper},
    },
    http::envelope::{ApiResult, Envelope},
    services::search::highlights,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::{Day, Moment};
use utoipa::ToSchema;

/// Tenders, newspapers and organisations that the portal chooses for the home page. They are the same
/// for everyone.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeHighlights {
    /// At most six open tenders, the next closing first.
    pub closing_soon: Vec<HighlightedTender>,
    /// At most three of the newest newspaper notices, with their clips.
    pub notices: Vec<ShownNotice>,
    /// At most eight newspapers, those with the most notices first.
    pub newspapers: Vec<Newspaper>,
    /// At most eight organisations with their numbers of open tenders, the greatest first.
    pub organizations: Vec<Count>,
}

/// A newspaper notice with its clip.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownNotice {
    /// The tender that the notice is about.
    pub tender: HighlightedTender,
    /// The newspaper that printed the notice.
    pub publication: String,
    /// The date of the issue.
    #[schema(required, value_type = Option<String>, format = Date)]
    pub date: Option<Day>,
    /// The address of the clip's image, valid for one to two days.
    pub clip_url: String,
}

/// Read what the home page shows
#[utoipa::path(get, path = "/home", tag = "tenders", operation_id = "home", responses(
    (status = 200, description = "The chosen tenders, newspapers and organisations",
        body = Envelope<HomeHighlights>),
))]
pub async fn read_home(State(state): State<AppState>) -> ApiResult<HomeHighlights> {
    load_home(&state).await.map(Envelope::of)
}

/// Loads what the home page shows.
pub async fn load_home(state: &AppState) -> Result<HomeHighlights, ServiceError> {
    let chosen = highlights::read_highlights(state, &state.highlights).await?;
    let now = state.clock.moment();
    Ok(HomeHighlights {
        closing_soon: chosen.closing_soon.clone(),
        notices: chosen.notices.iter().filter_map(|notice| show_notice(notice, state, now)).collect(),
        newspapers: chosen.newspapers.clone(),
        organizations: chosen
            .organizations
            .iter()
            .map(|(name, count)| Count::new(name.as_str(), *count))
            .collect(),
    })
}

/// Adds the signed address of the clip.
fn show_notice(notice: &HighlightedNotice, state: &AppState, now: Moment) -> Option<ShownNotice> {
    let hash = clip_image::hash_of(&notice.clip)?;
    Some(ShownNotice {
        tender: notice.tender.clone(),
        publication: notice.publication.clone(),
        date: notice.date,
        clip_url: clip_image::signed_url(&state.signing_key, hash, now)?,
    })
}
