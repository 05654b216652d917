//! GET /subscriptions/plans: lists the plans.

use crate::{
    app::state::AppState,
    domain::plan::{PlanName, PlanOffer},
    http::envelope::{ApiResult, Envelope},
    storage::plans,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The plans.
#[derive(Debug, Serialize, ToSchema)]
pub struct Plans {
    /// Cheapest first.
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
    /// One sentence.
    description: String,
    /// In rupees.
    price: Price,
    /// The plan's features.
    features: PlanFeatures,
    /// How many days back tenders may be read; `null` is unlimited.
    #[schema(required)]
    archive_days: Option<i32>,
    /// Always true: inactive plans are not listed.
    is_active: bool,
    /// The sort position.
    sort_order: i16,
    /// When it was created.
    created_at: Moment,
    /// When it was last changed.
    updated_at: Moment,
}

/// A price in rupees.
#[derive(Debug, Serialize, ToSchema)]
struct Price {
    /// Per month.
    monthly: i32,
    /// Per year.
    yearly: i32,
}

/// Features and limits of a plan; -1 is unlimited.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlanFeatures {
    /// Tender details per period.
    max_tender_views: i32,
    /// Whether suppliers may publish.
    can_upload_tenders: bool,
    /// Tenders published per period.
    max_tender_uploads: i32,
    /// All search filters.
    advanced_filtering: bool,
    /// Alerts by e-mail.
    email_alerts: bool,
    /// API keys.
    api_access: bool,
    /// Messages are marked for the operator.
    priority_support: bool,
    /// The report builder.
    custom_reports: bool,
    /// Saved searches.
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

/// List plans
#[utoipa::path(get, path = "/subscriptions/plans", tag = "subscriptions", operation_id = "plans", responses(
    (status = 200, description = "The plans", body = Envelope<Plans>),
))]
pub async fn plans(State(state): State<AppState>) -> ApiResult<Plans> {
    let plans = plans::offers(&state.db).await?.into_iter().map(PlanView::from).collect();
    Ok(Envelope::of(Plans { plans }))
}
