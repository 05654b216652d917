//! GET /subscriptions/plans: lists the plans.

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        plan::{PlanName, PlanOffer},
    },
    http::envelope::{ApiResult, Envelope},
    services::entitlement,
    storage::plans,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The plans.
#[derive(Debug, Serialize, ToSchema)]
pub struct Plans {
    /// The plans in their order on the pricing page.
    plans: Vec<PlanView>,
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Plan)]
struct PlanView {
    /// The plan's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// `free`, `basic`, `professional` or `enterprise`.
    #[schema(value_type = String)]
    name: PlanName,
    /// The name that is shown to users.
    display_name: String,
    /// A short description.
    description: String,
    /// The price.
    price: Price,
    /// The plan's features.
    features: PlanFeatures,
    /// How many days tenders stay readable after publication; `null` means unlimited.
    #[schema(required)]
    archive_days: Option<i32>,
    /// Always true, because inactive plans are not listed.
    is_active: bool,
    /// The position on the pricing page.
    sort_order: i16,
    /// When the plan was created.
    created_at: Moment,
    /// When the plan was last changed.
    updated_at: Moment,
}

/// A price in rupees.
#[derive(Debug, Serialize, ToSchema)]
struct Price {
    /// The price per month.
    monthly: i32,
    /// The price per year.
    yearly: i32,
}

/// Features and limits of a plan. The limit -1 means unlimited.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlanFeatures {
    /// The number of tenders whose details may be opened per period.
    max_tender_views: i32,
    /// Whether suppliers with this plan may publish tenders.
    can_upload_tenders: bool,
    /// The number of tenders that may be published per period.
    max_tender_uploads: i32,
    /// Whether the plan includes all search filters.
    advanced_filtering: bool,
    /// Whether the plan includes alerts by e-mail.
    email_alerts: bool,
    /// Whether the plan includes API keys.
    api_access: bool,
    /// Whether the user's messages are flagged for the operator.
    priority_support: bool,
    /// Whether the plan includes the report builder.
    custom_reports: bool,
    /// The number of searches that may be saved.
    saved_searches: i32,
    /// Whether the plan includes the documents of tenders.
    documents: bool,
    /// Whether the plan includes saved tenders.
    saved_tenders: bool,
    /// Whether the plan includes a summary of the week by e-mail.
    weekly_summary: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    direct_alerts: bool,
    /// The number of users who may share the account.
    max_users: i32,
    /// Whether the plan includes an account manager.
    account_manager: bool,
    /// The number of bids that may be open on a board at a time.
    open_bids: i32,
    /// Whether the plan includes the calendar feed of deadlines.
    calendar_feed: bool,
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
                documents: entitlement::is_premium(offer.name),
                saved_tenders: entitlement::is_premium(offer.name),
                weekly_summary: offer.weekly_summary,
                direct_alerts: offer.direct_alerts,
                max_users: offer.max_users,
                account_manager: entitlement::has_manager(offer.name),
                open_bids: offer.max_open_bids,
                calendar_feed: entitlement::is_premium(offer.name),
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
pub async fn list_plans(State(state): State<AppState>) -> ApiResult<Plans> {
    load_plans(&state).await.map(Envelope::of)
}

/// Loads the plans.
pub async fn load_plans(state: &AppState) -> Result<Plans, ServiceError> {
    let plans = plans::offers(&state.db).await?.into_iter().map(PlanView::from).collect();
    Ok(Plans { plans })
}

/// What a plan costs and permits, for a page in English.
#[derive(Debug)]
pub struct PlanSummary<'a> {
    /// The name that is shown to users.
    pub name: &'a str,
    /// A short description.
    pub description: &'a str,
    /// The price per month in rupees.
    pub monthly: i32,
    /// The price per year in rupees.
    pub yearly: i32,
    /// The number of tenders whose details may be opened per period; -1 means unlimited.
    pub tender_views: i32,
    /// How many days tenders stay readable after publication; `None` means unlimited.
    pub archive_days: Option<i32>,
    /// Whether the plan includes alerts by e-mail.
    pub alerts: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether the plan includes API keys.
    pub api_access: bool,
    /// The number of users who may share the account.
    pub users: i32,
}

impl Plans {
    /// Returns what each plan costs and permits.
    pub fn summaries(&self) -> impl Iterator<Item = PlanSummary<'_>> {
        self.plans.iter().map(|plan| PlanSummary {
            name: &plan.display_name,
            description: &plan.description,
            monthly: plan.price.monthly,
            yearly: plan.price.yearly,
            tender_views: plan.features.max_tender_views,
            archive_days: plan.archive_days,
            alerts: plan.features.email_alerts,
            direct_alerts: plan.features.direct_alerts,
            api_access: plan.features.api_access,
            users: plan.features.max_users,
        })
    }

    /// Returns the names of the plans and their prices per month in rupees.
    pub fn prices(&self) -> impl Iterator<Item = (&str, i32)> {
        self.plans.iter().map(|plan| (plan.display_name.as_str(), plan.price.monthly))
    }
}
