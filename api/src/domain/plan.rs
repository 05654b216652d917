//! Subscription plans.

/// A change of a plan. Fields that are `None` stay as they are.
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
