//! GET /tenders/{id}: reads a tender with all details from the database.

use super::{ModerationView, TenderCounters, TenderView};
use crate::{
    app::{shared_limit::AttemptKey, state::AppState},
    base::i18n::messages,
    domain::{
        error::{FieldError, ServiceError},
        tender_facts::TenderFacts,
    },
    http::{
        bidding::Bidding,
        cookie::SetCookie,
        envelope::Envelope,
        error::FailureBody,
        extract::{CallerAddress, Guest, MaybeUser, PathId},
        routes::bids::BidReferenceView,
    },
    services::{entitlement::Entitlement, tenders::publishing},
    storage::{self, bids, companies, intentions, moderation, saved_tenders, tender_views, tenders},
};
use axum::{extract::State, http::HeaderMap};
use serde::Serialize;
use serde_json::Value;
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use utoipa::ToSchema;
use uuid::Uuid;

/// The message if a tender waits for a check instead of being published.
pub const HELD_MESSAGE: &str = "Your tender waits for a check by the portal";

/// A shorter time for bids than the procurement guidelines require.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShortNotice {
    /// The days from the first notice to the closing.
    days: i32,
    /// The days that the guidelines require for the method.
    required_days: i16,
    /// Whether the notice states the method. Otherwise, national competitive bidding is supposed.
    is_method_stated: bool,
}

impl ShortNotice {
    fn of(tender: &Tender) -> Option<Self> {
        let facts = TenderFacts::of(tender)?;
        let (days, required_days) = facts.short_notice()?;
        Some(Self { days, required_days, is_method_stated: facts.is_method_stated })
    }
}

/// One tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderDetails {
    /// The tender with its full text.
    pub tender: TenderView,
    /// Whether the caller intends to bid.
    pub intends: bool,
    /// The bid on the caller's board. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid: Option<BidReferenceView>,
    /// Whether the caller has saved the tender.
    pub is_saved: bool,
    /// Whether the caller may download the tender's documents.
    pub fetches_documents: bool,
    /// What a bidder must know. Absent if nobody bids for a tender of this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bidding: Option<Bidding>,
    /// That there is less time for bids than the guidelines require. Absent otherwise, and if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_notice: Option<ShortNotice>,
    /// For the owner of a draft: the form as entered, if it contains invalid values. `tender` does
    /// not contain these values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub draft_input: Option<Value>,
    /// For the owner of a draft: the errors that prevent publishing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusals: Option<Vec<FieldError>>,
}

impl TenderDetails {
    /// Builds the details of the caller's own tender, in the request's language.
    pub async fn of_own(state: &AppState, tender: Tender, headers: &HeaderMap) -> Result<Self, ServiceError> {
        let id = tender.id;
        let (draft_input, refusals) = draft_details(state, &tender, headers).await?;
        let statistics = TenderCounters::load(&state.db, &[id]).await?.of(id);
        let decided = moderation::of_tenders(&state.db, &[id]).await?.remove(&id);
        let tender = TenderView::of(tender, statistics, false, state).with_moderation(decided);
        Ok(Self {
            tender,
            intends: false,
            bid: None,
            is_saved: false,
            fetches_documents: true,
            bidding: None,
            short_notice: None,
            draft_input,
            refusals,
        })
    }
}

impl TenderDetails {
    /// Whether the tender waits for a check.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.tender.moderation.as_ref().is_some_and(ModerationView::is_held)
    }
}

/// Builds the parts that only the owner of a draft sees.
async fn draft_details(
    state: &AppState,
    tender: &Tender,
    headers: &HeaderMap,
) -> Result<(Option<Value>, Option<Vec<FieldError>>), ServiceError> {
    if tender.status != TenderStatus::Draft {
        return Ok((None, None));
    }
    let input = tenders::draft_input(&state.db, tender.id).await?;
    let mut refusals = publishing::publishing_errors(tender, input.as_ref(), state.clock.moment().day())?;
    let language = messages::preferred_language(headers);
    for refusal in &mut refusals {
        if let Some(translated) = messages::translate(&refusal.message, language) {
            refusal.message = translated;
        }
    }
    Ok((input, Some(refusals)))
}

