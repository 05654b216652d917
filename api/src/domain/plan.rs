//! Subscription plans.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};
use utoipa::ToSchema;
use uuid::Uuid;

/// A plan's name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    Display,
    VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PlanName {
    /// No subscription.
    Free,
    /// The lowest paid plan.
    Basic,
    /// The lowest plan with alerts.
    Professional,
    /// The plan for teams.
    Enterprise,
}

impl PlanName {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The name on invoices and payment pages, the same in every language.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Basic => "Basic",
            Self::Professional => "Professional",
            Self::Enterprise => "Enterprise",
        }
    }
}

/// A change of a plan. Fields that are `None` are not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    /// The plan to change.
    pub name: PlanName,
    /// The price in rupees per month.
    pub price_monthly: Option<i32>,
    /// The price in rupees per year.
    pub price_yearly: Option<i32>,
    /// Tenders that may be opened in a month; -1 is unlimited.
    pub views: Option<i32>,
    /// Tenders that may be published in a month; -1 is unlimited.
    pub uploads: Option<i32>,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: Option<i32>,
    /// Bids that may be open on a board at a time; -1 is unlimited.
    pub open_bids: Option<i32>,
}

/// What a plan includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its name.
    pub name: PlanName,
    /// The order of the plans: a plan with a higher rank permits more.
    pub rank: i16,
    /// Tender details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// How many days tenders stay readable after publication. `None`: unlimited.
    pub archive_days: Option<i32>,
    /// Whether all search filters may be used.
    pub advanced_filtering: bool,
    /// Whether the plan includes e-mail alerts.
    pub email_alerts: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether the plan includes API keys.
    pub api_access: bool,
    /// Whether the plan includes the report builder.
    pub custom_reports: bool,
    /// The maximum number of users who share a subscription.
    pub max_users: i32,
    /// Bids that may be open on a board at a time; -1 is unlimited.
    pub max_open_bids: i32,
    /// The total size of the files of a board, in MiB.
    pub bid_file_mib: i32,
}

/// A plan as shown on the pricing page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOffer {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// Its name.
    pub name: PlanName,
    /// The order of the plans: a plan with a higher rank permits more.
    pub rank: i16,
    /// The name that users see.
    pub display_name: String,
    /// A short description.
    pub description: String,
    /// The price in rupees per month.
    pub price_monthly: i32,
    /// The price in rupees per year.
    pub price_yearly: i32,
    /// Tender details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// How many days tenders stay readable after publication. `None`: unlimited.
    pub archive_days: Option<i32>,
    /// Whether all search filters may be used.
    pub advanced_filtering: bool,
    /// Whether the plan includes e-mail alerts.
    pub email_alerts: bool,
    /// Whether the plan includes API keys.
    pub api_access: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether its users get a summary of the week by e-mail.
    pub weekly_summary: bool,
    /// Whether contact messages of its users are marked as priority for the operator.
    pub priority_support: bool,
    /// Whether the plan includes the report builder.
    pub custom_reports: bool,
    /// The maximum number of users who share a subscription.
    pub max_users: i32,
    /// Bids that may be open on a board at a time; -1 is unlimited.
    pub max_open_bids: i32,
    /// Its position on the pricing page.
    pub sort_order: i16,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
