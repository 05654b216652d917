//! GET /operate/publications: lists the tenders that wait for a check.

use crate::{
    app::state::AppState,
    domain::moderation::{HeldPublication, Publisher},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
        routes::tenders::{TenderStatistics, TenderView},
    },
    storage::moderation,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested tenders.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublicationsQuery {
    /// Only tenders after the tender with this number.
    after: Option<i64>,
}

/// A tender that waits for a check.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = HeldPublication)]
pub struct HeldPublicationView {
    /// The place in the queue.
    number: i64,
    /// When the publisher submitted the tender.
    held_at: Moment,
    /// The current revision, to be sent with the approval.
    revision: i64,
    /// The tender, without its full text.
    tender: TenderView,
    /// The publisher's account.
    publisher: PublisherView,
}

/// The account of a publisher.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Publisher)]
pub struct PublisherView {
    /// The user's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The mail address. It is confirmed.
    email: String,
    /// The domain of the mail address, in lower case.
    domain: String,
    /// The given name.
    first_name: String,
    /// The family name.
    last_name: String,
    /// The telephone number.
    #[schema(required)]
    phone: Option<String>,
    /// The name of the company.
    #[schema(required)]
    company: Option<String>,
    /// When the user registered.
    created_at: Moment,
    /// Since when the account is locked.
    #[schema(required)]
    locked_at: Option<Moment>,
    /// The number of tenders that were published, in any status.
    published: i64,
    /// The number of tenders that wait for a check.
    held: i64,
    /// The number of drafts whose publication was refused.
    refused: i64,
    /// The number of tenders that are taken down.
    taken_down: i64,
}

/// A part of the queue.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldPublications {
    /// The tenders, the oldest first.
    publications: Vec<HeldPublicationView>,
    /// Send this number as `after` to read the next part. `null`: there are no more tenders.
    #[schema(required)]
    next: Option<i64>,
}

/// The number of tenders in a response.
const PAGE_SIZE: usize = 20;

/// List the tenders that wait for a check
///
/// These are the tenders of publishers of whom no tender was published yet.
#[utoipa::path(get, path = "/operate/publications", tag = "operate", operation_id = "heldPublications",
params(PublicationsQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the queue", body = Envelope<HeldPublications>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_held_publications(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<PublicationsQuery>,
) -> ApiResult<HeldPublications> {
    let mut found = moderation::held_page(&state.db, query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.number);
    let publications = found.into_iter().map(|held| HeldPublicationView::of(held, &state)).collect();
    Ok(Envelope::of(HeldPublications { publications, next }))
}

impl HeldPublicationView {
    fn of(held: HeldPublication, state: &AppState) -> Self {
        Self {
            number: held.number,
            held_at: Moment::new(held.held_at),
            revision: held.revision,
            tender: TenderView::list_item(held.tender, TenderStatistics::default(), false, state),
            publisher: held.publisher.into(),
        }
    }
}

impl From<Publisher> for PublisherView {
    fn from(publisher: Publisher) -> Self {
        let domain = publisher.email.rsplit_once('@').map_or("", |(_, domain)| domain);
        Self {
            id: publisher.id,
            domain: domain.to_lowercase(),
            email: publisher.email,
            first_name: publisher.first_name,
            last_name: publisher.last_name,
            phone: publisher.phone,
            company: publisher.company,
            created_at: Moment::new(publisher.created_at),
            locked_at: publisher.locked_at.map(Moment::new),
            published: publisher.published,
            held: publisher.held,
            refused: publisher.refused,
            taken_down: publisher.taken_down,
        }
    }
}