/// Read a tender
///
/// The request counts as a view, once per viewer, tender and period. Requests of the tender's
/// owner and of administrators do not count.
#[utoipa::path(get, path = "/tenders/{id}", tag = "tenders", operation_id = "readTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security((), ("session" = [])), responses(
    (status = 200, description = "The tender, as visible to this user", body = Envelope<TenderDetails>),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The tender is locked for this user, or the quota of tender details for this \
        period is used up", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this user", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
    (status = 429, description = "Guests with this network address have opened too many tenders today",
        body = FailureBody),
))]
pub async fn read_tender(
    State(state): State<AppState>,
    caller: MaybeUser,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    PathId(id): PathId,
) -> Result<(Option<SetCookie>, Envelope<TenderDetails>), ServiceError> {
    let entitlement = Entitlement::of_user(caller.user(), &state).await?;
    let found = tenders::current(&state.db, id).await?;
    let found = found
        .filter(|found| found.tender.status.is_public() || entitlement.owns(found.owner_id))
        .ok_or(ServiceError::NotFound("Tender"))?;
    if let Some(stub) = entitlement.stub(&found.tender, found.owner_id) {
        return Err(stub.into());
    }
    let mut cookie = None;
    if !entitlement.owns(found.owner_id) {
        let viewer = match entitlement.account {
            Some(user) => user,
            None => {
                let key = AttemptKey::new(["guest details", &address.to_string(), ""]);
                state.guest_details.try_acquire(key).await?;
                let guest = Guest::of(&headers, &state);
                cookie = guest.cookie(&headers, &state);
                guest.id
            }
        };
        count_view(&state, &entitlement, viewer, id).await?;
    }
    let is_own = entitlement.account.is_some() && entitlement.account == found.owner_id;
    let (draft_input, refusals) = match is_own {
        true => draft_details(&state, &found.tender, &headers).await?,
        false => (None, None),
    };
    let fetches_documents = entitlement.permit_documents(found.owner_id).is_ok();
    let statistics = TenderCounters::load(&state.db, &[id]).await?.of(id);
    let decided = match entitlement.owns(found.owner_id) {
        true => moderation::of_tenders(&state.db, &[id]).await?.remove(&id),
        false => None,
    };
    let company = match caller.user() {
        Some(user) => companies::of_owner(&state.db, user.shared_account()).await?,
        None => None,
    };
    let bidding = Bidding::of(
        &found.tender,
        company.as_ref().map(|stored| &stored.company),
        state.clock.moment().day(),
    );
    let short_notice = ShortNotice::of(&found.tender);
    let tender = TenderView::of(found.tender, statistics, entitlement.is_guest(), &state);
    let tender = tender.with_moderation(decided);
    let (intends, is_saved, bid) = match caller.user() {
        Some(user) => (
            intentions::has(&state.db, id, user.id).await?,
            saved_tenders::among(&state.db, user.id, &[id]).await?.contains(&id),
            bids::of_tender(&state.db, entitlement.board_account(user), id).await?,
        ),
        None => (false, false, None),
    };
    Ok((
        cookie,
        Envelope::of(TenderDetails {
            tender,
            intends,
            bid: bid.map(BidReferenceView::from),
            is_saved,
            fetches_documents,
            bidding,
            short_notice,
            draft_input,
            refusals,
        }),
    ))
}

/// Counts a view of a tender's details, once per viewer, tender and period.
///
/// # Errors
///
/// 403 if the viewer's quota for this period is used up.
pub async fn count_view(
    state: &AppState,
    entitlement: &Entitlement,
    viewer: Uuid,
    tender: Uuid,
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&state.db).await?;
    if !tender_views::count_view(&mut tx, viewer, tender, entitlement.detail_quota(), state.clock.now())
        .await?
    {
        return Err(entitlement.detail_quota_exceeded());
    }
    tx.commit().await?;
    Ok(())
}
