//! Subscription plans.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// A plan's name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr, Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PlanName {
    /// No subscription.
    Free,
    /// The cheapest.
    Basic,
    /// With alerts.
    Professional,
    /// For a team.
    Enterprise,
}

impl PlanName {
    /// The word that is stored and serialised.
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanChange {
    /// The plan: `free`, `basic`, `professional` or `enterprise`.
    pub name: String,
    /// Rupees a month.
    pub price_monthly: Option<i32>,
    /// Rupees a year.
    pub price_yearly: Option<i32>,
    /// Tenders that may be opened in a month; -1 is unlimited.
    pub views: Option<i32>,
    /// Tenders that may be published in a month; -1 is unlimited.
    pub uploads: Option<i32>,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: Option<i32>,
}

/// A plan on sale, with what it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its name.
    pub name: PlanName,
    /// A plan includes everything of the plans with a lower rank.
    pub rank: i16,
    /// Details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// Days back from publication that may be read. `None`: everything.
    pub archive_days: Option<i32>,
    /// Whether every filter of the search may be used.
    pub advanced_filtering: bool,
    /// Whether there are e-mail alerts.
    pub email_alerts: bool,
    /// Whether there are alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether there are API keys.
    pub api_access: bool,
    /// Whether there is the report builder.
    pub custom_reports: bool,
    /// How many users may share an account.
    pub max_users: i32,
}

/// A plan as it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOffer {
    /// UUIDv7.
    pub id: Uuid,
    /// Its name.
    pub name: PlanName,
    /// A plan includes everything of the plans with a lower rank.
    pub rank: i16,
    /// The name that users see.
    pub display_name: String,
    /// A sentence that describes it.
    pub description: String,
    /// Rupees.
    pub price_monthly: i32,
    /// Rupees.
    pub price_yearly: i32,
    /// Details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// Days back from publication that may be read. `None`: everything.
    pub archive_days: Option<i32>,
    /// Whether every filter of the search may be used.
    pub advanced_filtering: bool,
    /// Whether there are e-mail alerts.
    pub email_alerts: bool,
    /// Whether there are API keys.
    pub api_access: bool,
    /// Whether messages are flagged for the operator.
    pub priority_support: bool,
    /// Whether there is the report builder.
    pub custom_reports: bool,
    /// Its position among the offers.
    pub sort_order: i16,
    /// Since when it is offered.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}
