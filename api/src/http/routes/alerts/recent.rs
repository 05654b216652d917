//! GET /alerts/matches: lists the newest matches of all alerts of the caller, for the start page.

use super::{matches::FoundPassage, require_alerts};
use crate::{
    app::state::AppState,
    domain::{alert::RecentMatch, publisher::PublishedBy},
    http::{
        bidding::ListedBidAnswer,
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::search::bidder_listing::assess_bidder,
    storage::{companies, matches},
};
use axum::extract::State;
use serde::Serialize;
use tender_model::{
    eligibility::{BidAnswer, Company},
    tender::{Cida, Eligibility, FieldStates, Location},
    vocabulary::{Day, Kind, Language, Moment},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of matches in a response.
const MAX_MATCHES: usize = 5;
/// The number of the newest matches from which they are chosen.
const LOOKED_AT: i64 = 30;

/// The newest matches of all alerts of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecentMatches {
    /// At most five of the newest matches. Those come first that contain the keyword as a word, that ask for
    /// nothing the caller's company lacks, and whose documents are still sold; of several, the latest. Each
    /// tender is listed once. Tenders that the caller has saved or that are on the caller's board are left out.
    matches: Vec<RecentMatchView>,
}

/// An open tender that one of the caller's alerts matched.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecentTenderMatch)]
struct RecentMatchView {
    /// The tender's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The tender's title.
    title: String,
    /// The language of the notice.
    #[schema(required)]
    language: Option<Language>,
    /// The organisation that invites bids.
    organization: String,
    /// The place.
    location: Location,
    /// When bids close.
    #[schema(required)]
    closing: Option<Moment>,
    /// The last day on which the documents are sold, if it is certain.
    #[schema(value_type = Option<String>, format = Date, required)]
    sale_until: Option<Day>,
    /// What the notice invites.
    kind: Kind,
    /// The grades that the notice asks for.
    cida: Vec<Cida>,
    /// What else the notice asks of bidders.
    eligibility: Eligibility,
    /// Whether the caller's company may bid; `null` while the company profile is empty, and if nobody bids
    /// for the tender.
    #[schema(required)]
    bid_answer: Option<ListedBidAnswer>,
    /// Which fields are uncertain or were not read, by JSON path.
    field_states: FieldStates,
    /// Whether newspapers or an account published the tender.
    published_by: PublishedBy,
    /// The alert that matched the tender last.
    alert_id: Uuid,
    /// The name of the alert.
    alert_name: String,
    /// The sentence with the keyword, shortened if it is long; `null` if the notice changed since.
    #[schema(required)]
    passage: Option<FoundPassage>,
    /// When the alert matched the tender.
    at: Moment,
}

impl RecentMatchView {
    fn new(found: RecentMatch, company: Option<&Company>, now: Moment) -> Self {
        let RecentMatch { alert_id, alert_name, tender, why, is_current, at } = found;
        Self {
            bid_answer: company
                .and_then(|company| assess_bidder(&tender, company, now))
                .map(ListedBidAnswer::from),
            sale_until: tender.certain_sale_end(),
            kind: tender.kind,
            cida: tender.cida.clone(),
            eligibility: tender.eligibility.clone(),
            // The place of the keyword is that in the record that matched.
            passage: if is_current { FoundPassage::of(&tender, &why) } else { None },
            field_states: tender.uncertain_fields(),
            published_by: PublishedBy::of(&tender),
            id: tender.id,
            title: tender.title,
            language: tender.language,
            organization: tender.organization.name,
            location: tender.location,
            closing: tender.dates.closing,
            alert_id,
            alert_name,
            at: Moment::new(at),
        }
    }
}

impl RecentMatchView {
    /// How many reasons there are to show other matches first.
    fn drawbacks(&self, today: Day) -> usize {
        let is_in_word = self.passage.as_ref().is_some_and(FoundPassage::is_in_word);
        let lacks = self.bid_answer.as_ref().is_some_and(|answer| answer.is(BidAnswer::Missing));
        let is_sale_over = self.sale_until.is_some_and(|last| last < today);
        [is_in_word, lacks, is_sale_over].into_iter().filter(|is_so| *is_so).count()
    }
}

/// List the newest matches of all alerts
#[utoipa::path(get, path = "/alerts/matches", tag = "alerts", operation_id = "recentMatches",
security(("session" = [])), responses(
    (status = 200, description = "The newest matches with open tenders that are neither saved nor on the board", body = Envelope<RecentMatches>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
))]
pub async fn list_recent_matches(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<RecentMatches> {
    require_alerts(&state, &caller).await?;
    let recent = matches::newest_of_user(&state.db, caller.id, LOOKED_AT, state.clock.now()).await?;
    let company = companies::filled_of(&state.db, caller.shared_account()).await?;
    let now = state.clock.moment();
    let view = |found| RecentMatchView::new(found, company.as_ref(), now);
    let mut matches: Vec<RecentMatchView> = recent.into_iter().map(view).collect();
    matches.sort_by_key(|found| found.drawbacks(now.day()));
    matches.truncate(MAX_MATCHES);
    Ok(Envelope::of(RecentMatches { matches }))
}
