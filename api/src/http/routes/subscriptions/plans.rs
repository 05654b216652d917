//! GET /subscriptions/plans: what is sold.

use crate::{
    app::state::AppState,
    domain::plan::{PlanName, PlanOffer},
    http::envelope::{Answer, Envelope},
    storage::plans,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What is sold.
#[derive(Debug, Serialize, ToSchema)]
pub struct Plans {
    /// The cheapest first.
    plans: Vec<PlanView>,
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Plan)]
struct PlanView {
    /// UUIDv7.
    #[serde(rename = "_id")]
    id: Uuid,
    /// `free`, `basic`, `professional` or `enterprise`.
    #[schema(value_type = String)]
    name: PlanName,
    /// For people.
    display_name: String,
    /// A sentence.
    description: String,
    /// In rupees.
    price: Price,
    /// What it permits.
    features: PlanFeatures,
    /// Days back from publication that may be read; `null` is everything.
    #[schema(required)]
    archive_days: Option<i32>,
    /// Always: others are not told.
    is_active: bool,
    /// Its place among the others.
    sort_order: i16,
    /// Since when it is offered.
    created_at: Moment,
    /// When it changed last.
    updated_at: Moment,
}

/// In rupees.
#[derive(Debug, Serialize, ToSchema)]
struct Price {
    /// Each month.
    monthly: i32,
    /// Each year.
    yearly: i32,
}

/// What a plan permits; -1 is unlimited.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlanFeatures {
    /// Details opened in a period.
    max_tender_views: i32,
    /// Whether a supplier may publish.
    can_upload_tenders: bool,
    /// Tenders published in a period.
    max_tender_uploads: i32,
    /// Every filter of the search.
    advanced_filtering: bool,
    /// Alerts by e-mail.
    email_alerts: bool,
    /// API keys.
    api_access: bool,
    /// Messages flagged for the operator.
    priority_support: bool,
    /// The report builder.
    custom_reports: bool,
    /// Searches kept.
    saved_searches: i32,
}

impl From<PlanOffer> for PlanView {
    fn from(offer: PlanOffer) -> Self {
        Self {
            id: offer.id,
            name: offer.name,
            display_name: offer.display_name,
            description: offer.description,
            price: Price { monthly: offer.price_monthly, yearly: offer.price_yearly },
            features: PlanFeatures {
                max_tender_views: offer.max_tender_views,
                can_upload_tenders: offer.max_tender_uploads != 0,
                max_tender_uploads: offer.max_tender_uploads,
                advanced_filtering: offer.advanced_filtering,
                email_alerts: offer.email_alerts,
                api_access: offer.api_access,
                priority_support: offer.priority_support,
                custom_reports: offer.custom_reports,
                saved_searches: offer.saved_searches,
            },
            archive_days: offer.archive_days,
            is_active: true,
            sort_order: offer.sort_order,
            created_at: Moment::new(offer.created_at),
            updated_at: Moment::new(offer.updated_at),
        }
    }
}

/// What is sold
#[utoipa::path(get, path = "/subscriptions/plans", tag = "subscriptions", operation_id = "plans", responses(
    (status = 200, description = "The plans", body = Envelope<Plans>),
))]
pub async fn plans(State(state): State<AppState>) -> Answer<Plans> {
    let plans = plans::offers(&state.db).await?.into_iter().map(PlanView::from).collect();
    Ok(Envelope::of(Plans { plans }))
}
